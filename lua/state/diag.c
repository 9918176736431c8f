/* lua/state/diag.c: diagnostics as Lua error objects, and where in the user's text
 * something happened.
 *
 * An error object is a userdata "moontile.diag" with messages of its own, so
 * it outlives the program it speaks of.  Plain strings raised by Lua itself
 * are shown in the same form. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/base/base.h"
#include "api.h"
#include "err/lang.h"

#define LANGKEY "moontile.lang"    /* registry: the language of messages */
#define SOURCES "moontile.sources" /* package.loaded: chunk name -> text */
#define SHORT   "moontile.short"   /* registry: are messages shown without their lines? */

static Ctx *check_diag(lua_State *L, int i) { return luaL_checkudata(L, i, DIAG_TYPE); }

/* Sources -------------------------------------------------------------- */

/* Pushes the text of a chunk, or nil. */
static void push_source(lua_State *L, const char *chunk)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, -1, SOURCES) == LUA_TTABLE)
        lua_getfield(L, -1, chunk);
    else
        lua_pushnil(L);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

static const char *findline(const char *s, size_t n, uint32_t line, size_t *len)
{
    const char *end = s + n;
    for (; line > 1 && s; line--)
        if ((s = memchr(s, '\n', (size_t)(end - s))) != NULL)
            s++;
    if (!s || s >= end)
        return NULL;
    const char *e = memchr(s, '\n', (size_t)(end - s));
    *len = (size_t)((e ? e : end) - s);
    if (*len && s[*len - 1] == '\r')
        --*len;
    return s;
}

/* SourceFn: the text stays alive in package.loaded while we render. */
static const char *ldiag_source_line(void *ud, const char *chunk, uint32_t line, size_t *len)
{
    lua_State *L = ud;
    push_source(L, chunk);
    size_t n;
    const char *s = lua_tolstring(L, -1, &n);
    lua_pop(L, 1);
    return s ? findline(s, n, line, len) : NULL;
}

/* The languages of texts: chunk name -> is it Python; [1] of that which was read last. */
#define PYTHON "moontile.python chunks"

void diag_language(lua_State *L, const char *chunk, bool python)
{
    if (diag_isours(chunk))
        return;
    luaL_getsubtable(L, LUA_REGISTRYINDEX, PYTHON);
    lua_pushboolean(L, python);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, chunk);
    lua_rawseti(L, -2, 1);
    lua_pop(L, 1);
}

/* Is the text Python?  chunk NULL or unknown: the one that was read last. */
static bool chunk_python(lua_State *L, const char *chunk)
{
    int top = lua_gettop(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, PYTHON);
    if (!chunk || lua_getfield(L, -1, chunk) == LUA_TNIL)
        lua_rawgeti(L, top + 1, 1);
    bool python = lua_toboolean(L, -1);
    lua_settop(L, top);
    return python;
}

bool diag_python(lua_State *L, const Ctx *c, Loc l)
{
    bool known = l.file && l.file < c->nfile;
    return chunk_python(L, known ? c->file[l.file] : diag_where(L, &l.line, &l.col));
}

/* Positions ------------------------------------------------------------ */

bool diag_isours(const char *source)
{
    return strncmp(source, "@moontile/", 10) == 0 ||
           strcmp(source, "=[C]") == 0;
}

/* Column of the one call of `name` in the line, with the dotted prefix that
 * stands before it ("T.gemm"); 0 when it occurs not once. */
static uint16_t ldiag_column(const char *s, size_t n, const char *name)
{
    size_t m = strlen(name), found = 0, count = 0;
    for (size_t i = 0; i + m <= n; i++) {
        if (memcmp(s + i, name, m) != 0 || (i && wordchar(s[i - 1])) ||
            (i + m < n && wordchar(s[i + m])))
            continue;
        size_t from = i;
        while (from && (wordchar(s[from - 1]) || s[from - 1] == '.' || s[from - 1] == ':'))
            from--;
        if (!wordchar(s[from])) /* f():sum() */
            from = i;
        found = from + 1;
        count++;
    }
    return count == 1 && found <= UINT16_MAX ? (uint16_t)found : 0;
}

