/* lua/seam/tensor.c: module moontile.tensor: host tensors as Lua objects: making
 * them, their elements, views, copies.  What can be said in Lua is added to
 * the same type by lua/tl/tensor.lua.
 *
 * A tensor is a full userdata that holds a Tensor and owns one reference to
 * its storage.  Memory is counted towards Lua's collector, which sees only
 * the userdata, by a step of its size. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/tensor/storage.h"
#include "tensor.h"
#include "err/host.h"

/* Errors --------------------------------------------------------------- */

typedef struct TensorMessage TensorMessage;
struct TensorMessage {
    lua_State *L;
    Err err;
    const char *arg[DiagArgs];
};

static void add_message(Ctx *c, void *ud)
{
    TensorMessage *m = ud;
    diag(c, m->err, diag_loc(m->L, c), m->arg[0], m->arg[1], m->arg[2], m->arg[3],
         m->arg[4], m->arg[5], NULL);
}

int tensor_fail(lua_State *L, Err e, ...)
{
    TensorMessage m = {.L = L, .err = e};
    va_list ap;
    va_start(ap, e);
    for (int i = 0; i < DiagArgs && (m.arg[i] = va_arg(ap, const char *)) != NULL; i++)
        ;
    va_end(ap);
    Ctx c;
    ctx_init(&c, NULL, 1 << 20);
    ctx_try(&c, add_message, &m);
    bool pushed = diag_push(L, &c, Lerror);
    ctx_free(&c);
    return pushed ? lua_error(L) : luaL_error(L, "out of memory");
}

const char *kindof(lua_State *L, int i)
{
    if (luaL_testudata(L, i, TENSOR_TYPE))
        return "tensor";
    if (luaL_getmetafield(L, i, "__name") == LUA_TSTRING)
        return lua_tostring(L, -1);
    if (lua_isinteger(L, i))
        return "integer";
    return luaL_typename(L, i);
}

/* moontile.base.translations.kind: "integer" -> "an integer", in the user's language */
const char *kind_words(lua_State *L, const char *kind)
{
    api_require(L, "moontile.base.translations");
    lua_getfield(L, -1, "kind");
    lua_pushstring(L, kind);
    lua_call(L, 1, 1);
    return lua_tostring(L, -1);
}

int wrong_arg(lua_State *L, int i, const char *want)
{
    /* of a method, #1 is what stands behind the tensor */
    const char *which = i == 1 ? "self" : lua_pushfstring(L, "#%d", i - 1);
    return tensor_fail(L, E_tensor_arg, which, kind_words(L, want),
                       kind_words(L, kindof(L, i)), NULL);
}

/* A string in quotes, anything else as Lua shows it. */
const char *shown(lua_State *L, int i)
{
    if (lua_type(L, i) == LUA_TSTRING)
        return lua_pushfstring(L, "\"%s\"", lua_tostring(L, i));
    return luaL_tolstring(L, i, NULL);
}

const char *push_shape(lua_State *L, int ndim, const int64_t *shape)
{
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    luaL_addchar(&b, '(');
    for (int d = 0; d < ndim; d++) {
        char num[32];
        snprintf(num, sizeof num, "%s%lld", d ? ", " : "", (long long)shape[d]);
        luaL_addstring(&b, num);
    }
    luaL_addchar(&b, ')');
    luaL_pushresult(&b);
    return lua_tostring(L, -1);
}

/* Arguments ------------------------------------------------------------ */

Tensor *test_tensor(lua_State *L, int i) { return luaL_testudata(L, i, TENSOR_TYPE); }

Tensor *check_tensor(lua_State *L, int i)
{
    Tensor *t = test_tensor(L, i);
    if (!t || !t->st)
        wrong_arg(L, i, "tensor");
    return t;
}

enum Dtype arg_dtype(lua_State *L, int i)
{
    const char *name = luaL_tolstring(L, i, NULL);
    enum Dtype dt = dtypebyname(name);
    if (dt == DTnone)
        tensor_fail(L, E_tensor_dtype, name, NULL);
    lua_pop(L, 1);
    return dt;
}

int wrong_shape(lua_State *L, int i)
{
    if (lua_type(L, i) != LUA_TTABLE)
        return tensor_fail(L, E_tensor_shape, luaL_tolstring(L, i, NULL), NULL);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    luaL_addstring(&b, "{");
    for (lua_Integer k = 1, n = (lua_Integer)lua_rawlen(L, i); k <= n && k <= 9; k++) {
        luaL_addstring(&b, k == 1 ? "" : k == 9 ? ", ..." : ", ");
        if (k == 9)
            break;
        lua_rawgeti(L, i, k);
        luaL_tolstring(L, -1, NULL);
        lua_remove(L, -2);
        luaL_addvalue(&b);
    }
    luaL_addstring(&b, "}");
    luaL_pushresult(&b);
    return tensor_fail(L, E_tensor_shape, lua_tostring(L, -1), NULL);
}

