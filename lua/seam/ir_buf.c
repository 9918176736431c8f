/* lua/seam/ir_buf.c: buffers, their elements and slices as Lua objects.
 *
 * A[i, j] arrives as A[{i, j}], A[i][j] step by step.  The result is lazy: it
 * becomes a load where a value is wanted and an origin in a tile operation. */
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/ir/remap.h"
#include "ir.h"
#include "err/kernel.h"

static const Buf *lbuf_bufof(const LProg *lp, uint32_t buf) { return &lp->p->buf[buf]; }

LBuf *check_buf(lua_State *L, int i)
{
    LBuf *b = luaL_testudata(L, i, BUF_TYPE);
    if (!b)
        ir_fail_value(L, "not_buffer", NULL, i);
    return b;
}

void push_buf(lua_State *L, LProg *lp, uint32_t buf)
{
    LBuf *b = lua_newuserdatauv(L, sizeof *b, 1);
    *b = (LBuf){.owner = lp, .buf = buf};
    set_owner(L, lp);
    luaL_setmetatable(L, BUF_TYPE);
}

/* Indices -------------------------------------------------------------- */

typedef struct Index {
    bool slice;
    LuaVal lo, hi; /* VALnone: left out */
} Index;

typedef struct Indexing {
    LProg *lp;
    uint32_t buf;
    int n;            /* indices given now */
    Index ix[MaxDim];
    LRef *ref;        /* holds those given before; receives the new ones */
} Indexing;

static bool lbuf_isslice(lua_State *L, int i)
{
    if (lua_type(L, i) != LUA_TTABLE || luaL_getmetafield(L, i, "__name") == LUA_TNIL)
        return false;
    bool is = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "slice") == 0;
    lua_pop(L, 1);
    return is;
}

/* Lua's rule: a float with an integral value is an integer where one is
 * wanted. */
static void index_val(lua_State *L, int i, LuaVal *v)
{
    if (!to_val(L, i, v))
        ir_fail_value(L, "index_value", NULL, i);
    if (v->kind == VALfloat && lua_tointegerx(L, i, NULL) == (lua_Integer)v->f &&
        (double)(lua_Integer)v->f == v->f)
        *v = (LuaVal){.kind = VALint, .i = (int64_t)v->f};
}

static void read_index(lua_State *L, int i, Index *x)
{
    i = lua_absindex(L, i);
    *x = (Index){0};
    if (!lbuf_isslice(L, i)) {
        index_val(L, i, &x->lo);
        return;
    }
    x->slice = true;
    if (lua_getfield(L, i, "lo") != LUA_TNIL)
        index_val(L, -1, &x->lo);
    if (lua_getfield(L, i, "hi") != LUA_TNIL)
        index_val(L, -1, &x->hi);
    if (lua_getfield(L, i, "step") != LUA_TNIL && lua_tointeger(L, -1) != 1)
        ir_fail(L, "slice_step", luaL_tolstring(L, -1, NULL), NULL);
    lua_pop(L, 3);
}

/* Reads the key at i: one index, a slice, or a list of them.  The values stay
 * alive in that key. */
static void read_key(lua_State *L, int i, Indexing *k)
{
    if (lua_type(L, i) != LUA_TTABLE || lbuf_isslice(L, i)) {
        k->n = 1;
        read_index(L, i, &k->ix[0]);
        return;
    }
    lua_Integer n = luaL_len(L, i);
    if (n < 1 || n > MaxDim)
        ir_failn(L, "rank", lbuf_bufof(k->lp, k->buf)->name, lbuf_bufof(k->lp, k->buf)->ndim, n);
    k->n = (int)n;
    for (int j = 0; j < k->n; j++) {
        lua_rawgeti(L, i, j + 1);
        read_index(L, -1, &k->ix[j]);
        lua_pop(L, 1);
    }
}

static Ex index_ex(Indexing *k, const LuaVal *v)
{
    return val_ex(k->lp, v, DTi32);
}

