/* core/lower/audit/play.c: the warps go through their events side by side, and each
 * access asks the cells that it touches whether what was done there has happened before.
 *
 * Time is counted by each warp for itself.  What a warp knows of another one is the
 * time up to which all of that one's lanes are behind it, and a later one for some
 * lanes alone; of itself, when its lanes met last.  Asynchronous work is at no time
 * until somebody waits for it. */
#include <string.h>

#include "audit.h"
#include "core/lower/build/low.h"

#define NEVER UINT32_MAX

/* Clocks ------------------------------------------------------------------ */

typedef struct Comp Comp;
struct Comp { uint32_t all, some; uint64_t lanes; };

/* fenced: up to when what a warp wrote is seen by the async proxy, too. */
typedef struct Clock Clock;
struct Clock { Comp *k; uint32_t *fenced; };

/* Who read a cell since it was written, or updated it by an atomic: of each component and
 * kind the newest. */
enum { RDplain, RDasync, RDatomic };
typedef struct Reader Reader;
struct Reader { uint32_t time, event, next; int32_t who; uint16_t comp; uint8_t kind; };

typedef struct Cell Cell;
struct Cell { uint32_t time, event, readers; int32_t who; uint16_t comp; bool written, atomics; };

typedef struct Flight Flight;
struct Flight { uint32_t event, group; uint8_t fly; };

typedef struct Warp Warp;
struct Warp {
    Clock know;
    Comp *some; uint64_t lanes; bool pending; /* what some lanes have waited for alone */
    uint32_t time, at;
    bool arrived; uint32_t turn; /* at a barrier: for which of its turns it waits */
    uint32_t left;         /* turn of the cluster's barrier at which it arrived */
    Flight *fl; uint32_t nfl, capfl;
    uint32_t group[NFly];  /* commits so far */
};

typedef struct Meet Meet;
struct Meet { int64_t here; uint32_t turn; Clock in, out; };

typedef struct Mbar Mbar;
struct Mbar {
    int64_t count, pending, tx;
    uint32_t phase, time;
    uint32_t *fl, nfl, capfl; /* events of loads under way */
    Clock in, out;
};

typedef struct Play Play;
struct Play {
    Audit *a;
    int ncomp, mbar0;      /* components: warps, mbarriers */
    Warp *warp;
    Meet meet[NamedBarriers + 1];
    Mbar *mbar;
    Cell *cell;
    Reader *reader; uint32_t nreader, capreader, spare;
};

static Clock clock_new(Play *y)
{
    Ctx *c = y->a->c;
    size_t n = (size_t)y->ncomp;
    return (Clock){anew(c, n * sizeof(Comp)), anew(c, n * sizeof(uint32_t))};
}

static void comp_join(Comp *a, const Comp *b)
{
    if (b->all > a->all)
        a->all = b->all;
    if (b->some > a->all) {
        a->lanes = (a->some > a->all ? a->lanes : 0) | b->lanes;
        a->some = b->some > a->some ? b->some : a->some;
    }
}

static void comps_join(const Play *y, Comp *a, const Comp *b)
{
    for (int i = 0; i < y->ncomp; i++)
        comp_join(&a[i], &b[i]);
}

static void clock_join(const Play *y, Clock *a, const Clock *b)
{
    comps_join(y, a->k, b->k);
    for (int i = 0; i < y->ncomp; i++)
        if (b->fenced[i] > a->fenced[i])
            a->fenced[i] = b->fenced[i];
}

