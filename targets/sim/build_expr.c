/* targets/sim/build_expr.c: expressions.
 *
 * Equal trees have equal handles, so a value is looked up by its handle.  Pure
 * ones live as long as the scope whose head computes them, others as long as
 * the statement. */
#include <string.h>

#include "build.h"
#include "run.h"


/* What is known ------------------------------------------------------------ */

void b_infos(Build *b)
{
    uint32_t n = b->p->nex + 1;
    agrow(b->c, &b->info, &b->capinfo, n, sizeof *b->info);
    if (b->capval < b->capinfo) {
        uint32_t cap = b->capval;
        agrow(b->c, &b->has, &cap, b->capinfo, sizeof *b->has);
        cap = b->capval;
        agrow(b->c, &b->val, &cap, b->capinfo, sizeof *b->val);
        b->capval = b->capinfo < cap ? b->capinfo : cap;
    }
}

static ExInfo var_info(Build *b, uint32_t v)
{
    ExInfo k = {XIseen | XIfree, b->varlevel[v]};
    switch (b->varkind[v]) {
    case VKalias: return b_info(b, b->p->var[v].value);
    case VKunrolled: k.bits = XIseen; return k;
    case VKvector: k.bits |= XIvector; break;
    case VKthread: k.bits |= XIthread; break;
    default: break;
    }
    if (k.level == InPlace)
        k.bits |= XIimpure;
    return k;
}

static uint8_t call_bits(const Expr *x)
{
    if (intrinfo[x->sym].level != 'T')
        return 0;
    bool place = x->sym == Ilane_idx || x->sym == Iwarp_idx || x->sym == Iwarp_group_idx;
    return place ? XIthread : XIthread | XIimpure;
}

static bool isfloat(enum Dtype dt) { return dtypeinfo[dt].cls == 'F'; }

/* What a divisor may be zero by; a dimension of 0 leaves nothing to compute. */
static bool may_be_zero(void *ud, Ex e)
{
    const Prog *p = ((const Build *)ud)->p;
    const Expr *x = ex_at(p, e);
    return x->op == Xload || x->op == Xcall || (x->op == Xvar && p->var[x->sym].kind != Vdim);
}

/* Registers of which some hold no element. */
static bool sb_expr_in_part(void *ud, Ex e)
{
    Build *b = ud;
    const Expr *x = ex_at(b->p, e);
    return x->op == Xload && b_isregister(b, x->sym) && b->p->buf[x->sym].scope == SCfragment &&
           b_parted(b, x->sym);
}

/* Is x a division of integers by what may be zero, and means an element of the program? */
static bool sb_expr_divides(Build *b, const Expr *x)
{
    int64_t lo, hi;
    if ((x->op != Xfdiv && x->op != Xfmod && x->op != Xtdiv && x->op != Xtmod) ||
        isfloat((enum Dtype)x->dt) ||
        (x_range(b->p, x->arg[1], &lo, &hi) && (lo > 0 || hi < 0)))
        return false;
    return ex_any_let(b->p, x->arg[1], may_be_zero, b) &&
           !padding_read(b->p, &b->padding, x->arg[1]) &&
           !ex_any_let(b->p, x->arg[1], sb_expr_in_part, b);
}

static bool is_quotient(void *ud, Ex e)
{
    Build *b = ud;
    Expr x = *ex_at(b->p, e);
    return sb_expr_divides(b, &x);
}

bool b_divides(Build *b, Ex e) { return ex_any(b->p, e, is_quotient, b); }

/* From the variables that it mentions; loads and thread intrinsics are impure,
 * and what comes of them may differ between threads. */
