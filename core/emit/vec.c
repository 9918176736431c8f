/* core/emit/vec.c: vector accesses, and conversions in pairs.
 *
 * A vectorized loop is one access of memory.  What it loads goes through a small
 * aligned array ("X_v"), what it stores too unless both ends are elements as they
 * are; between them stands a loop over the elements, which the compiler unrolls.
 * Elements of 16 and 8 bits are converted two at a time. */
#include <inttypes.h>
#include <string.h>

#include "core/ir/walk.h"
#include "core/ir/expr.h"
#include "emit_p.h"
#include "core/tensor/tensor.h"

/* How x moves when var grows by one: 0 not at all, 1 by one, -1 otherwise. */
static int vec_moves(Emit *e, Ex x, uint32_t var)
{
    int how = 0;
    if (!x_uses(e->p, x, var))
        return 0;
    ExSum s = x_linear(e->p, x);
    for (int i = 0; i < s.n; i++) {
        const Expr *a = ex_at(e->p, s.atom[i]);
        if (a->op == Xvar && a->sym == var && s.coef[i] == 1)
            how = 1;
        else if (x_uses(e->p, s.atom[i], var))
            return -1;
    }
    return how;
}

static int vec_moves_at(Emit *e, uint32_t buf, const Ex *idx, uint32_t var)
{
    int n = e->p->buf[buf].ndim;
    if (n == 0 || is_variable(e, buf))
        return 0;
    if (in_registers(e, buf))
        return vec_moves(e, reg_index(e, buf, idx), var);
    for (int d = 0; d < n - 1; d++)
        if (vec_moves(e, idx[d], var) != 0)
            return -1;
    return vec_moves(e, idx[n - 1], var);
}

static int64_t divisor(ExFold *f, Ex x)
{
    enum { Most = 64 };
    const Expr *k = ex_at(f->p, x);
    int64_t a, b;
    switch ((enum Xop)k->op) {
    case Xint: a = k->i & -k->i; return k->i == 0 || a > Most ? Most : a;
    case Xvar: return ex_let(f->p, x) ? ex_fold_let(f, x) : 1;
    case Xadd: case Xsub: return ex_fold_least(f, x, Most);
    case Xmul:
        a = ex_fold(f, k->arg[0]);
        b = ex_fold(f, k->arg[1]);
        return a * b > Most ? Most : a * b;
    default: return 1;
    }
}

/* A power of two that divides x. */
static int64_t vec_divides(Emit *e, Ex x)
{
    return ex_fold(&(ExFold){.p = e->p, .f = divisor}, x);
}

static Ex vec_replaced(Emit *e, Ex x, uint32_t var, Ex by)
{
    return x_replace(e->p, x, var, by);
}

static void replaced_all(Emit *e, uint32_t buf, const Ex *idx, uint32_t var, Ex by, Ex *out)
{
    for (int d = 0; d < e->p->buf[buf].ndim; d++)
        out[d] = vec_replaced(e, idx[d], var, by);
}

/* A type of this size that is loaded and stored at once; NULL: there is none. */
static const char *word_type(Emit *e, int64_t bits)
{
    switch (bits) {
    case 128: return emit_need(e, "words4");
    case 64: return emit_need(e, "words2");
    case 32: return e->d->word ? emit_need(e, e->d->word) : "unsigned";
    case 16: return e->d->halfword ? emit_need(e, e->d->halfword) : "unsigned short";
    case 8: return "unsigned char";
    default: return NULL;
    }
}

static int vec_bits_of(Emit *e, uint32_t buf) { return dtypeinfo[e->p->buf[buf].dt].bits; }

/* Vectorized loops ---------------------------------------------------------- */

typedef struct EmitVec EmitVec;
struct EmitVec {
    Emit *e;
    uint32_t var;
    int64_t w;
    struct VecLoad { Ex load, cond, other; const char *name; } *load;
    uint32_t nload, capload;
    bool bad;
};

static bool in_memory(Emit *e, uint32_t buf) { return !in_registers(e, buf); }

