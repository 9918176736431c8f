/* targets/cuda/ptx_wgmma.c: products of warp groups: wgmma, its descriptors, and
 * what keeps the compiler from moving register accesses across its fences.
 *
 * A function wgmma_m64n256k16_f32_f16 is made of its row in machines.c and n;
 * behind it _ra when A stands in registers, _ta and _tb for operands whose rows
 * run along k (MN-major; 16-bit types only).
 *
 * A descriptor (reference: lowering.md 3.4) is two 32-bit words; only the start
 * address in the first changes inside a kernel.  A step along k adds to that
 * field, so that an unrolled loop over k costs one addition an operand.
 *
 * Registers: accumulators, and A in registers, are read and written between the
 * issue and the wait.  ptx_wgmma_hold() is an empty instruction that has them as operands:
 * before wgmma_fence() it makes sure that their values are there by then, behind
 * wgmma_wait() that nobody looks at them earlier.  Without it the compiler may
 * move a zero or a conversion into the pipeline, and the assembler then waits
 * for each product (its warnings C7510 to C7519). */
#include "ptx.h"

#include <stdio.h>
#include <string.h>

#include "core/ir/expr.h"
#include "core/ir/walk.h"

enum { GroupLanes = 128 };
/* Attributes, in the order of ops.h. */
enum { N, Atnsp, Albo, Asbo, Aswizzle, Btnsp, Blbo, Bsbo, Bswizzle };

/* Functions -------------------------------------------------------------- */

typedef struct PtxWgmmaShape PtxWgmmaShape;
struct PtxWgmmaShape {
    const Mma *i;
    int n;
    bool ra, ta, tb;
};

/* ".f32.f16": the types in the instruction's name, behind its k. */
static const char *types_of(const Mma *i)
{
    const char *s = strchr(i->name, '.');
    s = s ? strchr(s + 1, '.') : NULL;
    return s ? s : "";
}

static const char *ptx_wgmma_name_of(Emit *e, const PtxWgmmaShape *q)
{
    char *s = afmt(&e->p->ctx, "wgmma_m%dn%dk%d%s%s%s%s", q->i->m, q->n, q->i->k, types_of(q->i),
                   q->ra ? "_ra" : "", q->ta ? "_ta" : "", q->tb ? "_tb" : "");
    for (char *k = s; *k; k++)
        if (*k == '.')
            *k = '_';
    return s;
}

/* Registers of C in each lane: float16 in pairs. */
static int accumulators(const PtxWgmmaShape *q)
{
    return q->i->m * q->n / GroupLanes / (q->i->c == DTf16 ? 2 : 1);
}

/* Signs (floats only) and majors (16-bit types only) of the operands. */
static void immediates(Str *s, const PtxWgmmaShape *q)
{
    enum Dtype a = (enum Dtype)q->i->a;
    if (q->i->c == DTi32)
        return;
    str_puts(s, ", 1, 1");
    if (a != DTf16 && a != DTbf16)
        return;
    if (!q->ra)
        str_fmt(s, ", %d", q->ta);
    str_fmt(s, ", %d", q->tb);
}

static const char *wgmma_text(Emit *e, const char *name, const PtxWgmmaShape *q)
{
    enum { Words = 4 }; /* of A in each lane: 64 rows of 32 bytes */
    Str s = {0};
    int nc = accumulators(q), at = nc, na = q->ra ? Words : 1;
    const char *types = types_of(q->i), *last = strrchr(types, '.');
    bool one = q->i->a == q->i->b; /* the name has the type of both but once */
    char k = ptx_constraint((enum Dtype)q->i->c);
    str_fmt(&s, PTX_FN "void %s(%s *c, %s,\n    unsigned long long b, bool accumulate)\n{\n", name,
            ptx_regtype((enum Dtype)q->i->c), q->ra ? "const unsigned *a" : "unsigned long long a");
    str_fmt(&s, "    asm volatile(\"{\\n.reg .pred p;\\nsetp.ne.b32 p, %%%d, 0;\\n\"\n",
            nc + na + 1);
    str_fmt(&s, "        \"wgmma.mma_async.sync.aligned.m%dn%dk%d%s%s \"\n        \"", q->i->m,
            q->n, q->i->k, types, one && last ? last : "");
    ptx_list(&s, 0, nc);
    str_puts(&s, ", \"\n        \"");
    if (q->ra)
        ptx_list(&s, at, na);
    else
        str_fmt(&s, "%%%d", at);
    str_fmt(&s, ", %%%d, p", at + na);
    immediates(&s, q);
    str_puts(&s, ";\\n}\"\n        : ");
    ptx_operands(&s, "+", k, "c", nc);
    str_puts(&s, "\n        : ");
    if (q->ra)
        ptx_operands(&s, "", 'r', "a", na);
    else
        str_puts(&s, "\"l\"(a)");
    str_puts(&s, ", \"l\"(b), \"r\"((int)accumulate));\n}\n");
    return ptx_done(e, &s);
}

