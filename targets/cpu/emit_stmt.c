/* targets/cpu/emit_stmt.c: statements: allocations, bindings, branches; the
 * larger kinds have files of their own. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emit.h"

/* Buffers -------------------------------------------------------------- */

/* "128 x 32" */
static const char *cstmt_shape_text(Gen *g, const Buf *b)
{
    char s[128] = "";
    size_t n = 0;
    for (int d = 0; d < b->ndim; d++) {
        int64_t v = 0;
        x_isint(g->p, b->shape[d], &v);
        n += (size_t)snprintf(s + n, sizeof s - n, d ? " x %" PRId64 : "%" PRId64, v);
        if (n >= sizeof s)
            break;
    }
    return astr(g->c, s, strlen(s));
}

void declare_views(Gen *g, uint32_t root)
{
    for (uint32_t b = 1; b < g->p->nbuf; b++) {
        StorePlace *pl = &g->place[b];
        if (pl->kind != PLview || buf_root(g->p, b) != root || !pl->live)
            continue;
        const char *type = held_type(g, (enum Dtype)pl->held, pl->alias);
        const char *cnst =
            g->place[root].kind == PLpointer && !g->place[root].written ? "const " : "";
        pl->name = declare(g, g->p->buf[b].name);
        line(g, "%s%s *%s = (%s%s *)%s; /* the same bytes as %s */", cnst, type, pl->name, cnst,
             type, g->place[root].name, aplain(g->c, g->p->buf[root].name));
    }
}

/* First writes ------------------------------------------------------------- */

typedef struct Mention {
    const Gen *g;
    uint32_t root;
    bool found;
} Mention;

static bool is_mention(void *ud, Ex e)
{
    const Mention *m = ud;
    const Expr *x = ex_at(m->g->p, e);
    return x->op == Xload && buf_root(m->g->p, x->sym) == m->root;
}

static bool mention_stmt(Stmt *s, void *ud)
{
    Mention *m = ud;
    const Prog *p = m->g->p;
    if (s->kind == Sstore)
        m->found = m->found || buf_root(p, s->store.buf) == m->root;
    if (s->kind == Satomic)
        m->found = m->found || buf_root(p, s->atomic.buf) == m->root;
    for (int i = 0; s->kind == Sop && i < MaxRegion; i++)
        m->found = m->found || (s->op.r[i].buf && buf_root(p, s->op.r[i].buf) == m->root);
    m->found = m->found || stmt_any(p, s, is_mention, m);
    return !m->found;
}

static bool mentioned(const Gen *g, Stmt *s, uint32_t root, bool inside)
{
    Mention m = {g, root, false};
    Stmt *next = s->next;
    if (!inside)
        s->next = NULL;
    stmt_walk(s, mention_stmt, &m);
    s->next = next;
    return m.found;
}

/* Whether s writes all of b before it reads any: a whole tile operation, or a
 * nest over all of it whose first statement stores its element. */
static bool writes_whole(Gen *g, const Stmt *s, uint32_t b)
{
    enum { Clear = 3, ReduceClear = 2 };
    const Buf *buf = &g->p->buf[b];
    int64_t lo, hi, n;
    if (s->kind == Sop) {
        const Region *r = s->op.r;
        int out = s->op.op == Ogemm ? 2 : s->op.op == Ofill ? 0 : 1;
        bool fits = s->op.op == Ofill || s->op.op == Ocopy ||
                    (s->op.op == Ogemm && s->op.attr[Clear]) ||
                    (s->op.op == Oreduce && s->op.attr[ReduceClear]);
        for (int i = 0; i < out; i++)
            fits = fits && r[i].buf && buf_root(g->p, r[i].buf) != b;
        return fits && r[out].buf == b && region_whole(g->p, &r[out]);
    }
    if (s->kind != Sfor || s->loop.step || s->loop.n != buf->ndim || !s->loop.body ||
        s->loop.body->kind != Sstore || s->loop.body->store.buf != b)
        return false;
    for (int d = 0; d < s->loop.n; d++)
        if (s->loop.body->store.idx[d] != x_var(g->p, s->loop.var[d]) ||
            !x_isint(g->p, s->loop.lo[d], &lo) || lo != 0 || !x_isint(g->p, s->loop.hi[d], &hi) ||
            !x_isint(g->p, buf->shape[d], &n) || hi != n)
            return false;
    return !ex_reads(g->p, s->loop.body->store.value, b) &&
           (!s->loop.body->next || !mentioned(g, s->loop.body->next, b, true));
}

/* Whether the tile is written as a whole before anything reads it.  Else it
 * must begin with something: C says nothing of an array's first contents, not
 * even that a test and the use behind it see the same. */
static bool written_first(Gen *g, Stmt *s, uint32_t b)
{
    for (; s; s = s->next) {
        if (writes_whole(g, s, b))
            return true;
        if (mentioned(g, s, b, false))
            return false;
    }
    return true;
}

/* Allocations ---------------------------------------------------------------- */

