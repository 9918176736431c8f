/* lua/seam/tensor_view.c: methods of tensors that give a view or a copy. */
#include <lauxlib.h>
#include <lua.h>

#include "tensor.h"
#include "err/host.h"

static int f_copy(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    push_clone(L, t, t->dt);
    return 1;
}

/* t:astype(dtype): t itself when it has that dtype */
static int f_ltensor_view_astype(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    enum Dtype dt = arg_dtype(L, 2);
    if (dt == t->dt)
        lua_settop(L, 1);
    else
        push_clone(L, t, dt);
    return 1;
}

static int f_contiguous(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    if (tensor_compact(t))
        lua_settop(L, 1);
    else
        push_clone(L, t, t->dt);
    return 1;
}

static int f_is_contiguous(lua_State *L)
{
    lua_pushboolean(L, tensor_compact(check_tensor(L, 1)));
    return 1;
}

/* Shape from index 2 on: a table, or numbers one by one; one extent may be
 * -1 and is computed. */
static int new_shape(lua_State *L, const Tensor *t, int64_t *shape)
{
    int n = lua_gettop(L) - 1;
    if (n != 1) {
        if (n > TensorDims)
            too_many(L, t, n);
        lua_createtable(L, n, 0);
        for (int k = 0; k < n; k++) {
            lua_pushvalue(L, k + 2);
            lua_rawseti(L, -2, k + 1);
        }
        lua_replace(L, 2);
    }
    n = get_shape(L, 2, shape, -1);
    int64_t known = 1, count = tensor_count(t);
    int open = -1, nopen = 0;
    for (int d = 0; d < n; d++) {
        if (shape[d] == -1) {
            open = d;
            nopen++;
        } else if (shape[d] && known > INT64_MAX / 2 / shape[d]) {
            wrong_shape(L, 2);
        } else {
            known *= shape[d];
        }
    }
    if (nopen > 1 || (nopen == 1 && known == 0))
        wrong_shape(L, 2);
    if (nopen == 1) {
        shape[open] = count / known;
        known *= shape[open];
    }
    if (known != count) {
        if (nopen)
            shape[open] = -1;
        const char *a = push_shape(L, t->ndim, t->shape), *b = push_shape(L, n, shape);
        const char *na = lua_pushfstring(L, "%I", (LUAI_UACINT)count);
        const char *nb = nopen ? "?" : lua_pushfstring(L, "%I", (LUAI_UACINT)known);
        tensor_fail(L, E_tensor_reshape, a, na, b, nb, NULL);
    }
    return n;
}

/* t:reshape(shape): a view where that is possible, else a copy */
static int f_reshape(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    int64_t shape[TensorDims];
    int n = new_shape(L, t, shape);
    Tensor *v = push_view(L, t);
    if (!tensor_reshape(v, n, shape))
        tensor_reshape(push_clone(L, t, t->dt), n, shape);
    return 1;
}

static int f_ltensor_view(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    int64_t shape[TensorDims];
    int n = new_shape(L, t, shape);
    Tensor *v = push_view(L, t);
    if (!tensor_reshape(v, n, shape)) {
        const char *a = push_shape(L, t->ndim, t->shape);
        const char *s = push_shape(L, t->ndim, t->stride);
        tensor_fail(L, E_tensor_view, a, s, push_shape(L, n, shape), NULL);
    }
    return 1;
}

static void ltensor_view_transpose(Tensor *v, int a, int b)
{
    int p[TensorDims];
    for (int d = 0; d < v->ndim; d++)
        p[d] = d == a ? b : d == b ? a : d;
    tensor_permute(v, p);
}

/* t:transpose(a, b); without arguments the last two */
static int f_transpose(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    if (lua_gettop(L) == 1) {
        lua_pushinteger(L, -2);
        lua_pushinteger(L, -1);
    }
    int a = check_axis(L, 2, t->ndim, 0), b = check_axis(L, 3, t->ndim, 0);
    ltensor_view_transpose(push_view(L, t), a, b);
    return 1;
}

