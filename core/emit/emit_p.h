/* core/emit/emit_p.h: inside the printer.
 *
 * Expressions are printed by scalar.h, with the words of expr.c and cast.c.  A value as memory
 * holds it has the dialect's type. */
#ifndef MOONTILE_EMIT_P_H
#define MOONTILE_EMIT_P_H

#include "core/ir/names.h"
#include "emit.h"
#include "scalar.h"

enum { MaxGroups = 8 }; /* of 128 threads, 256, .. to 1,024 */

typedef struct EmitPriv EmitPriv;
struct EmitPriv {
    struct { int64_t threads; const char *name; } group[MaxGroups]; /* see emit_group() */
    int ngroup;
    const char **need; uint32_t nneed, capneed;  /* helpers requested */
    Str helpers;                                 /* their texts */
    Str sources;                                 /* of import_source */
    Names names;                                 /* in scope */
    uint32_t *named; uint32_t nnamed, capnamed;  /* Bufs, and Vars + nbuf, to forget with them */
    Scalar scalar; Str text;                     /* the printer of expressions, where they go */
    const char **raw; uint32_t capraw;           /* by Ex: a text of it as memory holds it */
    uint8_t *used;                               /* by Var: does the launch mention it? */
    struct EmitPart { Ex x; const char *name, *text; } *part; /* see ex_begin() */
    uint32_t npart, cappart;
    int single;              /* conditions around that leave one thread */
    Ex once;                 /* this load's value counts once: see Var.once */
    const char *out;         /* name of the side buffer, of the grid's counters; or NULL */
    const char *counters;
    int first;               /* first thread of the role at hand */
    int int8;                /* 2: the program has elements of that type; 1: none; 0: not looked at */
    int divergent;           /* conditions around that differ between threads */
    /* What is printed chooses between values; says whether a statement comes, which is left from
     * nowhere but its ends; or says which of two comes. */
    enum { TextChooses, TextAdmits, TextBranches } condition;
    bool reads_only;         /* the launch stores nothing to tensors in wide accesses */
};
static inline EmitPriv *priv(Emit *e) { return e->priv; }

/* emit.c: whether a helper has this name, in whatever text of this dialect; requests none. */
bool emit_helper_named(Emit *e, const char *name);

/* text.c: names in scope; emit_close_names() forgets those behind mark. */
uint32_t emit_mark(Emit *e);
void emit_forget(Emit *e, uint32_t mark);
const char *emit_fresh(Emit *e, const char *want);   /* a name nobody has */
const char *emit_name_buf(Emit *e, uint32_t buf);    /* gives it a name, in this scope */
const char *emit_name_var(Emit *e, uint32_t var);
void emit_where(Emit *e, Loc l);                     /* "// line 14", where it changes */
const char *emit_done(Emit *e, Str *s);              /* into the arena; frees s; unwinds */
uint32_t emit_newvar(Emit *e, const char *name, int64_t hi); /* int32, 0 .. hi: a variable of ours */
bool emit_has(Emit *e, const char *name); /* emit_need() where there is such a helper */
const char *emit_prelude(Emit *e, const char *name); /* prelude.c: helpers of all dialects */
const char *emit_types(Emit *e, const char *name);   /* types.c */

/* expr.c */
const char *ex_text(Emit *e, Ex x, int prec);
extern const ScalarWords emit_words;
void ex_room(Emit *e);                     /* Scalar.temp and raw cover all expressions */
static inline const char *ex_raw(const Emit *e, Ex x)
{
    const EmitPriv *q = e->priv;
    return x < q->capraw ? q->raw[x] : NULL;
}
bool ex_varies(Emit *e, Ex x);             /* may it differ between threads of a block? */
bool ex_loads(Emit *e, Ex x);              /* is memory (not a register) read? */
const char *paren(Emit *e, bool on, const char *text);
/* From here to ex_end() the parts that the n expressions share and that are dear have
 * names; ex_end() prints `const T part = ..` for those that a text has used since: make
 * the texts of a statement between the two, its line behind them. */
void ex_begin(Emit *e, const Ex *x, int n);
void ex_end(Emit *e);

/* emit.c: the name of tid // threads, which all lanes of a warp have, where x is tid;
 * NULL: it has none. */