/* What a metamethod's event looks like in the text. */
static const struct { const char *event, *text; } operators[] = {
    {"add", "+"}, {"sub", "-"}, {"mul", "*"}, {"div", "/"}, {"idiv", "//"}, {"mod", "%"},
    {"pow", "^"}, {"concat", ".."}, {"index", "["}, {"newindex", "["}, {"lt", "<"},
    {"le", "<="}, {"eq", "=="}, {"unm", "-"}, {"len", "#"}, {"call", "("},
};

/* Column of the operator that the line has once; of what stands before a
 * bracket. */
static uint16_t operator_column(const char *s, size_t n, const char *event)
{
    size_t i = 0, found = 0, m;
    while (i < COUNT(operators) && strcmp(operators[i].event, event) != 0)
        i++;
    if (i == COUNT(operators))
        return 0;
    m = strlen(operators[i].text);
    for (size_t k = 0; k + m <= n; k++) {
        if (memcmp(s + k, operators[i].text, m) != 0)
            continue;
        if (found)
            return 0;
        found = k + 1;
        k += m - 1;
    }
    if (!found || !strchr("[(", operators[i].text[0]))
        return found <= UINT16_MAX ? (uint16_t)found : 0;
    size_t to = found - 1;
    for (found = to; found && (wordchar(s[found - 1]) || s[found - 1] == '.'); found--)
        ;
    return found < to && found < UINT16_MAX ? (uint16_t)(found + 1) : 0;
}

/* Pushes the table of names by functions, which it does not keep. */
static void call_names(lua_State *L)
{
    static const char key; /* its address is the key */
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
}

/* Names of events have this in front of them; those that no line has have the other. */
#define EVENT '!'
#define UNWRITTEN '?'

static void push_name(lua_State *L, lua_Debug *ar)
{
    if (!lua_getinfo(L, "n", ar) || !ar->name)
        lua_pushboolean(L, false);
    else if (strcmp(ar->namewhat, "metamethod") == 0)
        lua_pushfstring(L, "%c%s", EVENT, ar->name);
    else
        lua_pushstring(L, ar->name);
}

const char *diag_call_name(lua_State *L, lua_Debug *ar, enum CallAsk ask, bool *event)
{
    call_names(L);
    lua_getinfo(L, "f", ar);
    lua_pushvalue(L, -1);
    int had = lua_rawget(L, -3); /* names, function, name */
    const char *last = lua_tostring(L, -1);
    if (had == LUA_TNIL || ask == ASKnow || (ask == ASKmissed && (!last || *last != UNWRITTEN))) {
        push_name(L, ar);
        const char *now = lua_tostring(L, -1);
        if (ask == ASKmissed && last && now && *now != EVENT && strcmp(last, now) == 0) {
            lua_pushfstring(L, "%c%s", UNWRITTEN, now);
            lua_replace(L, -2);
        }
        lua_replace(L, -2);
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -5);
    }
    lua_replace(L, -3);
    lua_pop(L, 1);
    const char *name = lua_tostring(L, -1);
    *event = name && name[0] == EVENT;
    return name && (*event || name[0] == UNWRITTEN) ? name + 1 : name;
}

/* there: the line has the name, once or more, so that it is the right one. */
static uint16_t call_column(lua_State *L, const char *source, uint32_t line, lua_Debug *callee,
                            enum CallAsk ask, bool *there)
{
    bool event;
    size_t n = 0;
    const char *name = diag_call_name(L, callee, ask, &event);
    const char *s = name ? ldiag_source_line(L, source, line, &n) : NULL;
    uint16_t col = !s ? 0 : event ? operator_column(s, n, name) : ldiag_column(s, n, name);
    *there = s && (event || memmem(s, n, name, strlen(name)));
    lua_pop(L, 1);
    return col;
}

