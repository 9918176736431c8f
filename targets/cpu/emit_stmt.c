/* targets/cpu/emit_stmt.c: statements: allocations, bindings, branches; the
 * larger kinds have files of their own. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emit.h"

/* Buffers -------------------------------------------------------------- */

/* "128 x 32" */
static const char *shape_text(Gen *g, const Buf *b)
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
        Place *pl = &g->place[b];
        if (pl->kind != PKview || buf_root(g->p, b) != root || !pl->live)
            continue;
        const char *type = held_type(g, (enum Dtype)pl->held, pl->alias);
        const char *cnst =
            g->place[root].kind == PKpointer && !g->place[root].written ? "const " : "";
        pl->name = declare(g, g->p->buf[b].name);
        line(g, "%s%s *%s = (%s%s *)%s; /* the same bytes as %s */", cnst, type, pl->name, cnst,
             type, g->place[root].name, aplain(g->c, g->p->buf[root].name));
    }
}

static void emit_alloc(Gen *g, Stmt *s)
{
    uint32_t b = s->alloc.buf;
    Place *pl = &g->place[b];
    const Buf *buf = &g->p->buf[b];
    if (buf->scope == SCglobal)
        return; /* a workspace: an argument */
    if (pl->kind == PKscalar) {
        Ex init = s->alloc.init;
        emit_temps(g, &init, 1);
        begin(g);
        pl->name = declare(g, buf->name);
        put(g, "%s %s = ", value_type((enum Dtype)buf->dt), pl->name);
        if (init)
            emit_expr(g, init, PRany);
        else
            put(g, "0");
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
    if (pl->kind == PKarray)
        line(g, "%s %s[%" PRId64 "] __attribute__((aligned(64))); /* %s %s, %s%s */", type,
             pl->name, n, scopename[buf->scope], dtypeinfo[buf->dt].name, shape_text(g, buf), as);
    else
        line(g, "%s *restrict %s = (%s *)(scratch + %" PRId64 "); /* %s %s, %s%s */", type,
             pl->name, type, pl->offset, scopename[buf->scope], dtypeinfo[buf->dt].name,
             shape_text(g, buf), as);
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
    emit_as(g, e, (enum Dtype)g->p->var[v].dt, PRany);
    put(g, ";\n");
    end_shared(g);
    room(g);
    g->name[v] = name;
}

static void emit_store(Gen *g, Stmt *s)
{
    Ex e[MaxDim + 1] = {s->store.value};
    memcpy(e + 1, s->store.idx, sizeof s->store.idx);
    emit_temps(g, e, 1 + g->p->buf[s->store.buf].ndim);
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
    put(g, "if (");
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
    uint32_t mark = scope_enter(g);
    begin(g);
    put(g, "for (;;)");
    open_brace(g);
    emit_temps(g, &c, 1);
    begin(g);
    put(g, "if (!");
    emit_expr(g, c, PRpost);
    put(g, ")\n");
    line(g, "    break;");
    end_shared(g);
    emit_block(g, s->whil.body);
    close_brace(g);
    scope_leave(g, mark);
}

static void emit_assert(Gen *g, Stmt *s)
{
    Ex c = s->check.cond;
    emit_temps(g, &c, 1);
    begin(g);
    put(g, "if (!");
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

static void emit_op(Gen *g, Stmt *s)
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
    case Sassert: emit_assert(g, s); break;
    case Sassume: break; /* checked by nothing here, so nothing may rest on it */
    default: diag_fail(g->c, E_bug, s->loc, "a statement without C spelling", NULL);
    }
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
