/* lua/seam/feedback.c: moontile.feedback: what core/cost/feedback.h finds, as tables.
 *
 * analyze(P, target [, {card = name, dims = {name = value}, fixes = false}]) -> table, whose
 * fields tl/explain.lua documents; without fixes layouts that would help are not looked for; lines count in the user's text.  Notes
 * carry their texts in both languages.  shots: the addresses of single accesses. */
#include <string.h>

#include "core/cost/feedback.h"
#include "core/lower/lower.h"
#include "ir.h"

#define LOWERED_TYPE "moontile.lowered" /* a Prog that Lua frees */

static int f_lfeedback_gc(lua_State *L)
{
    Prog **p = luaL_checkudata(L, 1, LOWERED_TYPE);
    if (*p)
        prog_free(*p);
    *p = NULL;
    return 0;
}

/* Fields of the table on top ------------------------------------------- */

/* A count that is not there when it is not known. */
static void lfeedback_known(lua_State *L, const char *key, double v)
{
    if (v >= 0)
        field_number(L, key, v);
}

static void set_location(lua_State *L, const Ctx *c, Loc l)
{
    if (l.line == 0)
        return;
    field_integer(L, "line", l.line);
    if (l.file && l.file < c->nfile)
        field_text(L, "file", c->file[l.file]);
}

/* Parts ---------------------------------------------------------------- */

static void push_access(lua_State *L, const Prog *p, const FbAccess *a)
{
    lua_createtable(L, 0, 24);
    set_location(L, &p->ctx, a->loc);
    field_text(L, "buffer", p->buf[a->buf].name);
    field_text(L, "what", a->what);
    field_text(L, "dir", a->dir == 'r' ? "read" : a->dir == 'w' ? "write" : "update");
    field_text(L, "space", a->shared ? "shared" : "global");
    field_text(L, "dtype", dtypeinfo[p->buf[a->buf].dt].name);
    field_flag(L, "fixed", a->fixed);
    field_integer(L, "bytes", a->bytes);
    field_integer(L, "active", a->active);
    lfeedback_known(L, "times", a->times);
    if (!a->fixed)
        return;
    field_integer(L, "lanes", a->lanes);
    field_integer(L, "warp", a->warp);
    if (a->times >= 0) {
        field_number(L, "all", a->all);
        field_number(L, "all_ideal", a->all_ideal);
    }
    if (!a->shared) {
        field_integer(L, "sectors", a->sectors);
        field_integer(L, "sector_ideal", a->sector_ideal);
        return;
    }
    field_integer(L, "waves", a->waves);
    field_integer(L, "ideal", a->ideal);
    field_integer(L, "ways", a->ways);
    field_integer(L, "bank", a->bank);
    if (a->fix) {
        const Buf *b = &p->buf[a->buf];
        field_text(L, "fix", a->fix);
        field_integer(L, "fix_ways", a->fixways);
        if (b->map && b->ndim >= 2) { /* of the last two dimensions, for who writes it out */
            field_integer(L, "rows", b->map->size[b->ndim - 2]);
            field_integer(L, "columns", b->map->size[b->ndim - 1]);
        }
    }
}

static void push_limits(lua_State *L, const Feedback *f)
{
    lua_createtable(L, 0, NFbLimit);
    for (int i = 0; i < NFbLimit; i++)
        field_integer(L, fblimit[i], f->per[i]);
    lua_setfield(L, -2, "per");
    field_text(L, "limit", fblimit[f->limit]);
    field_integer(L, "blocks_sm", f->blocks_sm);
    field_number(L, "occupancy", f->occupancy);
}

