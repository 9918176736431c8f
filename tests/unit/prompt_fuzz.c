/* tests/unit/prompt_fuzz.c: random keys at the prompt, on a terminal of its own.
 *
 *     prompt_fuzz [SECONDS [SEED]]     FUZZ_SECONDS does the same; 4 seconds
 *
 * Checked again and again: an input that is typed after the noise is answered;
 * the program ends as it is told to; no sanitizer has anything to say; and the
 * terminal is as it was before, however the session ended. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#include "core/base/base.h"

enum { Patience = 30, Keys = 120, Rounds = 6 }; /* seconds; keys between two checks */

/* Everything is one terminal and one process. */
static struct {
    const char *program;
    char home[64];
    int tty, side;         /* the master, and the other side, held open */
    pid_t pid;
    char out[1 << 16];     /* what was written last */
    size_t n;
    char typed[4096];      /* what was typed last */
    size_t ntyped;
    uint64_t seed, state;
    long rounds, keys;
    bool leaving, ended;   /* leaving: it was told to end */
    int status;
} f;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint32_t rnd(uint32_t below)
{
    f.state ^= f.state << 13;
    f.state ^= f.state >> 7;
    f.state ^= f.state << 17;
    return (uint32_t)(f.state >> 32) % below;
}

static void show(const char *what, const char *s, size_t n)
{
    printf("--- %s\n", what);
    for (size_t i = n > 1500 ? n - 1500 : 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c == '\n')
            puts("\\n");
        else if (c < 0x20 || c >= 0x7f)
            printf("\\x%02x", c);
        else
            putchar(c);
    }
    putchar('\n');
}

NORETURN static void fail(const char *why)
{
    printf("prompt_fuzz: %s; seed %llu, after %ld keys\n", why, (unsigned long long)f.seed, f.keys);
    show("typed", f.typed, f.ntyped);
    const char *report = memmem(f.out, f.n, "ERROR: ", 7);
    size_t from = report ? (size_t)(report - f.out) : 0;
    show("shown", f.out + from, report && f.n - from > 1500 ? 1500 : f.n - from);
    if (f.pid > 0)
        kill(f.pid, SIGKILL);
    exit(1);
}

/* The terminal ------------------------------------------------------------------ */

static void keep(const char *s, size_t n)
{
    if (f.n + n > sizeof f.out) {
        size_t drop = f.n + n - sizeof f.out / 2;
        drop = drop < f.n ? drop : f.n;
        memmove(f.out, f.out + drop, f.n - drop);
        f.n -= drop;
    }
    memcpy(f.out + f.n, s, n);
    f.n += n;
}

/* Reads what is there, for at most ms without any. */
static bool drain(int ms)
{
    struct pollfd p = {.fd = f.tty, .events = POLLIN};
    bool any = false;
    char buf[4096];
    while (poll(&p, 1, ms) > 0) {
        ssize_t k = read(f.tty, buf, sizeof buf);
        if (k <= 0)
            break;
        keep(buf, (size_t)k);
        any = true;
        ms = 0;
    }
    return any;
}

static bool gone(void)
{
    if (!f.ended && waitpid(f.pid, &f.status, WNOHANG) == f.pid)
        f.ended = true;
    return f.ended;
}

static void type(const char *s, size_t n)
{
    for (size_t i = 0; i < n && !gone();) {
        ssize_t k = write(f.tty, s + i, n - i < 64 ? n - i : 64);
        drain(0);
        if (k > 0)
            i += (size_t)k;
        else if (errno != EAGAIN && errno != EINTR)
            return;
    }
    if (f.ntyped + n > sizeof f.typed)
        f.ntyped = 0;
    if (n <= sizeof f.typed) {
        memcpy(f.typed + f.ntyped, s, n);
        f.ntyped += n;
    }
}

static void type_text(const char *s) { type(s, strlen(s)); }

/* Waits until the text is shown; false: the process ended. */
static bool wait_for(const char *text)
{
    double end = now() + Patience;
    while (!memmem(f.out, f.n, text, strlen(text))) {
        if (gone()) {
            drain(10);
            return memmem(f.out, f.n, text, strlen(text)) != NULL;
        }
        if (now() > end)
            fail("no answer");
        drain(20);
    }
    return true;
}

/* The program ---------------------------------------------------------------------- */

/* libedit 3.1 frees what it did not allocate after some changes of size. */
static void resize(void)
{
#ifdef USE_LIBEDIT
    if (f.pid > 0)
        return;
#endif
    struct winsize w = {.ws_col = (unsigned short)(8 + rnd(140)),
                        .ws_row = (unsigned short)(2 + rnd(45))};
    ioctl(f.tty, TIOCSWINSZ, &w);
}