int get_shape(lua_State *L, int i, int64_t *shape, lua_Integer least)
{
    int isint;
    if (lua_type(L, i) != LUA_TTABLE) {
        lua_Integer n = lua_tointegerx(L, i, &isint);
        if (!isint || lua_type(L, i) != LUA_TNUMBER || n < least)
            wrong_shape(L, i);
        shape[0] = n;
        return 1;
    }
    lua_Unsigned n = lua_rawlen(L, i);
    if (n > TensorDims)
        wrong_shape(L, i);
    for (lua_Unsigned k = 0; k < n; k++) {
        bool number = lua_geti(L, i, (lua_Integer)k + 1) == LUA_TNUMBER;
        shape[k] = lua_tointegerx(L, -1, &isint);
        if (!isint || !number || shape[k] < least)
            wrong_shape(L, i);
        lua_pop(L, 1);
    }
    return (int)n;
}

int arg_shape(lua_State *L, int i, int64_t *shape) { return get_shape(L, i, shape, 0); }

const char *valid_range(lua_State *L, int64_t n)
{
    if (n <= 0)
        return lua_pushstring(L, "none");
    return lua_pushfstring(L, "0 .. %I, -%I .. -1", (LUAI_UACINT)(n - 1), (LUAI_UACINT)n);
}

int check_axis(lua_State *L, int i, int ndim, int extra)
{
    int isint;
    lua_Integer d = lua_tointegerx(L, i, &isint), n = ndim + extra;
    if (!isint)
        wrong_arg(L, i, "integer");
    if (d < -n || d >= n) {
        const char *which = lua_pushfstring(L, "%I", (LUAI_UACINT)d);
        const char *have = lua_pushfstring(L, "%d", ndim);
        tensor_fail(L, E_tensor_axis, which, have, valid_range(L, n), NULL);
    }
    return (int)(d < 0 ? d + n : d);
}

/* Making --------------------------------------------------------------- */

Tensor *push_tensor(lua_State *L)
{
    Tensor *t = lua_newuserdatauv(L, sizeof *t, 1);
    *t = (Tensor){0};
    luaL_setmetatable(L, TENSOR_TYPE);
    return t;
}

static int ltensor_no_memory(lua_State *L, enum Dtype dt, int ndim, const int64_t *shape)
{
    double bytes = dtypeinfo[dt].bits / 8.0;
    for (int d = 0; d < ndim; d++)
        bytes *= (double)shape[d];
    char text[40];
    bool giga = bytes >= 1 << 30;
    snprintf(text, sizeof text, "%.4g %s", bytes / (giga ? 1 << 30 : 1 << 20),
             giga ? "GiB" : "MiB");
    return tensor_fail(L, E_tensor_memory, dtypeinfo[dt].name, push_shape(L, ndim, shape),
                       text, NULL);
}

/* Where the bytes stand at which garbage is looked for */
static const char weigh_key;

/* A collection of young objects, Lua's habit, never frees a tensor that was used for a while, and
 * Lua does not know what one weighs: everything is collected each time that storages have grown by
 * half of what is in use, within these bounds. */
static void weigh_garbage(lua_State *L)
{
    static const size_t Least = (size_t)256 << 20, Most = (size_t)2 << 30;
    size_t held = storage_held();
    lua_rawgetp(L, LUA_REGISTRYINDEX, &weigh_key);
    lua_Integer limit = lua_tointeger(L, -1);
    lua_pop(L, 1);
    if (held < Least || (limit && held < (size_t)limit))
        return;
    lua_gc(L, LUA_GCCOLLECT);
    held = storage_held();
    size_t more = held / 2 < Least ? Least : held / 2 > Most ? Most : held / 2;
    lua_pushinteger(L, (lua_Integer)(held + more));
    lua_rawsetp(L, LUA_REGISTRYINDEX, &weigh_key);
}

Tensor *new_tensor(lua_State *L, enum Dtype dt, int ndim, const int64_t *shape)
{
    weigh_garbage(L);
    Tensor *t = push_tensor(L);
    if (!tensor_new(t, dt, ndim, shape)) {
        lua_gc(L, LUA_GCCOLLECT); /* tensors that nothing refers to */
        if (!tensor_new(t, dt, ndim, shape))
            ltensor_no_memory(L, dt, ndim, shape);
    }
    int64_t kib = tensor_bytes(dt, tensor_count(t)) >> 10;
    if (kib > 0)
        lua_gc(L, LUA_GCSTEP, (int)(kib < 1 << 20 ? kib : 1 << 20));
    return t;
}

