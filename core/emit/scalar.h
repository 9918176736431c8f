/* core/emit/scalar.h: the printer of expressions as C, for the C family and for the cpu.
 *
 * C is written the same way wherever it is compiled: operators and what they bind, sums that
 * wrap as unsigned ones, division towards minus infinity, shifts, conversions that saturate,
 * narrow floats that are computed in float and rounded once.  All of that is here, and
 * once.  What differs between those who print is a ScalarWords: names as data, by what C
 * computes a value in (enum Flight), and a few functions for what only they know: how a
 * variable or an element is read, what is proved of a value.
 *
 *     a // 8 + int8(f)     the C family     (a >> 3) + (signed char)(__float2int_rz(f))
 *                          the cpu          (a >> 3) + (signed char)(f32_i32(f))
 *
 * Text goes into a Str as it is made, from left to right, so that an expression takes time in
 * proportion to its text, however deep it is.  Who needs a part as a text of its own (a
 * dialect's function, which puts other words around its arguments) takes it back from the end
 * with scalar_take().  A function is asked for behind its arguments where the order of the
 * helpers says so, and its name is put in front of them then.
 *
 * A value in flight has the C type of its class: int for bool and integers up to 32 bits,
 * unsigned, those of 64 bits, double, and float for float32 and everything narrower.  A narrow
 * float is a float that holds a value of its type: arithmetic is done in float and rounded
 * once, which is exact for + - * / because 24 >= 2 * 11 + 2.
 *
 *   scalar.c        operators, calls
 *   scalar_cast.c   types, constants, conversions, bits */
#ifndef MOONTILE_SCALAR_H
#define MOONTILE_SCALAR_H

#include "core/ir/ir.h"

/* How strongly the place of an expression binds: C's operators. */
enum Prec {
    PRany, PRcond, PRlor, PRland, PRbor, PRbxor, PRband, PReq, PRrel, PRshift,
    PRadd, PRterm, PRmul, PRunary, PRpost /* PRterm: behind + or -, where a product may stand */
};

static inline char class_of(enum Dtype dt) { return dtypeinfo[dt].cls; }
static inline int bits_of(enum Dtype dt) { return dtypeinfo[dt].bits; }
static inline bool is_float(enum Dtype dt) { return class_of(dt) == 'F'; }
/* Floats narrower than float32, tfloat32 among them: rounded after each step. */
static inline bool is_narrow(enum Dtype dt) { return is_float(dt) && dt != DTf32 && dt != DTf64; }

/* What C computes a value in. */
enum Flight { FLf32, FLf64, FLi32, FLu32, FLi64, FLu64, NFlight };
enum Flight flight_of(enum Dtype dt);
enum Dtype bits_type(enum Dtype dt); /* the unsigned integer of its width */

typedef struct Scalar Scalar;
typedef struct ScalarFrame ScalarFrame;
struct ScalarFrame { const char *pre, *post; }; /* what stands before and behind a text */

/* Names of functions: "+name" is a helper. */
typedef struct ScalarWords ScalarWords;
struct ScalarWords {
    const char *type[NFlight], *cast[NFlight]; /* "long long", "(long long)" */
    const char *suffix[NFlight];               /* of constants: "ll" */
    const char *nan[2], *nan_args, *inf[2];    /* functions of float, of double; "()" */
    const char *min[NFlight], *max[NFlight], *abs[NFlight];
    const char *clz[2], *popcount[2];          /* of 32 bits, of 64 */
    const char *odd[NFlight];                  /* to a float, rounded to odd */
    const char *to_int[2][NFlight];            /* from a float, a double: saturates, NaN is 0 */