/* Does lo:hi lie below 0 whatever its variables are?  hi is the first behind it; a constant 0 is
 * the first of all. */
static bool slice_below(const Prog *p, Ex lo, Ex hi)
{
    int64_t v, least, most;
    return x_negative(p, lo) && x_range(p, hi, &least, &most) && most <= 0 &&
           (most < 0 || !x_isint(p, hi, &v));
}

/* The bounds of a slice: below 0 they count from the end, unless one of them does and the
 * other may not, as at the edge of a halo. */
static void slice_bounds(Indexing *k, const Index *x, int d, Ex *lo, Ex *hi)
{
    Prog *p = k->lp->p;
    Ex size = p->buf[k->buf].shape[d];
    int64_t v;
    *lo = x->lo.kind == VALnone ? x_int(p, DTi32, 0) : index_ex(k, &x->lo);
    *hi = x->hi.kind == VALnone ? size : index_ex(k, &x->hi);
    bool open = x->lo.kind == VALnone || x->hi.kind == VALnone;
    if (!open && slice_below(p, *lo, *hi)) {
        *lo = x_bin(p, Xadd, size, *lo);
        *hi = x_bin(p, Xadd, size, *hi);
        return;
    }
    if (open || x_isint(p, *lo, &v))
        *lo = x_from_end(p, k->buf, d, *lo);
    if (x->hi.kind != VALnone && (open || x_isint(p, *hi, &v)))
        *hi = x_from_end(p, k->buf, d, *hi);
}

/* hi - lo as extents are, whatever type the bounds have. */
static Ex slice_extent(Prog *p, Ex lo, Ex hi)
{
    int64_t n;
    Ex e = x_bin(p, Xsub, hi, lo);
    return x_isint(p, e, &n) ? x_int(p, DTi32, n) : x_cast(p, DTi32, e);
}

static void do_index(Ctx *c, void *ud)
{
    Indexing *k = ud;
    Prog *p = k->lp->p;
    LRef *r = k->ref;
    if (r->n + k->n > r->ndim)
        diag_fail(c, E_rank, p->here, p->buf[k->buf].name, afmt(c, "%d", r->ndim),
                  afmt(c, "%d", r->n + k->n), NULL);
    for (int j = 0; j < k->n; j++) {
        const Index *x = &k->ix[j];
        int d = r->n;
        Ex lo, hi = 0;
        if (x->slice)
            slice_bounds(k, x, d, &lo, &hi);
        else
            lo = index_ex(k, &x->lo);
        if (dtypeinfo[ex_type(p, lo)].cls == 'F')
            diag_fail(c, E_index_type, p->here, p->buf[k->buf].name, afmt(c, "%d", d),
                      dtypeinfo[ex_type(p, lo)].name, NULL);
        Ex one = x_int(p, DTi32, 1);
        r->r.min[d] = lo;
        r->r.extent[d] = one;
        if (x->slice) {
            r->r.extent[d] = slice_extent(p, lo, hi);
            if (dtypeinfo[ex_type(p, lo)].bits < 32) /* the last index may be beyond the type */
                r->r.min[d] = x_cast(p, DTi32, lo);
            r->slice = true;
        }
        r->n++;
    }
    for (int j = 0; r->slice && j < k->n; j++) /* a row of a region is an index, no origin */
        if (!k->ix[j].slice)
            r->r.min[r->n - k->n + j] =
                x_from_end(p, k->buf, r->n - k->n + j, r->r.min[r->n - k->n + j]);
}

/* Pushes the reference that `buf`, or the partial one `from`, gives with the
 * key at stack index i. */
