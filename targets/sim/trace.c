/* targets/sim/trace.c: the time line of a block as a list of events, and as text.
 *
 * A line an item, words apart by blanks, the first says what it is:
 *
 *     machine NAME warp N threads N blocks N l2 N latency N lanes N assumed 0|1 guessed 0|1
 *     card NAME GHZ                             where it has one
 *     alone 0|1                                 1: no other block was executed
 *     grid X Y Z      block NUMBER X Y Z        a line for each block of the cluster
 *     role LO HI NAME                           threads of the block
 *     file NUMBER NAME                          to the end of the line
 *     loop NUMBER FILE LINE VARIABLE            rounds of it are named in frames
 *     frame NUMBER LOOP=VALUE ..                innermost last
 *     e KIND FROM TO BLOCK WARP WARP FILE LINE FRAME COUNT BUFFER STAGE PHASE BYTES
 *       FLOPS BUSY STALL BYFILE BYLINE QUEUE WHAT
 *     unit BLOCK NAME BUSY                      cycles in all
 *     end BLOCK CYCLES                          until its last store is in memory
 *     cut CYCLE                                 there was no room for what came behind it
 *
 * Events stand in the order of execution; those of a unit (KIND M, G) behind the
 * instruction that asked for it. */
#include <string.h>

#include "trace_p.h"
#include "err/sim.h"

enum {
    MostEvents = 400000,
    Together = 64 /* cycles between two uses of a unit that are one event */
};

/* Whether and what ------------------------------------------------------------ */

bool trace_wanted(SimRun *r, uint32_t launch)
{
    const SimTrace *q = &r->opt->trace;
    if (!q->out || launch != (uint32_t)q->launch)
        return false;
    for (int k = 0; k < 3; k++)
        if (q->block[k] >= r->grid[k])
            diag_fail(r->ctx, E_sim_trace_block, r->l->s->loc,
                      afmt(r->ctx, "(%lld, %lld, %lld)", (long long)q->block[0],
                           (long long)q->block[1], (long long)q->block[2]),
                      afmt(r->ctx, "(%lld, %lld, %lld)", (long long)r->grid[0],
                           (long long)r->grid[1], (long long)r->grid[2]), NULL);
    return true;
}

bool trace_alone(const SimRun *r)
{
    for (uint32_t b = 1; b < r->sp->p->nbuf; b++)
        if (r->sp->p->buf[b].scope == SCglobal && r->sp->written[b] && r->sp->read[b])
            return false;
    return true;
}

bool trace_here(const SimRun *r)
{
    const int64_t *b = r->opt->trace.block;
    int64_t at = (b[2] * r->grid[1] + b[1]) * r->grid[0] + b[0];
    for (int k = 0; k < r->ncta; k++)
        if (r->block[k] == at)
            return true;
    return false;
}

Trace *trace_new(SimRun *r)
{
    Trace *t = anew(r->ctx, sizeof *t);
    t->timing = machine_timing(r->sp->m);
    t->warp = r->sp->m->warp;
    t->warps = r->x->T / t->warp;
    t->ins = anew(r->ctx, (r->l->ncode + 1) * sizeof *t->ins);
    t->w = anew(r->ctx, (size_t)t->warps * sizeof *t->w);
    t->ready = anew(r->ctx, ((size_t)r->l->nrow + 1) * (size_t)t->warps * sizeof *t->ready);
    t->unit = anew(r->ctx, (size_t)r->ncta * sizeof *t->unit);
    agrow(r->ctx, &t->f, &t->capf, 64, sizeof *t->f);
    t->nf = 1; /* frame 0: in no loop */
    return t;
}

Loc trace_loc(const SimRun *r, const Ins *i) { return r->l->loc[i - r->l->code]; }

static bool same_line(Loc a, Loc b) { return a.line == b.line && a.file == b.file; }

/* Loops ------------------------------------------------------------------------ */

/* A loop's head: a round begins, or there is no other. */
void trace_round(SimRun *r, const Strand *s, const Ins *i, bool more)
{
    Trace *t = r->trace;
    int w0 = s->t0 / t->warp, w1 = (s->t0 + s->n - 1) / t->warp + 1;
    uint32_t at = (uint32_t)(i - r->l->code);
    TrFrame f = t->w[w0].frame;
    for (int k = 0; k < f.n; k++) /* also of loops inside it that were left by a break */
        if (f.loop[k].at == at)
            f.n = (uint8_t)k;
    if (more && f.n < TrDepth)
        f.loop[f.n++] = (TrLoop){at, uvalue(s, i->a)};
    for (int w = w0; w < w1; w++) {
        t->w[w].frame = f;
        t->w[w].frameid = 0;
    }
}