static void start(void)
{
    static const char *const langs[] = {"en", "zh"};
    const char *lang = langs[rnd(2)], *locale = rnd(5) ? "C.UTF-8" : "C";
    char name[128];
    if (openpty(&f.tty, &f.side, name, NULL, NULL) != 0)
        fail("no terminal");
    resize();
    f.n = f.ntyped = 0;
    f.ended = f.leaving = false;
    f.pid = fork();
    if (f.pid == 0) {
        close(f.tty);
        login_tty(f.side);
        setenv("LC_ALL", locale, 1);
        execl(f.program, f.program, "--lang", lang, (char *)NULL);
        _exit(127);
    }
    fcntl(f.tty, F_SETFL, O_NONBLOCK);
    if (!wait_for("> "))
        fail("it does not start");
}

/* The program has ended, or must now. */
static void finish(void)
{
    struct termios t;
    double end = now() + Patience;
    while (!gone()) {
        drain(10);
        if (now() > end)
            fail("it does not end");
    }
    drain(10);
    if (tcgetattr(f.side, &t) != 0 || !(t.c_lflag & ICANON) || !(t.c_lflag & ECHO) ||
        !(t.c_iflag & ICRNL))
        fail("the terminal is not as before");
    const char *on = NULL, *off = NULL, *at = f.out;
    for (const char *p; (p = memmem(at, f.n - (size_t)(at - f.out), "\033[?2004", 7)); at = p + 7)
        if (p + 7 < f.out + f.n)
            *(p[7] == 'h' ? &on : &off) = p;
    if (on && (!off || off < on))
        fail("pastes are still marked");
    static const char *const bad[] = {"Sanitizer", "runtime error", "E900", "double free"};
    for (size_t i = 0; i < COUNT(bad); i++)
        if (memmem(f.out, f.n, bad[i], strlen(bad[i])))
            fail(bad[i]);
    int sig = WIFSIGNALED(f.status) ? WTERMSIG(f.status) : 0;
    if (sig && !(f.leaving && (sig == SIGTERM || sig == SIGHUP || sig == SIGINT)))
        fail(strsignal(sig));
    close(f.tty);
    close(f.side);
    f.pid = 0;
}

/* Noise -------------------------------------------------------------------------------- */

static const char *const words[] = {
    "for", "end", "function", "local x = ", "print(", ")", "{", "}", "[[", "]]", "--[[", "\"",
    "T.", "T.gemm(", "tl.zeros({4, 4})", "x", "1 + ", "= ", "if x then", "return ", "中文", "é",
    "e\xcc\x81", "한국어", "😀", "\xff\xfe", "\xe4\xb8", "  ", "repeat", "until x", "do ", ":vars",
    ":help ", "T.copy?", "?T", "until", "_1", ";", "k = tl.jit(function(A)", "elseif", "\t",
};

static const char *const keys[] = {
    "\r", "\r", "\n", "\t", "\t", "\033[Z", "\033[A", "\033[A", "\033[B", "\033[C", "\033[D",
    "\033[H", "\033[F", "\033[1;5C", "\033[1;5D", "\033[1;5H", "\033[3~", "\177", "\177", "\010",
    "\001", "\005", "\002", "\006", "\013", "\025", "\027", "\031", "\024", "\014", "\020", "\016",
    "\022", "\022", "\023", "\007", "\037", "\033\r", "\033f", "\033b", "\033d", "\033\177",
    "\033<", "\033>", "\033u", "\033l", "\033c", "\033t", "\033y", "\0335", "\033-", "\033\\",
    "\033.", "\033OP", "\033OQ", "\033e", "\033", "\033[", "\033[99~", "\033[1;2", "\026",
    "\021", "\035", "\033#", "\033*", "\033?", "\030\030", "\030\025", "\030(", "\030)", "\030e",
    "\033[200~", "\033[201~", "\033]0;x\007", "\017", "\003", "\003",
};

static void noise_paste(void)
{
    static const char *const pastes[] = {
        "1> x = 1\n2> x\n1\n3> for i = 1, 2 do\n > print(i)\n > end\n1\n2\n",
        "local a = 1\nlocal b = 2\n", "a\nb\n", "for i = 1, 2 do\n", "one line", "\r\r\n",
        "x = (\n)\n)\n", ">>> 1 + 1\n2\n", "中文\n\xff\n", "function f()\n  return [[\n\n]]\nend\nf()\n",
    };
    type_text("\033[200~");
    for (uint32_t i = rnd(3) + 1; i > 0; i--)
        type_text(pastes[rnd(COUNT(pastes))]);
    if (rnd(8))
        type_text("\033[201~");
}

/* '!' would start a shell. */
static void noise_bytes(void)
{
    char s[12];
    size_t n = 1 + rnd(sizeof s);
    for (size_t i = 0; i < n; i++) {
        int c = rnd(4) ? (int)(0x20 + rnd(0x5f)) : (int)rnd(256);
        s[i] = (char)(c == '!' || c == 4 || c == 28 || c == 26 ? 'x' : c);
    }
    type(s, n);
}

static void noise_signal(void)
{
    static const int sigs[] = {SIGWINCH, SIGCONT, SIGTSTP, SIGINT, SIGWINCH};
    int s = sigs[rnd(COUNT(sigs))];
    kill(f.pid, s);
    if (s == SIGTSTP)
        kill(f.pid, SIGCONT);
}

