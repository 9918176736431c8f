/* lua/seam/ir_lower.c: the thread program of a traced program, and the notes that
 * the passes leave, for k:ir(), k:explain() and moontile compile. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/lower/lower.h"
#include "ir.h"
#include "err/host.h"

/* Notes ---------------------------------------------------------------- */

/* "title: label" of d. */
static void llower_push_text(lua_State *L, const Diag *d, enum Lang lang)
{
    const ErrInfo *e = err_info(d->err);
    Str s = {0};
    diag_text(&s, d, e->title[lang], lang);
    if (e->label[lang][0]) {
        str_puts(&s, lang == LANGzh ? "：" : ": ");
        diag_text(&s, d, e->label[lang], lang);
    }
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
}

static void push_help(lua_State *L, const Diag *d, enum Lang lang)
{
    Str s = {0};
    diag_text(&s, d, err_info(d->err)->help[lang], lang);
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
}

static void push_note(lua_State *L, const Ctx *c, const Diag *d)
{
    static const char *const text[] = {"en", "zh"}, *const help[] = {"help_en", "help_zh"};
    lua_createtable(L, 0, 10);
    lua_pushstring(L, err_info(d->err)->id);
    lua_setfield(L, -2, "id");
    lua_pushstring(L, err_info(d->err)->code);
    lua_setfield(L, -2, "code");
    if (d->loc.file && d->loc.file < c->nfile) {
        lua_pushstring(L, c->file[d->loc.file]);
        lua_setfield(L, -2, "file");
    }
    lua_pushinteger(L, d->loc.line);
    lua_setfield(L, -2, "line");
    Diag own = *d;
    own.python = diag_python(L, c, d->loc);
    for (int i = 0; i < NLang; i++) {
        llower_push_text(L, &own, (enum Lang)i);
        lua_setfield(L, -2, text[i]);
        push_help(L, &own, (enum Lang)i);
        lua_setfield(L, -2, help[i]);
    }
    lua_getfield(L, -1, text[diag_getlang(L)]);
    lua_setfield(L, -2, "text");
    lua_newtable(L);
    for (int i = 0; i < DiagArgs && d->arg[i]; i++) {
        lua_pushstring(L, d->arg[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "args");
}

/* The list of the notes of c, those before the n-th and from the m-th on left out. */
static void push_some(lua_State *L, const Ctx *c, int n, int m)
{
    int i = 0;
    lua_newtable(L);
    for (const Diag *d = c->diags; d && i < m; d = d->next)
        if (err_info(d->err)->level >= Lopen && i++ >= n) {
            push_note(L, c, d);
            lua_rawseti(L, -2, i - n);
        }
}

static void llower_push_notes(lua_State *L, const Ctx *c) { push_some(L, c, 0, INT_MAX); }

static int count_notes(const Ctx *c)
{
    int n = 0;
    for (const Diag *d = c->diags; d; d = d->next)
        n += err_info(d->err)->level >= Lopen;
    return n;
}

/* notes(P) -> what the passes noted in P: a list of {id =, code =, file =, line =,
 * text =, en =, zh =, help_en =, help_zh =, args = {..}} */
static int f_notes(lua_State *L)
{
    llower_push_notes(L, &check_prog(L, 1)->p->ctx);
    return 1;
}

/* Lowering ------------------------------------------------------------- */

typedef struct Lowering {
    const char *spec;
    const Machine *m;
} Lowering;

/* The machine that "sm_80" or "sim -arch=sm_80" names. */
static void find_machine(Ctx *c, void *ud)
{
    Lowering *k = ud;
    const Target *t = target_find(k->spec);
    const char *options = k->spec + strcspn(k->spec, " ");
    options += strspn(options, " ");
    k->m = machine_find(k->spec);
    t = t && !k->m ? target_there(c, t, &options) : t;
    if (!k->m && t && t->machine) {
        k->m = t->machine(c, options);
    } else if (!k->m && !c->nerror) {
        diag(c, E_target_threads, (Loc){0, 0, 0}, k->spec, NULL);
    }
}

static const Machine *want_machine(lua_State *L, LProg *lp, const char *spec)
{
    Lowering k = {.spec = spec};
    ir_run_expr(L, lp, find_machine, &k);
    if (!k.m)
        ir_raise(L, lp);
    return k.m;
}

LProg *ir_copy(lua_State *L, const LProg *lp)
{
    LProg *copy = new_prog(L, "lowered", false);
    Prog *q = prog_copy(lp->p);
    if (!q)
        luaL_error(L, "out of memory");
    prog_free(copy->p);
    copy->p = q;
    return copy;
}

/* May the passes run over it? */
static bool llower_ready(const LProg *copy)
{
    Prog *q = copy->p;
    return q->ctx.nerror == 0 && (q->machine || (prog_verify(q, "trace") && prog_check(q)));
}

LProg *ir_checked(lua_State *L, LProg *lp)
{
    LProg *copy = ir_copy(L, lp);
    if (!llower_ready(copy))
        ir_raise(L, copy);
    return copy;
}

void ir_lower_unchecked(lua_State *L, LProg *lp, const char *spec)
{
    const Machine *m = want_machine(L, lp, spec);
    if (!prog_verify(lp->p, "peek") || !prog_lower(lp->p, m, NULL))
        ir_raise(L, lp);
}

LProg *ir_threads(lua_State *L, LProg *lp, const char *spec, const char *pass)
{
    const Machine *m = want_machine(L, lp, spec);
    if (lp->p->machine)
        return lp;
    LProg *copy = ir_copy(L, lp);
    if (!llower_ready(copy) || !prog_lower(copy->p, m, pass))
        ir_raise(L, copy);
    return copy;
}

/* Pass after pass ------------------------------------------------------- */

/* What stood behind one pass over one launch. */
typedef struct Stage Stage;
struct Stage {
    const char *pass;
    const Stmt *launch;
    Str text;          /* empty: as behind the last one */
    int notes;         /* so many up to here */
};

typedef struct LowerStages LowerStages;
struct LowerStages {
    Stage *at;
    int n, cap, last;  /* last: the newest that has a text */
    bool bad;
};

#define STAGES_TYPE "moontile.stages" /* userdata: owns a LowerStages, so that an error frees it */

static int f_stages_gc(lua_State *L)
{
    LowerStages *k = luaL_checkudata(L, 1, STAGES_TYPE);
    for (int i = 0; i < k->n; i++)
        str_free(&k->at[i].text);
    free(k->at);
    *k = (LowerStages){0};
    return 0;
}

static LowerStages *push_stages(lua_State *L)
{
    LowerStages *k = lua_newuserdatauv(L, sizeof *k, 0);
    *k = (LowerStages){0};
    if (luaL_newmetatable(L, STAGES_TYPE)) {
        lua_pushcfunction(L, f_stages_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return k;
}

/* LowSeen: under ctx_try, so nothing of Lua here. */
static void keep_stage(void *ud, const Prog *p, const Stmt *launch, const char *pass)
{
    LowerStages *k = ud;
    if (k->n == k->cap) {
        int cap = k->cap ? 2 * k->cap : 32;
        Stage *at = realloc(k->at, (size_t)cap * sizeof *at);
        if (!at) {
            k->bad = true;
            return;
        }
        k->at = at;
        k->cap = cap;
    }
    Stage *s = &k->at[k->n];
    *s = (Stage){.pass = pass, .launch = launch, .notes = count_notes(&p->ctx)};
    prog_print(p, &s->text);
    k->bad |= s->text.bad;
    const Str *was = k->n ? &k->at[k->last].text : NULL;
    if (was && was->n == s->text.n && memcmp(was->s, s->text.s, was->n) == 0)
        str_free(&s->text);
    else
        k->last = k->n;
    k->n++;
}

/* {pass =, launch = number, text =, notes = {..}}; without text where nothing changed */
static void push_stage(lua_State *L, const LowerStages *k, int i, const Ctx *c, int launch)
{
    const Stage *s = &k->at[i];
    lua_createtable(L, 0, 4);
    lua_pushstring(L, s->pass);
    lua_setfield(L, -2, "pass");
    lua_pushinteger(L, launch);
    lua_setfield(L, -2, "launch");
    if (s->text.n) {
        lua_pushlstring(L, s->text.s, s->text.n);
        lua_setfield(L, -2, "text");
    }
    push_some(L, c, i ? k->at[i - 1].notes : 0, s->notes);
    lua_setfield(L, -2, "notes");
}

/* stages(P, spec) -> a list of {pass =, launch =, text =, notes =}: first "tile", the
 * program as it is lowered, then what stands behind each pass over each launch.  One
 * that changed nothing has no text.  Last "thread": the thread program. */
static int f_stages(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    const Machine *m = want_machine(L, lp, luaL_checkstring(L, 2));
    LowerStages *k = push_stages(L);
    LProg *copy = ir_copy(L, lp);
    keep_stage(k, copy->p, NULL, "tile");
    if (!llower_ready(copy) || (!copy->p->machine && !prog_lower_seen(copy->p, m, keep_stage, k)))
        ir_raise(L, copy);
    keep_stage(k, copy->p, NULL, "thread");
    if (k->bad)
        return luaL_error(L, "out of memory");
    lua_createtable(L, k->n, 0);
    int launch = 0;
    for (int i = 0; i < k->n; i++) {
        if (k->at[i].launch && (i == 0 || k->at[i].launch != k->at[i - 1].launch))
            launch++;
        push_stage(L, k, i, &copy->p->ctx, launch);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* lowered(P, spec [, pass]) -> text, notes: the thread program for a machine
 * ("sm_80") or target ("sim -arch=sm_80"), or what stands behind a pass */
static int f_lowered(lua_State *L)
{
    LProg *q = ir_threads(L, check_prog(L, 1), luaL_checkstring(L, 2), luaL_optstring(L, 3, NULL));
    Str s = {0};
    prog_print(q->p, &s);
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
    llower_push_notes(L, &q->p->ctx);
    return 2;
}

/* audit(P, spec [, limit]) -> a list of {buf =, from = line, to = line, fence =}: where the
 * barriers of a thread program are not enough, without buf and from where threads wait for
 * ever; and whether all of it was looked at. */
static int f_audit(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    const Machine *m = want_machine(L, lp, luaL_checkstring(L, 2));
    int64_t limit = luaL_optinteger(L, 3, 0);
    LProg *q = ir_copy(L, lp);
    uint32_t n;
    bool whole;
    const Unordered *at = prog_audit(q->p, m, limit, &n, &whole);
    if (q->p->ctx.nerror)
        ir_raise(L, q);
    lua_createtable(L, (int)n, 0);
    for (uint32_t i = 0; i < n; i++) {
        lua_createtable(L, 0, 4);
        if (at[i].buf) {
            lua_pushstring(L, at[i].buf);
            lua_setfield(L, -2, "buf");
            lua_pushinteger(L, at[i].from.line);
            lua_setfield(L, -2, "from");
        }
        lua_pushinteger(L, at[i].to.line);
        lua_setfield(L, -2, "to");
        lua_pushboolean(L, at[i].fence);
        lua_setfield(L, -2, "fence");
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushboolean(L, whole);
    return 2;
}

/* passes() -> their names, in order */
static int f_passes(lua_State *L)
{
    lua_newtable(L);
    for (int i = 0; prog_pass(i); i++) {
        lua_pushstring(L, prog_pass(i));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

const luaL_Reg lower_functions[] = {
    {"notes", f_notes}, {"lowered", f_lowered}, {"stages", f_stages}, {"passes", f_passes},
    {"audit", f_audit},
    {NULL, NULL},
};
