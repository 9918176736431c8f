/* core/emit/emit.c: the text as a whole, and statements. */
#include <inttypes.h>
#include <string.h>

#include "emit_p.h"
#include "core/ir/walk.h"

/* Helpers ------------------------------------------------------------------ */

static bool requested(const EmitPriv *q, const char *name)
{
    for (uint32_t i = 0; i < q->nneed; i++)
        if (strcmp(q->need[i], name) == 0)
            return true;
    return false;
}

bool emit_has(Emit *e, const char *name)
{
    EmitPriv *q = priv(e);
    if (requested(q, name))
        return true;
    const char *text = e->d->helper(e, name);
    text = text ? text : emit_prelude(e, name);
    text = text ? text : emit_atomic_text(e, name);
    if (!text)
        return false;
    agrow(&e->p->ctx, &q->need, &q->capneed, q->nneed + 1, sizeof *q->need);
    q->need[q->nneed++] = name;
    str_puts(&q->helpers, text);
    str_puts(&q->helpers, "\n");
    return true;
}

bool emit_helper_named(Emit *e, const char *name)
{
    EmitPriv *q = priv(e);
    uint32_t need = q->nneed;
    size_t text = q->helpers.n;
    bool is = emit_has(e, name);
    q->nneed = need;
    q->helpers.n = text;
    return is;
}

const char *emit_need(Emit *e, const char *name)
{
    if (!emit_has(e, name))
        diag_fail(&e->p->ctx, E_bug, e->here,
                  afmt(&e->p->ctx, "the dialect %s has no helper `%s`", e->d->name, name), NULL);
    return name;
}

uint32_t emit_newvar(Emit *e, const char *name, int64_t hi)
{
    uint32_t n = e->p->nvar, v = p_var(e->p, Vloop, DTi32, name, 0, hi);
    const char **names = anew(&e->p->ctx, e->p->nvar * sizeof *names);
    memcpy(names, e->varname, n * sizeof *names);
    e->varname = names;
    return v;
}

/* Blocks --------------------------------------------------------------------- */

/* Closes the block whose opening line ends at `start`: a single statement of one line
 * needs no braces. */
static void close_block(Emit *e, const Stmt *s, size_t start, bool keep)
{
    enum { Brace = 3 }; /* " {\n" */
    Str *b = e->body;
    size_t end = start;
    bool plain = s && !s->next && (s->kind == Sstore || s->kind == Sop || s->kind == Scall ||
                                   s->kind == Sbreak || s->kind == Scontinue);
    while (plain && end < b->n && b->s[end] != '\n')
        end++;
    const char *text = b->s + start + strspn(b->s + start, " ");
    if (keep || !plain || end + 1 != b->n || *text == '/' || *text == '#' || *text == '{') {
        emit_close(e);
        return;
    }
    memmove(b->s + start - Brace, b->s + start - 1, b->n - start + 2);
    b->n -= Brace - 1;
    origin_shift(e->p, e->p->norigin - 1, 1 - Brace);
    e->indent--;
}

static void emit_stmts(Emit *e, const Stmt *s);

static void emit_kernel_body(Emit *e, const Stmt *s, bool keep)
{
    uint32_t mark = emit_mark(e);
    size_t start = e->body->n;
    emit_open(e);
    emit_stmts(e, s);
    emit_forget(e, mark);
    close_block(e, s, start, keep);
}

/* Loops ---------------------------------------------------------------------- */

/* Does the block hold what should not be multiplied: matrix instructions, barriers,
 * unrolled loops? */
static bool kernel_heavy(const Stmt *s)
{
    for (; s; s = s->next) {
        Stmt *inner[2];
        if (s->kind == Sop || s->kind == Scall || (s->kind == Sfor && s->loop.kind != Fserial))
            return true;
        for (int i = 0, n = stmt_blocks(s, inner); i < n; i++)
            if (kernel_heavy(inner[i]))
                return true;
    }
    return false;
}