ExInfo b_info(Build *b, Ex e)
{
    if (e >= b->capval)
        b_infos(b);
    if (b->info[e].bits)
        return b->info[e];
    Expr x = *ex_at(b->p, e);
    ExInfo k = {XIseen, 0};
    if (x.op == Xvar)
        k = var_info(b, x.sym);
    else if (x.op == Xcall)
        k.bits |= call_bits(&x) | XIfree;
    else if (x.op == Xbits || x.op == Xfloat)
        k.bits |= XIfree;
    else if (x.op == Xload)
        k.bits |= XIimpure | (b_isregister(b, x.sym) && !(b->p->buf[x.sym].scope == SCvar &&
                                                          !b->lane[x.sym])
                                  ? XIthread
                                  : 0);
    for (int i = 0; i < x.n; i++) {
        ExInfo a = b_info(b, x.arg[i]);
        k.bits |= a.bits;
        k.level = a.level > k.level ? a.level : k.level;
    }
    if (sb_expr_divides(b, &x))
        k.bits |= XIimpure;
    b->info[e] = k;
    return k;
}

bool b_number(Build *b, Ex e, int64_t *v)
{
    if (x_isint(b->p, e, v))
        return true;
    return !(b_info(b, e).bits & (XIfree | XIimpure | XIthread | XIvector)) &&
           x_eval(b->p, e, b->env, v);
}

static enum Shape sb_expr_shape_of(uint8_t bits)
{
    return bits & XIvector ? SHw : bits & XIthread ? SHt : SHu;
}

static enum Shape b_shape(Build *b, Ex e) { return sb_expr_shape_of(b_info(b, e).bits); }

static enum Shape wider(Val a, Val b) { return (enum Shape)(a.shape > b.shape ? a.shape : b.shape); }

/* Making values ------------------------------------------------------------ */

static Val sb_expr_result(Build *b, enum Dtype dt, enum Shape sh)
{
    return sh == SHu ? b_reg(b, dt) : b_rows(b, dt, sh);
}

Val b_const(Build *b, enum Dtype dt, int64_t i, double f)
{
    Reg s = {.l = 0};
    enum ValueClass c = value_class(dt);
    switch (c) {
    case VCf: s.f = (float)f; break;
    case VCd: s.d = f; break;
    case VCi: s.i = (int32_t)i; break;
    default: s.l = i; break;
    }
    for (uint32_t k = 0; k < b->nconst; k++)
        if (b->consts[k].v.dt == dt && b->consts[k].bits == s.l)
            return b->consts[k].v;
    List *out = b->out;
    b->out = &b->scope[0]->head;
    BuildNode *n = b_emit(b, run_const);
    b->out = out;
    n->i.d = b_reg(b, dt);
    n->i.k = s.l;
    agrow(b->c, &b->consts, &b->capconst, b->nconst + 1, sizeof *b->consts);
    b->consts[b->nconst].v = n->i.d;
    b->consts[b->nconst++].bits = s.l;
    return n->i.d;
}

static Val b_unary(Build *b, Kern *k, Val a, enum Dtype dt)
{
    Val d = sb_expr_result(b, dt, (enum Shape)a.shape);
    BuildNode *n = b_emit(b, run_kern);
    n->i.kern = k;
    n->i.d = d;
    n->i.a = a;
    return d;
}

/* A uniform value in every lane. */
Val b_lanes(Build *b, Val v, enum Shape sh)
{
    if (v.shape != SHu || sh == SHu)
        return v;
    Val d = b_rows(b, (enum Dtype)v.dt, sh);
    BuildNode *n = b_emit(b, run_kern);
    n->i.kern = b->sp->kern->fill[class_bytes((enum ValueClass)v.cls) == 8];
    n->i.d = d;
    n->i.a = v;
    return d;
}

/* Values are kept rounded to their type. */
static Val round_to_type(Build *b, Val v)
{
    Kern *k = b->sp->kern->round[v.dt] ? b->sp->kern->round[v.dt] : b->sp->kern->wrap[v.dt];
    if (!k)
        return v;
    BuildNode *n = b_emit(b, run_kern); /* in place */
    n->i.kern = k;
    n->i.d = n->i.a = v;
    return v;
}

