/* lua/seam/ir_source.c: the source that a target prints of a program, and which of the
 * user's lines each of its lines comes from. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/device/session.h"
#include "core/ir/walk.h"
#include "ir.h"

typedef struct SourceJob SourceJob;
struct SourceJob {
    Prog *p;
    const Target *t;
    const char *options;
    Str *out;
    bool ok;
};

static void lsource_emit(Ctx *c, void *ud)
{
    SourceJob *j = ud;
    (void)c;
    j->ok = j->t->emit(j->p, j->options, j->out);
}

#define TEXT_TYPE "moontile.text" /* userdata: owns a Str, so that an error frees it */

static int f_text_gc(lua_State *L)
{
    str_free(luaL_checkudata(L, 1, TEXT_TYPE));
    return 0;
}

static Str *lsource_push_text(lua_State *L)
{
    Str *s = lua_newuserdatauv(L, sizeof *s, 0);
    *s = (Str){0};
    if (luaL_newmetatable(L, TEXT_TYPE)) {
        lua_pushcfunction(L, f_text_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return s;
}

static int lsource_by_place(const void *a, const void *b)
{
    const Origin *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Two lists as long as the text has lines: the user's line (0: none), and the file. */
static void lsource_push_lines(lua_State *L, const Prog *p, const Str *s)
{
    int n = 0;
    uint32_t k = 0;
    qsort(p->origin, p->norigin, sizeof *p->origin, lsource_by_place);
    lua_newtable(L);
    lua_newtable(L);
    for (size_t at = 0; at < s->n; n++) {
        const char *end = memchr(s->s + at, '\n', s->n - at);
        size_t next = end ? (size_t)(end - s->s) + 1 : s->n;
        Loc l = {0, 0, 0};
        while (k < p->norigin && p->origin[k].at < next)
            l = p->origin[k++].at >= at ? p->origin[k - 1].loc : l;
        lua_pushinteger(L, l.line);
        lua_rawseti(L, -3, n + 1);
        lua_pushstring(L, l.line && l.file && l.file < p->ctx.nfile ? p->ctx.file[l.file] : "");
        lua_rawseti(L, -2, n + 1);
        at = next;
    }
}

/* source(P, spec) -> text, lines, files: what target spec prints of P; lines[i] is the
 * user's line that line i of it is made of, 0 where it is of none, files[i] its file */
static int f_lsource_source(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    const char *spec = luaL_checkstring(L, 2);
    SourceJob j = {.t = target_find(spec), .options = spec + strcspn(spec, " ")};
    j.options += strspn(j.options, " ");
    luaL_argcheck(L, j.t, 2, "unknown target");
    LProg *q = j.t->machine ? ir_threads(L, lp, spec, NULL) : ir_checked(L, lp);
    j.p = q->p;
    j.out = lsource_push_text(L);
    ctx_try(&q->p->ctx, lsource_emit, &j);
    if (!j.ok)
        ir_raise(L, q);
    lua_pushlstring(L, j.out->s ? j.out->s : "", j.out->n);
    lsource_push_lines(L, q->p, j.out);
    return 3;
}

/* Appends the asserts of list to the list at the top of the stack. */
static void asserts(lua_State *L, const Prog *p, const Stmt *list)
{
    Stmt *b[2];
    for (const Stmt *s = list; s; s = s->next) {
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            asserts(L, p, b[i]);
        if (s->kind != Sassert || !s->loc.line || !s->loc.file || s->loc.file >= p->ctx.nfile)
            continue;
        lua_createtable(L, 0, 3);
        lua_pushinteger(L, s->loc.line);
        lua_setfield(L, -2, "line");
        lua_pushstring(L, p->ctx.file[s->loc.file]);
        lua_setfield(L, -2, "chunk");
        lua_pushstring(L, s->check.text ? s->check.text : "");
        lua_setfield(L, -2, "text");
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
}

/* asserts(P) -> {{line =, chunk =, text =}, ..}: where they stand, for s:load() */
static int f_asserts(lua_State *L)
{
    const Prog *p = check_prog(L, 1)->p;
    luaL_checkstack(L, 8, "asserts");
    lua_newtable(L);
    asserts(L, p, p->body);
    return 1;
}

const luaL_Reg source_functions[] = {
    {"source", f_lsource_source}, {"asserts", f_asserts}, {NULL, NULL}};