/* ptx_wgmma_hold() of an array, or forget(): what it held is not looked at any more. */
static const char *hold_text(Emit *e, bool forget, enum Dtype dt, int slots)
{
    Str s = {0};
    char k = ptx_constraint(dt);
    int n = slots * dtypeinfo[dt].bits / 32;
    str_puts(&s, forget ? "/* The values of r are of no use any more. */\n"
                        : "/* The values of r are there before this place, and not looked at until "
                          "behind it. */\n");
    str_fmt(&s, PTX_FN "void %s(%s (&r)[%d])\n{\n", forget ? "forget" : "hold", e->d->type(e, dt),
            slots);
    if (dt != DTf32)
        str_puts(&s, "    unsigned *w = (unsigned *)r;\n");
    str_puts(&s, "    asm volatile(\"\" : ");
    ptx_operands(&s, forget ? "=" : "+", k, dt == DTf32 ? "r" : "w", n);
    str_puts(&s, ");\n}\n");
    return ptx_done(e, &s);
}

static const PtxText texts[] = {
    {"wgmma_desc",
     "/* Where an operand stands: address, a step along k (16 bytes each), leading and\n"
     " * stride offset, bytes of the swizzle.  In a cluster the address's high bits are\n"
     " * the block's rank: they are no part of it. */\n"
     PTX_FN "unsigned long long wgmma_desc(unsigned address, unsigned step, unsigned leading,\n"
     "    unsigned stride, unsigned swizzle)\n{\n"
     "    unsigned mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;\n"
     "    unsigned low = ((address & 0x3ffff) >> 4 | (leading >> 4) << 16) + step;\n"
     "    return (unsigned long long)(stride >> 4 | mode << 30) << 32 | low;\n}\n"},
    {"wgmma_fence",
     PTX_FN "void wgmma_fence()\n{\n"
     "    asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\");\n}\n"},
    {"wgmma_commit",
     PTX_FN "void wgmma_commit()\n{\n"
     "    asm volatile(\"wgmma.commit_group.sync.aligned;\" ::: \"memory\");\n}\n"},
    {"wgmma_wait",
     "/* Waits until at most N groups of products are not done yet. */\n"
     "template <int N> " PTX_FN "void wgmma_wait()\n{\n"
     "    asm volatile(\"wgmma.wait_group.sync.aligned %0;\" :: \"n\"(N) : \"memory\");\n}\n"},
};

/* name -> the row, n and form that it was made of. */
static bool ptx_wgmma_parse(Emit *e, const char *name, PtxWgmmaShape *q)
{
    int m, n, k;
    if (sscanf(name, "wgmma_m%dn%dk%d_", &m, &n, &k) != 3)
        return false;
    for (int x = 0; x < e->m->nmma; x++)
        for (int form = 0; form < 8; form++) {
            *q = (PtxWgmmaShape){&e->m->mma[x], n, form & 1, form & 2, form & 4};
            if (q->i->kind == MMAgroup && strcmp(ptx_wgmma_name_of(e, q), name) == 0)
                return true;
        }
    return false;
}

const char *ptx_wgmma_helper(Emit *e, const char *name)
{
    PtxWgmmaShape q;
    int dt, slots;
    bool forget = strncmp(name, "forget_", 7) == 0;
    if (sscanf(name, forget ? "forget_%d_%d" : "hold_%d_%d", &dt, &slots) == 2)
        return hold_text(e, forget, (enum Dtype)dt, slots);
    const char *t = ptx_find(texts, COUNT(texts), name);
    return t || !ptx_wgmma_parse(e, name, &q) ? t : wgmma_text(e, name, &q);
}

/* Descriptors ------------------------------------------------------------ */

static bool is_unrolled(const WgmmaAround *a, uint32_t var)
{
    for (; a; a = a->up)
        for (int v = 0; a->loop->loop.kind == Funroll && v < a->loop->loop.n; v++)
            if (a->loop->loop.var[v] == var)
                return true;
    return false;
}

typedef struct Only Only;
struct Only { const Prog *p; const WgmmaAround *a; };

static bool is_other(void *ud, Ex x)
{
    const Only *o = ud;
    const Expr *k = ex_at(o->p, x);
    return k->op == Xload || k->op == Xcall || (k->op == Xvar && !is_unrolled(o->a, k->sym));
}