/* quick: the column is of the word by which the function was called last, where the line has
 * that.  For places that are noted in case that something goes wrong. */
static const char *ldiag_where(lua_State *L, uint32_t *line, uint16_t *col, bool quick)
{
    lua_Debug ar, callee;
    bool there;
    *line = 0;
    *col = 0;
    for (int level = 0; lua_getstack(L, level, &ar); level++) {
        if (!lua_getinfo(L, "Sl", &ar))
            break;
        if (ar.currentline <= 0 || diag_isours(ar.source))
            continue;
        *line = (uint32_t)ar.currentline;
        if (level && lua_getstack(L, level - 1, &callee)) {
            *col = call_column(L, ar.source, *line, &callee, quick ? ASKlast : ASKnow, &there);
            if (quick && !there)
                *col = call_column(L, ar.source, *line, &callee, ASKmissed, &there);
        }
        return ar.source;
    }
    return NULL;
}

const char *diag_where(lua_State *L, uint32_t *line, uint16_t *col)
{
    return ldiag_where(L, line, col, false);
}

Loc diag_loc(lua_State *L, Ctx *c)
{
    Loc l = {0};
    const char *chunk = diag_where(L, &l.line, &l.col);
    l.file = ctx_file(c, chunk);
    return l;
}

/* Objects -------------------------------------------------------------- */

typedef struct DiagCopy {
    lua_State *L; /* which is asked for languages alone */
    const Ctx *from;
    enum Level worst;
} DiagCopy;

