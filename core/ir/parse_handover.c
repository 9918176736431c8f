/* core/ir/parse_handover.c: the lines `plan` of a program between two passes, which
 * print_handover.c writes.
 *
 * Lines in front of a statement are kept until it has been read; parse_plan_attach() then hangs
 * what they say on it.  A pass trusts its plans, so that everything is looked at here that does
 * not need a pass to know: names, ranges of numbers, whether layouts are layouts and have the
 * extents of what they are plans of, whether the machine has the instruction.  What a pass asks
 * for beyond that, it says itself (core/lower/resume.c). */
#include <string.h>

#include "handover.h"
#include "parse.h"
#include "err/ir.h"
#include "err/pipes.h"

#define NUM(i) afmt(&r->p->ctx, "%lld", (long long)(i))

enum {
    MostVersions = 4096, MostThreads = 1024, MostVector = 128, MostRegs = 1 << 14,
    MostExtent = 1 << 22
};

/* A plan says what cannot be. */
NORETURN static void plan_wrong(Parser *r, Loc at, const char *name, const char *is,
                                const char *want)
{
    diag_fail(&r->p->ctx, E_plan_wrong, at, name, is, want, NULL);
}

static const Machine *plan_machine(const Parser *r) { return machine_find(r->p->between.machine); }

/* Values ------------------------------------------------------------------- */

static int plan_number(Parser *r, int64_t lo, int64_t hi) { return (int)parse_integer(r, lo, hi); }
static bool plan_flag(Parser *r) { return parse_integer(r, 0, 1) != 0; }

/* [a, b] */
static void plan_pair(Parser *r, int *a, int *b, int lo, int hi)
{
    parse_need(r, Tchar + '[', "`[`");
    *a = plan_number(r, lo, hi);
    parse_comma(r);
    *b = plan_number(r, lo, hi);
    parse_need(r, Tchar + ']', "`]`");
}

/* What no plan of a pass needs more of, so that what runs over it ends. */
static const char *too_large(const Layout *l, int warp)
{
    for (int d = 0; d < l->ndim; d++)
        if (l->extent[d] > MostExtent)
            return "extent";
    return layout_extent(l, AXreg) > MostRegs                  ? "reg"
           : layout_extent(l, AXwarp) * warp > MostThreads     ? "warp"
           : layout_extent(l, AXoff) > (int64_t)MostExtent * 64 ? "off"
                                                                : NULL;
}

/* A layout of threads (memory: of memory) that keeps its promises. */
static void plan_map(Parser *r, bool memory, Layout *out)
{
    Loc at = r->l.loc;
    const char *s = parse_text(r);
    if (!layout_parse(out, s))
        diag_fail(&r->p->ctx, E_ir_map, at, NULL);
    int warp = plan_machine(r)->warp;
    const char *why = layout_check(out, memory ? 0 : warp);
    why = why ? why : too_large(out, warp);
    for (int i = 0; i < out->n && !why; i++)
        if ((out->d[i].axis == AXoff) != memory)
            why = axisname[out->d[i].axis];
    if (why)
        plan_wrong(r, at, "map", why, memory ? "off" : "lane warp reg");
}

/* One of n words; its number. */
static int plan_word(Parser *r, const char *const *word, int n)
{
    Str s = {0};
    for (int i = 0; i < n; i++)
        if ((r->l.tok == Tname || r->l.tok == Tword) && strcmp(r->l.s, word[i]) == 0) {
            lex_next(&r->l);
            return i;
        }
    for (int i = 0; i < n; i++)
        str_fmt(&s, i ? " | %s" : "%s", word[i]);
    const char *all = astr(&r->p->ctx, s.s ? s.s : "", s.n);
    str_free(&s);
    parse_expected(r, all);
}

/* A buffer of one of these scopes (bits). */
static uint32_t plan_buf(Parser *r, const char *name, unsigned scopes)
{
    Loc at = r->l.loc;
    uint32_t b = parse_buf(r);
    int sc = r->p->buf[b].scope;
    if (!(scopes >> sc & 1))
        plan_wrong(r, at, name, scopename[sc], scopes >> SCpipe & 1     ? "pipe, barrier"
                                               : scopes >> SCshared & 1 ? "shared"
                                                                        : "local");
    return b;
}

