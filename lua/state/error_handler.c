/* lua/state/error_handler.c: errors on their way out of the user's code.
 *
 * A message handler runs while the stack still stands.  It makes an error
 * object of what Lua raises as a string, "chunk:line: text", finds the column,
 * says in the user's language what Lua said, and adds what the stack knows:
 * the variable that has no value and the name that was meant, and the calls
 * that led there. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "api.h"

enum { MaxCalls = 3, MaxLevels = 100, MaxText = 240, MaxHoles = 5 };

/* moontile.diag.<fn>: pushes the function */
static void push_diag(lua_State *L, const char *fn)
{
    api_require(L, "moontile.diag");
    lua_getfield(L, -1, fn);
    lua_remove(L, -2);
}

static bool chinese(lua_State *L)
{
    push_diag(L, "lang");
    lua_call(L, 0, 1);
    bool zh = strcmp(lua_tostring(L, -1), "zh") == 0;
    lua_pop(L, 1);
    return zh;
}

/* Lines ------------------------------------------------------------------ */

/* The line of a chunk that was kept; NULL when it was not.  The text stays
 * alive in the table that diag.c reads too. */
static const char *kept_line(lua_State *L, const char *chunk, int line, size_t *len)
{
    int top = lua_gettop(L);
    const char *s = NULL;
    size_t n = 0;
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, -1, "moontile.sources") == LUA_TTABLE) {
        lua_getfield(L, -1, chunk);
        s = lua_tolstring(L, -1, &n);
    }
    lua_settop(L, top);
    const char *end = s ? s + n : NULL;
    for (; s && line > 1; line--)
        if ((s = memchr(s, '\n', (size_t)(end - s))) != NULL)
            s++;
    if (!s)
        return NULL;
    const char *e = memchr(s, '\n', (size_t)(end - s));
    *len = (size_t)((e ? e : end) - s);
    return s;
}

static bool handler_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Column of the only place where the word of m characters stands; else 0.
 * called: where it is called. */
static int handler_only_place(const char *s, size_t n, const char *word, size_t m, bool called)
{
    int col = 0;
    for (size_t i = 0; m && i + m <= n; i++) {
        if (memcmp(s + i, word, m) != 0 || (i && wordchar(s[i - 1])) ||
            (i + m < n && wordchar(s[i + m])))
            continue;
        if (called && (i + m == n || !strchr("({\"'", s[i + m])))
            continue;
        if (col)
            return 0;
        col = (int)i + 1;
    }
    return col;
}

/* The variable that a message of Lua's ends with, "... (local 'x')". */
static const char *handler_named(const char *msg, size_t *n)
{
    const char *open = strstr(msg, " '"), *close = open ? strchr(open + 2, '\'') : NULL;
    const char *paren = strrchr(msg, '(');
    if (!paren || !close || open < paren)
        return NULL;
    *n = (size_t)(close - open - 2);
    return open + 2;
}

/* Lua knows the line of an error, not the column.  It is that of the variable
 * which the message names, or of the function that was called, when the word
 * stands once in the line; else where the line's text begins. */
static int handler_column(lua_State *L, const lua_Debug *ar, const char *msg, const char *called)
{
    size_t n, m, i = 0;
    const char *line = kept_line(L, ar->source, ar->currentline, &n);
    if (!line || n > UINT16_MAX)
        return 0;
    const char *name = handler_named(msg, &m);
    bool call = strncmp(msg, "attempt to call", 15) == 0;
    int col = name ? handler_only_place(line, n, name, m, call) : 0;
    if (!col && called)
        col = handler_only_place(line, n, called, strlen(called), false);
    while (i < n && (line[i] == ' ' || line[i] == '\t'))
        i++;
    return col ? col : (int)i + 1;
}

/* What Lua says ----------------------------------------------------------- */

/* Names that the reader has put into staged code (lua/dialect*.c), and those
 * with which Lua says nothing. */
static bool handler_hidden(const char *name, size_t n)
{
    return (n >= 2 && memcmp(name, "__", 2) == 0) || (n && name[0] == '?') ||
           (n == 12 && memcmp(name, "for iterator", 12) == 0) ||
           (n == 13 && memcmp(name, "integer index", 13) == 0);
}

