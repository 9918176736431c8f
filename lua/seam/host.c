/* lua/seam/host.c: module moontile.host: the operators of core/tensor/op.h for lua/tl/host/.
 *
 * Outputs come first, made by Lua with the shapes and dtypes that it knows; the checks here keep
 * memory safe, those that a user meets are in Lua. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/tensor/op.h"
#include "tensor.h"
#include "err/host.h"
#include "err/hostops.h"

/* Checks --------------------------------------------------------------- */

static void host_need(lua_State *L, bool ok, const char *what)
{
    if (!ok)
        luaL_error(L, "moontile.host.%s: shapes do not agree", what);
}

static int host_done(lua_State *L, bool ok)
{
    if (!ok)
        tensor_fail(L, E_ref_memory, NULL);
    lua_settop(L, 1);
    return 1;
}

static Tensor *host_optional(lua_State *L, int i)
{
    return lua_isnoneornil(L, i) ? NULL : check_tensor(L, i);
}

/* A dimension of x at stack index i, already counted from 0. */
static int host_dim(lua_State *L, int i, const Tensor *x)
{
    lua_Integer d = luaL_checkinteger(L, i);
    host_need(L, d >= 0 && d < x->ndim, "dim");
    return (int)d;
}

static bool host_same(const Tensor *a, const Tensor *b) { return !b || tensor_sameshape(a, b); }

/* Operators ------------------------------------------------------------ */

/* elem(out, name, p, q, r, a [, b [, c]]): integers are computed as such where the operator can */
static int f_host_elem(lua_State *L)
{
    Tensor *out = check_tensor(L, 1), in[RowsTensors - 1];
    const char *name = luaL_checkstring(L, 2);
    double p[3] = {luaL_optnumber(L, 3, 1), luaL_optnumber(L, 4, 0), luaL_optnumber(L, 5, 0)};
    int n = lua_gettop(L) - 5;
    bool ints = !dtype_isfloat(out->dt);
    host_need(L, n >= 1 && n < RowsTensors, name);
    for (int k = 0; k < n; k++) {
        in[k] = *check_tensor(L, 6 + k);
        ints = ints && !dtype_isfloat(in[k].dt);
        host_need(L, tensor_expand(&in[k], out->ndim, out->shape), name);
    }
    int op = ints ? elem_find(name, true) : -1;
    if (op < 0)
        op = elem_find(name, false);
    host_need(L, op >= 0 && elem_inputs(op) == n, name);
    elem_apply(op, out, (const Tensor *[]){&in[0], &in[1], &in[2]}, p);
    return host_done(L, true);
}

/* fold(out, index or nil, name, x, reduced, p) */
static int f_host_fold(lua_State *L)
{
    Tensor *out = check_tensor(L, 1), *index = host_optional(L, 2);
    const char *name = luaL_checkstring(L, 3);
    const Tensor *x = check_tensor(L, 4);
    lua_Integer reduced = luaL_checkinteger(L, 5);
    Tensor kept = *x;
    kept.ndim -= (int)reduced;
    host_need(L, reduced >= 0 && reduced <= x->ndim && tensor_sameshape(out, &kept) &&
                     host_same(out, index), name);
    for (int op = 0; op < NFold; op++)
        if (strcmp(fold_name[op], name) == 0) {
            fold_apply((enum Fold)op, out, index, x, (int)reduced, luaL_optnumber(L, 6, 0));
            return host_done(L, true);
        }
    return luaL_argerror(L, 3, "no such reduction");
}

/* scan(out, index or nil, name, x, dim) */
static int f_host_scan(lua_State *L)
{
    static const char *const names[] = {"sum", "prod", "max", "min", "lse", NULL};
    Tensor *out = check_tensor(L, 1), *index = host_optional(L, 2);
    int op = luaL_checkoption(L, 3, NULL, names);
    const Tensor *x = check_tensor(L, 4);
    host_need(L, tensor_sameshape(out, x) && host_same(x, index), "scan");
    return host_done(L, scan_apply((enum Scan)op, out, index, x, host_dim(L, 5, x)));
}

/* softmax(out, x, dim, logarithm) */
static int f_host_softmax(lua_State *L)
{
    Tensor *out = check_tensor(L, 1);
    const Tensor *x = check_tensor(L, 2);
    host_need(L, tensor_sameshape(out, x), "softmax");
    return host_done(L, softmax_apply(out, x, host_dim(L, 3, x), lua_toboolean(L, 4)));
}