/* Statements --------------------------------------------------------------- */

/* `plan gemm A map=..` and the like: of one operand. */
static bool gemm_operand_map(Parser *r, GemmPlan *g)
{
    Layout *map[] = {&g->a, &g->b, &g->c};
    Lex next = r->l;
    Loc at;
    if (r->l.tok != Tname || r->l.s[0] < 'A' || r->l.s[0] > 'C' || r->l.s[1])
        return false;
    lex_next(&next);
    if (next.tok == Tchar + '=')
        return false;
    int i = r->l.s[0] - 'A';
    r->l = next;
    const char *s = parse_option(r, &at);
    if (!s || strcmp(s, "map"))
        parse_expected(r, "`map=`");
    plan_map(r, false, map[i]);
    return true;
}

static const Mma *plan_mma(Parser *r)
{
    Loc at = r->l.loc;
    const char *s = parse_text(r);
    const Machine *m = plan_machine(r);
    for (int i = 0; i < m->nmma; i++)
        if (strcmp(m->mma[i].name, s) == 0)
            return &m->mma[i];
    diag_fail(&r->p->ctx, E_machine_op, at, m->name, s, "plan gemm", "0", NULL);
}

static void plan_gemm(Parser *r, PlanLines *k)
{
    const char *s;
    Loc at;
    if (!k->gemm) {
        k->gemm = anew(&r->p->ctx, sizeof *k->gemm);
        k->gemm->pack = 1;
    }
    GemmPlan *g = k->gemm;
    if (gemm_operand_map(r, g))
        return;
    while ((s = parse_option(r, &at))) {
        if (strcmp(s, "mma") == 0)
            g->mma = plan_mma(r);
        else if (strcmp(s, "warps") == 0)
            plan_pair(r, &g->wm, &g->wn, 1, MostThreads);
        else if (strcmp(s, "n") == 0)
            g->n = plan_number(r, 0, 256);
        else if (strcmp(s, "spans") == 0)
            plan_pair(r, &g->aspan, &g->bspan, -2, 128);
        else if (strcmp(s, "pack") == 0)
            g->pack = plan_number(r, 1, 2);
        else if (strcmp(s, "widen") == 0)
            g->widen = plan_flag(r);
        else if (strcmp(s, "async") == 0)
            g->async = plan_flag(r);
        else if (strcmp(s, "behind") == 0)
            g->behind = plan_flag(r);
        else if (strcmp(s, "keep") == 0)
            g->keep = parse_expr(r);
        else
            parse_badoption(r, at, s, "plan gemm",
                            "mma, warps, n, spans, pack, widen, async, behind, keep");
    }
}

static void plan_copy(Parser *r, PlanLines *k)
{
    const char *s;
    Loc at;
    CopyPlan *c = k->copy = anew(&r->p->ctx, sizeof *c);
    while ((s = parse_option(r, &at))) {
        if (strcmp(s, "how") == 0)
            c->how = (uint8_t)plan_word(r, copyhow, NCopyHow);
        else if (strcmp(s, "commit") == 0)
            c->commit = plan_flag(r);
        else if (strcmp(s, "shared") == 0)
            c->shared = plan_flag(r);
        else if (strcmp(s, "bar") == 0)
            c->bar = plan_buf(r, s, 1u << SCpipe | 1u << SCbarrier);
        else if (strcmp(s, "use") == 0)
            c->use = parse_int(r);
        else
            parse_badoption(r, at, s, "plan copy", "how, commit, shared, bar, use");
    }
}