static LRef *push_ref(lua_State *L, LProg *lp, uint32_t buf, const LRef *from, int i)
{
    Indexing k = {.lp = lp, .buf = buf};
    read_key(L, i, &k);
    for (int j = 0; j < k.n; j++) {
        LuaVal v[3] = {{.kind = VALexpr, .owner = lp}, k.ix[j].lo, k.ix[j].hi};
        val_prog(L, v, 3); /* raises when they are of another kernel */
    }
    LRef *r = lua_newuserdatauv(L, sizeof *r, 1);
    if (from)
        *r = *from;
    else
        *r = (LRef){.owner = lp, .ndim = lbuf_bufof(lp, buf)->ndim, .r.buf = buf};
    r->born = lp->nstmt;
    set_owner(L, lp);
    luaL_setmetatable(L, REF_TYPE);
    k.ref = r;
    for (int j = 0; j < k.n; j++)
        r->own |= k.ix[j].lo.own || k.ix[j].hi.own;
    ir_run_expr(L, lp, do_index, &k);
    return r;
}

/* Regions -------------------------------------------------------------- */

typedef struct WholeSlice {
    Prog *p;
    uint32_t buf;
    Region r;
} WholeSlice;

static void do_whole(Ctx *c, void *ud)
{
    (void)c;
    WholeSlice *w = ud;
    w->r = r_whole(w->p, w->buf);
}

bool to_region(lua_State *L, int i, LProg **owner, Region *r, bool *origin, bool *whole)
{
    const LBuf *b = luaL_testudata(L, i, BUF_TYPE);
    const LRef *ref = luaL_testudata(L, i, REF_TYPE);
    *origin = *whole = false;
    if (b) {
        WholeSlice w = {.p = b->owner->p, .buf = b->buf};
        ir_run_expr(L, b->owner, do_whole, &w);
        *owner = b->owner;
        *r = w.r;
        *whole = true;
        return true;
    }
    if (!ref)
        return false;
    if (ref->n < ref->ndim && ref->rest) {
        WholeSlice w = {.p = ref->owner->p, .buf = ref->r.buf};
        ir_run_expr(L, ref->owner, do_whole, &w);
        *owner = ref->owner;
        memcpy(w.r.min, ref->r.min, ref->n * sizeof *w.r.min);
        memcpy(w.r.extent, ref->r.extent, ref->n * sizeof *w.r.extent);
        *r = w.r;
        return true;
    }
    if (ref->n < ref->ndim) {
        const Buf *k = lbuf_bufof(ref->owner, ref->r.buf);
        ir_failn(L, "rank", k->name, ref->ndim, ref->n);
    }
    *owner = ref->owner;
    *r = ref->r;
    *origin = !ref->slice;
    return true;
}

/* Stores --------------------------------------------------------------- */

typedef struct Store {
    LProg *lp;
    const LRef *ref;
    LuaVal v;
    Region from; /* a region as right side */
    bool region, origin;
} Store;

static void do_store(Ctx *c, void *ud)
{
    Store *s = ud;
    Prog *p = s->lp->p;
    const LRef *r = s->ref;
    Region at[MaxRegion] = {s->from, r->r};
    if (r->n < r->ndim)
        diag_fail(c, E_rank, p->here, p->buf[r->r.buf].name, afmt(c, "%d", r->ndim),
                  afmt(c, "%d", r->n), NULL);
    if (s->region) {
        r_infer(p, &at[0], s->origin, &at[1], !r->slice);
        if (s->origin)
            r_from_end(p, &at[0]);
        remap_op(p, Ocopy, at, 0, NULL, NULL);
        return;
    }
    Ex e = val_ex(s->lp, &s->v, (enum Dtype)p->buf[r->r.buf].dt);
    if (!r->slice) {
        p->own = s->v.own || r->own;
        const Element to = ref_element(p, r);
        s_store(p, to.buf, to.idx, to.n, e);
        return;
    }
    at[0] = r->r;
    remap_op(p, Ofill, at, e, NULL, NULL);
}

/* Stack 3: the value; the reference on top. */
static int region_store(lua_State *L, LRef *r)
{
    LProg *owner;
    bool whole;
    Store s = {.lp = r->owner, .ref = r};
    if (!to_val(L, 3, &s.v) || (s.v.kind == VALref && s.v.ref->slice)) {
        if (!to_region(L, 3, &owner, &s.from, &s.origin, &whole))
            ir_fail_value(L, "not_value", NULL, 3);
        if (!r->slice)
            ir_fail(L, "slice_value", lbuf_bufof(owner, s.from.buf)->name, NULL);
        s.region = true;
    }
    LuaVal v[2] = {{.kind = VALexpr, .owner = r->owner}, s.v};
    val_prog(L, v, 2);
    ir_run(L, r->owner, do_store, &s);
    return 0;
}

