/* lua/state/load.c: from text to a chunk.
 *
 * Files, -e, the prompt, require, load, loadfile and dofile all come here:
 * the dialect turns the text into plain Lua of the same lines, which Lua then
 * compiles.  Precompiled chunks pass untouched. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "api.h"
#include "lua/pyreader/ast.h"

#define STAGE "__stage" /* the variable that translated text calls ours by */
#define SOURCES "moontile.sources" /* package.loaded: chunk name -> text; see diag.c */

static bool lload_binary(const char *s, size_t n)
{
    return n > 0 && s[0] == LUA_SIGNATURE[0];
}

void load_keep(lua_State *L, const char *chunk, const char *s, size_t n)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    luaL_getsubtable(L, -1, SOURCES);
    lua_pushlstring(L, s, n);
    lua_setfield(L, -2, chunk);
    lua_pop(L, 2);
}

/* Precompiled code -------------------------------------------------------- */

/* The upvalue of the function on top that load gives its environment: Lua's first, but for the
 * one of ours. */
static int lload_env(lua_State *L)
{
    const char *first = lua_getupvalue(L, -1, 1);
    if (!first)
        return 1;
    lua_pop(L, 1);
    return strcmp(first, STAGE) == 0 ? 2 : 1;
}

/* Gives the function on top, which string.dump wrote, the value of ours among its upvalues. */
static void restore_stage(lua_State *L)
{
    const char *name;
    for (int i = 1; (name = lua_getupvalue(L, -1, i)) != NULL; i++) {
        lua_pop(L, 1);
        if (strcmp(name, STAGE) != 0)
            continue;
        api_require(L, "moontile.stage");
        lua_setupvalue(L, -2, i);
        lua_pushglobaltable(L);
        if (i > 1 || !lua_setupvalue(L, -2, 2))
            lua_pop(L, 1);
    }
}

/* string.dump(f [, strip]), upvalue 1.  Without names restore_stage would not find it. */
static int f_dump(lua_State *L)
{
    const char *name;
    bool ours = false;
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 2);
    for (int i = 1; !ours && (name = lua_getupvalue(L, 1, i)) != NULL; i++) {
        ours = strcmp(name, STAGE) == 0;
        lua_pop(L, 1);
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    if (ours) {
        lua_pushboolean(L, 0);
        lua_replace(L, 3);
    }
    lua_call(L, 2, 1);
    return 1;
}

/* Text ---------------------------------------------------------------------- */

/* Is a text of this chunk TileLang's Python? */
static bool in_python(const char *chunk)
{
    size_t n = strlen(chunk);
    return n > 4 && strcmp(chunk + n - 3, ".py") == 0;
}

/* Of a text that has no file's name its looks tell. */
static bool looks_python(const char *s, size_t size, const char *chunk)
{
    bool nameless = strcmp(chunk, "=stdin") == 0 || strcmp(chunk, "=(command line)") == 0;
    return nameless && py_looks(s, size) == PyYes;
}

/* Is the error on top that a word of another language stands in a text of Python's?  Then the text is Lua with a slip. */
static bool is_mixed(lua_State *L)
{
    if (!luaL_testudata(L, -1, DIAG_TYPE))
        return false;
    lua_getfield(L, -1, "id");
    const char *id = lua_tostring(L, -1);
    bool mixed = id && strcmp(id, "pysyn_foreign") == 0;
    lua_pop(L, 1);
    return mixed;
}

/* As load_any, of Python: moontile.python.loader.load(text, chunk) */
static int load_python(lua_State *L, const char *s, size_t n, const char *chunk, bool *incomplete)
{
    int top = lua_gettop(L);
    api_require(L, "moontile.python.loader");
    lua_getfield(L, -1, "load");
    lua_pushlstring(L, s, n);
    lua_pushstring(L, chunk);
    lua_call(L, 2, 3); /* function | nil, error object, incomplete */
    bool ok = lua_isfunction(L, top + 2);
    if (incomplete)
        *incomplete = !ok && lua_toboolean(L, top + 4);
    lua_pushvalue(L, ok ? top + 2 : top + 3);
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    return ok ? LUA_OK : LUA_ERRSYNTAX;
}

