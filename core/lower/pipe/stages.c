/* core/lower/pipe/stages.c: pipelines that fit into the machine's shared memory.
 *
 * num_stages asks for so many stages of what a loop loads.  A kernel that was
 * tuned for 227 KB still has to run where a block has 64: the deepest loops
 * give up stages, one at a time, with a note; where there is room, each gets one more
 * than it asked for.  What is left goes to the boxes through which results leave
 * (epilogue_plan.c); for the first of them a loop gives up stages, too.  What later passes
 * turned out to need (retry.c) is taken from both. */
#include "core/ir/walk.h"
#include "core/lower/shared/shared.h"
#include "persist.h"
#include "err/pipes.h"

enum { Enough = 3 /* stages that boxes of results leave to a loop */ };

typedef struct StageSearch StageSearch;
struct StageSearch {
    Low *l;
    Stmt **loop;
    int *wanted;
    uint32_t n, caploop, capwanted;
    int *stages;  /* of a Buf */
    bool *apart;  /* of a Buf: used outside of pipelined loops, where it has bytes of its own */
    Stmt *around; /* the pipelined loop that a copy is in */
};

/* Shared buffer `to` is loaded in a pipelined loop: it gets the stages. */
static void stages_loaded(StageSearch *t, uint32_t to)
{
    int n = t->around ? t->around->loop.num_stages : 1;
    if (n > t->stages[to])
        t->stages[to] = n;
}

static void stages_copied(StageSearch *t, const Stmt *s)
{
    const Prog *p = t->l->p;
    uint32_t from = buf_root(p, s->op.r[0].buf), to = buf_root(p, s->op.r[1].buf);
    if (p->buf[from].scope == SCglobal && p->buf[to].scope == SCshared)
        stages_loaded(t, to);
}

static bool stages_outside(void *ud, const MemEffect *e)
{
    StageSearch *t = ud;
    t->apart[e->root] = true;
    return true;
}

static void find_loops(StageSearch *t, Stmt *s)
{
    Stmt **b[2];
    for (; s; s = s->next) {
        Stmt *outer = t->around, one = stmt_bare(s);
        if (!outer)
            block_effects(t->l->p, &one, false, stages_outside, t);
        const char *why;
        if (s->kind == Sop && s->op.op == Ocopy)
            stages_copied(t, s);
        else if (outer && s->kind == Sfor && s->loop.kind == Fparallel && select_gather(t->l, s, &why))
            stages_loaded(t, buf_root(t->l->p, s->loop.body->store.buf));
        if (s->kind == Sfor && s->loop.kind == Fpipelined && !outer) {
            OwnSteps o;
            t->around = s;
            bool apart = own_steps(t->l, s, &o);
            for (uint32_t i = 0; apart && i < o.ntile; i++)
                stages_loaded(t, o.tile[i]);
        }
        for (int i = 0, n = low_blocks(s, b); i < n; i++)
            find_loops(t, *b[i]);
        t->around = outer;
    }
}

static Stmt *collect_loops(Low *l, Stmt *s, bool *into, void *ud)
{
    StageSearch *t = ud;
    Ctx *c = &l->p->ctx;
    (void)into;
    bool own = s->kind == Sfor && s->loop.kind == Fpipelined && s->loop.num_stages > 0;
    if (own && !s->loop.norder && !s->loop.nstage) {
        agrow(c, &t->wanted, &t->capwanted, t->n + 1, sizeof *t->wanted);
        agrow(c, &t->loop, &t->caploop, t->n + 1, sizeof *t->loop);
        t->wanted[t->n] = s->loop.num_stages;
        t->loop[t->n++] = s;
    }
    return s;
}

static int64_t stages_needed(StageSearch *t)
{
    Prog *p = t->l->p;
    int64_t barriers = t->l->m->tma ? 256 : 0; /* of barrier pairs */
    for (uint32_t b = 0; b < p->nbuf; b++)
        t->stages[b] = t->apart[b] = 0;
    find_loops(t, t->l->launch->launch.body);
    for (uint32_t b = 0; b < p->nbuf; b++) /* a loop of one stage has none */
        t->stages[b] = t->stages[b] > 1 ? t->stages[b] + t->apart[b] : 1;
    return low_estimate(t->l, t->stages) + barriers;
}

/* What the loops have of `from` when the deepest has given up one stage, `times` times:
 * never less than `least`. */
static void stages_give_up(StageSearch *t, const int *from, int least, int64_t times)
{
    int level = least;
    for (uint32_t i = 0; i < t->n; i++) {
        t->loop[i]->loop.num_stages = from[i];
        level = from[i] > level ? from[i] : level;
    }
    for (; level > least; level--)
        for (uint32_t i = 0; i < t->n && times > 0; i++)
            if (t->loop[i]->loop.num_stages == level) {
                t->loop[i]->loop.num_stages--;
                times--;
            }
}

/* Takes the fewest stages, those above `least`, with which all and `more` bytes fit, or all of
 * these; bytes that are needed then. */
