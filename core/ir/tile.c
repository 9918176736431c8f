/* core/ir/tile.c: tile operations: regions, their extents, and what each
 * operation asks of its operands (TileLang's rules, with errors where TileLang
 * guesses). */
#include <string.h>

#include "reduce.h"
#include "tile.h"
#include "err/kernel.h"

#define NUM(i) afmt(&p->ctx, "%lld", (long long)(i))

enum { OperandA, OperandB, OperandC };

Region r_whole(Prog *p, uint32_t buf)
{
    Region r = {.buf = buf};
    const Buf *b = &p->buf[buf];
    for (int i = 0; i < b->ndim; i++)
        r.extent[i] = b->shape[i];
    for (int i = 0; i < p->buf[buf].ndim; i++)
        r.min[i] = x_int(p, DTi32, 0);
    return r;
}

int tile_rank(const Prog *p, const Region *r) { return p->buf[r->buf].ndim; }
const char *tile_name(const Prog *p, const Region *r) { return p->buf[r->buf].name; }

const char *tile_extents(Prog *p, const Region *r)
{
    Str s = {0};
    int n = tile_rank(p, r);
    str_puts(&s, "(");
    for (int i = 0; i < n; i++) {
        if (i)
            str_puts(&s, ", ");
        ex_print(p, r->extent[i], &s);
    }
    str_puts(&s, n == 1 ? ",)" : ")");
    const char *t = s.s ? astr(&p->ctx, s.s, s.n) : "";
    str_free(&s);
    return t;
}

static bool isone(const Prog *p, Ex e)
{
    int64_t v;
    return x_isint(p, e, &v) && v == 1;
}

/* Extents that are not 1, in order. */
static int tile_squeeze(const Prog *p, const Region *r, Ex *out)
{
    int n = 0;
    for (int i = 0; i < tile_rank(p, r); i++)
        if (!isone(p, r->extent[i]))
            out[n++] = r->extent[i];
    return n;
}

bool tile_matches(const Prog *p, const Region *a, const Region *b)
{
    Ex x[MaxDim], y[MaxDim];
    int n = tile_squeeze(p, a, x);
    return n == tile_squeeze(p, b, y) && memcmp(x, y, (size_t)n * sizeof *x) == 0;
}

/* Gives `to`, an origin, the extents of `from`, aligned from the last. */
static void align(Prog *p, Region *to, const Region *from)
{
    int nt = tile_rank(p, to), nf = tile_rank(p, from);
    for (int i = nt - 1, j = nf - 1; i >= 0; i--, j--)
        to->extent[i] = j >= 0 ? from->extent[j] : x_int(p, DTi32, 1);
    for (int j = nf - nt - 1; j >= 0; j--)
        if (!isone(p, from->extent[j]))
            diag_fail(&p->ctx, E_copy_rank, p->here, tile_name(p, from), tile_extents(p, from),
                      tile_name(p, to), NUM(nt), NULL);
}

/* Dimension i of r has extent v, which is none. */
static NORETURN void tile_empty(Prog *p, const Region *r, int i, int64_t v)
{
    Str lo = {0}, hi = {0};
    ex_print(p, r->min[i], &lo);
    ex_print(p, x_bin(p, Xadd, r->min[i], r->extent[i]), &hi);
    const char *from = astr(&p->ctx, lo.s ? lo.s : "", lo.n), *to = astr(&p->ctx, hi.s ? hi.s : "", hi.n);
    str_free(&lo);
    str_free(&hi);
    diag_fail(&p->ctx, E_extent_value, p->here, tile_name(p, r), NUM(i), from, to, v < 0 ? "1" : "0",
              NULL);
}

static void not_empty(Prog *p, const Region *r)
{
    int64_t v;
    for (int i = 0; i < tile_rank(p, r); i++)
        if (x_isint(p, r->extent[i], &v) && v < 1)
            tile_empty(p, r, i, v);
}

