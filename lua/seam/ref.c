/* lua/seam/ref.c: module moontile.ref: the reference operators of core/tensor/ref.h for
 * lua/tl/ref.lua, and what printing and comparing need.
 *
 * Every operator takes its output first.  Shapes that a user can get wrong are
 * checked in Lua, with the user's names; the checks here keep memory safe. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/tensor/ref.h"
#include "tensor.h"
#include "err/host.h"

/* Checks --------------------------------------------------------------- */

/* Raises E_ref_shape with the shapes of all tensor arguments unless ok. */
static void lref_need(lua_State *L, bool ok, const char *op)
{
    if (ok)
        return;
    int top = lua_gettop(L);
    luaL_checkstack(L, 2 * top + 4, op);
    int n = 0;
    for (int i = 1; i <= top; i++) {
        const Tensor *t = test_tensor(L, i);
        if (!t)
            continue;
        if (n)
            lua_pushliteral(L, ", ");
        push_shape(L, t->ndim, t->shape);
        n += n ? 2 : 1;
    }
    lua_concat(L, n);
    tensor_fail(L, E_ref_shape, op, lua_tostring(L, -1), NULL);
}

static void lref_memory(lua_State *L, bool ok)
{
    if (!ok)
        tensor_fail(L, E_ref_memory, NULL);
}

static bool shaped(const Tensor *t, int ndim, const int64_t *shape)
{
    if (t->ndim != ndim)
        return false;
    for (int d = 0; d < ndim; d++)
        if (shape[d] >= 0 && t->shape[d] != shape[d])
            return false;
    return true;
}

/* t has exactly these extents; -1 is any. */
#define SHAPED(t, n, ...) shaped(t, n, (const int64_t[]){__VA_ARGS__})

static Tensor *opt_tensor(lua_State *L, int i)
{
    return lua_isnoneornil(L, i) ? NULL : check_tensor(L, i);
}

static int check_name(lua_State *L, int i, const char *const *names, int n)
{
    const char *s = luaL_checkstring(L, i);
    for (int k = 0; k < n; k++)
        if (strcmp(names[k], s) == 0)
            return k;
    return luaL_argerror(L, i, "no such operator");
}

/* Elementwise, reductions ---------------------------------------------- */

static int f_unary(lua_State *L)
{
    int op = check_name(L, 1, unary_name, NUnary);
    Tensor *out = check_tensor(L, 2);
    const Tensor *x = check_tensor(L, 3);
    lref_need(L, tensor_sameshape(out, x), unary_name[op]);
    ref_unary((enum Unary)op, out, x);
    lua_settop(L, 2);
    return 1;
}

static int f_binary(lua_State *L)
{
    int op = check_name(L, 1, binary_name, NBinary);
    Tensor *out = check_tensor(L, 2);
    Tensor a = *check_tensor(L, 3), b = *check_tensor(L, 4);
    lref_need(L,
              tensor_expand(&a, out->ndim, out->shape) && tensor_expand(&b, out->ndim, out->shape),
              binary_name[op]);
    ref_binary((enum Binary)op, out, &a, &b);
    lua_settop(L, 2);
    return 1;
}

/* broadcast(a, b) -> shape, or nil */
static int f_broadcast(lua_State *L)
{
    int64_t shape[TensorDims];
    int n;
    if (!tensor_broadcast(check_tensor(L, 1), check_tensor(L, 2), &n, shape))
        return 0;
    lua_createtable(L, n, 0);
    for (int d = 0; d < n; d++) {
        lua_pushinteger(L, shape[d]);
        lua_rawseti(L, -2, d + 1);
    }
    return 1;
}