/* Types as Lua sees them, and as users do. */
static const struct { const char *ours, *said, *zh; } types[] = {
    {"moontile.buffer", "buffer", "缓冲区"},
    {"moontile.region", "buffer element", "缓冲区元素"},
    {"moontile.expr", "run-time", "运行时"},
    {"moontile.prog", "program", "程序"},
    {"moontile.tensor", "tensor", "张量"},
    {"moontile.diag", "error", "错误"},
    {"moontile.session", "session", "会话"},
    {"moontile.module", "module", "模块"},
};

/* msg with the types' own names, without a hidden variable's. */
static void clean(Str *out, const char *msg, bool zh)
{
    size_t n;
    const char *name = handler_named(msg, &n), *end = msg + strlen(msg);
    if (name && handler_hidden(name, n)) {
        end = strrchr(msg, '(');
        while (end > msg && end[-1] == ' ')
            end--;
    }
    for (const char *s = msg; s < end;) {
        size_t i = 0;
        while (i < COUNT(types) && strncmp(s, types[i].ours, strlen(types[i].ours)) != 0)
            i++;
        if (i == COUNT(types)) {
            str_add(out, s++, 1);
            continue;
        }
        str_puts(out, zh ? types[i].zh : types[i].said);
        s += strlen(types[i].ours);
    }
}

/* Lua's messages in Chinese.  `*` stands for any text. */
static const struct { const char *en, *zh; } said[] = {
    {"attempt to index a * value*", "不能对 {1} 值取下标{2}"},
    {"attempt to call a * value*", "不能调用 {1} 值{2}"},
    {"attempt to perform arithmetic on a * value*", "不能对 {1} 值做算术运算{2}"},
    {"attempt to perform bitwise operation on a * value*", "不能对 {1} 值做位运算{2}"},
    {"attempt to concatenate a * value*", "不能连接 {1} 值{2}"},
    {"attempt to get length of a * value*", "不能求 {1} 值的长度{2}"},
    {"attempt to compare two * values", "不能比较两个 {1} 值"},
    {"attempt to compare * with *", "不能比较 {1} 与 {2}"},
    {"attempt to perform 'n//0'", "整数除以零"},
    {"attempt to perform 'n%%0'", "整数对零取模"},
    {"bad 'for' limit (number expected, got *)", "for 循环的终值应为数值，得到 {1}"},
    {"bad 'for' initial value (number expected, got *)", "for 循环的初值应为数值，得到 {1}"},
    {"bad 'for' step (number expected, got *)", "for 循环的步长应为数值，得到 {1}"},
    {"'for' limit must be a number", "for 循环的终值应为数值"},
    {"'for' initial value must be a number", "for 循环的初值应为数值"},
    {"'for' step must be a number", "for 循环的步长应为数值"},
    {"'for' step is zero", "for 循环的步长为 0"},
    {"number has no integer representation", "该数没有对应的整数"},
    {"number* has no integer representation", "该数没有对应的整数{1}"},
    {"bad argument #* to '*' (* expected, got *)", "`{2}` 的第 {1} 个参数应为 {3}，得到 {4}"},
    {"bad argument #* to '*' (*)", "`{2}` 的第 {1} 个参数不对：{3}"},
    {"calling '*' on bad self*", "`{1}` 的调用对象不对{2}"},
    {"assertion failed!", "断言失败"},
    {"stack overflow*", "调用栈溢出"},
    {"(error object is a * value)", "（错误对象是 {1} 值）"},
    {"module '*' not found:*", "找不到模块 `{1}`：{2}"},
    {" (local '*')", "（局部变量 `{1}`）"},
    {" (upvalue '*')", "（外层局部变量 `{1}`）"},
    {" (global '*')", "（全局变量 `{1}`）"},
    {" (field '*')", "（字段 `{1}`）"},
    {" (method '*')", "（方法 `{1}`）"},
    {" (constant '*')", "（常量 `{1}`）"},
    {"no value", "没有值"},
};

typedef struct HandlerHole { const char *s; size_t n; } HandlerHole;

/* Does s fit the pattern?  Each `*` takes as little as it can, the last one
 * the rest. */
