/* core/device/error.h: what a device says: the errors of its calls, and messages about a run.
 *
 * Both are a row of the tables of messages (core/base/errs.h) with its arguments, and become a
 * Diag in the session's process alone: worker, driver and server know no language and no place
 * to show anything.  How many arguments a row takes is checked by the compiler, against
 * Holes_E_id, where an error is made:
 *
 *     *err = dev_error(E_gpu_shared, bytes, most, name);              "{2} bytes a block, .."
 *     *err = dev_error(E_device_load, dev_text("%s: %s", path, why));
 *
 * {1} is the name of the kernel or of the target, which who shows the error knows, so that the
 * arguments begin with {2}; dev_error_all() is for rows without such a name.  What a driver or a
 * compiler has said is an argument, whatever it says: no text is taken for a code.
 *
 * An error is a value that holds its arguments' text: who gets one shows it, hands it on or calls
 * dev_error_free(), once.  Making one cannot fail: without memory for the text the code and what
 * the session has to do stay, and the arguments show as "?".
 *
 * On their way both are fields of a message of proto.h (what arrives is checked there: a kernel may have
 * written it), or, to other programs and files, a line of text, which is written and read here
 * alone. */
#ifndef MOONTILE_DEVICE_ERROR_H
#define MOONTILE_DEVICE_ERROR_H

#include "core/base/base.h"

typedef struct DevError DevError;
struct DevError {
    Err is;          /* E_none: nothing went wrong */
    uint8_t narg;
    bool all;        /* the arguments begin with {1} */
    bool reported;   /* DevHost.report has been told why: shown only where that did not arrive */
    bool lost;       /* the device is lost to this process: the worker answers and ends, and the
                      * session starts another */
    bool unbegun;    /* lost, and what was asked for surely was not begun: the session asks the
                      * next worker, once, if nothing was lost with this one */
    char *text;      /* the arguments, each ended by 0; malloc'd, or NULL */
};
enum { DevErrorBytes = 4096 }; /* of the arguments of one error; what is longer is cut */

#define DEV_NO_ERROR ((DevError){.is = E_none})
void dev_error_free(DevError e);
/* Argument {n}, or NULL: it has none, or {1}, a name that it does not know. */
const char *dev_error_arg(const DevError *e, int n);
/* As a message with e's texts; name: what {1} is where e does not know it. */
Diag dev_error_diag(const DevError *e, const char *name);

/* Making errors --------------------------------------------------------------- */

/* A text made for one error, which takes it over. */
typedef struct DevText DevText;
struct DevText { char *s; };
PRINTF(1, 2) DevText dev_text(const char *fmt, ...);
DevText dev_block(int64_t x, int64_t y, int64_t z); /* which block: "1, 2, 3" */

/* dev_error(E_id, argument ..): a text, a DevText or a number each.  dev_error_row(row, ..): of a
 * row that stands in a table. */
#define dev_error(...) DEV_MAKE(DEV_N(__VA_ARGS__), false, DEV_NAMED, __VA_ARGS__)
#define dev_error_all(...) DEV_MAKE(DEV_N(__VA_ARGS__), true, DEV_WHOLE, __VA_ARGS__)
#define dev_error_row(...) DEV_MAKE(DEV_N(__VA_ARGS__), false, DEV_OF_ROW, __VA_ARGS__)
DevError dev_reported(void);
/* e, with which the device is lost; and before anything of what was asked for was begun. */
DevError dev_lost(DevError e);
DevError dev_unbegun(DevError e);
/* Errors of many devices: a file that does not read or cannot be written; Device.text without
 * such a text; the user asks to stop. */
DevError dev_no_file(const char *path, int why); /* why: an errno */
DevError dev_no_text(const char *what);
DevError dev_interrupted(void);
/* Of a message, with all its arguments or without {1}. */
DevError dev_error_of(const Diag *d, bool all);
/* The first error of c as E_device_load; none: c has none. */
DevError dev_error_load(const Ctx *c);
/* Where a call failed and said nothing there was no memory for it: e, or an error that says so. */
DevError dev_error_sure(DevError e);
/* A row that is known when the program runs; more than DiagArgs of arg are left out. */
DevError dev_error_list(Err is, bool all, const char *const *arg, int n);

/* Rows in tables: whoever makes errors of them hands over n arguments, of which the texts of
 * some rows leave out the last.  DevRow1 row = DEV_ROW(1, E_id) */
typedef struct DevRow1 DevRow1;
typedef struct DevRow2 DevRow2;
typedef struct DevRow3 DevRow3;
typedef struct DevRow4 DevRow4;
typedef struct DevRow5 DevRow5;
struct DevRow1 { Err is; };
struct DevRow2 { Err is; };
struct DevRow3 { Err is; };
struct DevRow4 { Err is; };
struct DevRow5 { Err is; };
#define DEV_ROW(n, e) {DEV_CHECKED(e, Holes_##e <= (n) + 1)}

/* Messages ---------------------------------------------------------------------- */

/* About a line of the user's, or (DevHost.status) about nothing in particular; all texts are
 * whoever's made it. */
typedef struct DevMessage DevMessage;
struct DevMessage {
    Err is;
    const char *file;         /* NULL: the kernel's */
    uint32_t line; uint16_t col; /* 0: not known */
    const char *arg[DiagArgs]; /* from {1} on; NULL behind the last */
    const DevMessage *note;   /* the next one about the first */
};
/* dev_message(E_id, text ..), where nothing is the user's. */
#define dev_message(...) DEV_MESSAGE(DEV_N(__VA_ARGS__), __VA_ARGS__)
DevMessage dev_message_of(const DevError *e); /* its texts are e's */