static int64_t stages_fit(StageSearch *t, int least, int64_t more)
{
    int64_t most = 0, none = -1, now = stages_needed(t), room = t->l->m->shared_block - more;
    int *from = anew(&t->l->p->ctx, ((size_t)t->n + 1) * sizeof *from);
    for (uint32_t i = 0; i < t->n; i++) {
        from[i] = t->loop[i]->loop.num_stages;
        most += from[i] > least ? from[i] - least : 0;
    }
    if (now <= room || most == 0)
        return now;
    while (most - none > 1) { /* `none` of them are too few */
        int64_t mid = none + (most - none) / 2;
        stages_give_up(t, from, least, mid);
        if (stages_needed(t) <= room)
            most = mid;
        else
            none = mid;
    }
    stages_give_up(t, from, least, most);
    return stages_needed(t);
}

/* Has each iteration of the loop a stage of its own already? */
static bool stages_all(const Low *l, const Stmt *s)
{
    int64_t lo, hi;
    return x_isint(l->p, s->loop.lo[0], &lo) && x_isint(l->p, s->loop.hi[0], &hi) && hi - lo <= s->loop.num_stages;
}

enum { SpareTries = 64 };

/* One stage more for the loops from .. to - 1 that have a use for it, or back; how many those are. */
static uint32_t stages_one_more(StageSearch *t, uint32_t from, uint32_t to, bool back)
{
    uint32_t n = 0;
    for (uint32_t i = from; i < to; i++) {
        Stmt *s = t->loop[i];
        if (back ? !s->loop.spare : stages_all(t->l, s))
            continue;
        s->loop.spare = !back;
        s->loop.num_stages += back ? -1 : 1;
        n++;
    }
    return n;
}

/* One stage more than asked for each loop, the first before the last, where there is room beside `more` bytes
 * and as many blocks stay side by side; bytes that are needed then.  A copy need not wait for the readers of its
 * place with it: as many are under way as were asked for, with one barrier a round instead of two, and a loop of
 * one stage has copies under way at all.  roles_plan.c may take it back, and retry.c, where in the end it is
 * more.  To ask what is needed goes through the program: loops are asked for together, then for half of them,
 * and no more than SpareTries times. */
static int64_t stages_spare(StageSearch *t, int64_t now, int64_t more)
{
    Low *l = t->l;
    int64_t most = resident_most(l, now + more);
    uint32_t width = t->n, i = 0, tries = 0;
    while (i < t->n && tries < SpareTries && now + more <= most) {
        uint32_t end = width < t->n - i ? i + width : t->n, size = end - i;
        if (!stages_one_more(t, i, end, false)) {
            i = end;
            continue;
        }
        int64_t then = stages_needed(t);
        bool fits = then + more <= most;
        tries++;
        if (fits) {
            now = then;
            l->needs.spare = most;
        } else {
            stages_one_more(t, i, end, true);
        }
        i = fits || size == 1 ? end : i;
        width = fits ? 2 * size : (size + 1) / 2;
    }
    while (i < t->n && stages_all(l, t->loop[i]))
        i++;
    if (i < t->n && tries == SpareTries)
        low_note(l, E_pipe_spare_tries, t->loop[i], afmt(&l->p->ctx, "%d", SpareTries));
    return now;
}

typedef struct StageRoom StageRoom;
struct StageRoom { StageSearch *t; int64_t most; };

/* Does the program as it stands, with what has come to it since, take no more than that? */
static bool stages_fits(void *ud)
{
    const StageRoom *k = ud;
    Ctx *c = &k->t->l->p->ctx;
    k->t->stages = anew(c, k->t->l->p->nbuf * sizeof *k->t->stages);
    k->t->apart = anew(c, k->t->l->p->nbuf * sizeof *k->t->apart);
    return stages_needed(k->t) <= k->most;
}

void low_stages(Low *l)
{
    Ctx *c = &l->p->ctx;
    StageSearch t = {.l = l};
    int64_t boxes = epilogue_wish(l);
    low_rewrite(l, &l->launch->launch.body, collect_loops, &t);
    t.stages = anew(c, l->p->nbuf * sizeof *t.stages);
    t.apart = anew(c, l->p->nbuf * sizeof *t.apart);
    /* low_alloc_shared says what is too large even with single stages */
    int64_t keep = l->retry.keep, asked = stages_needed(&t) + keep, now = stages_fit(&t, 1, 0);
    if (keep)
        now = stages_fit(&t, l->retry.one ? 1 : 2, keep);
    if (boxes)
        now = stages_fit(&t, Enough, boxes + keep);
    low_resident(l, now + boxes + keep);
    if (!l->launch->launch.own_stages && !l->retry.lean && !keep && l->m->cp_async)
        now = stages_spare(&t, now, boxes);
    int64_t most = resident_shared(l), room = most > keep + now ? most - keep - now : 0;
    StageRoom whole = {&t, most - keep};
    int64_t left = epilogue_plan(l, room, stages_fits, &whole);
    l->needs.planned = now + room - left;
    l->needs.boxes = left < room || l->needs.after;
    l->needs.never = now > l->m->shared_block && !l->needs.copies;
    for (uint32_t i = 0; i < t.n; i++)
        if (t.loop[i]->loop.num_stages > l->needs.stages)
            l->needs.stages = t.loop[i]->loop.num_stages;
    for (uint32_t i = 0; i < t.n; i++)
        if (t.loop[i]->loop.num_stages < t.wanted[i])
            low_note(l, E_shared_stages, t.loop[i], afmt(c, "%d", t.loop[i]->loop.num_stages),
                     afmt(c, "%d", t.wanted[i]), afmt(c, "%lld", (long long)asked), l->m->name,
                     afmt(c, "%d", l->m->shared_block));
}
