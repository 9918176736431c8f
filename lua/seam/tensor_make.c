/* lua/seam/tensor_make.c: functions of moontile.tensor that make tensors: from
 * shapes, ranges, nested tables and random numbers. */
#include <math.h>

#include <lauxlib.h>
#include <lua.h>

#include "tensor.h"
#include "err/host.h"

/* What stands in a table: 'B', 'I' or 'F', whichever holds all seen so far. */
static char ltensor_make_widest(char a, char b)
{
    return a == 'F' || b == 'F' ? 'F' : a > b ? a : b;
}

/* The shape along first entries. */
static int infer_shape(lua_State *L, int i, int64_t *shape)
{
    int n = 0;
    luaL_checkstack(L, 2 * TensorDims, "tensor");
    lua_pushvalue(L, i);
    while (lua_type(L, -1) == LUA_TTABLE) {
        if (n == TensorDims)
            wrong_arg(L, i, "at most 8 tables deep");
        shape[n++] = (int64_t)lua_rawlen(L, -1);
        lua_rawgeti(L, -1, 1);
        if (lua_isnil(L, -1))
            break;
    }
    return n;
}

static void ltensor_make_ragged(lua_State *L, int64_t k, const char *have, int64_t n)
{
    const char *which = lua_pushfstring(L, "%I", (LUAI_UACINT)k);
    const char *want = n < 0 ? lua_pushstring(L, "a number")
                             : lua_pushfstring(L, "%I", (LUAI_UACINT)n);
    tensor_fail(L, E_tensor_ragged, which, have, want, NULL);
}

/* Checks the value on the top against shape[dim ...] and returns its class. */
static char ltensor_make_classify(lua_State *L, int dim, int ndim, const int64_t *shape, int64_t k)
{
    char cls = 'B';
    bool table = lua_type(L, -1) == LUA_TTABLE;
    if (dim == ndim) {
        if (table)
            ltensor_make_ragged(L, k, "a table", -1);
        if (!isscalar(L, lua_gettop(L)))
            tensor_fail(L, E_tensor_value, shown(L, -1), NULL);
        return lua_isboolean(L, -1) ? 'B' : lua_isinteger(L, -1) ? 'I' : 'F';
    }
    if (!table)
        ltensor_make_ragged(L, k, kindof(L, lua_gettop(L)), shape[dim]);
    if ((int64_t)lua_rawlen(L, -1) != shape[dim])
        ltensor_make_ragged(L, k, lua_pushfstring(L, "%I", (LUAI_UACINT)lua_rawlen(L, -1)),
                            shape[dim]);
    for (int64_t i = 0; i < shape[dim]; i++) {
        lua_rawgeti(L, -1, i + 1);
        cls = ltensor_make_widest(cls, ltensor_make_classify(L, dim + 1, ndim, shape, i));
        lua_pop(L, 1);
    }
    return cls;
}

static int64_t store_nested(lua_State *L, Tensor *t, int dim, int64_t at)
{
    if (dim == t->ndim) {
        store_element(L, t, at, lua_gettop(L));
        return at + 1;
    }
    for (int64_t i = 0; i < t->shape[dim]; i++) {
        lua_rawgeti(L, -1, i + 1);
        at = store_nested(L, t, dim + 1, at);
        lua_pop(L, 1);
    }
    return at;
}

/* from_table(t [, dtype]): float32, int64 or bool when no dtype is given, as
 * the elements are; a number makes a tensor of no dimensions */
static int f_from_table(lua_State *L)
{
    int64_t shape[TensorDims];
    luaL_checkany(L, 1);
    lua_settop(L, 2);
    int ndim = infer_shape(L, 1, shape);
    lua_settop(L, 2);
    lua_pushvalue(L, 1);
    char cls = ltensor_make_classify(L, 0, ndim, shape, 0);
    enum Dtype dt = !lua_isnil(L, 2) ? arg_dtype(L, 2)
                    : cls == 'F'     ? DTf32
                    : cls == 'I'     ? DTi64
                                     : DTbool;
    for (int d = 0; d < ndim; d++)
        if (shape[d] == 0 && lua_isnil(L, 2))
            dt = DTf32; /* of no elements at all */
    Tensor *t = new_tensor(L, dt, ndim, shape);
    lua_pushvalue(L, 1);
    store_nested(L, t, 0, 0);
    lua_pop(L, 1);
    return 1;
}

/* new(shape, dtype): zeros */
static int f_new(lua_State *L)
{
    int64_t shape[TensorDims];
    int ndim = arg_shape(L, 1, shape);
    new_tensor(L, arg_dtype(L, 2), ndim, shape);
    return 1;
}