static bool kernel_simple(const Stmt *s)
{
    return s && !s->next && s->kind == Sstore;
}

static void kernel_for(Emit *e, const Stmt *s)
{
    const Dialect *d = e->d;
    int rounds = s->loop.unroll;
    if (rounds < 2 && s->loop.kind == Fserial && kernel_heavy(s->loop.body))
        rounds = emit_ahead(e, s);
    const char *how = s->loop.kind != Fserial         ? s->loop.unroll == 1 ? d->no_unroll : d->unroll
                      : rounds > 1                    ? afmt(&e->p->ctx, "%s %d", d->unroll, rounds)
                      : !kernel_heavy(s->loop.body) ? NULL : d->no_unroll;
    uint32_t mark[MaxLoop];
    if ((s->loop.kind == Fvectorized && emit_vector(e, s)) || emit_pairs(e, s))
        return;
    if (kernel_simple(s->loop.body))
        emit_where(e, s->loop.body->loc);
    size_t start = 0;
    for (int k = 0; k < s->loop.n; k++) {
        emit_loop_head(e, s, k, how, &mark[k]);
        start = e->body->n;
        emit_open(e);
    }
    emit_stmts(e, s->loop.body);
    close_block(e, s->loop.body, start, s->loop.n > 1);
    for (int k = 1; k < s->loop.n; k++)
        emit_close(e);
    emit_forget(e, mark[0]);
}

/* Branches ---------------------------------------------------------------- */

static ExGo kernel_single(void *ud, Ex cond)
{
    const Emit *e = ud;
    const Expr *k = ex_at(e->p, cond);
    if (k->op != Xeq)
        return k->op == Xand ? EXinto : EXskip;
    const Expr *a = ex_at(e->p, k->arg[0]), *b = ex_at(e->p, k->arg[1]);
    uint32_t tid = e->l->launch->launch.thread[0];
    return (a->op == Xvar && a->sym == tid && b->op == Xint) ||
                   (b->op == Xvar && b->sym == tid && a->op == Xint)
               ? EXstop : EXskip;
}

/* Is cond true in one thread only: tid == 0? */
static bool is_single(Emit *e, Ex cond) { return !ex_walk(e->p, cond, kernel_single, e); }

/* Without one of these a condition leads to one place from its middle, as it does at its end. */
static bool kernel_turns(void *ud, Ex x)
{
    const Emit *e = ud;
    const Expr *k = ex_at(e->p, x);
    return k->op == Xor || k->op == Xnot;
}

static void kernel_if(Emit *e, const Stmt *s)
{
    int varies = ex_varies(e, s->cond.cond);
    const Stmt *then = s->cond.then, *els = s->cond.els;
    if (!then && !els)
        return;
    ex_begin(e, &s->cond.cond, 1);
    bool turns = !then || els || ex_any(e->p, s->cond.cond, kernel_turns, e);
    priv(e)->condition = turns ? TextBranches : TextAdmits;
    const char *cond = ex_text(e, s->cond.cond, then ? PRany : PRunary);
    priv(e)->condition = TextChooses;
    ex_end(e);
    int single = then && !els && is_single(e, s->cond.cond);
    emit_line(e, then ? "if (%s) {" : "if (!%s) {", cond);
    priv(e)->divergent += varies;
    priv(e)->single += single;
    emit_kernel_body(e, then ? then : els, then && els);
    if (then && els) {
        e->body->n -= 1; /* behind the brace, on its line */
        str_puts(e->body, " else {\n");
        Loc outer = e->here;
        emit_kernel_body(e, els, true);
        e->here = outer;
    }
    priv(e)->divergent -= varies;
    priv(e)->single -= single;
}

/* Roles that stand one behind the other are one chain of conditions: a thread has one
 * of them, and registers are given and taken by branches of one `if`.  Returns the
 * last role of the chain. */
