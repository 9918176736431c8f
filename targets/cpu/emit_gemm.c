/* targets/cpu/emit_gemm.c: T.gemm as register-blocked vector code.
 *
 * Each distinct shape becomes one static function that walks C in blocks of
 * MR rows by NV vectors, held in registers over the whole k loop.  Operands
 * are read where they lie: a column of A is broadcast element by element, so
 * any constant strides do; rows of B must be contiguous and held in the type
 * that is computed in, else they are first packed into scratch memory.
 *
 * Types: narrow floats are held as float32 already.  8-bit integers are
 * multiplied in float32, which is exact while k * 2^14 (2^16 unsigned) stays
 * below 2^24; k is cut accordingly.  Wider integers use integer vectors. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emit.h"

/* An operand as the inner function sees it: element (r, c) of the matrix lies
 * at buf[offset + r * row + c * col]. */
typedef struct CpuOperand CpuOperand;
struct CpuOperand {
    Region r;
    int64_t rows, cols, row, col;
};

typedef struct CpuGemm CpuGemm;
struct CpuGemm {
    enum Dtype type; /* computed in: float32, float64, int32 */
    int64_t m, n, k;
    CpuOperand a, b, c;
    bool clear;
};

static int64_t gemm_extent(const Gen *g, const Region *r, int d)
{
    int64_t v = 1;
    x_isint(g->p, r->extent[d], &v);
    return v;
}

static enum Dtype dtype_of(const Gen *g, const Region *r)
{
    return (enum Dtype)g->p->buf[r->buf].dt;
}

static CpuOperand cgemm_operand(const Gen *g, const Region *r, bool trans)
{
    int n = region_rank(g, r);
    int64_t row = tile_stride(g, r->buf, n - 2), col = tile_stride(g, r->buf, n - 1);
    int64_t rows = gemm_extent(g, r, n - 2), cols = gemm_extent(g, r, n - 1);
    return trans ? (CpuOperand){*r, cols, rows, col, row} : (CpuOperand){*r, rows, cols, row, col};
}

static bool held_as(const Gen *g, const CpuOperand *o, enum Dtype type)
{
    const StorePlace *pl = &g->place[o->r.buf];
    return pl->held == type && !pl->alias;
}

/* Packing ---------------------------------------------------------------- */

/* A tile of ours in scratch memory. */
static CpuOperand cgemm_blank(Gen *g, int64_t rows, int64_t cols, enum Dtype type, const char *name)
{
    const int64_t ext[2] = {rows, cols};
    return (CpuOperand){region_of(g, tile_new(g, name, type, type, ext, 2)), rows, cols, cols, 1};
}

/* Copies o into a row-major tile of the computed type, its rows `width`
 * elements apart. */
static CpuOperand cgemm_pack(Gen *g, Loc l, const CpuOperand *o, int64_t width, enum Dtype type,
                             const char *name)
{
    static const char *const nm[] = {"r", "c"};
    int n = region_rank(g, &o->r);
    bool trans = o->row < o->col || (o->col != 1 && o->rows > 1);
    CpuOperand to = cgemm_blank(g, o->rows, width, type, name);
    uint32_t t = to.r.buf;
    if (trans && type == DTf32 && held_as(g, o, type)) {
        line(g, "/* transposed, so that its rows are contiguous */");
        begin(g);
        put(g, "%s(%s, %" PRId64 ", %s", use(g, "transpose_f32"), g->place[t].name, to.row,
            g->place[o->r.buf].name);
        emit_plus_offset(g, o->r.buf, o->r.min);
        put(g, ", %" PRId64 ", %" PRId64 ", %" PRId64 ");\n", o->col, o->cols, o->rows);
        return to;
    }
    Ex e[2] = {x_int(g->p, DTi32, o->rows), x_int(g->p, DTi32, o->cols)}, idx[MaxDim], at[2];
    Stmt *nest = nest_new(g, l, nm, e, 2);
    for (int i = 0; i < 2; i++)
        at[i] = x_var(g->p, nest->loop.var[i]);
    memcpy(idx, o->r.min, sizeof o->r.min);
    idx[n - 2] = x_bin(g->p, Xadd, idx[n - 2], at[trans]);
    idx[n - 1] = x_bin(g->p, Xadd, idx[n - 1], at[!trans]);
    Ex v = x_cast(g->p, type, x_load(g->p, o->r.buf, idx, n));
    nest->loop.body = store_new(g, l, t, at, v);
    emit_for(g, nest);
    return to;
}