Tensor *push_view(lua_State *L, const Tensor *t)
{
    Tensor *v = push_tensor(L);
    tensor_view(v, t);
    return v;
}

/* Whom f_cloner() was told of */
static const char cloner_key;

/* cloner(f): f(copy, t) copies large tensors t, or parts of them, on a device; nil: it did not */
static int f_cloner(lua_State *L)
{
    lua_settop(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &cloner_key);
    return 0;
}

/* Has the cloner written t to c?  They may be parts of one storage: then it is not asked. */
static bool cloned(lua_State *L, const Tensor *c, const Tensor *t)
{
    enum { Least = 1 << 16 }; /* elements */
    if (tensor_count(c) < Least || c->st == t->st)
        return false;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &cloner_key) == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    push_view(L, c);
    push_view(L, t);
    lua_call(L, 2, 1);
    bool did = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return did;
}

Tensor *push_clone(lua_State *L, const Tensor *t, enum Dtype dt)
{
    Tensor *c = new_tensor(L, dt, t->ndim, t->shape);
    if (!unseen_hides(L, c, t) && !cloned(L, c, t))
        tensor_copy(c, t);
    return c;
}

/* tensor_copy that says when memory for an overlap is missing */
static void ltensor_copy(lua_State *L, Tensor *dst, const Tensor *src)
{
    if (!unseen_hides(L, dst, src) && !cloned(L, dst, src) && !tensor_copy(dst, src))
        ltensor_no_memory(L, src->dt, src->ndim, src->shape);
}

/* Elements ------------------------------------------------------------- */

void push_element(lua_State *L, const Tensor *t, int64_t at)
{
    unseen_refuse(L, t);
    const void *p = storage_read(t->st);
    switch (dtypeinfo[t->dt].cls) {
    case 'F': lua_pushnumber(L, dtype_load(t->dt, p, at)); break;
    case 'B': lua_pushboolean(L, dtype_loadi(t->dt, p, at) != 0); break;
    default:  lua_pushinteger(L, dtype_loadi(t->dt, p, at)); break;
    }
}

bool isscalar(lua_State *L, int i)
{
    return lua_type(L, i) == LUA_TNUMBER || lua_isboolean(L, i);
}

/* The least and the greatest value of an integer dtype, as text. */
static void range_text(lua_State *L, enum Dtype dt, const char **lo, const char **hi)
{
    int bits = dtypeinfo[dt].bits;
    uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    char num[32];
    bool sign = dtypeinfo[dt].cls == 'I';
    snprintf(num, sizeof num, "%llu", (unsigned long long)(sign ? all >> 1 : all));
    *hi = lua_pushstring(L, num);
    snprintf(num, sizeof num, "%lld", sign ? -(long long)(all >> 1) - 1 : 0LL);
    *lo = lua_pushstring(L, num);
}

/* Floats are cut towards 0, as by a cast.  Of 64 bits without a sign, Lua's integers from 2^63 on
 * are negative. */
static bool fits(lua_State *L, enum Dtype dt, int i)
{
    int bits = dtypeinfo[dt].bits;
    bool sign = dtypeinfo[dt].cls == 'I';
    if (lua_isboolean(L, i) || (bits == 64 && lua_isinteger(L, i)))
        return true;
    if (!lua_isinteger(L, i)) {
        double v = trunc(lua_tonumber(L, i)), end = ldexp(1, sign ? bits - 1 : bits);
        return v >= (sign ? -end : 0) && v < end; /* false for NaN */
    }
    int64_t v = lua_tointeger(L, i), end = INT64_C(1) << (sign ? bits - 1 : bits);
    return v >= (sign ? -end : 0) && v < end;
}

void check_range(lua_State *L, enum Dtype dt, int i)
{
    if (!dtype_isint(dt) || fits(L, dt, i))
        return;
    const char *lo, *hi;
    range_text(L, dt, &lo, &hi);
    tensor_fail(L, E_tensor_range, shown(L, i), dtypeinfo[dt].name, lo, hi, NULL);
}

void store_element(lua_State *L, Tensor *t, int64_t at, int i)
{
    check_range(L, t->dt, i);
    if (lua_isboolean(L, i))
        dtype_storei(t->dt, storage_write(t->st), at, lua_toboolean(L, i));
    else if (lua_isinteger(L, i))
        dtype_storei(t->dt, storage_write(t->st), at, lua_tointeger(L, i));
    else if (lua_type(L, i) == LUA_TNUMBER)
        dtype_store(t->dt, storage_write(t->st), at, lua_tonumber(L, i));
    else
        tensor_fail(L, E_tensor_value, shown(L, i), NULL);
}