/* norm(out, x, weight, bias, eps, root) */
static int f_host_norm(lua_State *L)
{
    Tensor *out = check_tensor(L, 1);
    const Tensor *x = check_tensor(L, 2), *w = host_optional(L, 3), *b = host_optional(L, 4);
    int64_t n = x->ndim ? x->shape[x->ndim - 1] : 0;
    host_need(L, tensor_sameshape(out, x) && x->ndim && (!w || tensor_count(w) == n) &&
                     (!b || tensor_count(b) == n), "norm");
    return host_done(L, norm_apply(out, x, w, b, luaL_checknumber(L, 5), lua_toboolean(L, 6)));
}

/* sort(values, index, x, dim, falling) */
static int f_host_sort(lua_State *L)
{
    Tensor *values = check_tensor(L, 1), *index = check_tensor(L, 2);
    const Tensor *x = check_tensor(L, 3);
    host_need(L, tensor_sameshape(values, x) && tensor_sameshape(index, x), "sort");
    return host_done(L, sort_apply(values, index, x, host_dim(L, 4, x), lua_toboolean(L, 5)));
}

/* search(out, sorted, x, right) */
static int f_host_search(lua_State *L)
{
    Tensor *out = check_tensor(L, 1);
    const Tensor *s = check_tensor(L, 2), *x = check_tensor(L, 3);
    bool ok = tensor_sameshape(out, x) && s->ndim > 0 && (s->ndim == 1 || s->ndim == x->ndim);
    for (int d = 0; ok && s->ndim > 1 && d < x->ndim - 1; d++)
        ok = s->shape[d] == x->shape[d];
    host_need(L, ok, "search");
    search_apply(out, s, x, lua_toboolean(L, 4));
    return host_done(L, true);
}

/* product(out, a, b): [b, m, n], [b, m, k], [b, k, n] */
static int f_host_product(lua_State *L)
{
    Tensor *out = check_tensor(L, 1);
    const Tensor *a = check_tensor(L, 2), *b = check_tensor(L, 3);
    host_need(L, out->ndim == 3 && a->ndim == 3 && b->ndim == 3 && a->shape[0] == b->shape[0] &&
                     a->shape[2] == b->shape[1] && out->shape[0] == a->shape[0] &&
                     out->shape[1] == a->shape[1] && out->shape[2] == b->shape[2], "product");
    return host_done(L, product_apply(out, a, b));
}

/* Places --------------------------------------------------------------- */

static int host_place(lua_State *L, const char *op, const Tensor *x, int dim, int64_t bad)
{
    const char *which = lua_pushfstring(L, "%I", (LUAI_UACINT)bad);
    const char *d = lua_pushfstring(L, "%d", dim);
    return tensor_fail(L, E_ops_place, op, which, d,
                       lua_pushfstring(L, "%I", (LUAI_UACINT)x->shape[dim]), NULL);
}

/* Every extent of index but that of dim is at most x's. */
static bool host_covers(const Tensor *x, const Tensor *index, int dim)
{
    bool ok = x->ndim == index->ndim && !dtype_isfloat(index->dt);
    for (int d = 0; ok && d < x->ndim; d++)
        ok = d == dim || index->shape[d] <= x->shape[d];
    return ok;
}

/* gather(out, x, dim, index) */
static int f_host_gather(lua_State *L)
{
    Tensor *out = check_tensor(L, 1);
    const Tensor *x = check_tensor(L, 2), *index = check_tensor(L, 4);
    int dim = host_dim(L, 3, x);
    int64_t bad;
    host_need(L, host_covers(x, index, dim) && tensor_sameshape(out, index) && out->dt == x->dt,
              "gather");
    if (!gather_apply(out, x, dim, index, &bad))
        return host_place(L, "gather", x, dim, bad);
    return host_done(L, true);
}

static const char *const put_names[] = {"set", "add", "mul", "max", "min", NULL};

/* scatter(x, how, dim, index, src): x is changed */
static int f_host_scatter(lua_State *L)
{
    Tensor *x = check_tensor(L, 1);
    int how = luaL_checkoption(L, 2, NULL, put_names), dim = host_dim(L, 3, x);
    const Tensor *index = check_tensor(L, 4), *src = check_tensor(L, 5);
    int64_t bad;
    host_need(L, host_covers(x, index, dim) && tensor_sameshape(index, src) &&
                     (dtype_isfloat(x->dt) || !dtype_isfloat(src->dt)), "scatter");
    if (!scatter_apply((enum Put)how, x, dim, index, src, &bad))
        return host_place(L, "scatter", x, dim, bad);
    return host_done(L, true);
}

/* nonzero(x) -> [n, x.ndim] */
static int f_host_nonzero(lua_State *L)
{
    const Tensor *x = check_tensor(L, 1);
    Tensor *t = push_tensor(L);
    if (!nonzero_apply(t, x))
        tensor_fail(L, E_ref_memory, NULL);
    return 1;
}