static const Diag *copy_one(lua_State *L, Ctx *to, const Ctx *from, const Diag *d, Diag *parent)
{
    Loc l = d->loc;
    l.file = l.file && l.file < from->nfile ? ctx_file(to, from->file[l.file]) : 0;
    const char *a[DiagArgs];
    for (int i = 0; i < DiagArgs; i++)
        a[i] = d->arg[i];
    Diag *k = parent ? diag_note(to, parent, d->err, l, a[0], a[1], a[2], a[3], a[4], a[5], NULL)
                     : diag(to, d->err, l, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
    k->python = diag_python(L, from, d->loc);
    for (const Diag *n = d->note; n; n = n->next)
        copy_one(L, to, from, n, k);
    return k;
}

static void copy_all(Ctx *to, void *ud)
{
    const DiagCopy *k = ud;
    for (const Diag *d = k->from->diags; d; d = d->next)
        if (err_info(d->err)->level <= k->worst)
            copy_one(k->L, to, k->from, d, NULL);
}

/* An empty object, already owned by Lua, so that a later throw frees it. */
static Ctx *push_new(lua_State *L)
{
    Ctx *c = lua_newuserdatauv(L, sizeof *c, 0);
    ctx_init(c, NULL, 64 << 20);
    luaL_setmetatable(L, DIAG_TYPE);
    return c;
}

bool diag_push(lua_State *L, const Ctx *from, enum Level worst)
{
    Ctx *c = push_new(L);
    DiagCopy k = {L, from, worst};
    ctx_try(c, copy_all, &k);
    if (c->diags)
        return true;
    lua_pop(L, 1);
    return false;
}

int diag_raise(lua_State *L, const Ctx *from)
{
    if (!diag_push(L, from, Lerror))
        return luaL_error(L, "failed without a message");
    return lua_error(L);
}

typedef struct DiagMake {
    Err err;
    const char *chunk;
    Loc loc;
    const char *arg[DiagArgs];
    bool python;
} DiagMake;

static void ldiag_make(Ctx *c, void *ud)
{
    DiagMake *m = ud;
    m->loc.file = ctx_file(c, m->chunk);
    diag(c, m->err, m->loc, m->arg[0], m->arg[1], m->arg[2], m->arg[3], m->arg[4],
         m->arg[5], NULL)->python = m->python;
}

/* Reads the message's arguments from the stack, from index i on. */
static void fill_args(lua_State *L, int i, DiagMake *m)
{
    int top = lua_gettop(L);
    m->python = chunk_python(L, m->chunk);
    for (int k = 0; k < DiagArgs && i + k <= top; k++)
        m->arg[k] = luaL_tolstring(L, i + k, NULL);
}

static Err check_err(lua_State *L, int i)
{
    const char *id = luaL_checkstring(L, i);
    Err e = err_by_id(id);
    if (e == E_none)
        luaL_error(L, "no message is called '%s'", id);
    return e;
}

/* make(id, args...) -> diag at the user's line that called us */
static int f_make(lua_State *L)
{
    DiagMake m = {.err = check_err(L, 1)};
    m.chunk = diag_where(L, &m.loc.line, &m.loc.col);
    fill_args(L, 2, &m);
    ctx_try(push_new(L), ldiag_make, &m);
    return 1;
}

/* fail(id, args...): raises it */
static int f_ldiag_fail(lua_State *L)
{
    f_make(L);
    return lua_error(L);
}

/* at(id, chunk, line, col, args...) -> diag at a given place */
static int f_at(lua_State *L)
{
    DiagMake m = {.err = check_err(L, 1), .chunk = luaL_optstring(L, 2, NULL)};
    m.loc.line = (uint32_t)luaL_optinteger(L, 3, 0);
    m.loc.col = (uint16_t)luaL_optinteger(L, 4, 0);
    fill_args(L, 5, &m);
    ctx_try(push_new(L), ldiag_make, &m);
    return 1;
}

/* note(diag, id, chunk, line, col, args...): hangs a note on diag's last
 * message; returns diag */

static void make_note(Ctx *c, void *ud)
{
    DiagMake *m = ud;
    Diag *last = c->diags;
    while (last && last->next)
        last = last->next;
    if (!last)
        return;
    m->loc.file = ctx_file(c, m->chunk);
    diag_note(c, last, m->err, m->loc, m->arg[0], m->arg[1], m->arg[2], m->arg[3],
              m->arg[4], m->arg[5], NULL)->python = m->python;
}

static int f_note(lua_State *L)
{
    Ctx *c = check_diag(L, 1);
    DiagMake m = {.err = check_err(L, 2), .chunk = luaL_optstring(L, 3, NULL)};
    m.loc.line = (uint32_t)luaL_optinteger(L, 4, 0);
    m.loc.col = (uint16_t)luaL_optinteger(L, 5, 0);
    fill_args(L, 6, &m);
    ctx_try(c, make_note, &m);
    lua_pushvalue(L, 1);
    return 1;
}

typedef struct Both Both;
struct Both { Ctx *to; const Ctx *from; };

static void do_adopt(Ctx *c, void *ud)
{
    const Both *b = ud;
    diag_adopt(c, b->from);
}

/* adopt(diag, other): other's messages behind diag's; returns diag */
static int f_adopt(lua_State *L)
{
    Both b = {check_diag(L, 1), check_diag(L, 2)};
    ctx_try(b.to, do_adopt, &b);
    lua_pushvalue(L, 1);
    return 1;
}

/* Showing -------------------------------------------------------------- */

enum Lang diag_getlang(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, LANGKEY);
    enum Lang l = (enum Lang)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return l;
}

void diag_setlang(lua_State *L, enum Lang l)
{
    lua_pushinteger(L, (lua_Integer)l);
    lua_setfield(L, LUA_REGISTRYINDEX, LANGKEY);
}

/* Splits Lua's own "chunk:line: message" (luaO_chunkid's short form), so that
 * it can be shown like ours.  The chunk is found among the known sources by
 * the name that Lua would print. */
