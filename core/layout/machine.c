/* core/layout/machine.c: machines, matrix instructions and cards by name, and the
 * layouts of an instruction's operands. */
#include <string.h>

#include "machine.h"

static const Machine *const no_machines[] = {NULL};
static const Card *const no_cards[] = {NULL};
const Machine *const *machines = no_machines;
const Card *const *cards = no_cards;

void hardware_use(const Machine *const *m, const Card *const *c)
{
    machines = m;
    cards = c;
}

const Machine *machine_find(const char *name)
{
    for (const Machine *const *m = machines; *m; m++)
        if (strcmp((*m)->name, name) == 0)
            return *m;
    return NULL;
}

const Timing *machine_timing(const Machine *m)
{
    static const Timing any = {32, 800, 64, 0.85, 0.85, 0.85, 0.1, 4, true};
    return m->timing ? m->timing : &any;
}

const Mma *mma_find(const char *name)
{
    for (const Machine *const *m = machines; *m; m++)
        for (int i = 0; i < (*m)->nmma; i++)
            if (strcmp((*m)->mma[i].name, name) == 0)
                return &(*m)->mma[i];
    return NULL;
}

const Mma *machine_mma(const Machine *m, const char *name)
{
    for (int i = 0; i < m->nmma; i++)
        if (strcmp(m->mma[i].name, name) == 0)
            return &m->mma[i];
    return mma_find(name);
}

const Card *card_find(const char *name)
{
    for (const Card *const *c = cards; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

/* A wgmma's operand is one warp's 16 rows repeated over the four warps of the
 * group, and C's 8 columns over registers. */
static void machine_group(const Mma *i, char which, int n, Layout *out)
{
    int32_t regs = (int32_t)layout_extent(out, AXreg);
    layout_mode(out, 0, 4, AXwarp, 1);
    out->size[0] = i->m;
    if (which == 'c') {
        layout_mode(out, 1, n / 8, AXreg, regs);
        out->size[1] = n;
    }
    layout_canon(out);
}

bool mma_layout(const Mma *i, char which, int n, Layout *out)
{
    const char *lane = which == 'a' ? i->alane : which == 'b' ? i->blane : i->clane;
    const char *reg = which == 'a' ? i->areg : which == 'b' ? i->breg : i->creg;
    const char *dims = which == 'a' ? "mk" : which == 'b' ? "kn" : "mn";
    if (!lane || !reg || !layout_bits(out, dims, lane, reg))
        return false;
    if (i->kind != MMAgroup)
        return true;
    if (which == 'c' && (n < 8 || n % 8 || n > i->nmax))
        return false;
    machine_group(i, which, n, out);
    return true;
}