static ParLoopPlan *plan_parloop(Parser *r, PlanLines *k, bool loop)
{
    const char *s;
    Loc at;
    ParLoopPlan *q = anew(&r->p->ctx, sizeof *q);
    bool map = false;
    q->vec = 1;
    while ((s = parse_option(r, &at))) {
        if (strcmp(s, "map") == 0)
            plan_map(r, false, &q->loop), map = true;
        else if (strcmp(s, "vec") == 0)
            q->vec = plan_number(r, 1, MostVector);
        else if (!loop && strcmp(s, "partial") == 0)
            q->partial = plan_flag(r);
        else if (loop && strcmp(s, "open") == 0)
            k->open = plan_flag(r);
        else
            parse_badoption(r, at, s, loop ? "plan loop" : "plan reduce",
                            loop ? "map, vec, open" : "map, vec, partial");
    }
    if (!map && !k->open)
        parse_expected(r, "`map=`");
    return map ? q : NULL;
}

static void plan_loop(Parser *r, PlanLines *k) { k->loop = plan_parloop(r, k, true); }
static void plan_reduce(Parser *r, PlanLines *k) { k->reduce = plan_parloop(r, k, false); }

static void plan_turn(Parser *r, PlanLines *k)
{
    const char *s;
    Loc at, from = r->l.loc;
    while ((s = parse_option(r, &at))) {
        if (strcmp(s, "loop") == 0)
            k->turn.loop = (uint32_t)parse_integer(r, 1, MaxOpen);
        else if (strcmp(s, "first") == 0)
            k->turn.first = parse_int(r);
        else if (strcmp(s, "last") == 0)
            k->turn.last = parse_int(r);
        else
            parse_badoption(r, at, s, "plan turn", "loop, first, last");
    }
    if (!k->turn.loop || !k->turn.first || !k->turn.last)
        plan_wrong(r, from, "plan turn", "-", "loop= first= last=");
}

static const char *const marks[] = {"strict", "apart", "begins", "look"};

static void plan_mark(Parser *r, PlanLines *k)
{
    k->mark = marks[plan_word(r, marks, COUNT(marks))];
}

static void plan_launch(Parser *r, PlanLines *k)
{
    const char *s;
    Loc at;
    LaunchPlan *l = k->launch = anew(&r->p->ctx, sizeof *l);
    while ((s = parse_option(r, &at))) {
        if (strcmp(s, "threads") == 0)
            l->threads = plan_number(r, 1, MostThreads);
        else if (strcmp(s, "keep") == 0)
            l->retry.keep = parse_integer(r, 0, INT32_MAX);
        else if (strcmp(s, "one") == 0)
            l->retry.one = plan_flag(r);
        else if (strcmp(s, "most") == 0)
            l->retry.most = parse_integer(r, 0, INT32_MAX);
        else if (strcmp(s, "whole") == 0)
            l->retry.whole = parse_integer(r, 0, INT32_MAX);
        else if (strcmp(s, "tight") == 0)
            l->retry.tight = plan_flag(r);
        else if (strcmp(s, "apart") == 0)
            l->retry.apart = plan_flag(r);
        else if (strcmp(s, "united") == 0)
            l->retry.united = plan_flag(r);
        else if (strcmp(s, "lean") == 0)
            l->retry.lean = plan_flag(r);
        else if (strcmp(s, "dense") == 0)
            l->retry.dense = plan_flag(r);
        else if (strcmp(s, "beside") == 0)
            l->retry.beside = plan_flag(r);
        else
            parse_badoption(r, at, s, "plan launch",
                            "threads, keep, one, most, whole, tight, apart, united, lean, dense, beside");
    }
}

/* Names ---------------------------------------------------------------------- */

static LaunchPlan *plan_around(Parser *r, const char *what)
{
    if (!r->launch)
        diag_fail(&r->p->ctx, E_plan_place, r->from, what, NULL);
    return r->launch;
}

/* The entry of buffer b; the table grows. */
static BufLow *plan_entry(Parser *r, LaunchPlan *l, uint32_t b)
{
    if (b >= l->nbuf) {
        uint32_t n = r->p->nbuf + 32;
        BufLow *all = anew(&r->p->ctx, n * sizeof *all);
        if (l->nbuf)
            memcpy(all, l->buf, l->nbuf * sizeof *all);
        l->buf = all;
        l->nbuf = n;
    }
    return &l->buf[b];
}

