/* targets/cuda/ptx_mma.c: matrix instructions of a warp and the fetches of their
 * operands: mma.sync, ldmatrix, stmatrix.
 *
 * A function mma_m16n8k16_f32_f16 is made of its row in machines.c alone: an
 * operand of m x k elements stands in m * k * bits / 32 / 32 registers of each
 * lane.  None is volatile: what they compute depends on their operands only. */
#include "ptx.h"

#include <string.h>

enum { WarpBits = 32 * 32 }; /* one 32-bit register of each lane */

/* mma -------------------------------------------------------------------- */

/* "mma.m16n8k16.f32.f16" <-> "mma_m16n8k16_f32_f16" */
static char *ptx_mma_renamed(Ctx *c, const char *name, char from, char to)
{
    char *s = astr(c, name, strlen(name));
    for (char *k = s; *k; k++)
        if (*k == from)
            *k = to;
    return s;
}

/* Registers of rows x cols elements of dt; float64 takes registers of 64 bits. */
static int ptx_mma_registers(int rows, int cols, uint8_t dt)
{
    int bits = dt == DTtf32 ? 32 : dtypeinfo[dt].bits;
    return dt == DTf64 ? rows * cols / 32 : rows * cols * bits / WarpBits;
}

static const char *ptx_type(uint8_t dt)
{
    switch ((enum Dtype)dt) {
    case DTf16: return "f16";
    case DTbf16: return "bf16";
    case DTtf32: return "tf32";
    case DTf32: return "f32";
    case DTf64: return "f64";
    case DTi8: return "s8";
    case DTu8: return "u8";
    case DTi32: return "s32";
    case DTe4m3: return "e4m3";
    case DTe5m2: return "e5m2";
    default: return NULL;
    }
}

static const char *mma_text(Emit *e, const char *name, const Mma *i)
{
    Str s = {0};
    int na = ptx_mma_registers(i->m, i->k, i->a), nb = ptx_mma_registers(i->k, i->n, i->b),
        nc = ptx_mma_registers(i->m, i->n, i->c);
    const char *c = ptx_regtype((enum Dtype)i->c), *ab = i->a == DTf64 ? "double" : "unsigned",
               *t = ptx_type(i->c);
    char ca = i->a == DTf64 ? 'd' : 'r';
    str_fmt(&s, PTX_FN "void %s(%s *c, const %s *a, const %s *b)\n{\n    asm(\"", name, c, ab, ab);
    str_fmt(&s, "mma.sync.aligned.m%dn%dk%d.row.col.%s.%s.%s.%s \"\n        \"", i->m, i->n, i->k,
            t, ptx_type(i->a), ptx_type(i->b), t);
    ptx_list(&s, 0, nc);
    str_puts(&s, ", ");
    ptx_list(&s, nc, na);
    str_puts(&s, ", ");
    ptx_list(&s, nc + na, nb);
    str_puts(&s, ", ");
    ptx_list(&s, 0, nc);
    str_puts(&s, ";\"\n        : ");
    ptx_operands(&s, "+", ptx_constraint((enum Dtype)i->c), "c", nc);
    str_puts(&s, "\n        : ");
    ptx_operands(&s, "", ca, "a", na);
    str_puts(&s, ", ");
    ptx_operands(&s, "", ca, "b", nb);
    str_puts(&s, ");\n}\n");
    return ptx_done(e, &s);
}

void ptx_mma(Emit *e, const Stmt *s)
{
    Ctx *c = &e->p->ctx;
    const Mma *i = mma_find(s->op.text);
    const Region *r = s->op.r;
    bool wide = i->a == DTf64, words = i->c == DTf16;
    emit_line(e, "%s(%s, %s, %s);", emit_need(e, ptx_mma_renamed(c, s->op.text, '.', '_')),
              words ? ptx_words(e, &r[2]) : emit_regs(e, &r[2]),
              wide ? emit_regs(e, &r[0]) : ptx_words(e, &r[0]),
              wide ? emit_regs(e, &r[1]) : ptx_words(e, &r[1]));
}

/* ldmatrix, stmatrix ----------------------------------------------------- */

static const char *matrices_text(Emit *e, const char *name, bool load, int num, bool trans)
{
    Str s = {0};
    str_fmt(&s, PTX_FN "void %s(%sunsigned address)\n{\n    asm volatile(\"", name,
            load ? "unsigned *d, " : "const unsigned *a, ");
    str_fmt(&s, "%s.sync.aligned.m8n8.x%d%s.shared.b16 ", load ? "ldmatrix" : "stmatrix", num,
            trans ? ".trans" : "");
    if (load) {
        ptx_list(&s, 0, num);
        str_fmt(&s, ", [%%%d];\"\n        : ", num);
        ptx_operands(&s, "=", 'r', "d", num);
        str_puts(&s, " : \"r\"(address)");
    } else {
        str_puts(&s, "[%0], ");
        ptx_list(&s, 1, num);
        str_puts(&s, ";\"\n        :: \"r\"(address), ");
        ptx_operands(&s, "", 'r', "a", num);
    }
    str_puts(&s, " : \"memory\");\n}\n");
    return ptx_done(e, &s);
}

/* The lane's row of 16 bytes is one region, its slots the other. */
void ptx_matrices(Emit *e, const Stmt *s)
{
    enum { Num, Trans };
    bool load = s->op.op == Oldmatrix;
    const char *name = afmt(&e->p->ctx, "%s_x%d%s", opinfo[s->op.op].text, s->op.attr[Num],
                            s->op.attr[Trans] ? "_trans" : "");
    emit_line(e, "%s(%s, %s);", emit_need(e, name), ptx_words(e, &s->op.r[load]),
              emit_shared(e, &s->op.r[!load]));
}

/* ------------------------------------------------------------------------ */

const char *ptx_mma_helper(Emit *e, const char *name)
{
    static const int nums[] = {1, 2, 4};
    if (strncmp(name, "mma_", 4) == 0) {
        const Mma *i = mma_find(ptx_mma_renamed(&e->p->ctx, name, '_', '.'));
        return i ? mma_text(e, name, i) : NULL;
    }
    for (int k = 0; k < 2 * 2 * (int)COUNT(nums); k++) {
        bool load = k & 1, trans = k & 2;
        int num = nums[k / 4];
        const char *n = afmt(&e->p->ctx, "%s_x%d%s", load ? "ldmatrix" : "stmatrix", num,
                             trans ? "_trans" : "");
        if (strcmp(n, name) == 0)
            return matrices_text(e, name, load, num, trans);
    }
    return NULL;
}
