/* lua/state/habits.c: what somebody types who comes from Python, and how that is written here.
 *
 * A table for each kind of place: names that are called or indexed, names behind a dot,
 * operators between texts, and single words at the prompt.  Nothing here changes what a program
 * does: these are texts of messages about names that have no value. */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "api.h"

typedef struct ForeignHabit ForeignHabit;
struct ForeignHabit { const char *name, *here; };

/* Functions and modules of Python's.  Where two words serve, "`, `" stands between them. */
static const ForeignHabit globals[] = {
    {"abs", "math.abs(x)"}, {"all", "for _, v in ipairs(x) do"},
    {"any", "for _, v in ipairs(x) do"},
    {"bool", "x ~= nil"}, {"bytes", "string.char(...)"},
    {"chr", "string.char(n)"}, {"cp", "tl"}, {"cupy", "tl"}, {"dict", "{...}"},
    {"dir", "for k in pairs(x) do"}, {"divmod", "x // y`, `x % y"},
    {"enumerate", "for i, v in ipairs(x) do"}, {"exec", "load(s)()"},
    {"eval", "load(\"return \" .. s)()"}, {"exit", ":quit`, `os.exit()"},
    {"filter", "for _, v in ipairs(x) do"}, {"float", "tonumber(x)"},
    {"format", "string.format(...)"}, {"getattr", "x[name]"}, {"globals", "for k in pairs(_G) do"},
    {"hasattr", "x[name] ~= nil"}, {"help", ":help"}, {"hex", "string.format(\"%x\", n)"},
    {"id", "string.format(\"%p\", x)"}, {"input", "io.read()"}, {"int", "tonumber(x)`, `math.floor(x)"},
    {"isinstance", "type(x) == \"number\""}, {"iter", "ipairs(x)`, `pairs(x)"}, {"jnp", "tl"},
    {"len", "#x"}, {"list", "{...}"}, {"map", "for i, v in ipairs(x) do"}, {"max", "math.max(x, y)"},
    {"min", "math.min(x, y)"}, {"np", "tl"}, {"numpy", "tl"}, {"oct", "string.format(\"%o\", n)"},
    {"open", "io.open(path)"}, {"ord", "string.byte(s)"}, {"pow", "x ^ y"}, {"printf", "print(...)"},
    {"println", "print(...)"}, {"quit", ":quit`, `os.exit()"}, {"random", "math.random()"},
    {"range", "for i = 0, n - 1 do"}, {"re", "string.find(s, pattern)"}, {"repr", "tostring(x)"},
    {"reversed", "for i = #x, 1, -1 do"}, {"round", "math.floor(x + 0.5)"},
    {"set", "{[x] = true, ...}"}, {"setattr", "x[name] = v"}, {"slice", "x[a:b]"},
    {"sorted", "table.sort(x)"}, {"str", "tostring(x)"},
    {"sum", "for _, v in ipairs(x) do n = n + v end"}, {"sys", "os`, `arg"}, {"tilelang", "tl"},
    {"time", "os.clock()"}, {"torch", "tl"}, {"tuple", "{...}"}, {"vars", "for k in pairs(x) do"},
    {"zip", "for i = 1, #x do"},
};

/* Of a table without methods, of a text, of modules that Lua has too. */
static const ForeignHabit fields[] = {
    {"append", "table.insert(x, v)"}, {"capitalize", "x:sub(1, 1):upper() .. x:sub(2)"}, {"endswith", "x:sub(-#s) == s"},
    {"extend", "table.move(y, 1, #y, #x + 1, x)"}, {"getcwd", "os.getenv(\"PWD\")"},
    {"items", "for k, v in pairs(x) do"}, {"insert", "table.insert(x, i, v)"},
    {"join", "table.concat(x, sep)"}, {"keys", "for k in pairs(x) do"},
    {"listdir", "io.popen(\"ls\"):lines()"}, {"pop", "table.remove(x)"},
    {"remove", "table.remove(x, i)"}, {"replace", "x:gsub(a, b)"}, {"sort", "table.sort(x)"},
    {"split", "x:gmatch(\"[^,]+\")"}, {"startswith", "x:sub(1, #s) == s"},
    {"strip", "x:match(\"^%s*(.-)%s*$\")"}, {"system", "os.execute(command)"},
    {"values", "for _, v in pairs(x) do"},
};