static const Stmt *kernel_roles(Emit *e, const Stmt *s)
{
    const char *tid = emit_varname(e, e->l->launch->launch.thread[0]);
    int from = 0, outer = priv(e)->first;
    for (bool first = true;; first = false, s = s->next) {
        bool more = s->next && s->next->kind == Srole && s->next->role.lo >= s->role.hi;
        int lo = s->role.lo, hi = s->role.hi;
        const char *name = aplain(&e->p->ctx, s->role.name);
        const char *open = first ? "" : "else ", *note = *name ? " // " : "";
        if (!first) {
            e->body->n -= 1;
            str_puts(e->body, " ");
        }
        Str line = {0};
        if (!first && lo == from && hi == e->l->threads)
            str_fmt(&line, "else {%s%s", note, name);
        else if (lo <= from)
            str_fmt(&line, "%sif (%s < %d) {%s%s", open, tid, hi, note, name);
        else if (hi >= e->l->threads)
            str_fmt(&line, "%sif (%s >= %d) {%s%s", open, tid, lo, note, name);
        else
            str_fmt(&line, "%sif (%s >= %d && %s < %d) {%s%s", open, tid, lo, tid, hi, note, name);
        const char *text = emit_done(e, &line);
        if (first)
            emit_line(e, "%s", text);
        else
            str_fmt(e->body, "%s\n", text);
        priv(e)->first = lo;
        emit_kernel_body(e, s->role.body, true);
        from = hi;
        if (!more)
            break;
    }
    priv(e)->first = outer;
    return s;
}

/* Declarations --------------------------------------------------------------- */

static void kernel_let(Emit *e, uint32_t var)
{
    Ex value = e->p->var[var].value;
    enum Dtype dt = (enum Dtype)e->p->var[var].dt;
    if (!priv(e)->used[var] && !x_extern_does(e->p, value))
        return;
    if (e->p->var[var].once) {
        const Expr *x = ex_at(e->p, priv(e)->once = value);
        while (x->op == Xselect || x->op == Xcast)
            x = ex_at(e->p, priv(e)->once = x->arg[x->op == Xselect]);
    }
    ex_begin(e, &value, 1);
    const char *text = cast_text(e, value, dt, PRany, false);
    ex_end(e);
    priv(e)->once = 0;
    emit_line(e, "const %s %s = %s;", flight_type(dt), emit_name_var(e, var), text);
}

static int64_t kernel_slots_of(const Emit *e, uint32_t buf)
{
    int64_t n = 1, size;
    for (int d = 0; d < e->p->buf[buf].ndim; d++)
        n *= x_isint(e->p, e->p->buf[buf].shape[d], &size) ? size : 1;
    return n;
}

static void local(Emit *e, const Stmt *s)
{
    uint32_t buf = s->alloc.buf;
    const Buf *b = &e->p->buf[buf];
    enum Dtype dt = (enum Dtype)b->dt;
    int64_t n = kernel_slots_of(e, buf), bytes = n * dtypeinfo[dt].bits / 8;
    const char *type = e->d->type(e, dt);
    int align = bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 0;
    if (align > dtypeinfo[dt].bits / 8)
        emit_line(e, "alignas(%d) %s %s[%" PRId64 "];", align, type, emit_name_buf(e, buf), n);
    else
        emit_line(e, "%s %s[%" PRId64 "];", type, emit_name_buf(e, buf), n);
}

static void kernel_variable(Emit *e, const Stmt *s)
{
    enum Dtype dt = (enum Dtype)e->p->buf[s->alloc.buf].dt;
    const char *init = s->alloc.init ? cast_text(e, s->alloc.init, dt, PRany, false) : NULL;
    const char *name = emit_name_buf(e, s->alloc.buf);
    emit_line(e, init ? "%s %s = %s;" : "%s %s;", flight_type(dt), name, init);
}

static const char *kernel_shape_text(Emit *e, const Buf *b)
{
    Ctx *c = &e->p->ctx;
    const char *t = "";
    int64_t n;
    for (int d = 0; d < b->ndim; d++)
        t = afmt(c, "%s%s%" PRId64, t, d ? ", " : "", x_isint(e->p, b->shape[d], &n) ? n : 0);
    return t;
}