/* The constant that x is, through casts that keep it. */
static bool vec_constant(Emit *e, Ex x, double *v)
{
    const Expr *k = ex_at(e->p, x);
    if (k->op == Xfloat)
        *v = k->f;
    else if (k->op == Xint)
        *v = (double)k->i;
    return k->op == Xfloat || k->op == Xint;
}

static void add_load(EmitVec *v, Ex x, Ex cond, Ex other)
{
    agrow(&v->e->p->ctx, &v->load, &v->capload, v->nload + 1, sizeof *v->load);
    v->load[v->nload++] = (struct VecLoad){.load = x, .cond = cond, .other = other};
}

/* a or b, of which 0 is always. */
static Ex either(Emit *e, Ex a, Ex b)
{
    Ex nota = a ? x_un(e->p, Xnot, a) : 0, notb = b ? x_un(e->p, Xnot, b) : 0;
    if (!a || !b || nota == b || notb == a)
        return 0;
    return a == b ? a : x_bin(e->p, Xor, a, b);
}

/* Loads of memory in x that move; cond: what x is evaluated under, 0 always.
 * select(c, load, constant) is a load of its own, whose elements are the constant
 * where c is false: e's handle of the whole select is remembered. */
static void find_loads(EmitVec *v, Ex x, Ex cond)
{
    Emit *e = v->e;
    Expr k = *ex_at(e->p, x);
    double d;
    if (k.op == Xselect && !x_uses(e->p, k.arg[0], v->var)) {
        Expr a = *ex_at(e->p, k.arg[1]);
        bool whole = a.op == Xload && in_memory(e, a.sym) && vec_constant(e, k.arg[2], &d) &&
                     vec_moves_at(e, a.sym, a.arg, v->var) == 1;
        Ex c = cond ? x_bin(e->p, Xand, cond, k.arg[0]) : k.arg[0];
        Ex notc = x_un(e->p, Xnot, k.arg[0]);
        find_loads(v, k.arg[0], cond);
        if (whole && !cond) {
            for (int i = 0; i < a.n; i++)
                find_loads(v, a.arg[i], cond);
            add_load(v, x, k.arg[0], k.arg[2]);
            return;
        }
        find_loads(v, k.arg[1], c);
        find_loads(v, k.arg[2], cond ? x_bin(e->p, Xand, cond, notc) : notc);
        return;
    }
    if ((k.op == Xand || k.op == Xor) && !x_uses(e->p, k.arg[0], v->var)) {
        Ex c = k.op == Xand ? k.arg[0] : x_un(e->p, Xnot, k.arg[0]);
        find_loads(v, k.arg[0], cond);
        find_loads(v, k.arg[1], cond ? x_bin(e->p, Xand, cond, c) : c);
        return;
    }
    if (k.op == Xload && in_memory(e, k.sym)) {
        int how = vec_moves_at(e, k.sym, k.arg, v->var);
        v->bad |= how < 0;
        if (how == 1) {
            for (uint32_t i = 0; i < v->nload; i++)
                if (v->load[i].load == x) {
                    v->load[i].cond = either(e, v->load[i].cond, cond);
                    return;
                }
            add_load(v, x, cond, 0);
        }
    } else if ((k.op == Xselect || k.op == Xand || k.op == Xor) && x_uses(e->p, k.arg[0], v->var)) {
        for (int i = 1; i < k.n; i++)
            v->bad |= ex_loads(e, k.arg[i]);
    } else if (k.op == Xcall && (intr_own(k.sym) || intr_fleeting(k.sym))) {
        v->bad = true;
    }
    for (int i = 0; i < k.n && !v->bad; i++)
        find_loads(v, k.arg[i], cond);
}

/* The load itself, when it is under a select of its own. */
static Ex inner_load(Emit *e, Ex x)
{
    const Expr *k = ex_at(e->p, x);
    return k->op == Xselect ? k->arg[1] : x;
}

static bool vec_narrow(Stmt *s, void *ud)
{
    const Prog *p = ud;
    const Stmt *in = s->kind == Sfor && s->loop.kind == Fvectorized ? s->loop.body : NULL;
    int64_t n;
    if (s->kind == Sop && (s->op.op == Otma_store || s->op.op == Obulk_store))
        return false;
    for (; in; in = in->next)
        if (in->kind == Sstore && p->buf[buf_root(p, in->store.buf)].scope == SCglobal &&
            x_isint(p, s->loop.hi[0], &n) && n * dtypeinfo[p->buf[in->store.buf].dt].bits >= 128)
            return false;
    return true;
}