void r_infer(Prog *p, Region *a, bool aorigin, Region *b, bool borigin)
{
    if (!aorigin)
        not_empty(p, a);
    if (!borigin)
        not_empty(p, b);
    if (aorigin && !borigin)
        align(p, a, b);
    else if (borigin && !aorigin)
        align(p, b, a);
    else if (aorigin && borigin)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < tile_rank(p, k ? b : a); i++)
                (k ? b : a)->extent[i] = x_int(p, DTi32, 1);
    if (!tile_matches(p, a, b))
        diag_fail(&p->ctx, E_copy_extent, p->here, tile_name(p, a), tile_extents(p, a),
                  tile_name(p, b), tile_extents(p, b), NULL);
}

/* What lies below 0 in a dimension as a whole counts from the end there; a halo, which
 * reaches into the buffer, does not. */
void r_from_end(Prog *p, Region *r)
{
    int64_t lo, hi;
    for (int i = 0; i < tile_rank(p, r); i++)
        if (x_negative(p, r->min[i]) &&
            x_range(p, x_bin(p, Xadd, r->min[i], r->extent[i]), &lo, &hi) && hi <= 0)
            r->min[i] = x_from_end(p, r->buf, i, r->min[i]);
}

/* Common checks -------------------------------------------------------- */

/* Extents on chip are constants: layouts and units of copies rest on them.  What fills memory
 * is a loop, whatever its end. */
static void tile_check_region(Prog *p, enum Op op, const Region *r, char way)
{
    const Buf *b = &p->buf[r->buf];
    bool any = b->scope == SCglobal || (op == Ofill && b->scope != SCfragment);
    if (way != 'b' && (b->scope == SCbarrier || b->scope == SCpipe))
        diag_fail(&p->ctx, E_barrier_value, p->here, b->name, NULL);
    for (int i = 0; i < b->ndim; i++) {
        int64_t v, n;
        bool fixed = x_isint(p, r->extent[i], &v);
        if (!fixed && !any)
            diag_fail(&p->ctx, E_extent_static, p->here, opinfo[op].text, b->name, NUM(i), NULL);
        if (fixed && v < 1)
            tile_empty(p, r, i, v);
        if (fixed && b->scope != SCglobal && x_isint(p, b->shape[i], &n) && v > n)
            diag_fail(&p->ctx, E_extent_large, p->here, b->name, NUM(i), NUM(v), NUM(n), NULL);
    }
}

static bool tile_onchip(const Prog *p, const Region *r)
{
    int sc = p->buf[r->buf].scope;
    return sc == SCshared || sc == SCfragment || sc == SClocal || sc == SCvar;
}

void tile_scope(Prog *p, const char *what, const Region *r, bool ok, const char *wanted)
{
    if (!ok)
        diag_fail(&p->ctx, E_op_scope, p->here, what, tile_name(p, r),
                  scopename[p->buf[r->buf].scope], wanted, NULL);
}

static enum Dtype tile_typeof_region(const Prog *p, const Region *r)
{
    return (enum Dtype)p->buf[r->buf].dt;
}

/* gemm ----------------------------------------------------------------- */

static void gemm_types(Prog *p, const Region *r)
{
    enum Dtype a = tile_typeof_region(p, &r[OperandA]), b = tile_typeof_region(p, &r[OperandB]),
               c = tile_typeof_region(p, &r[OperandC]);
    bool f8 = dtypeinfo[a].bits == 8 && dtypeinfo[b].bits == 8;
    bool fa = dtypeinfo[a].cls == 'F', fb = dtypeinfo[b].cls == 'F', fc = dtypeinfo[c].cls == 'F';
    if (a != b && !(f8 && fa && fb) && !(f8 && !fa && !fb))
        diag_fail(&p->ctx, E_gemm_mixed, p->here, tile_name(p, &r[OperandA]), dtypeinfo[a].name,
                  tile_name(p, &r[OperandB]), dtypeinfo[b].name, NULL);
    if (fa != fc || (!fa && c != DTi32) || (fa && dtypeinfo[c].bits < 16) ||
        (a == DTf64) != (c == DTf64))
        diag_fail(&p->ctx, E_gemm_accum, p->here, tile_name(p, &r[OperandC]), dtypeinfo[c].name,
                  dtypeinfo[a].name, fa ? a == DTf64 ? "float64" : "float32" : "int32", NULL);
}

