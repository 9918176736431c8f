/* lua/ir_lower.c: the thread program of a traced program, and the notes that
 * the passes leave, for k:ir(), k:explain() and moontile compile. */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "../core/lower/lower.h"
#include "ir.h"

/* Notes ---------------------------------------------------------------- */

/* "title: label" of d. */
static void push_text(lua_State *L, const Diag *d, enum Lang lang)
{
    const ErrInfo *e = &errinfo[d->err];
    Str s = {0};
    diag_text(&s, d, e->title[lang]);
    if (e->label[lang][0]) {
        str_puts(&s, lang == LANGzh ? "：" : ": ");
        diag_text(&s, d, e->label[lang]);
    }
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
}

static void push_help(lua_State *L, const Diag *d, enum Lang lang)
{
    Str s = {0};
    diag_text(&s, d, errinfo[d->err].help[lang]);
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
}

static void push_note(lua_State *L, const Ctx *c, const Diag *d)
{
    static const char *const text[] = {"en", "zh"}, *const help[] = {"help_en", "help_zh"};
    lua_createtable(L, 0, 10);
    lua_pushstring(L, errinfo[d->err].id);
    lua_setfield(L, -2, "id");
    lua_pushstring(L, errinfo[d->err].code);
    lua_setfield(L, -2, "code");
    if (d->loc.file && d->loc.file < c->nfile) {
        lua_pushstring(L, c->file[d->loc.file]);
        lua_setfield(L, -2, "file");
    }
    lua_pushinteger(L, d->loc.line);
    lua_setfield(L, -2, "line");
    for (int i = 0; i < NLang; i++) {
        push_text(L, d, (enum Lang)i);
        lua_setfield(L, -2, text[i]);
        push_help(L, d, (enum Lang)i);
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

static void push_notes(lua_State *L, const Ctx *c)
{
    int n = 0;
    lua_newtable(L);
    for (const Diag *d = c->diags; d; d = d->next)
        if (errinfo[d->err].level == Lnote) {
            push_note(L, c, d);
            lua_rawseti(L, -2, ++n);
        }
}

/* notes(P) -> what the passes noted in P: a list of {id =, code =, file =, line =,
 * text =, en =, zh =, help_en =, help_zh =, args = {..}} */
static int f_notes(lua_State *L)
{
    push_notes(L, &check_prog(L, 1)->p->ctx);
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
    k->m = machine_find(k->spec);
    if (!k->m && t && t->machine) {
        const char *options = k->spec + strcspn(k->spec, " ");
        k->m = t->machine(c, options + strspn(options, " "));
    } else if (!k->m) {
        diag(c, E_target_threads, (Loc){0, 0, 0}, k->spec, NULL);
    }
}

LProg *ir_threads(lua_State *L, LProg *lp, const char *spec, const char *pass)
{
    Lowering k = {.spec = spec};
    ir_run_expr(L, lp, find_machine, &k);
    if (!k.m)
        ir_raise(L, lp);
    if (lp->p->machine)
        return lp;
    LProg *copy = new_prog(L, "lowered", false);
    Prog *q = prog_copy(lp->p);
    if (!q)
        luaL_error(L, "out of memory");
    prog_free(copy->p);
    copy->p = q;
    if (q->ctx.nerror || !prog_verify(q, "trace") || !prog_check(q) || !prog_lower(q, k.m, pass))
        ir_raise(L, copy);
    return copy;
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
    push_notes(L, &q->p->ctx);
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
    {"notes", f_notes}, {"lowered", f_lowered}, {"passes", f_passes}, {NULL, NULL},
};