static int f_reduce(lua_State *L)
{
    int op = check_name(L, 1, reduce_name, NReduce);
    Tensor *out = check_tensor(L, 2);
    const Tensor *x = check_tensor(L, 3);
    lua_Integer axis = luaL_checkinteger(L, 4);
    Tensor kept = *x;
    if (axis >= 0 && axis < x->ndim)
        tensor_select(&kept, (int)axis, 0);
    lref_need(L, kept.ndim < x->ndim && tensor_sameshape(out, &kept), reduce_name[op]);
    ref_reduce((enum Reduce)op, out, x, (int)axis);
    lua_settop(L, 2);
    return 1;
}

/* total(op, x) -> number */
static int f_total(lua_State *L)
{
    int op = check_name(L, 1, reduce_name, NReduce);
    lua_pushnumber(L, ref_total((enum Reduce)op, check_tensor(L, 2)));
    return 1;
}

/* stats(x) -> min, max, sum of the finite, count, NaNs, infinities */
static int f_stats(lua_State *L)
{
    Stats s;
    ref_stats(&s, check_tensor(L, 1));
    lua_pushnumber(L, s.min);
    lua_pushnumber(L, s.max);
    lua_pushnumber(L, s.sum);
    lua_pushinteger(L, s.n);
    lua_pushinteger(L, s.nan);
    lua_pushinteger(L, s.inf);
    return 6;
}

/* Products, norms, attention ------------------------------------------- */

/* matmul(out, a, b): [b, m, n], [b, m, k], [b, k, n] */
static int f_matmul(lua_State *L)
{
    Tensor *out = check_tensor(L, 1);
    const Tensor *a = check_tensor(L, 2), *b = check_tensor(L, 3);
    lref_need(L, SHAPED(a, 3, -1, -1, -1) && SHAPED(b, 3, a->shape[0], a->shape[2], -1) &&
             SHAPED(out, 3, a->shape[0], a->shape[1], b->shape[2]), "matmul");
    lref_memory(L, ref_matmul(out, a, b));
    lua_settop(L, 1);
    return 1;
}

/* An axis of x at index i, already counted from 0. */
static int get_axis(lua_State *L, int i, const Tensor *x, const char *op)
{
    lua_Integer axis = luaL_checkinteger(L, i);
    lref_need(L, axis >= 0 && axis < x->ndim, op);
    return (int)axis;
}

/* softmax(out, x, axis, logarithm) */
static int f_softmax(lua_State *L)
{
    Tensor *out = check_tensor(L, 1);
    const Tensor *x = check_tensor(L, 2);
    lref_need(L, tensor_sameshape(out, x), "softmax");
    lref_memory(L, ref_softmax(out, x, get_axis(L, 3, x, "softmax"), lua_toboolean(L, 4)));
    lua_settop(L, 1);
    return 1;
}

/* norm(out, x, weight, bias, eps, centre) */
static int f_norm(lua_State *L)
{
    Tensor *out = check_tensor(L, 1);
    const Tensor *x = check_tensor(L, 2), *w = opt_tensor(L, 3), *b = opt_tensor(L, 4);
    double eps = luaL_checknumber(L, 5);
    lref_need(L, tensor_sameshape(out, x) && x->ndim > 0 &&
             (!w || SHAPED(w, 1, x->shape[x->ndim - 1])) &&
             (!b || SHAPED(b, 1, x->shape[x->ndim - 1])), "norm");
    lref_memory(L, lua_toboolean(L, 6) ? ref_layernorm(out, x, w, b, eps)
                                       : ref_rmsnorm(out, x, w, eps));
    lua_settop(L, 1);
    return 1;
}

/* cumsum(out, x, axis, reverse, exclusive) */
static int f_cumsum(lua_State *L)
{
    Tensor *out = check_tensor(L, 1);
    const Tensor *x = check_tensor(L, 2);
    lref_need(L, tensor_sameshape(out, x), "cumsum");
    lref_memory(L, ref_cumsum(out, x, get_axis(L, 3, x, "cumsum"), lua_toboolean(L, 4),
                              lua_toboolean(L, 5)));
    lua_settop(L, 1);
    return 1;
}