/* Words alone at the prompt that call nothing; "": nothing is needed. */
static const ForeignHabit words[] = {
    {"bye", ":quit"}, {"clear", "Ctrl-L"}, {"cls", "Ctrl-L"}, {"copyright", ":help"},
    {"credits", ":help"}, {"exit", ":quit`, `Ctrl-D"}, {"license", ":help"}, {"ls", ":! ls"},
    {"null", "nil"}, {"pass", ""}, {"pwd", ":! pwd"}, {"q", ":quit`, `Ctrl-D"},
    {"quit", ":quit`, `Ctrl-D"}, {"undefined", "nil"},
};

static const char *habits_find(const ForeignHabit *h, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(h[i].name, name) == 0)
            return h[i].here;
    return NULL;
}

/* Pushes "tl.zeros" where the line has "name.zeros" and tl has it; false: nothing is pushed. */
static bool push_ours(lua_State *L, const char *line, size_t n, const char *name)
{
    size_t m = strlen(name);
    for (size_t i = 0; i + m + 1 < n; i++) {
        size_t from = i + m + 1, to = from;
        if (memcmp(line + i, name, m) != 0 || line[i + m] != '.' || (i && wordchar(line[i - 1])))
            continue;
        while (to < n && wordchar(line[to]))
            to++;
        api_require(L, "moontile.tl");
        lua_pushlstring(L, line + from, to - from);
        bool has = lua_rawget(L, -2) != LUA_TNIL;
        lua_pop(L, 2);
        if (has)
            lua_pushfstring(L, "tl.%s", lua_pushlstring(L, line + from, to - from));
        if (has)
            lua_remove(L, -2);
        return has;
    }
    return false;
}

bool habit_global(lua_State *L, const char *name, const char *line, size_t n)
{
    const char *here = habits_find(globals, COUNT(globals), name);
    if (strlen(name) == 1 && strchr("fFrRbBuU", name[0])) { /* f"..": of a text, and of no function */
        for (size_t i = 0; i + 1 < n && !here; i++)
            if (line[i] == name[0] && (line[i + 1] == '"' || line[i + 1] == '\'') &&
                (!i || !wordchar(line[i - 1])))
                here = strchr("fF", name[0]) ? "string.format(...)" : "\"...\"";
    }
    if (!here)
        return false;
    if (strcmp(here, "tl") != 0 || !push_ours(L, line ? line : "", n, name))
        lua_pushstring(L, here);
    return true;
}

bool habit_field(lua_State *L, const char *name)
{
    const char *here = habits_find(fields, COUNT(fields), name);
    if (here)
        lua_pushstring(L, here);
    return here != NULL;
}

/* What Lua says of an operation, and what was meant. */
static const struct { const char *begins, *has, *here; } operations[] = {
    {"attempt to add a 'string' with a 'string'", "", "x .. y"},
    {"attempt to mul a 'string' with a 'number'", "", "x:rep(n)"},
    {"attempt to mul a 'number' with a 'string'", "", "x:rep(n)"},
    {"attempt to mod a 'string' with a ", "", "x:format(...)"},
    {"attempt to call a table value", "for ", "ipairs(x)"},
};

/* `x.upper()` of a text, which the call then lacks; pushes "x:upper(...)". */
static bool push_colon(lua_State *L, const char *said, const char *line, size_t n)
{
    static const char begins[] = "bad argument #1 to '", ends[] = "' (string expected, got no value)";
    const char *name = said + sizeof begins - 1, *to;
    if (strncmp(said, begins, sizeof begins - 1) != 0 || !(to = strstr(name, ends)))
        return false;
    size_t m = (size_t)(to - name);
    for (size_t i = 1; i + m < n; i++)
        if (line[i - 1] == '.' && line[i + m] == '(' && memcmp(line + i, name, m) == 0 &&
            !(i > 6 && memcmp(line + i - 7, "string", 6) == 0)) {
            lua_pushfstring(L, "x:%s(...)", lua_pushlstring(L, name, m));
            lua_remove(L, -2);
            return true;
        }
    return false;
}

bool habit_operation(lua_State *L, const char *said, const char *line, size_t n)
{
    if (push_colon(L, said, line, n))
        return true;
    for (size_t i = 0; i < COUNT(operations); i++) {
        const char *has = operations[i].has;
        size_t m = strlen(has), at = 0;
        if (strncmp(said, operations[i].begins, strlen(operations[i].begins)) != 0)
            continue;
        while (at + m <= n && m && memcmp(line + at, has, m) != 0)
            at++;
        if (m && at + m > n)
            continue;
        lua_pushstring(L, operations[i].here);
        return true;
    }
    return false;
}

const char *habit_word(const char *name)
{
    const char *here = habits_find(words, COUNT(words), name);
    return here ? here : habits_find(globals, COUNT(globals), name);
}
