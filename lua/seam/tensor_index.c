/* lua/seam/tensor_index.c: t[key]: which elements of a tensor a key names.
 *
 * A key is an index or a list of them, one after the other for the dimensions:
 *
 *     3, -1                  one index; the dimension goes
 *     slice lo:hi:step       as in Python, step from 1
 *     newaxis                a new dimension of 1
 *     ellipsis, "..."        as many whole dimensions as are left
 *     a tensor of integers, or a list of them    these indices; several lists broadcast
 *     a bool tensor          where it is true, for as many dimensions as it has
 *
 * The first four give a view.  Lists and masks copy: their dimensions are replaced by those of the
 * lists, where they stood if they stood together, else in front. */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/tensor/op.h"
#include "ir.h"
#include "tensor.h"
#include "err/host.h"
#include "err/hostops.h"

/* What a key makes of a tensor. */
typedef struct IndexPlan IndexPlan;
struct IndexPlan {
    Tensor v; /* a view, not owned; dimension dim[k] of it goes by list k */
    bool writes; /* it is for writing */
    bool unseen; /* a mask that nobody has computed says where to write */
    int lists, dim[TensorDims];
    Tensor list[TensorDims]; /* int64 in any shape, expanded to one; kept on Lua's stack */
    int places;              /* dimensions of that shape */
};

/* A table that is an object of this name, "slice". */
static bool object_named(lua_State *L, int i, const char *name)
{
    if (lua_type(L, i) != LUA_TTABLE || luaL_getmetafield(L, i, "__name") == LUA_TNIL)
        return false;
    const char *have = lua_tostring(L, -1);
    bool is = have && strcmp(have, name) == 0;
    lua_pop(L, 1);
    return is;
}

static bool index_isslice(lua_State *L, int i)
{
    return object_named(L, i, "slice") || object_named(L, i, "stepped slice");
}

static bool index_isellipsis(lua_State *L, int i)
{
    return object_named(L, i, "ellipsis") ||
           (lua_type(L, i) == LUA_TSTRING && strcmp(lua_tostring(L, i), "...") == 0);
}

static int index_refuse(lua_State *L, int i)
{
    if (luaL_testudata(L, i, EXPR_TYPE) || luaL_testudata(L, i, REF_TYPE))
        tensor_fail(L, E_tensor_traced, NULL);
    return tensor_fail(L, E_tensor_kind, kind_words(L, kindof(L, i)), NULL);
}

/* Views ---------------------------------------------------------------- */

static bool index_field(lua_State *L, int i, const char *field, int64_t *v)
{
    int isint = 1;
    bool given = lua_getfield(L, i, field) != LUA_TNIL;
    if (given)
        *v = lua_tointegerx(L, -1, &isint);
    if (!isint)
        index_refuse(L, lua_gettop(L));
    lua_pop(L, 1);
    return given;
}

/* A bound of the slice at i: as in Python, negative ones count from the end
 * and what lies outside is clamped. */
static int64_t index_bound(lua_State *L, int i, const char *field, int64_t missing, int64_t n)
{
    int64_t v;
    if (!index_field(L, i, field, &v))
        return missing;
    v += v < 0 ? n : 0;
    return v < 0 ? 0 : v > n ? n : v;
}

static void index_slice(lua_State *L, Tensor *v, int dim, int i)
{
    int64_t n = v->shape[dim], step = 1;
    int64_t lo = index_bound(L, i, "lo", 0, n), hi = index_bound(L, i, "hi", n, n);
    if (index_field(L, i, "step", &step) && step < 1)
        tensor_fail(L, E_tensor_arg, "step", kind_words(L, "1 or more"),
                    lua_pushfstring(L, "%I", (LUAI_UACINT)step), NULL);
    tensor_narrow(v, dim, lo, hi);
    if (step > 1) {
        v->shape[dim] = (v->shape[dim] + step - 1) / step;
        v->stride[dim] *= step;
    }
}

/* One index k into dimension dim of v, which is `nth` for the user. */
static void index_select(lua_State *L, Tensor *v, int dim, int nth, int64_t k)
{
    int64_t n = v->shape[dim];
    if (k < -n || k >= n) {
        const char *which = lua_pushfstring(L, "%I", (LUAI_UACINT)k);
        const char *dimension = lua_pushfstring(L, "%d", nth);
        const char *extent = lua_pushfstring(L, "%I", (LUAI_UACINT)n);
        tensor_fail(L, E_tensor_index, which, dimension, extent, valid_range(L, n), NULL);
    }
    tensor_select(v, dim, k < 0 ? k + n : k);
}

