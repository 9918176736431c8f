/* Errors and messages of devices: what is made of their arguments, without memory too; as text and in
 * a message of the worker's, where nothing that arrives is trusted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/device/jail.h"
#include "core/device/proto.h"
#include "dev_said.h"
#include "err/cuda.h"
#include "err/gpu.h"
#include "err/launch.h"
#include "err/packs.h"
#include "err/remote.h"
#include "err/run.h"

static int failures;

static void expect(const char *what, const char *got, const char *want)
{
    if (got && want ? strcmp(got, want) == 0 : got == want)
        return;
    printf("%s: got %s, wanted %s\n", what, got ? got : "nothing", want ? want : "nothing");
    failures++;
}

#define EXPECT(ok) ((ok) ? (void)0 : fail(#ok, __LINE__))
static void fail(const char *what, int line)
{
    printf("dev_error.c:%d: failed: %s\n", line, what);
    failures++;
}

static void is(const char *what, DevError e, const char *want)
{
    char *text = dev_said(e);
    expect(what, text, want);
    free(text);
}

/* Making ------------------------------------------------------------------------- */

static const struct { DevRow1 one; DevRow5 five; } rows = {DEV_ROW(1, E_gpu_trap),
                                                           DEV_ROW(5, E_gpu_failed)};

static void made(void)
{
    char name[8] = "f";
    const char *none = NULL;
    is("none", DEV_NO_ERROR, NULL);
    is("no argument", dev_error(E_interrupted), "@interrupted");
    is("no hole", dev_error(E_build_interrupted), "@build_interrupted");
    is("a text", dev_error(E_device_load, name), "@device_load\037f");
    is("no text", dev_error(E_device_load, none), "@device_load\037?");
    is("numbers", dev_error(E_gpu_align, 1, "x", (uint32_t)2, UINT64_MAX),
       "@gpu_align\0371\037x\0372\03718446744073709551615");
    is("more", dev_error(E_remote_cut, "h", true, false, INT64_MIN),
       "@remote_cut\037h\0371\0370\037-9223372036854775808");
    is("a double", dev_error(E_remote_stalled, "h", 1.5), "@remote_stalled\037h\0371.5");
    is("of its own", dev_error(E_device_load, dev_text("%s: %d", name, 3)), "@device_load\037f: 3");
    is("empty", dev_error(E_device_load, dev_text("%s", "")), "@device_load\037");
    is("a row", dev_error_row(rows.one, name), "@gpu_trap\037f");
    is("a longer row", dev_error_row(rows.five, name, 1, 2, 3, 4), "@gpu_failed\037f\0371\0372\0373\0374");
    is("all", dev_error_all(E_pack_http, "u", 404L), "@=pack_http\037u\037404");
    is("a bug", dev_error_all(E_bug, "it is one"), "@bug\037it is one");
    is("a row that is not there", dev_error_list(E_none, false, NULL, 0), "@bug");
    is("lost", dev_lost(dev_error(E_device_load, "x")), "!@device_load\037x");
    is("unbegun", dev_unbegun(dev_error(E_device_load, "x")), "!?@device_load\037x");
    is("reported", dev_reported(), "@reported");
    is("a file", dev_no_file("/x", 2), "@device_load\037/x: No such file or directory");
    is("sure", dev_error_sure(DEV_NO_ERROR), "@device_memory");
    is("a line's end", dev_error(E_device_load, "a\nb\037c\r"), "@device_load\037a b c ");
}

/* {1} is known to who shows it, or to the error. */
static void named(void)
{
    DevError e = dev_error(E_gpu_shared, 4, 3, "card");
    Diag d = dev_error_diag(&e, "k");
    expect("{1}", d.arg[0], "k");
    expect("{2}", d.arg[1], "4");
    expect("{4}", d.arg[3], "card");
    EXPECT(!d.arg[4] && !dev_error_arg(&e, 1) && !dev_error_arg(&e, 5) && !dev_error_arg(&e, 0));
    dev_error_free(e);
    e = dev_error_all(E_pack_http, "u", 1);
    d = dev_error_diag(&e, "k");
    expect("{1}", d.arg[0], "u");
    EXPECT(!d.arg[2]);
    dev_error_free(e);
    const Diag from = {.err = E_gpu_shared, .arg = {"k", "4", "3", "card"}};
    is("of a message", dev_error_of(&from, false), "@gpu_shared\0374\0373\037card");
    is("of all of it", dev_error_of(&from, true), "@=gpu_shared\037k\0374\0373\037card");
    const Diag bug = {.err = E_bug, .arg = {"why"}};
    is("of a bug", dev_error_of(&bug, false), "@bug\037why");
}