    /* The function's name in the text; it is needed there. */
    const char *(*fn)(Scalar *s, const char *name);
    /* Prints k, which is x, a variable, an element or what else has a text of its own. */
    bool (*leaf)(Scalar *s, Ex x, const Expr *k, int prec);
    /* Must signed + - * be spelled so that it wraps?  C's own must not. */
    bool (*may_wrap)(Scalar *s, Ex x);
    /* A sum that does not wrap, if there is a better order; NULL: as it is. */
    bool (*sum)(Scalar *s, Ex x, const Expr *k, int prec);
    /* k divides what is not negative: shall it be signed all the same?  NULL: yes. */
    bool (*plainly)(Scalar *s, const Expr *k);
    /* The function that `and`, `or` k is handed to as a whole, or NULL. */
    const char *(*joined)(Scalar *s, const Expr *k);
    /* The function that hands on what signed k shifts to the right, or divides by a power of two, or
     * NULL; the member may be NULL. */
    const char *(*kept)(Scalar *s, const Expr *k);
    /* A divisor that may be zero; NULL: as any argument. */
    void (*divisor)(Scalar *s, Ex x);
    /* Around a float: the nearest value of a narrow float, as float. */
    ScalarFrame (*round)(Scalar *s, enum Dtype dt);
    /* Until forget(mark) cond holds, or does not.  NULL: nobody asks. */
    uint32_t (*assume)(Scalar *s, Ex cond, bool holds);
    void (*forget)(Scalar *s, uint32_t mark);
    /* Prints a call; dt: its type, or that of its argument where it gives a bool. */
    void (*call)(Scalar *s, const Expr *k, enum Dtype dt);
    /* The bits of x, a narrow float, as an unsigned integer. */
    const char *(*stored_bits)(Scalar *s, Ex x);
    /* The bits of the text x, a float in flight, and a float from such. */
    const char *(*float_bits)(Scalar *s, enum Dtype from, const char *x);
    const char *(*bits_float)(Scalar *s, enum Dtype to, const char *x);
};

/* A name that stands for an expression: a temporary that holds its value. */
typedef struct ScalarName ScalarName;
struct ScalarName { const char *name; bool used; };

struct Scalar {
    Prog *p;
    const ScalarWords *w;
    void *ud;             /* whose words they are */
    const Loc *here;      /* for messages */
    Str *out;             /* text goes here */
    const char *fast_div; /* of floats, instead of /; or NULL */
    Ex unrounded;         /* its own rounding to a narrow float is left out */
    ScalarName *temp; uint32_t captemp; /* by Ex */
};

/* scalar.c */
void scalar_put(Scalar *s, Ex x, int prec);
/* x, whose own last rounding is left to who takes it. */
void scalar_unrounded(Scalar *s, Ex x, int prec);
/* fmt, in parentheses where asked.  %e: an Ex, and its precedence; %w: an Ex, a Dtype and a
 * precedence, printed so that it wraps; %s: a text; %f: a function, of which there is one,
 * asked for behind what follows. */
void scalar_form(Scalar *s, bool parens, const char *fmt, ...);
/* "f(a, b)" */
void scalar_call(Scalar *s, const char *fn, const Ex *arg, int n);
/* The text behind `at`, which is no longer in s->out, in the Prog's arena; unwinds. */
const char *scalar_take(Scalar *s, size_t at);
void scalar_room(Scalar *s); /* Scalar.temp covers all expressions */
static inline const char *scalar_name(const Scalar *s, Ex x) /* NULL: none stands for x */
{
    return x < s->captemp ? s->temp[x].name : NULL;
}

/* scalar_cast.c */
const char *scalar_type(const ScalarWords *w, enum Dtype dt); /* of a value in flight */
const char *scalar_to(const ScalarWords *w, enum Dtype dt);   /* "(short)" */
const char *scalar_int(Scalar *s, int64_t v, enum Dtype dt, int prec);
const char *scalar_float(Scalar *s, double v, enum Dtype dt, int prec);
void scalar_cast(Scalar *s, Ex x, enum Dtype to, int prec, bool unrounded);
/* Around an int beyond a narrow integer type: wrapped into it.  Nothing, of wider types. */
ScalarFrame scalar_wrap(Scalar *s, enum Dtype dt, int prec);
/* Shall the value of x be rounded to dt?  And puts that around the text behind `at`. */
bool scalar_rounds(const Scalar *s, Ex x, enum Dtype dt);
void scalar_round(Scalar *s, size_t at, enum Dtype dt);
void scalar_insert(Scalar *s, size_t at, const char *text);
void scalar_reinterpret(Scalar *s, const Expr *k);
/* The text x, a value of type `from`, as one of the same bits; binds as a unary operator. */
const char *scalar_bits(Scalar *s, enum Dtype to, enum Dtype from, const char *x);

/* atomic.c: "atomic_sum_float32"; texts for its body, of the values `was` and v: what memory
 * gets for them, and an element from the unsigned integer of its width and back. */
const char *atomic_name(Ctx *c, int kind, enum Dtype dt);
const char *atomic_next(Scalar *s, int kind, enum Dtype dt, const char *was);
const char *atomic_from_bits(Scalar *s, enum Dtype dt, const char *x);
const char *atomic_to_bits(Scalar *s, enum Dtype dt, const char *x);
/* Where lane's element is, and where nobody else has it, what it is and gets; 0: nothing. */
void atomic_index(Prog *p, const Stmt *s, int lane, Ex *idx);
Ex atomic_stored(Prog *p, const Stmt *s, const Ex *idx, int lane, Ex *was);

#endif