bool index_one(lua_State *L, Tensor *v, int dim, int nth, int i)
{
    if (index_isslice(L, i)) {
        index_slice(L, v, dim, i);
        return true;
    }
    int isint = 0;
    bool number = lua_type(L, i) == LUA_TNUMBER;
    lua_Integer k = number ? lua_tointegerx(L, i, &isint) : 0;
    if (number && !isint)
        tensor_fail(L, E_tensor_kind, luaL_tolstring(L, i, NULL), NULL);
    else if (!number)
        index_refuse(L, i);
    index_select(L, v, dim, nth, k);
    return false;
}

int too_many(lua_State *L, const Tensor *t, lua_Integer n)
{
    const char *have = lua_pushfstring(L, "%d", t->ndim);
    const char *got = lua_pushfstring(L, "%I", (LUAI_UACINT)n);
    return tensor_fail(L, E_tensor_rank, have, push_shape(L, t->ndim, t->shape), got, NULL);
}

/* Lists and masks -------------------------------------------------------- */

static void add_list(lua_State *L, IndexPlan *p, int dim, const Tensor *list)
{
    if (p->lists == TensorDims)
        too_many(L, &p->v, p->lists + 1);
    p->dim[p->lists] = dim;
    p->list[p->lists++] = *list;
}

/* A mask over dimensions dim and on: a list for each of them. */
static void add_mask(lua_State *L, IndexPlan *p, int dim, const Tensor *mask)
{
    int n = mask->ndim, have = p->v.ndim - dim < n ? p->v.ndim - dim : n;
    bool fits = have == n && n > 0;
    for (int d = 0; d < n && fits; d++)
        fits = mask->shape[d] == p->v.shape[dim + d];
    if (!fits) {
        const char *m = push_shape(L, n, mask->shape);
        tensor_fail(L, E_ops_mask, m, push_shape(L, have > 0 ? have : 0, p->v.shape + dim), NULL);
    }
    if (mask->st->unseen && !p->writes)
        unseen_refuse(L, mask);
    if (mask->st->unseen) {
        p->unseen = true;
        return;
    }
    Tensor *where = push_tensor(L); /* stays on the stack */
    if (!nonzero_apply(where, mask))
        tensor_fail(L, E_ref_memory, NULL);
    for (int d = 0; d < n; d++) {
        Tensor column = *where;
        tensor_select(&column, 1, d);
        add_list(L, p, dim + d, &column);
    }
}

/* A tensor at stack index i as an index; returns how many dimensions of v are dealt with. */
static int index_tensor(lua_State *L, IndexPlan *p, int dim, int nth, int i)
{
    const Tensor *t = check_tensor(L, i);
    if (dtype_isfloat(t->dt))
        tensor_fail(L, E_tensor_kind,
                    lua_pushfstring(L, "%s (%s)", kind_words(L, "tensor"), dtypeinfo[t->dt].name),
                    NULL);
    if (t->dt == DTbool || t->dt == DTu8) {
        add_mask(L, p, dim, t);
        return t->ndim;
    }
    if (t->ndim == 0) {
        unseen_refuse(L, t);
        index_select(L, &p->v, dim, nth, tensor_geti(t, NULL));
        return 0;
    }
    add_list(L, p, dim, t);
    return 1;
}

/* Replaces a plain table of numbers, or of such tables, at stack index i by a tensor. */
static void index_list(lua_State *L, int i)
{
    if (lua_rawlen(L, i) == 0)
        index_refuse(L, i);
    api_require(L, "moontile.tensor");
    lua_getfield(L, -1, "from_table");
    lua_pushvalue(L, i);
    lua_call(L, 1, 1);
    lua_replace(L, i);
    lua_pop(L, 1);
}

/* The dimensions that the indices at first .. last use up; *ellipsis: whether the rest is asked
 * for. */