/* The function ----------------------------------------------------------- */

static int64_t cgemm_largest_divisor(int64_t n, int64_t limit)
{
    for (int64_t d = limit; d > 1; d--)
        if (n % d == 0)
            return d;
    return 1;
}

/* Rows of a block: as many as the registers take, preferably without a rest. */
static int64_t block_rows(int64_t m, int64_t limit)
{
    int64_t d = cgemm_largest_divisor(m, limit < m ? limit : m);
    return d * 2 >= limit || d == m ? d : limit < m ? limit : m;
}

typedef struct Isa {
    const char *test;
    int bytes, registers;
} Isa;
static const Isa isas[] = {
    {"#if defined(__AVX512F__)", 64, 32},
    {"#elif defined(__AVX__)", 32, 16},
    {"#elif defined(__aarch64__)", 16, 32},
    {"#else", 16, 16},
};

/* Vector length, vectors and rows of a block for one instruction set. */
static void block_shape(const CpuGemm *q, const Isa *isa, int64_t *lanes, int64_t *nv, int64_t *mr)
{
    int64_t vectors, size = dtypeinfo[q->type].bits / 8;
    *lanes = isa->bytes / size;
    while (*lanes > 1 && q->n % *lanes)
        *lanes /= 2;
    vectors = q->n / *lanes;
    *nv = vectors % 2 == 0 ? 2 : vectors % 3 == 0 ? 3 : 1;
    if (isa->registers > 16 && *nv == 2 && vectors % 4 == 0 && q->m <= 6)
        *nv = 4;
    /* accumulators, the vectors of B and a broadcast fit in the registers */
    *mr = block_rows(q->m,
                     (isa->registers - 2 - *nv) / *nv > 14 ? 14 : (isa->registers - 2 - *nv) / *nv);
}

/* Constants of this function, by instruction set; true if
 * some of them leaves a rest of rows. */
static bool emit_shapes(Gen *g, const CpuGemm *q)
{
    int64_t lanes, nv, mr, l0, n0, m0;
    bool same = true, rest = false;
    block_shape(q, &isas[0], &l0, &n0, &m0);
    for (size_t i = 0; i < COUNT(isas); i++) {
        block_shape(q, &isas[i], &lanes, &nv, &mr);
        same = same && lanes == l0 && nv == n0 && mr == m0;
        rest = rest || q->m % mr;
    }
    for (size_t i = 0; i < (same ? 1 : COUNT(isas)); i++) {
        block_shape(q, &isas[i], &lanes, &nv, &mr);
        if (!same)
            put(g, "%s\n", isas[i].test);
        put(g, "#define L %" PRId64 "\n#define NV %" PRId64 "\n#define MR %" PRId64 "\n", lanes, nv,
            mr);
    }
    if (!same)
        put(g, "#endif\n");
    return rest;
}

/* " * 32", or nothing for 1 */
static const char *cgemm_times(Gen *g, int64_t n)
{
    return n == 1 ? "" : afmt(g->c, " * %" PRId64, n);
}

/* The block itself, a function that is always inlined: its rows are a
 * constant of the call. */
