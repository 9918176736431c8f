/* core/lower/audit/play.c: the warps go through their events side by side, and each
 * access asks the cells that it touches whether what was done there has happened before.
 *
 * Time is counted by each warp for itself.  What a warp knows of another one is the
 * time up to which all of that one's lanes are behind it, and a later one for some
 * lanes alone; of itself, when its lanes met last, and where some met alone, what each of
 * them knows of each.  Asynchronous work is at no time
 * until somebody waits for it. */
#include <string.h>

#include "audit.h"
#include "core/lower/build/low.h"

#define NEVER UINT32_MAX

/* Clocks ------------------------------------------------------------------ */

typedef struct PlayComp PlayComp;
struct PlayComp { uint32_t all, some; uint64_t lanes; };

/* fenced: up to when what a warp wrote is seen by the async proxy, too. */
typedef struct PlayClock PlayClock;
struct PlayClock { PlayComp *k; uint32_t *fenced; };

/* Who read a cell since it was written, or updated it by an atomic: of each component and
 * kind the newest. */
enum { RDplain, RDasync, RDatomic, RDload }; /* RDload: an atomic that only reads */
typedef struct PlayReader PlayReader;
struct PlayReader {
    uint32_t time, event, next;
    int32_t who;
    uint64_t lanes;        /* all of its warp who have read since all met */
    uint16_t comp;
    uint8_t kind;
};

typedef struct PlayCell PlayCell;
struct PlayCell {
    uint32_t time, event, readers;
    int32_t who;
    uint16_t comp;
    bool written, atomics;
};

typedef struct PlayFlight PlayFlight;
struct PlayFlight { uint32_t event, group; uint8_t fly; };

typedef struct PlayWarp PlayWarp;
struct PlayWarp {
    PlayClock know;
    PlayComp *some; uint64_t lanes; bool pending; /* what some lanes have waited for alone */
    uint32_t *met;         /* [lane * warp + other]: up to when lane is behind other; NULL: not yet */
    uint32_t time, at;
    bool arrived; uint32_t turn; /* at a barrier: for which of its turns it waits */
    uint32_t left;         /* turn of the cluster's barrier at which it arrived */
    PlayFlight *fl; uint32_t nfl, capfl;
    uint32_t group[NFly];  /* commits so far */
};

typedef struct PlayMeeting PlayMeeting;
struct PlayMeeting { int64_t here; uint32_t turn; PlayClock in, out; };

typedef struct PlayMbar PlayMbar;
struct PlayMbar {
    int64_t count, pending, tx;
    uint32_t phase, time;
    uint32_t *fl, nfl, capfl; /* events of loads under way */
    PlayClock in, out;
};

typedef struct Play Play;
struct Play {
    Audit *a;
    int ncomp, mbar0;      /* components: warps, mbarriers */
    PlayWarp *warp;
    PlayMeeting meet[NamedBarriers + 1];
    PlayMbar *mbar;
    PlayCell *cell;
    PlayReader *reader; uint32_t nreader, capreader, spare;
    bool waits;            /* only who waits for whom is asked, not what is accessed */
};

static PlayClock clock_new(Play *y)
{
    Ctx *c = y->a->c;
    size_t n = (size_t)y->ncomp;
    return (PlayClock){anew(c, n * sizeof(PlayComp)), anew(c, n * sizeof(uint32_t))};
}

static void play_comp_join(PlayComp *a, const PlayComp *b)
{
    if (b->all > a->all)
        a->all = b->all;
    if (b->some > a->all) {
        a->lanes = (a->some > a->all ? a->lanes : 0) | b->lanes;
        a->some = b->some > a->some ? b->some : a->some;
    }
}

static void comps_join(const Play *y, PlayComp *a, const PlayComp *b)
{
    for (int i = 0; i < y->ncomp; i++)
        play_comp_join(&a[i], &b[i]);
}

static void clock_join(const Play *y, PlayClock *a, const PlayClock *b)
{
    comps_join(y, a->k, b->k);
    for (int i = 0; i < y->ncomp; i++)
        if (b->fenced[i] > a->fenced[i])
            a->fenced[i] = b->fenced[i];
}