static Val sb_expr_binary(Build *b, enum Xop op, Val x, Val y, enum Dtype dt)
{
    enum KernClass c = kern_class((enum Dtype)x.dt);
    Val d = sb_expr_result(b, dt, wider(x, y));
    enum KernForm f = d.shape == SHu || (x.shape != SHu && y.shape != SHu) ? KFvv
                      : x.shape == SHu                                     ? KFsv
                                                                           : KFvs;
    BuildNode *n = b_emit(b, run_kern);
    n->i.kern = b->sp->kern->bin[op][c][f];
    n->i.d = d;
    n->i.a = x;
    n->i.b = y;
    if (!n->i.kern)
        diag_fail(b->c, E_bug, b->here, "the simulator has no such operation", NULL);
    return d;
}

/* Conversions --------------------------------------------------------------- */

/* Whether every value of `from` is one of `to`, both floats of at most 32 bits. */
static bool sb_expr_fits_float(enum Dtype to, enum Dtype from)
{
    if (to == from || to == DTf32)
        return true;
    if (from == DTe4m3 || from == DTe5m2)
        return to == DTf16 || to == DTbf16 || to == DTtf32;
    return to == DTtf32 && (from == DTf16 || from == DTbf16);
}

static Val as_float(Build *b, Val a, enum Dtype to)
{
    const KernTable *k = b->sp->kern;
    enum Dtype from = (enum Dtype)a.dt;
    enum KernClass c = kern_class(from);
    if (to == DTf32 || to == DTf64) {
        if (c == KCf && to == DTf32)
            return a;
        return b_unary(b, k->conv[c][to == DTf64 ? KCd : KCf], a, to);
    }
    if (c == KCf && sb_expr_fits_float(to, from))
        return a;
    return round_to_type(b, b_unary(b, k->odd[c], a, to)); /* odd: the second rounding is exact */
}

static Val as_int(Build *b, Val a, enum Dtype to)
{
    const KernTable *k = b->sp->kern;
    enum Dtype from = (enum Dtype)a.dt;
    enum KernClass c = kern_class(from);
    int bits = dtypeinfo[to].bits;
    bool sign = dtypeinfo[to].cls == 'I';
    if (!isfloat(from)) {
        Val v = c == kern_class(to) && value_class(from) == value_class(to)
                    ? a
                    : b_unary(b, k->conv[c][kern_class(to)], a, to);
        if (!k->wrap[to])
            return v;
        int f = from == DTbool ? 1 : dtypeinfo[from].bits;
        bool signs = dtypeinfo[from].cls == 'I';
        if (f < bits ? !signs || sign : f == bits && signs == sign)
            return v;
        return b_unary(b, k->wrap[to], v, to);
    }
    if (bits >= 32)
        return b_unary(b, k->conv[c][kern_class(to)], a, to);
    a = b_unary(b, k->conv[c][kern_class(sign ? DTi32 : DTu32)], a, sign ? DTi32 : DTu32);
    return b_unary(b, k->wrap[to], a, to); /* the last bits of it */
}

Val b_cast(Build *b, Val a, enum Dtype to)
{
    if (a.dt != to) {
        if (to == DTbool)
            a = b_unary(b, b->sp->kern->truth[kern_class((enum Dtype)a.dt)], a, DTbool);
        else
            a = isfloat(to) ? as_float(b, a, to) : as_int(b, a, to);
        a.dt = to;
    }
    return a;
}

static enum Dtype sb_expr_bits_type(enum Dtype dt)
{
    int n = dtypeinfo[dt].bits;
    return n == 4 ? DTu4 : n == 8 ? DTu8 : n == 16 ? DTu16 : n == 32 ? DTu32 : DTu64;
}

Val b_reinterpret(Build *b, Val a, enum Dtype to)
{
    const KernTable *k = b->sp->kern;
    if (isfloat((enum Dtype)a.dt))
        a = b_unary(b, k->pack[a.dt], a, sb_expr_bits_type((enum Dtype)a.dt));
    if (isfloat(to))
        return b_unary(b, k->unpack[to], a, to);
    if (k->wrap[to])
        return b_unary(b, k->wrap[to], a, to);
    a.dt = to;
    return a;
}