static void kernel_shared(Emit *e, const Stmt *s)
{
    uint32_t buf = s->alloc.buf;
    const Buf *b = &e->p->buf[buf];
    const char *type = b->scope == SCbarrier ? "unsigned long long" : buf_type(e, buf);
    const char *what = b->scope == SCbarrier ? "mbarriers " : dtypeinfo[b->dt].name;
    const char *name = emit_name_buf(e, buf);
    emit_line(e, "%s *const %s = (%s *)(smem + %" PRId64 "); // %s[%s]", type, name, type, b->at,
              what, kernel_shape_text(e, b));
}

static void kernel_alloc(Emit *e, const Stmt *s)
{
    const Buf *b = &e->p->buf[s->alloc.buf];
    if (b->base || b->scope == SCglobal)
        return;
    if (b->scope == SCvar)
        kernel_variable(e, s);
    else if (b->scope == SClocal || b->scope == SCfragment)
        local(e, s);
    else
        kernel_shared(e, s);
}

/* Statements ----------------------------------------------------------------- */

static void while_(Emit *e, const Stmt *s)
{
    emit_line(e, "while (%s) {", emit_top(e, s->whil.cond));
    emit_kernel_body(e, s->whil.body, true);
}

static void kernel_assume(Emit *e, const Stmt *s)
{
    if (x_pure(e->p, s->check.cond))
        emit_line(e, "%s(%s);", emit_need(e, "assume"), emit_top(e, s->check.cond));
}

/* A call of the user's own C, whose pointers are private arrays. */
static void kernel_extern(Emit *e, const Stmt *s)
{
    const char *from = emit_regs(e, &s->op.r[0]), *to = emit_regs(e, &s->op.r[1]);
    const char *value = s->op.attr[0] ? emit_top(e, s->op.value) : NULL;
    emit_line(e, "%s(%s, %s%s%s);", s->op.text, from, to, value ? ", " : "", value ? value : "");
}

/* That C: once, above the kernels. */
static void kernel_source(Emit *e, const Stmt *s)
{
    Str *k = &priv(e)->sources;
    if (!s->op.text || (k->s && strstr(k->s, s->op.text)))
        return;
    str_puts(k, k->n ? "" : "typedef unsigned uint;\n\n");
    str_puts(k, s->op.text);
    str_puts(k, "\n");
}

static bool is_brace(const Stmt *s)
{
    return s->kind == Sfor || s->kind == Srole || s->kind == Slaunch;
}

static const Stmt *kernel_stmt(Emit *e, const Stmt *s)
{
    e->at = s->loc.line ? s->loc : e->at;
    if (!is_brace(s) && s->kind != Slet && s->kind != Salloc && s->kind != Sassume)
        emit_where(e, s->loc);
    switch ((enum StmtKind)s->kind) {
    case Salloc: kernel_alloc(e, s); break;
    case Slet: kernel_let(e, s->let.var); break;
    case Sstore: store_line(e, s->store.buf, s->store.idx, s->store.value); break;
    case Sfor: kernel_for(e, s); break;
    case Swhile: while_(e, s); break;
    case Sif: kernel_if(e, s); break;
    case Sbreak: emit_line(e, "break;"); break;
    case Scontinue: emit_line(e, "continue;"); break;
    case Sop:
        if (s->op.op == Oprint)
            emit_tile(e, s);
        else if (s->op.op == Ocall_extern)
            kernel_extern(e, s);
        else if (s->op.op == Oimport_source)
            kernel_source(e, s);
        else
            e->d->op(e, s);
        break;
    case Satomic: emit_atomics(e, s); break;
    case Scall: e->d->op(e, s); break;
    case Sprint: emit_print(e, s); break;
    case Sassert: emit_assert(e, s); break;
    case Sassume: kernel_assume(e, s); break;
    case Srole: return kernel_roles(e, s);
    default: diag_fail(&e->p->ctx, E_bug, s->loc, "a statement that no thread executes", NULL);
    }
    return s;
}