/* t:permute{2, 0, 1} or t:permute(2, 0, 1): dimensions counted from 0 */
static int f_permute(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    int p[TensorDims] = {0}, n = lua_gettop(L) - 1, seen = 0;
    if (n == 1 && lua_istable(L, 2)) {
        n = (int)lua_rawlen(L, 2);
        luaL_checkstack(L, n, "tensor:permute");
        for (int k = 0; k < n; k++)
            lua_rawgeti(L, 2, k + 1);
        lua_remove(L, 2);
    }
    if (n != t->ndim)
        too_many(L, t, n);
    for (int k = 0; k < n; k++) {
        p[k] = check_axis(L, k + 2, n, 0);
        if (seen & 1 << p[k])
            wrong_arg(L, k + 2, "a dimension that was not given before");
        seen |= 1 << p[k];
    }
    tensor_permute(push_view(L, t), p);
    return 1;
}

static int f_unsqueeze(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    int dim = check_axis(L, 2, t->ndim, 1);
    if (t->ndim == TensorDims)
        too_many(L, t, TensorDims + 1);
    tensor_unsqueeze(push_view(L, t), dim);
    return 1;
}

/* t:squeeze([dim]): without dim, every dimension of 1 */
static int f_squeeze(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    int only = lua_isnoneornil(L, 2) ? -1 : check_axis(L, 2, t->ndim, 0);
    Tensor *v = push_view(L, t);
    for (int d = t->ndim - 1; d >= 0; d--)
        if (t->shape[d] == 1 && (only < 0 || only == d))
            tensor_select(v, d, 0);
    return 1;
}

/* t:expand(shape): dimensions of 1 repeated without a copy */
static int f_expand(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    int64_t shape[TensorDims];
    int n = arg_shape(L, 2, shape);
    Tensor *v = push_view(L, t);
    if (!tensor_expand(v, n, shape)) {
        const char *a = push_shape(L, t->ndim, t->shape);
        tensor_fail(L, E_tensor_broadcast, a, push_shape(L, n, shape), NULL);
    }
    int64_t count = 1;
    for (int d = 0; d < n; d++) { /* no more than a tensor may have: it may become one */
        if (shape[d] > INT64_MAX / 2 / count)
            new_tensor(L, t->dt, n, shape); /* raises */
        count *= shape[d] ? shape[d] : 1;
    }
    return 1;
}

/* t:stepped(dim, n): every n-th of a dimension, from the middle of each n */
static int f_stepped(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    int d = check_axis(L, 2, t->ndim, 0);
    lua_Integer step = luaL_checkinteger(L, 3);
    if (step < 1 || step > (t->shape[d] > 1 ? t->shape[d] : 1))
        wrong_arg(L, 3, "a step within the dimension");
    Tensor *v = push_view(L, t);
    v->shape[d] /= step;
    v->offset += step / 2 * v->stride[d];
    v->stride[d] *= step;
    return 1;
}

static int f_numel(lua_State *L)
{
    lua_pushinteger(L, tensor_count(check_tensor(L, 1)));
    return 1;
}

static int f_nbytes(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    lua_pushinteger(L, tensor_bytes(t->dt, tensor_count(t)));
    return 1;
}

const luaL_Reg tensor_views[] = {
    {"copy", f_copy},
    {"clone", f_copy},
    {"astype", f_ltensor_view_astype},
    {"contiguous", f_contiguous},
    {"is_contiguous", f_is_contiguous},
    {"reshape", f_reshape},
    {"view", f_ltensor_view},
    {"transpose", f_transpose},
    {"permute", f_permute},
    {"unsqueeze", f_unsqueeze},
    {"squeeze", f_squeeze},
    {"expand", f_expand},
    {"stepped", f_stepped},
    {"numel", f_numel},
    {"nbytes", f_nbytes},
    {NULL, NULL},
};
