/* lua/seam/bytes.c: moontile.bytes: tensors as the bytes that they are, from one process to
 * another of the same machine.
 *
 *   bytes.get(t)                        bytes of a compact tensor
 *   bytes.tensor(shape, dtype, s, at)   a tensor of the bytes of s from `at`, from 0; nil:
 *                                        there are not as many as it takes */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "seam.h"

/* Elements of a tensor; far more than there is memory for. */
static const int64_t Most = (int64_t)1 << 48;

static size_t lbytes_bytes_of(const Tensor *t)
{
    return (size_t)tensor_bytes(t->dt, tensor_count(t));
}

static int f_lbytes_get(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    size_t n = lbytes_bytes_of(t);
    luaL_argcheck(L, tensor_compact(t), 1, "not compact");
    luaL_argcheck(L, t->offset * dtypeinfo[t->dt].bits % 8 == 0, 1, "begins within a byte");
    lua_pushlstring(L, n ? storage_read(t->st) + t->offset * dtypeinfo[t->dt].bits / 8 : "", n);
    return 1;
}

static int f_tensor(lua_State *L)
{
    int64_t shape[TensorDims], count = 1;
    int ndim = arg_shape(L, 1, shape);
    enum Dtype dt = arg_dtype(L, 2);
    size_t n;
    const char *s = luaL_checklstring(L, 3, &n);
    lua_Integer at = luaL_checkinteger(L, 4);
    luaL_argcheck(L, at >= 0 && (size_t)at <= n, 4, "behind the end");
    for (int d = 0; d < ndim; d++) {
        if (shape[d] < 0 || (shape[d] && count > Most / shape[d]))
            return 0;
        count *= shape[d];
    }
    if ((size_t)tensor_bytes(dt, count) > n - (size_t)at)
        return 0;
    Tensor *t = new_tensor(L, dt, ndim, shape);
    if (lbytes_bytes_of(t)) {
        tensor_renew(t);
        memcpy(storage_write(t->st), s + at, lbytes_bytes_of(t));
    }
    return 1;
}

static const luaL_Reg functions[] = {{"get", f_lbytes_get}, {"tensor", f_tensor}, {NULL, NULL}};

int luaopen_moontile_bytes(lua_State *L)
{
    luaL_newlib(L, functions);
    return 1;
}