/* Lanes of warp w that there are. */
static uint64_t full(const Play *y, int w)
{
    int warp = y->a->m->warp, n = y->a->threads - w * warp;
    n = n < warp ? n : warp;
    return n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

/* Order ------------------------------------------------------------------- */

static void release(Play *y, int w, uint64_t lanes, Clock *to)
{
    Warp *k = &y->warp[w];
    Comp own = k->know.k[w];
    clock_join(y, to, &k->know);
    if (k->pending && !(lanes & ~k->lanes))
        comps_join(y, to->k, k->some);
    k->time++;
    if (lanes == full(y, w))
        own = (Comp){k->time, 0, 0};
    else
        own = (Comp){own.all, k->time, lanes};
    comp_join(&to->k[w], &own);
}

/* The lanes of w know of each other, and what some of them do. */
static void together(Play *y, int w)
{
    Warp *k = &y->warp[w];
    if (k->pending)
        comps_join(y, k->know.k, k->some);
    k->pending = false;
    k->time++;
    k->know.k[w] = (Comp){k->time, 0, 0};
}

static void acquire(Play *y, int w, uint64_t lanes, const Clock *from)
{
    Warp *k = &y->warp[w];
    Comp own = k->know.k[w];
    if (lanes == full(y, w)) {
        clock_join(y, &k->know, from);
        k->know.k[w] = own;
        return;
    }
    if (!k->pending) {
        memset(k->some, 0, (size_t)y->ncomp * sizeof *k->some);
        k->lanes = 0;
    }
    k->pending = true;
    k->lanes |= lanes;
    comps_join(y, k->some, from->k);
    for (int i = 0; i < y->ncomp; i++)
        if (from->fenced[i] > k->know.fenced[i])
            k->know.fenced[i] = from->fenced[i];
}

static void fence(Play *y, int w)
{
    Warp *k = &y->warp[w];
    for (int i = 0; i < y->ncomp; i++) {
        uint32_t t = k->know.k[i].all;
        if (k->pending && k->some[i].all > t)
            t = k->some[i].all;
        if (t > k->know.fenced[i])
            k->know.fenced[i] = t;
    }
    k->know.fenced[w] = ++k->time;
}

/* Has what `who` of component comp did at `time` happened before what `by` of warp w does? */
static bool knows(const Comp *c, uint32_t time, int lane)
{
    return time < c->all || (time < c->some && lane >= 0 && (c->lanes >> lane & 1));
}

/* Warps of the group itself have all to have waited before one of them touches what
 * wgmma read; others are told by any that has. */
static bool group_behind(const Play *y, int w, int by, const Event *e, int first)
{
    const Warp *k = &y->warp[w];
    bool own = k->pending && by >= 0 && (k->lanes >> by % y->a->m->warp & 1);
    int size = y->a->m->group, n = 0;
    for (int i = first; i < first + size && i < y->a->warps; i++) {
        uint32_t t = e->time[i];
        n += t != NEVER && (i == w || t < k->know.k[i].all || t < k->know.k[i].some ||
                            (own && (t < k->some[i].all || t < k->some[i].some)));
    }
    int all = y->a->warps - first < size ? y->a->warps - first : size;
    return w >= first && w < first + size ? n == all : n > 0;
}

static bool behind(const Play *y, int w, int by, uint32_t event, int comp, uint32_t time, int who)
{
    const Warp *k = &y->warp[w];
    const Event *e = &y->a->e[event];
    int warp = y->a->m->warp, lane = who < 0 ? -1 : who % warp;
    if (e->fly == FLwgmma)
        return group_behind(y, w, by, e, comp);
    if (time == NEVER)
        return false;
    if (who >= 0 && who == by)
        return true;
    if (knows(&k->know.k[comp], time, lane))
        return true;
    return k->pending && by >= 0 && (k->lanes >> by % warp & 1) &&
           knows(&k->some[comp], time, lane);
}

/* Cells ------------------------------------------------------------------- */

static void lacks(Play *y, const Event *now, uint32_t past, bool fence)
{
    Audit *a = y->a;
    const Stmt *s = a->e[past].s;
    for (uint32_t i = 0; i < a->nlack; i++)
        if (a->lack[i].a == s && a->lack[i].b == now->s)
            return;
    agrow(a->c, &a->lack, &a->caplack, a->nlack + 1, sizeof *a->lack);
    a->lack[a->nlack++] = (Lack){s, now->s, fence, now->touch->buf};
}

/* Two that may be anywhere, and the first is asynchronous: only a wait could order them,
 * and whether they meet is for the program to know. */
static bool guessed(const Event *now, const Event *past)
{
    return past->fly && now->cells->all && past->cells->all;
}

static void ask_write(Play *y, const Event *now, int w, const Mark *m)
{
    const Cell *c = &y->cell[m->cell];
    if (!c->written || y->a->e[c->event].step == now->step ||
        guessed(now, &y->a->e[c->event]))
        return;
    const Touch *t = y->a->e[c->event].touch;
    if (!behind(y, w, m->who, c->event, c->comp, c->time, c->who))
        lacks(y, now, c->event, false);
    else if (y->a->m->proxies && now->touch->async && !t->async && c->comp < y->mbar0 &&
             y->a->p->buf[t->buf].scope == SCshared &&
             y->warp[w].know.fenced[c->comp] <= c->time)
        lacks(y, now, c->event, true);
}

/* Reads have no order among themselves, nor have atomics. */
static void ask_others(Play *y, const Event *now, int w, const Mark *m)
{
    int mode = now->touch->mode;
    const Cell *c = &y->cell[m->cell];
    for (uint32_t i = c->readers; i; i = y->reader[i].next) {
        const Reader *r = &y->reader[i];
        bool meets = mode & FXatomic ? r->kind != RDatomic : mode & FXwrite || r->kind == RDatomic;
        if (meets && y->a->e[r->event].step != now->step &&
            !guessed(now, &y->a->e[r->event]) &&
            !behind(y, w, m->who, r->event, r->comp, r->time, r->who))
            lacks(y, now, r->event, false);
    }
}

static void drop_readers(Play *y, Cell *c)
{
    while (c->readers) {
        uint32_t i = c->readers;
        c->readers = y->reader[i].next;
        y->reader[i].next = y->spare;
        y->spare = i;
    }
}

static Reader *reader_of(const Play *y, const Cell *c, int comp, int kind)
{
    for (uint32_t i = c->readers; i; i = y->reader[i].next)
        if (y->reader[i].comp == comp && y->reader[i].kind == kind)
            return &y->reader[i];
    return NULL;
}

static void add_reader(Play *y, Cell *c, Reader r)
{
    uint32_t i = y->spare;
    if (i) {
        y->spare = y->reader[i].next;
    } else {
        y->nreader += y->nreader == 0;
        agrow(y->a->c, &y->reader, &y->capreader, y->nreader + 1, sizeof *y->reader);
        i = y->nreader++;
    }
    r.next = c->readers;
    y->reader[i] = r;
    c->readers = i;
    c->atomics |= r.kind == RDatomic;
}

/* Who has asked before, asks nothing new: nobody has written since, and one only gets to
 * know more. */
static void read_cell(Play *y, const Event *e, int w, const Mark *m, Reader r)
{
    Cell *c = &y->cell[m->cell];
    Reader *k = reader_of(y, c, r.comp, r.kind);
    if (!k || k->who != r.who)
        ask_write(y, e, w, m);
    if (r.kind == RDatomic || c->atomics)
        ask_others(y, e, w, m);
    if (!k) {
        add_reader(y, c, r);
        return;
    }
    r.next = k->next;
    r.who = k->who == r.who || k->time != r.time ? r.who : -1;
    *k = r;
}

static int comp_of(const Play *y, const Event *e, int w)
{
    return e->fly == FLbarrier ? y->mbar0 + (int)e->id : w;
}

static void touch(Play *y, int w, uint32_t id)
{
    Audit *a = y->a;
    const Event *e = &a->e[id];
    const Cells *s = e->cells;
    int mode = e->touch->mode;
    uint16_t comp = (uint16_t)comp_of(y, e, w);
    uint32_t time = e->fly ? NEVER : y->warp[w].time;
    uint8_t kind = mode & FXatomic ? RDatomic : e->fly ? RDasync : RDplain;
    for (uint32_t i = s->kindfrom[w]; i < s->kindfrom[w + 1]; i++) {
        const Mark *m = &s->kind[i];
        if (mode & FXwrite && !(mode & FXatomic)) {
            Cell *c = &y->cell[m->cell];
            ask_write(y, e, w, m);
            ask_others(y, e, w, m);
            drop_readers(y, c);
            *c = (Cell){time, id, 0, m->who, comp, true, false};
        } else {
            read_cell(y, e, w, m, (Reader){time, id, 0, m->who, comp, kind});
        }
    }
    a->work += s->kindfrom[w + 1] - s->kindfrom[w];
    bool any = s->kindfrom[w + 1] > s->kindfrom[w];
    if (e->fly == FLwgmma || (e->fly && e->fly != FLbarrier && any)) {
        Warp *k = &y->warp[w];
        agrow(a->c, &k->fl, &k->capfl, k->nfl + 1, sizeof *k->fl);
        k->fl[k->nfl++] = (Flight){id, k->group[e->fly], e->fly};
    }
    if (e->fly == FLbarrier && any) {
        Mbar *b = &y->mbar[e->id];
        agrow(a->c, &b->fl, &b->capfl, b->nfl + 1, sizeof *b->fl);
        b->fl[b->nfl++] = id;
    }
}

/* What event id did in warp w is done at `time`. */
static void land(Play *y, int w, uint32_t id, uint32_t time)
{
    const Event *e = &y->a->e[id];
    const Cells *s = e->cells;
    int comp = comp_of(y, e, w);
    for (uint32_t i = s->kindfrom[w]; i < s->kindfrom[w + 1]; i++) {
        Cell *c = &y->cell[s->kind[i].cell];
        if (e->touch->mode & FXwrite) {
            if (c->written && c->event == id && c->comp == comp)
                c->time = time;
            continue;
        }
        for (uint32_t r = c->readers; r; r = y->reader[r].next)
            if (y->reader[r].event == id && y->reader[r].comp == comp)
                y->reader[r].time = time;
    }
}

/* Waiting ----------------------------------------------------------------- */

/* All of kind `fly` in warp w, but its newest n groups. */
static void wait(Play *y, int w, const Event *e)
{
    Warp *k = &y->warp[w];
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->nfl; i++) {
        const Flight *f = &k->fl[i];
        if (f->fly != e->fly || (int64_t)f->group >= (int64_t)k->group[e->fly] - e->n)
            k->fl[n++] = *f;
        else if (f->fly == FLwgmma)
            y->a->e[f->event].time[w] = k->time;
        else
            land(y, w, f->event, k->time);
    }
    k->nfl = n;
}

