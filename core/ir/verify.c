/* core/ir/verify.c: the invariants of the IR, checked between passes.
 *
 * But for a value that was carried out of its block, and for thread programs
 * that somebody wrote, what fails here is never the user's mistake: the builder's
 * functions and the checks have refused those.  A message names the pass that has
 * just run and the statement, and ends the compilation.
 *
 *   expressions  operator, type and arity in range, arguments made before what
 *                uses them, operand types as the operator's kind asks
 *   names        variables and buffers are used only where they are visible,
 *                and come into being once
 *   statements   kinds and attributes in range, ranks and types of what they
 *                read and write, all frames closed, launches outermost, tile
 *                operations inside one, break and continue inside a loop
 *
 * What a thread program asks beyond that stands in verify_thread.c. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "verify.h"
#include "err/ir.h"
#include "err/kernel.h"

enum { MaxReports = 5 };

struct Verify {
    Prog *p;
    const char *after;
    Loc at;
    int reports, loops; /* loops around */
    bool kernel;        /* inside a launch */
    const Stmt *role;   /* the role around, or NULL */
    uint8_t *var, *buf; /* how often come into being | Visible */
    uint32_t *seen, epoch;
    uint32_t *views, *more; /* of a buffer that is no view: its first view; of a view: the next one */
    uint8_t *sound;     /* of an expression: looked at */
    Ex *todo;
    uint32_t *scope;    /* visible ones: var, or nvar + buf */
    void *tables;       /* all of these */
    uint32_t nscope;
};

/* Allocated: by a statement, which is still to come. */
enum { Visible = 128, Allocated = 64 };

void verify_broken(Verify *v, const char *fmt, ...)
{
    char text[160];
    Str s = {0};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    str_fmt(&s, "after `%s`: %s", v->after, text);
    if (v->reports++ < MaxReports)
        diag(&v->p->ctx, E_bug, v->at, s.s ? s.s : text, NULL);
    str_free(&s);
}

/* Is it somebody's program, not yet a pass's? */
static bool verify_users(const Verify *v)
{
    return strcmp(v->after, "text") == 0 || strcmp(v->after, "trace") == 0 ||
           strcmp(v->after, "check") == 0;
}

void verify_wrong(Verify *v, Err e, ...)
{
    Diag d = {.err = e, .loc = v->at};
    const char *arg;
    int n = 0;
    va_list ap;
    va_start(ap, e);
    while (n < DiagArgs && (arg = va_arg(ap, const char *)))
        d.arg[n++] = arg;
    va_end(ap);
    if (v->reports++ >= MaxReports)
        return;
    if (verify_users(v) || e == E_machine_op || e == E_machine_limit) { /* asked for more than there
                                                                         * is */
        diag(&v->p->ctx, e, v->at, d.arg[0], d.arg[1], d.arg[2], d.arg[3], d.arg[4], d.arg[5],
             NULL);
        return;
    }
    Str s = {0};
    str_fmt(&s, "after `%s`: ", v->after);
    diag_text(&s, &d, err_info(e)->title[LANGen], LANGen);
    str_puts(&s, "; ");
    diag_text(&s, &d, err_info(e)->label[LANGen], LANGen);
    diag(&v->p->ctx, E_bug, v->at, s.s ? s.s : err_info(e)->code, NULL);
    str_free(&s);
}

void verify_at(Verify *v, Loc l) { v->at = l; }

bool verify_enough(const Verify *v) { return v->reports >= MaxReports; }

/* A name that is not visible.  The tracer's user can carry a value out of its
 * block in a Lua variable; after that it can only be a pass's fault. */
static void invisible(Verify *v, const char *name)
{
    if (!verify_users(v))
        verify_broken(v, "`%s` is used where it is not visible", name);
    else if (v->reports++ < MaxReports)
        diag(&v->p->ctx, E_out_of_scope, v->at, name, NULL);
}

/* Expressions ---------------------------------------------------------- */

static char classof(enum Dtype t) { return dtypeinfo[t].cls; }
static bool isint(enum Dtype t) { return classof(t) == 'I' || classof(t) == 'U'; }

