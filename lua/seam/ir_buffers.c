/* lua/seam/ir_buffers.c: moontile.irbuffers: the buffers and matrix products of a
 * program that was lowered for a machine, for k:buffers(), k:layout() and the
 * figures.
 *
 * lower(P, spec) gives the thread program as an object of its own, which the
 * other functions take; asking again costs nothing then. */
#include <string.h>

#include "core/layout/machine.h"
#include "core/ir/walk.h"
#include "ir.h"

/* Fields of the table on top ------------------------------------------- */

static void buffer_location(lua_State *L, const Ctx *c, Loc l, const char *line, const char *file)
{
    if (l.line == 0)
        return;
    field_integer(L, line, l.line);
    if (l.file && l.file < c->nfile)
        field_text(L, file, c->file[l.file]);
}

/* Buffers -------------------------------------------------------------- */

/* A size as a number, or as the text of its expression. */
static void push_size(lua_State *L, const Prog *p, Ex e)
{
    int64_t v;
    Str s = {0};
    if (x_isint(p, e, &v)) {
        lua_pushinteger(L, v);
        return;
    }
    ex_print(p, e, &s);
    lua_pushlstring(L, s.s ? s.s : "", s.n);
    str_free(&s);
}

/* Sizes as the user thinks of them: of a fragment those of the tile, not of a
 * thread's slots. */
static void push_sizes(lua_State *L, const Prog *p, const Buf *b)
{
    bool tile = b->map && b->scope != SCshared;
    int n = tile ? b->map->ndim : b->ndim;
    lua_createtable(L, n, 0);
    for (int d = 0; d < n; d++) {
        if (tile)
            lua_pushinteger(L, b->map->size[d]);
        else
            push_size(L, p, b->shape[d]);
        lua_rawseti(L, -2, d + 1);
    }
    lua_setfield(L, -2, "shape");
}

/* Bytes in memory; of registers, those of one thread. */
static int64_t lbuffers_bytes(const Prog *p, uint32_t buf)
{
    const Buf *b = &p->buf[buf];
    int64_t bits = dtypeinfo[b->dt].bits;
    if (b->map)
        return (layout_extent(b->map, b->scope == SCshared ? AXoff : AXreg) * bits + 7) / 8;
    return buf_bytes(p, buf);
}

static bool lbuffers_rowmajor(const Prog *p, const Buf *b, Layout *out)
{
    int32_t size[LayDims];
    int64_t v, all = 1;
    for (int d = 0; d < b->ndim; d++) {
        if (b->stride[d] || !x_isint(p, b->shape[d], &v) || v < 1 || v > INT32_MAX / 16)
            return false;
        size[d] = (int32_t)v;
        all *= v;
        if (all > INT32_MAX / 16)
            return false;
    }
    layout_linear(out, b->ndim, size);
    return b->ndim > 0;
}

/* The layout of b, if one is known: of registers, where the compiler chose one;
 * of memory also the plain one. */
static void push_map(lua_State *L, const Prog *p, const Buf *b)
{
    Layout l;
    if (b->map)
        layout_push(L, b->map);
    else if ((b->scope == SCglobal || b->scope == SCshared) && lbuffers_rowmajor(p, b, &l))
        layout_push(L, &l);
    else
        return;
    lua_setfield(L, -2, "map");
}

typedef struct BufferList {
    lua_State *L;
    const Prog *p;
    int n, launch;
    int32_t lo, hi; /* threads that run the statements at hand */
} BufferList;

static void push_buffer(const BufferList *k, uint32_t buf)
{
    lua_State *L = k->L;
    const Prog *p = k->p;
    const Buf *b = &p->buf[buf];
    int64_t n = lbuffers_bytes(p, buf);
    lua_createtable(L, 0, 16);
    field_text(L, "name", b->name);
    field_text(L, "scope", b->scope == SClocal && b->map ? scopename[SCfragment] : scopename[b->scope]);
    field_text(L, "dtype", dtypeinfo[b->dt].name);
    field_integer(L, "bits", dtypeinfo[b->dt].bits);
    push_sizes(L, p, b);
    push_map(L, p, b);
    if (n >= 0)
        field_integer(L, "bytes", n);
    if (b->at >= 0 && (b->scope == SCshared || b->scope == SCbarrier))
        field_integer(L, "at", b->at);
    if (k->launch) {
        field_integer(L, "launch", k->launch);
        field_integer(L, "first", k->lo);
        field_integer(L, "threads", k->hi - k->lo);
    }
    if (b->base)
        field_text(L, "view", p->buf[buf_root(p, buf)].name);
    buffer_location(L, &p->ctx, b->loc, "line", "file");
    if (b->cause) {
        field_text(L, "cause", b->cause);
        buffer_location(L, &p->ctx, b->fixed, "fixed_line", "fixed_file");
    }
}

static void buffer_add(BufferList *k, uint32_t buf)
{
    push_buffer(k, buf);
    lua_rawseti(k->L, -2, ++k->n);
}