/* Do layout and buffer have the same extents? */
static bool plan_map_fits(const Prog *p, const Buf *b, const Layout *map)
{
    int64_t v;
    if (map->ndim != b->ndim)
        return false;
    for (int d = 0; d < b->ndim; d++)
        if (!x_isint(p, b->shape[d], &v) || v != map->size[d])
            return false;
    return true;
}

/* Registers hold what the fragment's layout says. */
static void plan_regs_fit(Parser *r, Loc at, uint32_t b, uint32_t regs)
{
    const Prog *p = r->p;
    const Buf *f = &p->buf[b], *k = &p->buf[regs];
    int warp = plan_machine(r)->warp;
    int64_t n = 0;
    bool map = k->map && !too_large(k->map, warp) && !layout_check(k->map, warp);
    if (f->scope != SCfragment || f->base || !map || !plan_map_fits(p, f, k->map) || k->ndim != 1 ||
        k->dt != f->dt || !x_isint(p, k->shape[0], &n) || n != layout_extent(k->map, AXreg))
        plan_wrong(r, at, "regs", k->name, "map");
}

static bool plan_span(int v)
{
    return v == 0 || v == 16 || v == 32 || v == 64 || v == 128 || v == -1 || v == -2;
}

static void plan_buffer_options(Parser *r, uint32_t b, BufLow *k)
{
    const char *s;
    Loc at;
    const Prog *p = r->p;
    while ((s = parse_option(r, &at))) {
        if (strcmp(s, "strength") == 0) {
            k->strength = (uint8_t)plan_word(r, strengthname, NStrength);
        } else if (strcmp(s, "span") == 0) {
            k->span = plan_number(r, -2, 128);
            if (!plan_span(k->span))
                plan_wrong(r, at, s, NUM(k->span), "-2, -1, 0, 16, 32, 64, 128");
        } else if (strcmp(s, "versions") == 0) {
            k->versions = plan_number(r, 1, MostVersions);
        } else if (strcmp(s, "async") == 0) {
            k->async = plan_flag(r);
        } else if (strcmp(s, "scratch") == 0) {
            k->scratch = plan_flag(r);
        } else if (strcmp(s, "pipe") == 0) {
            k->pipe = plan_buf(r, s, 1u << SCpipe | 1u << SCbarrier);
        } else if (strcmp(s, "staging") == 0) {
            k->staging = plan_buf(r, s, 1u << SCshared);
        } else if (strcmp(s, "settles") == 0) {
            k->settles = plan_flag(r);
        } else if (strcmp(s, "regs") == 0) {
            k->regs = plan_buf(r, s, 1u << SClocal);
            plan_regs_fit(r, at, b, k->regs);
        } else if (strcmp(s, "nth") == 0) {
            k->nth = (uint32_t)parse_integer(r, 1, INT32_MAX);
        } else if (strcmp(s, "map") == 0) {
            plan_map(r, p->buf[b].scope == SCshared, &k->map);
            if (!plan_map_fits(p, &p->buf[b], &k->map))
                plan_wrong(r, at, s, p->buf[b].name, "map");
        } else {
            parse_badoption(r, at, s, "plan buffer", "strength, span, versions, async, scratch, "
                            "pipe, staging, settles, regs, nth, map");
        }
    }
}

static void plan_buffer(Parser *r, PlanLines *k)
{
    LaunchPlan *l = plan_around(r, "plan buffer");
    const Prog *p = r->p;
    Loc at = r->l.loc;
    uint32_t b = parse_buf(r);
    const Buf *is = &p->buf[b];
    BufLow one = {0};
    int64_t stages;
    (void)k;
    plan_buffer_options(r, b, &one);
    if (one.versions &&
        (!is->ndim || !x_isint(p, is->shape[0], &stages) || stages != one.versions))
        plan_wrong(r, at, "versions", NUM(one.versions), "shape[0]");
    if (one.regs)
        one.map = *p->buf[one.regs].map;
    if (one.strength && !one.map.ndim && is->map && plan_map_fits(p, is, is->map))
        one.map = *is->map;
    if (one.strength && !one.map.ndim && is->ndim)
        plan_wrong(r, at, "strength", strengthname[one.strength], "map=");
    one.why = r->p->here;
    if (one.why.file == r->l.file)
        one.why = (Loc){0, 0, 0};
    if (one.regs)
        plan_entry(r, l, one.regs)->fragment = b;
    *plan_entry(r, l, b) = one;
}