static bool split_plain(lua_State *L, const char *s, DiagMake *m)
{
    for (const char *p = strchr(s, ':'); p; p = strchr(p + 1, ':')) {
        char *e;
        unsigned long line = strtoul(p + 1, &e, 10);
        if (e == p + 1 || *e != ':' || line == 0 || line > UINT32_MAX)
            continue;
        m->loc.line = (uint32_t)line;
        while (*++e == ' ')
            ;
        m->arg[0] = e;
        lua_pushlstring(L, s, (size_t)(p - s));
        lua_pushfstring(L, "@%s", lua_tostring(L, -1));
        push_source(L, lua_tostring(L, -1));
        bool file = lua_isstring(L, -1);
        lua_pop(L, 1);
        if (!file) {
            lua_pushfstring(L, "=%s", lua_tostring(L, -2));
            lua_replace(L, -2);
        }
        lua_remove(L, -2);
        m->chunk = lua_tostring(L, -1); /* left on the stack: keeps it alive */
        return true;
    }
    return false;
}

/* Columns of the terminal that messages go to; 0: they go elsewhere, or it does not say. */
static uint16_t terminal_width(void)
{
    struct winsize w = {0};
    return isatty(STDERR_FILENO) && ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 ? w.ws_col : 0;
}

static void render(lua_State *L, Ctx *c, bool colour)
{
    Str b = {0};
    enum Lang lang = diag_getlang(L);
    bool brief = lua_getfield(L, LUA_REGISTRYINDEX, SHORT) == LUA_TBOOLEAN && lua_toboolean(L, -1);
    lua_pop(L, 1);
    c->width = terminal_width();
    for (const Diag *d = c->diags; d; d = d->next)
        diag_render(&b, c, d, lang, colour, brief ? NULL : ldiag_source_line, L);
    while (b.n && b.s[b.n - 1] == '\n')
        b.s[--b.n] = '\0';
    lua_pushlstring(L, b.s ? b.s : "", b.n);
    str_free(&b);
}

int diag_tostring(lua_State *L, int idx, bool colour)
{
    idx = lua_absindex(L, idx);
    Ctx *c = luaL_testudata(L, idx, DIAG_TYPE);
    if (c) {
        render(L, c, colour);
        return 1;
    }
    DiagMake m = {.err = E_lua};
    int top = lua_gettop(L);
    const char *s = luaL_tolstring(L, idx, NULL);
    if (lua_type(L, idx) != LUA_TSTRING || !split_plain(L, s, &m))
        m.arg[0] = s;
    c = push_new(L);
    ctx_try(c, ldiag_make, &m);
    render(L, c, colour);
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    return 1;
}

static int f_ldiag_render(lua_State *L)
{
    luaL_checkany(L, 1);
    return diag_tostring(L, 1, lua_toboolean(L, 2));
}

static int f_ldiag_tostring(lua_State *L) { return diag_tostring(L, 1, false); }

static int f_ldiag_gc(lua_State *L)
{
    ctx_free(check_diag(L, 1));
    return 0;
}

static uint16_t shown_column(lua_State *L, const Ctx *c, const Diag *d)
{
    size_t n;
    bool known = d->loc.file && d->loc.file < c->nfile && d->loc.line;
    const char *s = known ? ldiag_source_line(L, c->file[d->loc.file], d->loc.line, &n) : NULL;
    return s ? diag_column(d, s, n) : d->loc.col;
}

/* What d says by one of its texts, in each language. */
static void push_said(lua_State *L, const Diag *d, const char *const *by)
{
    Str b = {0};
    enum Lang lang = diag_getlang(L);
    const char *s = by[lang];
    diag_text(&b, d, s[0] ? s : by[LANGen], lang);
    lua_pushlstring(L, b.s ? b.s : "", b.n);
    str_free(&b);
}