static int load_any(lua_State *L, const char *s, size_t n, const char *chunk, bool *incomplete,
                    bool known, uint32_t before)
{
    if (incomplete)
        *incomplete = false;
    if (lload_binary(s, n)) {
        int status = luaL_loadbufferx(L, s, n, chunk, "b");
        if (status == LUA_OK)
            restore_stage(L);
        return status;
    }
    if (in_python(chunk))
        return load_python(L, s, n, chunk, incomplete);
    if (looks_python(s, n, chunk)) {
        int status = load_python(L, s, n, chunk, incomplete);
        if (status == LUA_OK || !is_mixed(L))
            return status;
        lua_pop(L, 1);
    }
    int top = lua_gettop(L);
    api_require(L, "moontile.dialect");
    lua_getfield(L, -1, "translate");
    lua_pushlstring(L, s, n);
    lua_pushstring(L, chunk);
    lua_pushboolean(L, false);
    lua_pushboolean(L, known);
    lua_pushinteger(L, before);
    lua_call(L, 5, 3); /* text | nil, error object, incomplete */
    size_t m;
    const char *text = lua_tolstring(L, top + 2, &m);
    int status = LUA_ERRSYNTAX;
    if (text) {
        api_globals(L, text, m);
        status = luaL_loadbufferx(L, text, m, chunk, "t");
        if (status != LUA_OK)
            limit_explain(L, chunk);
    } else {
        if (incomplete)
            *incomplete = lua_toboolean(L, top + 4);
        lua_pushvalue(L, top + 3);
    }
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    return status;
}

int load_text(lua_State *L, const char *s, size_t n, const char *chunk, bool *incomplete)
{
    return load_any(L, s, n, chunk, incomplete, true, 0);
}

int load_behind(lua_State *L, const char *s, size_t n, const char *chunk, bool *incomplete,
                uint32_t before)
{
    return load_any(L, s, n, chunk, incomplete, true, before);
}

/* Files ----------------------------------------------------------------- */

/* Skips a byte order mark and the rest of a first line that starts with '#',
 * but not its newline, so that lines keep their numbers. */
static const char *lload_skip_head(const char *s, size_t *n)
{
    const char *end = s + *n;
    if (*n >= 3 && memcmp(s, "\xEF\xBB\xBF", 3) == 0)
        s += 3;
    if (s < end && *s == '#')
        while (s < end && *s != '\n')
            s++;
    *n = (size_t)(end - s);
    return s;
}

static int nofile(lua_State *L, const char *what, const char *name, int err)
{
    lua_pushfstring(L, "cannot %s %s: %s", what, name ? name : "stdin", strerror(err));
    return LUA_ERRFILE;
}

bool load_slurp(lua_State *L, FILE *f)
{
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    size_t got;
    do {
        char *p = luaL_prepbuffer(&b);
        got = fread(p, 1, LUAL_BUFFERSIZE, f);
        luaL_addsize(&b, got);
    } while (got);
    luaL_pushresult(&b);
    return !ferror(f);
}

/* Pushes the text of a file without its head, and then the name of its chunk.
 * Returns LUA_OK, or LUA_ERRFILE and only a message is pushed. */
static int lload_read_file(lua_State *L, const char *name)
{
    FILE *f = name ? fopen(name, "rb") : stdin;
    if (!f)
        return nofile(L, "open", name, errno);
    errno = 0;
    bool ok = load_slurp(L, f);
    int err = errno;
    if (name)
        fclose(f);
    if (!ok)
        return nofile(L, "read", name, err);
    size_t n;
    const char *s = lua_tolstring(L, -1, &n);
    const char *text = lload_skip_head(s, &n);
    if (n > 1 && text[0] == '\n' && lload_binary(text + 1, n - 1)) {
        text++; /* a precompiled chunk below a "#" line */
        n--;
    }
    if (text != s) {
        lua_pushlstring(L, text, n);
        lua_remove(L, -2);
    }
    if (name)
        lua_pushfstring(L, "@%s", name);
    else
        lua_pushliteral(L, "=stdin");
    return LUA_OK;
}

/* Does text with the table at index env as its environment find what reading it brings in?
 * Only where that takes no call of the program's.  env 0: the globals. */
static bool finds_stage(lua_State *L, int env)
{
    enum { MostTables = 8 }; /* each the __index of the one before */
    bool found = env == 0;
    int top = lua_gettop(L);
    luaL_checkstack(L, 3 + 2 * MostTables, NULL);
    lua_pushglobaltable(L);
    lua_pushvalue(L, env ? env : -1);
    for (int i = 0; !found && i < MostTables && lua_istable(L, -1); i++) {
        lua_pushliteral(L, STAGE);
        found = lua_rawequal(L, -2, top + 1) || lua_rawget(L, -2) != LUA_TNIL;
        if (found)
            break;
        lua_pop(L, 1);
        if (luaL_getmetafield(L, -1, "__index") == LUA_TNIL)
            break;
    }
    lua_settop(L, top);
    return found;
}