/* x where all unrolled variables are 0. */
static Ex first(Prog *p, Ex x, const WgmmaAround *a)
{
    for (; x && a; a = a->up)
        for (int v = 0; a->loop->loop.kind == Funroll && v < a->loop->loop.n; v++) {
            uint32_t var = a->loop->loop.var[v];
            x = x_replace(p, x, var, x_int(p, (enum Dtype)p->var[var].dt, 0));
        }
    return x;
}

static Ex ptx_wgmma_number(Prog *p, int64_t v) { return x_int(p, DTi32, v); }

/* The greatest number that divides k and, whatever the variables are, v. */
static int64_t ptx_wgmma_common(const Prog *p, Ex v, int64_t k)
{
    ExSum s = x_linear(p, v);
    for (int i = 0; i <= s.n; i++)
        for (int64_t a = i < s.n ? s.coef[i] : s.c; a;) {
            int64_t r = k % a;
            k = a;
            a = r;
        }
    return k < 0 ? -k : k;
}

/* v // k or v % k, in the smallest numbers. */
static Ex ptx_wgmma_part(Prog *p, enum Xop op, Ex v, int64_t k)
{
    int64_t g = ptx_wgmma_common(p, v, k);
    v = x_bin(p, op, x_bin(p, Xfdiv, v, ptx_wgmma_number(p, g)), ptx_wgmma_number(p, k / g));
    return op == Xfmod ? x_bin(p, Xmul, v, ptx_wgmma_number(p, g)) : v;
}

/* Offset of an element in bytes, without the XOR: rows of a descriptor start
 * where it changes nothing. */
static Ex ptx_wgmma_offset(Prog *p, uint32_t buf, const Ex *idx)
{
    const Buf *b = &p->buf[buf];
    Ex sum = ptx_wgmma_number(p, 0);
    int64_t bytes = dtypeinfo[b->dt].bits / 8;
    if (!b->map) {
        for (int d = 0; d < b->ndim; d++) {
            sum = x_bin(p, Xmul, sum, b->shape[d]);
            sum = x_bin(p, Xadd, sum, x_bin(p, Xmul, idx[d], ptx_wgmma_number(p, bytes)));
        }
        return sum;
    }
    for (int i = 0; i < b->map->n; i++) {
        const Mode *g = &b->map->d[i];
        Ex v = idx[g->dim];
        if (g->weight > 1)
            v = ptx_wgmma_part(p, Xfdiv, v, g->weight);
        if ((int64_t)g->weight * g->extent < b->map->extent[g->dim])
            v = ptx_wgmma_part(p, Xfmod, v, g->extent);
        sum = x_bin(p, Xadd, sum, x_bin(p, Xmul, v, ptx_wgmma_number(p, g->stride * bytes)));
    }
    return sum;
}

/* How far, in units of 16 bytes, the region's start is from where it would be with all
 * unrolled variables 0, which *base becomes.  0: it cannot be said apart. */
static Ex ptx_wgmma_step(Emit *e, const Stmt *s, const Region *r, Region *base)
{
    Prog *p = e->p;
    const WgmmaAround *around = wgmma_fact(e, s)->around;
    int n = p->buf[r->buf].ndim;
    *base = *r;
    for (int d = 0; d < n; d++)
        base->min[d] = first(p, r->min[d], around);
    Ex x =
        x_bin(p, Xsub, ptx_wgmma_offset(p, r->buf, r->min), ptx_wgmma_offset(p, r->buf, base->min));
    if (!ex_any(p, x, is_other, &(Only){p, around}))
        return x_bin(p, Xfdiv, x, ptx_wgmma_number(p, 16));
    *base = *r;
    return 0;
}

/* "wgmma_desc(..)" of the shared operand `which`, whose attributes start at `at`. */
static const char *ptx_wgmma_descriptor(Emit *e, const Stmt *s, int which, int at)
{
    enum { Lbo = 1, Sbo, Swizzle };
    const int32_t *a = &s->op.attr[at];
    Region base;
    Ex k = ptx_wgmma_step(e, s, &s->op.r[which], &base);
    return afmt(&e->p->ctx, "%s(%s, %s, %d, %d, %d)", emit_need(e, "wgmma_desc"),
                emit_shared(e, &base), k ? emit_top(e, k) : "0", a[Lbo], a[Sbo], a[Swizzle]);
}