/* Lanes of warp w that there are. */
static uint64_t play_full(const Play *y, int w)
{
    int warp = y->a->m->warp, n = y->a->threads - w * warp;
    n = n < warp ? n : warp;
    return n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

/* Order ------------------------------------------------------------------- */

/* The lanes of which one of these is behind something that not all of the warp are. */
static uint64_t play_behind(const Play *y, const PlayWarp *k, uint32_t all, uint64_t lanes)
{
    int n = y->a->m->warp;
    uint64_t behind = lanes;
    for (int i = 0; k->met && i < n; i++)
        for (int j = 0; lanes >> i & 1 && j < n; j++)
            behind |= (uint64_t)(k->met[i * n + j] > all) << j;
    return behind;
}

static void play_release(Play *y, int w, uint64_t lanes, PlayClock *to)
{
    PlayWarp *k = &y->warp[w];
    PlayComp own = k->know.k[w];
    clock_join(y, to, &k->know);
    if (k->pending && !(lanes & ~k->lanes))
        comps_join(y, to->k, k->some);
    k->time++;
    if (lanes == play_full(y, w))
        own = (PlayComp){k->time, 0, 0};
    else
        own = (PlayComp){own.all, k->time, play_behind(y, k, own.all, lanes)};
    play_comp_join(&to->k[w], &own);
}

/* The lanes of w know of each other, and what some of them do. */
static void lanes_meet(Play *y, int w)
{
    PlayWarp *k = &y->warp[w];
    if (k->pending)
        comps_join(y, k->know.k, k->some);
    k->pending = false;
    k->time++;
    k->know.k[w] = (PlayComp){k->time, 0, 0};
}

/* Some lanes of w meet: each is then behind what one of them was behind. */
static void some_meet(Play *y, int w, uint64_t lanes)
{
    PlayWarp *k = &y->warp[w];
    int n = y->a->m->warp;
    uint32_t behind[64] = {0};
    if (!k->met)
        k->met = anew(y->a->c, (size_t)n * (size_t)n * sizeof *k->met);
    k->time++;
    for (int i = 0; i < n; i++)
        for (int j = 0; lanes >> i & 1 && j < n; j++)
            behind[j] = k->met[i * n + j] > behind[j] ? k->met[i * n + j] : behind[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; lanes >> i & 1 && j < n; j++)
            k->met[i * n + j] = lanes >> j & 1 ? k->time : behind[j];
    if (k->pending && k->lanes & lanes)
        k->lanes |= lanes;
}

/* Those of `come` meet that name each other alike. */
static void named_meet(Play *y, int w, const AuditEvent *e, uint64_t come)
{
    const int64_t *named = e->named ? e->named + w * y->a->m->warp : NULL;
    for (uint64_t left = come; left;) {
        int first = __builtin_ctzll(left);
        uint64_t same = left;
        for (int i = 0; named && i < y->a->m->warp; i++)
            if (left >> i & 1 && named[i] != named[first])
                same &= ~((uint64_t)1 << i);
        some_meet(y, w, same & (uint64_t)(named ? named[first] : e->n));
        left &= ~same;
    }
}

static void play_acquire(Play *y, int w, uint64_t lanes, const PlayClock *from)
{
    PlayWarp *k = &y->warp[w];
    PlayComp own = k->know.k[w];
    if (lanes == play_full(y, w)) {
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

static void play_fence(Play *y, int w)
{
    PlayWarp *k = &y->warp[w];
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
static bool play_knows(const PlayComp *c, uint32_t time, int lane)
{
    return time < c->all || (time < c->some && lane >= 0 && (c->lanes >> lane & 1));
}

/* Warps of the group itself have all to have waited before one of them touches what
 * wgmma read; others are told by any that has. */
static bool group_behind(const Play *y, int w, int by, const AuditEvent *e, int first)
{
    const PlayWarp *k = &y->warp[w];
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

/* Of who, or of what several did, the lanes in warp w at most. */
static uint64_t play_lanes(const Play *y, int w, int who, const AuditEvent *e)
{
    return who < 0 ? e->mask->warp[w] : (uint64_t)1 << who % y->a->m->warp;
}

/* Is each of the lanes `by` of w behind what `who` of them did at that time? */
static bool play_met(const Play *y, int w, uint64_t by, uint32_t time, uint64_t who)
{
    const uint32_t *met = y->warp[w].met;
    int n = y->a->m->warp;
    for (int i = 0; met && i < n; i++)
        for (int j = 0; by >> i & 1 && j < n; j++)
            if (who >> j & 1 && i != j && met[i * n + j] <= time)
                return false;
    return met;
}

static bool happened_before(const Play *y, int w, int by, uint32_t event, int comp, uint32_t time,
                            int who)
{
    const PlayWarp *k = &y->warp[w];
    const AuditEvent *e = &y->a->e[event];
    int warp = y->a->m->warp, lane = who < 0 ? -1 : who % warp;
    if (e->fly == AFwgmma)
        return group_behind(y, w, by, e, comp);
    if (time == NEVER)
        return false;
    if (who >= 0 && who == by)
        return true;
    if (play_knows(&k->know.k[comp], time, lane))
        return true;
    return k->pending && by >= 0 && (k->lanes >> by % warp & 1) &&
           play_knows(&k->some[comp], time, lane);
}

/* Cells ------------------------------------------------------------------- */

/* Is it open where that is, or which old value an atomic gives? */
static bool play_open(const AuditEvent *e)
{
    return e->cells->open || (e->s->kind == Satomic && e->s->atomic.prev);
}

static void lacks(Play *y, const AuditEvent *now, uint32_t past, bool fence)
{
    Audit *a = y->a;
    const Stmt *s = a->e[past].s;
    if (!fence && a->launch->launch.own_syncs && (play_open(now) || play_open(&a->e[past])))
        return; /* left to the program */
    for (uint32_t i = 0; i < a->nlack; i++)
        if (a->lack[i].a == s && a->lack[i].b == now->s)
            return;
    agrow(a->c, &a->lack, &a->caplack, a->nlack + 1, sizeof *a->lack);
    a->lack[a->nlack++] = (Lack){s, now->s, fence, now->access->buf};
}

/* Two that may be anywhere, and the first is asynchronous: only a wait could order them,
 * and whether they meet is for the program to know. */
static bool play_guessed(const AuditEvent *now, const AuditEvent *past)
{
    return past->fly && now->cells->open && past->cells->open;
}

/* ... or have the lanes of w met that do `now`, and those of it that did e? */
static bool play_ordered(const Play *y, const AuditEvent *now, int w, int by, uint32_t event, int comp,
                         uint32_t time, int who, uint64_t lanes)
{
    return happened_before(y, w, by, event, comp, time, who) ||
           (comp == w && time != NEVER && !y->a->e[event].fly &&
            play_met(y, w, play_lanes(y, w, by, now), time, lanes));
}

static void ask_write(Play *y, const AuditEvent *now, int w, const AuditMark *m)
{
    const PlayCell *c = &y->cell[m->cell];
    if (!c->written || y->a->e[c->event].step == now->step ||
        play_guessed(now, &y->a->e[c->event]))
        return;
    const AuditAccess *t = y->a->e[c->event].access;
    uint64_t lanes = c->comp == w ? play_lanes(y, w, c->who, &y->a->e[c->event]) : 0;
    if (!play_ordered(y, now, w, m->who, c->event, c->comp, c->time, c->who, lanes))
        lacks(y, now, c->event, false);
    else if (y->a->m->proxies && now->access->async && !t->async && c->comp < y->mbar0 &&
             y->a->p->buf[t->buf].scope == SCshared &&
             y->warp[w].know.fenced[c->comp] <= c->time)
        lacks(y, now, c->event, true);
}

/* Do two atomics say the same whichever comes first?  Both only read, both count at an mbarrier, or
 * both make one and the same update, of a type, and nobody asks what was there. */
static bool play_commute(const Prog *p, const AuditAccess *a, const AuditAccess *b)
{
    const Stmt *x = a->s, *y = b->s;
    if (x->kind != Satomic || y->kind != Satomic)
        return true;
    if (x->atomic.kind != y->atomic.kind || x->atomic.kind == ATstore)
        return false;
    if (x->atomic.kind == ATload || x->atomic.prev || y->atomic.prev)
        return x->atomic.kind == ATload;
    enum Dtype s = (enum Dtype)p->buf[a->buf].dt, t = (enum Dtype)p->buf[b->buf].dt;
    bool signs = redinfo[x->atomic.kind].op == Xmax || redinfo[x->atomic.kind].op == Xmin;
    return s == t || (!signs && !dtype_isfloat(s) && !dtype_isfloat(t) &&
                      dtypeinfo[s].bits == dtypeinfo[t].bits);
}

/* Is it a loop that each thread leaves when what it waits for has come? */
static bool play_spins(const Step *k)
{
    return k->s->kind == Swhile || (k->s->kind == Sfor && k->jumps);
}

/* Do a and b stand in one such loop?  Nobody can wait for all there. */
static bool play_spin(const AuditAccess *a, const AuditAccess *b)
{
    for (const Step *k = a->in; k; k = k->up)
        for (const Step *l = b->in; l && play_spins(k); l = l->up)
            if (k == l)
                return true;
    return false;
}

/* Reads have no order among themselves, nor have atomics of one kind. */
static bool play_meets(const Play *y, const AuditAccess *now, const PlayReader *r)
{
    const AuditAccess *past = y->a->e[r->event].access;
    if (now->mode & past->mode & FXatomic)
        return !play_commute(y->a->p, now, past) && !play_spin(now, past);
    return now->mode & FXwrite || r->kind == RDatomic;
}

static void ask_others(Play *y, const AuditEvent *now, int w, const AuditMark *m)
{
    const PlayCell *c = &y->cell[m->cell];
    for (uint32_t i = c->readers; i; i = y->reader[i].next) {
        const PlayReader *r = &y->reader[i];
        if (play_meets(y, now->access, r) && y->a->e[r->event].step != now->step &&
            !play_guessed(now, &y->a->e[r->event]) &&
            !play_ordered(y, now, w, m->who, r->event, r->comp, r->time, r->who, r->lanes))
            lacks(y, now, r->event, false);
    }
}

static void drop_readers(Play *y, PlayCell *c)
{
    while (c->readers) {
        uint32_t i = c->readers;
        c->readers = y->reader[i].next;
        y->reader[i].next = y->spare;
        y->spare = i;
    }
}

/* The one of the component and kind of r; atomics that change something: of its statement, too. */
static PlayReader *reader_of(const Play *y, const PlayCell *c, const PlayReader *r)
{
    const AuditEvent *e = y->a->e;
    for (uint32_t i = c->readers; i; i = y->reader[i].next) {
        PlayReader *k = &y->reader[i];
        if (k->comp == r->comp && k->kind == r->kind &&
            (k->kind != RDatomic || e[k->event].s == e[r->event].s))
            return k;
    }
    return NULL;
}

static void add_reader(Play *y, PlayCell *c, PlayReader r)
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
static void read_cell(Play *y, const AuditEvent *e, int w, const AuditMark *m, PlayReader r)
{
    PlayCell *c = &y->cell[m->cell];
    PlayReader *k = reader_of(y, c, &r);
    if (!k || k->who != r.who || r.lanes & ~k->lanes)
        ask_write(y, e, w, m);
    if (r.kind == RDatomic || c->atomics) /* loads meet nothing but those and writes */
        ask_others(y, e, w, m);
    if (!k) {
        add_reader(y, c, r);
        return;
    }
    r.next = k->next;
    if (r.comp == w && k->time >= y->warp[w].know.k[w].all)
        r.lanes |= k->lanes; /* since all met */
    r.who = k->who == r.who || k->time != r.time ? r.who : -1;
    *k = r;
}

static int comp_of(const Play *y, const AuditEvent *e, int w)
{
    return e->fly == AFbarrier ? y->mbar0 + (int)e->id : w;
}

static void play_access(Play *y, int w, uint32_t id)
{
    Audit *a = y->a;
    const AuditEvent *e = &a->e[id];
    const Cells *s = e->cells;
    int mode = e->access->mode;
    uint16_t comp = (uint16_t)comp_of(y, e, w);
    uint32_t time = e->fly ? NEVER : y->warp[w].time;
    uint8_t kind = !(mode & FXatomic) ? (e->fly ? RDasync : RDplain)
                   : mode & FXwrite   ? RDatomic
                                      : RDload;
    for (uint32_t i = s->kindfrom[w]; i < s->kindfrom[w + 1]; i++) {
        const AuditMark *m = &s->kind[i];
        if (mode & FXwrite && !(mode & FXatomic)) {
            PlayCell *c = &y->cell[m->cell];
            ask_write(y, e, w, m);
            ask_others(y, e, w, m);
            drop_readers(y, c);
            *c = (PlayCell){time, id, 0, m->who, comp, true, false};
        } else {
            read_cell(y, e, w, m, (PlayReader){time, id, 0, m->who, play_lanes(y, w, m->who, e),
                                             comp, kind});
        }
    }
    a->work += s->kindfrom[w + 1] - s->kindfrom[w];
    bool any = s->kindfrom[w + 1] > s->kindfrom[w];
    if (e->fly == AFwgmma || (e->fly && e->fly != AFbarrier && any)) {
        PlayWarp *k = &y->warp[w];
        agrow(a->c, &k->fl, &k->capfl, k->nfl + 1, sizeof *k->fl);
        k->fl[k->nfl++] = (PlayFlight){id, k->group[e->fly], e->fly};
    }
    if (e->fly == AFbarrier && any) {
        PlayMbar *b = &y->mbar[e->id];
        agrow(a->c, &b->fl, &b->capfl, b->nfl + 1, sizeof *b->fl);
        b->fl[b->nfl++] = id;
    }
}

/* What event id did in warp w is done at `time`. */
static void play_land(Play *y, int w, uint32_t id, uint32_t time)
{
    const AuditEvent *e = &y->a->e[id];
    const Cells *s = e->cells;
    int comp = comp_of(y, e, w);
    for (uint32_t i = s->kindfrom[w]; i < s->kindfrom[w + 1]; i++) {
        PlayCell *c = &y->cell[s->kind[i].cell];
        if (e->access->mode & FXwrite) {
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
static void play_wait(Play *y, int w, const AuditEvent *e)
{
    PlayWarp *k = &y->warp[w];
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->nfl; i++) {
        const PlayFlight *f = &k->fl[i];
        if (f->fly != e->fly || (int64_t)f->group >= (int64_t)k->group[e->fly] - e->n)
            k->fl[n++] = *f;
        else if (f->fly == AFwgmma)
            y->a->e[f->event].time[w] = k->time;
        else
            play_land(y, w, f->event, k->time);
    }
    k->nfl = n;
}

static bool play_barrier(Play *y, int w, const AuditEvent *e, uint64_t lanes)
{
    PlayWarp *k = &y->warp[w];
    PlayMeeting *b = &y->meet[e->id];
    if (e->what == DOleave ? k->left < b->turn : k->arrived && k->turn < b->turn) {
        k->arrived = false;
        play_acquire(y, w, lanes, &b->out);
        if (lanes == play_full(y, w))
            lanes_meet(y, w);
        return true;
    }
    if (k->arrived || e->what == DOleave)
        return false;
    play_release(y, w, lanes, &b->in);
    k->arrived = e->what == DObarrier;
    k->turn = k->left = b->turn;
    b->here += __builtin_popcountll(lanes);
    if (b->here >= e->n) {
        b->here = 0;
        b->turn++;
        clock_join(y, &b->out, &b->in);
    }
    return e->what == DOarrive ? true : play_barrier(y, w, e, lanes);
}

static void phase_turn(Play *y, PlayMbar *b, int comp)
{
    if (b->pending != 0 || b->tx != 0 || b->count == 0)
        return;
    b->pending = b->count;
    b->phase ^= 1;
    for (uint32_t i = 0; i < b->nfl; i++)
        for (int w = 0; w < y->a->warps; w++)
            play_land(y, w, b->fl[i], b->time);
    b->nfl = 0;
    b->time++;
    clock_join(y, &b->out, &b->in);
    b->out.k[comp].all = b->time;
}

static bool mbarrier(Play *y, int w, const AuditEvent *e, uint64_t lanes)
{
    PlayMbar *b = &y->mbar[e->id];
    int n = __builtin_popcountll(lanes), comp = y->mbar0 + (int)e->id;
    switch (e->what) {
    case DOinit: b->count = b->pending = e->n; return true;
    case DOmwait:
        if ((int64_t)(b->phase & 1) == (e->n & 1))
            return false;
        play_acquire(y, w, lanes, &b->out);
        return true;
    case DOload: b->tx -= e->n * n; break;
    case DOexpect: b->tx += e->n * n; break;
    default: break;
    }
    if (e->what == DOmarrive || e->arrives) {
        play_release(y, w, lanes, &b->in);
        b->pending -= n;
    }
    phase_turn(y, b, comp);
    return true;
}

/* Event id of warp w; false: it waits. */
static bool play_happen(Play *y, int w, uint32_t id)
{
    const AuditEvent *e = &y->a->e[id];
    uint64_t lanes = e->mask->warp[w];
    switch (e->what) {
    case DOaccess:
        if (!y->waits)
            play_access(y, w, id);
        return true;
    case DObarrier: case DOarrive: case DOleave: return play_barrier(y, w, e, lanes);
    case DOwarp: lanes_meet(y, w); return true;
    case DOlanes: named_meet(y, w, e, lanes); return true;
    case DOfence: play_fence(y, w); return true;
    case DOcommit: y->warp[w].group[e->fly]++; return true;
    case DOwait: play_wait(y, w, e); return true;
    default: return mbarrier(y, w, e, lanes);
    }
}

/* Warp w runs until it waits, or has arrived at an mbarrier: none gets so far ahead that
 * others miss a phase that they had time to see. */
static bool play_runs(Play *y, int w)
{
    PlayWarp *k = &y->warp[w];
    uint32_t from = k->at;
    while (k->at < y->a->n) {
        const AuditEvent *e = &y->a->e[k->at];
        if (e->mask->warp[w] && !play_happen(y, w, k->at))
            break;
        k->at++;
        if (e->mask->warp[w] && (e->what == DOmarrive || e->arrives))
            break;
    }
    return k->at != from;
}

static Play *play_make(Audit *a)
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
        y->warp[w].some = anew(c, (size_t)y->ncomp * sizeof(PlayComp));
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

static void play_clear(const Play *y, PlayClock *c)
{
    memset(c->k, 0, (size_t)y->ncomp * sizeof *c->k);
    memset(c->fenced, 0, (size_t)y->ncomp * sizeof *c->fenced);
}

/* All as it was before anything happened, in the same memory. */
static void play_reset(Play *y)
{
    Audit *a = y->a;
    memset(y->cell, 0, a->nkind * sizeof *y->cell);
    y->nreader = y->spare = 0;
    for (int w = 0; w < a->warps; w++) {
        PlayWarp k = y->warp[w];
        play_clear(y, &k.know);
        size_t n = k.met ? (size_t)a->m->warp * (size_t)a->m->warp : 0;
        if (n)
            memset(k.met, 0, n * sizeof *k.met);
        y->warp[w] = (PlayWarp){.know = k.know, .some = k.some, .met = k.met, .fl = k.fl,
                                .capfl = k.capfl};
    }
    for (uint32_t i = 0; i < a->nobject; i++) {
        PlayMbar k = y->mbar[i];
        play_clear(y, &k.in);
        play_clear(y, &k.out);
        y->mbar[i] = (PlayMbar){.in = k.in, .out = k.out, .fl = k.fl, .capfl = k.capfl};
    }
    for (int i = 0; i <= NamedBarriers; i++) {
        PlayMeeting k = y->meet[i];
        play_clear(y, &k.in);
        play_clear(y, &k.out);
        y->meet[i] = (PlayMeeting){.in = k.in, .out = k.out};
    }
}

/* The first statement at which a warp waits for ever. */
static const Stmt *play_waits(const Play *y)
{
    const Audit *a = y->a;
    uint32_t first = a->n;
    for (int w = 0; w < a->warps; w++)
        first = y->warp[w].at < first ? y->warp[w].at : first;
    return first < a->n ? a->e[first].s : NULL;
}

/* From the beginning to the end, in each turn the first warps before the others, or the last ones;
 * where they come to a stand, or NULL. */
static const Stmt *play_through(Play *y, bool last)
{
    const Audit *a = y->a;
    bool moved = true, done = false;
    play_reset(y);
    while (moved && !done && !(a->limit && a->work > a->limit)) {
        moved = false;
        done = true;
        for (int i = 0; i < a->warps; i++) {
            int w = last ? a->warps - 1 - i : i;
            moved |= play_runs(y, w);
            done &= y->warp[w].at == a->n;
        }
    }
    return done || moved ? NULL : play_waits(y);
}

/* Who comes first to an mbarrier may decide whether others ever see its phase: so both orders are
 * played where there are any. */
const Stmt *audit_play(Audit *a)
{
    if (!a->play)
        a->play = play_make(a);
    a->play->waits = false;
    const Stmt *at = play_through(a->play, false);
    if (at || !a->nobject)
        return at;
    a->play->waits = true;
    return play_through(a->play, true);
}
