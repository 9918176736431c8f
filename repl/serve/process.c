/* repl/serve/process.c: the process of one session: its requests and answers.  See process.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/watch.h"
#include "core/device/cache.h"
#include "core/device/jail.h"
#include "say.h"
#include "process.h"
#include "err/run.h"
#include "err/serve.h"
#include "err/target.h"
#include "err/room.h"

/* Files -------------------------------------------------------------------- */

int process_file(const void *p, size_t n)
{
    int fd = memfd_create("moontile-say", MFD_CLOEXEC);
    const char *s = p;
    for (size_t at = 0; fd >= 0 && at < n;) {
        ssize_t k = write(fd, s + at, n - at);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            close(fd);
            return -1;
        }
        at += (size_t)k;
    }
    return fd;
}

char *process_slurp(int fd, size_t most, size_t *n)
{
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size < 0 || (uint64_t)st.st_size > most)
        return NULL;
    size_t want = (size_t)st.st_size;
    char *s = malloc(want + 1);
    *n = 0;
    while (s && *n < want) {
        ssize_t k = pread(fd, s + *n, want - *n, (off_t)*n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            break;
        *n += (size_t)k;
    }
    if (s)
        s[*n] = '\0';
    return s;
}

/* Answers ------------------------------------------------------------------ */

void process_start(Process *s) { msg_start(&s->out, (enum MsgKind)Sok, s->in.h.seq); }

bool process_send(Process *s) { return msg_send(s->fd, &s->out); }

bool process_send_file(Process *s, int fd)
{
    s->out.fd = fd;
    bool ok = msg_send(s->fd, &s->out);
    if (fd >= 0)
        close(fd);
    return ok;
}

bool process_ok(Process *s)
{
    process_start(s);
    return process_send(s);
}

typedef struct Saying Saying;
struct Saying { Err e; const char *a, *b, *d; };

static void do_say(Ctx *c, void *ud)
{
    const Saying *y = ud;
    diag(c, y->e, (Loc){0, 0, 0}, y->a, y->b, y->d, NULL);
}

void process_say(Process *s, Err e, const char *a, const char *b, const char *d)
{
    Saying y = {e, a, b, d};
    ctx_try(&s->ctx, do_say, &y);
}

/* What the device itself said, or else the first error of c without the kernel's name,
 * which rows of running kernels have as {1}. */
static void device_text(Process *s, const Diag *d, Str *out)
{
    if (s->fail) {
        str_puts(out, s->fail);
        return;
    }
    DevError e = dev_error_of(d, false);
    dev_error_text(&e, out);
    dev_error_free(e);
}

/* Did contents that only the device had go with its worker? */
static const Diag *lost(const Ctx *c)
{
    for (const Diag *d = c->diags; d; d = d->next) {
        if (d->err == E_contents_gone)
            return d;
        for (const Diag *n = d->note; n; n = n->next)
            if (n->err == E_contents_lost)
                return n;
    }
    return NULL;
}

/* A limit that the server set is said to be the server's: what the device would advise against
 * its own helps nobody here.  d, or *own made of it. */
static const Diag *by_limit(Process *s, const Diag *d, Diag *own, char bytes[32])
{
    /* No E_crash_kill: beyond its limit a process gets no memory; what is killed, somebody killed. */
    bool memory = d->err == E_memory || d->err == E_device_memory || d->err == E_worker_memory;
    *own = *d;
    if (d->err == E_timeout)
        own->err = E_serve_late;
    else if (memory && s->process)
        *own = (Diag){.err = E_serve_process, .loc = d->loc,
                      .arg = {say_bytes(bytes, (int64_t)s->process)}};
    else
        return d;
    free(s->fail); /* which says the other */
    s->fail = NULL;
    return own;
}

bool process_fail(Process *s, int status, const Ctx *c)
{
    Str text = {0}, message = {0}, all = {0};
    const Diag *d = c->diags, *gone = lost(c);
    while (d && err_info(d->err)->level != Lerror)
        d = d->next;
    Diag none = {.err = E_memory, .arg = {"more", "reached"}}, own;
    char bytes[32];
    d = by_limit(s, d ? d : &none, &own, bytes);
    if (gone)
        str_puts(&text, "!");
    if (gone && d->err == E_contents_gone) {
        DevError e = dev_error(E_serve_lost, gone->arg[0], gone->arg[1]);
        dev_error_text(&e, &text);
        dev_error_free(e);
    } else {
        device_text(s, d, &text);
    }
    say_message(&message, c, d);
    say_messages(&all, c, Lnote, MessagesBytes);
    msg_start(&s->out, (enum MsgKind)Sfail, s->in.h.seq);
    put_u64(&s->out, (uint64_t)status);
    put_u64(&s->out, s->fail ? s->fail_line : d->loc.line);
    put_text(&s->out, text.s ? text.s : "@memory", text.n < 4096 ? text.n : 4096);
    if (message.n > 16 * 1024 || message.bad)
        put_text(&s->out, "{}", 2);
    else
        put_text(&s->out, message.s, message.n);
    put_text(&s->out, all.bad ? "[]" : all.s, all.bad ? 2 : all.n);
    str_free(&text);
    str_free(&message);
    str_free(&all);
    return process_send(s);
}

bool process_event(Process *s, enum EventKind k, const char *text, size_t n)
{
    msg_start(&s->out, (enum MsgKind)Sevent, s->in.h.seq);
    put_u64(&s->out, k);
    put_text(&s->out, text, n < MsgBytes / 2 ? n : MsgBytes / 2);
    return process_send(s);
}

/* What the session says ---------------------------------------------------- */

static void process_on_report(void *ud, const DevMessage *m)
{
    Str s = {0};
    dev_message_text(m, &s);
    if (!s.bad)
        process_event(ud, EVreport, s.s, s.n);
    str_free(&s);
}