/* at(t, key) -> a tensor, also where t[key] is a number */
static int f_host_at(lua_State *L)
{
    index_read(L, check_tensor(L, 1), 2, false);
    return 1;
}

/* put(t, key, value, how): t[key] takes in value */
static int f_host_put(lua_State *L)
{
    Tensor *t = check_tensor(L, 1);
    index_write(L, t, 2, 3, (enum Put)luaL_checkoption(L, 4, "set", put_names));
    lua_settop(L, 1);
    return 1;
}

/* Views ---------------------------------------------------------------- */

/* strided(t, shape, strides, offset): another view of t's storage */
static int f_host_strided(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    int64_t shape[TensorDims], stride[TensorDims];
    int n = arg_shape(L, 2, shape), m = arg_shape(L, 3, stride);
    lua_Integer offset = luaL_optinteger(L, 4, t->offset);
    int64_t last = offset, all = (int64_t)(t->st->bytes * 8) / dtypeinfo[t->dt].bits;
    bool ok = n == m && offset >= 0, empty = false;
    for (int d = 0; ok && d < n; d++) {
        empty |= shape[d] == 0;
        ok = stride[d] == 0 || shape[d] < 2 || stride[d] <= all / (shape[d] - 1);
        last += ok && shape[d] > 1 ? (shape[d] - 1) * stride[d] : 0;
        ok = ok && last <= all;
    }
    if (!ok || (!empty && last >= all)) {
        const char *s = push_shape(L, n, shape), *size = lua_pushfstring(L, "%I", (LUAI_UACINT)all);
        tensor_fail(L, E_ops_arg, "as_strided", "stride",
                    lua_pushfstring(L, "%s %s", kind_words(L, "within elements of the tensor:"), size),
                    lua_pushfstring(L, "%s, %s, %I", s, push_shape(L, m, stride),
                                    (LUAI_UACINT)offset), NULL);
    }
    Tensor *v = push_view(L, t);
    v->ndim = n;
    v->offset = offset;
    memcpy(v->shape, shape, sizeof shape);
    memcpy(v->stride, stride, sizeof stride);
    return 1;
}

/* flip(t, dims): a copy with these dimensions, counted from 0, in reverse */
static int f_host_flip(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    int64_t dim[TensorDims];
    int n = arg_shape(L, 2, dim);
    Tensor v = *t;
    for (int k = 0; k < n; k++) {
        host_need(L, dim[k] < t->ndim, "flip");
        v.offset += (v.shape[dim[k]] - 1) * v.stride[dim[k]];
        v.stride[dim[k]] = -v.stride[dim[k]];
    }
    push_clone(L, tensor_count(t) ? &v : t, t->dt);
    return 1;
}

/* bits(t, dtype): the same bytes as another dtype; the last dimension, without gaps, is cut or
 * joined where widths differ */
static int f_host_bits(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    enum Dtype dt = arg_dtype(L, 2);
    int from = dtypeinfo[t->dt].bits, to = dtypeinfo[dt].bits, last = t->ndim - 1;
    bool ok = from >= 8 && to >= 8;
    if (ok && from != to) {
        ok = last >= 0 && t->stride[last] == 1 && (t->offset * from) % to == 0 &&
             (t->shape[last] * from) % to == 0;
        for (int d = 0; ok && d < last; d++)
            ok = (t->stride[d] * from) % to == 0;
    }
    if (!ok) {
        const char *s = push_shape(L, t->ndim, t->stride);
        tensor_fail(L, E_ops_arg, "view", "dtype",
                    kind_words(L, "of a width that divides the last dimension, which has no gaps"),
                    lua_pushfstring(L, "%s, %s: %s, %s", dtypeinfo[dt].name, dtypeinfo[t->dt].name,
                                    push_shape(L, t->ndim, t->shape), s), NULL);
    }
    Tensor *v = push_view(L, t);
    v->dt = dt;
    if (from == to)
        return 1;
    v->offset = t->offset * from / to;
    for (int d = 0; d < last; d++)
        v->stride[d] = t->stride[d] * from / to;
    v->shape[last] = t->shape[last] * from / to;
    return 1;
}

/* place(t) -> a number that two tensors share when they begin at the same byte; offset in elements */
static int f_host_place_of(lua_State *L)
{
    const Tensor *t = check_tensor(L, 1);
    lua_pushinteger(L, (lua_Integer)((intptr_t)t->st->data + t->offset * dtypeinfo[t->dt].bits / 8));
    lua_pushinteger(L, t->offset);
    return 2;
}