bool emit_writes_wide(Emit *e)
{
    Stmt *body = e->l->launch->launch.body;
    return body && !stmt_walk(body, vec_narrow, e->p);
}

typedef struct VecUses VecUses;
struct VecUses { const Emit *e; uint32_t var; };

static bool vec_is_var(void *ud, Ex x)
{
    const VecUses *u = ud;
    const Expr *k = ex_at(u->e->p, x);
    return k->op == Xvar && k->sym == u->var;
}

/* Does one of the indices depend on var, through lets too? */
static bool vec_depends(Emit *e, int ndim, const Ex *idx, uint32_t var)
{
    for (int d = 0; d < ndim; d++)
        if (ex_any_let(e->p, idx[d], vec_is_var, &(VecUses){e, var}))
            return true;
    return false;
}

/* Do all blocks read another element, and all warps?  Of a name for a value, as far as it depends
 * on the thread at all. */
static bool vec_alone(Emit *e, int ndim, const Ex *idx)
{
    const Stmt *s = e->l->launch;
    uint32_t tid = s->launch.thread[0];
    int64_t n;
    bool any = false, alone = e->l->threads <= e->m->warp;
    for (int i = 0; i < s->launch.n; i++) {
        bool one = x_isint(e->p, s->launch.grid[i], &n) && n == 1;
        bool uses = vec_depends(e, ndim, idx, s->launch.block[i]);
        any |= uses;
        if (!one && !uses)
            return false;
    }
    Ex zero = x_int(e->p, ex_type(e->p, x_var(e->p, tid)), 0);
    Ex next = x_int(e->p, ex_type(e->p, x_var(e->p, tid)), e->m->warp);
    for (int d = 0; d < ndim && !alone; d++)
        alone = x_uses(e->p, idx[d], tid)
                    ? vec_replaced(e, idx[d], tid, zero) != vec_replaced(e, idx[d], tid, next)
                    : vec_depends(e, 1, &idx[d], tid);
    return any && alone;
}

/* Is it a tensor that the kernel only reads, at a place of this block's own, and of this
 * warp's?  What others read too is better kept near.  Measured on an H200, sum of 128 MB: 0.95 of
 * a copy's rate instead of 0.88; kernels that write as much as they read lose 5 %. */
static bool vec_streams(Emit *e, uint32_t buf, const Ex *idx)
{
    for (int i = 0; priv(e)->reads_only && i < e->l->nparam; i++) {
        const PlanParam *a = &e->l->param[i];
        if (a->kind == PKtensor && a->id == buf_root(e->p, buf) && !a->written)
            return vec_alone(e, e->p->buf[buf].ndim, idx);
    }
    return false;
}

/* "*(const words4 *)&X[..]" of what is loaded for v = 0. */
static const char *wide_load(EmitVec *v, Ex load, const char *type)
{
    Emit *e = v->e;
    Expr k = *ex_at(e->p, load);
    Ex idx[MaxDim];
    replaced_all(e, k.sym, k.arg, v->var, x_int(e->p, DTi32, 0), idx);
    if (e->d->stream && strcmp(type, "words4") == 0 && vec_streams(e, k.sym, idx))
        return afmt(&e->p->ctx, "%s(%s)", emit_need(e, e->d->stream), emit_pointer(e, k.sym, idx));
    return afmt(&e->p->ctx, "*(const %s *)%s", type, emit_pointer(e, k.sym, idx));
}