/* That the device was lost is nothing to the client, whose session goes on; what was lost with it
 * is said by process_fail(). */
static void on_fail(void *ud, uint32_t line, const DevError *e)
{
    Process *s = ud;
    DevError own = *e;
    Str text = {0};
    own.lost = own.unbegun = false;
    dev_error_text(&own, &text);
    if (text.bad)
        str_free(&text);
    free(s->fail);
    s->fail = text.s;
    s->fail_line = line;
}

static void on_alive(void *ud) { process_event(ud, EValive, "", 0); }

/* Contents could not be read from the device. */
static void on_warn(void *ud, const Ctx *c)
{
    Process *s = ud;
    for (const Diag *d = c->diags; d; d = d->next) {
        const Diag *n = d->err == E_contents_unread ? d : d->note;
        while (n && n->err != E_contents_unread && n->err != E_contents_lost)
            n = n->next;
        for (int i = 0; n && i < 2; i++)
            snprintf(s->lost[i], sizeof s->lost[i], "%s", n->arg[i] ? n->arg[i] : "?");
    }
}

bool process_lost(Process *s)
{
    if (!s->lost[0][0])
        return false;
    process_say(s, E_contents_gone, s->lost[0], s->lost[1], NULL);
    s->lost[0][0] = '\0';
    return true;
}

/* Opening ------------------------------------------------------------------ */

/* The folder of compiled kernels is there before the worker is told that it may read it. */
static void make_cache(Process *s)
{
    Cache k = {0};
    cache_open_quietly(&k, &s->ctx);
    cache_close(&k);
    ctx_free(&s->ctx); /* what is wrong with it is said when something is to be stored */
    ctx_init(&s->ctx, NULL, 0);
}

/* A program that grows without end, here or in the worker; tensors are files and do not count.
 * Drivers and sanitizers reserve without using. */
static void confine(const Process *s)
{
    struct rlimit r = {s->process, s->process};
    if (s->process && !SANITIZED)
        setrlimit(RLIMIT_DATA, &r);
}

static bool do_process_open(Process *s)
{
    Str about = {0};
    const char *spec = get_text(&s->in, NULL);
    double limit = get_double(&s->in);
    s->workspace = (int64_t)get_u64(&s->in);
    s->process = get_u64(&s->in);
    if (s->session || s->in.bad)
        return false;
    s->target = target_find(spec);
    if (!s->target) {
        process_say(s, E_target_unknown, spec, "", NULL);
        return process_fail(s, 422, &s->ctx);
    }
    make_cache(s);
    confine(s);
    s->session = session_open(&s->ctx, s->target, spec);
    if (!s->session)
        return process_fail(s, 500, &s->ctx);
    session_limit(s->session, limit);
    session_hooks(s->session, &(SessionHooks){.ud = s, .report = process_on_report, .fail = on_fail,
                                              .alive = on_alive, .warn = on_warn});
    s->watch = (StorageWatch){process_forget, s, NULL};
    storage_watch(&s->watch);
    const char *options = session_options(s->session, &s->ctx);
    if (!options)
        return process_fail(s, 422, &s->ctx);
    session_describe(s->session, &about);
    process_start(s);
    put_text(&s->out, options, strlen(options));
    put_text(&s->out, about.s ? about.s : "", about.n < MsgBytes / 4 ? about.n : MsgBytes / 4);
    put_u64(&s->out, device_apart(s->target->device, spec));
    str_free(&about);
    return process_send(s);
}

static bool process_dispatch(Process *s)
{
    enum ProcessKind k = (enum ProcessKind)s->in.h.kind;
    if (k == Sopen)
        return do_process_open(s);
    if (!s->session)
        return false;
    switch (k) {
    case Snew: return process_new(s);
    case Sfree: return process_free(s);
    case Sclaim: return process_claim(s);
    case Sfilled: return process_filled(s);
    case Szero: return process_zero(s);
    case Sread: return process_read(s);
    case Sbuild: return process_build(s);
    case Sdrop: return process_drop(s);
    case Stext: return process_text(s);
    case Srun: return process_run(s);
    default: return false;
    }
}

/* The process -------------------------------------------------------------- */

static void on_interrupt(int sig)
{
    (void)sig;
    interrupt_asked = interrupt_asked + 1;
}

/* It ends with the server, leaves no core, and is the first to go when memory is short. */
static void process_setup(void)
{
    struct rlimit core = {1, 1};
    struct sigaction sa = {.sa_handler = on_interrupt};
    sigemptyset(&sa.sa_mask);
    sigaction(SIGINT, &sa, NULL);
    signal(SIGPIPE, SIG_IGN);
    setrlimit(RLIMIT_CORE, &core);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    watch_none(); /* the server ends what is left, or its warden */
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        if (write(fd, "500", 3) != 3)
            errno = 0; /* it is only a wish */
        close(fd);
    }
    prctl(PR_SET_DUMPABLE, 0L); /* others of our user look neither at its memory nor its environment */
}

int process_main(int fd)
{
    process_setup();
    Process *s = calloc(1, sizeof *s);
    if (!s || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
        return 1;
    s->fd = fd;
    ctx_init(&s->ctx, NULL, 0);
    while (msg_recv(fd, &s->in) == RECVok) {
        interrupt_asked = 0; /* what was meant for an earlier request */
        bool more = process_dispatch(s);
        if (s->in.fd >= 0)
            close(s->in.fd);
        free(s->fail);
        s->fail = NULL;
        ctx_free(&s->ctx);
        ctx_init(&s->ctx, NULL, 0);
        if (!more)
            break;
    }
    _exit(0); /* the worker ends with its socket; nothing here is to be saved */
}