static bool barrier(Play *y, int w, const Event *e, uint64_t lanes)
{
    Warp *k = &y->warp[w];
    Meet *b = &y->meet[e->id];
    if (e->what == DOleave ? k->left < b->turn : k->arrived && k->turn < b->turn) {
        k->arrived = false;
        acquire(y, w, lanes, &b->out);
        if (lanes == full(y, w))
            together(y, w);
        return true;
    }
    if (k->arrived || e->what == DOleave)
        return false;
    release(y, w, lanes, &b->in);
    k->arrived = e->what == DObarrier;
    k->turn = k->left = b->turn;
    b->here += __builtin_popcountll(lanes);
    if (b->here >= e->n) {
        b->here = 0;
        b->turn++;
        clock_join(y, &b->out, &b->in);
    }
    return e->what == DOarrive ? true : barrier(y, w, e, lanes);
}

static void turn(Play *y, Mbar *b, int comp)
{
    if (b->pending != 0 || b->tx != 0 || b->count == 0)
        return;
    b->pending = b->count;
    b->phase ^= 1;
    for (uint32_t i = 0; i < b->nfl; i++)
        for (int w = 0; w < y->a->warps; w++)
            land(y, w, b->fl[i], b->time);
    b->nfl = 0;
    b->time++;
    clock_join(y, &b->out, &b->in);
    b->out.k[comp].all = b->time;
}