/* Sums ---------------------------------------------------------------------- */

/* s, of one term at least. */
static Val sum_value(Build *b, enum Dtype dt, const ExSum *s)
{
    Lin *l = anew(b->c, sizeof *l + (size_t)s->n * sizeof *l->term);
    enum Shape sh = SHu;
    l->c = s->c;
    for (int i = 0; i < s->n; i++) {
        Val v = b_ex(b, s->atom[i]);
        sh = v.shape > sh ? (enum Shape)v.shape : sh;
        l->term[l->n].v = v;
        l->term[l->n++].k = s->coef[i];
    }
    Val d = sb_expr_result(b, dt, sh);
    BuildNode *node = b_emit(b, sh == SHu ? run_lin : run_lint);
    node->i.d = d;
    node->i.x = l;
    return round_to_type(b, d);
}

static bool sb_expr_sum(Build *b, Ex e, const Expr *x, Val *out)
{
    if (isfloat((enum Dtype)x->dt) || (x->op != Xadd && x->op != Xsub && x->op != Xmul))
        return false;
    ExSum s = x_linear(b->p, e);
    if (s.n < 1 || (s.n == 1 && (s.atom[0] == e || s.c == 0)))
        return false;
    for (int i = 0; i < s.n; i++)
        if (value_class(ex_type(b->p, s.atom[i])) != value_class((enum Dtype)x->dt))
            return false;
    *out = sum_value(b, (enum Dtype)x->dt, &s);
    return true;
}

/* x // c and x % c by powers of two. */
static bool power(Build *b, const Expr *x, Val *out)
{
    int64_t c;
    if ((x->op != Xfdiv && x->op != Xfmod) || isfloat((enum Dtype)x->dt) ||
        !x_isint(b->p, x->arg[1], &c) || c <= 0 || (c & (c - 1)))
        return false;
    bool div = x->op == Xfdiv;
    Val a = b_ex(b, x->arg[0]);
    Val k = b_const(b, (enum Dtype)x->dt, div ? __builtin_ctzll((uint64_t)c) : c - 1, 0);
    *out = sb_expr_binary(b, div ? Xshr : Xband, a, k, (enum Dtype)x->dt);
    return true;
}

/* Contraction --------------------------------------------------------------- */

/* e is a product of dt: its factors. */
static bool product_of(Build *b, Ex e, enum Dtype dt, Val *x, Val *y)
{
    Expr k = *ex_at(b->p, e);
    if (k.op != Xmul || k.dt != dt)
        return false;
    *x = b_ex(b, k.arg[0]);
    *y = b_ex(b, k.arg[1]);
    return true;
}

/* x * y + z and the like as the compiler of the machine's text makes it: one FMA; of two
 * products the left one goes into it, the other is rounded. */
static bool contracted(Build *b, const Expr *e, Val *out)
{
    enum Dtype dt = (enum Dtype)e->dt;
    const KernTable *k = b->sp->kern;
    Val x, y;
    if (!b->sp->exact || !b->m->contracts || (dt != DTf32 && dt != DTf64) ||
        (e->op != Xadd && e->op != Xsub))
        return false;
    bool left = product_of(b, e->arg[0], dt, &x, &y);
    if (!left && !product_of(b, e->arg[1], dt, &x, &y))
        return false;
    Val z = b_ex(b, e->arg[left]);
    enum Shape sh = wider(x, y);
    sh = z.shape > sh ? (enum Shape)z.shape : sh;
    Kern *const *f = e->op == Xadd ? k->fma : left ? k->fms : k->fnma;
    x = b_lanes(b, x, sh);
    y = b_lanes(b, y, sh);
    z = b_lanes(b, z, sh);
    *out = sb_expr_result(b, dt, sh);
    BuildNode *n = b_emit(b, run_kern);
    n->i.kern = f[dt == DTf64];
    n->i.d = *out;
    n->i.a = x;
    n->i.b = y;
    n->i.c = z;
    return true;
}