static void noise(void)
{
    uint32_t r = rnd(100);
    if (r < 35)
        type_text(words[rnd(COUNT(words))]);
    else if (r < 75)
        type_text(keys[rnd(COUNT(keys))]);
    else if (r < 85)
        noise_bytes();
    else if (r < 90)
        noise_paste();
    else if (r < 95)
        resize();
    else if (r < 98)
        noise_signal();
    else
        drain((int)rnd(60));
    f.keys++;
    drain(rnd(3) ? 0 : (int)rnd(8)); /* bursts, and keys one by one */
}

/* One more input, on a line that is empty again: each Ctrl-C is tried until the
 * answer comes, since what ran may take the first one. */
static bool answers(void)
{
    static long question;
    char ask[64], answer[64];
    snprintf(answer, sizeof answer, "<%ld answers %ld>", (long)getpid(), ++question);
    snprintf(ask, sizeof ask, "print('<%ld '..'answers %ld>')\r", (long)getpid(), question);
    double end = now() + Patience;
    for (int wait = 20; !gone(); wait *= 2) { /* a late Ctrl-C may take the question, too */
        type_text("\033[201~\003");
        for (int i = 0; i < 5 && drain(20); i++)
            ;
        type_text("\003");
        for (int i = 0; i < 5 && drain(40); i++)
            ;
        type_text(ask);
        for (int i = 0; i < wait && !gone(); i++) {
            drain(20);
            if (memmem(f.out, f.n, answer, strlen(answer)))
                return true;
        }
        if (now() > end)
            fail("no answer");
    }
    return false;
}

/* Takes what comes for so many seconds.  A Ctrl-C drops what the terminal has not yet been read
 * of: one that follows at once may take along what puts the terminal back. */
static void settle(double seconds)
{
    for (double end = now() + seconds; !gone() && now() < end;)
        drain(20);
}

/* The ways in which a session ends. */
static void leave(void)
{
    uint32_t how = rnd(4);
    f.leaving = true;
    if (how == 0)
        type_text("\003\004");
    else if (how == 1)
        type_text("\003os.exit(0)\r");
    else
        kill(f.pid, how == 2 ? SIGTERM : SIGHUP);
    settle(2);
    for (int i = 0; i < 20 && !gone(); i++) { /* a Ctrl-C may have dropped it */
        type_text("\003");
        settle(0.2);
        type_text("\004");
        settle(2);
    }
    finish();
}

static void one_session(double end)
{
    start();
    for (int i = 0; i < Rounds && !gone(); i++) {
        for (int k = 0; k < Keys && !gone(); k++)
            noise();
        if (!answers() || now() > end)
            break;
    }
    if (gone())
        finish();
    else
        leave();
    f.rounds++;
}

/* The files of the session ---------------------------------------------------------------- */

static void make_home(void)
{
    char path[128];
    snprintf(f.home, sizeof f.home, "/tmp/prompt_fuzz-XXXXXX");
    if (!mkdtemp(f.home) || chdir(f.home) != 0)
        fail("no folder");
    snprintf(path, sizeof path, "%s/moontile", f.home);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/moontile/history", f.home);
    FILE *h = fopen(path, "w");
    for (int i = 0; h && i < 300; i++)
        fprintf(h, "local v%d = %d\nfor i = 1, %d do\\n  print(i)\\nend\n中文 %d\n\xff\xfe%d\n", i, i,
                i % 3, i, i);
    if (h)
        fclose(h);
    setenv("HOME", f.home, 1);
    setenv("XDG_STATE_HOME", f.home, 1);
    setenv("XDG_CONFIG_HOME", f.home, 1);
    setenv("XDG_CACHE_HOME", f.home, 1);
    setenv("EDITOR", "true", 1);
    unsetenv("VISUAL");
    setenv("TERM", "xterm-256color", 1);
}

static void remove_home(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", f.home);
    if (strncmp(f.home, "/tmp/prompt_fuzz-", 17) != 0 || system(command) != 0)
        printf("prompt_fuzz: %s is left\n", f.home);
}

int main(int argc, char **argv)
{
    const char *env = getenv("FUZZ_SECONDS");
    double seconds = argc > 1 ? atof(argv[1]) : env && env[0] ? atof(env) : 4;
    f.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 20240611;
    static char program[4096];
    char *self = realpath(argv[0], NULL);
    for (int i = 0; self && i < 3; i++) /* BUILD/tests/unit/prompt_fuzz -> BUILD */
        *strrchr(self, '/') = '\0';
    snprintf(program, sizeof program, "%s/moontile", self ? self : ".");
    free(self);
    f.program = program;
    signal(SIGPIPE, SIG_IGN);
    make_home();
    for (double end = now() + seconds; now() < end; f.seed++) {
        f.state = f.seed * 0x9e3779b97f4a7c15u + 1;
        one_session(end);
    }
    remove_home();
    printf("%ld sessions, %ld keys\n", f.rounds, f.keys);
    return 0;
}