static int index_takes(lua_State *L, int first, int last, bool *ellipsis)
{
    int n = 0;
    *ellipsis = false;
    for (int i = first; i <= last; i++) {
        const Tensor *t = test_tensor(L, i);
        if (index_isellipsis(L, i))
            *ellipsis = true;
        else if (t && (t->dt == DTbool || t->dt == DTu8))
            n += t->ndim;
        else
            n += !object_named(L, i, "newaxis");
    }
    return n;
}

/* The indices at stack first .. last, one after the other. */
static void index_walk(lua_State *L, IndexPlan *p, int first, int last)
{
    bool ellipsis;
    int takes = index_takes(L, first, last, &ellipsis), rank = p->v.ndim;
    if (takes > rank)
        too_many(L, &p->v, takes);
    for (int i = first, dim = 0, nth = 0; i <= last; i++) {
        if (index_isellipsis(L, i)) {
            dim += rank - takes;
            nth += rank - takes;
            takes = rank; /* a second one stands for nothing */
        } else if (object_named(L, i, "newaxis")) {
            if (p->v.ndim == TensorDims)
                too_many(L, &p->v, TensorDims + 1);
            tensor_unsqueeze(&p->v, dim++);
        } else if (test_tensor(L, i)) {
            const Tensor *t = test_tensor(L, i);
            nth += t->dt == DTbool || t->dt == DTu8 ? t->ndim : 1;
            dim += index_tensor(L, p, dim, nth - 1, i);
        } else {
            dim += index_one(L, &p->v, dim, nth++, i);
        }
    }
}

/* All lists in one shape. */
static void index_agree(lua_State *L, IndexPlan *p)
{
    Tensor all = p->list[0];
    for (int k = 1; k < p->lists; k++) {
        int64_t shape[TensorDims];
        int n;
        if (!tensor_broadcast(&all, &p->list[k], &n, shape)) {
            const char *a = push_shape(L, all.ndim, all.shape);
            tensor_fail(L, E_tensor_broadcast, a,
                        push_shape(L, p->list[k].ndim, p->list[k].shape), NULL);
        }
        all.ndim = n;
        memcpy(all.shape, shape, sizeof shape);
    }
    for (int k = 0; k < p->lists; k++)
        tensor_expand(&p->list[k], all.ndim, all.shape);
    p->places = all.ndim;
    if (all.ndim + p->v.ndim - p->lists > TensorDims)
        too_many(L, &p->v, all.ndim + p->v.ndim - p->lists);
}

/* Without tensors in it a key needs nothing but the stack's top. */
static void index_plan(lua_State *L, const Tensor *t, int i, bool writes, IndexPlan *p)
{
    *p = (IndexPlan){.v = *t, .writes = writes};
    i = lua_absindex(L, i);
    int first = lua_gettop(L) + 1;
    bool list = lua_type(L, i) == LUA_TTABLE && luaL_getmetafield(L, i, "__name") == LUA_TNIL;
    lua_settop(L, first - 1);
    int n = list ? (int)lua_rawlen(L, i) : 1;
    luaL_checkstack(L, n + 4 * TensorDims, "tensor");
    for (int k = 0; k < n; k++) {
        if (list)
            lua_rawgeti(L, i, k + 1);
        else
            lua_pushvalue(L, i);
        if (lua_type(L, -1) == LUA_TTABLE && luaL_getmetafield(L, -1, "__name") == LUA_TNIL)
            index_list(L, lua_gettop(L));
        lua_settop(L, first + k);
    }
    index_walk(L, p, first, lua_gettop(L));
    if (p->lists)
        index_agree(L, p);
}

/* Reading and writing ------------------------------------------------------ */

/* The shape of what a key with lists names, and in `order` which of its dimensions are those of the
 * lists and then the rest: the order in which op.h wants them.  *from: v in that order, too. */
static int index_shape(const IndexPlan *p, int64_t *shape, int *order, Tensor *from)
{
    bool listed[TensorDims] = {false};
    int perm[TensorDims], rest = 0, front = 0, n = 0;
    bool together = true;
    for (int k = 0; k < p->lists; k++) {
        listed[p->dim[k]] = true;
        perm[k] = p->dim[k];
        together &= k == 0 || p->dim[k] == p->dim[k - 1] + 1;
    }
    for (int d = 0; d < p->v.ndim; d++)
        if (!listed[d])
            perm[p->lists + rest++] = d;
    front = together ? p->dim[0] : 0; /* dimensions in front of the lists' */
    for (int d = 0; d < rest + p->places; d++) {
        bool place = d >= front && d < front + p->places;
        int nth = place ? d - front : p->places + (d < front ? d : d - p->places);
        order[nth] = d;
        shape[d] = place ? p->list[0].shape[d - front]
                         : p->v.shape[perm[p->lists + nth - p->places]];
        n++;
    }
    *from = p->v;
    tensor_permute(from, perm);
    return n;
}