/* topk(values, indices, x, k, largest) */
static int f_topk(lua_State *L)
{
    Tensor *values = check_tensor(L, 1), *index = check_tensor(L, 2);
    const Tensor *x = check_tensor(L, 3);
    lua_Integer k = luaL_checkinteger(L, 4);
    Tensor want = *x;
    if (x->ndim)
        want.shape[x->ndim - 1] = k;
    lref_need(L, x->ndim > 0 && k >= 0 && k <= x->shape[x->ndim - 1] && tensor_compact(values) &&
                  tensor_compact(index) && tensor_sameshape(values, &want) &&
                  tensor_sameshape(index, &want), "topk");
    lref_memory(L, ref_topk(values, index, x, k, lua_toboolean(L, 5)));
    lua_settop(L, 2);
    return 2;
}

/* attention(out, lse or nil, q, k, v, scale, causal) */
static int f_attention(lua_State *L)
{
    Tensor *out = check_tensor(L, 1), *lse = opt_tensor(L, 2);
    const Tensor *q = check_tensor(L, 3), *k = check_tensor(L, 4), *v = check_tensor(L, 5);
    double scale = luaL_checknumber(L, 6);
    bool ok = q->ndim == 4 && SHAPED(k, 4, q->shape[0], -1, -1, q->shape[3]) &&
              SHAPED(v, 4, k->shape[0], k->shape[1], k->shape[2], -1) &&
              SHAPED(out, 4, q->shape[0], q->shape[1], q->shape[2], v->shape[3]) &&
              (!lse || SHAPED(lse, 3, q->shape[0], q->shape[1], q->shape[2])) &&
              k->shape[1] > 0 && q->shape[1] % k->shape[1] == 0;
    lref_need(L, ok, "attention");
    lref_memory(L, ref_attention(out, lse, q, k, v, scale, lua_toboolean(L, 7)));
    lua_settop(L, 1);
    return 1;
}

/* linear_attention(out, state or nil, q, k, v, decay or nil, scale) */
static int f_linear_attention(lua_State *L)
{
    Tensor *out = check_tensor(L, 1), *state = opt_tensor(L, 2);
    const Tensor *q = check_tensor(L, 3), *k = check_tensor(L, 4), *v = check_tensor(L, 5);
    const Tensor *g = opt_tensor(L, 6);
    double scale = luaL_checknumber(L, 7);
    const int64_t *s = q->shape;
    bool ok = q->ndim == 4 && tensor_sameshape(q, k) && SHAPED(v, 4, s[0], s[1], s[2], -1) &&
              tensor_sameshape(out, v) && (!g || SHAPED(g, 3, s[0], s[1], s[2])) &&
              (!state || SHAPED(state, 4, s[0], s[1], s[3], v->shape[3]));
    lref_need(L, ok, "linear_attention");
    lref_memory(L, ref_linear_attention(out, state, q, k, v, g, scale));
    lua_settop(L, 1);
    return 1;
}

/* Convolution ---------------------------------------------------------- */

static int64_t get_field(lua_State *L, int i, const char *name, int k)
{
    lua_getfield(L, i, name);
    lua_geti(L, -1, k + 1);
    int64_t v = luaL_checkinteger(L, -1);
    lua_pop(L, 2);
    return v;
}

/* {stride = {a, b}, padding = {a, b}, dilation = {a, b}, groups = n} */
static Conv get_conv(lua_State *L, int i)
{
    Conv p;
    luaL_checktype(L, i, LUA_TTABLE);
    for (int k = 0; k < 2; k++) {
        p.stride[k] = get_field(L, i, "stride", k);
        p.pad[k] = get_field(L, i, "padding", k);
        p.dilation[k] = get_field(L, i, "dilation", k);
        luaL_argcheck(L, p.stride[k] > 0 && p.dilation[k] > 0 && p.pad[k] >= 0 &&
                      p.stride[k] < 1 << 20 && p.dilation[k] < 1 << 20 && p.pad[k] < 1 << 20,
                      i, "stride and dilation from 1, padding from 0");
    }
    lua_getfield(L, i, "groups");
    p.groups = luaL_optinteger(L, -1, 1);
    lua_pop(L, 1);
    luaL_argcheck(L, p.groups > 0, i, "groups from 1");
    return p;
}