/* Are s and what is inside of it nothing but what is assumed of memory, which says nothing to a
 * compiler, and the way to it? */
static bool kernel_silent(const Prog *p, const Stmt *s)
{
    Stmt *b[2];
    if (s->kind == Sassume)
        return !x_pure(p, s->check.cond);
    if (s->kind != Sfor && (s->kind != Sif || !x_pure(p, s->cond.cond)))
        return false;
    bool any = false;
    for (int i = 0, n = stmt_blocks(s, b); i < n; i++)
        for (const Stmt *k = b[i]; k; k = k->next) {
            if (k->kind != Slet && !kernel_silent(p, k))
                return false;
            any |= k->kind != Slet;
        }
    return any;
}

static void emit_stmts(Emit *e, const Stmt *s)
{
    Loc outer = e->at;
    for (; s; s = s->next) {
        e->at = outer;
        if (kernel_silent(e->p, s))
            continue;
        s = kernel_stmt(e, s);
        if (s->kind == Sbreak || s->kind == Scontinue)
            break; /* nothing behind it runs */
    }
    e->at = outer;
}

/* Kernels -------------------------------------------------------------------- */

/* Is x the number of the thread, or another name of it? */
static bool is_tid(const Emit *e, Ex x)
{
    const Expr *k = ex_at(e->p, x);
    if (k->op != Xvar)
        return false;
    const Var *v = &e->p->var[k->sym];
    return k->sym == e->l->launch->launch.thread[0] ||
           (v->kind == Vlet && v->value && is_tid(e, v->value));
}

const char *emit_group(const Emit *e, Ex x, int64_t threads)
{
    const EmitPriv *q = e->priv;
    for (int i = 0; i < q->ngroup; i++)
        if (q->group[i].threads == threads && is_tid(e, x))
            return q->group[i].name;
    return NULL;
}

/* Warp groups have operands of their own.  Their number, told to be the same in all
 * lanes, leaves descriptors to the uniform datapath. */
static void find_group(Emit *e, const Expr *k)
{
    enum { Group = 128 };
    EmitPriv *q = priv(e);
    int64_t n;
    if (k->op != Xfdiv || !x_isint(e->p, k->arg[1], &n) || n < Group || n % Group ||
        !is_tid(e, k->arg[0]) || q->ngroup == MaxGroups)
        return;
    for (int i = 0; i < q->ngroup; i++)
        if (q->group[i].threads == n)
            return;
    q->group[q->ngroup++].threads = n;
}

static void kernel_groups(Emit *e)
{
    EmitPriv *q = priv(e);
    const char *tid = emit_varname(e, e->l->launch->launch.thread[0]);
    for (int i = 0; i < q->ngroup; i++) {
        q->group[i].name = emit_fresh(e, "group");
        emit_line(e, "const int %s = %s(%s / %" PRId64 ");", q->group[i].name,
                  emit_need(e, "warp_uniform"), tid, q->group[i].threads);
    }
}

typedef struct BufferUses BufferUses;
struct BufferUses { Emit *e; uint32_t *seen, epoch; bool groups; };

static ExGo note_use(void *ud, Ex x)
{
    BufferUses *u = ud;
    const Prog *p = u->e->p;
    const Expr *k = ex_at(p, x);
    if (u->seen[x] == u->epoch)
        return EXskip;
    u->seen[x] = u->epoch;
    if (k->op == Xvar && !priv(u->e)->used[k->sym]) {
        priv(u->e)->used[k->sym] = 1;
        if (ex_let(p, x))
            ex_walk(p, ex_let(p, x), note_use, u);
    }
    if (u->groups)
        find_group(u->e, k);
    bool thread = k->op == Xcall && k->sym >= Ilane_idx && k->sym <= Iwarp_group_idx;
    if (thread || (k->op == Xcall && k->sym == Ishuffle_elect))
        priv(u->e)->used[u->e->l->launch->launch.thread[0]] = 1;
    return EXinto;
}

