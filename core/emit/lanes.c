/* core/emit/lanes.c: what the lanes of a warp, and the threads of a block, do
 * together.
 *
 * For dialects without CUDA's functions all of it is made of two, which are the
 * dialect's: `T shuffle(T v, int lane)` and `unsigned long long ballot(bool p)`, both
 * among the lanes that are here.  Blocks are counted along x, so a lane's number is that
 * of its thread.  Results are those of the simulator (targets/sim/run_warp.c): a shuffle
 * stays in its group of `width` lanes, a lane out of it gives the value back; of `delta`, the
 * bits count that a lane has, as in PTX. */
#include <string.h>

#include "emit_p.h"
#include "err/ir.h"

/* WARP stands for the lanes of a warp. */
static const EmitText texts[] = {
    {"here", "ballot",
     "/* A bit for each lane that is here. */\n"
     "% unsigned long long here() { return ballot(true); }\n"},
    {"lane_group", "",
     "/* Lanes of a group: all of the warp's, where it is not said well. */\n"
     "% int lane_group(int width) { return width < 1 || width > WARP ? WARP : width; }\n"},
    {"shfl", "shuffle lane_group",
     "template <class T>\n% T shfl(T v, int from, int width)\n{\n"
     "    int lane = threadIdx.x % WARP, n = lane_group(width);\n"
     "    return shuffle(v, lane / n * n + (from % n + n) % n);\n}\n"},
    {"shfl_xor", "shuffle lane_group",
     "template <class T>\n% T shfl_xor(T v, int delta, int width)\n{\n"
     "    int lane = threadIdx.x % WARP, n = lane_group(width), by = delta & (WARP - 1);\n"
     "    int from = lane ^ by;\n"
     "    return shuffle(v, by < n || from < (lane / n + 1) * n ? from : lane);\n}\n"},
    {"shfl_up", "shuffle lane_group",
     "template <class T>\n% T shfl_up(T v, int delta, int width)\n{\n"
     "    int lane = threadIdx.x % WARP, n = lane_group(width), by = delta & (WARP - 1);\n"
     "    return shuffle(v, by > lane % n ? lane : lane - by);\n}\n"},
    {"shfl_down", "shuffle lane_group",
     "template <class T>\n% T shfl_down(T v, int delta, int width)\n{\n"
     "    int lane = threadIdx.x % WARP, n = lane_group(width), by = delta & (WARP - 1);\n"
     "    return shuffle(v, by >= n - lane % n ? lane : lane + by);\n}\n"},
    {"all_lanes", "here", "% int all_lanes(bool p) { return ballot(p) == here(); }\n"},
    {"all_named", "ballot",
     "/* Does p hold in the lanes of the mask? */\n"
     "% int all_named(bool p, unsigned long long mask) { return (ballot(!p) & mask) == 0; }\n"},
    {"match_any", "shuffle here",
     "/* The lanes that have the same v. */\n"
     "template <class T>\n% unsigned long long match_any(T v)\n{\n"
     "    unsigned long long mine = 0;\n"
     "    for (unsigned long long rest = here(); rest;) {\n"
     "        bool same = shuffle(v, __ffsll(rest) - 1) == v;\n"
     "        unsigned long long all = ballot(same);\n"
     "        mine = same ? all : mine;\n"
     "        rest &= ~all;\n"
     "    }\n"
     "    return mine;\n}\n"},
    {"match_all", "shuffle here",
     "/* The lanes that are here, where all of them have the same v; else 0. */\n"
     "template <class T>\n% unsigned long long match_all(T v)\n{\n"
     "    unsigned long long all = here();\n"
     "    return ballot(shuffle(v, __ffsll(all) - 1) == v) == all ? all : 0;\n}\n"},
    {"match_named", "shuffle here",
     "/* Those of the mask that are here, where all of them have the same v; else 0. */\n"
     "template <class T>\n% unsigned long long match_named(T v, unsigned long long mask)\n{\n"
     "    unsigned long long all = here() & mask;\n"
     "    return (ballot(shuffle(v, __ffsll(all) - 1) == v) & all) == all ? all : 0;\n}\n"},
    {"elect", "here",
     "/* True in one thread of each `group` threads (0: of the block): the first lane that\n"
     " * is here of the group's first warp. */\n"
     "% bool elect(int tid, int group)\n{\n"
     "    int warps = group / WARP > 0 ? group / WARP : 1;\n"
     "    bool first = group > 0 ? tid / WARP % warps == 0 : tid < WARP;\n"
     "    return first && tid % WARP == __ffsll(here()) - 1;\n}\n"},
    {"block_count", "ballot",
     "/* In how many threads of the block p holds; all of them call it. */\n"
     "% int block_count(bool p)\n{\n"
     "    __shared__ int total;\n"
     "    __syncthreads();\n"
     "    if (threadIdx.x == 0)\n"
     "        total = 0;\n"
     "    __syncthreads();\n"
     "    int n = __popcll(ballot(p));\n"
     "    if (threadIdx.x % WARP == 0)\n"
     "        atomicAdd(&total, n);\n"
     "    __syncthreads();\n"
     "    return total;\n}\n"},
    {NULL, NULL, NULL},
};