/* plan var NAME [in LO..HI] .. */
static void plan_var(Parser *r, PlanLines *k)
{
    LaunchPlan *l = plan_around(r, "plan var");
    const char *s;
    Loc at = r->l.loc;
    Symbol *is = r->l.tok == Tname ? parse_lookup(r) : NULL;
    (void)k;
    const char *name = r->l.s ? r->l.s : "?";
    if (!is)
        diag_fail(&r->p->ctx, E_ir_undefined, at, name, NULL);
    if (is->isbuf)
        plan_wrong(r, at, name, "buffer", "var");
    lex_next(&r->l);
    Var *v = &r->p->var[is->id];
    bool isint = dtypeinfo[v->dt].cls == 'I' || dtypeinfo[v->dt].cls == 'U';
    if (parse_takeword(r, "in")) {
        int64_t lo = parse_integer(r, INT64_MIN, INT64_MAX);
        parse_need(r, Tto, "`..`");
        int64_t hi = parse_integer(r, lo, INT64_MAX);
        if (!isint || v->kind == Vscalar || v->kind == Vdim)
            plan_wrong(r, at, v->name, "in", dtypeinfo[v->dt].name);
        v->lo = lo;
        v->hi = hi;
    }
    while ((s = parse_option(r, &at))) {
        bool is_flag = plan_flag(r);
        if (strcmp(s, "once") == 0)
            v->once = is_flag;
        else if (strcmp(s, "tid") == 0 && v->dt == DTi32)
            l->tid = is_flag ? is->id : l->tid;
        else if (strcmp(s, "rank") == 0 && v->dt == DTi32)
            l->rank = is_flag ? is->id : l->rank;
        else
            parse_badoption(r, at, s, "plan var", "once, tid, rank");
    }
}

/* Lines ------------------------------------------------------------------------ */

static const struct {
    const char *word;
    void (*read)(Parser *r, PlanLines *k);
    bool name; /* of a name, not of a statement that follows */
} plans[] = {
    {"buffer", plan_buffer, true},  {"copy", plan_copy, false}, {"gemm", plan_gemm, false},
    {"launch", plan_launch, false}, {"loop", plan_loop, false}, {"mark", plan_mark, false},
    {"reduce", plan_reduce, false}, {"turn", plan_turn, false}, {"var", plan_var, true},
};

bool parse_plan(Parser *r)
{
    Lex next = r->l;
    if (r->l.tok != Tname || r->l.n != 1 || strcmp(r->l.s, "plan"))
        return false;
    lex_next(&next);
    if (next.tok != Tname && next.tok != Tword)
        return false; /* a buffer with that name */
    parse_beginline(r);
    if (!r->p->between.after)
        diag_fail(&r->p->ctx, E_plan_place, r->from, afmt(&r->p->ctx, "plan %s", next.s), NULL);
    r->l = next;
    for (size_t i = 0; i < COUNT(plans); i++)
        if (strcmp(r->l.s, plans[i].word) == 0) {
            lex_next(&r->l);
            if (!plans[i].name && !r->lines.any) {
                r->lines.any = true;
                r->lines.at = r->from;
            }
            plans[i].read(r, &r->lines);
            parse_endline(r);
            return true;
        }
    parse_expected(r, "buffer | copy | gemm | launch | loop | mark | reduce | turn | var");
}

PlanLines parse_plan_lines(Parser *r)
{
    PlanLines k = r->lines;
    r->lines = (PlanLines){.launch = k.launch};
    return k;
}

void parse_plan_end(Parser *r)
{
    if (r->lines.any)
        diag_fail(&r->p->ctx, E_plan_place, r->lines.at, "plan", NULL);
}