/* Buffers -------------------------------------------------------------- */

static void push_dims(lua_State *L, LProg *lp, const Ex *d, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        push_value(L, lp, d[i]);
        lua_rawseti(L, -2, i + 1);
    }
    shape_prints(L);
}

static int f_lbuf_set(lua_State *L);
static int f_lbuf_astype(lua_State *L);

/* Fields of a buffer; a key that is no name is an index. */
static int f_buf_index(lua_State *L)
{
    const LBuf *b = luaL_checkudata(L, 1, BUF_TYPE);
    const Buf *k = lbuf_bufof(b->owner, b->buf);
    if (lua_type(L, 2) != LUA_TSTRING) {
        push_ref(L, b->owner, b->buf, NULL, 2);
        return 1;
    }
    const char *name = lua_tostring(L, 2);
    if (strcmp(name, "shape") == 0) {
        push_dims(L, b->owner, k->shape, k->scope == SCvar ? 0 : k->ndim);
    } else if (strcmp(name, "strides") == 0) {
        if (!k->ndim || !k->stride[0])
            return 0;
        push_dims(L, b->owner, k->stride, k->ndim);
    } else if (strcmp(name, "dtype") == 0) {
        lua_pushstring(L, dtypeinfo[k->dt].name);
    } else if (strcmp(name, "scope") == 0) {
        lua_pushstring(L, scopename[k->scope]);
    } else if (strcmp(name, "name") == 0) {
        lua_pushstring(L, k->name);
    } else if (strcmp(name, "ndim") == 0) {
        lua_pushinteger(L, k->ndim);
    } else if (k->scope != SCvar && strcmp(name, "data") == 0) {
        lua_pushvalue(L, 1); /* where T.Tensor(shape, dtype, b.data) looks */
    } else if (k->scope == SCvar && strcmp(name, "set") == 0) {
        lua_pushcfunction(L, f_lbuf_set);
    } else if (k->scope == SCvar && strcmp(name, "astype") == 0) {
        lua_pushcfunction(L, f_lbuf_astype);
    } else {
        ir_fail(L, "no_field", name, "shape, dtype, scope, name, strides, ndim, data");
    }
    return 1;
}

/* A value that is no scalar stores itself: v.__store(v, A, key) (T/vectors.lua). */
static bool stores_itself(lua_State *L)
{
    if (lua_type(L, 3) != LUA_TTABLE || luaL_getmetafield(L, 3, "__store") == LUA_TNIL)
        return false;
    lua_pushvalue(L, 3);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 3, 0);
    return true;
}

static int f_buf_newindex(lua_State *L)
{
    const LBuf *b = luaL_checkudata(L, 1, BUF_TYPE);
    if (stores_itself(L))
        return 0;
    if (lua_type(L, 2) == LUA_TSTRING)
        ir_fail(L, "set_field", lua_tostring(L, 2), lbuf_bufof(b->owner, b->buf)->name);
    return region_store(L, push_ref(L, b->owner, b->buf, NULL, 2));
}

/* A(i) and #A: what someone may try */
static int f_buf_call(lua_State *L)
{
    const LBuf *b = luaL_checkudata(L, 1, BUF_TYPE);
    ir_fail(L, "buffer_call", lbuf_bufof(b->owner, b->buf)->name, NULL);
}

static int f_buf_len(lua_State *L)
{
    const LBuf *b = luaL_checkudata(L, 1, BUF_TYPE);
    ir_fail(L, "buffer_len", lbuf_bufof(b->owner, b->buf)->name, NULL);
}