/* The number of the loops around the warps [w0, ..), which are kept from now on. */
static uint32_t frame(SimRun *r, int w0)
{
    Trace *t = r->trace;
    WarpTime *w = &t->w[w0];
    if (!w->frame.n || w->frameid)
        return w->frame.n ? w->frameid : 0;
    agrow(r->ctx, &t->f, &t->capf, t->nf + 1, sizeof *t->f);
    t->f[t->nf] = w->frame;
    return w->frameid = t->nf++;
}

void trace_role(SimRun *r, const Ins *i)
{
    Trace *t = r->trace;
    const Stmt *s = i->x;
    for (uint32_t k = 0; k < t->nrole; k++)
        if (t->role[k].lo == s->role.lo && t->role[k].hi == s->role.hi)
            return;
    agrow(r->ctx, &t->role, &t->caprole, t->nrole + 1, sizeof *t->role);
    t->role[t->nrole++] = (Role){s->role.lo, s->role.hi, s->role.name};
}

/* Events ----------------------------------------------------------------------- */

TraceEvent *trace_event(SimRun *r, int w0, int w1, Loc loc, enum TrKind kind, int64_t from,
                        int64_t to)
{
    Trace *t = r->trace;
    if (t->ne >= MostEvents) {
        t->cut = t->cut ? t->cut : from + 1;
        t->nowhere = (TraceEvent){0};
        return &t->nowhere;
    }
    agrow(r->ctx, &t->e, &t->cape, t->ne + 1, sizeof *t->e);
    TraceEvent *e = &t->e[t->ne++];
    int cta = w0 * t->warp / r->l->lanes;
    *e = (TraceEvent){.from = from, .to = to, .kind = (uint8_t)kind, .cta = (uint8_t)cta,
                      .w0 = (uint16_t)w0, .w1 = (uint16_t)w1, .loc = loc, .frame = frame(r, w0),
                      .n = 1, .stage = -1, .phase = -1, .queue = NQueue, .what = ""};
    for (int w = w0; w < w1; w++)
        t->w[w].span = 0;
    return e;
}

static int strace_weight(int kind)
{
    static const char order[] = "clsim";
    const char *p = strchr(order, kind);
    return p ? (int)(p - order) : 0;
}

/* What the strand has just issued, from t->start to its clock: joins the work of the same
 * line right before it. */
void trace_work(SimRun *r, const Strand *s, const Ins *i, enum TrKind kind, int64_t stall)
{
    Trace *t = r->trace;
    int w0 = s->t0 / t->warp, w1 = (s->t0 + s->n - 1) / t->warp + 1;
    int64_t now = t->w[w0].clock;
    Loc loc = trace_loc(r, i);
    uint32_t at = t->w[w0].span;
    TraceEvent *e = at ? &t->e[at - 1] : NULL;
    if (!e || e->w0 != w0 || e->w1 != w1 || !same_line(e->loc, loc) || e->to != t->start) {
        e = trace_event(r, w0, w1, loc, kind, t->start, now);
        for (int w = w0; w < w1 && t->ne < MostEvents; w++)
            t->w[w].span = t->ne;
    } else {
        e->to = now;
        e->n++;
        if (strace_weight(kind) > strace_weight(e->kind))
            e->kind = (uint8_t)kind;
    }
    e->stall += stall;
}

TraceEvent *trace_unit(SimRun *r, int cta, int w0, int w1, Loc loc, enum TrKind kind, uint32_t buf,
                       int64_t stage, int64_t from, int64_t to)
{
    Trace *t = r->trace;
    uint32_t *last = kind == TEproduct ? &t->w[w0].products : &t->w[w0].flight;
    TraceEvent *e = *last ? &t->e[*last - 1] : NULL;
    int64_t gap = e ? from - (kind == TEflight ? e->asked : e->to) : 0;
    if (e && e->cta == cta && e->w1 == w1 && same_line(e->loc, loc) && e->buf == buf &&
        e->stage == stage && e->frame == frame(r, w0) && gap <= Together) {
        e->from = from < e->from ? from : e->from;
        e->to = to > e->to ? to : e->to;
        e->asked = from;
        e->n++;
        return e;
    }
    uint32_t span = t->w[w0].span;
    e = trace_event(r, w0, w1, loc, kind, from, to);
    e->cta = (uint8_t)cta;
    e->buf = buf;
    e->stage = stage;
    e->asked = from;
    *last = t->ne < MostEvents ? t->ne : 0;
    for (int w = w0; w < w1; w++) /* work goes on beside it */
        t->w[w].span = span;
    return e;
}

/* Text ------------------------------------------------------------------------- */