static void index_check(lua_State *L, enum Take how, const IndexPlan *p, int k, int64_t bad)
{
    if (how == TakeMemory)
        tensor_fail(L, E_ref_memory, NULL);
    if (how == TakeOk)
        return;
    int64_t n = p->v.shape[p->dim[k]];
    const char *which = lua_pushfstring(L, "%I", (LUAI_UACINT)bad);
    const char *dimension = lua_pushfstring(L, "%d", p->dim[k]);
    const char *extent = lua_pushfstring(L, "%I", (LUAI_UACINT)n);
    tensor_fail(L, E_tensor_index, which, dimension, extent, valid_range(L, n), NULL);
}

/* unseen_hides(), where lists say what comes from where. */
static bool index_hides(lua_State *L, Tensor *to, const IndexPlan *p, const Tensor *from)
{
    bool hide = unseen_hides(L, to, from);
    for (int k = 0; k < p->lists && !hide; k++)
        hide = unseen_hides(L, to, &p->list[k]);
    return hide;
}

void index_read(lua_State *L, const Tensor *t, int i, bool number)
{
    IndexPlan p;
    index_plan(L, t, i, false, &p);
    if (p.lists == 0) {
        if (p.v.ndim == 0 && number)
            push_element(L, &p.v, p.v.offset);
        else
            push_view(L, &p.v);
        return;
    }
    int64_t shape[TensorDims], bad = 0;
    int order[TensorDims], k = 0, n;
    Tensor from;
    n = index_shape(&p, shape, order, &from);
    Tensor to = *new_tensor(L, t->dt, n, shape);
    if (index_hides(L, &to, &p, &from))
        return;
    tensor_permute(&to, order);
    enum Take how = take_apply(&to, &from, p.lists, p.list, &k, &bad);
    index_check(L, how, &p, k, bad);
}

void index_write(lua_State *L, Tensor *t, int i, int value, enum Put how)
{
    IndexPlan p;
    value = lua_absindex(L, value);
    index_plan(L, t, i, true, &p);
    if (p.unseen) {
        t->st->unseen = true;
        return;
    }
    if (p.lists == 0 && how == PutSet) {
        if (p.v.ndim == 0 && !test_tensor(L, value))
            store_element(L, &p.v, p.v.offset, value);
        else if (isscalar(L, value))
            fill_tensor(L, &p.v, value);
        else
            assign_tensor(L, &p.v, value);
        return;
    }
    int64_t shape[TensorDims], bad = 0, none = 0;
    int order[TensorDims], k = 0, n;
    Tensor to;
    if (p.lists == 0) { /* one place of a list of none */
        p.places = 0;
        n = p.v.ndim;
        to = p.v;
        memcpy(shape, p.v.shape, sizeof shape);
        for (int d = 0; d < n; d++)
            order[d] = d;
        p.list[0] = *new_tensor(L, DTi64, 0, &none);
    } else {
        n = index_shape(&p, shape, order, &to);
    }
    Tensor *src = new_tensor(L, t->dt, 0, &none); /* a value of t's dtype */
    if (isscalar(L, value))
        fill_tensor(L, src, value);
    else
        src = check_tensor(L, value);
    if (src->st == t->st || (src->dt != t->dt && dtype_isfloat(src->dt) != dtype_isfloat(t->dt)))
        src = push_clone(L, src, t->dt);
    Tensor from = *src;
    if (!tensor_expand(&from, n, shape)) {
        const char *a = push_shape(L, n, shape);
        tensor_fail(L, E_tensor_broadcast, a, push_shape(L, src->ndim, src->shape), NULL);
    }
    if (index_hides(L, &to, &p, &from))
        return;
    tensor_permute(&from, order);
    enum Take done = put_apply(how, &to, p.lists, p.list, &from, &k, &bad);
    index_check(L, done, &p, k, bad);
}