/* As load_text, with the mode of load, which of text "t" and binary "b", and the environment at
 * an index, 0: none.  Where that lacks ours, text is as Lua has it. */
static int load_mode(lua_State *L, const char *s, size_t n, const char *chunk, const char *mode,
                     int env)
{
    if (!strchr(mode, lload_binary(s, n) ? 'b' : 't'))
        return luaL_loadbufferx(L, s, n, chunk, mode); /* Lua's own refusal */
    return load_any(L, s, n, chunk, NULL, finds_stage(L, env), 0);
}

int load_file(lua_State *L, const char *name)
{
    int top = lua_gettop(L);
    int status = lload_read_file(L, name);
    if (status == LUA_OK) {
        size_t n;
        const char *s = lua_tolstring(L, top + 1, &n), *chunk = lua_tostring(L, top + 2);
        if (!lload_binary(s, n))
            load_keep(L, chunk, s, n);
        status = load_text(L, s, n, chunk, NULL);
        lua_replace(L, top + 1);
        lua_settop(L, top + 1);
    }
    return status;
}

/* The functions of Lua's base library that read programs ------------------ */

/* Turns the error object on top, of the text s, into a string in Lua's form,
 * for programs that look into the messages of load.  It is Lua's own message
 * unless a construct of the dialect stopped Lua before the error's line. */
static void plain_message(lua_State *L, const char *s, size_t n, const char *chunk)
{
    lua_getfield(L, -1, "line");
    lua_getfield(L, -2, "message");
    lua_Integer line = lua_tointeger(L, -2);
    const char *ours = lua_tostring(L, -1);
    if (luaL_loadbufferx(L, s, n, chunk, "t") == LUA_OK) {
        lua_pop(L, 1);
        lua_pushfstring(L, "%I: %s", line, ours);
    } else {
        const char *msg = lua_tostring(L, -1), *p = msg;
        char *e;
        if (!msg) { /* a limit of the parser's, of which a message handler made an object */
            if (luaL_testudata(L, -1, DIAG_TYPE))
                lua_getfield(L, -1, "message");
            if (lua_type(L, -1) != LUA_TSTRING)
                lua_pushstring(L, ours ? ours : "syntax error");
            return;
        }
        while ((p = strchr(p, ':')) != NULL && (strtol(++p, &e, 10) == 0 || *e != ':'))
            ;
        if (p && strtol(p, NULL, 10) < line) {
            lua_pushlstring(L, msg, (size_t)(p - msg)); /* "[string "..."]:" */
            lua_pushfstring(L, "%s%I: %s", lua_tostring(L, -1), line, ours);
        }
    }
}

/* What load and loadfile give: the chunk with its environment set when the
 * call had an argument `env`, or nil and the message as text.  s is the text
 * that was read, NULL when reading it failed. */
static int lload_result(lua_State *L, int status, int env, const char *s, size_t n,
                        const char *chunk)
{
    if (status == LUA_OK) {
        if (env) {
            int at = lload_env(L);
            lua_pushvalue(L, env);
            if (!lua_setupvalue(L, -2, at))
                lua_pop(L, 1);
        }
        return 1;
    }
    if (s && luaL_testudata(L, -1, DIAG_TYPE))
        plain_message(L, s, n, chunk);
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
}

/* Pushes what the reader function at index 1 gives, piece by piece, as one
 * string; false and a message when it fails. */
static bool read_pieces(lua_State *L)
{
    luaL_Buffer b;
    luaL_checkstack(L, 8, "too many nested functions");
    luaL_buffinit(L, &b);
    for (;;) {
        lua_pushvalue(L, 1);
        if (lua_pcall(L, 0, 1, 0) != LUA_OK)
            return false;
        if (lua_isnil(L, -1) || (lua_isstring(L, -1) && lua_rawlen(L, -1) == 0 &&
                                 lua_type(L, -1) == LUA_TSTRING))
            break;
        if (!lua_isstring(L, -1)) {
            lua_pushliteral(L, "reader function must return a string");
            return false;
        }
        luaL_addvalue(&b);
    }
    lua_pop(L, 1);
    luaL_pushresult(&b);
    return true;
}

/* load(chunk [, chunkname [, mode [, env]]]) */
static int f_lload_load(lua_State *L)
{
    size_t n;
    int env = lua_isnone(L, 4) ? 0 : 4;
    const char *s = lua_tostring(L, 1);
    const char *chunk = luaL_optstring(L, 2, s ? s : "=(load)");
    const char *mode = luaL_optstring(L, 3, "bt");
    if (s) {
        s = lua_tolstring(L, 1, &n);
    } else {
        luaL_checktype(L, 1, LUA_TFUNCTION);
        if (!read_pieces(L))
            return lload_result(L, LUA_ERRRUN, 0, NULL, 0, NULL);
        s = lua_tolstring(L, -1, &n);
    }
    return lload_result(L, load_mode(L, s, n, chunk, mode, env), env, s, n, chunk);
}

