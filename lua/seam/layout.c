/* lua/seam/layout.c: module moontile.layout: layouts as Lua values.
 *
 * A layout is an immutable userdata.  Indices, offsets, threads and registers count
 * from 0; a thread is lane + lanes * warp.  What is shown to people, and the
 * functions that users write, are in lua/layout/. */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/layout/machine.h"
#include "seam.h"

#define LAYOUT_TYPE "moontile.modes"

static Layout *check_layout(lua_State *L, int i) { return luaL_checkudata(L, i, LAYOUT_TYPE); }

static Layout *push_layout(lua_State *L, const Layout *l)
{
    Layout *u = lua_newuserdatauv(L, sizeof *u, 0);
    *u = *l;
    luaL_setmetatable(L, LAYOUT_TYPE);
    return u;
}

void layout_push(lua_State *L, const Layout *l) { push_layout(L, l); }

/* The list of integers at stack index i; how many. */
static int check_list(lua_State *L, int i, int32_t *out, int max)
{
    luaL_checktype(L, i, LUA_TTABLE);
    lua_Integer n = luaL_len(L, i);
    luaL_argcheck(L, n >= 0 && n <= max, i, "too many numbers");
    for (int k = 0; k < (int)n; k++) {
        lua_rawgeti(L, i, k + 1);
        lua_Integer v = luaL_checkinteger(L, -1);
        luaL_argcheck(L, v >= INT32_MIN && v <= INT32_MAX, i, "a number is out of range");
        out[k] = (int32_t)v;
        lua_pop(L, 1);
    }
    return (int)n;
}

static int check_shape(lua_State *L, int i, int32_t *size)
{
    int n = check_list(L, i, size, LayDims);
    int64_t all = 1;
    for (int d = 0; d < n; d++) {
        luaL_argcheck(L, size[d] > 0, i, "sizes are positive");
        all *= size[d];
        luaL_argcheck(L, all <= INT32_MAX / 16, i, "too many elements");
    }
    luaL_argcheck(L, n > 0, i, "no dimension");
    return n;
}

