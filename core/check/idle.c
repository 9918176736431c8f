/* core/check/idle.c: loops that never run, since they end where they begin or before.
 *
 * Such a loop is right where sizes leave nothing to do. But where nothing else writes a
 * tile that is read, or an output, that loop is what is wrong, not who reads. */
#include "check.h"
#include "core/ir/effects.h"
#include "err/check.h"

/* An index that takes no value. */
typedef struct Idle Idle;
struct Idle { uint32_t var; int64_t lo, hi, step; };

static bool check_idle(const Prog *p, const Stmt *s, Idle *k)
{
    k->step = 1;
    if (s->kind != Sfor || (s->loop.step && !x_isint(p, s->loop.step, &k->step)))
        return false;
    for (int i = 0; i < s->loop.n; i++) {
        k->var = s->loop.var[i];
        if (x_isint(p, s->loop.lo[i], &k->lo) && x_isint(p, s->loop.hi[i], &k->hi) &&
            (k->step > 0 ? k->hi <= k->lo : k->hi >= k->lo))
            return true;
    }
    return false;
}

/* The first such loop that writes the storage of root. */
typedef struct SoughtWrite SoughtWrite;
struct SoughtWrite { const Prog *p; uint32_t root; const Stmt *loop; bool found; };

static bool writes_live(void *ud, const MemEffect *e)
{
    SoughtWrite *k = ud;
    k->found |= e->mode & FXwrite && e->root == k->root;
    return !k->found;
}

static bool writes_inside(Stmt *s, void *ud)
{
    SoughtWrite *k = ud;
    return stmt_effects(k->p, s, writes_live, k);
}

static bool idle_loops(Stmt *s, void *ud)
{
    SoughtWrite *k = ud;
    Idle i;
    if (!check_idle(k->p, s, &i))
        return true;
    stmt_walk(s->loop.body, writes_inside, k);
    k->loop = k->found ? s : NULL;
    return !k->found;
}

bool check_never_runs(const Facts *f, const Access *a)
{
    int64_t least, lo, hi, most;
    for (const CheckFrame *k = a->in; k; k = k->up)
        for (int i = 0; k->s->kind == Sfor && i < k->s->loop.n; i++)
            if ((!k->s->loop.step || (x_range(f->p, k->s->loop.step, &least, &hi) && least > 0)) &&
                x_range(f->p, k->s->loop.lo[i], &least, &hi) &&
                x_range(f->p, k->s->loop.hi[i], &lo, &most) && most <= least)
                return true;
    return false;
}

bool check_idle_writer(Facts *f, uint32_t root)
{
    Prog *p = f->p;
    Ctx *c = &p->ctx;
    SoughtWrite k = {.p = p, .root = root};
    Idle i;
    stmt_walk(p->body, idle_loops, &k);
    if (!k.loop || !check_idle(p, k.loop, &i))
        return false;
    diag(c, E_loop_idle, k.loop->loc, p->var[i.var].name, afmt(c, "%lld", (long long)i.lo),
         afmt(c, "%lld", (long long)i.hi), afmt(c, "%lld", (long long)i.step), p->buf[root].name,
         NULL);
    return true;
}