/* Choices ------------------------------------------------------------------- */

/* Forgets what was computed in one arm only. */
static void forget_computed(Build *b, uint32_t mark)
{
    for (uint32_t i = mark; i < b->stmt.nex; i++)
        b->has[b->stmt.ex[i]] = false;
    b->stmt.nex = mark;
}

/* d = a where the lanes of this level are on. */
static void sb_expr_assign(Build *b, Val d, Val a)
{
    BuildNode *n = b_emit(b, run_assign);
    n->i.d = d;
    n->i.a = b_lanes(b, a, SHu);
}

static Val arm(Build *b, Ex e, enum Dtype dt)
{
    return b_cast(b, b_ex(b, e), dt);
}

/* Only the chosen side is evaluated; els 0: false. */
static Val build_select(Build *b, Ex cond, Ex then, Ex els, enum Dtype dt, enum Shape sh)
{
    Val c = b_ex(b, cond), d = sb_expr_result(b, dt, sh);
    BuildNode *other = b_label(b), *end = b_label(b);
    uint32_t mark = b->stmt.nex;
    bool lanes = c.shape != SHu;
    BuildNode *n = b_emit(b, lanes ? run_if : run_jz);
    n->i.a = c;
    n->to = other;
    b->level += lanes;
    sb_expr_assign(b, d, arm(b, then, dt));
    forget_computed(b, mark);
    b->level -= lanes;
    if (!lanes)
        b_emit(b, run_jump)->to = end;
    b_place(b, other);
    if (lanes) {
        n = b_emit(b, run_else);
        n->to = end;
    }
    b->level += lanes;
    sb_expr_assign(b, d, els ? arm(b, els, dt) : b_const(b, dt, 0, 0));
    forget_computed(b, mark);
    b->level -= lanes;
    b_place(b, end);
    return d;
}

/* Must e wait until it is known that cond takes it?  Not where the elements of a vector differ
 * in cond: such loops are run at once only if nothing is read or called (build_vector.c),
 * and what is left are names of values. */
static bool sb_expr_waits(Build *b, Ex cond, Ex e)
{
    return (b_info(b, e).bits & XIimpure) && b_shape(b, cond) != SHw;
}

static Val sb_expr_logic(Build *b, Ex e, const Expr *x)
{
    if (!sb_expr_waits(b, x->arg[0], x->arg[1]))
        return sb_expr_binary(b, (enum Xop)x->op, b_ex(b, x->arg[0]), b_ex(b, x->arg[1]), DTbool);
    enum Shape sh = b_shape(b, e);
    if (x->op == Xand)
        return build_select(b, x->arg[0], x->arg[1], 0, DTbool, sh);
    return build_select(b, x->arg[0], x_int(b->p, DTbool, 1), x->arg[1], DTbool, sh);
}

static Val select(Build *b, Ex e, const Expr *x)
{
    enum Shape sh = b_shape(b, e);
    enum Dtype dt = (enum Dtype)x->dt;
    if (sb_expr_waits(b, x->arg[0], x->arg[1]) || sb_expr_waits(b, x->arg[0], x->arg[2]))
        return build_select(b, x->arg[0], x->arg[1], x->arg[2], dt, sh);
    Val c = b_lanes(b, b_ex(b, x->arg[0]), sh), y = b_lanes(b, b_ex(b, x->arg[1]), sh);
    Val z = b_lanes(b, b_ex(b, x->arg[2]), sh), d = sb_expr_result(b, dt, sh);
    BuildNode *n = b_emit(b, run_kern);
    n->i.kern = b->sp->kern->select[class_bytes(value_class(dt)) == 8];
    n->i.d = d;
    n->i.a = c;
    n->i.b = y;
    n->i.c = z;
    return d;
}

/* Functions ----------------------------------------------------------------- */