static void check_gemm(Prog *p, const Region *r, const int32_t *attr)
{
    static const char who[] = "ABC";
    int64_t d[3][2];
    for (int i = 0; i < 3; i++) {
        const Region *x = &r[i];
        int n = tile_rank(p, x);
        if (n < 2)
            diag_fail(&p->ctx, E_gemm_rank, p->here, afmt(&p->ctx, "%c", who[i]), tile_name(p, x),
                      NUM(n), NULL);
        for (int k = 0; k < n - 2; k++)
            if (!isone(p, x->extent[k]))
                diag_fail(&p->ctx, E_gemm_leading, p->here, tile_name(p, x), tile_extents(p, x),
                          NULL);
        tile_scope(p, "T.gemm", x, i == OperandC ? p->buf[x->buf].scope == SCfragment ||
                                                  p->buf[x->buf].scope == SClocal
                                            : tile_onchip(p, x),
                   i == OperandC ? "fragment, local" : "shared, fragment, local");
        for (int k = 0; k < 2; k++)
            if (!x_isint(p, x->extent[n - 2 + k], &d[i][k]))
                diag_fail(&p->ctx, E_extent_static, p->here, "T.gemm", tile_name(p, x),
                          NUM(n - 2 + k), NULL);
    }
    int64_t am = d[0][attr[GEtransA] != 0], ak = d[0][attr[GEtransA] == 0];
    int64_t bk = d[1][attr[GEtransB] != 0], bn = d[1][attr[GEtransB] == 0];
    if (ak != bk) /* would the other transposition of B fit? */
        diag_fail(&p->ctx, ak == bn ? E_gemm_k_trans : E_gemm_k, p->here, tile_extents(p, &r[0]),
                  tile_extents(p, &r[1]), NUM(ak), NUM(bk), attr[GEtransB] ? "false" : "true",
                  NULL);
    if (am != d[2][0] || bn != d[2][1])
        diag_fail(&p->ctx, E_gemm_c, p->here, tile_name(p, &r[2]), tile_extents(p, &r[2]),
                  afmt(&p->ctx, "(%lld, %lld)", (long long)am, (long long)bn),
                  tile_extents(p, &r[0]), tile_extents(p, &r[1]), NULL);
    if (attr[GEpolicy] < 0 || attr[GEpolicy] > 2)
        diag_fail(&p->ctx, E_gemm_policy, p->here, NUM(attr[GEpolicy]), NULL);
    if (attr[GEkpack] != 0 && attr[GEkpack] != 1 && attr[GEkpack] != 2)
        diag_fail(&p->ctx, E_gemm_kpack, p->here, NUM(attr[GEkpack]), NULL);
    gemm_types(p, r);
}

/* reduce, scan, transpose ---------------------------------------------- */

/* Between two passes src or dst may have a stage of a pipelined buffer in front, of which it is
 * one. */