static void push_lists(lua_State *L, const Prog *p, const Feedback *f)
{
    lua_createtable(L, (int)f->naccess, 0);
    for (uint32_t i = 0; i < f->naccess; i++) {
        push_access(L, p, &f->access[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "access");
    lua_createtable(L, (int)f->nbuffer, 0);
    for (uint32_t i = 0; i < f->nbuffer; i++) {
        lua_createtable(L, 0, 3);
        field_text(L, "name", p->buf[f->buffer[i].buf].name);
        field_integer(L, "at", f->buffer[i].at);
        field_integer(L, "bytes", f->buffer[i].bytes);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "buffers");
    lua_createtable(L, (int)f->nop, 0);
    for (uint32_t i = 0; i < f->nop; i++) {
        lua_createtable(L, 0, 6);
        set_location(L, &p->ctx, f->op[i].loc);
        field_text(L, "name", f->op[i].name);
        lfeedback_known(L, "times", f->op[i].times);
        field_number(L, "flops", f->op[i].flops);
        field_number(L, "bytes", f->op[i].bytes);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "ops");
    lua_createtable(L, (int)f->nwork, 0);
    for (uint32_t i = 0; i < f->nwork; i++) {
        lua_createtable(L, 0, 3);
        set_location(L, &p->ctx, f->work[i].loc);
        field_number(L, "flops", f->work[i].flops);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "work");
    lua_createtable(L, (int)f->nslot, 0);
    for (uint32_t i = 0; i < f->nslot; i++) {
        lua_createtable(L, 0, 3);
        set_location(L, &p->ctx, f->slot[i].loc);
        field_text(L, "buffer", p->buf[f->slot[i].buf].name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "dynamic_registers");
}

static void push_texts(lua_State *L, const Diag *d, enum Lang lang)
{
    const struct { const char *key, *pattern; } part[] = {
        {"title", err_info(d->err)->title[lang]}, {"label", err_info(d->err)->label[lang]},
        {"help", err_info(d->err)->help[lang]}};
    lua_createtable(L, 0, 3);
    for (size_t i = 0; i < COUNT(part); i++) {
        Str s = {0};
        diag_text(&s, d, part[i].pattern, lang);
        field_text(L, part[i].key, s.s ? s.s : "");
        str_free(&s);
    }
}

static void lfeedback_push_notes(lua_State *L, const Ctx *c, const Diag *d)
{
    int n = 0;
    lua_newtable(L);
    for (; d; d = d->next) {
        if (err_info(d->err)->level < Lopen)
            continue;
        lua_createtable(L, 0, 6);
        set_location(L, c, d->loc);
        field_text(L, "id", err_info(d->err)->id);
        field_text(L, "code", err_info(d->err)->code);
        Diag own = *d;
        own.python = diag_python(L, c, d->loc);
        push_texts(L, &own, LANGen);
        lua_setfield(L, -2, "en");
        push_texts(L, &own, LANGzh);
        lua_setfield(L, -2, "zh");
        if (d->note) {
            lfeedback_push_notes(L, c, d->note);
            lua_setfield(L, -2, "notes");
        }
        lua_rawseti(L, -2, ++n);
    }
}

/* Field "card" of the table on top. */
static void push_card(lua_State *L, const Card *c)
{
    lua_createtable(L, 0, 10);
    field_text(L, "name", c->name);
    field_integer(L, "sms", c->sms);
    field_number(L, "ghz", c->ghz);
    field_number(L, "gbs", c->gbs);
    field_number(L, "f64", c->f64);
    field_number(L, "f32", c->f32);
    field_number(L, "tf32", c->tf32);
    field_number(L, "f16", c->f16);
    field_number(L, "f8", c->f8);
    field_number(L, "i8", c->i8);
    lua_setfield(L, -2, "card");
}

/* Work of the first block, and of the launch. */
static void push_work(lua_State *L, const Feedback *f)
{
    field_number(L, "flops", f->flops);
    field_number(L, "mma_flops", f->mmaflops);
    field_number(L, "bytes", f->gbytes);
    lfeedback_known(L, "blocks", f->blocks);
    lfeedback_known(L, "total_flops", f->all_flops);
    lfeedback_known(L, "total_bytes", f->all_gbytes);
    lfeedback_known(L, "once_bytes", f->once);
    field_flag(L, "counted", f->counted);
    field_flag(L, "assumed", f->assumed);
    field_flag(L, "sampled", f->sampled);
    field_number(L, "intensity", f->intensity);
    if (f->peak > 0)
        field_number(L, "peak", f->peak);
    if (f->ridge > 0) {
        field_number(L, "ridge", f->ridge);
        field_flag(L, "compute_bound", f->compute_bound);
    }
    if (f->bound_ms > 0)
        field_number(L, "bound_ms", f->bound_ms);
}

static void push_feedback(lua_State *L, const Prog *p, const Feedback *f)
{
    lua_createtable(L, 0, 40);
    field_integer(L, "threads", f->threads);
    field_integer(L, "warps", f->warps);
    field_integer(L, "shared", f->shared);
    field_integer(L, "registers", f->regs);
    field_integer(L, "fragment_registers", f->fragment_regs);
    push_limits(L, f);
    push_work(L, f);
    push_lists(L, p, f);
}

static void push_timing(lua_State *L, const Timing *f)
{
    lua_createtable(L, 0, 8);
    field_integer(L, "l2", f->l2);
    field_integer(L, "latency", f->latency);
    field_integer(L, "lanes", f->lanes);
    field_number(L, "matrix", f->matrix);
    field_number(L, "warp", f->warp);
    field_number(L, "memory", f->memory);
    field_number(L, "miss", f->miss);
    field_number(L, "launch", f->launch);
    lua_setfield(L, -2, "timing");
}

/* What holds for all launches. */
static void push_head(lua_State *L, const Prog *p, const Machine *m, const Card *card)
{
    lua_createtable(L, 0, 48);
    field_text(L, "kernel", p->name);
    field_text(L, "machine", m->name);
    field_flag(L, "exact_banks", m->exact_banks);
    field_integer(L, "warp_size", m->warp);
    field_integer(L, "shared_limit", m->shared_block);
    field_integer(L, "register_limit", m->regs_thread);
    field_integer(L, "vector_bytes", m->vec_bytes);
    if (card ? card : m->card)
        push_card(L, card ? card : m->card);
    push_timing(L, machine_timing(m));
    lfeedback_push_notes(L, &p->ctx, p->ctx.diags);
    lua_setfield(L, -2, "notes");
}

/* Arguments ------------------------------------------------------------ */

typedef struct FeedbackNames FeedbackNames;
struct FeedbackNames { lua_State *L; int table; /* index of opts.dims, 0: none */ };

/* Value of opts.dims for a dimension or scalar. */
static bool dim_value(void *ud, const char *name, int64_t *v)
{
    const FeedbackNames *n = ud;
    bool ok = false;
    if (n->table && lua_getfield(n->L, n->table, name) == LUA_TNUMBER && lua_isinteger(n->L, -1)) {
        *v = lua_tointeger(n->L, -1);
        ok = true;
    }
    if (n->table)
        lua_pop(n->L, 1);
    return ok;
}

static const Card *read_card(lua_State *L, int i)
{
    const Card *card = NULL;
    if (!lua_istable(L, i))
        return NULL;
    if (lua_getfield(L, i, "card") == LUA_TSTRING && !(card = card_find(lua_tostring(L, -1)))) {
        Str s = {0};
        for (const Card *const *k = cards; *k; k++)
            str_fmt(&s, "%s%s", k == cards ? "" : ", ", (*k)->name);
        lua_pushstring(L, s.s ? s.s : "");
        str_free(&s);
        ir_fail(L, "card_unknown", lua_tostring(L, -2), lua_tostring(L, -1));
    }
    lua_pop(L, 1);
    return card;
}

/* A program that Lua frees, in its place on the stack. */
static Prog **owned(lua_State *L)
{
    Prog **own = lua_newuserdatauv(L, sizeof *own, 0);
    *own = NULL;
    luaL_setmetatable(L, LOWERED_TYPE);
    return own;
}

/* The list of launches of q, on top. */
static int push_launches(lua_State *L, LProg *lp, Prog *q, const Machine *m, const Card *card,
                         FeedbackNames *names, bool fixes)
{
    int64_t *dims;
    uint8_t *is;
    if (!feedback_dims(q, dim_value, names, &dims, &is))
        return diag_raise(L, &q->ctx);
    lua_newtable(L);
    for (int i = 0; i < feedback_launches(q); i++) {
        Feedback f;
        if (!feedback(q, i, m, card, dims, is, &f))
            return diag_raise(L, &q->ctx);
        if (fixes && !lp->p->machine && !feedback_fixes(lp->p, q, i, dim_value, names, &f))
            return luaL_error(L, "out of memory");
        push_feedback(L, q, &f);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int f_analyze(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    const char *spec = luaL_checkstring(L, 2);
    const Target *t = target_find(spec);
    lua_settop(L, 3);
    luaL_argcheck(L, t, 2, "unknown target");
    if (!t->machine)
        ir_fail(L, "target_threads", t->name, NULL);
    const Card *card = read_card(L, 3);
    bool fixes = !lua_istable(L, 3) || lua_getfield(L, 3, "fixes") == LUA_TNIL ||
                 lua_toboolean(L, -1);
    FeedbackNames names = {L, 0};
    if (lua_istable(L, 3) && lua_getfield(L, 3, "dims") == LUA_TTABLE)
        names.table = lua_gettop(L);
    Prog **own = owned(L);
    Prog *q = *own = prog_copy(lp->p);
    if (!q)
        return luaL_error(L, "out of memory");
    const char *options = spec + strcspn(spec, " \t");
    const Machine *m = t->machine(&q->ctx, options + strspn(options, " \t"));
    if (q->machine) /* a thread program already: what it is for */
        m = machine_find(q->machine);
    if (!m || q->ctx.nerror || (!q->machine && !(prog_check(q) && prog_lower(q, m, NULL))))
        return diag_raise(L, &q->ctx);
    push_head(L, q, m, card);
    push_launches(L, lp, q, m, card, &names, fixes);
    lua_setfield(L, -2, "launches");
    return 1;
}

static void push_shot(lua_State *L, const Prog *p, const Machine *m, const FbShot *s)
{
    push_access(L, p, &s->a);
    field_integer(L, "rows", s->rows);
    field_integer(L, "warp_size", s->n);
    field_integer(L, "banks", m->banks);
    field_integer(L, "bank_bytes", m->bank_bytes);
    field_integer(L, "sector", m->sector);
    if (!s->a.fixed)
        return;
    lua_createtable(L, s->n, 0);
    for (int i = 0; i < s->n; i++) {
        lua_pushinteger(L, s->at[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "at");
}

/* shots(Q, launch, {line =, buffer =, warp =, dims =}) -> the accesses of a thread
 * program's launch (from 1) as analyze() tells them, each of one warp and with the
 * byte addresses of its lanes, at; rows: lanes that give one */
static int f_shots(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    int launch = (int)luaL_checkinteger(L, 2) - 1;
    luaL_checktype(L, 3, LUA_TTABLE);
    luaL_argcheck(L, lp->p->machine, 1, "a thread program");
    lua_settop(L, 3);
    FbAsk ask = {.warp = -1};
    lua_getfield(L, 3, "line");
    ask.line = (uint32_t)luaL_optinteger(L, -1, 0);
    lua_getfield(L, 3, "buffer");
    ask.buf = luaL_optstring(L, -1, NULL);
    lua_getfield(L, 3, "warp");
    ask.warp = (int)luaL_optinteger(L, -1, -1);
    FeedbackNames names = {L, lua_getfield(L, 3, "dims") == LUA_TTABLE ? lua_gettop(L) : 0};
    Prog **own = owned(L), *q = *own = prog_copy(lp->p);
    int64_t *dims;
    uint8_t *is;
    if (!q)
        return luaL_error(L, "out of memory");
    const Machine *m = machine_find(q->machine);
    if (!feedback_dims(q, dim_value, &names, &dims, &is) ||
        !feedback_shots(q, launch, m, dims, is, &ask))
        return diag_raise(L, &q->ctx);
    lua_createtable(L, (int)ask.nshot, 0);
    for (uint32_t i = 0; i < ask.nshot; i++) {
        push_shot(L, q, m, &ask.shot[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int f_machines(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; machines[i]; i++) {
        lua_createtable(L, 0, 7);
        field_text(L, "name", machines[i]->name);
        field_text(L, "family", machines[i]->family);
        field_text(L, "summary", machines[i]->summary);
        field_integer(L, "warp", machines[i]->warp);
        field_integer(L, "shared", machines[i]->shared_block);
        if (machines[i]->card)
            push_card(L, machines[i]->card);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static const luaL_Reg functions[] = {
    {"analyze", f_analyze}, {"machines", f_machines}, {"shots", f_shots}, {NULL, NULL}};

int luaopen_moontile_feedback(lua_State *L)
{
    if (luaL_newmetatable(L, LOWERED_TYPE)) {
        lua_pushcfunction(L, f_lfeedback_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