/* arange(start, stop, step, dtype): [start, stop) */
static int f_arange(lua_State *L)
{
    double start = luaL_checknumber(L, 1), step = luaL_checknumber(L, 3);
    double n = ceil((luaL_checknumber(L, 2) - start) / step);
    if (!(step != 0) || !(n < 0x1p46)) /* NaN included */
        tensor_fail(L, E_tensor_arg, "step", kind_words(L, "other than 0"),
                    luaL_tolstring(L, 3, NULL), NULL);
    int64_t count = n > 0 ? (int64_t)n : 0;
    Tensor *t = new_tensor(L, arg_dtype(L, 4), 1, &count);
    bool ints = lua_isinteger(L, 1) && lua_isinteger(L, 3);
    for (int64_t i = 0; i < count; i += count > 1 ? count - 1 : 1) { /* the first, the last */
        if (ints)
            lua_pushinteger(L, lua_tointeger(L, 1) + i * lua_tointeger(L, 3));
        else
            lua_pushnumber(L, start + (double)i * step);
        check_range(L, t->dt, lua_gettop(L));
        lua_pop(L, 1);
    }
    if (unseen_hides(L, t, NULL))
        return 1;
    char *p = storage_write(t->st);
    for (int64_t i = 0; i < count; i++)
        if (ints)
            dtype_storei(t->dt, p, i, lua_tointeger(L, 1) + i * lua_tointeger(L, 3));
        else
            dtype_store(t->dt, p, i, start + (double)i * step);
    return 1;
}

/* Random numbers: the generator is upvalue 1 --------------------------- */

static Rng *generator(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

/* Whether the draw into t is left out; the next one is what it would have been. */
static bool left_out(lua_State *L, Tensor *t)
{
    bool hide = unseen_hides(L, t, NULL);
    if (hide)
        generator(L)->draw++;
    return hide;
}

/* seed(n [, draw]) -> seed and draw before: the next draw is the first of that seed, or
 * its draw-th */
static int f_seed(lua_State *L)
{
    Rng *r = generator(L), old = *r;
    *r = (Rng){(uint64_t)luaL_checkinteger(L, 1), (uint64_t)luaL_optinteger(L, 2, 0)};
    lua_pushinteger(L, (lua_Integer)old.seed);
    lua_pushinteger(L, (lua_Integer)old.draw);
    return 2;
}

/* randn(shape, dtype, mean, sd) */
static int f_randn(lua_State *L)
{
    int64_t shape[TensorDims];
    int n = arg_shape(L, 1, shape);
    double mean = luaL_optnumber(L, 3, 0), sd = luaL_optnumber(L, 4, 1);
    lua_settop(L, 4);
    Tensor *t = new_tensor(L, arg_dtype(L, 2), n, shape);
    if (!left_out(L, t))
        rng_normal(generator(L), t, mean, sd);
    return 1;
}

/* rand(shape, dtype, lo, hi) */
static int f_rand(lua_State *L)
{
    int64_t shape[TensorDims];
    int n = arg_shape(L, 1, shape);
    double lo = luaL_optnumber(L, 3, 0), hi = luaL_optnumber(L, 4, 1);
    lua_settop(L, 4);
    Tensor *t = new_tensor(L, arg_dtype(L, 2), n, shape);
    if (!left_out(L, t))
        rng_uniform(generator(L), t, lo, hi);
    return 1;
}

/* randint(lo, hi, shape, dtype): [lo, hi) */
static int f_randint(lua_State *L)
{
    int64_t shape[TensorDims];
    lua_Integer lo = luaL_checkinteger(L, 1), hi = luaL_checkinteger(L, 2);
    int n = arg_shape(L, 3, shape);
    if (lo >= hi) {
        const char *want = lua_pushfstring(L, "> %I", (LUAI_UACINT)lo);
        tensor_fail(L, E_tensor_arg, "hi", want, luaL_tolstring(L, 2, NULL), NULL);
    }
    enum Dtype dt = arg_dtype(L, 4);
    check_range(L, dt, 1);
    lua_pushinteger(L, hi - 1);
    check_range(L, dt, lua_gettop(L));
    Tensor *t = new_tensor(L, dt, n, shape);
    if (!left_out(L, t))
        rng_int(generator(L), t, lo, hi);
    return 1;
}

const luaL_Reg tensor_makers[] = {
    {"new", f_new},
    {"from_table", f_from_table},
    {"arange", f_arange},
    {NULL, NULL},
};

const luaL_Reg tensor_randoms[] = {
    {"seed", f_seed},
    {"randn", f_randn},
    {"rand", f_rand},
    {"randint", f_randint},
    {NULL, NULL},
};