static bool reduced_stage(const Prog *p, const Region *src, const Region *dst, int dim)
{
    Ex a[MaxDim], b[MaxDim];
    int n = 0, m = tile_squeeze(p, dst, b);
    for (int i = 0; i < tile_rank(p, src); i++)
        if (i != dim && !isone(p, src->extent[i]))
            a[n++] = src->extent[i];
    return p->between.after && n == m && memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* The extents of src without dimension dim, dst's with ones dropped or with 1
 * in that place. */
static bool tile_reduced(const Prog *p, const Region *src, const Region *dst, int dim)
{
    int ns = tile_rank(p, src), nd = tile_rank(p, dst), j = 0;
    bool keep = nd == ns;
    if (!keep && nd != ns - 1 && !(ns == 1 && nd == 1))
        return false;
    if (ns == 1)
        return isone(p, dst->extent[0]);
    for (int i = 0; i < ns; i++) {
        if (i == dim) {
            if (keep && !isone(p, dst->extent[j++]))
                return false;
        } else if (dst->extent[j++] != src->extent[i]) {
            return false;
        }
    }
    return true;
}

static int check_dim(Prog *p, const char *what, const Region *r, int32_t *dim)
{
    int n = tile_rank(p, r);
    if (*dim < -n || *dim >= n)
        diag_fail(&p->ctx, E_dim_range, p->here, what, NUM(*dim), tile_name(p, r), NUM(n), NULL);
    if (*dim < 0)
        *dim += n;
    return *dim;
}

static void check_reduce(Prog *p, const Region *r, int32_t *attr)
{
    static const char *const scopes = "shared, fragment, local";
    if (attr[REkind] <= Rnone || attr[REkind] >= NRed)
        diag_fail(&p->ctx, E_bug, p->here, "reduce of an unknown kind", NULL);
    const char *what = afmt(&p->ctx, "T.reduce_%s", redinfo[attr[REkind]].text);
    for (int i = 0; i < 2; i++)
        tile_scope(p, what, &r[i], tile_onchip(p, &r[i]), scopes);
    int dim = check_dim(p, what, &r[0], &attr[REdim]);
    if (!tile_reduced(p, &r[0], &r[1], dim) && !reduced_stage(p, &r[0], &r[1], dim))
        diag_fail(&p->ctx, E_reduce_shape, p->here, what, tile_extents(p, &r[0]), NUM(dim),
                  tile_name(p, &r[1]), tile_extents(p, &r[1]), NULL);
    for (int i = 0; i < 2; i++) {
        enum Dtype dt = tile_typeof_region(p, &r[i]);
        if (redinfo[attr[REkind]].types == 'i' && dtypeinfo[dt].cls == 'F')
            diag_fail(&p->ctx, E_reduce_bits, p->here, what, tile_name(p, &r[i]),
                      dtypeinfo[dt].name, NULL);
    }
    if (attr[REbatch] < 0)
        diag_fail(&p->ctx, E_reduce_batch, p->here, what, NUM(attr[REbatch]), NULL);
}

static void check_scan(Prog *p, const Region *r, int32_t *attr)
{
    const char *what = attr[SNkind] == Rmax ? "T.cummax" : "T.cumsum";
    for (int i = 0; i < 2; i++)
        tile_scope(p, what, &r[i], tile_onchip(p, &r[i]), "shared, fragment, local");
    check_dim(p, what, &r[0], &attr[SNdim]);
    bool same = tile_rank(p, &r[0]) == tile_rank(p, &r[1]) || p->between.after; /* stages */
    if (!same || !tile_matches(p, &r[0], &r[1]))
        diag_fail(&p->ctx, E_copy_extent, p->here, tile_name(p, &r[0]), tile_extents(p, &r[0]),
                  tile_name(p, &r[1]), tile_extents(p, &r[1]), NULL);
}

static void check_transpose(Prog *p, const Region *r)
{
    Ex a[MaxDim], b[MaxDim];
    int n = tile_squeeze(p, &r[0], a), m = tile_squeeze(p, &r[1], b);
    if (tile_rank(p, &r[0]) < 2 || tile_rank(p, &r[1]) < 2)
        diag_fail(&p->ctx, E_transpose_rank, p->here, tile_name(p, &r[0]), NUM(tile_rank(p, &r[0])),
                  tile_name(p, &r[1]), NUM(tile_rank(p, &r[1])), NULL);
    bool ok = n == m;
    for (int i = 0; ok && i < n - 2; i++)
        ok = a[i] == b[i];
    if (ok && n >= 2)
        ok = a[n - 1] == b[n - 2] && a[n - 2] == b[n - 1];
    if (!ok)
        diag_fail(&p->ctx, E_transpose_shape, p->here, tile_name(p, &r[0]), tile_extents(p, &r[0]),
                  tile_name(p, &r[1]), tile_extents(p, &r[1]), NULL);
}

static void check_atomic(Prog *p, const Region *r, const int32_t *attr)
{
    enum Dtype t = tile_typeof_region(p, &r[0]);
    int sc = p->buf[r[0].buf].scope;
    tile_scope(p, "T.atomic", &r[0], sc == SCglobal || sc == SCshared, "global, shared");
    bool bits = attr[0] > Rnone && attr[0] < NRed && redinfo[attr[0]].types == 'i';
    if (!kind_updates(attr[0]) || attr[0] >= NRed)
        kind_fail(p, "T.atomic", attr[0]);
    if ((bits && dtypeinfo[t].cls == 'F') || dtypeinfo[t].bits < (bits ? 8 : 16))
        diag_fail(&p->ctx, E_atomic_type, p->here, redinfo[attr[0]].text, tile_name(p, &r[0]),
                  dtypeinfo[t].name, NULL);
    if (!tile_matches(p, &r[0], &r[1]))
        diag_fail(&p->ctx, E_copy_extent, p->here, tile_name(p, &r[1]), tile_extents(p, &r[1]),
                  tile_name(p, &r[0]), tile_extents(p, &r[0]), NULL);
}

/* ---------------------------------------------------------------------- */

/* The Stmt comes last: a refused operation leaves no trace in the program. */
static void addop(Prog *p, enum Op op, const Region *r, Ex value, const int32_t *attr,
                  const char *text, Stmt *s)
{
    s->op.op = (uint8_t)op;
    for (int i = 0; i < opinfo[op].nregion; i++)
        if (r[i].buf)
            s->op.r[i] = r[i];
    s->op.value = value;
    memcpy(s->op.attr, attr, sizeof s->op.attr);
    s->op.text = text ? astr(&p->ctx, text, strlen(text)) : NULL;
}

Stmt *s_op(Prog *p, enum Op op, const Region *r, Ex value, const int32_t *attr, const char *text)
{
    int32_t a[MaxAttr] = {0};
    if (attr)
        memcpy(a, attr, sizeof a);
    if (p->nframe == 0)
        diag_fail(&p->ctx, E_outside_kernel, p->here, afmt(&p->ctx, "T.%s", opinfo[op].text), NULL);
    for (int i = 0; i < opinfo[op].nregion; i++)
        if (r[i].buf)
            tile_check_region(p, op, &r[i], opinfo[op].regions[i]);
    switch (op) {
    case Ocopy:
        if (!tile_matches(p, &r[0], &r[1]))
            diag_fail(&p->ctx, E_copy_extent, p->here, tile_name(p, &r[0]), tile_extents(p, &r[0]),
                      tile_name(p, &r[1]), tile_extents(p, &r[1]), NULL);
        break;
    case Ofill: value = x_cast(p, tile_typeof_region(p, &r[0]), value); break;
    case Ogemm: check_gemm(p, r, a); break;
    case Oreduce: check_reduce(p, r, a); break;
    case Oscan: check_scan(p, r, a); break;
    case Otranspose: check_transpose(p, r); break;
    case Oatomic: check_atomic(p, r, a); break;
    case Oprint: break;
    default: check_thread_op(p, op, r, &value, a, text); break;
    }
    Stmt *s = anew(&p->ctx, sizeof *s);
    s->kind = Sop;
    s->loc = p->here;
    addop(p, op, r, value, a, text, s);
    Stmt ***t = &p->tail[p->ntail - 1];
    **t = s;
    *t = &s->next;
    return s;
}