/* Types of the operands of a node whose arguments are sound. */
static const char *typing(const Prog *p, const Expr *x)
{
    enum Dtype t = (enum Dtype)x->dt;
    enum Dtype a = x->n > 0 ? ex_type(p, x->arg[0]) : DTnone;
    enum Dtype b = x->n > 1 ? ex_type(p, x->arg[1]) : DTnone;
    bool shift = x->op == Xshl || x->op == Xshr;
    switch (xopinfo[x->op].kind) {
    case 'A': return a == t && b == t ? NULL : "operands of another type than the result";
    case 'C': return t == DTbool && a == b ? NULL : "a comparison of two types";
    case 'B':
        return t == DTbool && a == DTbool && (x->n < 2 || b == DTbool) ? NULL
                                                                       : "logic without bool";
    case 'I':
        if (classof(t) == 'F' || a != t || (x->n > 1 && !shift && b != t))
            return "bit operands of another type than the result";
        return NULL;
    default: break;
    }
    if (x->op == Xint)
        return classof(t) == 'F' ? "an integer of a float type" : NULL;
    if (x->op == Xfloat)
        return classof(t) == 'F' ? NULL : "a fraction of an integer type";
    if (x->op == Xselect)
        return a == DTbool && b == t && ex_type(p, x->arg[2]) == t ? NULL : "a select of two types";
    if (x->op == Xbits)
        return dtypeinfo[a].bits == dtypeinfo[t].bits ? NULL : "a reinterpret to another width";
    if (x->op == Xvar)
        return p->var[x->sym].dt == t ? NULL : "a variable of another type";
    if (x->op == Xload) {
        for (int i = 0; i < x->n; i++)
            if (!isint(ex_type(p, x->arg[i])))
                return "an index that is no integer";
        return p->buf[x->sym].dt == t ? NULL : "a load of another type";
    }
    return NULL;
}

static const char *soundness(const Verify *v, Ex e)
{
    const Prog *p = v->p;
    const Expr *x = &p->ex[e];
    if (x->op <= Xnone || x->op >= NXop || x->dt <= DTnone || x->dt >= NDtype)
        return "an unknown operator or type";
    if (xopinfo[x->op].arity >= 0 && x->n != xopinfo[x->op].arity)
        return "a wrong number of operands";
    for (int i = 0; i < x->n; i++)
        if (x->arg[i] == 0 || x->arg[i] >= e)
            return "an operand that was made later";
    if (x->op == Xvar && (x->sym == 0 || x->sym >= p->nvar))
        return "an unknown variable";
    if (x->op == Xload && (x->sym == 0 || x->sym >= p->nbuf || x->n != p->buf[x->sym].ndim))
        return "a load of an unknown buffer or of a wrong rank";
    if (x->op == Xcall && (x->sym == 0 || x->sym >= NIntr ||
                           (intrinfo[x->sym].arity >= 0 && x->n != intrinfo[x->sym].arity)))
        return "a call of an unknown intrinsic or with wrong arguments";
    if (x->op == Xcall && intr_own(x->sym) && !x_extern_name(p, x))
        return "a call of a function without a name";
    return typing(p, x);
}

/* One node in its place: sound, and what it names is visible. */
static bool verify_visit(Verify *v, Ex e)
{
    const Expr *x = &v->p->ex[e];
    if (!v->sound[e]) {
        const char *why = soundness(v, e);
        v->sound[e] = why ? 2 : 1;
        if (why)
            verify_broken(v, "expression %u is %s", (unsigned)e, why);
    }
    if (v->sound[e] == 2)
        return false;
    if (x->op == Xvar && !(v->var[x->sym] & Visible))
        invisible(v, v->p->var[x->sym].name);
    if (x->op == Xload && !(v->buf[x->sym] & Visible))
        invisible(v, v->p->buf[x->sym].name);
    return true;
}

static bool verify_tree(void *ud, Ex root)
{
    Verify *v = ud;
    uint32_t n = 0;
    if (root >= v->p->nex) {
        verify_broken(v, "an expression out of range");
        return true;
    }
    if (v->seen[root] == v->epoch)
        return true;
    v->seen[root] = v->epoch;
    v->todo[n++] = root;
    while (n) {
        Ex e = v->todo[--n];
        const Expr *x = &v->p->ex[e];
        if (!verify_visit(v, e))
            continue;
        for (int i = 0; i < x->n; i++)
            if (v->seen[x->arg[i]] != v->epoch) {
                v->seen[x->arg[i]] = v->epoch;
                v->todo[n++] = x->arg[i];
            }
    }
    return true;
}