static void emit_alloc(Gen *g, Stmt *s)
{
    uint32_t b = s->alloc.buf;
    StorePlace *pl = &g->place[b];
    const Buf *buf = &g->p->buf[b];
    if (buf->scope == SCglobal)
        return; /* a workspace: an argument */
    if (pl->kind == PLscalar) {
        Ex init = s->alloc.init;
        emit_temps(g, &init, 1);
        begin(g);
        pl->name = declare(g, buf->name);
        put(g, "%s %s = ", value_type((enum Dtype)buf->dt), pl->name);
        g->fresh = true;
        if (init)
            emit_expr(g, init, PRany);
        else
            put(g, "0");
        g->fresh = false;
        put(g, ";\n");
        end_shared(g);
        return;
    }
    const char *type = held_type(g, (enum Dtype)pl->held, false);
    const char *as =
        pl->held == buf->dt ? "" : afmt(g->c, ", held as %s", dtypeinfo[pl->held].name);
    int64_t n = buf->dt == DTi4 || buf->dt == DTu4 ? held_bytes((enum Dtype)pl->held, pl->count)
                                                   : pl->count;
    pl->name = declare(g, buf->name);
    bool first = written_first(g, s->next, b);
    if (pl->kind == PLarray)
        line(g, "%s %s[%" PRId64 "] __attribute__((aligned(64)))%s; /* %s %s, %s%s */", type,
             pl->name, n, first ? "" : " = {0}", scopename[buf->scope], dtypeinfo[buf->dt].name,
             cstmt_shape_text(g, buf), as);
    else
        line(g, "%s *restrict %s = (%s *)(scratch + %" PRId64 "); /* %s %s, %s%s */", type,
             pl->name, type, pl->offset, scopename[buf->scope], dtypeinfo[buf->dt].name,
             cstmt_shape_text(g, buf), as);
    if (pl->kind == PLscratch && !first && bits_of((enum Dtype)buf->dt) < 8)
        line(g, "__builtin_memset(%s, 0, %" PRId64 ");", pl->name,
             held_bytes((enum Dtype)pl->held, pl->count));
    declare_views(g, b);
}

/* Statements ----------------------------------------------------------- */

void emit_let(Gen *g, Stmt *s)
{
    uint32_t v = s->let.var;
    Ex e = g->p->var[v].value;
    emit_temps(g, &e, 1);
    room(g);
    begin(g);
    const char *name = declare(g, g->p->var[v].name);
    put(g, "const %s %s = ", value_type((enum Dtype)g->p->var[v].dt), name);
    g->fresh = true;
    emit_as(g, e, (enum Dtype)g->p->var[v].dt, PRany);
    g->fresh = false;
    put(g, ";\n");
    end_shared(g);
    room(g);
    g->name[v] = name;
}

static void emit_store(Gen *g, Stmt *s)
{
    Ex e[MaxDim + 1] = {s->store.value};
    int n = 1;
    for (int d = 0; d < g->p->buf[s->store.buf].ndim; d++)
        if (!index_widens(g, s->store.buf, s->store.idx, d))
            e[n++] = s->store.idx[d];
    emit_temps(g, e, n);
    emit_assign(g, s->store.buf, s->store.idx, s->store.value);
    end_shared(g);
}

static void emit_block(Gen *g, Stmt *s)
{
    uint32_t mark = scope_enter(g);
    emit_list(g, s);
    scope_leave(g, mark);
}

static void emit_if(Gen *g, Stmt *s)
{
    Ex c = s->cond.cond;
    emit_temps(g, &c, 1);
    begin(g);
    put_if(g);
    emit_expr(g, c, PRany);
    put(g, ")");
    end_shared(g);
    open_brace(g);
    uint32_t mark = refine(g, c, true);
    emit_block(g, s->cond.then);
    refine_end(g, mark);
    if (s->cond.els) {
        g->indent--;
        begin(g);
        put(g, "} else");
        open_brace(g);
        mark = refine(g, c, false);
        emit_block(g, s->cond.els);
        refine_end(g, mark);
    }
    close_brace(g);
}

/* The condition and its temporaries are evaluated anew in each round. */
static void emit_while(Gen *g, Stmt *s)
{
    Ex c = s->whil.cond;
    forget_written(g, s); /* by an earlier round */
    uint32_t mark = scope_enter(g);
    begin(g);
    put(g, "for (;;)");
    open_brace(g);
    line(g, "%s();", use(g, "no_vectors"));
    emit_temps(g, &c, 1);
    begin(g);
    put_if(g);
    put(g, "!");
    emit_expr(g, c, PRpost);
    put(g, ")\n");
    line(g, "    break;");
    end_shared(g);
    emit_block(g, s->whil.body);
    close_brace(g);
    scope_leave(g, mark);
}

static void cstmt_emit_assert(Gen *g, Stmt *s)
{
    Ex c = s->check.cond;
    emit_temps(g, &c, 1);
    begin(g);
    put_if(g);
    put(g, "!");
    emit_expr(g, c, PRpost);
    put(g, ")\n");
    begin(g);
    put(g, "    rt->fail(rt, ");
    put_string(g, s->check.text && *s->check.text ? s->check.text : "device_assert failed");
    put(g, ", %" PRIu32 ");\n", s->loc.line);
    end_shared(g);
}

