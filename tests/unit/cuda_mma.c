/* Every matrix instruction of NVIDIA's machines, in each of its forms, through the
 * printer: the text names the PTX instruction with the right types.
 *
 *     cuda_mma          looks at the texts
 *     cuda_mma FOLDER   also writes them, sm_80.cu and so on, for tests/emit/mma.sh */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/emit/emit.h"
#include "../../targets/cuda/cuda.h"
#include "../../targets/targets.h"

static int failures;

static void fail(const Mma *i, const char *what)
{
    printf("%s: %s\n", i->name, what);
    failures++;
}

/* Programs ------------------------------------------------------------------ */

static const char *type(uint8_t dt) { return dtypeinfo[dt].name; }

/* Slots of an operand of rows x cols elements in each of `lanes`. */
static int slots(int rows, int cols, int lanes) { return rows * cols / lanes; }

static void fill(Str *s, const char *buf, uint8_t dt, int n)
{
    str_fmt(s, "    alloc %s: local %s[%d]\n    for i in unroll(%d) do\n", buf, type(dt), n, n);
    str_fmt(s, "      %s[i] = %s(A[tid + i])\n    end\n", buf, type(dt));
}

static void result(Str *s, int n)
{
    str_fmt(s, "    for i in unroll(%d) do\n      A[tid + i] = float32(c[i])\n    end\n  end\n", n);
}

static void warp(Str *s, const Mma *i)
{
    str_puts(s, "  launch bx in 1 threads tid in 32 shared=0 do\n");
    fill(s, "a", i->a, slots(i->m, i->k, 32));
    fill(s, "b", i->b, slots(i->k, i->n, 32));
    fill(s, "c", i->c, slots(i->m, i->n, 32));
    str_fmt(s, "    mma a, b -> c \"%s\"\n", i->name);
    result(s, slots(i->m, i->n, 32));
}

/* form: bit 0 A in registers, 1 A and 2 B stand along k. */
static void group(Str *s, const Mma *i, int n, int form)
{
    int ta = form >> 1 & 1, tb = form >> 2 & 1, ra = form & 1, c = slots(i->m, n, 128);
    str_puts(s, "  launch bx in 1 threads tid in 128 shared=49152 do\n");
    if (ra)
        fill(s, "a", i->a, slots(i->m, i->k, 128));
    else
        str_fmt(s, "    alloc a: shared %s[%d, %d] at=0\n", type(i->a == DTtf32 ? DTf32 : i->a),
                ta ? i->k : i->m, ta ? i->m : i->k);
    str_fmt(s, "    alloc b: shared %s[%d, %d] at=16384\n", type(i->b == DTtf32 ? DTf32 : i->b),
            tb ? i->k : n, tb ? n : i->k);
    fill(s, "c", i->c, c);
    str_fmt(s,
            "    wgmma_fence\n    wgmma a, b -> c, bx == 0 n=%d a_tnsp=%d a_lbo=%d a_sbo=%d "
            "b_tnsp=%d b_lbo=128 b_sbo=256 \"%s\"\n    wgmma_commit\n    wgmma_wait\n",
            n, ra ? 0 : ta, ra ? 0 : 128, ra ? 0 : 256, tb, i->name);
    result(s, c);
}

static void head(Str *s, const Machine *m)
{
    str_fmt(s, "kernel k(A) machine %s\n  buffer A: global float32[1024]\n", m->name);
}

/* All forms of row i; wgmma: its narrowest, a usual and its widest n. */
static void forms(Str *s, const Mma *i)
{
    if (i->kind == MMAwarp) {
        warp(s, i);
        return;
    }
    for (int form = 0; form < 8; form++) {
        bool both = (form & 3) == 3, wrong = i->kmajor_only && form > 1;
        if (both || wrong)
            continue;
        group(s, i, 64, form);
        if (form)
            continue;
        group(s, i, i->n, form);
        group(s, i, i->nmax, form);
    }
}

/* Texts --------------------------------------------------------------------- */

/* The printed text of the program in s; false: it is none. */
static bool printed(const Mma *i, const Str *s, Str *out)
{
    Prog *p = prog_parse(&mem_libc, s->s, s->n, "mma.ir");
    Plan *q = p && !p->ctx.nerror ? plan_new(p) : NULL;
    bool ok = q && emit_program(q, &cuda_dialect, false, out) && !out->bad;
    if (!ok && p && p->ctx.diags) {
        Str d = {0};
        diag_render(&d, &p->ctx, p->ctx.diags, LANGen, false, NULL, NULL);
        fail(i, d.s ? d.s : "out of memory");
        str_free(&d);
    } else if (!ok) {
        fail(i, "no text");
    }
    prog_free(p);
    return ok;
}

static const char *ptx_type(uint8_t dt)
{
    static const struct { uint8_t dt; const char *name; } t[] = {
        {DTf16, "f16"}, {DTbf16, "bf16"}, {DTtf32, "tf32"}, {DTf32, "f32"}, {DTf64, "f64"},
        {DTi8, "s8"}, {DTu8, "u8"}, {DTi32, "s32"}, {DTe4m3, "e4m3"}, {DTe5m2, "e5m2"}};
    for (size_t i = 0; i < COUNT(t); i++)
        if (t[i].dt == dt)
            return t[i].name;
    return "?";
}

/* The instruction as the PTX ISA writes it. */
static void instruction(const Mma *i, char *out, size_t n)
{
    const char *a = ptx_type(i->a), *b = ptx_type(i->b), *c = ptx_type(i->c);
    if (i->kind == MMAwarp)
        snprintf(out, n, "mma.sync.aligned.m%dn%dk%d.row.col.%s.%s.%s.%s ", i->m, i->n, i->k, c, a,
                 b, c);
    else
        snprintf(out, n, "wgmma.mma_async.sync.aligned.m%dn%dk%d.%s.%s.%s ", i->m, i->nmax, i->k, c,
                 a, b);
}

static void row(const Machine *m, const Mma *i)
{
    Str s = {0}, out = {0};
    char want[128];
    instruction(i, want, sizeof want);
    head(&s, m);
    forms(&s, i);
    str_puts(&s, "end\n");
    if (printed(i, &s, &out) && !strstr(out.s, want))
        fail(i, want);
    str_free(&s);
    str_free(&out);
}

static void machine(const Machine *m, const char *folder)
{
    Str s = {0}, out = {0};
    head(&s, m);
    for (int k = 0; k < m->nmma; k++) {
        row(m, &m->mma[k]);
        forms(&s, &m->mma[k]);
    }
    str_puts(&s, "end\n");
    if (folder && printed(&m->mma[0], &s, &out)) {
        Str path = {0};
        str_fmt(&path, "%s/%s.cu", folder, m->name);
        FILE *f = path.bad ? NULL : fopen(path.s, "we");
        if (!f || fwrite(out.s, 1, out.n, f) != out.n || fclose(f) != 0)
            fail(&m->mma[0], path.s);
        str_free(&path);
    }
    str_free(&s);
    str_free(&out);
}

int main(int argc, char **argv)
{
    targets_init();
    for (const Machine *const *m = machines; *m; m++)
        if (strcmp((*m)->family, "nvidia") == 0)
            machine(*m, argc > 1 ? argv[1] : NULL);
    return failures != 0;
}
