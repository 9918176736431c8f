/* targets/cpu/plan.c: where each buffer lives, and under which name.
 *
 * Tiles are arrays: small ones C arrays on the stack, so that the compiler can
 * keep them in registers, larger ones at fixed offsets of the thread's scratch
 * memory.  Offsets are handed out without reuse: scratch costs nothing until
 * it is touched. */
#include "emit.h"

static const int64_t StreamBytes = (int64_t)64 << 20;

enum {
    SmallTile = 4096,      /* bytes of a tile that becomes a C array */
    StackTiles = 64 * 1024 /* bytes of all of them in one launch */
};

/* Names ---------------------------------------------------------------- */

uint32_t scope_enter(Gen *g) { return g->names.n; }
void scope_leave(Gen *g, uint32_t mark) { name_forget(&g->names, mark); }

const char *declare(Gen *g, const char *name)
{
    const char *base = name_identifier(g->c, name, 'v');
    return name_take(g->c, &g->names, prelude_reserved(base) ? afmt(g->c, "my_%s", base) : base);
}

/* Holding -------------------------------------------------------------- */

/* What a tile of this type is held as when nothing looks at its bits. */
static enum Dtype cplan_widened(enum Dtype dt)
{
    switch (dt) {
    case DTf16:
    case DTbf16:
    case DTtf32:
    case DTe4m3:
    case DTe5m2: return DTf32;
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

static ExGo mark_read(void *ud, Ex e)
{
    Gen *g = ud;
    const Expr *x = ex_at(g->p, e);
    if (x->op == Xload)
        g->place[buf_root(g->p, x->sym)].read = true;
    return EXinto;
}

static bool mark_access(Stmt *s, void *ud)
{
    Gen *g = ud;
    stmt_ex_walk(g->p, s, mark_read, g);
    if (s->kind == Sstore) {
        g->place[buf_root(g->p, s->store.buf)].written = true;
    } else if (s->kind == Satomic) {
        g->place[buf_root(g->p, s->atomic.buf)].written = true;
        g->place[buf_root(g->p, s->atomic.buf)].read = true;
    } else if (s->kind == Sop) {
        const char *r = opinfo[s->op.op].regions;
        for (int i = 0; r[i]; i++) {
            if (!s->op.r[i].buf)
                continue;
            StorePlace *pl = &g->place[buf_root(g->p, s->op.r[i].buf)];
            pl->written = pl->written || r[i] != 'r';
            pl->read = pl->read || r[i] != 'w';
        }
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
        StorePlace *pl = &g->place[b];
        int64_t v;
        pl->alias = g->place[buf_root(p, b)].alias;
        pl->held =
            x->scope == SCglobal || pl->alias ? x->dt : (uint8_t)cplan_widened((enum Dtype)x->dt);
        pl->count = 1;
        for (int d = 0; x->scope != SCglobal && d < x->ndim; d++)
            if (x_isint(p, x->shape[d], &v))
                pl->count *= v;
        pl->kind = x->base                                               ? PLview
                   : x->scope == SCglobal                                ? PLpointer
                   : x->scope == SCvar && x->ndim == 1 && pl->count == 1 ? PLscalar
                                                                         : PLnone;
    }
    stmt_walk(p->body, mark_access, g);
}

/* Whether stores should pass the caches by: a tensor larger than those of most
 * machines that this program does not read. */
bool streams(const Gen *g, uint32_t buf)
{
    const StorePlace *pl = &g->place[buf];
    return pl->kind == PLpointer && !pl->read && !pl->alias &&
           buf_bytes(g->p, buf) >= StreamBytes && dtypeinfo[pl->held].bits >= 8;
}

static bool place_tile(Stmt *s, void *ud)
{
    Gen *g = ud;
    if (s->kind != Salloc)
        return true;
    StorePlace *pl = &g->place[s->alloc.buf];
    if (pl->kind != PLnone)
        return true;
    int64_t bytes = held_bytes((enum Dtype)pl->held, pl->count);
    if (bytes <= SmallTile && g->onstack + bytes <= StackTiles) {
        pl->kind = PLarray;
        g->onstack += bytes;
    } else {
        pl->kind = PLscratch;
        pl->offset = scratch_take(g, bytes);
    }
    return true;
}

void plan_launch(Gen *g, Stmt *launch)
{
    g->scratch = g->maxscratch = g->onstack = 0;
    stmt_walk(launch->launch.body, place_tile, g);
}