static const EmitLanes wide = {
    .mask = "unsigned long long", .here = "here()", .full = "~0ull",
    .ffs = "__ffsll", .get = "shuffle(v", .flip = "shuffle(v, lane ^ step)"
};

/* WARP becomes its number. */
static const char *with_warp(Emit *e, const char *text)
{
    Str s = {0};
    for (const char *k = text; *k;) {
        bool is = strncmp(k, "WARP", 4) == 0;
        if (is)
            str_fmt(&s, "%d", e->m->warp);
        else
            str_add(&s, k, 1);
        k += is ? 4 : 1;
    }
    return emit_done(e, &s);
}

const char *emit_lanes(Emit *e, const char *name)
{
    const char *t = emit_find(e, texts, name);
    if (t)
        return with_warp(e, t);
    EmitLanes w = wide;
    w.full = e->m->warp == 32 ? "0xffffffffull" : w.full;
    return emit_reduction(e, name, &w);
}

/* Reductions of a warp ------------------------------------------------------- */

/* How x and y of this type combine, as the value in flight. */
static const char *lanes_combined(Emit *e, enum Intr fn, enum Dtype dt)
{
    if (fn == Iwarp_max || fn == Iwarp_min)
        return afmt(&e->p->ctx, "%s(x, y)",
                    emit_fn(e, (fn == Iwarp_max ? emit_words.max : emit_words.min)[flight_of(dt)]));
    if (fn != Iwarp_sum)
        return fn == Iwarp_bitand ? "x & y" : fn == Iwarp_bitor ? "x | y" : "x ^ y";
    switch (dt) {
    case DTf16: case DTbf16: case DTe4m3: case DTe5m2:
        return e->d->cast(e, DTf32, dt, e->d->cast(e, dt, DTf32, "x + y"));
    case DTtf32: return e->d->cast(e, dt, DTf32, "x + y");
    case DTi8: return "(signed char)(x + y)";
    case DTu8: return "(unsigned char)(x + y)";
    case DTi16: return "(short)(x + y)";
    case DTu16: return "(unsigned short)(x + y)";
    case DTi32: return "(int)((unsigned)x + (unsigned)y)"; /* sums wrap */
    case DTi64: return "(long long)((unsigned long long)x + (unsigned long long)y)";
    default: return "x + y";
    }
}

/* A butterfly where all lanes are there, so that all get the same bits; else one
 * lane after the other. */
static const char *reduction(Emit *e, const char *name, const char *t, const char *xy,
                             const EmitLanes *w)
{
    Ctx *c = &e->p->ctx;
    bool lane = strstr(w->flip, "lane") != NULL;
    return afmt(c,
        "%% %s %s(%s v)\n{\n"
        "    %s mask = %s;\n"
        "%s"
        "    if (mask == %s) {\n"
        "        for (int step = %d; step > 0; step /= 2) {\n"
        "            %s o = %s, x = v, y = o;\n"
        "            if (threadIdx.x & step)\n"
        "                x = o, y = v;\n"
        "            v = %s;\n"
        "        }\n"
        "        return v;\n"
        "    }\n"
        "    %s x = %s, %s(mask) - 1);\n"
        "    for (%s rest = mask & (mask - 1); rest; rest &= rest - 1) {\n"
        "        %s y = %s, %s(rest) - 1);\n"
        "        x = %s;\n"
        "    }\n"
        "    return x;\n}\n",
        t, name, t, w->mask, w->here,
        lane ? afmt(c, "    int lane = threadIdx.x %% %d;\n", e->m->warp) : "", w->full,
        e->m->warp / 2, t, w->flip, xy, t, w->get, w->ffs, w->mask, t,
        w->get, w->ffs, xy);
}

const char *emit_reduction(Emit *e, const char *name, const EmitLanes *w)
{
    for (int fn = Iwarp_sum; fn <= Iwarp_bitxor; fn++) {
        size_t n = strlen(intrinfo[fn].text);
        if (strncmp(name, intrinfo[fn].text, n) != 0 || name[n] != '_')
            continue;
        enum Dtype dt = dtypebyname(name + n + 1);
        if (dt == DTnone)
            return NULL;
        if (w->flip == wide.flip) {
            emit_need(e, "shuffle");
            emit_need(e, "here");
        }
        const char *xy = lanes_combined(e, (enum Intr)fn, dt);
        return emit_translated(e, reduction(e, name, flight_type(dt), xy, w));
    }
    return NULL;
}

/* Calls ------------------------------------------------------------------------ */

