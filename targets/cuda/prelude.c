/* targets/cuda/prelude.c: finds the text of a helper, and makes reductions of warps. */
#include "prelude.h"

#include <stdlib.h>
#include <string.h>

/* 90 of "sm_90a" */
static int capability(const Machine *m)
{
    return atoi(m->name + strcspn(m->name, "0123456789"));
}

static void need_all(Emit *e, const char *names)
{
    while (*names) {
        size_t n = strcspn(names, " ");
        emit_need(e, astr(&e->p->ctx, names, n));
        names += n + (names[n] == ' ');
    }
}

static const char *look_up(Emit *e, const CudaText *table, const char *name)
{
    for (const CudaText *t = table; t->name; t++)
        if (strcmp(t->name, name) == 0 && capability(e->m) >= t->since) {
            need_all(e, t->needs);
            return t->text;
        }
    return NULL;
}

/* Reductions of a warp ------------------------------------------------------- */

/* How x and y of this type combine, as the value in flight. */
static const char *combined(Emit *e, enum Intr fn, enum Dtype dt)
{
    Ctx *c = &e->p->ctx;
    bool f = dtypeinfo[dt].cls == 'F', d = dt == DTf64;
    const char *t = fn == Iwarp_sum ? "x + y"
                    : fn == Iwarp_max ? !f ? "max(x, y)" : d ? "fmax(x, y)" : "fmaxf(x, y)"
                    : fn == Iwarp_min ? !f ? "min(x, y)" : d ? "fmin(x, y)" : "fminf(x, y)"
                    : fn == Iwarp_bitand ? "x & y" : fn == Iwarp_bitor ? "x | y" : "x ^ y";
    if (fn != Iwarp_sum)
        return t;
    switch (dt) {
    case DTf16: case DTbf16: case DTe4m3: case DTe5m2:
        return e->d->cast(e, DTf32, dt, e->d->cast(e, dt, DTf32, t));
    case DTtf32: return e->d->cast(e, dt, DTf32, t);
    case DTi8: return "(signed char)(x + y)";
    case DTu8: return "(unsigned char)(x + y)";
    case DTi16: return "(short)(x + y)";
    case DTu16: return "(unsigned short)(x + y)";
    default: return afmt(c, "%s", t);
    }
}

static const char *value_type(enum Dtype dt)
{
    if (dtypeinfo[dt].cls == 'F')
        return dt == DTf64 ? "double" : "float";
    if (dtypeinfo[dt].bits == 64)
        return dt == DTu64 ? "unsigned long long" : "long long";
    return dt == DTu32 ? "unsigned" : "int";
}

/* A butterfly where all lanes are there, so that all get the same bits; else one
 * lane after the other. */
static const char *reduction(Emit *e, const char *name)
{
    Ctx *c = &e->p->ctx;
    for (int fn = Iwarp_sum; fn <= Iwarp_bitxor; fn++) {
        size_t n = strlen(intrinfo[fn].text);
        if (strncmp(name, intrinfo[fn].text, n) != 0 || name[n] != '_')
            continue;
        enum Dtype dt = dtypebyname(name + n + 1);
        if (dt == DTnone)
            return NULL;
        const char *t = value_type(dt), *xy = combined(e, (enum Intr)fn, dt);
        return afmt(c,
            FN "%s %s(%s v)\n{\n"
            "    unsigned mask = __activemask();\n"
            "    if (mask == 0xffffffffu) {\n"
            "        for (int step = 16; step > 0; step /= 2) {\n"
            "            %s o = __shfl_xor_sync(mask, v, step), x = v, y = o;\n"
            "            if (threadIdx.x & step)\n"
            "                x = o, y = v;\n"
            "            v = %s;\n"
            "        }\n"
            "        return v;\n"
            "    }\n"
            "    %s x = __shfl_sync(mask, v, __ffs(mask) - 1);\n"
            "    for (unsigned rest = mask & (mask - 1); rest; rest &= rest - 1) {\n"
            "        %s y = __shfl_sync(mask, v, __ffs(rest) - 1);\n"
            "        x = %s;\n"
            "    }\n"
            "    return x;\n}\n", t, name, t, t, xy, t, t, xy);
    }
    return NULL;
}

const char *cuda_helper(Emit *e, const char *name)
{
    const char *t = cuda_ptx_helper(e, name);
    t = t ? t : look_up(e, cuda_types, name);
    t = t ? t : look_up(e, cuda_math, name);
    return t ? t : reduction(e, name);
}