static bool handler_match(const char *pattern, const char *s, HandlerHole *hole)
{
    int n = 0;
    while (*pattern) {
        if (*pattern != '*') {
            if (*pattern++ != *s++)
                return false;
            continue;
        }
        const char *next = ++pattern;
        size_t m = strcspn(next, "*");
        const char *end = s;
        while (*end && (m == 0 || strncmp(end, next, m) != 0))
            end++;
        if (m && !*end)
            return false;
        hole[n++] = (HandlerHole){s, (size_t)(end - s)};
        s = end;
    }
    return *s == '\0';
}

/* s in Chinese, as far as it is a text of Lua's. */
static void handler_translate(Str *out, const char *s, int depth)
{
    HandlerHole hole[MaxHoles] = {{NULL, 0}};
    size_t i = 0;
    while (i < COUNT(said) && !handler_match(said[i].en, s, hole))
        i++;
    if (i == COUNT(said)) {
        str_puts(out, s);
        return;
    }
    for (const char *z = said[i].zh; *z; z++) {
        if (z[0] != '{' || z[1] < '1' || z[1] > '4' || z[2] != '}') {
            str_add(out, z, 1);
            continue;
        }
        Str part = {0};
        const HandlerHole *h = &hole[z[1] - '1'];
        str_add(&part, h->s ? h->s : "", h->s ? h->n : 0);
        if (part.s && depth)
            handler_translate(out, part.s, depth - 1);
        else if (part.s)
            str_puts(out, part.s);
        str_free(&part);
        z += 2;
    }
}

/* Pushes Lua's message as it is shown. */
static void push_said(lua_State *L, const char *msg)
{
    Str en = {0}, zh = {0};
    bool translated = chinese(L);
    clean(&en, msg, translated);
    if (translated)
        handler_translate(&zh, en.s ? en.s : "", 1);
    const Str *s = translated ? &zh : &en;
    lua_pushlstring(L, s->s ? s->s : "", s->n);
    str_free(&en);
    str_free(&zh);
}

/* Variables ---------------------------------------------------------------- */

/* Pushes the local or upvalue that a name stands for in a running function;
 * false and nothing is pushed when there is none. */
static bool push_local(lua_State *L, const lua_Debug *ar, const char *name)
{
    const char *s;
    int found = 0;
    for (int i = 1; (s = lua_getlocal(L, ar, i)) != NULL; i++, lua_pop(L, 1))
        if (strcmp(s, name) == 0)
            found = i;
    if (found)
        return lua_getlocal(L, ar, found) != NULL;
    lua_Debug f = *ar;
    lua_getinfo(L, "f", &f);
    int func = lua_gettop(L);
    for (int i = 1; (s = lua_getupvalue(L, func, i)) != NULL; i++, lua_pop(L, 1))
        if (strcmp(s, name) == 0) {
            lua_remove(L, func);
            return true;
        }
    lua_pop(L, 1);
    return false;
}

static bool handler_users(const lua_Debug *ar)
{
    return ar->currentline > 0 && !diag_isours(ar->source);
}

/* Is the name nil in the line that runs at a level?  The reader wraps parts of
 * a line in functions, so callers in the same line are asked too. */
static bool isnil(lua_State *L, int level, const lua_Debug *at, const char *name)
{
    lua_Debug ar;
    bool found = false;
    for (; !found && lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sl", &ar);
        if (!handler_users(&ar))
            continue;
        if (ar.currentline != at->currentline || strcmp(ar.source, at->source) != 0)
            continue; /* who calls it, as pcall's caller, may stand between it and its text */
        found = push_local(L, &ar, name);
    }
    if (!found) {
        lua_pushglobaltable(L);
        lua_pushstring(L, name);
        lua_rawget(L, -2);
        lua_remove(L, -2);
    }
    bool nil = lua_isnil(L, -1);
    lua_pop(L, 1);
    return nil;
}