/* 0 is allowed where an expression may be missing. */
static bool verify_typed(const Verify *v, Ex e, bool (*ok)(enum Dtype))
{
    return e == 0 || (e < v->p->nex && v->p->ex[e].dt < NDtype && ok(ex_type(v->p, e)));
}

static bool verify_isbool(enum Dtype t) { return t == DTbool; }

/* Names ---------------------------------------------------------------- */

static void birth(Verify *v, uint8_t *of, uint32_t id, uint32_t key, const char *name)
{
    if (of[id] & ~Visible)
        verify_broken(v, "`%s` comes into being twice", name);
    of[id] = Visible | 1;
    v->scope[v->nscope++] = key;
}

static void newvar(Verify *v, uint32_t id)
{
    if (id == 0 || id >= v->p->nvar)
        verify_broken(v, "a statement declares an unknown variable");
    else if (v->var[id] & Visible)
        verify_broken(v, "`%s` comes into being twice", v->p->var[id].name);
    else
        birth(v, v->var, id, id, v->p->var[id].name);
}

/* A buffer, and with it the views of it. */
static void verify_newbuf(Verify *v, uint32_t id)
{
    const Prog *p = v->p;
    if (v->buf[id] & Visible) {
        verify_broken(v, "`%s` comes into being twice", p->buf[id].name);
        return;
    }
    if (p->buf[id].stage && p->buf[id].scope != SCshared)
        verify_broken(v, "`%s` stages a fragment outside of shared memory", p->buf[id].name);
    birth(v, v->buf, id, p->nvar + id, p->buf[id].name);
    for (uint32_t b = v->views[id]; b; b = v->more[b]) /* a base comes before its views */
        if (v->buf[p->buf[b].base] & Visible && !v->buf[b])
            birth(v, v->buf, b, p->nvar + b, p->buf[b].name);
}

static void verify_leave(Verify *v, uint32_t mark)
{
    while (v->nscope > mark) {
        uint32_t k = v->scope[--v->nscope];
        if (k < v->p->nvar)
            v->var[k] &= (uint8_t)~Visible;
        else
            v->buf[k - v->p->nvar] &= (uint8_t)~Visible;
    }
}

static const Buf *verify_usebuf(Verify *v, uint32_t id)
{
    if (id == 0 || id >= v->p->nbuf) {
        verify_broken(v, "a statement names an unknown buffer");
        return NULL;
    }
    if (!(v->buf[id] & Visible))
        invisible(v, v->p->buf[id].name);
    return &v->p->buf[id];
}

/* Statements ----------------------------------------------------------- */

static void indices(Verify *v, const Ex *idx, int n)
{
    for (int i = 0; i < n; i++)
        if (!idx[i] || !verify_typed(v, idx[i], isint))
            verify_broken(v, "index %d is missing or no integer", i);
}

static void verify_operation(Verify *v, const Stmt *s)
{
    if (s->op.op == Onone || s->op.op >= NOp) {
        verify_broken(v, "an unknown tile operation");
        return;
    }
    const OpInfo *o = &opinfo[s->op.op];
    if (!v->kernel)
        verify_broken(v, "%s outside of a launch", o->text);
    for (int i = 0; i < o->nregion; i++) {
        const Region *r = &s->op.r[i];
        if (s->op.op == Oprint && r->buf == 0)
            continue;
        const Buf *b = verify_usebuf(v, r->buf);
        if (b) {
            indices(v, r->min, b->ndim);
            indices(v, r->extent, b->ndim);
        }
    }
    if (o->nvalue && !s->op.value)
        verify_broken(v, "%s without its value", o->text);
}

static void verify_store(Verify *v, const Stmt *s)
{
    const Buf *b = verify_usebuf(v, s->store.buf);
    if (!b)
        return;
    indices(v, s->store.idx, b->ndim);
    if (!s->store.value || s->store.value >= v->p->nex || ex_type(v->p, s->store.value) != b->dt)
        verify_broken(v, "a store to `%s` of another type", b->name);
}