static void emit_micro(Gen *g, const CpuGemm *q, const char *name, const char *type)
{
    const char *cr = cgemm_times(g, q->c.row), *ar = cgemm_times(g, q->a.row),
               *ak = cgemm_times(g, q->a.col), *bk = cgemm_times(g, q->b.row);
    line(g, "static inline __attribute__((always_inline)) void %s_block(const int rows,", name);
    line(g, "    const %s *restrict a, const %s *restrict b, %s *restrict c)", type, type, type);
    line(g, "{");
    g->indent++;
    line(g,
         "typedef %s V __attribute__((vector_size(L * sizeof(%s)), aligned(sizeof(%s)), "
         "may_alias));",
         type, type, type);
    line(g, "V t[MR][NV];");
    put(g, "#pragma GCC unroll 16\n");
    line(g, "for (int r = 0; r < rows; r++)");
    put(g, "#pragma GCC unroll 4\n");
    line(g, "    for (int v = 0; v < NV; v++)");
    if (q->clear)
        line(g, "        t[r][v] = (V){0};");
    else
        line(g, "        t[r][v] = *(const V *)(c + r%s + v * L);", cr);
    line(g, "for (long k = 0; k < %" PRId64 "; k++) {", q->k);
    put(g, "#pragma GCC unroll 16\n");
    line(g, "    for (int r = 0; r < rows; r++)");
    put(g, "#pragma GCC unroll 4\n");
    line(g, "        for (int v = 0; v < NV; v++)");
    line(g, "            t[r][v] += a[r%s + k%s] * *(const V *)(b + k%s + v * L);", ar, ak, bk);
    line(g, "}");
    put(g, "#pragma GCC unroll 16\n");
    line(g, "for (int r = 0; r < rows; r++)");
    put(g, "#pragma GCC unroll 4\n");
    line(g, "    for (int v = 0; v < NV; v++)");
    line(g, "        *(V *)(c + r%s + v * L) = t[r][v];", cr);
    close_brace(g);
    put(g, "\n");
}

static void emit_function(Gen *g, const CpuGemm *q, const char *name)
{
    const char *type = q->type == DTf64 ? "double" : q->type == DTf32 ? "float" : "unsigned";
    Str *out = g->scalar.out;
    int indent = g->indent;
    g->scalar.out = &g->statics;
    g->indent = 0;
    line(g,
         "/* C[%" PRId64 "][%" PRId64 "] %s A[%" PRId64 "][%" PRId64 "] B[%" PRId64 "][%" PRId64
         "], in blocks of MR rows and NV vectors of L */",
         q->m, q->n, q->clear ? "=" : "+=", q->m, q->k, q->k, q->n);
    bool rest = emit_shapes(g, q);
    emit_micro(g, q, name, type);
    line(g, "static __attribute__((noinline)) void %s(const %s *a, const %s *b, %s *c)", name, type,
         type, type);
    line(g, "{");
    g->indent++;
    line(g, "for (long j = 0; j < %" PRId64 "; j += NV * L) {", q->n);
    g->indent++;
    line(g, "long i = 0;");
    line(g, "for (; i + MR <= %" PRId64 "; i += MR)", q->m);
    line(g, "    %s_block(MR, a + i%s, b + j, c + i%s + j);", name, cgemm_times(g, q->a.row),
         cgemm_times(g, q->c.row));
    if (rest) {
        line(g, "if (%" PRId64 " %% MR)", q->m);
        line(g, "    %s_block(%" PRId64 " %% MR, a + i%s, b + j, c + i%s + j);", name, q->m,
             cgemm_times(g, q->a.row), cgemm_times(g, q->c.row));
    }
    close_brace(g);
    close_brace(g);
    put(g, "#undef L\n#undef NV\n#undef MR\n\n");
    g->scalar.out = out;
    g->indent = indent;
}

/* Everything that the text depends on. */
static const char *cgemm_signature(Gen *g, const CpuGemm *q)
{
    return afmt(g->c,
                "gemm %d %" PRId64 "x%" PRId64 "x%" PRId64 " %d %" PRId64 " %" PRId64 " %" PRId64
                " %" PRId64,
                (int)q->type, q->m, q->n, q->k, q->clear, q->a.row, q->a.col, q->b.row, q->c.row);
}