/* {{id =, message =}, ..} */
static void push_diag_notes(lua_State *L, const Diag *d)
{
    lua_newtable(L);
    for (lua_Integer i = 1; d; d = d->next, i++) {
        lua_createtable(L, 0, 2);
        lua_pushstring(L, err_info(d->err)->id);
        lua_setfield(L, -2, "id");
        push_said(L, d, err_info(d->err)->title);
        lua_setfield(L, -2, "message");
        lua_rawseti(L, -2, i);
    }
}

/* Fields of the first message: code, id, level, file, line, col, message,
 * label, help; args and notes (tables); and count. */
static int f_ldiag_index(lua_State *L)
{
    const Ctx *c = check_diag(L, 1);
    const char *k = luaL_checkstring(L, 2);
    const Diag *d = c->diags;
    if (strcmp(k, "render") == 0) {
        lua_pushcfunction(L, f_ldiag_render);
        return 1;
    }
    if (strcmp(k, "count") == 0) {
        lua_Integer n = 0;
        for (const Diag *i = d; i; i = i->next)
            n++;
        lua_pushinteger(L, n);
        return 1;
    }
    if (!d)
        return 0;
    const ErrInfo *e = err_info(d->err);
    const char *const *by = NULL;
    if (strcmp(k, "code") == 0)
        lua_pushstring(L, e->code);
    else if (strcmp(k, "id") == 0)
        lua_pushstring(L, e->id);
    else if (strcmp(k, "level") == 0)
        lua_pushstring(L, level_word(e->level));
    else if (strcmp(k, "file") == 0)
        lua_pushstring(L, d->loc.file && d->loc.file < c->nfile ? c->file[d->loc.file] : NULL);
    else if (strcmp(k, "line") == 0)
        lua_pushinteger(L, d->loc.line);
    else if (strcmp(k, "col") == 0)
        lua_pushinteger(L, shown_column(L, c, d));
    else if (strcmp(k, "args") == 0) {
        lua_newtable(L);
        for (int i = 0; i < DiagArgs && d->arg[i]; i++) {
            lua_pushstring(L, d->arg[i]);
            lua_rawseti(L, -2, i + 1);
        }
    } else if (strcmp(k, "message") == 0)
        by = e->title;
    else if (strcmp(k, "label") == 0)
        by = e->label;
    else if (strcmp(k, "help") == 0)
        by = e->help;
    else if (strcmp(k, "notes") == 0)
        push_diag_notes(L, d->note);
    else
        return 0;
    if (by)
        push_said(L, d, by);
    return 1;
}

static int f_ldiag_setlang(lua_State *L)
{
    static const char *const name[] = {"en", "zh", NULL};
    diag_setlang(L, (enum Lang)luaL_checkoption(L, 1, "en", name));
    return 0;
}

/* setshort(yes): messages from now on without the lines that they speak of */
static int f_setshort(lua_State *L)
{
    lua_pushboolean(L, lua_toboolean(L, 1));
    lua_setfield(L, LUA_REGISTRYINDEX, SHORT);
    return 0;
}

static int f_lang(lua_State *L)
{
    lua_pushstring(L, diag_getlang(L) == LANGzh ? "zh" : "en");
    return 1;
}

/* where() -> chunk, line, col of the user's code that is running */
static int f_where(lua_State *L)
{
    uint32_t line;
    uint16_t col;
    lua_pushstring(L, ldiag_where(L, &line, &col, true));
    lua_pushinteger(L, line);
    lua_pushinteger(L, col);
    return 3;
}

/* explain(code or id) -> {code, id, title, label, help} patterns, or nil */
static int f_explain(lua_State *L)
{
    const char *s = luaL_checkstring(L, 1);
    Err e = err_by_code(s);
    if (e == E_none && (e = err_by_id(s)) == E_none)
        return 0;
    enum Lang l = diag_getlang(L);
    bool python = chunk_python(L, NULL);
    const char *const names[] = {"title", "label", "help"};
    const char *const *by[] = {err_info(e)->title, err_info(e)->label, err_info(e)->help};
    lua_newtable(L);
    for (size_t i = 0; i < COUNT(by); i++) {
        Str b = {0};
        diag_written(&b, by[i][l][0] ? by[i][l] : by[i][LANGen], python);
        lua_pushlstring(L, b.s ? b.s : "", b.n);
        str_free(&b);
        lua_setfield(L, -2, names[i]);
    }
    lua_pushstring(L, err_info(e)->code);
    lua_setfield(L, -2, "code");
    lua_pushstring(L, err_info(e)->id);
    lua_setfield(L, -2, "id");
    return 1;
}