static int f_buf_tostring(lua_State *L)
{
    const LBuf *b = luaL_checkudata(L, 1, BUF_TYPE);
    const Buf *k = lbuf_bufof(b->owner, b->buf);
    Str s = {0};
    str_fmt(&s, "%s: %s %s(", k->name, scopename[k->scope], dtypeinfo[k->dt].name);
    for (int i = 0; i < k->ndim; i++) {
        str_puts(&s, i ? ", " : "");
        ex_print(b->owner->p, k->shape[i], &s);
    }
    str_puts(&s, ")");
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
    return 1;
}

/* References ----------------------------------------------------------- */

static int f_lbuf_astype(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, "moontile.ir");
    lua_getfield(L, -1, "cast");
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    return 1;
}

static int f_ref_index(lua_State *L)
{
    const LRef *r = luaL_checkudata(L, 1, REF_TYPE);
    const Buf *k = lbuf_bufof(r->owner, r->r.buf);
    if (lua_type(L, 2) != LUA_TSTRING) {
        push_ref(L, r->owner, r->r.buf, r, 2);
        return 1;
    }
    const char *name = lua_tostring(L, 2);
    if (strcmp(name, "dtype") == 0)
        lua_pushstring(L, dtypeinfo[k->dt].name);
    else if (strcmp(name, "astype") == 0)
        lua_pushcfunction(L, f_lbuf_astype);
    else if (strcmp(name, "shape") == 0 && r->rest && r->n < r->ndim)
        push_dims(L, r->owner, k->shape + r->n, r->ndim - r->n);
    else if (strcmp(name, "shape") == 0)
        push_dims(L, r->owner, r->r.extent, r->n);
    else if (strcmp(name, "buffer") == 0)
        push_buf(L, r->owner, r->r.buf);
    else
        ir_fail(L, "no_field", name, "dtype, shape, buffer, astype(d)");
    return 1;
}

static int f_ref_newindex(lua_State *L)
{
    const LRef *r = luaL_checkudata(L, 1, REF_TYPE);
    if (stores_itself(L))
        return 0;
    if (lua_type(L, 2) == LUA_TSTRING)
        ir_fail(L, "set_field", lua_tostring(L, 2), lbuf_bufof(r->owner, r->r.buf)->name);
    return region_store(L, push_ref(L, r->owner, r->r.buf, r, 2));
}

static int f_ref_tostring(lua_State *L)
{
    const LRef *r = luaL_checkudata(L, 1, REF_TYPE);
    Str s = {0};
    str_puts(&s, lbuf_bufof(r->owner, r->r.buf)->name);
    str_puts(&s, "[");
    for (int i = 0; i < r->n; i++) {
        const Expr *e = ex_at(r->owner->p, r->r.extent[i]);
        str_puts(&s, i ? ", " : "");
        ex_print(r->owner->p, r->r.min[i], &s);
        if (e->op != Xint || e->i != 1) {
            str_puts(&s, " +: ");
            ex_print(r->owner->p, r->r.extent[i], &s);
        }
    }
    str_puts(&s, "]");
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
    return 1;
}

/* Variables ------------------------------------------------------------ */

typedef struct VarStore {
    LBuf *b;
    LuaVal v;
} VarStore;

static void do_lbuf_set(Ctx *c, void *ud)
{
    (void)c;
    VarStore *s = ud;
    Prog *p = s->b->owner->p;
    Ex zero = x_int(p, DTi32, 0);
    Ex e = val_ex(s->b->owner, &s->v, (enum Dtype)p->buf[s->b->buf].dt);
    p->own = s->v.own;
    s_store(p, s->b->buf, &zero, 1, e);
}

/* set(var, value): the store behind `var = value` */
static int f_lbuf_set(lua_State *L)
{
    LRef *r = luaL_testudata(L, 1, REF_TYPE);
    if (r) { /* an element that a macro got as T.Ref */
        lua_settop(L, 2);
        lua_insert(L, 1);
        lua_pushvalue(L, 1);
        return region_store(L, r);
    }
    VarStore s = {.b = check_buf(L, 1)};
    check_val(L, 2, &s.v);
    LuaVal v[2] = {{.kind = VALexpr, .owner = s.b->owner}, s.v};
    val_prog(L, v, 2);
    ir_run(L, s.b->owner, do_lbuf_set, &s);
    return 0;
}