static void verify_atomic(Verify *v, const Stmt *s)
{
    const Buf *b = verify_usebuf(v, s->atomic.buf);
    int n = s->atomic.lanes;
    if (!b)
        return;
    indices(v, s->atomic.idx, b->ndim);
    if (s->atomic.kind <= Rnone || s->atomic.kind > ATstore || (n != 1 && n != 2 && n != 4))
        verify_broken(v, "an atomic of an unknown kind");
    else if (s->atomic.kind != ATload)
        for (int i = 0; i < n; i++)
            if (!s->atomic.value[i] || s->atomic.value[i] >= v->p->nex ||
                ex_type(v->p, s->atomic.value[i]) != b->dt)
                verify_broken(v, "an atomic on `%s` of another type", b->name);
}

static void verify_loop(Verify *v, const Stmt *s)
{
    int n = s->loop.n;
    if (s->loop.kind <= Fnone || s->loop.kind >= NFor || n < 1 || n > MaxLoop) {
        verify_broken(v, "a loop of an unknown kind");
        return;
    }
    indices(v, s->loop.lo, n);
    indices(v, s->loop.hi, n);
    if (!verify_typed(v, s->loop.step, isint))
        verify_broken(v, "a step that is no integer");
    if ((s->loop.norder && !s->loop.order) || (s->loop.nstage && !s->loop.stage))
        verify_broken(v, "a loop without its lists");
    for (int i = 0; i < n; i++)
        newvar(v, s->loop.var[i]);
}

static void verify_launch(Verify *v, const Stmt *s)
{
    int n = s->launch.n, t = s->launch.nthread;
    if (v->kernel)
        verify_broken(v, "a launch inside of a launch");
    if (n < 1 || n > MaxLaunchDim || t < 1 || t > MaxLaunchDim) {
        verify_broken(v, "a launch of %d by %d dimensions", n, t);
        return;
    }
    indices(v, s->launch.grid, n);
    for (int i = 0; i < n; i++)
        newvar(v, s->launch.block[i]);
    for (int i = 0; i < t; i++)
        newvar(v, s->launch.thread[i]);
}

static void verify_role(Verify *v, const Stmt *s)
{
    if (v->role && (s->role.lo < v->role->role.lo || s->role.hi > v->role->role.hi))
        verify_broken(v, "a role that is no part of the one around");
    if (s->role.lo < 0 || s->role.hi <= s->role.lo)
        verify_broken(v, "a role without threads");
}

static bool verify_outside(const Stmt *s, const Prog *p)
{
    switch ((enum StmtKind)s->kind) {
    case Slaunch: case Slet: case Sassume: return true;
    case Salloc: return s->alloc.buf < p->nbuf && p->buf[s->alloc.buf].scope == SCglobal;
    default: return false;
    }
}

static void verify_block(Verify *v, const Stmt *s);

/* One of a call's arguments: -1 where it is left out, else a number from lo to hi in steps. */
static void verify_number(Verify *v, const Stmt *s, int i, const char *name, int64_t lo,
                             int64_t hi, int64_t step, const char *shown)
{
    int64_t n = -1;
    if (s->call.arg[i] && !x_isint(v->p, s->call.arg[i], &n))
        verify_broken(v, "an argument that is no number");
    else if (n != -1 && (n < lo || n > hi || n % step))
        verify_wrong(v, E_op_attr, "T.sync_threads", name, afmt(&v->p->ctx, "%" PRId64, n), shown,
                     NULL);
}

/* T.sync_threads(id, count): as PTX's bar.sync. */
static void verify_sync(Verify *v, const Stmt *s)
{
    verify_number(v, s, 0, "barrier_id", 0, 15, 1, "0 .. 15");
    verify_number(v, s, 1, "arrive_count", 32, 1024, 32, "32, 64 .. 1024");
}

/* One of the first arguments of what is said of iterations: a constant. */
static void verify_named(Verify *v, const Stmt *s, int i, const char *name, int64_t lo, int64_t hi)
{
    int64_t n = -1;
    Prog *p = v->p;
    bool known = s->call.arg[i] && x_isint(p, s->call.arg[i], &n);
    if (!known || n < lo || n > hi)
        verify_wrong(v, E_op_attr, intrinfo[s->call.fn].text, name,
                     known ? afmt(&p->ctx, "%" PRId64, n) : "?",
                     afmt(&p->ctx, "%" PRId64 " .. %" PRId64, lo, hi), NULL);
}