static void emit_call_stmt(Gen *g, Stmt *s)
{
    if (s->call.fn != Isync_threads && s->call.fn != Isync_warp)
        refuse(g, s->loc, intrinfo[s->call.fn].text);
    line(g, "/* T.%s: one thread runs the block, there is nobody to wait for */",
         intrinfo[s->call.fn].text);
}

bool pure_regions(const Gen *g, const Stmt *s)
{
    for (int i = 0; i < MaxRegion; i++)
        for (int d = 0; s->op.r[i].buf && d < g->p->buf[s->op.r[i].buf].ndim; d++)
            if (!x_pure(g->p, s->op.r[i].min[d]) || !x_pure(g->p, s->op.r[i].extent[d]))
                return false;
    return true;
}

/* A number of a region that is read from memory is read once: what the
 * operation writes may be what it is read from. */
static Ex number_once(Gen *g, Ex e)
{
    if (x_pure(g->p, e))
        return e;
    enum Dtype dt = type_of(g, e);
    emit_temps(g, &e, 1);
    const char *name = declare(g, "at_index");
    begin(g);
    put(g, "const %s %s = ", value_type(dt), name);
    g->fresh = true;
    emit_expr(g, e, PRany);
    g->fresh = false;
    put(g, ";\n");
    end_shared(g);
    return value_new(g, dt, name);
}

static void emit_tile_op(Gen *g, Stmt *s);

static void emit_op(Gen *g, Stmt *s)
{
    if (pure_regions(g, s)) {
        emit_tile_op(g, s);
        return;
    }
    Stmt once = *s;
    uint32_t mark = scope_enter(g);
    line(g, "{");
    g->indent++;
    for (int i = 0; i < MaxRegion; i++)
        for (int d = 0; once.op.r[i].buf && d < g->p->buf[once.op.r[i].buf].ndim; d++) {
            once.op.r[i].min[d] = number_once(g, once.op.r[i].min[d]);
            once.op.r[i].extent[d] = number_once(g, once.op.r[i].extent[d]);
        }
    emit_tile_op(g, &once);
    close_brace(g);
    scope_leave(g, mark);
}

static void emit_tile_op(Gen *g, Stmt *s)
{
    enum { GemmAsync = 5 }; /* of its attributes: T.wgmma_gemm */
    if (s->op.op == Ogemm && s->op.attr[GemmAsync])
        refuse(g, s->loc, "wgmma_gemm");
    switch (s->op.op) {
    case Ocopy: emit_copy(g, s); break;
    case Ofill: emit_fill(g, s); break;
    case Ogemm: emit_gemm(g, s); break;
    case Oreduce: emit_reduce(g, s); break;
    case Oscan: emit_scan(g, s); break;
    case Otranspose: emit_transpose(g, s); break;
    case Oatomic: emit_atomic_tile(g, s); break;
    case Oprint: emit_print_region(g, s); break;
    case Oimport_source: break; /* in front of all: emit_sources() */
    default: refuse(g, s->loc, op_name(g->p, (enum Op)s->op.op)); /* started here, waited for */
    }
}

void emit_stmt(Gen *g, Stmt *s)
{
    Loc outer = g->here;
    g->here = s->loc.line ? s->loc : outer;
    if (s->kind != Sassume)
        note_line(g, s->loc);
    switch (s->kind) {
    case Salloc: emit_alloc(g, s); break;
    case Slet: emit_let(g, s); break;
    case Sstore: emit_store(g, s); break;
    case Sfor: emit_for(g, s); break;
    case Swhile: emit_while(g, s); break;
    case Sif: emit_if(g, s); break;
    case Sbreak: line(g, "break;"); break;
    case Scontinue: line(g, "continue;"); break;
    case Sop: emit_op(g, s); break;
    case Srole: refuse(g, s->loc, "ws"); break;
    case Satomic: emit_atomic(g, s); break;
    case Scall: emit_call_stmt(g, s); break;
    case Sprint: emit_print_value(g, s); break;
    case Sassert: cstmt_emit_assert(g, s); break;
    case Sassume: break; /* checked by nothing here, so nothing may rest on it */
    default: diag_fail(g->c, E_bug, s->loc, "a statement without C spelling", NULL);
    }
    forget_written(g, s);
    g->here = outer;
}

/* Bindings end with their block. */
void emit_list(Gen *g, Stmt *first)
{
    for (Stmt *s = first; s;) {
        Stmt *next = emit_fused(g, s);
        if (next == s) {
            emit_stmt(g, s);
            next = s->next;
        }
        s = next;
    }
    for (Stmt *s = first; s; s = s->next)
        if (s->kind == Slet)
            g->name[s->let.var] = NULL;
        else if (s->kind == Satomic && s->atomic.prev)
            g->name[s->atomic.prev] = NULL;
}