/* A word of elements that are all the constant x. */
static const char *constant_words(Emit *e, Ex x, enum Dtype dt, int64_t bits, const char *type)
{
    Ctx *c = &e->p->ctx;
    int n = dtypeinfo[dt].bits;
    uint64_t cell = 0;
    double v = 0;
    vec_constant(e, x, &v);
    if (is_float(dt))
        dtype_store(dt, &cell, 0, v);
    else
        dtype_storei(dt, &cell, 0, ex_at(e->p, x)->i);
    if (n < 32)
        cell &= ((uint64_t)1 << n) - 1;
    for (int k = n; k < 32; k *= 2)
        cell |= cell << k;
    unsigned lo = (unsigned)cell, hi = n == 64 ? (unsigned)(cell >> 32) : lo;
    const char *l = cell ? afmt(c, "0x%xu", lo) : "0", *h = cell ? afmt(c, "0x%xu", hi) : "0";
    if (bits == 128)
        return afmt(c, "%s{%s, %s, %s, %s}", type, l, h, l, h);
    if (bits == 64)
        return afmt(c, "%s{%s, %s}", type, l, h);
    return afmt(c, "0x%x", bits == 32 ? lo : lo & (((unsigned)1 << bits) - 1));
}

static int64_t load_bits(EmitVec *v, Ex load)
{
    return v->w * vec_bits_of(v->e, ex_at(v->e->p, inner_load(v->e, load))->sym);
}

/* Prints the loads into arrays, which stand for them from now on.  An array that is loaded under a condition
 * begins as zeros: no element is used without it, but of two loads of one address, the first into a
 * register that is else undefined, ptxas 13.0 takes the second for done
 * (tests/emit/loaded_under_condition.lua). */
static void load_arrays(EmitVec *v)
{
    Emit *e = v->e;
    Ctx *c = &e->p->ctx;
    for (uint32_t i = 0; i < v->nload; i++) {
        Ex x = v->load[i].load, in = inner_load(e, x);
        uint32_t buf = ex_at(e->p, in)->sym;
        int64_t bits = load_bits(v, x);
        const char *type = word_type(e, bits);
        const char *name = emit_fresh(e, afmt(c, "%s_v", e->p->buf[buf].name));
        bool open = v->load[i].cond && !v->load[i].other;
        emit_line(e, "alignas(%d) %s %s[%" PRId64 "]%s;", (int)bits / 8, buf_type(e, buf), name,
                  is_nibble(e, buf) ? v->w / 2 : v->w, open ? " = {}" : "");
        const char *text = wide_load(v, in, type), *to = afmt(c, "*(%s *)%s", type, name);
        if (v->load[i].other)
            emit_line(e, "%s = %s;", to, constant_words(e, v->load[i].other,
                                                        (enum Dtype)e->p->buf[buf].dt, bits, type));
        if (v->load[i].cond)
            emit_line(e, "if (%s)", ex_text(e, v->load[i].cond, PRany));
        emit_line(e, "%s%s = %s;", v->load[i].cond ? "    " : "", to, text);
        v->load[i].name = name;
    }
}

/* Names the elements number `at` of the arrays for the value's loads with v = by. */
static void bind_elements(EmitVec *v, Ex by, const char *at)
{
    Emit *e = v->e;
    for (uint32_t i = 0; i < v->nload; i++) {
        uint32_t buf = ex_at(e->p, inner_load(e, v->load[i].load))->sym;
        Ex x = vec_replaced(e, v->load[i].load, v->var, by);
        const char *get = e->p->buf[buf].dt == DTi4 ? "i4_get" : "u4_get";
        ex_room(e);
        priv(e)->raw[x] =
            is_nibble(e, buf)
                ? afmt(&e->p->ctx, "%s(%s, %s)", emit_need(e, get), v->load[i].name, at)
                : afmt(&e->p->ctx, "%s[%s]", v->load[i].name, at);
    }
}

static void unbind(EmitVec *v, Ex by)
{
    for (uint32_t i = 0; i < v->nload; i++)
        priv(v->e)->raw[vec_replaced(v->e, v->load[i].load, v->var, by)] = NULL;
}

/* "f16x2": packs two floats into a word; NULL: elements of dt go one by one. */
static const char *pair_fn(Emit *e, enum Dtype dt)
{
    switch (dt) {
    case DTf16: return emit_need(e, "f16x2");
    case DTbf16: return emit_need(e, "bf16x2");
    case DTe4m3: return emit_need(e, "e4m3x2");
    case DTe5m2: return emit_need(e, "e5m2x2");
    default: return NULL;
    }
}

static int64_t converts_node(ExFold *f, Ex x)
{
    const Expr *k = ex_at(f->p, x);
    if (k->op == Xselect)
        return ex_fold(f, k->arg[1]) && ex_fold(f, k->arg[2]);
    return k->op != Xload && k->op != Xfloat && k->op != Xbits;
}