/* What a thread program says of iterations: of which loop, of which dimension or which ones. */
static void verify_iteration(Verify *v, const Stmt *s)
{
    const char *what = intrinfo[s->call.fn].text;
    if (!v->p->machine)
        verify_broken(v, "`%s` in a tile program", what);
    verify_named(v, s, 0, "loop", 1, MaxOpen);
    if (s->call.fn == Iparallel)
        verify_named(v, s, 1, "dimension", 0, MaxLoop - 1);
    for (int i = 1; i < 3; i++)
        if (!s->call.arg[i] || !x_pure(v->p, s->call.arg[i]))
            verify_wrong(v, E_ir_iteration, what, NULL);
}

static void verify_statement(Verify *v, const Stmt *s)
{
    const Prog *p = v->p;
    v->at = s->loc;
    v->epoch++;
    if (s->kind == Slet && (s->let.var == 0 || s->let.var >= p->nvar)) {
        verify_broken(v, "a let without its variable");
        return;
    }
    stmt_exprs(p, s, verify_tree, v);
    if (!v->kernel && !verify_outside(s, p))
        verify_broken(v, "a statement outside of the launch");
    switch ((enum StmtKind)s->kind) {
    case Slaunch: verify_launch(v, s); break;
    case Salloc:
        if (s->alloc.buf == 0 || s->alloc.buf >= p->nbuf || p->buf[s->alloc.buf].base)
            verify_broken(v, "an alloc of an unknown buffer or of a view");
        else
            verify_newbuf(v, s->alloc.buf);
        break;
    case Slet: newvar(v, s->let.var); break;
    case Sstore: verify_store(v, s); break;
    case Sfor: verify_loop(v, s); break;
    case Swhile: case Sif:
        if (!verify_typed(v, s->kind == Sif ? s->cond.cond : s->whil.cond, verify_isbool))
            verify_broken(v, "a condition that is no bool");
        break;
    case Srole: verify_role(v, s); break;
    case Sbreak: case Scontinue:
        if (!v->loops)
            verify_broken(v, "a jump outside of a loop");
        break;
    case Sop: verify_operation(v, s); break;
    case Satomic:
        verify_atomic(v, s);
        if (s->atomic.prev)
            newvar(v, s->atomic.prev);
        break;
    case Scall:
        if (s->call.fn >= NIntr || intrinfo[s->call.fn].type != 'V')
            verify_broken(v, "a call of no statement");
        else if (s->call.fn == Isync_threads)
            verify_sync(v, s);
        else if (s->call.fn == Iparallel || s->call.fn == Iiteration)
            verify_iteration(v, s);
        break;
    case Sprint: break;
    case Sassert: case Sassume:
        if (!s->check.cond || !verify_typed(v, s->check.cond, verify_isbool))
            verify_broken(v, "a condition that is no bool");
        break;
    case Sxxx: case NStmt: verify_broken(v, "a statement of an unknown kind");
    }
}

static void children(Verify *v, const Stmt *s)
{
    Stmt *inner[2];
    bool isloop = s->kind == Sfor || s->kind == Swhile, isrole = s->kind == Srole;
    bool outer = v->kernel;
    const Stmt *role = v->role;
    int loops = v->loops;
    v->loops = isrole ? 0 : loops + isloop; /* a role's threads leave no loop around it */
    v->kernel = outer || s->kind == Slaunch;
    v->role = isrole ? s : role;
    for (int i = 0, n = stmt_blocks(s, inner); i < n; i++)
        verify_block(v, inner[i]);
    v->loops = loops;
    v->kernel = outer;
    v->role = role;
}

/* Names that a statement with blocks declares live in those alone. */
static void verify_block(Verify *v, const Stmt *s)
{
    uint32_t outer = v->nscope;
    for (; s && v->reports < MaxReports; s = s->next) {
        uint32_t mark = v->nscope;
        verify_statement(v, s);
        if (s->kind == Slaunch || s->kind == Sfor || s->kind == Swhile || s->kind == Sif ||
            s->kind == Srole) {
            children(v, s);
            verify_leave(v, mark);
        }
    }
    verify_leave(v, outer);
}