/* Extent of the output along one side. */
static int64_t conv_extent(const Conv *p, int side, int64_t n, int64_t k)
{
    int64_t room = n + 2 * p->pad[side] - p->dilation[side] * (k - 1) - 1;
    return room < 0 ? 0 : room / p->stride[side] + 1;
}

/* conv2d(out, x, filter, bias or nil, options): NCHW */
static int f_conv2d(lua_State *L)
{
    Tensor *out = check_tensor(L, 1);
    const Tensor *x = check_tensor(L, 2), *f = check_tensor(L, 3), *bias = opt_tensor(L, 4);
    Conv p = get_conv(L, 5);
    bool ok = x->ndim == 4 && f->ndim == 4 && x->shape[1] == f->shape[1] * p.groups &&
              f->shape[0] % p.groups == 0 && f->shape[2] > 0 && f->shape[3] > 0 &&
              SHAPED(out, 4, x->shape[0], f->shape[0],
                     conv_extent(&p, 0, x->shape[2], f->shape[2]),
                     conv_extent(&p, 1, x->shape[3], f->shape[3])) &&
              (!bias || SHAPED(bias, 1, f->shape[0]));
    lref_need(L, ok, "conv2d");
    lref_memory(L, ref_conv2d(out, x, f, bias, &p));
    lua_settop(L, 1);
    return 1;
}

/* im2col(out, x, kh, kw, options) */
static int f_im2col(lua_State *L)
{
    Tensor *out = check_tensor(L, 1);
    const Tensor *x = check_tensor(L, 2);
    lua_Integer kh = luaL_checkinteger(L, 3), kw = luaL_checkinteger(L, 4);
    Conv p = get_conv(L, 5);
    lref_need(L, x->ndim == 4 && kh > 0 && kw > 0 && kh < 1 << 20 && kw < 1 << 20 &&
                  SHAPED(out, 3, x->shape[0],
                         conv_extent(&p, 0, x->shape[2], kh) * conv_extent(&p, 1, x->shape[3], kw),
                         kh * kw * x->shape[1]) && tensor_compact(out), "im2col");
    lref_memory(L, ref_im2col(out, x, kh, kw, &p));
    lua_settop(L, 1);
    return 1;
}

/* dequant4(out, packed, scale or nil, group, zero, signed) */
static int f_dequant4(lua_State *L)
{
    Tensor *out = check_tensor(L, 1);
    const Tensor *packed = check_tensor(L, 2), *scale = opt_tensor(L, 3);
    lua_Integer group = luaL_checkinteger(L, 4);
    bool ok = packed->ndim == 2 && SHAPED(out, 2, packed->shape[0], 2 * packed->shape[1]);
    int64_t groups = ok && group > 0 ? (out->shape[1] + group - 1) / group : 1;
    lref_need(L, ok && group >= 0 && (!scale || SHAPED(scale, 2, out->shape[0], groups)),
              "dequantize_int4");
    lref_memory(L, ref_dequant4(out, packed, scale, group, luaL_checknumber(L, 5),
                                lua_toboolean(L, 6)));
    lua_settop(L, 1);
    return 1;
}

/* Comparing ------------------------------------------------------------ */

static void lref_set_number(lua_State *L, const char *name, double v)
{
    lua_pushnumber(L, v);
    lua_setfield(L, -2, name);
}