static int f_isdiag(lua_State *L)
{
    lua_pushboolean(L, luaL_testudata(L, 1, DIAG_TYPE) != NULL);
    return 1;
}

/* Bytes of the colour that begins at s: ESC [ numbers m; 0: none does. */
static size_t colour_at(const char *s)
{
    size_t k = s[0] == '\033' && s[1] == '[' ? 2 + strspn(s + 2, "0123456789;") : 0;
    return k && s[k] == 'm' ? k + 1 : 0;
}

/* Pushes s as str_visible shows it; with `colours` those of ours stay. */
static void push_visible(lua_State *L, const char *s, size_t n, bool colours)
{
    Str shown = {0};
    size_t from = 0;
    for (size_t i = 0, k; colours && i < n; i += k ? k : 1) {
        if (!(k = colour_at(s + i)))
            continue;
        str_visible(&shown, s + from, i - from);
        str_add(&shown, s + i, k);
        from = i + k;
    }
    str_visible(&shown, s + from, n - from);
    if (shown.bad)
        lua_pushnil(L);
    else
        lua_pushlstring(L, shown.s ? shown.s : "", shown.n);
    str_free(&shown);
}

/* source(chunk, line) -> that line of a text that was loaded, to be read; or nil */
static int f_ldiag_source(lua_State *L)
{
    size_t n;
    const char *s =
        ldiag_source_line(L, luaL_checkstring(L, 1), (uint32_t)luaL_checkinteger(L, 2), &n);
    if (s)
        push_visible(L, s, n, false);
    else
        lua_pushnil(L);
    return 1;
}

/* visible(text, colours): somebody else's text, in which nothing moves a cursor; see
 * str_visible.  With `colours` (true, or how many) those stay: the text has some of ours. */
static int f_visible(lua_State *L)
{
    size_t n;
    const char *s = luaL_checklstring(L, 1, &n);
    bool colours = lua_type(L, 2) == LUA_TNUMBER ? lua_tointeger(L, 2) > 0 : lua_toboolean(L, 2);
    push_visible(L, s, n, colours);
    return 1;
}

/* keep(chunk, text): so that messages about texts that others ran can show their lines */
static int f_keep(lua_State *L)
{
    size_t n;
    const char *chunk = luaL_checkstring(L, 1), *s = luaL_checklstring(L, 2, &n);
    load_keep(L, chunk, s, n);
    return 0;
}

static const luaL_Reg functions[] = {
    {"source", f_ldiag_source}, {"keep", f_keep},       {"visible", f_visible},
    {"make", f_make},           {"fail", f_ldiag_fail}, {"at", f_at},
    {"note", f_note},           {"adopt", f_adopt},     {"render", f_ldiag_render},
    {"where", f_where},         {"explain", f_explain}, {"setlang", f_ldiag_setlang},
    {"setshort", f_setshort},   {"lang", f_lang},       {"isdiag", f_isdiag},
    {"handler", message_handler}, {NULL, NULL},
};

static const luaL_Reg meta[] = {
    {"__index", f_ldiag_index},
    {"__tostring", f_ldiag_tostring},
    {"__gc", f_ldiag_gc},
    {NULL, NULL},
};

int luaopen_moontile_diag(lua_State *L)
{
    if (luaL_newmetatable(L, DIAG_TYPE))
        luaL_setfuncs(L, meta, 0);
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