const char *emit_group(const Emit *e, Ex x, int64_t threads);

/* head.c: up to the kernel's "{". */
void emit_kernel_head(Emit *e);
/* Blocks of the launch that can be on one multiprocessor side by side, as its grid and its shared memory say;
 * 0: more than could all have as many registers as a thread can, or a machine whose compilers are not told. */
int emit_few_blocks(const Emit *e);

/* cast.c */
static inline const char *flight_type(enum Dtype dt) { return scalar_type(&emit_words, dt); }
static inline const char *cast_to(enum Dtype to) { return scalar_to(&emit_words, to); }
static inline const char *bits_text(Emit *e, enum Dtype to, enum Dtype from, const char *x)
{
    return scalar_bits(&priv(e)->scalar, to, from, x);
}
const char *cast_text(Emit *e, Ex x, enum Dtype to, int prec, bool unrounded);
/* Of ScalarWords: */
ScalarFrame emit_rounding(Scalar *s, enum Dtype dt);
const char *emit_stored_bits(Scalar *s, Ex x);
const char *emit_float_bits(Scalar *s, enum Dtype from, const char *x);
const char *emit_bits_float(Scalar *s, enum Dtype to, const char *x);
/* The value in flight of a text as memory holds it. */
const char *from_stored(Emit *e, enum Dtype dt, const char *text, bool memory);
/* x as an element of type dt: copied where it is one, else converted. */
const char *stored_text(Emit *e, Ex x, enum Dtype dt, int prec);
/* The dialect's function for x, a sum or product of narrow floats, or NULL. */
const char *narrow_op(Emit *e, Ex x);
/* The value of x not yet rounded to x's own type: what stores it does that. */
const char *unrounded_text(Emit *e, Ex x, int prec);

/* vec.c: does the launch store to tensors 16 bytes at a time, or in boxes? */
bool emit_writes_wide(Emit *e);

/* mem.c */
bool in_registers(const Emit *e, uint32_t buf);
bool is_nibble(const Emit *e, uint32_t buf);     /* elements of 4 bits, two in a byte of memory */
bool is_variable(const Emit *e, uint32_t buf);   /* of scope var: a value in flight */
Ex reg_index(Emit *e, uint32_t buf, const Ex *idx);    /* row-major, of a local buffer */
/* "A[..]": the element as memory holds it (not for int4 and uint4). */
const char *element_text(Emit *e, uint32_t buf, const Ex *idx);
/* Value in flight of a load. */
/* What elements of buf are kept as: a view of registers has their bits. */
enum Dtype kept_type(const Emit *e, uint32_t buf);
const char *read_text(Emit *e, Ex load, int prec);
void store_line(Emit *e, uint32_t buf, const Ex *idx, Ex x); /* the statement that stores x */
const char *buf_type(Emit *e, uint32_t buf);     /* of an element in memory */

/* loop.c: "for (int i = 0; i < n; i++) {" of variable k of loop s, below the line that says how it
 * is unrolled, or NULL.  *inner: the names behind it end with the loop; those of bounds do not. */
void emit_loop_head(Emit *e, const Stmt *s, int k, const char *unroll, uint32_t *inner);
/* How many rounds of this loop had better be under way at once: 1 where a round is more than a few loads of memory
 * and what is done with them, which a thread would mostly wait for else, or a few instructions on matrices.  Where
 * there are few blocks, and registers left over, as many as these hold loads of, across barriers too. */
int emit_ahead(const Emit *e, const Stmt *s);

/* vec.c: vectorized loops, and unrolled ones whose conversions go in pairs.
 * false: print s as any loop. */
bool emit_vector(Emit *e, const Stmt *s);
bool emit_pairs(Emit *e, const Stmt *s);

/* atomic.c, print.c */
void emit_atomics(Emit *e, const Stmt *s);
const char *emit_atomic_text(Emit *e, const char *name); /* "atomic_max_float16": a helper made */
void emit_print(Emit *e, const Stmt *s);        /* Sprint */
void emit_tile(Emit *e, const Stmt *s);         /* Oprint */
void emit_assert(Emit *e, const Stmt *s);

#endif