/* What is longer than an error's text is cut, and the others have their place. */
static void cut(void)
{
    char *s = malloc(3 * DevErrorBytes);
    memset(s, 'x', 3 * DevErrorBytes);
    s[3 * DevErrorBytes - 1] = '\0';
    DevError e = dev_error(E_gpu_resident, s, "b");
    const char *a = dev_error_arg(&e, 2), *b = dev_error_arg(&e, 3);
    EXPECT(e.narg == 2 && a && b && strlen(a) == DevErrorBytes - 2 && *b == '\0');
    dev_error_free(e);
    e = dev_error(E_gpu_resident, "b", s);
    a = dev_error_arg(&e, 2), b = dev_error_arg(&e, 3);
    EXPECT(e.narg == 2 && strcmp(a, "b") == 0 && strlen(b) == DevErrorBytes - 3);
    dev_error_free(e);
    free(s);
}

/* Without memory the code stays, and what is to be done. */
static void starved(void)
{
    struct rlimit was, none = {0, 0};
    if (SANITIZED || getrlimit(RLIMIT_AS, &was) != 0)
        return;
    none.rlim_max = was.rlim_max;
    void *list = NULL;
    setrlimit(RLIMIT_AS, &none);
    for (size_t n = 1 << 16; n >= sizeof list;) {
        void *p = malloc(n);
        if (p) {
            memcpy(p, &list, sizeof list);
            list = p;
        } else {
            n /= 2;
        }
    }
    DevError e = dev_lost(dev_error(E_gpu_shared, 4, dev_text("%d", 3), "card"));
    setrlimit(RLIMIT_AS, &was);
    while (list) {
        void *next;
        memcpy(&next, list, sizeof next);
        free(list);
        list = next;
    }
    EXPECT(e.is == E_gpu_shared && e.lost && !e.text && !e.narg);
    Diag d = dev_error_diag(&e, "k");
    Str out = {0};
    diag_text(&out, &d, err_info(d.err)->label[LANGen], LANGen);
    expect("without memory", out.s, "? bytes per block, ? has ?");
    str_free(&out);
    is("its text", e, "!@gpu_shared");
}

/* Text --------------------------------------------------------------------------- */

static const struct { const char *text; enum DevRead read; const char *back; } texts[] = {
    {"@device_load\037x", DRread, NULL},
    {"!@device_load\037x", DRread, NULL},
    {"!?@remote_gone\037h\0371\0371\0371", DRread, NULL},
    {"@=sim_never_written\037C\0371\0372\037C[0]", DRread, NULL},
    {"@interrupted", DRread, NULL},
    {"@device_load\037", DRread, NULL},
    {"@gpu_align\037\037\037\037", DRread, NULL},
    {"@bug\037why", DRread, NULL},
    {"@=bug\037why", DRread, "@bug\037why"},
    {"@reported", DRread, NULL},
    {"!@reported", DRread, NULL},
    {"@device_load\0371\0372\0373\0374\0375\0376\0377\0378", DRread,
     "@device_load\0371\0372\0373\0374\0375\0376"},
    {"@later\037x", DRother, NULL},
    {"!@later", DRother, NULL},
    {"@=reported", DRother, NULL},
    {"@reported\037x", DRother, NULL},
    {"@none", DRother, NULL},
    {"@", DRother, NULL},
    {"", DRwrong, NULL},
    {"!", DRwrong, NULL},
    {"!?", DRwrong, NULL},
    {"?@device_load", DRwrong, NULL},
    {"device_load", DRwrong, NULL},
    {" @device_load", DRwrong, NULL},
};

static void read(void)
{
    for (size_t i = 0; i < COUNT(texts); i++) {
        DevError e;
        enum DevRead r = dev_error_read(texts[i].text, &e);
        if (r != texts[i].read)
            expect(texts[i].text, "read another way", "as it is");
        EXPECT(e.lost == (texts[i].text[0] == '!'));
        if (r == DRread)
            is(texts[i].text, e, texts[i].back ? texts[i].back : texts[i].text);
        else
            EXPECT(!e.is && !e.text);
    }
}

static void message(const char *text, const char *want)
{
    char *own = strdup(text);
    Str back = {0};
    DevMessage *m = dev_message_read(own);
    if (m)
        dev_message_text(m, &back);
    if (want)
        expect(text, back.s, want);
    else if (m)
        expect(text, back.s, "nothing");
    str_free(&back);
    free(m);
    free(own);
}

static void messages(void)
{
    static const char whole[] =
        "@argument_bounds\037a:b.lua:7:3\0371\0372\n@called\037:9:0\n@called\037c.lua:0:0";
    message(whole, whole);
    message("@called\037", "@called\037");
    message("@called", "@called\037");
    message("@called\0377", "@called\037");
    message("@called\037x:y\037", "@called\037\037");
    message("@later\037a:1:1\n@called\037b:2:2", "@called\037b:2:2");
    message("\n\n@called\037\n", "@called\037");
    message("@gpu_align\037\0371\0372\0373\0374\0375\0376\0377", "@gpu_align\037\0371\0372\0373\0374\0375\0376");
    message("", NULL);
    message("called\037", NULL);
    message("@later", NULL);
    DevMessage m = dev_message(E_remote_again, "h", "a\nb", "\037", "4");
    Str out = {0};
    dev_message_text(&m, &out);
    expect("made", out.s, "@remote_again\037\037h\037a b\037 \0374");
    str_free(&out);
}