static void trace_head(const SimRun *r, const Trace *t, Str *out)
{
    const Timing *f = t->timing;
    str_fmt(out, "machine %s warp %d threads %d blocks %d l2 %d latency %d lanes %d assumed %d "
            "guessed %d\n", r->sp->m->name, t->warp, r->l->threads, r->ncta, f->l2, f->latency,
            f->lanes, f->assumed, t->guessed);
    if (r->sp->m->card && r->sp->m->card->ghz > 0)
        str_fmt(out, "card %s %g\n", r->sp->m->card->name, r->sp->m->card->ghz);
    str_fmt(out, "alone %d\n", trace_alone(r));
    str_fmt(out, "grid %lld %lld %lld\n", (long long)r->grid[0], (long long)r->grid[1],
            (long long)r->grid[2]);
    for (int k = 0; k < r->ncta; k++)
        str_fmt(out, "block %d %lld %lld %lld\n", k, (long long)(r->block[k] % r->grid[0]),
                (long long)(r->block[k] / r->grid[0] % r->grid[1]),
                (long long)(r->block[k] / r->grid[0] / r->grid[1]));
    for (uint32_t k = 0; k < t->nrole; k++)
        str_fmt(out, "role %d %d %s\n", t->role[k].lo, t->role[k].hi,
                t->role[k].name ? t->role[k].name : "-");
    for (uint32_t k = 1; k < r->sp->p->ctx.nfile; k++)
        str_fmt(out, "file %u %s\n", (unsigned)k, r->sp->p->ctx.file[k]);
}

/* The name of a loop's variable, at a place inside the loop. */
static const char *loop_variable(const SimRun *r, const TrLoop *l)
{
    const char *name = r->l->code[l->at].y;
    return name ? name : "-";
}

static void strace_frames(const SimRun *r, const Trace *t, Str *out)
{
    uint8_t *told = anew(r->ctx, r->l->ncode + 1);
    for (uint32_t k = 1; k < t->nf; k++) {
        const TrFrame *f = &t->f[k];
        for (int j = 0; j < f->n; j++) {
            uint32_t at = f->loop[j].at;
            if (!told[at])
                str_fmt(out, "loop %u %u %u %s\n", (unsigned)at, (unsigned)r->l->loc[at].file,
                        (unsigned)r->l->loc[at].line, loop_variable(r, &f->loop[j]));
            told[at] = 1;
        }
        str_fmt(out, "frame %u", (unsigned)k);
        for (int j = 0; j < f->n; j++)
            str_fmt(out, " %u=%lld", (unsigned)f->loop[j].at, (long long)f->loop[j].value);
        str_puts(out, "\n");
    }
}

static void strace_event(const SimRun *r, const TraceEvent *e, Str *out)
{
    static const char *const queue[] = {[Qcp] = "cp", [Qbulk] = "bulk", [Qwgmma] = "wgmma",
                                        [NQueue] = "-"};
    str_fmt(out, "e %c %lld %lld %d %d %d %u %u %u %u %s %lld %lld", e->kind, (long long)e->from,
            (long long)e->to, e->cta, e->w0, e->w1, (unsigned)e->loc.file, (unsigned)e->loc.line,
            (unsigned)e->frame, (unsigned)e->n, e->buf ? r->sp->p->buf[e->buf].name : "-",
            (long long)e->stage, (long long)e->phase);
    str_fmt(out, " %lld %lld %lld %lld %u %u %s %s\n", (long long)e->bytes, (long long)e->flops,
            (long long)e->busy, (long long)e->stall, (unsigned)e->by.file, (unsigned)e->by.line,
            queue[e->queue], *e->what ? e->what : "-");
}

/* The last cycle of a block, what is on its way included. */
static int64_t block_finish(const SimRun *r, const Trace *t, int cta)
{
    int per = r->l->lanes / t->warp;
    int64_t end = 0;
    for (int w = cta * per; w < (cta + 1) * per; w++) {
        const WarpTime *x = &t->w[w];
        const int64_t last[] = {x->clock, x->drain, x->product, x->pending, x->loads};
        for (size_t k = 0; k < COUNT(last); k++)
            end = last[k] > end ? last[k] : end;
    }
    return end;
}

void trace_write(const SimRun *r, Str *out)
{
    const Trace *t = r->trace;
    trace_head(r, t, out);
    strace_frames(r, t, out);
    for (uint32_t k = 0; k < t->ne; k++)
        strace_event(r, &t->e[k], out);
    for (int k = 0; k < r->ncta; k++) {
        const Units *u = &t->unit[k];
        int64_t matrix = 0;
        for (int j = 0; j < TrSubs; j++)
            matrix += u->matrix[j].busy;
        str_fmt(out, "unit %d memory %lld\nunit %d shared %lld\nunit %d matrix %lld\n", k,
                (long long)u->way.busy, k, (long long)u->shared.busy, k,
                (long long)(matrix / TrSubs));
        str_fmt(out, "end %d %lld\n", k, (long long)block_finish(r, t, k));
    }
    if (t->cut)
        str_fmt(out, "cut %lld\n", (long long)t->cut);
}
