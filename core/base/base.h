/* core/base/base.h: what every part of moontile stands on: memory, text, errors.
 *
 * The core never prints and never exits.  A function that can fail for the
 * user's sake reports into a Diags and then either returns false or unwinds
 * with ctx_unwind() to the nearest ctx_try(); each prototype says which. */
#ifndef MOONTILE_BASE_H
#define MOONTILE_BASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PRINTF(a, b) __attribute__((format(printf, a, b)))
#define NORETURN     __attribute__((noreturn))
#define VECTOR(bytes) __attribute__((vector_size(bytes))) /* of a typedef, where there is one */
#else
#define PRINTF(a, b)
#define NORETURN
#endif

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Element types -------------------------------------------------------- */

enum Dtype {
    DTnone,
#define DT(id, name, bits, cls, ctype) DT##id,
#include "dtypes.h"
#undef DT
    NDtype
};

typedef struct DtypeInfo DtypeInfo;
struct DtypeInfo {
    const char *name;  /* TileLang's spelling, "float16" */
    const char *ctype; /* C storage type */
    uint8_t bits;      /* in memory */
    char cls;          /* 'B' 'I' 'U' 'F' */
};

extern const DtypeInfo dtypeinfo[NDtype];

static inline bool dtype_isfloat(enum Dtype dt) { return dtypeinfo[dt].cls == 'F'; }

/* dtype.c: DTnone when the name is unknown.  Also takes the short forms
 * "half", "float", "double", "int", "uint", "long", "short", "fp16", "bf16". */
enum Dtype dtypebyname(const char *name);

/* A place in the user's text: file indexes a Ctx's file table; line and col
 * count from 1, 0 means unknown. */
typedef struct Loc Loc;
struct Loc {
    uint16_t file, col;
    uint32_t line;
};

/* Diagnostics ---------------------------------------------------------- */

/* Lopen: a note on what the checks cannot decide, for whom nothing decides when the kernel runs.
 * Lindex: on indices of which that is so, for whom nothing looks at them then either. */
enum Level { Lerror, Lwarning, Lopen, Lindex, Lnote, NLevel };
const char *level_word(enum Level l); /* "error", "warning", "note" */

/* A message: a row of errs.h.  The constants E_* stand in err/GROUP.h, one header a group. */
typedef int Err;
#include "err/base.h"

enum Lang { LANGen, LANGzh, NLang };

typedef struct ErrInfo ErrInfo;
struct ErrInfo {
    const char *id;   /* "gemm_shape", the name that Lua uses */
    const char *code; /* "E031" */
    enum Level level;
    const char *title[NLang], *label[NLang], *help[NLang];
};
const ErrInfo *err_info(Err e);
Err err_next(Err e);                /* all of them from E_none on; E_none behind the last */
Err err_by_id(const char *id);      /* "gemm_shape"; E_none if unknown */
Err err_by_code(const char *code);  /* "E031"; E_none if unknown */
Err err_row(uint64_t n);            /* the row of that number; E_none if there is none */

enum { DiagArgs = 6 };

/* One message.  args fill {1} .. {6} of the row's texts, so the language can
 * be chosen when it is shown.  Notes hang below their error by `notes`.  python: the text that it
 * speaks of is Python, in which it shows code: {0|as Lua|as Python}. */
typedef struct Diag Diag;
struct Diag {
    Err err;
    Loc loc;
    const char *arg[DiagArgs];
    bool python;
    Diag *note; /* first note about this one */
    Diag *next;
};

/* Memory --------------------------------------------------------------- */

/* The host's allocator: realloc semantics, n = 0 frees.  The test build
 * passes one that fails on the n-th call. */
typedef struct Mem Mem;
struct Mem {
    void *(*alloc)(void *ud, void *p, size_t n);
    void *ud;
};
extern const Mem mem_libc;

typedef struct Chunk Chunk;
typedef struct Arena Arena;
struct Arena {
    Chunk *head;
    char *at, *end;
    size_t total; /* bytes taken from the host */
};

/* A compilation's context: its memory, its messages, where to unwind to.
 * One context serves one thread at a time. */
typedef struct Ctx Ctx;
struct Ctx {
    Mem mem;
    size_t limit;  /* bytes; beyond it E_memory */
    Arena arena;
    jmp_buf *trap; /* set by ctx_try */
    volatile int *stop; /* not 0: give up with E_build_interrupted, and set it back; or NULL */
    Diag *diags, **diagtail;
    int nerror;
    const char **file; /* names of source files, 1-based */
    uint32_t nfile, capfile;
    uint16_t width; /* columns of the terminal that messages are shown on; 0: none */
    Diag oom; /* ready-made, so that running out of memory can be said */
};

/* Set from a signal handler, to 2 by one who insists; everything that waits looks at it, and
 * sets it back to 0 when it has reported the interruption. */
extern volatile int interrupt_asked; /* sig_atomic_t in spirit; the one global */