void fill_tensor(lua_State *L, Tensor *t, int i)
{
    check_range(L, t->dt, i);
    if (unseen_hides(L, t, NULL))
        return;
    if (lua_isboolean(L, i))
        tensor_filli(t, lua_toboolean(L, i));
    else if (lua_isinteger(L, i))
        tensor_filli(t, lua_tointeger(L, i));
    else if (lua_type(L, i) == LUA_TNUMBER)
        tensor_fill(t, lua_tonumber(L, i));
    else
        tensor_fail(L, E_tensor_value, shown(L, i), NULL);
}

/* Shapes as tables ------------------------------------------------------- */

#define SHAPE_TYPE "moontile.shape"

static int f_shape_text(lua_State *L)
{
    luaL_Buffer b;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Unsigned n = lua_rawlen(L, 1);
    luaL_buffinit(L, &b);
    luaL_addchar(&b, '{');
    for (lua_Unsigned d = 1; d <= n; d++) {
        if (d > 1)
            luaL_addstring(&b, ", ");
        lua_rawgeti(L, 1, (lua_Integer)d);
        luaL_tolstring(L, -1, NULL);
        lua_remove(L, -2);
        luaL_addvalue(&b);
    }
    luaL_addchar(&b, '}');
    luaL_pushresult(&b);
    return 1;
}

void shape_prints(lua_State *L)
{
    if (luaL_newmetatable(L, SHAPE_TYPE)) {
        lua_pushcfunction(L, f_shape_text);
        lua_setfield(L, -2, "__tostring");
        lua_pushliteral(L, "table");
        lua_setfield(L, -2, "__name");
    }
    lua_setmetatable(L, -2);
}

/* isplain(v): is it a table of names or values, and no object? */
static int f_isplain(lua_State *L)
{
    bool is = lua_istable(L, 1);
    if (is && lua_getmetatable(L, 1)) {
        luaL_getmetatable(L, SHAPE_TYPE);
        is = lua_rawequal(L, -1, -2);
    }
    lua_pushboolean(L, is);
    return 1;
}

static void push_shapetable(lua_State *L, int ndim, const int64_t *v)
{
    lua_createtable(L, ndim, 0);
    for (int d = 0; d < ndim; d++) {
        lua_pushinteger(L, v[d]);
        lua_rawseti(L, -2, d + 1);
    }
    shape_prints(L);
}

/* t.name: the properties; false: none of that name */
static bool push_property(lua_State *L, const Tensor *t, const char *k)
{
    if (strcmp(k, "shape") == 0) {
        push_shapetable(L, t->ndim, t->shape);
    } else if (strcmp(k, "dtype") == 0) {
        lua_pushstring(L, dtypeinfo[t->dt].name);
    } else if (strcmp(k, "ndim") == 0) {
        lua_pushinteger(L, t->ndim);
    } else if (strcmp(k, "strides") == 0) {
        push_shapetable(L, t->ndim, t->stride);
    } else if (strcmp(k, "T") == 0) {
        Tensor *v = push_view(L, t);
        int p[TensorDims];
        for (int d = 0; d < v->ndim; d++)
            p[d] = v->ndim - 1 - d;
        tensor_permute(v, p);
    } else if (strcmp(k, "mT") == 0 && t->ndim > 1) {
        Tensor *v = push_view(L, t);
        int last = v->ndim - 1;
        v->shape[last] = t->shape[last - 1], v->stride[last] = t->stride[last - 1];
        v->shape[last - 1] = t->shape[last], v->stride[last - 1] = t->stride[last];
    } else {
        return false;
    }
    return true;
}

/* t[key]; upvalue 1: the table of methods */
static int f_ltensor_index(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    if (lua_type(L, 2) == LUA_TSTRING) {
        if (!push_property(L, t, lua_tostring(L, 2))) {
            lua_pushvalue(L, 2);
            lua_gettable(L, lua_upvalueindex(1));
        }
        return 1;
    }
    index_read(L, t, 2, true);
    return 1;
}

/* Copies the tensor at stack index i into dst, expanded to its shape. */
void assign_tensor(lua_State *L, Tensor *dst, int i)
{
    Tensor src = *check_tensor(L, i);
    if (!tensor_expand(&src, dst->ndim, dst->shape)) {
        const Tensor *s = check_tensor(L, i);
        const char *a = push_shape(L, dst->ndim, dst->shape);
        tensor_fail(L, E_tensor_broadcast, a, push_shape(L, s->ndim, s->shape), NULL);
    }
    ltensor_copy(L, dst, &src);
}

