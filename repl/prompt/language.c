/* repl/prompt/language.c: Lua or Python: which of the two an input is.
 *
 *     def f(x):      Python, whatever the session's language is; the session's from then on
 *     k:plot()       Lua; an expression leaves the session's language as it is
 *     x = 1          either: the session's, which the prompt shows: "py 4> "
 *     a if b else c  either at first sight, but an error in Lua: Python
 *
 * The session's language changes by a statement that only the other has, and by :python and :lua. */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "lua/pyreader/ast.h"
#include "lua/state/api.h"
#include "prompt.h"
#include "session.h"

/* As py_looks, of an input: one line that begins with `#t` may ask for a length in Lua. */
static enum PyLooks looks_of(const char *text, size_t n)
{
    size_t i = 0;
    while (i < n && (text[i] == ' ' || text[i] == '\t'))
        i++;
    bool length = i + 1 < n && text[i] == '#' && !strchr(" \t\r\n#!", text[i + 1]);
    return length && !memchr(text, '\n', n) ? PyMaybe : py_looks(text, n);
}

/* (text, chunk, whole): as input_compile, of Python */
static int compile_python(lua_State *L)
{
    lua_settop(L, 3);
    api_require(L, "moontile.repl.python");
    lua_getfield(L, -1, "compile");
    lua_insert(L, 1);
    lua_settop(L, 4);
    lua_call(L, 3, 3);
    if (!lua_isnil(L, 1))
        lua_settop(L, 2);
    return lua_gettop(L);
}

/* Calls the compiler of that language with the three arguments at the bottom; how many results it left. */
static int language_try(lua_State *L, bool python)
{
    int top = lua_gettop(L);
    lua_pushcfunction(L, python ? compile_python : input_compile);
    for (int i = 1; i <= 3; i++)
        lua_pushvalue(L, i);
    lua_call(L, 3, LUA_MULTRET);
    return lua_gettop(L) - top;
}

/* Is the error at idx that a word of another language stands in a text of Python's? */
static bool is_foreign(lua_State *L, int idx)
{
    if (!luaL_testudata(L, idx, DIAG_TYPE))
        return false;
    lua_getfield(L, idx, "id");
    const char *id = lua_tostring(L, -1);
    bool is = id && strcmp(id, "pysyn_foreign") == 0;
    lua_pop(L, 1);
    return is;
}

int language_compile(lua_State *L)
{
    size_t n;
    lua_settop(L, 4);
    const char *text = luaL_checklstring(L, 1, &n);
    enum PyLooks looks = looks_of(text, n);
    bool session = lua_toboolean(L, 4), python = looks == PyMaybe ? session : looks == PyYes;
    lua_settop(L, 3);
    int got = language_try(L, python);
    bool wrong = got == 3 && !lua_toboolean(L, -1);
    if (wrong && looks != PyNo) { /* the other may be right; else the first one's error counts, but for */
        bool mixed = python && !session && is_foreign(L, -2); /* Lua with a slip */
        int other = language_try(L, !python);
        if (other == 2) {
            lua_pushboolean(L, !python);
            return 3;
        }
        if (mixed && !lua_toboolean(L, -1))
            return 3;
        lua_settop(L, 3 + got);
    }
    if (got == 2)
        lua_pushboolean(L, python);
    return 3;
}

bool language_python(const Prompt *p, const char *text, size_t n)
{
    enum PyLooks looks = looks_of(text, n);
    return looks == PyMaybe ? p->python : looks == PyYes;
}

/* Does the text, whose language is known to be `python`, leave no doubt, and does it do more than give a value? */
static bool settles(const char *text, bool python, bool expr)
{
    size_t n = strlen(text);
    const char *at = text + strspn(text, " \t\r\n");
    if (looks_of(text, n) != (python ? PyYes : PyNo) || (expr && !strchr(at, '\n')))
        return false;
    return !(*at == '#' || strncmp(at, "--", 2) == 0) || strchr(at, '\n');
}

static const char *const now_python[NLang] = {
    "(Python: what could be Lua too is read so from here on; :lua goes back)\n",
    "（Python：此后两种语言都成立的输入按 Python 读取；:lua 返回）\n",
};

void language_follow(Prompt *p, const char *text, bool python, bool expr)
{
    if (python == p->python || !settles(text, python, expr))
        return;
    p->python = python;
    if (python && p->tty && !p->told_python)
        fputs(now_python[diag_getlang(p->L)], stdout);
    p->told_python = p->told_python || python;
}

/* A loop with a colon may be a slip of someone who writes Lua; these are none. */
static bool defines(const char *text)
{
    static const char *const starts[] = {"@", "def ", "class ", "import ", "from "};
    text += strspn(text, " \t\r\n");
    for (size_t i = 0; i < COUNT(starts); i++)
        if (strncmp(text, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

void language_failed(Prompt *p, const char *text)
{
    if (!luaL_testudata(p->L, -1, DIAG_TYPE) || is_foreign(p->L, -1) || !defines(text))
        return;
    lua_getfield(p->L, -1, "id");
    const char *id = lua_tostring(p->L, -1);
    if (id && strncmp(id, "pysyn_", 6) == 0)
        language_follow(p, text, true, false);
    lua_pop(p->L, 1);
}