static void set_list(lua_State *L, const char *name, const int64_t *v, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushinteger(L, v[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

/* compare(got, want, rtol, atol) -> a table with the fields of Compare; the
 * map is one text, lines indented by six */
static int f_compare(lua_State *L)
{
    static const char *const pattern[] = {
        [Pnone] = "none", [Pzeros] = "zeros", [Ptransposed] = "transposed",
        [Pscaled] = "scaled", [Plastcol] = "lastcol", [Plastrow] = "lastrow",
        [Pfirstblock] = "firstblock", [Peveryrow] = "everyrow", [Peverycol] = "everycol",
        [Ptailrow] = "tailrow", [Ptailcol] = "tailcol",
    };
    const Tensor *a = check_tensor(L, 1), *b = check_tensor(L, 2);
    lref_need(L, tensor_sameshape(a, b), "compare");
    Compare c;
    lref_memory(L, compare(&c, a, b, luaL_checknumber(L, 3), luaL_checknumber(L, 4)));
    lua_newtable(L);
    field_integer(L, "count", c.count);
    field_integer(L, "bad", c.bad);
    field_integer(L, "nan", c.nan);
    set_list(L, "first", c.first, a->ndim);
    lref_set_number(L, "got", c.got);
    lref_set_number(L, "want", c.want);
    lref_set_number(L, "maxabs", c.maxabs);
    lref_set_number(L, "maxrel", c.maxrel);
    set_list(L, "abs_at", c.abs_at, a->ndim);
    set_list(L, "rel_at", c.rel_at, a->ndim);
    field_integer(L, "cell_rows", c.cell_rows);
    field_integer(L, "cell_cols", c.cell_cols);
    set_list(L, "p", c.p, 3);
    lref_set_number(L, "factor", c.factor);
    lua_pushstring(L, pattern[c.pattern]);
    lua_setfield(L, -2, "pattern");
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = 0; i < c.map_rows; i++) {
        luaL_addstring(&text, i ? "\n      " : "      ");
        luaL_addlstring(&text, c.map[i], (size_t)c.map_cols);
    }
    luaL_pushresult(&text);
    lua_setfield(L, -2, "map");
    return 1;
}

/* Numbers as text ------------------------------------------------------ */

/* Significant digits that every number of a type needs to be told apart, and
 * how many any decimal of it keeps. */
static void lref_digits(enum Dtype dt, int *least, int *most)
{
    double bits = 1 - log2(dtype_eps(dt));
    *least = (int)floor((bits - 1) * 0.30103);
    *most = (int)ceil(1 + bits * 0.30103);
    if (*least < 1)
        *least = 1;
}

/* The shortest decimal that reads back as v in dtype dt, in C's %e form. */
static void shortest(char *buf, size_t n, enum Dtype dt, double v)
{
    int least, most;
    lref_digits(dt, &least, &most);
    if (dtype_round(dt, v * dtype_eps(dt) / 2) == 0)
        least = 1; /* subnormal: fewer digits may do */
    for (int p = least; p <= most; p++) {
        snprintf(buf, n, "%.*e", p - 1, v);
        if (dtype_round(dt, strtod(buf, NULL)) == v)
            return;
    }
}

/* Removes zeros at the end of a fraction: "1.500" -> "1.5", "2.0" -> "2.";
 * s ends where the fraction does. */
static void lref_trim(char *s)
{
    size_t n = strlen(s);
    while (n && s[n - 1] == '0')
        s[--n] = '\0';
}

/* decimal(v, dtype, scientific, precision) -> text: as NumPy writes one
 * element: shortest digits, at most `precision` of them after the point.
 * In the scientific form the exponent is returned apart. */
static int f_decimal(lua_State *L)
{
    double v = luaL_checknumber(L, 1);
    enum Dtype dt = arg_dtype(L, 2);
    dt = dtype_isfloat(dt) ? dt : DTf64;
    int precision = (int)luaL_checkinteger(L, 4);
    char buf[400], fixed[400];
    luaL_argcheck(L, precision >= 0 && precision <= 30, 4, "0 to 30");
    if (v != v || fabs(v) > 1.7976931348623157e308) {
        lua_pushstring(L, v != v ? "nan" : v > 0 ? "inf" : "-inf");
        return 1;
    }
    if (dtypeinfo[dt].bits == 8) /* so few that all digits are short */
        dt = DTf32;
    shortest(buf, sizeof buf, dt, v);
    char *e = strchr(buf, 'e');
    int exponent = (int)strtol(e + 1, NULL, 10);
    int places = (int)(e - buf) - 1 - (buf[0] == '-') - (strchr(buf, '.') != NULL);
    if (lua_toboolean(L, 3)) {
        if (places > precision) {
            snprintf(buf, sizeof buf, "%.*e", precision, v);
            e = strchr(buf, 'e');
            exponent = (int)strtol(e + 1, NULL, 10);
        }
        *e = '\0';
        if (strchr(buf, '.'))
            lref_trim(buf);
        else
            strcat(buf, ".");
        lua_pushstring(L, buf);
        lua_pushinteger(L, exponent);
        return 2;
    }
    int fraction = places - exponent < 0 ? 0 : places - exponent;
    /* the shortest digits, not those of the binary value behind them */
    double exact = fraction <= precision ? strtod(buf, NULL) : v;
    snprintf(fixed, sizeof fixed, "%.*f", fraction < precision ? fraction : precision, exact);
    if (strchr(fixed, '.'))
        lref_trim(fixed);
    else
        strcat(fixed, ".");
    lua_pushstring(L, fixed);
    return 1;
}

/* dtype(name) -> canonical name, bits, class "B" "I" "U" "F", min, max, eps */
static int f_lref_dtype(lua_State *L)
{
    enum Dtype dt = arg_dtype(L, 1);
    char cls[2] = {dtypeinfo[dt].cls, '\0'};
    lua_pushstring(L, dtypeinfo[dt].name);
    lua_pushinteger(L, dtypeinfo[dt].bits);
    lua_pushstring(L, cls);
    lua_pushnumber(L, dtype_min(dt));
    lua_pushnumber(L, dtype_max(dt));
    lua_pushnumber(L, dtype_eps(dt));
    return 6;
}

static const luaL_Reg functions[] = {
    {"unary", f_unary},       {"binary", f_binary},     {"broadcast", f_broadcast},
    {"reduce", f_reduce},     {"total", f_total},       {"stats", f_stats},
    {"matmul", f_matmul},     {"softmax", f_softmax},   {"norm", f_norm},
    {"cumsum", f_cumsum},     {"topk", f_topk},         {"attention", f_attention},
    {"linear_attention", f_linear_attention},           {"conv2d", f_conv2d},
    {"im2col", f_im2col},     {"dequant4", f_dequant4}, {"compare", f_compare},
    {"decimal", f_decimal},   {"dtype", f_lref_dtype},       {NULL, NULL},
};

static const UnseenGuard lref_guards[] = {
    {"unary", 2, 1, 1},   {"binary", 2, 1, 1}, {"reduce", 2, 1, 1},    {"total", 0, 0, 0},
    {"stats", 0, 0, 0},   {"matmul", 1, 1, 1}, {"softmax", 1, 1, 1},   {"norm", 1, 1, 1},
    {"cumsum", 1, 1, 1},  {"topk", 1, 2, 2},   {"attention", 1, 2, 1}, {"conv2d", 1, 1, 1},
    {"im2col", 1, 1, 1},  {"dequant4", 1, 1, 1}, {"compare", 0, 0, 0},
    {"linear_attention", 1, 2, 1}, {NULL, 0, 0, 0},
};

int luaopen_moontile_ref(lua_State *L)
{
    luaL_newlib(L, functions);
    unseen_guard(L, lref_guards);
    return 1;
}