static Val sb_expr_counted(Build *b, const Expr *x)
{
    enum Dtype dt = (enum Dtype)x->dt;
    int bits = dtypeinfo[dt].bits;
    Val a = b_ex(b, x->arg[0]);
    Kern *mask = b->sp->kern->wrap[sb_expr_bits_type(dt)];
    if (mask)
        a = b_unary(b, mask, a, dt);
    a = b_unary(b, b->sp->kern->call1[x->sym][kern_class(dt)], a, dt);
    if (x->sym == Iclz && bits < 32)
        a = sb_expr_binary(b, Xsub, a, b_const(b, dt, 32 - bits, 0), dt);
    return a;
}

/* Directed rounding: the last argument is the mode. */
static Val sb_expr_ieee(Build *b, Ex e, const Expr *x)
{
    enum Shape sh = b_shape(b, e);
    enum Dtype dt = (enum Dtype)x->dt;
    Ieee *k = anew(b->c, sizeof *k);
    k->fn = (uint8_t)x->sym;
    k->n = (uint8_t)(x->n - 1);
    k->wide = value_class(dt) == VCd;
    for (int i = 0; i < x->n; i++)
        k->arg[i] = b_lanes(b, b_ex(b, x->arg[i]), sh);
    Val d = sb_expr_result(b, dt, sh);
    BuildNode *n = b_emit(b, run_ieee);
    n->i.d = d;
    n->i.x = k;
    return round_to_type(b, d);
}

/* The fast tangent of NVIDIA's cards is a quotient of fast functions; the texts of MetaX and AMD
 * have the exact one. */
static int function_of(const Build *b, int sym)
{
    const char *family = b->m->family;
    bool exact = strcmp(family, "metax") == 0 || strcmp(family, "amd") == 0;
    return sym == Ifast_tan && exact ? Itan : sym;
}

static Val build_call(Build *b, Ex e, const Expr *x)
{
    enum Dtype dt = (enum Dtype)x->dt;
    const KernTable *k = b->sp->kern;
    if (intrinfo[x->sym].level == 'T')
        return b_threadcall(b, e);
    if (x->sym >= Iieee_add && x->sym <= Iieee_fsqrt)
        return sb_expr_ieee(b, e, x);
    if (x->sym == Iclz || x->sym == Ipopcount)
        return sb_expr_counted(b, x);
    Val a = b_ex(b, x->arg[0]);
    if (x->n == 1) {
        Val d = b_unary(b, k->call1[function_of(b, x->sym)][kern_class((enum Dtype)a.dt)], a,
                        dt);
        return dt == DTbool ? d : round_to_type(b, d);
    }
    Val y = b_ex(b, x->arg[1]);
    enum Shape sh = wider(a, y);
    a = b_lanes(b, a, sh);
    y = b_lanes(b, y, sh);
    Val d = sb_expr_result(b, dt, sh);
    BuildNode *n = b_emit(b, run_kern);
    n->i.kern = k->call2[x->sym][kern_class(dt)];
    n->i.d = d;
    n->i.a = a;
    n->i.b = y;
    return round_to_type(b, d);
}

/* ---------------------------------------------------------------------- */

/* The element of the vector loop: 0, 1, .. in wide registers. */
static Val vector_index(Build *b, enum Dtype dt)
{
    Val d = b_rows(b, dt, SHw);
    BuildNode *n = b_emit(b, run_iota);
    n->i.d = d;
    return d;
}

/* x, a division whose divisor is tested where the lanes are on. */
static Val sb_expr_quotient(Build *b, const Expr *x, Val by)
{
    BuildNode *n = b_emit(b, run_divisor);
    n->i.a = by;
    n->i.site = b_site(b, b->here, 0, x->op == Xfdiv || x->op == Xtdiv ? "//" : "%");
    return round_to_type(
        b, sb_expr_binary(b, (enum Xop)x->op, b_ex(b, x->arg[0]), by, (enum Dtype)x->dt));
}