/* Text --------------------------------------------------------------------------- */

/* An error as text: "@id", "@=id" with all arguments, each argument behind a DEV_SEP, "@reported";
 * in front "!": lost, "!?": unbegun.  A message: lines for it and its notes, "@id" DEV_SEP
 * "file:line:col" DEV_SEP .., the place empty where there is none.  A DEV_SEP or a line's end
 * in an argument becomes a blank. */
#define DEV_SEP "\037"
void dev_error_text(const DevError *e, Str *out);
/* DRother: it is of that form, and no row of this build; then e says only whether the device
 * was lost.  DRwrong: it is not. */
enum DevRead { DRread, DRother, DRwrong };
enum DevRead dev_error_read(const char *text, DevError *e);
void dev_message_text(const DevMessage *m, Str *out);
/* A malloc'd list, whose texts are pieces of `text`, which is changed; what does not read, and
 * rows that this build does not have, are left out.  NULL: nothing is left, or no memory. */
DevMessage *dev_message_read(char *text);

/* Behind the macros ---------------------------------------------------------------- */

enum DevPartKind { DPtext, DPown, DPint, DPunsigned, DPfloat };
typedef struct DevPart DevPart;
struct DevPart {
    enum DevPartKind kind;
    size_t n;                /* of a text: at most so many bytes of it */
    union { const char *s; char *own; long long i; unsigned long long u; double f; } v;
};
static inline DevPart dev_part_text(const char *s)
{
    return (DevPart){DPtext, SIZE_MAX, {.s = s}};
}
static inline DevPart dev_part_own(DevText t) { return (DevPart){DPown, SIZE_MAX, {.own = t.s}}; }
static inline DevPart dev_part_int(long long i) { return (DevPart){DPint, 0, {.i = i}}; }
static inline DevPart dev_part_unsigned(unsigned long long u)
{
    return (DevPart){DPunsigned, 0, {.u = u}};
}
static inline DevPart dev_part_float(double f) { return (DevPart){DPfloat, 0, {.f = f}}; }
DevError dev_error_make(Err is, bool all, const DevPart *part, int n);
DevMessage dev_message_make(Err is, const char *const *arg); /* NULL behind the last */

/* How many arguments stand behind the first. */
#define DEV_N(...) DEV_N_(__VA_ARGS__, 6, 5, 4, 3, 2, 1, 0, 0)
#define DEV_N_(e, a1, a2, a3, a4, a5, a6, n, ...) n
#define DEV_HEAD(e, ...) e
/* f(a), for each of them. */
#define DEV_EACH0(f, e)
#define DEV_EACH1(f, e, a) f(a),
#define DEV_EACH2(f, e, a, b) f(a), f(b),
#define DEV_EACH3(f, e, a, b, c) f(a), f(b), f(c),
#define DEV_EACH4(f, e, a, b, c, d) f(a), f(b), f(c), f(d),
#define DEV_EACH5(f, e, a, b, c, d, g) f(a), f(b), f(c), f(d), f(g),
#define DEV_EACH6(f, e, a, b, c, d, g, h) f(a), f(b), f(c), f(d), f(g), f(h),
#define DEV_PART(x) \
    _Generic((x), char *: dev_part_text, const char *: dev_part_text, DevText: dev_part_own, \
             bool: dev_part_int, int: dev_part_int, long: dev_part_int, long long: dev_part_int, \
             unsigned: dev_part_unsigned, unsigned long: dev_part_unsigned, \
             unsigned long long: dev_part_unsigned, double: dev_part_float)(x)
#define DEV_SAME(x) (x)

#define DEV_CHECKED(e, ok) \
    ((e) + 0 * (int)sizeof(struct { \
        _Static_assert(ok, "the message takes another number of arguments"); char c; }))
#define DEV_NAMED(n, e) DEV_NAMED_(n, e)
#define DEV_NAMED_(n, e) DEV_CHECKED(e, Holes_##e == (n) + 1 || (Holes_##e == 0 && (n) == 0))
#define DEV_WHOLE(n, e) DEV_WHOLE_(n, e)
#define DEV_WHOLE_(n, e) DEV_CHECKED(e, Holes_##e == (n))
#define DEV_OF_ROW(n, row) \
    DEV_CHECKED((row).is, _Generic((row), DevRow1: 1, DevRow2: 2, DevRow3: 3, DevRow4: 4, \
                                   DevRow5: 5) == (n))
#define DEV_MAKE(n, all, check, ...) DEV_MAKE_(n, all, check, __VA_ARGS__)
#define DEV_MAKE_(n, all, check, ...) \
    dev_error_make(check(n, DEV_HEAD(__VA_ARGS__, )), all, \
                   (const DevPart[]){DEV_EACH##n(DEV_PART, __VA_ARGS__){DPtext, 0, {.s = ""}}}, n)
#define DEV_MESSAGE(n, ...) DEV_MESSAGE_(n, __VA_ARGS__)
#define DEV_MESSAGE_(n, ...) \
    dev_message_make(DEV_WHOLE(n, DEV_HEAD(__VA_ARGS__, )), \
                     (const char *const[]){DEV_EACH##n(DEV_SAME, __VA_ARGS__) NULL})

#endif