/* Is x converted to dt, so that pairs help? */
static bool converts(Emit *e, Ex x, enum Dtype dt)
{
    return is_narrow(dt) && dt != DTtf32 && ex_fold(&(ExFold){.p = e->p, .f = converts_node}, x);
}

/* a and b, of type dt, in a word: computed in pairs as long as the machine can do that. */
static const char *pair_text(Emit *e, Ex a, Ex b, enum Dtype dt)
{
    Ctx *c = &e->p->ctx;
    Expr x = *ex_at(e->p, a), y = *ex_at(e->p, b);
    const char *fn = x.dt == dt && y.dt == dt && x.op == y.op ? narrow_op(e, a) : NULL;
    if (fn && narrow_op(e, b)) {
        const char *l = pair_text(e, x.arg[0], y.arg[0], dt);
        const char *r = pair_text(e, x.arg[1], y.arg[1], dt);
        return afmt(c, "%s(%s, %s)", emit_need(e, afmt(c, "%sx2", fn)), l, r);
    }
    if (x.dt == dt && !converts(e, a, dt)) {
        const char *l = stored_text(e, a, dt, PRany), *r = stored_text(e, b, dt, PRany);
        return afmt(c, "%s(%s, %s)", emit_need(e, afmt(c, "both_%s", emit_type(e, dt))), l, r);
    }
    const char *l = unrounded_text(e, a, PRany), *r = unrounded_text(e, b, PRany);
    return afmt(c, "%s(%s, %s)", pair_fn(e, dt), l, r);
}

/* The elements to(v) = value, by pairs where that helps. */
typedef const char *ElementFn(EmitVec *v, Ex at, void *ud);
static void vec_elements(EmitVec *v, ElementFn *to, void *ud, Ex value, enum Dtype dt)
{
    Emit *e = v->e;
    Ctx *c = &e->p->ctx;
    bool pairs = v->w % 2 == 0 && converts(e, value, dt);
    uint32_t mark = emit_mark(e);
    const char *name = emit_name_var(e, v->var);
    Ex one = x_var(e->p, v->var), two = x_bin(e->p, Xadd, one, x_int(e->p, DTi32, 1));
    if (v->w == 2 && pairs) {
        Ex zero = x_int(e->p, ex_type(e->p, one), 0), next = x_int(e->p, ex_type(e->p, one), 1);
        bind_elements(v, zero, "0");
        bind_elements(v, next, "1");
        const char *both = pair_text(e, vec_replaced(e, value, v->var, zero),
                                     vec_replaced(e, value, v->var, next), dt);
        emit_line(e, "*(%s *)&%s = %s;", word_type(e, 2 * dtypeinfo[dt].bits), to(v, zero, ud), both);
        unbind(v, zero);
        unbind(v, next);
        emit_forget(e, mark);
        return;
    }
    emit_line(e, "%s", e->d->unroll);
    emit_line(e, "for (int %s = 0; %s < %" PRId64 "; %s%s)", name, name, v->w, name,
              pairs ? " += 2" : "++");
    bind_elements(v, one, name);
    if (pairs) {
        bind_elements(v, two, afmt(c, "%s + 1", name));
        const char *both = pair_text(e, value, vec_replaced(e, value, v->var, two), dt);
        emit_line(e, "    *(%s *)&%s = %s;", word_type(e, 2 * dtypeinfo[dt].bits), to(v, one, ud), both);
        unbind(v, two);
    } else {
        emit_line(e, "    %s = %s;", to(v, one, ud), stored_text(e, value, dt, PRany));
    }
    unbind(v, one);
    emit_forget(e, mark);
}