void parse_plan_launch(Parser *r, Stmt *s)
{
    if (!r->p->between.after)
        return;
    LaunchPlan *l = r->lines.launch;
    r->launch = s->launch.plan = l ? l : anew(&r->p->ctx, sizeof *l);
    r->lines.launch = NULL;
}

/* Of statements ------------------------------------------------------------------ */

/* The extent of dimension i of region g, a number that fits an int; else 0. */
static int plan_extent(const Prog *p, const Region *g, int i)
{
    int64_t v;
    return i >= 0 && x_isint(p, g->extent[i], &v) && v > 0 && v <= INT32_MAX ? (int)v : 0;
}

static bool plan_sizes(const Layout *l, int a, int b)
{
    return l->ndim == 2 && l->size[0] == a && l->size[1] == b;
}

/* What the instruction of g needs of its operands' types and extents; NULL: it has that. */
static const char *gemm_fits(const Parser *r, const Stmt *s, const GemmPlan *g)
{
    const Prog *p = r->p;
    const Mma *i = g->mma;
    const uint8_t want[] = {i->a, i->b, i->c};
    bool group = i->kind == MMAgroup;
    int unit = group ? 4 : 1, n = group ? g->n : i->n;
    if (p->buf[s->op.r[2].buf].scope != SCfragment)
        return "C";
    if (group ? n < i->n || n > i->nmax || n % i->n : g->n != 0)
        return "n";
    if (!g->wm || g->wm % unit || (int64_t)g->wm * g->wn > MostThreads / 32)
        return "warps";
    if (g->M % (g->wm / unit * i->m) || g->N % (g->wn * n) || g->K % i->k)
        return "warps";
    for (int k = 0; k < 3; k++) {
        int bits = dtypeinfo[p->buf[s->op.r[k].buf].dt].bits;
        if (bits != dtypeinfo[want[k]].bits && !(k == 2 && g->widen))
            return "mma";
    }
    if (!plan_span(g->aspan) || !plan_span(g->bspan))
        return "spans";
    if (!plan_sizes(&g->c, g->M, g->N))
        return "C map";
    if (g->areg ? !plan_sizes(&g->a, g->M, g->K) : g->a.ndim)
        return "A map";
    if (g->breg ? !plan_sizes(&g->b, g->K, g->N) : g->b.ndim)
        return "B map";
    return NULL;
}

static void attach_gemm(Parser *r, const PlanLines *k, Stmt *s)
{
    const Prog *p = r->p;
    GemmPlan *g = k->gemm;
    const Region *of = s->op.r;
    if (s->kind != Sop || s->op.op != Ogemm)
        diag_fail(&r->p->ctx, E_plan_place, k->at, "plan gemm", NULL);
    int c = p->buf[of[2].buf].ndim, a = p->buf[of[0].buf].ndim;
    g->M = plan_extent(p, &of[2], c - 2);
    g->N = plan_extent(p, &of[2], c - 1);
    g->K = plan_extent(p, &of[0], s->op.attr[GEtransA] ? a - 2 : a - 1);
    g->areg = p->buf[of[0].buf].scope == SCfragment;
    g->breg = p->buf[of[1].buf].scope == SCfragment;
    const char *why = g->mma ? gemm_fits(r, s, g) : NULL;
    if (why)
        plan_wrong(r, k->at, "plan gemm", why, g->mma->name);
    if (g->keep && ex_type(p, g->keep) != DTbool)
        plan_wrong(r, k->at, "keep", dtypeinfo[ex_type(p, g->keep)].name, "bool");
    s->op.gemm = g;
}