/* A buffer and the views of it. */
static void lbuffers_declared(BufferList *k, uint32_t buf)
{
    buffer_add(k, buf);
    for (uint32_t v = 1; v < k->p->nbuf; v++)
        if (k->p->buf[v].base && k->p->buf[v].map && buf_root(k->p, v) == buf)
            buffer_add(k, v);
}

static void lbuffers_allocs(BufferList *k, Stmt *s)
{
    Stmt *b[2];
    for (; s; s = s->next) {
        int32_t lo = k->lo, hi = k->hi;
        if (s->kind == Salloc)
            lbuffers_declared(k, s->alloc.buf);
        if (s->kind == Srole) {
            k->lo = s->role.lo;
            k->hi = s->role.hi;
        }
        for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
            lbuffers_allocs(k, b[i]);
        k->lo = lo;
        k->hi = hi;
    }
}

/* list(Q) -> {{name =, scope =, dtype =, bits =, shape = {..}, map =, bytes =, at =,
 * launch =, first =, threads = (those that have it), view =, line =, file =, cause =,
 * fixed_line =, fixed_file =}, ..}:
 * parameters first, then the buffers of each launch in the order of their
 * declarations.  A size that is not known is the text of its expression. */
static int f_lbuffers_list(lua_State *L)
{
    const Prog *p = check_prog(L, 1)->p;
    BufferList k = {.L = L, .p = p};
    lua_newtable(L);
    for (uint32_t i = 1; i < p->nbuf; i++)
        if (p->buf[i].scope == SCglobal && (p->buf[i].param || p->buf[i].out))
            buffer_add(&k, i);
    for (Stmt *s = p->body; s; s = s->next)
        if (s->kind == Slaunch) {
            k.launch++;
            k.lo = 0;
            k.hi = 1;
            for (int i = 0; i < s->launch.nthread; i++)
                k.hi *= s->launch.threads[i];
            lbuffers_allocs(&k, s->launch.body);
        }
    return 1;
}

/* Products ------------------------------------------------------------- */

static const char *lbuffers_name_of(const Prog *p, const Stmt *s, int r)
{
    return s->op.r[r].buf ? p->buf[s->op.r[r].buf].name : NULL;
}

static bool lbuffers_products(Stmt *s, void *ud)
{
    BufferList *k = ud;
    lua_State *L = k->L;
    bool tile = s->kind == Sop && s->op.op == Ogemm;
    if (s->kind != Sop || (!tile && s->op.op != Omma && s->op.op != Owgmma))
        return true;
    lua_createtable(L, 0, 10);
    field_integer(L, "launch", k->launch);
    buffer_location(L, &k->p->ctx, s->loc, "line", "file");
    field_text(L, "a", lbuffers_name_of(k->p, s, 0));
    field_text(L, "b", lbuffers_name_of(k->p, s, 1));
    field_text(L, "c", lbuffers_name_of(k->p, s, 2));
    if (!tile)
        field_text(L, "instruction", s->op.text);
    if (s->op.op == Owgmma)
        field_integer(L, "n", s->op.attr[0]);
    lua_rawseti(L, -2, ++k->n);
    return true;
}

/* products(P) -> {{launch =, line =, file =, a =, b =, c =, instruction =, n =}, ..}:
 * matrix products in the order of the program: of a tile program T.gemm with
 * the names of its buffers, of a thread program the instructions (n: of a wgmma) */
static int f_products(lua_State *L)
{
    const Prog *p = check_prog(L, 1)->p;
    BufferList k = {.L = L, .p = p};
    lua_newtable(L);
    for (Stmt *s = p->body; s; s = s->next)
        if (s->kind == Slaunch) {
            k.launch++;
            stmt_walk(s->launch.body, lbuffers_products, &k);
        }
    return 1;
}

/* lower(P, spec) -> Q: the thread program for a machine or target */
static int f_lower(lua_State *L)
{
    LProg *lp = check_prog(L, 1);
    const char *spec = luaL_checkstring(L, 2);
    lua_settop(L, 2);
    ir_threads(L, lp, spec, NULL);
    if (lua_gettop(L) == 2) /* it was one already */
        lua_pushvalue(L, 1);
    return 1;
}

/* machine(Q) -> its name, or nil of a tile program; lanes of a warp, banks,
 * bytes of a bank, bytes of a sector */
static int f_lbuffers_machine(lua_State *L)
{
    const Prog *p = check_prog(L, 1)->p;
    const Machine *m = p->machine ? machine_find(p->machine) : NULL;
    if (!m)
        return 0;
    lua_pushstring(L, m->name);
    lua_pushinteger(L, m->warp);
    lua_pushinteger(L, m->banks);
    lua_pushinteger(L, m->bank_bytes);
    lua_pushinteger(L, m->sector);
    return 5;
}

int luaopen_moontile_irbuffers(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"lower", f_lower},
        {"list", f_lbuffers_list},
        {"products", f_products},
        {"machine", f_lbuffers_machine},
        {NULL, NULL},
    };
    api_require(L, "moontile.layout"); /* its type */
    luaL_newlib(L, functions);
    return 1;
}