static Val sb_expr_compute(Build *b, Ex e)
{
    Expr x = *ex_at(b->p, e);
    enum Dtype dt = (enum Dtype)x.dt;
    Val v;
    int64_t known;
    if (dtypeinfo[dt].cls != 'F' && b_number(b, e, &known))
        return b_const(b, dt, known, 0);
    switch (x.op) {
    case Xint: return b_const(b, dt, x.i, 0);
    case Xfloat: return b_const(b, dt, 0, x.f);
    case Xvar:
        if (b->varkind[x.sym] == VKalias)
            return b_cast(b, b_ex(b, b->p->var[x.sym].value), dt);
        if (b->varkind[x.sym] == VKvector)
            return vector_index(b, dt);
        if (b->varkind[x.sym] == VKnone)
            diag_fail(b->c, E_bug, b->here, "a variable without a value", NULL);
        if (b->shuffled[x.sym].l && !b->moving)
            b_given(b, &b->shuffled[x.sym]);
        return b->var[x.sym];
    case Xadd: case Xsub: case Xmul: case Xdiv: case Xfdiv: case Xfmod: case Xtdiv: case Xtmod:
        if (sb_expr_sum(b, e, &x, &v) || power(b, &x, &v) || contracted(b, &x, &v))
            return v;
        if (sb_expr_divides(b, &x))
            return sb_expr_quotient(b, &x, b_ex(b, x.arg[1]));
        return round_to_type(
            b, sb_expr_binary(b, (enum Xop)x.op, b_ex(b, x.arg[0]), b_ex(b, x.arg[1]), dt));
    case Xmin: case Xmax: case Xlt: case Xle: case Xeq: case Xne:
    case Xband: case Xbor: case Xbxor:
        return sb_expr_binary(b, (enum Xop)x.op, b_ex(b, x.arg[0]), b_ex(b, x.arg[1]), dt);
    case Xand: case Xor: return sb_expr_logic(b, e, &x);
    case Xnot: return b_unary(b, b->sp->kern->not_, b_ex(b, x.arg[0]), dt);
    case Xbnot:
        return round_to_type(b, b_unary(b, b->sp->kern->bnot[value_class(dt) == VCl],
                                        b_ex(b, x.arg[0]), dt));
    case Xshl: case Xshr: {
        Val a = b_ex(b, x.arg[0]), n = b_ex(b, x.arg[1]);
        if (n.cls != a.cls)
            n = b_unary(b, b->sp->kern->conv[kern_class((enum Dtype)n.dt)]
                                            [kern_class((enum Dtype)a.dt)], n, dt);
        v = sb_expr_binary(b, (enum Xop)x.op, a, n, dt);
        return x.op == Xshl ? round_to_type(b, v) : v;
    }
    case Xselect: return select(b, e, &x);
    case Xcast: return b_cast(b, b_ex(b, x.arg[0]), dt);
    case Xbits: return b_reinterpret(b, b_ex(b, x.arg[0]), dt);
    case Xload: return b_load(b, e);
    case Xcall: return build_call(b, e, &x);
    default: diag_fail(b->c, E_bug, b->here, "an unknown expression", NULL);
    }
}

/* Where e's value is, computed in its place the first time. */
Val b_ex(Build *b, Ex e)
{
    ExInfo k = b_info(b, e);
    if (b->has[e])
        return b->val[e];
    List *out = b->out;
    Life *life = b->life;
    if (k.bits & XIimpure) {
        b->life = &b->stmt;
    } else {
        int level = k.level < b->nscope ? k.level : b->nscope - 1;
        b->out = &b->scope[level]->head;
        b->life = &b->scope[level]->life;
    }
    Val v = sb_expr_compute(b, e);
    Life *own = b->life;
    b->out = out;
    b->life = life;
    agrow(b->c, &own->ex, &own->capex, own->nex + 1, sizeof *own->ex);
    own->ex[own->nex++] = e;
    b->val[e] = v;
    b->has[e] = true;
    return v;
}