/* name(P, buffer, name): the first name that a buffer meets is its own */
typedef struct BufferName {
    LBuf *b;
    const char *name;
} BufferName;

static void do_name(Ctx *c, void *ud)
{
    (void)c;
    BufferName *n = ud;
    p_name(n->b->owner->p, n->b->buf, n->name);
}

static int f_name(lua_State *L)
{
    BufferName n = {luaL_testudata(L, 1, BUF_TYPE), luaL_checkstring(L, 2)};
    if (!n.b || n.b->named)
        return 0;
    n.b->named = true;
    ir_run_expr(L, n.b->owner, do_name, &n);
    return 0;
}

static void do_unname(Ctx *c, void *ud)
{
    BufferName *n = ud;
    p_name(n->b->owner->p, n->b->buf, afmt(c, "buf%u", (unsigned)n->b->buf));
}

/* unname(buffer): it waits for a name */
static int f_unname(lua_State *L)
{
    BufferName n = {check_buf(L, 1), NULL};
    n.b->named = false;
    ir_run_expr(L, n.b->owner, do_unname, &n);
    return 0;
}

typedef struct SliceShift {
    LRef *r;
    lua_Integer by;
} SliceShift;

static void do_shift(Ctx *c, void *ud)
{
    (void)c;
    SliceShift *s = ud;
    Prog *p = s->r->owner->p;
    Ex *last = &s->r->r.min[s->r->n - 1];
    *last = x_bin(p, Xadd, *last, x_int(p, DTi32, s->by));
}

/* shift(element, n): the element n further along the last dimension */
static int f_shift(lua_State *L)
{
    const LRef *from = luaL_checkudata(L, 1, REF_TYPE);
    SliceShift s = {.by = luaL_checkinteger(L, 2)};
    s.r = lua_newuserdatauv(L, sizeof *s.r, 1);
    *s.r = *from;
    s.r->let = 0;
    set_owner(L, from->owner);
    luaL_setmetatable(L, REF_TYPE);
    ir_run_expr(L, s.r->owner, do_shift, &s);
    return 1;
}

/* byref(element) -> the same, to be assigned like a variable */
static int f_byref(lua_State *L)
{
    const LRef *from = luaL_checkudata(L, 1, REF_TYPE);
    LRef *r = lua_newuserdatauv(L, sizeof *r, 1);
    *r = *from;
    r->let = 0;
    r->byref = true;
    set_owner(L, from->owner);
    luaL_setmetatable(L, REF_TYPE);
    return 1;
}

/* origin(reference) -> list of its first indices */
static int f_origin(lua_State *L)
{
    const LRef *r = luaL_checkudata(L, 1, REF_TYPE);
    push_dims(L, r->owner, r->r.min, r->n);
    return 1;
}

/* Making buffers ------------------------------------------------------- */

typedef struct RegionMake {
    LProg *lp;
    enum Scope sc;
    enum Dtype dt;
    const char *name;
    LuaVal shape[MaxDim], stride[MaxDim];
    int n, nstride;
    uint32_t from, buf;
} RegionMake;

static void do_make(Ctx *c, void *ud)
{
    RegionMake *m = ud;
    Prog *p = m->lp->p;
    Ex shape[MaxDim], stride[MaxDim];
    for (int i = 0; i < m->n; i++)
        shape[i] = val_ex(m->lp, &m->shape[i], DTi32);
    for (int i = 0; i < m->nstride; i++)
        stride[i] = val_ex(m->lp, &m->stride[i], DTi32);
    if (m->from)
        m->buf = p_view(p, m->from, m->dt, shape, m->n);
    else
        m->buf = p_buf(p, m->sc, m->dt,
                       m->name ? m->name : afmt(c, "buf%u", (unsigned)p->nbuf), shape,
                       m->nstride ? stride : NULL, m->n);
}