static void llayout_push_list(lua_State *L, const int32_t *v, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushinteger(L, v[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static bool is_memory(const Layout *l)
{
    for (int i = 0; i < l->n; i++)
        if (l->d[i].axis != AXoff)
            return false;
    return l->nb == 0;
}

/* The layout on top if ok, nil otherwise. */
static int maybe(lua_State *L, bool ok, const Layout *l)
{
    if (ok)
        push_layout(L, l);
    else
        lua_pushnil(L);
    return 1;
}

/* Making ---------------------------------------------------------------- */

/* parse(text) -> layout, or nil */
static int f_llayout_parse(lua_State *L)
{
    Layout l;
    return maybe(L, layout_parse(&l, luaL_checkstring(L, 1)), &l);
}

/* linear(shape), padded(shape, bits), swizzled(shape, bits, span): nil when it does not divide */
static int f_linear(lua_State *L)
{
    int32_t size[LayDims];
    Layout l;
    layout_linear(&l, check_shape(L, 1, size), size);
    return maybe(L, true, &l);
}

static int f_swizzled(lua_State *L)
{
    int32_t size[LayDims];
    Layout l;
    int n = check_shape(L, 1, size);
    int bits = (int)luaL_checkinteger(L, 2), span = (int)luaL_checkinteger(L, 3);
    return maybe(L, bits > 0 && span > 0 && layout_swizzled(&l, n, size, bits, span), &l);
}

static int f_padded(lua_State *L)
{
    int32_t size[LayDims];
    Layout l;
    int n = check_shape(L, 1, size);
    int bits = (int)luaL_checkinteger(L, 2);
    luaL_argcheck(L, bits > 0 && bits <= 128, 2, "bits of an element");
    layout_padded(&l, n, size, bits);
    return maybe(L, true, &l);
}

/* modes(shape, {{dim, extent, axis, stride}, ..}) -> layout, or nil and why;
 * dim 0.., low modes first; axis "reg", "lane", "warp", "off" */
static int f_modes(lua_State *L)
{
    int32_t size[LayDims];
    Layout l;
    int n = check_shape(L, 1, size);
    luaL_checktype(L, 2, LUA_TTABLE);
    layout_init(&l, n, size);
    for (int i = 1; i <= (int)luaL_len(L, 2); i++) {
        int a = 0;
        lua_rawgeti(L, 2, i);
        for (int k = 1; k <= 4; k++)
            lua_rawgeti(L, -k, k);
        lua_Integer dim = luaL_checkinteger(L, -4), ext = luaL_checkinteger(L, -3);
        const char *axis = luaL_checkstring(L, -2);
        lua_Integer stride = luaL_checkinteger(L, -1);
        while (a < NAxis && strcmp(axisname[a], axis) != 0)
            a++;
        luaL_argcheck(L, a < NAxis && dim >= 0 && dim < n && ext > 0 && ext <= INT32_MAX, 2,
                      "a digit out of range");
        luaL_argcheck(L, stride > 0 && stride <= INT32_MAX && l.extent[dim] <= INT32_MAX / ext, 2,
                      "a digit out of range");
        layout_mode(&l, (int)dim, (int32_t)ext, (enum Axis)a, (int32_t)stride);
        lua_pop(L, 5);
    }
    const char *why = layout_check(&l, 0);
    if (!why)
        return maybe(L, true, &l);
    lua_pushnil(L);
    lua_pushstring(L, why);
    return 2;
}

/* mma(name, which [, n]) -> layout of operand "a", "b" or "c", its machine's
 * warp, whether operands are swapped; nil when there is no such */
static int f_mma(lua_State *L)
{
    const Mma *i = mma_find(luaL_checkstring(L, 1));
    const char *which = luaL_checkstring(L, 2);
    int n = (int)luaL_optinteger(L, 3, i ? i->n : 0);
    Layout l;
    if (!i || !mma_layout(i, which[0], n, &l))
        return 0;
    push_layout(L, &l);
    lua_pushboolean(L, i->transposed);
    return 2;
}

/* instructions() -> names of all matrix instructions, best first by machine */
static int f_instructions(lua_State *L)
{
    int n = 0;
    lua_newtable(L);
    for (const Machine *const *m = machines; *m; m++)
        for (int i = 0; i < (*m)->nmma; i++) {
            lua_pushstring(L, (*m)->mma[i].name);
            lua_rawseti(L, -2, ++n);
        }
    return 1;
}

/* Fitting --------------------------------------------------------------- */

typedef struct LayoutFnCall LayoutFnCall;
struct LayoutFnCall {
    lua_State *L;
    int ndim;
    bool memory, failed;
};

/* Calls the function at stack index 2 with the indices and the replica; it
 * gives an offset, or a thread and a register.  An error stays on the stack. */
static bool call_layout_fn(void *ud, const int32_t *idx, int32_t rep, Spot *at)
{
    LayoutFnCall *c = ud;
    lua_State *L = c->L;
    lua_pushvalue(L, 2);
    for (int d = 0; d < c->ndim; d++)
        lua_pushinteger(L, idx[d]);
    lua_pushinteger(L, rep);
    if (lua_pcall(L, c->ndim + 1, 2, 0) != LUA_OK) {
        c->failed = true;
        return false;
    }
    int ok1, ok2 = 1;
    lua_Integer a = lua_tointegerx(L, -2, &ok1), b = c->memory ? 0 : lua_tointegerx(L, -1, &ok2);
    lua_pop(L, 2);
    at->at[c->memory ? AXoff : AXlane] = ok1 ? a : -1;
    at->at[AXreg] = ok2 ? b : -1;
    return true;
}

/* fit(shape, f, memory [, copies, warp]) -> layout, or nil, why, element */
static int f_fit(lua_State *L)
{
    int32_t size[LayDims], idx[LayDims];
    Layout l;
    const char *why;
    int n = check_shape(L, 1, size);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    bool memory = lua_toboolean(L, 3);
    lua_Integer copies = luaL_optinteger(L, 4, 1), warp = luaL_optinteger(L, 5, 32);
    luaL_argcheck(L, warp == 32 || warp == 64, 5, "32 or 64 lanes");
    luaL_argcheck(L, copies >= 1 && copies <= 1024, 4, "1 to 1024 copies");
    LayoutFnCall c = {L, n, memory, false};
    luaL_checkstack(L, LayDims + 8, NULL);
    if (layout_fit(&l, n, size, (int32_t)copies, (int)warp, memory, call_layout_fn, &c, &why, idx))
        return maybe(L, true, &l);
    if (c.failed)
        return lua_error(L);
    lua_pushnil(L);
    lua_pushstring(L, why);
    llayout_push_list(L, idx, n);
    return 3;
}

/* Asking ---------------------------------------------------------------- */

/* l:eval(i, ..) -> offset, or thread and register of the first copy */
static int m_eval(lua_State *L)
{
    const Layout *l = check_layout(L, 1);
    int32_t idx[LayDims];
    for (int d = 0; d < l->ndim; d++) {
        lua_Integer v = luaL_checkinteger(L, 2 + d);
        luaL_argcheck(L, v >= 0 && v < l->size[d], 2 + d, "outside of the layout");
        idx[d] = (int32_t)v;
    }
    Spot s = layout_eval(l, idx);
    if (is_memory(l)) {
        lua_pushinteger(L, s.at[AXoff]);
        return 1;
    }
    lua_pushinteger(L, s.at[AXlane] + s.at[AXwarp] * layout_extent(l, AXlane));
    lua_pushinteger(L, s.at[AXreg]);
    return 2;
}

/* l:invert(offset), l:invert(thread, register) -> i, .. or nil */
static int m_invert(lua_State *L)
{
    const Layout *l = check_layout(L, 1);
    Spot s = {{0}};
    int32_t idx[LayDims];
    lua_Integer a = luaL_checkinteger(L, 2), lanes = layout_extent(l, AXlane);
    if (a < 0)
        return 0;
    if (is_memory(l)) {
        s.at[AXoff] = a;
    } else {
        s.at[AXlane] = a % lanes;
        s.at[AXwarp] = a / lanes;
        s.at[AXreg] = luaL_checkinteger(L, 3);
    }
    if (!layout_invert(l, &s, idx))
        return 0;
    for (int d = 0; d < l->ndim; d++)
        lua_pushinteger(L, idx[d]);
    return l->ndim;
}

static int m_text(lua_State *L)
{
    Str s = {0};
    layout_print(check_layout(L, 1), &s);
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
    return 1;
}

static int m_shape(lua_State *L)
{
    const Layout *l = check_layout(L, 1);
    llayout_push_list(L, l->size, l->ndim);
    return 1;
}

/* l:info() -> {memory =, lanes =, threads =, registers =, span =, copies =,
 * xor = {bits, base, shift} or nil} */
static int m_info(lua_State *L)
{
    const Layout *l = check_layout(L, 1);
    lua_Integer lanes = layout_extent(l, AXlane);
    const struct { const char *name; lua_Integer v; } field[] = {
        {"lanes", lanes}, {"threads", lanes * layout_extent(l, AXwarp)},
        {"registers", layout_extent(l, AXreg)}, {"span", layout_extent(l, AXoff)},
        {"copies", layout_copies(l)},
    };
    lua_newtable(L);
    for (size_t i = 0; i < COUNT(field); i++) {
        lua_pushinteger(L, field[i].v);
        lua_setfield(L, -2, field[i].name);
    }
    lua_pushboolean(L, is_memory(l));
    lua_setfield(L, -2, "memory");
    if (l->x.bits) {
        llayout_push_list(L, (const int32_t[]){l->x.bits, l->x.base, l->x.shift}, 3);
        lua_setfield(L, -2, "xor");
    }
    return 1;
}

/* Many at once ---------------------------------------------------------- */

/* A box of indices, and for every dimension what each of its indices adds to
 * each axis: places are sums over the dimensions. */
typedef struct LuaLayoutBox {
    int32_t lo[LayDims], hi[LayDims];
    int64_t *add[LayDims]; /* [index - lo][NAxis] */
    int64_t n;             /* elements */
} LuaLayoutBox;

/* The box between the lists at stack indices i and i + 1; without them all. */
static void llayout_check_box(lua_State *L, int i, const Layout *l, LuaLayoutBox *b)
{
    bool given = !lua_isnoneornil(L, i);
    for (int d = 0; d < l->ndim; d++) {
        b->lo[d] = 0;
        b->hi[d] = l->size[d];
    }
    if (given)
        luaL_argcheck(L, check_list(L, i, b->lo, LayDims) == l->ndim &&
                             check_list(L, i + 1, b->hi, LayDims) == l->ndim,
                      i, "one number a dimension");
    b->n = 1;
    for (int d = 0; d < l->ndim; d++) {
        luaL_argcheck(L, 0 <= b->lo[d] && b->lo[d] < b->hi[d] && b->hi[d] <= l->size[d], i,
                      "outside of the layout");
        b->n *= b->hi[d] - b->lo[d];
    }
    int64_t all = 0;
    for (int d = 0; d < l->ndim; d++)
        all += b->hi[d] - b->lo[d];
    int64_t *to = lua_newuserdatauv(L, (size_t)all * NAxis * sizeof *to, 0);
    memset(to, 0, (size_t)all * NAxis * sizeof *to);
    for (int d = 0; d < l->ndim; d++) {
        b->add[d] = to;
        to += (int64_t)(b->hi[d] - b->lo[d]) * NAxis;
    }
    for (int k = 0; k < l->n; k++) {
        const Mode *g = &l->d[k];
        int64_t *at = b->add[g->dim] + g->axis;
        for (int32_t v = b->lo[g->dim]; v < b->hi[g->dim]; v++, at += NAxis)
            *at += (int64_t)(v / g->weight % g->extent) * g->stride;
    }
}

/* Sums of the axes, weighted, for every element of the box in row-major order,
 * into a new list on top; xor: of offsets. */
static void push_sums(lua_State *L, const Layout *l, const LuaLayoutBox *b,
                      const int64_t weight[NAxis])
{
    int32_t idx[LayDims] = {0};
    int last = l->ndim - 1;
    int64_t base = 0;
    lua_createtable(L, (int)b->n, 0);
    for (int64_t k = 1; k <= b->n;) {
        base = 0;
        for (int d = 0; d < last; d++)
            for (int a = 0; a < NAxis; a++)
                base += b->add[d][(int64_t)idx[d] * NAxis + a] * weight[a];
        for (int32_t v = 0; v < b->hi[last] - b->lo[last]; v++, k++) {
            int64_t at = base;
            for (int a = 0; a < NAxis; a++)
                at += b->add[last][(int64_t)v * NAxis + a] * weight[a];
            lua_pushinteger(L, weight[AXoff] ? layout_xor(l, at) : at);
            lua_rawseti(L, -2, k);
        }
        for (int d = last - 1; d >= 0 && ++idx[d] == b->hi[d] - b->lo[d]; d--)
            idx[d] = 0;
    }
}

/* l:places([lo, hi]) -> threads and registers (of the first copies) of the elements
 * lo <= index < hi, row-major, as two lists */
static int m_places(lua_State *L)
{
    const Layout *l = check_layout(L, 1);
    LuaLayoutBox b;
    lua_settop(L, 3);
    llayout_check_box(L, 2, l, &b);
    push_sums(L, l, &b, (int64_t[NAxis]){[AXlane] = 1, [AXwarp] = layout_extent(l, AXlane)});
    push_sums(L, l, &b, (int64_t[NAxis]){[AXreg] = 1});
    return 2;
}

/* l:offsets([lo, hi]) -> a list of them, in the same order */
static int m_offsets(lua_State *L)
{
    const Layout *l = check_layout(L, 1);
    LuaLayoutBox b;
    lua_settop(L, 3);
    llayout_check_box(L, 2, l, &b);
    push_sums(L, l, &b, (int64_t[NAxis]){[AXoff] = 1});
    return 1;
}

/* l:elements(t0, t1, s0, s1) -> the element in each register s0 .. s1 - 1 of each
 * thread t0 .. t1 - 1, as a list of row-major numbers; -1: nothing.
 * l:elements(o0, o1): at each offset. */
static int m_elements(lua_State *L)
{
    const Layout *l = check_layout(L, 1);
    bool memory = is_memory(l);
    int64_t lanes = layout_extent(l, AXlane), k = 0;
    lua_Integer a0 = luaL_checkinteger(L, 2), a1 = luaL_checkinteger(L, 3);
    lua_Integer s0 = memory ? 0 : luaL_checkinteger(L, 4);
    lua_Integer s1 = memory ? 1 : luaL_checkinteger(L, 5);
    luaL_argcheck(L, 0 <= a0 && a0 <= a1 && 0 <= s0 && s0 <= s1, 2, "no range");
    luaL_argcheck(L, (a1 - a0) <= (1 << 24) / (s1 - s0 + 1), 3, "too many places");
    lua_createtable(L, (int)((a1 - a0) * (s1 - s0)), 0);
    for (lua_Integer a = a0; a < a1; a++)
        for (lua_Integer s = s0; s < s1; s++) {
            Spot at = {{0}};
            int32_t idx[LayDims];
            int64_t e = 0;
            at.at[AXreg] = memory ? 0 : s;
            at.at[AXlane] = memory ? 0 : a % lanes;
            at.at[AXwarp] = memory ? 0 : a / lanes;
            at.at[AXoff] = memory ? a : 0;
            bool there = layout_invert(l, &at, idx);
            for (int d = 0; d < l->ndim && there; d++)
                e = e * l->size[d] + idx[d];
            lua_pushinteger(L, there ? e : -1);
            lua_rawseti(L, -2, ++k);
        }
    return 1;
}

static void push_mode(lua_State *L, const Mode *g, bool bcast)
{
    lua_createtable(L, 0, 5);
    if (!bcast) {
        lua_pushinteger(L, g->dim);
        lua_setfield(L, -2, "dim");
        lua_pushinteger(L, g->weight);
        lua_setfield(L, -2, "weight");
    }
    lua_pushstring(L, axisname[g->axis]);
    lua_setfield(L, -2, "axis");
    lua_pushinteger(L, g->extent);
    lua_setfield(L, -2, "extent");
    lua_pushinteger(L, g->stride);
    lua_setfield(L, -2, "stride");
}

/* l:modes() -> {{dim =, weight =, axis =, extent =, stride =}, ..}; copies
 * have neither dim nor weight */
static int m_modes(lua_State *L)
{
    Layout l = *check_layout(L, 1);
    layout_canon(&l);
    lua_createtable(L, l.n + l.nb, 0);
    for (int i = 0; i < l.n + l.nb; i++) {
        push_mode(L, i < l.n ? &l.d[i] : &l.b[i - l.n], i >= l.n);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int m_equal(lua_State *L)
{
    lua_pushboolean(L, layout_equal(check_layout(L, 1), check_layout(L, 2)));
    return 1;
}

/* l:convert(other) -> "same", "registers", "shuffles" or "shared" */
static int m_convert(lua_State *L)
{
    static const char *const move[] = {"same", "registers", "shuffles", "shared"};
    lua_pushstring(L, move[layout_convert(check_layout(L, 1), check_layout(L, 2))]);
    return 1;
}

/* Deriving -------------------------------------------------------------- */

/* l:permute{1, 0}: new dimension k is old dimension perm[k] */
static int m_permute(lua_State *L)
{
    Layout l = *check_layout(L, 1);
    int32_t v[LayDims];
    int perm[LayDims], n = check_list(L, 2, v, LayDims);
    unsigned seen = 0;
    luaL_argcheck(L, n == l.ndim, 2, "one number a dimension");
    for (int d = 0; d < n; d++) {
        luaL_argcheck(L, v[d] >= 0 && v[d] < n && !(seen >> v[d] & 1), 2, "no permutation");
        seen |= 1u << v[d];
        perm[d] = v[d];
    }
    layout_permute(&l, perm);
    return maybe(L, true, &l);
}

/* l:project(dim): without that dimension, as a reduction leaves it */
static int m_project(lua_State *L)
{
    Layout l = *check_layout(L, 1);
    lua_Integer d = luaL_checkinteger(L, 2);
    luaL_argcheck(L, d >= 0 && d < l.ndim && l.ndim > 1, 2, "no such dimension");
    layout_project(&l, (int)d);
    return maybe(L, true, &l);
}

/* l:reshape(shape) -> layout, or nil when modes do not nest */
static int m_reshape(lua_State *L)
{
    int32_t size[LayDims];
    Layout out;
    int n = check_shape(L, 2, size);
    return maybe(L, layout_reshape(check_layout(L, 1), n, size, &out), &out);
}

/* l:warps(32 or 64) -> layout, or nil */
static int m_warps(lua_State *L)
{
    Layout l = *check_layout(L, 1);
    lua_Integer w = luaL_checkinteger(L, 2);
    return maybe(L, w > 0 && w <= 1024 && layout_warps(&l, (int)w), &l);
}

/* Cost ------------------------------------------------------------------ */

/* banks(addresses, bytes [, banks, bank bytes]) -> waves, ideal, ways, bank.
 * addresses: a list of a warp's byte addresses, -1 or false for an idle lane */
static int f_banks(lua_State *L)
{
    int64_t addr[64];
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer n = luaL_len(L, 1), bytes = luaL_checkinteger(L, 2);
    lua_Integer banks = luaL_optinteger(L, 3, 32), width = luaL_optinteger(L, 4, 4);
    luaL_argcheck(L, n >= 1 && n <= 64, 1, "1 to 64 lanes");
    luaL_argcheck(L, bytes >= 1 && bytes <= 16, 2, "1 to 16 bytes");
    luaL_argcheck(L, banks >= 1 && banks <= 128 && width >= 1 && width <= 16, 3, "no such banks");
    for (int i = 0; i < (int)n; i++) {
        lua_rawgeti(L, 1, i + 1);
        addr[i] = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : -1;
        lua_pop(L, 1);
    }
    BankCost c = bank_cost(addr, (int)n, (int)bytes, (int)banks, (int)width);
    lua_pushinteger(L, c.waves);
    lua_pushinteger(L, c.ideal);
    lua_pushinteger(L, c.ways);
    lua_pushinteger(L, c.bank);
    return 4;
}

int luaopen_moontile_layout(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"eval", m_eval},       {"invert", m_invert},   {"text", m_text},
        {"shape", m_shape},     {"info", m_info},       {"modes", m_modes},
        {"equal", m_equal},     {"convert", m_convert}, {"permute", m_permute},
        {"project", m_project}, {"reshape", m_reshape}, {"warps", m_warps},
        {"places", m_places},   {"offsets", m_offsets}, {"elements", m_elements},
        {NULL, NULL}
    };
    static const luaL_Reg funcs[] = {
        {"parse", f_llayout_parse},   {"linear", f_linear}, {"swizzled", f_swizzled},
        {"padded", f_padded}, {"modes", f_modes},
        {"mma", f_mma},       {"instructions", f_instructions},
        {"fit", f_fit},       {"banks", f_banks},   {NULL, NULL}
    };
    luaL_newmetatable(L, LAYOUT_TYPE);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, m_text);
    lua_setfield(L, -2, "__tostring");
    lua_pushcfunction(L, m_equal);
    lua_setfield(L, -2, "__eq");
    lua_pop(L, 1);
    luaL_newlib(L, funcs);
    return 1;
}