const char *emit_lane_value(Emit *e, enum Dtype dt, const char *x)
{
    return dtypeinfo[dt].bits < 32 && !is_float(dt) ? afmt(&e->p->ctx, "(int)(%s)", x) : x;
}

/* A value as bits that compare: floats by theirs. */
static const char *comparable(Emit *e, enum Dtype dt, const char *x)
{
    const char *fn = dt == DTf64 ? "__double_as_longlong" : "__float_as_uint";
    return is_float(dt) ? afmt(&e->p->ctx, "%s(%s)", emit_fn(e, fn), x) : emit_lane_value(e, dt, x);
}

/* A vote among the lanes of a mask. */
static const char *lanes_named(Emit *e, enum Intr fn, enum Dtype dt, const char *x, const char *mask)
{
    Ctx *c = &e->p->ctx;
    switch (fn) {
    case Iany_sync: return afmt(c, "((%s(%s) & (%s)) != 0)", emit_need(e, "ballot"), x, mask);
    case Iall_sync: return afmt(c, "%s(%s, %s)", emit_need(e, "all_named"), x, mask);
    case Iballot: return afmt(c, "(%s(%s) & (%s))", emit_need(e, "ballot"), x, mask);
    case Imatch_any:
        return afmt(c, "(%s(%s) & (%s))", emit_need(e, "match_any"), comparable(e, dt, x), mask);
    default:
        return afmt(c, "%s(%s, %s)", emit_need(e, "match_named"), comparable(e, dt, x), mask);
    }
}

const char *emit_together(Emit *e, enum Intr fn, enum Dtype dt, const char *const *arg)
{
    static const char *const shuffle[NIntr] = {
        [Ishfl] = "shfl", [Ishfl_xor] = "shfl_xor", [Ishfl_up] = "shfl_up",
        [Ishfl_down] = "shfl_down"};
    Ctx *c = &e->p->ctx;
    const char *mask = intr_mask(fn) == 1 ? arg[1] : NULL; /* of votes; shuffles name whom they ask */
    if (mask)
        return lanes_named(e, fn, dt, arg[0], mask);
    switch (fn) {
    case Ishfl: case Ishfl_xor: case Ishfl_up: case Ishfl_down:
        return afmt(c, "%s(%s, %s, %s)", emit_need(e, shuffle[fn]),
                    emit_lane_value(e, dt, arg[0]), arg[1], arg[2]);
    case Iany_sync: return afmt(c, "(%s(%s) != 0)", emit_need(e, "ballot"), arg[0]);
    case Iall_sync: return afmt(c, "%s(%s)", emit_need(e, "all_lanes"), arg[0]);
    case Iballot: return afmt(c, "%s(%s)", emit_need(e, "ballot"), arg[0]);
    case Iactivemask: return afmt(c, "%s()", emit_need(e, "here"));
    case Imatch_any: case Imatch_all:
        return afmt(c, "%s(%s)",
                    emit_need(e, fn == Imatch_any ? "match_any" : "match_all"),
                    comparable(e, dt, arg[0]));
    case Icount_sync: return afmt(c, "%s(%s)", emit_need(e, "block_count"), arg[0]);
    case Iand_sync: return afmt(c, "(%s(!(%s)) == 0)", emit_need(e, "block_count"), arg[0]);
    case Ior_sync: return afmt(c, "(%s(%s) != 0)", emit_need(e, "block_count"), arg[0]);
    case Ishuffle_elect:
        return afmt(c, "%s(%s, %s)", emit_need(e, "elect"),
                    emit_varname(e, e->l->launch->launch.thread[0]), arg[0]);
    default:
        return afmt(c, "%s(%s)", emit_need(e, afmt(c, "%s_%s", intrinfo[fn].text,
                                                   dtypeinfo[dt].name)), arg[0]);
    }
}

/* Statements ------------------------------------------------------------------- */

const char *emit_block_barrier(Emit *e, const Stmt *s, const char *fn)
{
    int64_t count = s->kind == Sop ? s->op.attr[1] : -1;
    if (s->kind == Scall && s->call.arg[1])
        x_isint(e->p, s->call.arg[1], &count);
    if (count > 0 && count != e->l->threads)
        diag_fail(&e->p->ctx, E_machine_op, s->loc, e->m->name, "bar.sync",
                  s->kind == Sop ? opinfo[s->op.op].text : intrinfo[s->call.fn].text, "0",
                  NULL);
    return fn;
}

void emit_grid_sync(Emit *e)
{
    for (int i = 0; i < e->l->nparam; i++)
        if (e->l->param[i].kind == PKgrid) {
            emit_line(e, "%s(%s);", emit_need(e, "grid_sync"), e->l->param[i].name);
            return;
        }
    diag_fail(&e->p->ctx, E_bug, e->here, "a grid-wide barrier without counters", NULL);
}