/* storage(t) -> the number of t's storage, how many tensors have it, its size in elements of t's; nothing
 * for one that is finalised already, as a finaliser meets it when the program ends */
static int f_host_storage(lua_State *L)
{
    const Tensor *t = test_tensor(L, 1);
    if (t && !t->st)
        return 0;
    t = check_tensor(L, 1);
    lua_pushinteger(L, (lua_Integer)(intptr_t)t->st);
    lua_pushinteger(L, t->st->ref);
    lua_pushinteger(L, (lua_Integer)(t->st->bytes * 8 / (size_t)dtypeinfo[t->dt].bits));
    return 3;
}

/* restride(t, strides): the elements of t, which are new, are so far apart from now on; their values are lost */
static int f_host_restride(lua_State *L)
{
    Tensor *t = check_tensor(L, 1);
    int64_t stride[TensorDims];
    host_need(L, arg_shape(L, 2, stride) == t->ndim && t->st->ref == 1, "restride");
    memcpy(t->stride, stride, sizeof stride);
    return 0;
}

/* become(t, other): t has other's storage, strides and place from now on; their shapes and dtypes agree.
 * What has been told of writes to t stays told. */
static int f_host_become(lua_State *L)
{
    Tensor *t = check_tensor(L, 1);
    const Tensor *other = check_tensor(L, 2);
    bool agree = t->dt == other->dt && t->ndim == other->ndim;
    host_need(L, agree && !memcmp(t->shape, other->shape, (size_t)t->ndim * sizeof *t->shape), "become");
    other->st->writes = t->st->writes;
    other->st->followed = t->st->followed;
    Storage *old = t->st;
    tensor_view(t, other);
    storage_unref(old);
    return 0;
}

/* writes(t) -> how often t's storage was changed in place, as far as this was told, and which of these
 * changes was the last whose origin autograd knows.  writes(t, known): it was changed just now. */
static int f_host_writes(lua_State *L)
{
    Storage *s = check_tensor(L, 1)->st;
    if (!lua_isnoneornil(L, 2)) {
        s->writes++;
        if (lua_toboolean(L, 2))
            s->followed = s->writes;
    }
    lua_pushinteger(L, s->writes);
    lua_pushinteger(L, s->followed);
    return 2;
}

/* libm(name, x): a function of C that Lua's own math lacks, for Python's module of them; another
 * name, copysign, has a y too */
static int f_host_libm(lua_State *L)
{
    static const struct {
        const char *name;
        double (*one)(double);
    } list[] = {
        {"expm1", expm1}, {"log1p", log1p}, {"sinh", sinh}, {"cosh", cosh}, {"tanh", tanh}, {"asinh", asinh},
        {"acosh", acosh}, {"atanh", atanh}, {"erf", erf},   {"erfc", erfc}, {"cbrt", cbrt}, {"exp2", exp2},
    };
    const char *name = luaL_checkstring(L, 1);
    double x = luaL_checknumber(L, 2);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i].name, name) == 0) {
            lua_pushnumber(L, list[i].one(x));
            return 1;
        }
    lua_pushnumber(L, copysign(x, luaL_checknumber(L, 3)));
    return 1;
}

static const luaL_Reg host_functions[] = {
    {"elem", f_host_elem},       {"fold", f_host_fold},       {"scan", f_host_scan},
    {"softmax", f_host_softmax}, {"norm", f_host_norm},       {"sort", f_host_sort},
    {"search", f_host_search},   {"product", f_host_product}, {"gather", f_host_gather},
    {"scatter", f_host_scatter}, {"nonzero", f_host_nonzero}, {"at", f_host_at},
    {"put", f_host_put},         {"strided", f_host_strided}, {"flip", f_host_flip},
    {"bits", f_host_bits},       {"place", f_host_place_of},   {"storage", f_host_storage}, {"restride", f_host_restride},
    {"become", f_host_become},
    {"writes", f_host_writes},   {"libm", f_host_libm},       {NULL, NULL},
};

static const UnseenGuard host_guards[] = {
    {"elem", 1, 1, 1},    {"fold", 1, 2, 1}, {"scan", 1, 2, 1},   {"softmax", 1, 1, 1},
    {"norm", 1, 1, 1},    {"sort", 1, 2, 1}, {"search", 1, 1, 1}, {"product", 1, 1, 1},
    {"gather", 1, 1, 1},  {"scatter", 1, 1, 1}, {"nonzero", 0, 0, 0}, {NULL, 0, 0, 0},
};

int luaopen_moontile_host(lua_State *L)
{
    luaL_newlib(L, host_functions);
    unseen_guard(L, host_guards);
    return 1;
}