/* loadfile([filename [, mode [, env]]]) */
static int f_loadfile(lua_State *L)
{
    const char *name = luaL_optstring(L, 1, NULL);
    const char *mode = luaL_optstring(L, 2, "bt");
    int env = lua_isnone(L, 3) ? 0 : 3;
    if (lload_read_file(L, name) != LUA_OK)
        return lload_result(L, LUA_ERRFILE, 0, NULL, 0, NULL);
    size_t n;
    const char *s = lua_tolstring(L, -2, &n), *chunk = lua_tostring(L, -1);
    if (!lload_binary(s, n))
        load_keep(L, chunk, s, n);
    return lload_result(L, load_mode(L, s, n, chunk, mode, env), env, s, n, chunk);
}

static int dofile_done(lua_State *L, int status, lua_KContext k)
{
    (void)status, (void)k;
    return lua_gettop(L) - 1;
}

/* dofile([filename]) */
static int f_dofile(lua_State *L)
{
    const char *name = luaL_optstring(L, 1, NULL);
    lua_settop(L, 1);
    if (load_file(L, name) != LUA_OK)
        return lua_error(L);
    lua_callk(L, 0, LUA_MULTRET, 0, dofile_done);
    return dofile_done(L, LUA_OK, 0);
}

/* package.searchers: files of package.path.  Upvalue 1: package. */
static int f_searchfile(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    lua_getfield(L, lua_upvalueindex(1), "searchpath");
    lua_pushstring(L, name);
    if (lua_getfield(L, lua_upvalueindex(1), "path") != LUA_TSTRING)
        return luaL_error(L, "'package.path' must be a string");
    lua_call(L, 2, 2);
    if (lua_isnil(L, -2))
        return 1; /* where it was looked for */
    lua_pop(L, 1);
    const char *file = lua_tostring(L, -1);
    if (load_file(L, file) != LUA_OK) {
        if (lua_type(L, -1) != LUA_TSTRING)
            return lua_error(L); /* names the place by itself */
        return luaL_error(L, "error loading module '%s' from file '%s':\n\t%s", name, file,
                          lua_tostring(L, -1));
    }
    lua_pushvalue(L, -2);
    return 2;
}

/* (name, path): a module of a file in Python: its functions and values */
static int f_python_module(lua_State *L)
{
    lua_settop(L, 2);
    api_require(L, "moontile.python.loader");
    lua_getfield(L, -1, "python");
    lua_pushvalue(L, 2);
    lua_call(L, 1, 1);
    return 1;
}

/* package.searchers: files in Python where package.path has those in Lua; "gemm" and "gemm.py" are the same.
 * Upvalue 1: package. */
static int f_searchpython(lua_State *L)
{
    size_t n;
    const char *name = luaL_checklstring(L, 1, &n);
    lua_getfield(L, lua_upvalueindex(1), "searchpath");
    lua_pushlstring(L, name, n > 3 && strcmp(name + n - 3, ".py") == 0 ? n - 3 : n);
    if (lua_getfield(L, lua_upvalueindex(1), "path") != LUA_TSTRING)
        return 0; /* the searcher before this one says so */
    luaL_gsub(L, lua_tostring(L, -1), ".lua", ".py");
    lua_remove(L, -2);
    lua_call(L, 2, 2);
    if (lua_isnil(L, -2))
        return 1; /* where it was looked for */
    lua_pop(L, 1);
    lua_pushcfunction(L, f_python_module);
    lua_insert(L, -2);
    return 2;
}

static const luaL_Reg funcs[] = {
    {"dofile", f_dofile},
    {"load", f_lload_load},
    {"loadfile", f_loadfile},
    {NULL, NULL},
};

void load_open(lua_State *L)
{
    lua_pushglobaltable(L);
    luaL_setfuncs(L, funcs, 0);
    lua_getfield(L, -1, "string");
    lua_getfield(L, -1, "dump");
    lua_pushcclosure(L, f_dump, 1);
    lua_setfield(L, -2, "dump");
    lua_pop(L, 2);
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "searchers");
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, f_searchfile, 1);
    lua_rawseti(L, -2, 3); /* after preload and ours */
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, f_searchpython, 1);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1); /* the last */
    lua_pop(L, 2);
}