static bool handler_keyword(const char *s)
{
    static const char *const words[] = {
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if",
        "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    };
    for (size_t i = 0; i < COUNT(words); i++)
        if (strcmp(words[i], s) == 0)
            return true;
    return false;
}

/* Is the word that ends at s + to given a value there, or is it a key? */
static bool assigned(const char *s, size_t n, size_t to)
{
    while (to < n && s[to] == ' ')
        to++;
    return to < n && (s[to] == ':' || (s[to] == '=' && (to + 1 == n || s[to + 1] != '=')));
}

/* Skips a string or comment that starts at s + i; else returns i. */
static size_t skip(const char *s, size_t n, size_t i)
{
    if (s[i] == '-' && i + 1 < n && s[i + 1] == '-')
        return n;
    if (s[i] != '"' && s[i] != '\'')
        return i;
    size_t k = i + 1;
    while (k < n && s[k] != s[i])
        k += s[k] == '\\' ? 2 : 1;
    return k < n ? k + 1 : n;
}

/* The only variable in the running line that is nil, into name[MaxText]. */
static bool nil_variable(lua_State *L, int level, const lua_Debug *ar, char *name)
{
    size_t n;
    const char *s = kept_line(L, ar->source, ar->currentline, &n);
    int found = 0;
    bool declares = false; /* names of new variables stand here */
    for (size_t i = 0; s && i < n;) {
        size_t to = skip(s, n, i);
        if (to == i && !wordchar(s[i])) {
            declares = declares && s[i] != '=' && s[i] != ')';
            i++;
            continue;
        }
        if (to > i) {
            i = to;
            continue;
        }
        while (to < n && wordchar(s[to]))
            to++;
        char word[MaxText] = "";
        bool field = i && (s[i - 1] == '.' || s[i - 1] == ':') && !(i > 1 && s[i - 2] == '.');
        if (handler_letter(s[i]) && !field && to - i < sizeof word && !assigned(s, n, to))
            memcpy(word, s + i, to - i);
        i = to;
        if (strcmp(word, "local") == 0 || strcmp(word, "for") == 0 ||
            strcmp(word, "function") == 0)
            declares = true;
        if (strcmp(word, "in") == 0)
            declares = false;
        if (!word[0] || declares || handler_keyword(word) || strcmp(word, name) == 0 ||
            !isnil(L, level, ar, word))
            continue;
        if (found++)
            return false;
        strcpy(name, word);
    }
    return found == 1;
}

static void add_name(lua_State *L, int list, const char *name)
{
    if (!handler_letter(name[0]) || handler_hidden(name, strlen(name)) || strcmp(name, "_ENV") == 0)
        return;
    lua_pushstring(L, name);
    lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

/* Pushes a list of all names that could be meant in a running function. */
static void push_names(lua_State *L, const lua_Debug *ar)
{
    const char *s;
    lua_newtable(L);
    int list = lua_gettop(L);
    for (int i = 1; (s = lua_getlocal(L, ar, i)) != NULL; i++) {
        if (!lua_isnil(L, -1))
            add_name(L, list, s);
        lua_pop(L, 1);
    }
    lua_Debug f = *ar;
    lua_getinfo(L, "f", &f);
    for (int i = 1; (s = lua_getupvalue(L, -1, i)) != NULL; i++) {
        if (!lua_isnil(L, -1))
            add_name(L, list, s);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    lua_pushglobaltable(L);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING)
            add_name(L, list, lua_tostring(L, -2));
    lua_pop(L, 1);
}

/* Does T have the name, and is it in use? */
static bool of_T(lua_State *L, const char *name)
{
    int top = lua_gettop(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    bool has = false;
    if (lua_getfield(L, -1, "moontile.T") == LUA_TTABLE) {
        lua_pushstring(L, name);
        has = lua_rawget(L, -2) != LUA_TNIL;
    }
    lua_settop(L, top);
    return has;
}

/* Is a kernel being traced, so that T's functions are what a name means? */
static bool tracing(lua_State *L)
{
    int top = lua_gettop(L);
    bool traces = false;
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, -1, "moontile.T.trace") == LUA_TTABLE) {
        lua_getfield(L, -1, "current");
        lua_call(L, 0, 1);
        traces = !lua_isnil(L, -1);
    }
    lua_settop(L, top);
    return traces;
}

/* Pushes what a name without a value most likely means: "T.exp" in a kernel, when T has the name;
 * what Python's name is here (true is returned then); "T.exp" elsewhere; the nearest name that is
 * visible; nil. */
static bool push_meant(lua_State *L, const lua_Debug *ar, const char *name)
{
    size_t n = 0;
    const char *line = kept_line(L, ar->source, ar->currentline, &n);
    bool has = of_T(L, name);
    if (!(has && tracing(L)) && habit_global(L, name, line, n))
        return true;
    if (has) {
        lua_pushfstring(L, "T.%s", name);
        return false;
    }
    api_require(L, "moontile.base.suggest");
    lua_getfield(L, -1, "find");
    lua_remove(L, -2);
    lua_pushstring(L, name);
    push_names(L, ar);
    lua_call(L, 2, 1);
    return false;
}

/* Pushes what the word before `.name` or `:name` in the running line stands
 * for, if it is a single word; false: nothing is pushed. */
static bool push_owner(lua_State *L, const lua_Debug *ar, const char *name)
{
    size_t n;
    const char *s = kept_line(L, ar->source, ar->currentline, &n);
    size_t at = s ? (size_t)handler_only_place(s, n, name, strlen(name), false) : 0;
    if (at < 3 || (s[at - 2] != '.' && s[at - 2] != ':'))
        return false;
    size_t to = at - 2, from = to;
    while (from && wordchar(s[from - 1]))
        from--;
    char word[MaxText] = "";
    if (from == to || to - from >= sizeof word || (from && strchr(".:", s[from - 1])))
        return false;
    memcpy(word, s + from, to - from);
    if (push_local(L, ar, word))
        return true;
    lua_pushglobaltable(L);
    lua_pushstring(L, word);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    return true;
}

/* Adds the string keys of the table on top, and pops it. */
static void add_keys(lua_State *L, int list)
{
    if (lua_type(L, -1) == LUA_TTABLE)
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
            if (lua_type(L, -2) == LUA_TSTRING)
                add_name(L, list, lua_tostring(L, -2));
    lua_pop(L, 1);
}

/* Pushes the field nearest to a name that the object in the running line does
 * not have, or nil.  A metatable's __names lists what its __index finds.  true: it is how
 * Python's field is written here. */
static bool push_field_meant(lua_State *L, const lua_Debug *ar, const char *name)
{
    int top = lua_gettop(L);
    bool plain = push_owner(L, ar, name) &&
                 (lua_type(L, -1) == LUA_TSTRING ||
                  (lua_type(L, -1) == LUA_TTABLE && !lua_getmetatable(L, -1)));
    lua_settop(L, top);
    if (plain && habit_field(L, name))
        return true;
    api_require(L, "moontile.base.suggest");
    lua_getfield(L, -1, "find");
    lua_pushstring(L, name);
    lua_newtable(L);
    int list = lua_gettop(L);
    if (push_owner(L, ar, name)) {
        if (luaL_getmetafield(L, -1, "__index") != LUA_TNIL)
            add_keys(L, list);
        if (luaL_getmetafield(L, -1, "__names") != LUA_TNIL)
            add_keys(L, list);
        add_keys(L, list);
    }
    lua_call(L, 2, 1);
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    return false;
}

/* The arguments of diag.at are on top: makes them, with two more, those of T/misuse.lua's message
 * for a value of ours that is used as what it is not; false: it has none. */
static bool add_misuse(lua_State *L, const lua_Debug *ar, const char *text)
{
    size_t n, m;
    int top = lua_gettop(L);
    const char *line = kept_line(L, ar->source, ar->currentline, &n),
               *name = handler_named(text, &m);
    if (!line || !name)
        return false;
    api_require(L, "moontile.T.misuse");
    lua_getfield(L, -1, "find");
    lua_remove(L, -2);
    lua_pushstring(L, text);
    lua_pushlstring(L, name, m);
    lua_pushlstring(L, line, n);
    if (m >= MaxText || !push_owner(L, ar, lua_tostring(L, -2)))
        lua_pushnil(L);
    lua_call(L, 4, 3);
    bool found = lua_isstring(L, top + 1);
    if (found) {
        lua_pushvalue(L, top + 1);
        lua_replace(L, top - 4); /* the id */
        lua_remove(L, top + 1);
    }
    lua_settop(L, found ? top + 2 : top);
    return found;
}

/* Objects of moontile.diag ---------------------------------------------------- */

/* Hangs a note below the object at obj; its arguments are on top. */
static void handler_note(lua_State *L, int obj, const char *id, const lua_Debug *ar, int col,
                         int narg)
{
    push_diag(L, "note");
    lua_pushvalue(L, obj);
    lua_pushstring(L, id);
    lua_pushstring(L, ar ? ar->source : NULL);
    lua_pushinteger(L, ar ? ar->currentline : 0);
    lua_pushinteger(L, col);
    lua_rotate(L, -6 - narg, 6);
    lua_call(L, 5 + narg, 0);
}

/* Notes for the calls of the user's code from level on, up to the function at
 * stack index stop (0: all).  line: of the place that the message shows. */
static void add_calls(lua_State *L, int obj, int level, const char *called, int line, int stop)
{
    lua_Debug ar;
    int end = level + MaxLevels;
    for (int n = 0; n < MaxCalls && level < end && lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Slnf", &ar);
        bool last = stop && lua_rawequal(L, -1, stop);
        lua_pop(L, 1);
        if (handler_users(&ar) && ar.currentline != line) {
            handler_note(L, obj, "called", &ar, handler_column(L, &ar, "", called), 0);
            line = ar.currentline;
            n++;
        }
        if (last)
            break;
        called = ar.name;
    }
}

/* Is the variable a parameter of the function at index f? */
static bool isparameter(lua_State *L, int f, const char *name)
{
    const char *s;
    if (!f)
        return false;
    lua_pushvalue(L, f);
    for (int i = 1; (s = lua_getlocal(L, NULL, i)) != NULL; i++)
        if (strcmp(s, name) == 0)
            break;
    lua_pop(L, 1);
    return s != NULL;
}

/* Does a message speak of a value that is nil? */
static bool speaks_of_nil(const Diag *d)
{
    for (int i = 0; i < DiagArgs && d->arg[i]; i++)
        if (strcmp(d->arg[i], "nothing") == 0 || strcmp(d->arg[i], "空值") == 0 ||
            strncmp(d->arg[i], "nil", 3) == 0 || strstr(d->arg[i], "{nil") ||
            strstr(d->arg[i], ", nil"))
            return true;
    return strcmp(err_info(d->err)->id, "arg_missing") == 0;
}

/* Names the variable that has no value, and the one that may have been meant. */
static void explain_nil(lua_State *L, int obj, Diag *d, int level, const lua_Debug *ar, int f)
{
    char name[MaxText] = "";
    size_t n;
    const char *line = kept_line(L, ar->source, ar->currentline, &n);
    if (!nil_variable(L, level, ar, name))
        return;
    int col = handler_only_place(line, n, name, strlen(name), false);
    if (col && col <= UINT16_MAX)
        d->loc.col = (uint16_t)col;
    if (isparameter(L, f, name))
        return;
    lua_pushstring(L, name);
    push_meant(L, ar, name);
    bool near = lua_isstring(L, -1);
    if (!near)
        lua_pop(L, 1);
    handler_note(L, obj, near ? "nil_near" : "nil_name", NULL, 0, near ? 2 : 1);
}

static void handler_locate(Ctx *c, void *L) { c->diags->loc = diag_loc(L, c); }

/* An object that came without a place, of a kernel that failed while it ran,
 * gets that of the call. */
static void enrich(lua_State *L, int obj, Ctx *c, int f)
{
    lua_Debug ar;
    int level = 1;
    if (c->diags && !c->diags->loc.file)
        ctx_try(c, handler_locate, L);
    while (lua_getstack(L, level, &ar) && (lua_getinfo(L, "Sln", &ar), !handler_users(&ar)))
        level++;
    Diag *d = c->diags;
    if (!d || d->note || !lua_getstack(L, level, &ar))
        return;
    lua_getinfo(L, "Sln", &ar);
    if (!d->python && d->loc.line == (uint32_t)ar.currentline && speaks_of_nil(d))
        explain_nil(L, obj, d, level, &ar, f);
    if (!f)
        return;
    lua_getinfo(L, "f", &ar);
    bool own = lua_rawequal(L, -1, f);
    lua_pop(L, 1);
    if (!own)
        add_calls(L, obj, level + 1, ar.name, ar.currentline, f);
}

/* Strings -------------------------------------------------------------------- */

/* The message after "name:line: ", where name is how Lua shows the chunk of
 * ar; NULL when s does not start so. */
static const char *after_place(const char *s, const lua_Debug *ar)
{
    char place[LUA_IDSIZE + 24];
    snprintf(place, sizeof place, "%s:%d: ", ar->short_src, ar->currentline);
    size_t n = strlen(place);
    return strncmp(s, place, n) == 0 ? s + n : NULL;
}

/* The place that a text which is itself a message names, "chunk:line: text",
 * as that of a coroutine does; returns the inner text, or NULL.  The chunk's
 * name stays on the stack. */
static const char *inner_place(lua_State *L, const char *text, lua_Debug *in)
{
    const char *colon = strchr(text, ':');
    char *end;
    size_t len;
    if (!colon || (in->currentline = (int)strtol(colon + 1, &end, 10)) <= 0 ||
        strncmp(end, ": ", 2) != 0)
        return NULL;
    lua_pushlstring(L, text, (size_t)(colon - text));
    lua_pushfstring(L, "@%s", lua_tostring(L, -1));
    lua_remove(L, -2);
    in->source = lua_tostring(L, -1);
    return kept_line(L, in->source, in->currentline, &len) ? end + 2 : NULL;
}

/* moontile.diag.at("lua", place, what Lua said): pushes the object.  A global
 * or method without a value gets the name that may have been meant; here: ar
 * is of a function that runs. */
static void handler_push_object(lua_State *L, const lua_Debug *ar, const char *text,
                                const char *called, bool here)
{
    size_t n;
    char name[MaxText] = "";
    bool global = strstr(text, " a nil value (global '") != NULL;
    bool field = strncmp(text, "attempt to call a nil value (", 29) == 0 &&
                 (strncmp(text + 29, "method", 6) == 0 || strncmp(text + 29, "field", 5) == 0);
    const char *var = here && (global || field) ? handler_named(text, &n) : NULL;
    if (var && n < sizeof name)
        memcpy(name, var, n);
    push_diag(L, "at");
    lua_pushliteral(L, "lua");
    lua_pushstring(L, ar->source);
    lua_pushinteger(L, ar->currentline);
    lua_pushinteger(L, handler_column(L, ar, text, called));
    push_said(L, text);
    if (name[0]) {
        bool python = global ? push_meant(L, ar, name) : push_field_meant(L, ar, name);
        bool near = lua_isstring(L, -1);
        if (python) {
            lua_pushstring(L, "lua_python");
            lua_replace(L, -7);
            lua_pushstring(L, name);
            lua_insert(L, -2);
            lua_call(L, 7, 1);
            return;
        }
        if (!near) {
            lua_pop(L, 1);
            lua_pushstring(L, name);
        }
        if (near || global) {
            bool length = strncmp(text, "attempt to get length of ", 25) == 0;
            lua_pushstring(L, near ? "lua_near" : length ? "lua_length" : "lua_unset");
            lua_replace(L, -7);
            lua_call(L, 6, 1);
            return;
        }
        lua_pop(L, 1);
    }
    const char *line = here ? kept_line(L, ar->source, ar->currentline, &n) : NULL;
    if (line && habit_operation(L, text, line, n)) {
        lua_pushstring(L, "lua_near");
        lua_replace(L, -7);
        lua_call(L, 6, 1);
        return;
    }
    lua_call(L, here && add_misuse(L, ar, text) ? 7 : 5, 1);
}

/* The string at index 1 as an object; the place that it names is looked for
 * among the active functions: the nearest one with that chunk and line raised
 * it.  False: there is none. */
static bool push_located(lua_State *L, int f)
{
    lua_Debug ar;
    const char *msg = lua_tostring(L, 1), *called = NULL;
    for (int level = 1; lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sln", &ar);
        const char *text = ar.currentline > 0 ? after_place(msg, &ar) : NULL;
        if (!text) {
            called = ar.name; /* by the next one outwards */
            continue;
        }
        if (strncmp(ar.source, "@moontile/", 10) == 0) {
            bool deep = strncmp(text, "stack overflow", 14) == 0 ||
                        strncmp(text, "C stack overflow", 16) == 0; /* of the user's calls */
            push_diag(L, "make"); /* at the user's line */
            lua_pushstring(L, deep ? "lua" : "bug");
            lua_pushstring(L, msg);
            if (deep) {
                lua_pop(L, 1);
                push_said(L, text);
            }
            lua_call(L, 2, 1);
            return true;
        }
        lua_Debug in;
        const char *inner = inner_place(L, text, &in);
        if (inner)
            handler_push_object(L, &in, inner, NULL, false);
        else
            handler_push_object(L, &ar, text, called, true);
        int obj = lua_gettop(L);
        lua_getinfo(L, "f", &ar);
        bool own = f && lua_rawequal(L, -1, f);
        lua_pop(L, 1);
        if (inner)
            add_calls(L, obj, level, called, in.currentline, f);
        else if (!own)
            add_calls(L, obj, level + 1, ar.name, ar.currentline, f);
        return true;
    }
    return false;
}

/* Pushes an object at the user's line for an error value that says nothing
 * about its place. */
static void push_placed(lua_State *L)
{
    push_diag(L, "make");
    lua_pushliteral(L, "lua");
    if (lua_type(L, 1) != LUA_TSTRING)
        lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
    push_said(L, lua_tostring(L, lua_type(L, 1) == LUA_TSTRING ? 1 : -1));
    if (lua_type(L, 1) != LUA_TSTRING)
        lua_remove(L, -2);
    lua_call(L, 2, 1);
}

/* Pushes the object that T/misuse.lua has for one of Lua's functions of numbers that was given a
 * value of a kernel, if that is what the error at index 1 is about. */
static bool push_math(lua_State *L, const Ctx *c, int f)
{
    lua_Debug ar;
    int level = 1;
    if (c ? !c->diags || strcmp(err_info(c->diags->err)->id, "plain_condition") != 0
          : !strstr(lua_tostring(L, 1), "bad argument #"))
        return false;
    api_require(L, "moontile.T.misuse");
    lua_getfield(L, -1, "number");
    lua_call(L, 0, 1);
    while (lua_getstack(L, level, &ar) && (lua_getinfo(L, "Sln", &ar), !handler_users(&ar)))
        level++;
    if (lua_isnil(L, -1) || !lua_getstack(L, level, &ar))
        return false;
    int obj = lua_gettop(L);
    lua_getinfo(L, "Slnf", &ar);
    bool own = f && lua_rawequal(L, -1, f);
    lua_settop(L, obj);
    if (!own)
        add_calls(L, obj, level + 1, ar.name, ar.currentline, f);
    return true;
}

/* An error object whose metatable has __diag (Python's exceptions: lua/python/exc.lua) becomes the
 * diagnostic that this gives. */
static void handler_own(lua_State *L)
{
    if (lua_type(L, 1) != LUA_TTABLE || luaL_getmetafield(L, 1, "__diag") == LUA_TNIL)
        return;
    lua_pushvalue(L, 1);
    if (lua_pcall(L, 1, 1, 0) == LUA_OK)
        lua_replace(L, 1);
    else
        lua_pop(L, 1);
}

int message_handler(lua_State *L)
{
    int f = lua_type(L, 2) == LUA_TFUNCTION ? 2 : 0;
    handler_own(L);
    Ctx *c = luaL_testudata(L, 1, DIAG_TYPE);
    uint32_t line;
    uint16_t col;
    if ((c || lua_type(L, 1) == LUA_TSTRING) && push_math(L, c, f))
        return 1;
    lua_settop(L, f ? 2 : 1);
    if (c) {
        enrich(L, 1, c, f);
        lua_settop(L, 1);
    } else if (lua_type(L, 1) == LUA_TSTRING) {
        lua_Debug in;
        if (!push_located(L, f) && !inner_place(L, lua_tostring(L, 1), &in) &&
            diag_where(L, &line, &col))
            push_placed(L);
        else if (lua_type(L, -1) == LUA_TSTRING)
            lua_settop(L, 1);
    } else if (luaL_getmetafield(L, 1, "__tostring") == LUA_TNIL && diag_where(L, &line, &col)) {
        push_placed(L);
    } else {
        lua_settop(L, 1);
    }
    return 1;
}

int handled_pcall(lua_State *L, int narg, int nres)
{
    int base = lua_gettop(L) - narg;
    lua_pushcfunction(L, message_handler);
    lua_insert(L, base);
    int status = lua_pcall(L, narg, nres, base);
    lua_remove(L, base);
    return status;
}