static bool mbarrier(Play *y, int w, const Event *e, uint64_t lanes)
{
    Mbar *b = &y->mbar[e->id];
    int n = __builtin_popcountll(lanes), comp = y->mbar0 + (int)e->id;
    switch (e->what) {
    case DOinit: b->count = b->pending = e->n; return true;
    case DOmwait:
        if ((int64_t)(b->phase & 1) == (e->n & 1))
            return false;
        acquire(y, w, lanes, &b->out);
        return true;
    case DOload: b->tx -= e->n * n; break;
    case DOexpect: b->tx += e->n * n; break;
    default: break;
    }
    if (e->what == DOmarrive || e->arrives) {
        release(y, w, lanes, &b->in);
        b->pending -= n;
    }
    turn(y, b, comp);
    return true;
}

/* Event id of warp w; false: it waits. */
static bool happen(Play *y, int w, uint32_t id)
{
    const Event *e = &y->a->e[id];
    uint64_t lanes = e->mask->warp[w];
    switch (e->what) {
    case DOtouch: touch(y, w, id); return true;
    case DObarrier: case DOarrive: case DOleave: return barrier(y, w, e, lanes);
    case DOwarp: together(y, w); return true;
    case DOfence: fence(y, w); return true;
    case DOcommit: y->warp[w].group[e->fly]++; return true;
    case DOwait: wait(y, w, e); return true;
    default: return mbarrier(y, w, e, lanes);
    }
}