/* The function for q, printed when it is asked for first. */
static const char *gemm_function(Gen *g, const CpuGemm *q)
{
    const char *key = cgemm_signature(g, q);
    for (uint32_t i = 0; i + 1 < g->nfn; i += 2)
        if (strcmp(g->fn[i], key) == 0)
            return g->fn[i + 1];
    const char *name = afmt(g->c, "gemm_%" PRId64 "x%" PRId64 "x%" PRId64, q->m, q->n, q->k);
    int same = 1;
    for (uint32_t i = 0; i + 1 < g->nfn; i += 2)
        same += strncmp(g->fn[i + 1], name, strlen(name)) == 0;
    if (same > 1)
        name = afmt(g->c, "%s_%d", name, same);
    agrow(g->c, &g->fn, &g->capfn, g->nfn + 2, sizeof *g->fn);
    g->fn[g->nfn++] = key;
    g->fn[g->nfn++] = name;
    emit_function(g, q, name);
    return name;
}

static void put_operand(Gen *g, const CpuOperand *o, const char *cast)
{
    put(g, "%s%s", cast, g->place[o->r.buf].name);
    emit_plus_offset(g, o->r.buf, o->r.min);
}

/* k0: first k of this call */
static void call_function(Gen *g, const CpuGemm *q, int64_t k0)
{
    const char *name = gemm_function(g, q);
    bool i32 = q->type == DTi32;
    begin(g);
    put(g, "%s(", name);
    put_operand(g, &q->a, i32 ? "(const unsigned *)" : "");
    if (k0)
        put(g, " + %" PRId64, k0 * q->a.col);
    put(g, ", ");
    put_operand(g, &q->b, i32 ? "(const unsigned *)" : "");
    if (k0)
        put(g, " + %" PRId64, k0 * q->b.row);
    put(g, ", ");
    put_operand(g, &q->c, i32 ? "(unsigned *)" : "");
    put(g, ");\n");
}

/* Columns to compute: a width that no vector divides is rounded up, which
 * costs a copy of B and of C. */
static int64_t padded(const CpuGemm *q)
{
    int64_t unit = q->n > 16 ? 16 : 8;
    return q->n <= 4 || q->n % 8 == 0 ? q->n : (q->n + unit - 1) / unit * unit;
}

/* Kinds ------------------------------------------------------------------ */

static bool byte_sized(enum Dtype dt)
{
    return dtypeinfo[dt].bits <= 8 && dtypeinfo[dt].cls != 'F';
}

/* c = cast(c + t) or cast(t), element by element */
static void gemm_finish(Gen *g, Loc l, const CpuOperand *c, const CpuOperand *t, bool add)
{
    static const char *const nm[] = {"r", "c"};
    Ex e[2] = {x_int(g->p, DTi32, c->rows), x_int(g->p, DTi32, c->cols)}, idx[MaxDim], at[2];
    int n = region_rank(g, &c->r);
    enum Dtype dt = dtype_of(g, &c->r);
    Stmt *nest = nest_new(g, l, nm, e, 2);
    at[0] = x_var(g->p, nest->loop.var[0]);
    at[1] = x_var(g->p, nest->loop.var[1]);
    memcpy(idx, c->r.min, sizeof c->r.min);
    idx[n - 2] = x_bin(g->p, Xadd, idx[n - 2], at[0]);
    idx[n - 1] = x_bin(g->p, Xadd, idx[n - 1], at[1]);
    Ex v = x_cast(g->p, dt, x_load(g->p, t->r.buf, at, 2));
    if (add)
        v = x_bin(g->p, Xadd, x_load(g->p, c->r.buf, idx, n), v);
    nest->loop.body = store_new(g, l, c->r.buf, idx, v);
    emit_for(g, nest);
}

