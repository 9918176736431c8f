/* core/lower/mma/gemm_map.c: operands of matrix instructions as T.gemm sees them,
 * and their fragments as 8x8 matrices (reference: 3.1, 3.2, 3.7). */
#include <string.h>

#include "gemm.h"

void gemm_walk(Low *l, Stmt **at, Stmt *(*f)(Low *l, Stmt *s))
{
    while (*at) {
        Stmt *s = *at, *next = s->next, **b[2];
        LowRole outer = low_enter(l, s);
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            gemm_walk(l, b[i], f);
        low_leave(l, outer);
        s->next = NULL;
        for (*at = f(l, s); *at;)
            at = &(*at)->next;
        *at = next;
    }
}

MmaShape gemm_shape(const Mma *i, int n)
{
    return (MmaShape){i->m, i->kind == MMAgroup ? n : i->n, i->k};
}

/* k is renamed so that a lane's run of consecutive k doubles: its LANE modes
 * move up by one bit, into whose place comes the number of the instruction.
 * Any such renaming is right if A and B use the same (reference: 0.8). */
static void gemm_map_packed(Layout *l, int kdim, int32_t items)
{
    Layout in = *l;
    int32_t run = 1, size[2] = {in.size[0], in.size[1]};
    for (int i = 0; i < in.n; i++)
        if (in.d[i].dim == kdim && in.d[i].axis == AXreg)
            run *= in.d[i].extent;
    size[kdim] *= 2;
    layout_init(l, 2, size);
    for (int d = 0; d < 2; d++)
        for (int i = 0, put = d != kdim; i <= in.n; i++) {
            const Mode *g = &in.d[i];
            bool mine = i < in.n && g->dim == d;
            if (!put && ((mine && g->weight >= run) || i == in.n)) {
                layout_mode(l, d, 2, AXreg, items);
                put = 1;
            }
            if (mine)
                layout_mode(l, d, g->extent, (enum Axis)g->axis, g->stride);
        }
    layout_canon(l);
}

bool gemm_inst(const Mma *i, char which, int n, int pack, Layout *out)
{
    if (i->kind == MMAgroup && which == 'b') { /* never in registers */
        layout_init(out, 2, (int32_t[2]){i->k, n});
        return true;
    }
    if (!mma_layout(i, which, n, out))
        return false;
    if (pack == 2 && which != 'c')
        gemm_map_packed(out, which == 'a', (int32_t)layout_extent(out, AXreg));
    return true;
}

int gemm_dim(const Prog *p, const Stmt *s, int which, int letter)
{
    int n = p->buf[s->op.r[which].buf].ndim;
    bool trans = (which == GemmA && s->op.attr[GEtransA]) ||
                 (which == GemmB && s->op.attr[GEtransB]);
    return n - 2 + (trans ? 1 - letter : letter);
}

bool gemm_contiguous(const Layout *map, int dim, int elems)
{
    int32_t run = 1;
    if (map->x.bits && (1 << map->x.base) < elems)
        return false;
    for (int i = 0; i < map->n; i++) {
        const Mode *g = &map->d[i];
        if (g->axis != AXoff)
            return false;
        if (g->dim == dim && g->stride == g->weight && g->weight == run && run < elems)
            run *= g->extent; /* modes are sorted by weight */
        else if (g->stride % elems)
            return false;
    }
    return run % elems == 0;
}

/* 8x8 matrices --------------------------------------------------------- */

/* Element q of register j in lane: plain, row lane / 4 and column
 * per * (lane % 4) + q; transposed, row 2 * (lane % 4) + q and column lane / 4. */
static bool matches_matrix(const Layout *f, const Matrices *m, int j, int per)
{
    int c = 1 - m->row;
    int32_t idx[LayDims];
    for (int lane = 0; lane < 32; lane++)
        for (int q = 0; q < per; q++) {
            Spot at = {{[AXreg] = j * per + q, [AXlane] = lane}};
            int row = m->trans ? 2 * (lane % 4) + q : lane / 4;
            int col = m->trans ? lane / 4 : per * (lane % 4) + q;
            if (!layout_invert(f, &at, idx) || idx[m->row] != m->at[j][m->row] + row ||
                idx[c] != m->at[j][c] + col)
                return false;
        }
    return true;
}

const char *gemm_matrices(const Layout *f, int bits, int contiguous, Matrices *out)
{
    int per = 32 / bits, regs = (int)layout_extent(f, AXreg);
    int32_t idx[LayDims];
    if (bits > 32 || regs % per || layout_extent(f, AXlane) != 32)
        return "32 lanes * 4 B";
    int num = regs / per;
    if (num != 1 && num != 2 && num != 4)
        return "1, 2, 4 registers";
    *out = (Matrices){.num = num, .row = 1 - contiguous};
    for (int j = 0; j < num; j++) {
        if (!layout_invert(f, &(Spot){{[AXreg] = j * per}}, idx))
            return "8x8";
        memcpy(out->at[j], idx, sizeof out->at[j]);
        if (idx[contiguous] % (128 / bits))
            return "16 B";
    }
    for (int d = 0; d < 2; d++) /* lanes name the rows by the bits of their number */
        if (num == 4 && out->at[3][d] != out->at[1][d] + out->at[2][d] - out->at[0][d])
            return "8x8";
    for (int t = 0; t < (bits == 16 ? 2 : 1); t++) {
        bool all = true;
        out->trans = t;
        for (int j = 0; j < num && all; j++)
            all = matches_matrix(f, out, j, per);
        if (all)
            return NULL;
    }
    return "8x8";
}

/* Lane 8j + r gives row r of matrix j; its bits 3 and 4 are j's, of which the
 * ones beyond num are not looked at. */
void gemm_row(Low *l, const Matrices *m, Ex idx[2])
{
    Ex lane = low_lane(l), one = low_div(l, lane, 8), two = low_div(l, lane, 16);
    for (int d = 0; d < 2; d++) {
        int32_t s1 = m->num > 1 ? m->at[1][d] - m->at[0][d] : 0;
        int32_t s2 = m->num > 2 ? m->at[2][d] - m->at[0][d] : 0;
        Ex e = low_i(l, m->at[0][d]);
        if (d == m->row && s1 == 8) /* rows and matrices in a line */
            e = low_add(l, e, low_mod(l, lane, 16));
        else {
            if (d == m->row)
                e = low_add(l, e, low_mod(l, lane, 8));
            e = low_add(l, e, low_mul(l, low_mod(l, one, 2), s1));
        }
        idx[d] = low_add(l, e, low_mul(l, two, s2));
    }
}

Ex gemm_reg(Low *l, const Layout *map, const Ex *idx)
{
    Ex sum = low_i(l, 0);
    for (int i = 0; i < map->n; i++) {
        const Mode *g = &map->d[i];
        if (g->axis != AXreg)
            continue;
        Ex v = low_div(l, idx[g->dim], g->weight);
        if ((int64_t)g->weight * g->extent < map->extent[g->dim])
            v = low_mod(l, v, g->extent);
        sum = low_add(l, sum, low_mul(l, v, g->stride));
    }
    return sum;
}