/* Packed elements of 4 bits: array[v / 2] = value | value of v + 1 << 4. */
static void nibbles(EmitVec *v, const char *array, Ex value)
{
    Emit *e = v->e;
    uint32_t mark = emit_mark(e);
    const char *name = emit_name_var(e, v->var);
    Ex one = x_var(e->p, v->var), two = x_bin(e->p, Xadd, one, x_int(e->p, DTi32, 1));
    bind_elements(v, one, name);
    bind_elements(v, two, afmt(&e->p->ctx, "%s + 1", name));
    const char *a = ex_text(e, value, PRband + 1);
    const char *b = ex_text(e, vec_replaced(e, value, v->var, two), PRshift);
    emit_line(e, "%s", e->d->unroll);
    emit_line(e, "for (int %s = 0; %s < %" PRId64 "; %s += 2)", name, name, v->w, name);
    emit_line(e, "    %s[%s / 2] = (%s & 15) | %s << 4;", array, name, a, b);
    unbind(v, two);
    unbind(v, one);
    emit_forget(e, mark);
}

/* Where the elements go: element idx of a buffer, or an array. */
typedef struct Goal Goal;
struct Goal { uint32_t buf; const Ex *idx; const char *array; };

/* The element that is stored: of the array, or of registers. */
static const char *stored_element(EmitVec *v, Ex by, void *ud)
{
    const Goal *t = ud;
    Emit *e = v->e;
    Ex idx[MaxDim];
    if (t->array)
        return afmt(&e->p->ctx, "%s[%s]", t->array, ex_text(e, by, PRany));
    replaced_all(e, t->buf, t->idx, v->var, by, idx);
    return element_text(e, t->buf, idx);
}

/* Registers that one access may read or write at once: aligned, in order. */
static bool aligned_regs(EmitVec *v, uint32_t buf, const Ex *idx)
{
    Emit *e = v->e;
    Ex at = vec_replaced(e, reg_index(e, buf, idx), v->var, x_int(e->p, DTi32, 0));
    return vec_moves_at(e, buf, idx, v->var) == 1 && vec_divides(e, at) % v->w == 0 &&
           vec_bits_of(e, buf) >= 8 && buf == buf_root(e->p, buf);
}

/* The value as a whole: "*(const words4 *)&X[..]", or NULL. */
static const char *vector_load(EmitVec *v, Ex value, enum Dtype dt, const char *type)
{
    Emit *e = v->e;
    Expr k = *ex_at(e->p, value);
    Ex idx[MaxDim];
    if (k.op != Xload || k.dt != dt || is_variable(e, k.sym))
        return NULL;
    if (in_memory(e, k.sym))
        return vec_moves_at(e, k.sym, k.arg, v->var) == 1 && vec_bits_of(e, k.sym) >= 8
                   ? wide_load(v, value, type) : NULL;
    if (!aligned_regs(v, k.sym, k.arg))
        return NULL;
    replaced_all(e, k.sym, k.arg, v->var, x_int(e->p, DTi32, 0), idx);
    return afmt(&e->p->ctx, "*(%s *)&%s", type, element_text(e, k.sym, idx));
}

static bool storable(EmitVec *v, const Stmt *s)
{
    Emit *e = v->e;
    uint32_t buf = s->store.buf;
    int how = vec_moves_at(e, buf, s->store.idx, v->var);
    for (int d = 0; d < e->p->buf[buf].ndim; d++)
        if (ex_loads(e, s->store.idx[d]))
            return false;
    v->nload = 0;
    v->bad = is_variable(e, buf) || how != 1 ||
             (!in_memory(e, buf) && buf != buf_root(e->p, buf)) ||
             ex_type(e->p, s->store.value) != (enum Dtype)e->p->buf[buf].dt ||
             (in_memory(e, buf) && !word_type(e, v->w * vec_bits_of(e, buf)));
    find_loads(v, s->store.value, 0);
    for (uint32_t i = 0; i < v->nload; i++)
        v->bad |= !word_type(e, load_bits(v, v->load[i].load));
    return !v->bad;
}