void ptx_wgmma(Emit *e, const Stmt *s)
{
    const Region *r = s->op.r;
    const int32_t *a = s->op.attr;
    PtxWgmmaShape q = {.i = mma_find(s->op.text),
                       .n = a[N],
                       .ra = e->p->buf[r[0].buf].scope == SClocal,
                       .tb = a[Btnsp]};
    q.ta = !q.ra && a[Atnsp];
    const char *left = q.ra ? ptx_words(e, &r[0]) : ptx_wgmma_descriptor(e, s, 0, Atnsp);
    const char *c = q.i->c == DTf16 ? ptx_words(e, &r[2]) : emit_regs(e, &r[2]);
    const char *name = emit_need(e, ptx_wgmma_name_of(e, &q));
    const char *right = ptx_wgmma_descriptor(e, s, 1, Btnsp);
    int64_t v;
    const char *scale = !x_isint(e->p, s->op.value, &v) ? emit_top(e, s->op.value)
                        : v                             ? "true"
                                                        : "false";
    emit_line(e, "%s(%s,", name, c);
    emit_line(e, "    %s,", left);
    emit_line(e, "    %s, %s);", right, scale);
}

/* Who holds what --------------------------------------------------------- */

static bool ptx_wgmma_is_op(const Stmt *s, enum Op op) { return s->kind == Sop && s->op.op == op; }

static void ptx_wgmma_hold(Emit *e, const Held *h)
{
    for (uint32_t i = 0; i < h->n; i++) {
        const Buf *b = &e->p->buf[h->at[i].buf];
        int64_t slots = 0;
        x_isint(e->p, b->shape[0], &slots);
        if (slots * dtypeinfo[b->dt].bits % 32)
            continue;
        int dt = b->dt == DTtf32 ? DTf32 : b->dt; /* float, both of them */
        const char *name = h->at[i].fresh ? "forget" : "hold";
        emit_need(e, afmt(&e->p->ctx, "%s_%d_%d", name, dt, (int)slots));
        emit_line(e, "%s(%s);", name, emit_bufname(e, h->at[i].buf));
    }
}

/* Does the product, with those in the unrolled loops around it, overwrite all of
 * its accumulators?  It does when their first step does, scale-d being 0 there,
 * and when its slots times the trips of the loops that move them are all there are. */
static bool overwrites(Emit *e, const Stmt *s)
{
    Prog *p = e->p;
    const Region *c = &s->op.r[2];
    const WgmmaAround *around = wgmma_fact(e, s)->around;
    int64_t v = 1, n = 0, all = 0;
    if (p->buf[c->buf].base || !x_isint(p, c->extent[0], &n) ||
        !x_isint(p, p->buf[c->buf].shape[0], &all))
        return false;
    for (const WgmmaAround *a = around; a; a = a->up)
        for (int i = 0; a->loop->loop.kind == Funroll && i < a->loop->loop.n; i++) {
            uint32_t k = a->loop->loop.var[i];
            if (x_uses(p, c->min[0], k))
                n *= p->var[k].hi - p->var[k].lo + 1;
        }
    return x_isint(p, first(p, s->op.value, around), &v) && v == 0 && n == all;
}

/* Registers of the products from s on up to their commit. */
static bool issued(Emit *e, const Stmt *s, Held *h)
{
    for (; s; s = s->next) {
        Stmt *inner[2];
        if (ptx_wgmma_is_op(s, Owgmma_commit) || ptx_wgmma_is_op(s, Owgmma_wait))
            return true;
        if (ptx_wgmma_is_op(s, Owgmma)) {
            if (e->p->buf[s->op.r[0].buf].scope == SClocal)
                held_add(e->p, h, buf_root(e->p, s->op.r[0].buf), false);
            held_add(e->p, h, buf_root(e->p, s->op.r[2].buf), overwrites(e, s));
        }
        for (int i = 0, n = stmt_blocks(s, inner); i < n; i++)
            if (issued(e, inner[i], h))
                return true;
    }
    return false;
}

void ptx_wgmma_commit(Emit *e, const Stmt *s)
{
    (void)s;
    emit_line(e, "%s();", emit_need(e, "wgmma_commit"));
}

/* Accumulators in flight were not touched since their last product: where a loop
 * begins with some, what it enters with stands in them already. */
void ptx_wgmma_fence(Emit *e, const Stmt *s)
{
    Held h = {0}, rest = {0};
    const Held *busy = &wgmma_fact(e, s)->held;
    issued(e, s->next, &h);
    for (uint32_t i = 0; i < h.n; i++)
        if (!held_has(busy, h.at[i].buf))
            held_add(e->p, &rest, h.at[i].buf, h.at[i].fresh);
    ptx_wgmma_hold(e, &rest);
    emit_line(e, "%s();", emit_need(e, "wgmma_fence"));
}

void ptx_wgmma_wait(Emit *e, const Stmt *s)
{
    emit_line(e, "%s<%d>();", emit_need(e, "wgmma_wait"), s->op.attr[0]);
    ptx_wgmma_hold(e, &wgmma_fact(e, s)->held);
}