/* Reads a shape: a number or a list. */
static int lbuf_read_dims(lua_State *L, int i, LuaVal *v)
{
    if (lua_type(L, i) != LUA_TTABLE) {
        index_val(L, i, v);
        return 1;
    }
    lua_Integer n = luaL_len(L, i);
    if (n > MaxDim)
        ir_failn(L, "ndim", "shape", n, MaxDim);
    for (int j = 0; j < (int)n; j++) {
        lua_rawgeti(L, i, j + 1);
        index_val(L, -1, &v[j]);
        lua_pop(L, 1);
    }
    return (int)n;
}

static enum Scope check_scope(lua_State *L, int i)
{
    const char *s = luaL_checkstring(L, i);
    for (int k = 1; k < NScope; k++)
        if (strcmp(scopename[k], s) == 0)
            return (enum Scope)k;
    luaL_argerror(L, i, "unknown scope");
    return SCnone;
}

/* buffer(P, scope, dtype, shape [, name [, strides]]) */
static int f_buffer(lua_State *L)
{
    RegionMake m = {.lp = check_prog(L, 1), .sc = check_scope(L, 2), .dt = check_dtype(L, 3)};
    m.n = lbuf_read_dims(L, 4, m.shape);
    m.name = luaL_optstring(L, 5, NULL);
    if (!lua_isnoneornil(L, 6))
        m.nstride = lbuf_read_dims(L, 6, m.stride);
    ir_run(L, m.lp, do_make, &m);
    push_buf(L, m.lp, m.buf);
    if (m.name)
        ((LBuf *)lua_touserdata(L, -1))->named = true;
    return 1;
}

/* view(buffer, dtype, shape) */
static int f_lbuf_view(lua_State *L)
{
    LBuf *b = check_buf(L, 1);
    RegionMake m = {.lp = b->owner, .dt = check_dtype(L, 2), .from = b->buf};
    m.n = lbuf_read_dims(L, 3, m.shape);
    ir_run(L, m.lp, do_make, &m);
    push_buf(L, m.lp, m.buf);
    return 1;
}

/* safe(buffer, value): what out-of-range reads give, of a parameter in the open launch */
typedef struct SafeValue {
    LBuf *b;
    LuaVal v;
} SafeValue;

static void do_safe(Ctx *c, void *ud)
{
    SafeValue *s = ud;
    Prog *p = s->b->owner->p;
    enum Dtype dt = (enum Dtype)p->buf[s->b->buf].dt;
    Ex e = x_cast(p, dt, val_ex(s->b->owner, &s->v, dt));
    if (ex_at(p, e)->op != Xint && ex_at(p, e)->op != Xfloat)
        diag_fail(c, E_safe_value, p->here, p->buf[s->b->buf].name, NULL);
    Stmt *launch = p->buf[s->b->buf].param ? ir_launch(p) : NULL;
    Ex has = launch ? buf_safe(p, launch, s->b->buf) : p->buf[s->b->buf].safe;
    if (has && has != e)
        diag_fail(c, E_safe_again, p->here, p->buf[s->b->buf].name, NULL);
    if (launch && !has)
        s_safe(p, launch, s->b->buf, e);
    else if (!launch)
        p->buf[s->b->buf].safe = e;
}

static int f_safe(lua_State *L)
{
    SafeValue s = {.b = check_buf(L, 1)};
    check_val(L, 2, &s.v);
    ir_run(L, s.b->owner, do_safe, &s);
    return 0;
}

typedef struct BufferRemap {
    LBuf *b;
    LuaVal var[MaxDim], coord[MaxDim];
    Ex at[MaxDim];
    int n;
} BufferRemap;

typedef struct ArgText {
    LBuf *b;
    const char *s;
} ArgText;

static void do_layout(Ctx *c, void *ud)
{
    ArgText *t = ud;
    Prog *p = t->b->owner->p;
    p->buf[t->b->buf].layout = astr(c, t->s, strlen(t->s));
}