/* t[key] = number, boolean or tensor */
static int f_newindex(lua_State *L)
{
    Tensor *t = check_tensor(L, 1);
    if (lua_type(L, 2) == LUA_TSTRING)
        tensor_fail(L, E_tensor_kind, shown(L, 2), NULL);
    index_write(L, t, 2, 3, PutSet);
    return 0;
}

static int f_len(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    lua_pushinteger(L, t->ndim ? t->shape[0] : 0);
    return 1;
}

static int f_ltensor_gc(lua_State *L)
{
    tensor_free(luaL_checkudata(L, 1, TENSOR_TYPE));
    return 0;
}

/* t:item(i, j, ...); without indices the one element of a tensor that has one */
static int f_item(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    int n = lua_gettop(L) - 1;
    Tensor v = *t;
    if (n > t->ndim)
        too_many(L, t, n);
    if (n == 0 && tensor_count(t) == 1)
        v.ndim = 0;
    for (int k = 0; k < n; k++)
        if (index_one(L, &v, 0, k, k + 2))
            wrong_arg(L, k + 2, "integer");
    if (v.ndim) {
        const char *shape = push_shape(L, v.ndim, v.shape);
        const char *count = lua_pushfstring(L, "%I", (LUAI_UACINT)tensor_count(&v));
        tensor_fail(L, E_tensor_item, shape, count, NULL);
    }
    push_element(L, &v, v.offset);
    return 1;
}

/* t:fill_(x): every element; returns t */
static int f_fill(lua_State *L)
{
    fill_tensor(L, check_tensor(L, 1), 2);
    lua_settop(L, 1);
    return 1;
}

/* t:copy_(src): t becomes src, converted and broadcast; returns t */
static int f_assign(lua_State *L)
{
    assign_tensor(L, check_tensor(L, 1), 2);
    lua_settop(L, 1);
    return 1;
}

static void push_nested(lua_State *L, const Tensor *t, int dim, int64_t at)
{
    if (dim == t->ndim) {
        push_element(L, t, at);
        return;
    }
    luaL_checkstack(L, 3, "tensor:totable");
    int64_t n = t->shape[dim];
    lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
    for (int64_t i = 0; i < n; i++) {
        push_nested(L, t, dim + 1, at + i * t->stride[dim]);
        lua_rawseti(L, -2, i + 1);
    }
}

static int f_totable(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    unseen_refuse(L, t);
    push_nested(L, t, 0, t->offset);
    return 1;
}

/* equal(a, b): the same shape, dtype and values */
static int f_equal(lua_State *L)
{
    const Tensor *a = check_tensor(L, 1), *b = check_tensor(L, 2);
    unseen_refuse(L, a);
    unseen_refuse(L, b);
    lua_pushboolean(L, tensor_equal(a, b));
    return 1;
}

static int f_istensor(lua_State *L)
{
    lua_pushboolean(L, test_tensor(L, 1) != NULL);
    return 1;
}

static const luaL_Reg methods[] = {
    {"item", f_item},       {"fill_", f_fill}, {"copy_", f_assign},
    {"totable", f_totable}, {"equal", f_equal}, {NULL, NULL},
};

static const luaL_Reg meta[] = {
    {"__newindex", f_newindex}, {"__len", f_len}, {"__gc", f_ltensor_gc}, {NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"equal", f_equal}, {"istensor", f_istensor}, {"isplain", f_isplain}, {"cloner", f_cloner},
    {NULL, NULL},
};

/* The module's `methods` and `meta` are there for lua/tl/tensor.lua to extend;
 * the random functions share one generator. */
int luaopen_moontile_tensor(lua_State *L)
{
    luaL_newlib(L, functions);
    luaL_setfuncs(L, tensor_makers, 0);
    luaL_setfuncs(L, tensor_unseen, 0);
    Rng *r = lua_newuserdatauv(L, sizeof *r, 0);
    *r = (Rng){0, 0};
    luaL_setfuncs(L, tensor_randoms, 1);
    luaL_newmetatable(L, TENSOR_TYPE);
    luaL_setfuncs(L, meta, 0);
    luaL_newlib(L, methods);
    luaL_setfuncs(L, tensor_views, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -4, "methods");
    lua_pushcclosure(L, f_ltensor_index, 1);
    lua_setfield(L, -2, "__index");
    lua_setfield(L, -2, "meta");
    return 1;
}