/* Warp w runs until it waits, or has arrived at an mbarrier: none gets so far ahead that
 * others miss a phase that they had time to see. */
static bool runs(Play *y, int w)
{
    Warp *k = &y->warp[w];
    uint32_t from = k->at;
    while (k->at < y->a->n) {
        const Event *e = &y->a->e[k->at];
        if (e->mask->warp[w] && !happen(y, w, k->at))
            break;
        k->at++;
        if (e->mask->warp[w] && (e->what == DOmarrive || e->arrives))
            break;
    }
    return k->at != from;
}

static Play *make(Audit *a)
{
    Ctx *c = a->c;
    Play *y = anew(c, sizeof *y);
    y->a = a;
    y->mbar0 = a->warps;
    y->ncomp = y->mbar0 + (int)a->nobject;
    y->cell = anew(c, a->ncell * sizeof *y->cell);
    y->warp = anew(c, (size_t)a->warps * sizeof *y->warp);
    y->mbar = anew(c, ((size_t)a->nobject + 1) * sizeof *y->mbar);
    for (int w = 0; w < a->warps; w++) {
        y->warp[w].know = clock_new(y);
        y->warp[w].some = anew(c, (size_t)y->ncomp * sizeof(Comp));
    }
    for (uint32_t i = 0; i < a->nobject; i++) {
        y->mbar[i].in = clock_new(y);
        y->mbar[i].out = clock_new(y);
    }
    for (int i = 0; i <= NamedBarriers; i++) {
        y->meet[i].in = clock_new(y);
        y->meet[i].out = clock_new(y);
    }
    return y;
}

static void clear(const Play *y, Clock *c)
{
    memset(c->k, 0, (size_t)y->ncomp * sizeof *c->k);
    memset(c->fenced, 0, (size_t)y->ncomp * sizeof *c->fenced);
}

/* All as it was before anything happened, in the same memory. */
static void begin(Play *y)
{
    Audit *a = y->a;
    memset(y->cell, 0, a->nkind * sizeof *y->cell);
    y->nreader = y->spare = 0;
    for (int w = 0; w < a->warps; w++) {
        Warp k = y->warp[w];
        clear(y, &k.know);
        y->warp[w] = (Warp){.know = k.know, .some = k.some, .fl = k.fl, .capfl = k.capfl};
    }
    for (uint32_t i = 0; i < a->nobject; i++) {
        Mbar k = y->mbar[i];
        clear(y, &k.in);
        clear(y, &k.out);
        y->mbar[i] = (Mbar){.in = k.in, .out = k.out, .fl = k.fl, .capfl = k.capfl};
    }
    for (int i = 0; i <= NamedBarriers; i++) {
        Meet k = y->meet[i];
        clear(y, &k.in);
        clear(y, &k.out);
        y->meet[i] = (Meet){.in = k.in, .out = k.out};
    }
}

/* The first statement at which a warp waits for ever. */
static const Stmt *waits(const Play *y)
{
    const Audit *a = y->a;
    uint32_t first = a->n;
    for (int w = 0; w < a->warps; w++)
        first = y->warp[w].at < first ? y->warp[w].at : first;
    return first < a->n ? a->e[first].s : NULL;
}

const Stmt *audit_play(Audit *a)
{
    bool moved = true, done = false;
    if (!a->play)
        a->play = make(a);
    Play *y = a->play;
    begin(y);
    while (moved && !done && !(a->limit && a->work > a->limit)) {
        moved = false;
        done = true;
        for (int w = 0; w < a->warps; w++) {
            moved |= runs(y, w);
            done &= y->warp[w].at == a->n;
        }
    }
    return done || moved ? NULL : waits(y);
}
