/* lua/state/api.h: the C seam: what the modules of this folder give each other.
 * One block a file; each module's opener is listed in api.c. */
#ifndef MOONTILE_LUA_API_H
#define MOONTILE_LUA_API_H

#include <stdio.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/base/base.h"

/* May c stand in a name? */
static inline bool wordchar(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Sets a field of the table on top. */
static inline void field_integer(lua_State *L, const char *key, int64_t v)
{
    lua_pushinteger(L, (lua_Integer)v);
    lua_setfield(L, -2, key);
}

static inline void field_number(lua_State *L, const char *key, double v)
{
    lua_pushnumber(L, v);
    lua_setfield(L, -2, key);
}

static inline void field_flag(lua_State *L, const char *key, bool v)
{
    lua_pushboolean(L, v);
    lua_setfield(L, -2, key);
}

static inline void field_text(lua_State *L, const char *key, const char *v) /* NULL: nil */
{
    lua_pushstring(L, v);
    lua_setfield(L, -2, key);
}

/* diag.c (moontile.diag) */
#define DIAG_TYPE "moontile.diag"
/* Raises the errors of c (copied) as an error object; never returns. */
int diag_raise(lua_State *L, const Ctx *c);
/* Pushes an object with c's messages of level <= worst; false, nothing pushed,
 * when there are none. */
bool diag_push(lua_State *L, const Ctx *c, enum Level worst);
/* Pushes the text of any error value, plain strings included. */
int diag_tostring(lua_State *L, int idx, bool colour);
void diag_setlang(lua_State *L, enum Lang l);
enum Lang diag_getlang(lua_State *L);
/* Chunk name, line and column of the user's code that is running; chunks
 * named "@moontile/..." are ours.  NULL when there is none. */
const char *diag_where(lua_State *L, uint32_t *line, uint16_t *col);
/* Is the text at l Python?  Without a file: the user's code that is running, else what was read last. */
bool diag_python(lua_State *L, const Ctx *c, Loc l);
void diag_language(lua_State *L, const char *chunk, bool python); /* said of each text that is read */
Loc diag_loc(lua_State *L, Ctx *c); /* the same as a Loc; unwinds on no memory */
/* The name by which the function of ar (lua_getstack) is called, or NULL; event: of a
 * metamethod.  It is pushed.  Lua reads the caller from its start to tell it, so that asking for
 * each statement of a long function takes time by its square.
 * ASKlast: the name by which it was called last, if it was.  ASKnow: how it is called here.
 * ASKmissed: the same, the line lacks the last name; where that was the name all the same (the
 * reader writes such: of `if`), it is not asked again. */
enum CallAsk { ASKlast, ASKmissed, ASKnow };
const char *diag_call_name(lua_State *L, lua_Debug *ar, enum CallAsk ask, bool *event);
bool diag_isours(const char *source);

/* error_handler.c: a message handler, (error [, f]) -> error object: strings that Lua
 * raised become objects, and every object learns what the stack knows, up to
 * the function f. */
int message_handler(lua_State *L);
int handled_pcall(lua_State *L, int narg, int nres); /* lua_pcall with that handler */

/* limits.c: where the message on top is of a limit of Lua's that the text of a chunk has met, an
 * error object takes its place. */
void limit_explain(lua_State *L, const char *chunk);

/* habits.c: how what Python writes is written here, for messages.  Each pushes a text, or returns
 * false: of a name that has no value, in a line that has it; of a field that an object lacks; of
 * an operation of which Lua says this.  habit_word: of a single word at the prompt; "": nothing
 * is needed; NULL: it is unknown. */
bool habit_global(lua_State *L, const char *name, const char *line, size_t n);
bool habit_field(lua_State *L, const char *name);
bool habit_operation(lua_State *L, const char *said, const char *line, size_t n);
const char *habit_word(const char *name);

/* embed.c: the Lua files that the build put into the program, by their path in
 * the source tree ("lua/tl/init.lua"), NUL-terminated; NULL when there is none.
 * A file below MOONTILE_LUA_PATH comes first, or one of the tree that the program was built in
 * and stands in where it has changed since then (not with MOONTILE_LUA_PATH empty): its text is
 * pushed so that it stays alive; otherwise nil is pushed. */
const char *embed_find(lua_State *L, const char *path, size_t *n);
/* The same as the build's Lua has compiled it; NULL: it is not plain Lua, or MOONTILE_LUA_PATH
 * is set. */
const char *embed_code(lua_State *L, const char *path, size_t *n);
/* Pushes a list of their paths that begin with prefix; 1. */
int embed_list(lua_State *L, const char *prefix);
/* MOONTILE_LUA_PATH where it holds, or NULL. */
const char *embed_override(lua_State *L);

/* load.c: every text that becomes a chunk passes here, through the dialect. */
/* Pushes the function and returns LUA_OK, or pushes an error object.  Sets
 * *incomplete (may be NULL) when more text could still make it right. */
int load_text(lua_State *L, const char *s, size_t n, const char *chunk, bool *incomplete);
/* The same where the first bytes are not the user's, whose columns count from there. */
int load_behind(lua_State *L, const char *s, size_t n, const char *chunk, bool *incomplete,
                uint32_t before);
/* The same for a file, or for the standard input when name is NULL; a byte
 * order mark and a "#" line are skipped.  LUA_ERRFILE: it cannot be read. */
int load_file(lua_State *L, const char *name);
/* Keeps a text so that messages can show its lines; chunk is "@..." or "=...". */
void load_keep(lua_State *L, const char *chunk, const char *s, size_t n);
/* Pushes the rest of f as a string, also when reading fails: false. */
bool load_slurp(lua_State *L, FILE *f);
/* Replaces load, loadfile, dofile and the searcher of Lua files. */
void load_open(lua_State *L);

/* sandbox.c (moontile.sandbox): the process that evaluates programs which nobody trusts;
 * parent: the id of the process that wants it.  Its exit status. */
int sandbox_main(int parent);

/* api.c */
#define MOONTILE_VERSION "0.2.0"
/* Pushes require(name), even when the user has replaced that global. */
void api_require(lua_State *L, const char *name);
/* The thread of Lua that runs now, for what a read calls without being told; the main one
 * until api_run(L, co), which whoever resumes co says before, and of itself behind. */
lua_State *api_running(lua_State *L);
void api_run(lua_State *L, lua_State *co);
bool api_has(lua_State *L, const char *name); /* is there a module of ours? */
/* Makes all modules of ours known to require, and load_open. */
void api_open(lua_State *L);
/* Modules of C, of every state that is opened from now on; the list stays its owner's.  At
 * start-up, by each folder that has some: lua/seam, layout_viz. */
void api_use(const struct luaL_Reg *list);
/* Sets the globals T, tl and __stage as far as the text names them. */
void api_globals(lua_State *L, const char *s, size_t n);

/* The openers of the modules in C of this folder; the build finds them in the sources. */
int luaopen_moontile_config(lua_State *L);
int luaopen_moontile_diag(lua_State *L);
int luaopen_moontile_dialect(lua_State *L);
int luaopen_moontile_environ(lua_State *L);
int luaopen_moontile_files(lua_State *L);
int luaopen_moontile_keep(lua_State *L);
int luaopen_moontile_known(lua_State *L);
int luaopen_moontile_pyreader(lua_State *L);
int luaopen_moontile_sandbox(lua_State *L);
int luaopen_moontile_version(lua_State *L);

#endif