/* What is there before the first statement. */
static void verify_head(Verify *v)
{
    const Prog *p = v->p;
    for (uint32_t i = 1; i < p->nvar; i++)
        if (p->var[i].kind == Vdim || p->var[i].kind == Vscalar)
            v->var[i] = Visible | 1;
    for (uint32_t i = 1; i < p->nbuf; i++) {
        const Buf *b = &p->buf[i];
        v->at = b->loc;
        if (b->base >= i || b->scope <= SCnone || b->scope >= NScope || b->ndim > MaxDim ||
            b->dt <= DTnone || b->dt >= NDtype) {
            verify_broken(v, "a buffer out of range");
            continue;
        }
        v->epoch++;
        for (int d = 0; d < b->ndim; d++)
            if (!b->shape[d] || !verify_typed(v, b->shape[d], isint) ||
                !verify_typed(v, b->stride[d], isint))
                verify_broken(v, "dimension %d of `%s` is missing or no integer", d, b->name);
    }
    for (uint32_t i = 0; i < p->nparam; i++)
        if (p->param[i].id == 0 || p->param[i].id >= (p->param[i].scalar ? p->nvar : p->nbuf))
            verify_broken(v, "an unknown parameter");
    for (uint32_t i = 0; i < p->nout; i++)
        if (p->out[i] == 0 || p->out[i] >= p->nbuf || !p->buf[p->out[i]].out ||
            !p->buf[p->out[i]].param)
            verify_broken(v, "an unknown output");
}

/* A global buffer that no statement allocates: the caller passes it, or a pass has dropped a
 * workspace that nothing touches, and what touches it after all is out of its sight. */
static void verify_given(Verify *v, uint32_t id)
{
    const Buf *b = &v->p->buf[id];
    v->at = b->loc;
    if (b->param)
        verify_newbuf(v, id);
}

static bool verify_allocated(Stmt *s, void *ud)
{
    Verify *v = ud;
    if (s->kind == Salloc && s->alloc.buf < v->p->nbuf)
        v->buf[s->alloc.buf] = Allocated;
    return true;
}

/* The tables, in one block of the host's: it runs behind every pass, and what it took from the
 * arena would stay to the end. */
static void verify_tables(Verify *v)
{
    const Prog *p = v->p;
    size_t var = p->nvar + 1, buf = p->nbuf + 1, ex = p->nex + 1;
    size_t words = 2 * ex + 3 * buf + var;
    uint32_t *at = heap_new(&v->p->ctx, words * sizeof *at + var + buf + ex);
    v->tables = v->seen = at;
    v->todo = at += ex;
    v->views = at += ex;
    v->more = at += buf;
    v->scope = at += buf;
    v->var = (uint8_t *)(at + var + buf);
    v->buf = v->var + var;
    v->sound = v->buf + buf;
}

static void verify(Ctx *c, void *ud)
{
    Verify *v = ud;
    Prog *p = v->p;
    (void)c;
    verify_tables(v);
    v->at = p->loc;
    if (p->nframe || p->ntail != 1)
        verify_broken(v, "%u frames are open", (unsigned)p->nframe);
    verify_head(v);
    if (v->reports)
        return; /* what follows relies on it */
    for (uint32_t b = p->nbuf; b-- > 1;)
        if (p->buf[b].base) {
            v->more[b] = v->views[buf_root(p, b)];
            v->views[buf_root(p, b)] = b;
        }
    stmt_walk(p->body, verify_allocated, v);
    for (uint32_t i = 1; i < p->nbuf; i++) { /* parameters and outputs */
        if (v->buf[i] == 0 && !p->buf[i].base && p->buf[i].scope == SCglobal)
            verify_given(v, i);
        else if (v->buf[i] == Allocated)
            v->buf[i] = 0;
    }
    verify_block(v, p->body);
    if (p->machine && !v->reports)
        verify_thread(v, p);
}

bool prog_verify(Prog *p, const char *after)
{
    Verify v = {.p = p, .after = after};
    bool done = ctx_try(&p->ctx, verify, &v);
    heap_free(&p->ctx, v.tables);
    return done && v.reports == 0;
}

bool prog_fits(Prog *p, const Machine *m)
{
    Verify v = {.p = p, .after = "trace", .at = p->loc};
    verify_sizes(&v, p);
    if (v.reports == 0)
        verify_fits(&v, p, m);
    return v.reports == 0;
}