/* The worker's messages -------------------------------------------------------------- */

static Msg msg;

static DevError sent(void)
{
    msg.h.bytes = (uint32_t)msg.at;
    msg.at = 0;
    return get_error(&msg);
}

static void across(const char *text)
{
    DevError e;
    EXPECT(dev_error_read(text, &e) == DRread);
    msg_start(&msg, Mfail, 1);
    put_error(&msg, &e);
    dev_error_free(e);
    is(text, sent(), text);
}

/* A number, flags, a count, and as many texts as `texts` says. */
static DevError forged(uint64_t is, uint64_t flags, uint64_t n, int there)
{
    msg_start(&msg, Mfail, 1);
    put_u64(&msg, is);
    put_u64(&msg, flags);
    put_u64(&msg, n);
    for (int i = 0; i < there; i++)
        put_text(&msg, "x", 1);
    return sent();
}

static void protocol(void)
{
    static const char wrong[] = "@bug\037a worker's error does not read";
    for (size_t i = 0; i < COUNT(texts); i++)
        if (texts[i].read == DRread && !texts[i].back)
            across(texts[i].text);
    msg_start(&msg, Mfail, 1);
    put_error(&msg, &DEV_NO_ERROR);
    is("said nothing", sent(), "@device_memory");
    is("as made", forged(E_device_load, 0, 1, 1), "@device_load\037x");
    is("more flags", forged(E_device_load, ~UINT64_C(15), 1, 1), "@device_load\037x");
    is("unbegun is lost", forged(E_device_load, 2, 1, 1), "!?@device_load\037x");
    is("no row", forged(7 * 512 * 512, 0, 1, 1), wrong);
    is("the row of none", forged(0, 0, 0, 0), wrong);
    is("far off", forged(UINT64_MAX, 0, 0, 0), wrong);
    is("lost, and no row", forged(UINT64_MAX, 1, 0, 0), "!@bug\037a worker's error does not read");
    is("a note", forged(E_called, 0, 0, 0), wrong);
    is("too many", forged(E_device_load, 0, DiagArgs + 1, DiagArgs + 1), wrong);
    is("far too many", forged(E_device_load, 0, UINT64_MAX, 1), wrong);
    is("too few", forged(E_device_load, 0, 2, 1), wrong);
    msg_start(&msg, Mfail, 1);
    is("nothing", sent(), wrong);
    uint64_t x = 88172645463325252u;
    for (int k = 0; k < 20000; k++) {
        msg_start(&msg, Mfail, 1);
        for (int i = 0, n = (int)(x % 90); i < n; i++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            put_u64(&msg, x % 3 ? x % 9 : x % 7 ? x % 16000 : x);
        }
        DevError e = sent();
        EXPECT(e.is != E_none && e.narg <= DiagArgs && err_info(e.is)->level == Lerror);
        dev_error_free(e);
    }
}

/* The board, over which a kernel may have written. */
static void board(void)
{
    Board *b = calloc(1, sizeof *b);
    DevMessage note = dev_message(E_called), m = dev_message(E_remote_waits, "h");
    uint32_t at = 0, seen = 0;
    char now[StatusBytes], *text;
    m.note = &note;
    EXPECT(!board_next(b, &at));
    EXPECT(board_report(b, &m) && board_report(b, &note));
    text = board_next(b, &at);
    expect("first", text, "@remote_waits\037\037h\n@called\037");
    free(text);
    text = board_next(b, &at);
    expect("second", text, "@called\037");
    free(text);
    EXPECT(!board_next(b, &at));
    int more = 0;
    while (board_report(b, &m))
        more++;
    EXPECT(more > 1000 && more < ReportBytes);
    memset(b->report, 'x', sizeof b->report);
    at = 0;
    EXPECT(!board_next(b, &at));
    b->reported = UINT32_MAX;
    EXPECT(!board_next(b, &at) && !board_report(b, &m));
    m.note = NULL;
    board_status(b, &m);
    EXPECT(board_now(b, &seen, now) && !board_now(b, &seen, now));
    expect("status", now, "@remote_waits\037\037h");
    board_status(b, NULL);
    EXPECT(board_now(b, &seen, now) && !now[0]);
    memset(b->now, 'x', sizeof b->now);
    b->status += 2;
    EXPECT(board_now(b, &seen, now) && strlen(now) == StatusBytes - 1);
    free(b);
}

int main(void)
{
    made();
    named();
    cut();
    starved();
    read();
    messages();
    protocol();
    board();
    return failures != 0;
}
