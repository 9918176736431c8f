/* targets/cpu/plan.c: where each buffer lives, and under which name.
 *
 * Tiles are arrays: small ones C arrays on the stack, so that the compiler can
 * keep them in registers, larger ones at fixed offsets of the thread's scratch
 * memory.  Offsets are handed out without reuse: scratch costs nothing until
 * it is touched. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "emit.h"

enum {
    SmallTile = 4096,      /* bytes of a tile that becomes a C array */
    StackTiles = 64 * 1024 /* bytes of all of them in one launch */
};

/* Names ---------------------------------------------------------------- */

uint32_t scope_enter(Gen *g) { return g->nactive; }
void scope_leave(Gen *g, uint32_t mark) { g->nactive = mark; }

static bool taken(const Gen *g, const char *name)
{
    for (uint32_t i = 0; i < g->nactive; i++)
        if (strcmp(g->active[i], name) == 0)
            return true;
    return prelude_reserved(name);
}

const char *declare(Gen *g, const char *name)
{
    char base[64], full[80];
    size_t n = 0;
    for (const char *s = name; *s && n < sizeof base - 1; s++)
        base[n++] = isalnum((unsigned char)*s) ? *s : '_';
    if (n == 0 || isdigit((unsigned char)base[0])) {
        memmove(base + 1, base, n < sizeof base - 1 ? n : --n);
        base[0] = 'v';
        n++;
    }
    base[n] = '\0';
    snprintf(full, sizeof full, "%s", base);
    for (int k = 2; taken(g, full); k++)
        snprintf(full, sizeof full, "%s_%d", base, k);
    const char *s = astr(g->c, full, strlen(full));
    agrow(g->c, &g->active, &g->capactive, g->nactive + 1, sizeof *g->active);
    g->active[g->nactive++] = s;
    return s;
}

/* Holding -------------------------------------------------------------- */

/* What a tile of this type is held as when nothing looks at its bits. */
static enum Dtype widened(enum Dtype dt)
{
    switch (dt) {
    case DTf16: case DTbf16: case DTtf32: case DTe4m3: case DTe5m2: return DTf32;
    case DTi4: return DTi8;
    case DTu4: return DTu8;
    default: return dt;
    }
}

int64_t held_bytes(enum Dtype held, int64_t count)
{
    return (count * dtypeinfo[held].bits + 7) / 8;
}

int64_t scratch_take(Gen *g, int64_t bytes)
{
    int64_t at = g->scratch;
    g->scratch += (bytes + 63) / 64 * 64;
    if (g->scratch > g->maxscratch)
        g->maxscratch = g->scratch;
    return at;
}

static bool mark_written(Stmt *s, void *ud)
{
    Gen *g = ud;
    if (s->kind == Sstore) {
        g->place[buf_root(g->p, s->store.buf)].written = true;
    } else if (s->kind == Satomic) {
        g->place[buf_root(g->p, s->atomic.buf)].written = true;
    } else if (s->kind == Sop) {
        const char *r = opinfo[s->op.op].regions;
        for (int i = 0; r[i]; i++)
            if (r[i] != 'r' && s->op.r[i].buf)
                g->place[buf_root(g->p, s->op.r[i].buf)].written = true;
    }
    return true;
}

void plan_places(Gen *g)
{
    Prog *p = g->p;
    g->place = anew(g->c, p->nbuf * sizeof *g->place);
    for (uint32_t b = 1; b < p->nbuf; b++)
        if (p->buf[b].dt != p->buf[buf_root(p, b)].dt)
            g->place[buf_root(p, b)].alias = true;
    for (uint32_t b = 1; b < p->nbuf; b++) {
        const Buf *x = &p->buf[b];
        Place *pl = &g->place[b];
        int64_t v;
        pl->alias = g->place[buf_root(p, b)].alias;
        pl->held = x->scope == SCglobal || pl->alias ? x->dt : (uint8_t)widened((enum Dtype)x->dt);
        pl->count = 1;
        for (int d = 0; x->scope != SCglobal && d < x->ndim; d++)
            if (x_isint(p, x->shape[d], &v))
                pl->count *= v;
        pl->kind = x->base ? PKview : x->scope == SCglobal ? PKpointer
                   : x->scope == SCvar && x->ndim == 1 && pl->count == 1 ? PKscalar : PKnone;
    }
    stmt_walk(p->body, mark_written, g);
}

static bool place_tile(Stmt *s, void *ud)
{
    Gen *g = ud;
    if (s->kind != Salloc)
        return true;
    Place *pl = &g->place[s->alloc.buf];
    if (pl->kind != PKnone)
        return true;
    int64_t bytes = held_bytes((enum Dtype)pl->held, pl->count);
    if (bytes <= SmallTile && g->onstack + bytes <= StackTiles) {
        pl->kind = PKarray;
        g->onstack += bytes;
    } else {
        pl->kind = PKscratch;
        pl->offset = scratch_take(g, bytes);
    }
    return true;
}

void plan_launch(Gen *g, Stmt *launch)
{
    g->scratch = g->maxscratch = g->onstack = 0;
    stmt_walk(launch->launch.body, place_tile, g);
}