static bool no_wgmma(Stmt *s, void *ud)
{
    (void)ud;
    return s->kind != Sop || s->op.op != Owgmma;
}

static bool uses_of(Stmt *s, void *ud)
{
    BufferUses *u = ud;
    stmt_ex_walk(u->e->p, s, note_use, u);
    if (s->kind == Sprint || s->kind == Sassert || s->kind == Srole ||
        (s->kind == Sop && s->op.op == Oprint))
        priv(u->e)->used[u->e->l->launch->launch.thread[0]] = 1;
    return true;
}

static bool kernel_is_shared(Stmt *s, void *ud)
{
    Emit *e = ud;
    uint8_t scope = s->kind == Salloc ? e->p->buf[s->alloc.buf].scope : SCnone;
    return scope != SCshared && scope != SCbarrier;
}

/* "const int tid = threadIdx.x;" and, so that quotients and remainders of it become
 * shifts and masks, that it is not negative.  below: what it is less than, 0: not said. */
static void emit_thread_number(Emit *e, uint32_t var, const char *text, int below)
{
    const char *name = emit_name_var(e, var);
    emit_line(e, "const int %s = %s;", name, text);
    if (below)
        emit_line(e, "%s(%s >= 0 && %s < %d);", emit_need(e, "assume"), name, name, below);
    else
        emit_line(e, "%s(%s >= 0);", emit_need(e, "assume"), name);
}

/* Names of threads and blocks, scalars of narrow types as floats, and lets that stand
 * before the launch. */
static void emit_thread_numbers(Emit *e)
{
    const Stmt *s = e->l->launch;
    for (int i = 0; i < e->l->nparam; i++) {
        const PlanParam *a = &e->l->param[i];
        enum Dtype dt = (enum Dtype)a->dt;
        if (a->kind != PKscalar || !is_narrow(dt))
            continue;
        const char *text = from_stored(e, dt, e->varname[a->id], true);
        emit_line(e, "const float %s = %s;", emit_name_var(e, a->id), text);
    }
    if (priv(e)->used[s->launch.thread[0]])
        emit_thread_number(e, s->launch.thread[0], e->d->tid, e->l->threads);
    else
        emit_name_var(e, s->launch.thread[0]);
    kernel_groups(e);
    for (int i = 0; i < s->launch.n; i++) {
        uint32_t v = s->launch.block[i];
        if (priv(e)->used[v])
            emit_thread_number(e, v, e->d->bid[i], 0);
    }
    for (const Stmt *k = e->p->body; k && k != s; k = k->next)
        if (k->kind == Slet)
            kernel_let(e, k->let.var);
}

static void kernel(Emit *e)
{
    BufferUses u = {.e = e, .epoch = 1};
    const Stmt *s = e->l->launch;
    union { const Stmt *c; Stmt *s; } all = {.c = s->launch.body}; /* the walks change nothing */
    u.seen = anew(&e->p->ctx, e->p->nex * sizeof *u.seen);
    priv(e)->used = anew(&e->p->ctx, e->p->nvar);
    priv(e)->ngroup = 0;
    u.groups = e->m->wgmma && e->l->threads % e->m->warp == 0 && !stmt_walk(all.s, no_wgmma, NULL);
    stmt_walk(all.s, uses_of, &u);
    e->here = (Loc){0, 0, 0};
    uint32_t mark = emit_mark(e);
    emit_kernel_head(e);
    e->indent = 1;
    bool has = false;
    for (uint32_t b = 1; b < e->p->nbuf && !has; b++)
        has = e->p->buf[b].scope == SCshared || e->p->buf[b].scope == SCbarrier;
    if (has && !stmt_walk(all.s, kernel_is_shared, e))
        emit_line(e, "%s // %" PRId64 " bytes", e->d->shared, e->l->shared);
    emit_thread_numbers(e);
    emit_stmts(e, s->launch.body);
    e->indent = 0;
    origin_add(e->p, e->body->n, (Loc){0, 0, 0});
    str_puts(e->body, "}\n");
    emit_forget(e, mark);
    memset(e->bufname, 0, e->p->nbuf * sizeof *e->bufname);
    memset(e->varname, 0, e->p->nvar * sizeof *e->varname);
    priv(e)->out = priv(e)->counters = NULL;
}