/* 8-bit integers through float32, k in exact pieces. */
static void gemm_bytes(Gen *g, Stmt *s, CpuGemm *q)
{
    bool u =
        dtypeinfo[dtype_of(g, &q->a.r)].cls != 'I' || dtypeinfo[dtype_of(g, &q->b.r)].cls != 'I';
    int64_t piece = u ? 256 : 1024, k = q->k;
    CpuOperand c = q->c;
    bool clear = q->clear;
    q->type = DTf32;
    q->n = padded(q);
    q->a = cgemm_pack(g, s->loc, &q->a, q->a.cols, DTf32, "a_f32");
    q->b = cgemm_pack(g, s->loc, &q->b, q->n, DTf32, "b_f32");
    q->c = cgemm_blank(g, q->m, q->n, DTf32, "c_f32");
    q->clear = true;
    for (int64_t k0 = 0; k0 < k; k0 += piece) {
        q->k = k - k0 < piece ? k - k0 : piece;
        call_function(g, q, k0);
        gemm_finish(g, s->loc, &c, &q->c, !(clear && k0 == 0));
    }
}

/* A narrow C was summed in float32 and is rounded once. */
static void round_c(Gen *g, Loc l, const CpuOperand *c)
{
    static const char *const nm[] = {"r", "c"};
    Ex e[2] = {x_int(g->p, DTi32, c->rows), x_int(g->p, DTi32, c->cols)}, idx[MaxDim];
    int n = region_rank(g, &c->r);
    Stmt *nest = nest_new(g, l, nm, e, 2);
    memcpy(idx, c->r.min, sizeof c->r.min);
    for (int i = 0; i < 2; i++)
        idx[n - 2 + i] = x_bin(g->p, Xadd, idx[n - 2 + i], x_var(g->p, nest->loop.var[i]));
    Ex sum = x_cast(g->p, DTf32, x_load(g->p, c->r.buf, idx, n));
    nest->loop.body = store_new(g, l, c->r.buf, idx, x_cast(g->p, dtype_of(g, &c->r), sum));
    emit_for(g, nest);
}

void emit_gemm(Gen *g, Stmt *s)
{
    const Region *r = s->op.r;
    CpuGemm q = {.clear = s->op.attr[GEclear] != 0};
    enum Dtype ta = dtype_of(g, &r[0]), tb = dtype_of(g, &r[1]), tc = dtype_of(g, &r[2]);
    for (int i = 0; i < 3; i++)
        check_region(g, &r[i]);
    q.a = cgemm_operand(g, &r[0], s->op.attr[GEtransA]);
    q.b = cgemm_operand(g, &r[1], s->op.attr[GEtransB]);
    q.c = cgemm_operand(g, &r[2], false);
    q.m = q.c.rows;
    q.n = q.c.cols;
    q.k = q.a.cols;
    q.type = tc == DTf64 ? DTf64 : dtypeinfo[tc].cls == 'F' ? DTf32 : DTi32;
    uint32_t mark = scope_enter(g);
    int64_t width = padded(&q);
    bool bytes = q.type == DTi32 && byte_sized(ta) && byte_sized(tb);
    bool pack_a = !held_as(g, &q.a, q.type);
    bool pack_b = !held_as(g, &q.b, q.type) || q.b.col != 1 || width != q.n;
    bool stage_c = !held_as(g, &q.c, q.type) || width != q.n;
    bool plain = !bytes && !pack_a && !pack_b && !stage_c && !is_narrow(tc);
    if (!plain) {
        begin(g);
        put(g, "{\n");
        g->indent++;
    }
    if (bytes) {
        gemm_bytes(g, s, &q);
    } else {
        CpuOperand c = q.c;
        q.n = width;
        if (pack_a)
            q.a = cgemm_pack(g, s->loc, &q.a, q.k, q.type, "a_packed");
        if (pack_b)
            q.b = cgemm_pack(g, s->loc, &q.b, width, q.type, "b_packed");
        if (stage_c)
            q.c = q.clear ? cgemm_blank(g, q.m, width, q.type, "c_staged")
                          : cgemm_pack(g, s->loc, &c, width, q.type, "c_staged");
        call_function(g, &q, 0);
        if (stage_c)
            gemm_finish(g, s->loc, &c, &q.c, false);
        else if (is_narrow(tc))
            round_c(g, s->loc, &c);
    }
    if (!plain)
        close_brace(g);
    scope_leave(g, mark);
}