/* ctx.c -- every function here that takes a Ctx unwinds on lack of memory. */
/* One of `part` parts of the machine's memory, in bytes; `least`, where that is less or not known. */
size_t memory_part(unsigned part, size_t least);
void ctx_init(Ctx *c, const Mem *mem, size_t limit);
void ctx_free(Ctx *c);
/* Runs f(c, ud); true if it returned, false if it unwound. Nests. */
bool ctx_try(Ctx *c, void (*f)(Ctx *, void *), void *ud);
NORETURN void ctx_unwind(Ctx *c);
uint16_t ctx_file(Ctx *c, const char *name); /* interned; 0 for NULL */

void *anew(Ctx *c, size_t n);              /* zeroed, aligned to 16 */
/* Not of the arena: for who needs much and is done with it soon.  Zeroed; given back by heap_free(),
 * also when what it was for has unwound.  NULL is nothing to give back. */
void *heap_new(Ctx *c, size_t n);
void heap_free(const Ctx *c, void *p);
char *astr(Ctx *c, const char *s, size_t n); /* copied, NUL-terminated */
PRINTF(2, 3) char *afmt(Ctx *c, const char *fmt, ...);
/* s for a comment of a printed program: what could end the comment, its line or a text there
 * becomes _.  A name in IR text may be anything, and strangers send such texts. */
const char *aplain(Ctx *c, const char *s);
/* Grows the arena array *p of elements of `size` to hold n; *cap is updated.
 * The old contents are kept, the new part is zeroed. */
void agrow(Ctx *c, void *p, uint32_t *cap, uint32_t n, size_t size);

/* diag.c: adds a message; args up to a NULL are copied.  Lerror rows count in
 * c->nerror.  Returns it, so that notes can be hung on it. */
Diag *diag(Ctx *c, Err e, Loc l, ...); /* const char * ..., NULL */
Diag *diag_note(Ctx *c, Diag *of, Err e, Loc l, ...);
NORETURN void diag_fail(Ctx *c, Err e, Loc l, ...); /* diag, unwind */
void diag_adopt(Ctx *c, const Ctx *from); /* copies all messages of from */
const Diag *diag_first_error(const Ctx *c); /* NULL: there is none */

/* Text that grows.  Str belongs to the host's malloc, not to an arena; failed
 * growth is remembered in bad and the text stays as it was. */
typedef struct Str Str;
struct Str {
    char *s; /* NUL-terminated, NULL while empty */
    size_t n, cap;
    bool bad;
};
void str_add(Str *b, const char *s, size_t n);
void str_puts(Str *b, const char *s);
PRINTF(2, 3) void str_fmt(Str *b, const char *fmt, ...);
PRINTF(2, 0) void str_vfmt(Str *b, const char *fmt, va_list ap);
void str_free(Str *b);
/* visible.c: appends n bytes of somebody else's text so that it can only be read: line ends and
 * tabs stay, other control characters become their pictures (U+241B for ESC), C1, marks that
 * turn a line around and bytes that are no UTF-8 become U+FFFD.  Each takes one column. */
void str_visible(Str *b, const char *s, size_t n);
/* diag.c: a name of ctx_file() as messages show it. */
void str_file(Str *b, const char *name);

/* diag.c: renders one message and its notes as
 *     file:line:col: error[E031]: title
 *        14 |     T.gemm(As, Bs, Cl)
 *           |     ^^^^^^ label
 *     note: ...
 *     help: ...
 * source(ud, file, line, &len) gives the user's line or NULL; span is the
 * width of the carets (found from the source: the dotted name at col). */
typedef const char *SourceFn(void *ud, const char *file, uint32_t line, size_t *len);
void diag_render(Str *out, const Ctx *c, const Diag *d, enum Lang lang,
                 bool colour, SourceFn *source, void *ud);
/* Fills the row's text (title, label or help) with d's arguments: {2}, and
 * {2|one|many}, which chooses by whether argument 2 is 1, and {0|lua|python}.  d NULL: holes stay.
 * lang is the pattern's: arguments that are words are said in it. */
void diag_text(Str *out, const Diag *d, const char *pattern, enum Lang lang);
/* The same text with nothing but {0|lua|python} chosen. */
void diag_written(Str *out, const char *pattern, bool python);
/* phrase.c: appends the Chinese words for argument a of message `of`; false: it has none. */
bool phrase_zh(Str *out, Err of, const char *a);
/* The same as one who writes Python says it: "true" is "True". */
bool phrase_python(Str *out, const char *a);
/* Row i of phrases.h: the English words, for which message, and the Chinese ones; NULL behind the last. */
const char *phrase_row(size_t i, Err *of, const char **zh);
/* The column of d, or when it has none that of the name it is about, as far as
 * the line shows it once; counting from 1, 0: unknown. */
uint16_t diag_column(const Diag *d, const char *line, size_t n);

/* hash.c: 128-bit content hash (not for secrets), in hex for file names. */
typedef struct Hash Hash;
struct Hash { uint64_t a, b; };
Hash hash_bytes(Hash seed, const void *p, size_t n);
void hash_hex(Hash h, char out[33]);

#endif