/* The file where the kernel stands, without its folders; NULL: not known. */
static const char *kernel_file_of(const Plan *q)
{
    uint16_t f = q->nlaunch ? q->launch[0].launch->loc.file : 0;
    const char *s = f && f < q->p->ctx.nfile ? q->p->ctx.file[f] : NULL;
    if (!s || *s != '@')
        return NULL; /* text from elsewhere: Lua's name of it may be all of it */
    for (const char *k = s; *k; k++)
        if ((unsigned char)*k < ' ')
            return NULL;
    const char *slash = strrchr(s, '/');
    return slash ? slash + 1 : s + 1;
}

typedef struct EmitJob EmitJob;
struct EmitJob { Emit *e; EmitPriv *q; const char *name, *file; };

static bool take_called(Stmt *s, void *ud)
{
    Emit *e = ud;
    if (s->kind == Sop && s->op.op == Ocall_extern)
        name_take(&e->p->ctx, &priv(e)->names, s->op.text);
    return true;
}

static void print_all(Ctx *c, void *ud)
{
    EmitJob *j = ud;
    Emit *e = j->e;
    const char *file = kernel_file_of(e->plan);
    j->name = aplain(c, e->p->name);
    j->file = file ? aplain(c, file) : NULL;
    e->bufname = anew(c, e->p->nbuf * sizeof *e->bufname);
    e->varname = anew(c, e->p->nvar * sizeof *e->varname);
    for (uint32_t i = 0; i < e->p->ncalled; i++) /* no name of ours may hide it */
        name_take(c, &priv(e)->names, e->p->called[i].name);
    stmt_walk(e->p->body, take_called, e);
    for (int i = 0; i < e->plan->nlaunch; i++) {
        e->l = &e->plan->launch[i];
        priv(e)->reads_only = !emit_writes_wide(e);
        if (i)
            str_puts(e->body, "\n");
        kernel(e);
    }
}

/* The rest of the first line: a file may be called anything. */
static void from_file(Str *out, const char *file)
{
    size_t at = out->n;
    str_puts(out, file ? ", from " : "");
    str_visible(out, file ? file : "", file ? strlen(file) : 0);
    for (; !out->bad && at < out->n; at++)
        if (out->s[at] == '\n')
            out->s[at] = ' ';
    str_puts(out, "\n\n");
}

bool emit_program(const Plan *plan, const Dialect *d, bool fast_math, Str *out)
{
    EmitPriv q = {.first = 0};
    Str text = {0};
    Emit e = {.p = plan->p, .plan = plan, .m = plan->m, .d = d, .fast_math = fast_math,
              .body = &text, .priv = &q};
    q.scalar = (Scalar){.p = e.p, .w = &emit_words, .ud = &e, .here = &e.here, .out = &q.text,
                        .fast_div = fast_math ? "__fdividef" : NULL};
    EmitJob j = {&e, &q, NULL, NULL};
    plan->p->norigin = 0;
    bool ok = ctx_try(&plan->p->ctx, print_all, &j) && !text.bad && !q.helpers.bad && !q.sources.bad;
    if (ok) {
        str_fmt(out, "// %s for %s", j.name, plan->m->name);
        from_file(out, j.file);
        str_puts(out, d->head ? d->head : "");
        str_add(out, q.helpers.s ? q.helpers.s : "", q.helpers.n);
        str_add(out, q.sources.s ? q.sources.s : "", q.sources.n);
        origin_shift(plan->p, 0, (int64_t)out->n);
        str_add(out, text.s ? text.s : "", text.n);
    }
    str_free(&text);
    str_free(&q.helpers);
    str_free(&q.sources);
    str_free(&q.text);
    return ok && !out->bad;
}