static void attach_copy(Parser *r, const PlanLines *k, Stmt *s)
{
    const Machine *m = plan_machine(r);
    const CopyPlan *c = k->copy;
    int op = s->kind == Sop ? s->op.op : Onone;
    if (op != Ocopy && op != Oasync_copy && op != Otma_copy && op != Otma_put)
        diag_fail(&r->p->ctx, E_plan_place, k->at, "plan copy", NULL);
    int from = r->p->buf[s->op.r[0].buf].scope, to = r->p->buf[s->op.r[1].buf].scope;
    bool load = from == SCglobal && to == SCshared, store = from == SCshared && to == SCglobal;
    bool has = c->how == CPloop || (c->how == CPasync ? m->cp_async : m->tma);
    if (!has || (c->how == CPasync && !load) || (c->how > CPasync && !load && !store))
        plan_wrong(r, k->at, "how", copyhow[c->how], has ? "global -> shared" : m->name);
    bool waits = op == Otma_copy; /* the user, at a barrier of his */
    if ((c->use && !c->bar) || (c->bar && ((!c->use && !waits) || c->how <= CPasync || !load)))
        plan_wrong(r, k->at, "bar", c->bar ? r->p->buf[c->bar].name : "-", "how=tma use=");
    s->op.copy = k->copy;
}

static void attach_loop(Parser *r, const PlanLines *k, Stmt *s)
{
    const Prog *p = r->p;
    int64_t lo, hi;
    if (s->kind != Sfor || s->loop.kind != Fparallel)
        diag_fail(&r->p->ctx, E_plan_place, k->at, "plan loop", NULL);
    s->loop.open = k->open;
    s->loop.plan = k->loop;
    const Layout *l = k->loop ? &k->loop->loop : NULL;
    if (l && l->ndim != s->loop.n)
        plan_wrong(r, k->at, "map", afmt(&r->p->ctx, "%d-D", l->ndim),
                   afmt(&r->p->ctx, "%d-D", s->loop.n));
    for (int i = 0; l && i < s->loop.n; i++) {
        bool known = x_isint(p, s->loop.lo[i], &lo) && x_isint(p, s->loop.hi[i], &hi) && lo == 0;
        if (!known || hi != l->size[i])
            plan_wrong(r, k->at, "map", NUM(l->size[i]), known ? NUM(hi) : "for .. in parallel(N)");
    }
}

static void attach_reduce(Parser *r, const PlanLines *k, Stmt *s)
{
    const Prog *p = r->p;
    const Layout *l = &k->reduce->loop;
    if (s->kind != Sop || s->op.op != Oreduce)
        diag_fail(&r->p->ctx, E_plan_place, k->at, "plan reduce", NULL);
    const Region *of = &s->op.r[0];
    bool same = l->ndim == p->buf[of->buf].ndim && p->buf[of->buf].scope == SCfragment &&
                p->buf[s->op.r[1].buf].scope == SCfragment;
    for (int i = 0; same && i < l->ndim; i++)
        same = plan_extent(p, of, i) == l->size[i];
    if (!same)
        plan_wrong(r, k->at, "map", p->buf[of->buf].name, "map");
    s->op.reduce = k->reduce;
}

static void attach_mark(Parser *r, const PlanLines *k, Stmt *s)
{
    char m = k->mark[0];
    if (m == 's' && s->kind == Sstore)
        s->store.strict = true;
    else if (m == 'a' && s->kind == Sfor)
        s->loop.apart = true;
    else if (m == 'a' && s->kind == Srole)
        s->role.apart = true;
    else if (m == 'b' && s->kind == Sassume && k->turn.loop)
        s->check.begins = true;
    else if (m == 'l' && s->kind == Sif)
        s->cond.look = true;
    else
        diag_fail(&r->p->ctx, E_plan_place, k->at, afmt(&r->p->ctx, "plan mark %s", k->mark), NULL);
}

void parse_plan_attach(Parser *r, const PlanLines *k, Stmt *s)
{
    if (!k->any)
        return;
    if (!s || (k->launch && s->kind != Slaunch))
        diag_fail(&r->p->ctx, E_plan_place, k->at, "plan", NULL);
    if (k->gemm)
        attach_gemm(r, k, s);
    if (k->copy)
        attach_copy(r, k, s);
    if (k->loop || k->open)
        attach_loop(r, k, s);
    if (k->reduce)
        attach_reduce(r, k, s);
    if (k->mark)
        attach_mark(r, k, s);
    s->turn = k->turn;
    if (k->turn.loop > r->p->nopen)
        r->p->nopen = k->turn.loop;
}