/* layout(buffer, text): kept for thread targets */
static int f_layout(lua_State *L)
{
    ArgText t = {check_buf(L, 1), luaL_checkstring(L, 2)};
    ir_run(L, t.b->owner, do_layout, &t);
    return 0;
}

/* indices(buffer) -> list of values that stand for its indices, for remap() */
static void do_indices(Ctx *c, void *ud)
{
    BufferRemap *m = ud;
    Prog *p = m->b->owner->p;
    const Buf *b = &p->buf[m->b->buf];
    m->n = b->ndim;
    for (int i = 0; i < m->n; i++) {
        int64_t n = 0;
        x_isint(p, p->buf[m->b->buf].shape[i], &n);
        uint32_t v = p_var(p, Vloop, DTi32, afmt(c, "i%d", i), 0, n - 1);
        m->at[i] = x_var(p, v);
    }
}

static int f_indices(lua_State *L)
{
    BufferRemap m = {.b = check_buf(L, 1)};
    ir_run(L, m.b->owner, do_indices, &m);
    lua_createtable(L, m.n, 0);
    for (int i = 0; i < m.n; i++) {
        push_expr(L, m.b->owner, m.at[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static void do_remap(Ctx *c, void *ud)
{
    BufferRemap *m = ud;
    Prog *p = m->b->owner->p;
    uint32_t var[MaxDim];
    Ex at[MaxDim];
    (void)c;
    for (int i = 0; i < p->buf[m->b->buf].ndim; i++)
        var[i] = ex_at(p, m->var[i].e)->sym;
    for (int i = 0; i < m->n; i++)
        at[i] = val_ex(m->b->owner, &m->coord[i], DTi32);
    remap_set(p, m->b->buf, var, at, m->n);
}

/* remap(buffer, indices, coordinates): where a layout has the element of these indices */
static int f_remap(lua_State *L)
{
    BufferRemap m = {.b = check_buf(L, 1)};
    lbuf_read_dims(L, 2, m.var);
    m.n = lbuf_read_dims(L, 3, m.coord);
    ir_run(L, m.b->owner, do_remap, &m);
    return 0;
}

/* sameof(a, b): do two objects mean one buffer? */
static int f_samebuf(lua_State *L)
{
    const LBuf *a = luaL_testudata(L, 1, BUF_TYPE), *b = luaL_testudata(L, 2, BUF_TYPE);
    lua_pushboolean(L, a && b && a->owner == b->owner && a->buf == b->buf);
    return 1;
}

/* id(buffer) -> its number in the program */
static int f_id(lua_State *L)
{
    lua_pushinteger(L, check_buf(L, 1)->buf);
    return 1;
}

const luaL_Reg buf_functions[] = {
    {"buffer", f_buffer}, {"view", f_lbuf_view}, {"set", f_lbuf_set},    {"name", f_name},
    {"unname", f_unname}, {"shift", f_shift},    {"origin", f_origin},   {"byref", f_byref},
    {"safe", f_safe},     {"layout", f_layout},  {"indices", f_indices}, {"remap", f_remap},  {"samebuf", f_samebuf}, {"id", f_id},
    {NULL, NULL},
};

static void newmeta(lua_State *L, const char *name, const luaL_Reg *fs)
{
    if (luaL_newmetatable(L, name)) {
        luaL_setfuncs(L, fs, 0);
        add_arith(L);
    }
    lua_pop(L, 1);
}

void open_buf(lua_State *L)
{
    static const luaL_Reg buf[] = {
        {"__index", f_buf_index}, {"__newindex", f_buf_newindex},
        {"__tostring", f_buf_tostring}, {"__eq", f_samebuf},
        {"__call", f_buf_call}, {"__len", f_buf_len}, {NULL, NULL},
    };
    static const luaL_Reg ref[] = {
        {"__index", f_ref_index}, {"__newindex", f_ref_newindex},
        {"__tostring", f_ref_tostring}, {NULL, NULL},
    };
    newmeta(L, BUF_TYPE, buf);
    newmeta(L, REF_TYPE, ref);
}