static void vector_store(EmitVec *v, const Stmt *s)
{
    Emit *e = v->e;
    Ctx *c = &e->p->ctx;
    uint32_t buf = s->store.buf;
    enum Dtype dt = (enum Dtype)e->p->buf[buf].dt;
    bool memory = in_memory(e, buf), regs = !memory && aligned_regs(v, buf, s->store.idx);
    Goal t = {buf, s->store.idx, NULL};
    Ex idx[MaxDim];
    const char *type = word_type(e, v->w * vec_bits_of(e, buf)), *to = NULL;
    replaced_all(e, buf, s->store.idx, v->var, x_int(e->p, DTi32, 0), idx);
    if (type && memory)
        to = afmt(c, "*(%s *)%s", type, emit_pointer(e, buf, idx));
    else if (type && regs)
        to = afmt(c, "*(%s *)&%s", type, element_text(e, buf, idx));
    const char *all = to && dt != DTtf32 ? vector_load(v, s->store.value, dt, type) : NULL;
    if (all) {
        emit_line(e, "%s = %s;", to, all);
        return;
    }
    if (to && v->nload == 1 && v->load[0].load == s->store.value && v->load[0].other &&
        dt != DTtf32) {
        Ex in = inner_load(e, s->store.value);
        const char *name = emit_fresh(e, afmt(c, "%s_v", e->p->buf[ex_at(e->p, in)->sym].name));
        emit_line(e, "%s %s = %s;", type, name,
                  constant_words(e, v->load[0].other, dt, v->w * vec_bits_of(e, buf), type));
        emit_line(e, "if (%s)", ex_text(e, v->load[0].cond, PRany));
        emit_line(e, "    %s = %s;", name, wide_load(v, in, type));
        emit_line(e, "%s = %s;", to, name);
        return;
    }
    load_arrays(v);
    if (memory && is_nibble(e, buf)) {
        t.array = emit_fresh(e, afmt(c, "%s_v", e->p->buf[buf].name));
        emit_line(e, "alignas(%d) unsigned char %s[%" PRId64 "];", (int)v->w / 2, t.array,
                  v->w / 2);
        nibbles(v, t.array, s->store.value);
        emit_line(e, "%s = *(%s *)%s;", to, type, t.array);
        return;
    }
    bool direct = memory && v->w == 2 && converts(e, s->store.value, dt);
    if (memory && !direct) {
        t.array = emit_fresh(e, afmt(c, "%s_v", e->p->buf[buf].name));
        emit_line(e, "alignas(%d) %s %s[%" PRId64 "];", (int)v->w * vec_bits_of(e, buf) / 8,
                  buf_type(e, buf), t.array, v->w);
    }
    vec_elements(v, stored_element, &t, s->store.value, dt);
    if (t.array)
        emit_line(e, "%s = *(%s *)%s;", to, type, t.array);
}

bool emit_vector(Emit *e, const Stmt *s)
{
    EmitVec v = {.e = e, .var = s->loop.var[0]};
    if (s->loop.n != 1 || !x_isint(e->p, s->loop.hi[0], &v.w) || v.w < 2)
        return false;
    for (const Stmt *k = s->loop.body; k; k = k->next)
        if (k->kind != Sstore || !storable(&v, k))
            return false;
    for (const Stmt *k = s->loop.body; k; k = k->next) {
        emit_where(e, k->loc);
        storable(&v, k);
        vector_store(&v, k);
    }
    return true;
}

/* Pairs in unrolled loops ---------------------------------------------------- */

bool emit_pairs(Emit *e, const Stmt *s)
{
    const Stmt *k = s->loop.body;
    EmitVec v = {.e = e, .var = s->loop.var[0]};
    int64_t lo, hi, step = 1;
    if (s->loop.kind != Funroll || s->loop.n != 1 || !k || k->next || k->kind != Sstore ||
        in_memory(e, k->store.buf) || is_variable(e, k->store.buf) ||
        !x_isint(e->p, s->loop.lo[0], &lo) || !x_isint(e->p, s->loop.hi[0], &hi) || lo != 0 ||
        (s->loop.step && !x_isint(e->p, s->loop.step, &step)) || step != 1 || hi % 2 || hi < 2)
        return false;
    enum Dtype dt = (enum Dtype)e->p->buf[k->store.buf].dt;
    v.w = 2;
    if (ex_type(e->p, k->store.value) != dt || !converts(e, k->store.value, dt) ||
        !aligned_regs(&v, k->store.buf, k->store.idx))
        return false;
    v.w = hi;
    Goal t = {k->store.buf, k->store.idx, NULL};
    emit_where(e, k->loc);
    vec_elements(&v, stored_element, &t, k->store.value, dt);
    return true;
}
