/* targets/sim/build_stmt.c: statements: control flow and variables. */
#include <string.h>

#include "build.h"
#include "run.h"

static void build_list(Build *b, const Stmt *s);

/* What the condition or bound of a statement needed is not needed in its body. */
static void sb_stmt_done(Build *b) { b_free(b, &b->stmt); }

/* name: of a loop's variable, else NULL. */
static void push_state(Build *b, Val v, const char *name)
{
    agrow(b->c, &b->state, &b->capstate, b->nstate + 1, sizeof *b->state);
    b->state[b->nstate].reg = v.at;
    b->state[b->nstate++].name = name;
}

/* A value that stays: no operand that a later statement may change. */
static Val val_keep(Build *b, Val v)
{
    Val d = v.shape == SHu ? b_reg(b, (enum Dtype)v.dt)
                           : b_forever(b, (enum Dtype)v.dt, v.shape == SHw ? b->w : 1);
    d.shape = v.shape;
    BuildNode *n = b_emit(b, run_copy);
    n->i.d = d;
    n->i.a = v;
    return d;
}

static void bind_val(Build *b, uint32_t var, Val v)
{
    b->var[var] = v;
    b->varkind[var] = v.shape == SHu ? VKuniform : v.shape == SHt ? VKthread : VKvector;
}

/* Waiting ------------------------------------------------------------------ */

static bool sb_stmt_waits(Stmt *s, void *ud)
{
    bool *found = ud;
    if (s->kind == Sop)
        *found |= s->op.op == Ocp_async_wait || s->op.op == Obulk_wait ||
                  s->op.op == Owgmma_wait || /* each waits for its own */
                  s->op.op == Obar_sync || s->op.op == Ombar_wait || s->op.op == Ocluster_wait ||
                  s->op.op == Obar_arrive;
    if (s->kind == Scall)
        *found |= s->call.fn == Isync_threads || s->call.fn == Isync_grid;
    return !*found;
}

static bool may_block(const Stmt *s)
{
    bool found = false;
    union { const Stmt *c; Stmt *s; } u = {.c = s}; /* the walk changes nothing */
    stmt_walk(u.s, sb_stmt_waits, &found);
    return found;
}

/* Branches ------------------------------------------------------------------ */

static bool sb_stmt_jumps(const Stmt *s)
{
    for (; s; s = s->next)
        if (s->kind == Sbreak || s->kind == Scontinue ||
            (s->kind == Sif && (sb_stmt_jumps(s->cond.then) || sb_stmt_jumps(s->cond.els))) ||
            (s->kind == Srole && sb_stmt_jumps(s->role.body)))
            return true;
    return false;
}

static void build_if(Build *b, const Stmt *s)
{
    Val c = b_ex(b, s->cond.cond);
    BuildNode *other = b_label(b), *end = b_label(b);
    bool lanes = c.shape != SHu, els = s->cond.els != NULL;
    BuildNode *n = b_emit(b, lanes ? run_if : run_jz), *gone = b->gone;
    n->i.a = c;
    n->i.k = lanes && (may_block(s->cond.then) || may_block(s->cond.els));
    n->to = els ? other : end;
    sb_stmt_done(b);
    b->level += lanes;
    b->gone = lanes ? els ? other : end : gone;
    build_list(b, s->cond.then);
    b->level -= lanes;
    if (els) {
        if (!lanes)
            b_emit(b, run_jump)->to = end;
        b_place(b, other);
        if (lanes)
            b_emit(b, run_else)->to = end;
        b->level += lanes;
        b->gone = lanes ? end : gone;
        build_list(b, s->cond.els);
        b->level -= lanes;
    }
    b->gone = gone;
    b_place(b, end);
    if (b->loop && b->loop->masked && (sb_stmt_jumps(s->cond.then) || sb_stmt_jumps(s->cond.els)))
        b_emit(b, run_ifnone)->to = gone;
}

static void build_role(Build *b, const Stmt *s)
{
    BuildNode *end = b_label(b), *n = b_emit(b, run_role);
    n->i.k = s->role.lo;
    n->i.d.at = (uint32_t)s->role.hi;
    n->i.x = s;
    n->to = end;
    int outer = b->first;
    b->first = s->role.lo;
    build_list(b, s->role.body);
    b->first = outer;
    b_place(b, end);
}

/* Loops --------------------------------------------------------------------- */

/* The frame of a loop around what `body` builds at the top and in the middle. */
typedef struct BuildRound BuildRound;
struct BuildRound {
    const Stmt *s;
    int var;               /* of a nest: which one */
    Val v, hi, step;
    LoopFrame f;
};

static void round_enter(Build *b, BuildRound *r, bool masked)
{
    r->f = (LoopFrame){.up = b->loop, .next = b_label(b), .end = b_label(b), .masked = masked,
                       .level = (uint16_t)(b->level + 1)};
    if (!masked)
        return;
    b->level++;
    b_emit(b, run_live);
}

static void sb_stmt_nest(Build *b, const Stmt *s, int var);

/* head: the condition of a while, else 0. */
static void round_(Build *b, BuildRound *r, Ex cond)
{
    List body = {0}, *out = b->out;
    uint32_t nstate = b->nstate;
    BuildNode *top = b_label(b), *n;
    const Stmt *s = r->s;
    LoopFrame *up = b->loop;
    BuildNode *gone = b->gone;
    b_place(b, top);
    if (!cond) {
        n = b_emit(b, r->v.shape == SHu ? run_more : run_morelanes);
        n->i.a = r->v;
        n->i.b = r->hi;
        n->i.c = r->step;
        n->i.y = b->p->var[s->loop.var[r->var]].name;
        n->to = r->f.end;
        if (r->v.shape == SHu)
            push_state(b, r->v, b->p->var[s->loop.var[r->var]].name);
    }
    b_enter(b);
    if (!cond)
        b->varlevel[s->loop.var[r->var]] = (uint16_t)(b->nscope - 1);
    b->out = &body;
    if (cond) {
        Val c = b_ex(b, cond);
        if (r->f.masked)
            c = b_lanes(b, c, SHt);
        n = b_emit(b, r->f.masked ? run_trim : run_jz);
        n->i.a = c;
        n->to = r->f.end;
        sb_stmt_done(b);
    }
    if (r->f.masked) {
        n = b_emit(b, run_round);
        n->to = r->f.end;
        b->level++;
    }
    b->loop = &r->f;
    b->gone = r->f.next;
    if (!cond && r->var + 1 < s->loop.n)
        sb_stmt_nest(b, s, r->var + 1);
    else
        build_list(b, cond ? s->whil.body : s->loop.body);
    b->loop = up;
    b->gone = gone;
    b->level -= r->f.masked;
    b->out = out;
    b_leave(b, &body, out);
    b_place(b, r->f.next);
    if (!cond) {
        n = b_emit(b, r->v.shape == SHu                ? run_step
                      : loop_stays(b->p, s, r->var) ? run_steplanes
                                                    : run_stepfar);
        n->i.d = n->i.a = r->v;
        n->i.b = r->step;
        n->i.c = r->hi;
    }
    n = b_emit(b, run_back);
    n->to = top;
    b_place(b, r->f.end);
    b->level -= r->f.masked;
    b->nstate = nstate;
}

static Val bound_val(Build *b, Ex e, enum Dtype dt, bool lanes)
{
    Val v = b_cast(b, b_ex(b, e), dt);
    if (lanes)
        v = b_lanes(b, v, SHt);
    return val_keep(b, v);
}

static void sb_stmt_nest(Build *b, const Stmt *s, int var)
{
    BuildRound r = {.s = s, .var = var};
    uint32_t v = s->loop.var[var];
    enum Dtype dt = (enum Dtype)b->p->var[v].dt;
    Ex step = s->loop.step ? s->loop.step : x_int(b->p, dt, 1);
    bool lanes = b_depends(b, s->loop.lo[var]) || b_depends(b, s->loop.hi[var]) ||
                 b_depends(b, step);
    r.v = bound_val(b, s->loop.lo[var], dt, lanes);
    r.hi = bound_val(b, s->loop.hi[var], dt, lanes);
    r.step = bound_val(b, step, dt, lanes);
    sb_stmt_done(b);
    bind_val(b, v, r.v);
    round_enter(b, &r, lanes || b_leaves(b, s->loop.body));
    round_(b, &r, 0);
}

static void build_while(Build *b, const Stmt *s)
{
    BuildRound r = {.s = s};
    round_enter(b, &r, b_depends(b, s->whil.cond) || b_leaves(b, s->whil.body));
    round_(b, &r, s->whil.cond);
}

static void build_vector_loop(Build *b, const Stmt *s)
{
    int64_t w = 1;
    List body = {0}, *out = b->out;
    x_isint(b->p, s->loop.hi[0], &w);
    b_enter(b);
    b->out = &body;
    b->vecvar = s->loop.var[0];
    b->varkind[b->vecvar] = VKvector;
    b->varlevel[b->vecvar] = (uint16_t)(b->nscope - 1);
    b->w = (int)w;
    build_list(b, s->loop.body);
    b->w = 1;
    b->vecvar = 0;
    b->out = out;
    b_leave(b, &body, out);
}

/* Unrolled loops ------------------------------------------------------------- */

enum { MostUnrolled = 512 }; /* statements that a loop may become */

/* Rounds of a loop with bounds known now, or -1. */
static int64_t known_rounds(Build *b, const Stmt *s, int64_t *lo, int64_t *step)
{
    int64_t hi;
    *step = 1;
    if (s->loop.n != 1 || !b_number(b, s->loop.lo[0], lo) || !b_number(b, s->loop.hi[0], &hi) ||
        (s->loop.step && !b_number(b, s->loop.step, step)) || *step <= 0)
        return -1;
    return hi > *lo ? (hi - *lo + *step - 1) / *step : 0;
}

/* How many statements this list becomes. */
static int64_t sb_stmt_weight(Build *b, const Stmt *s)
{
    int64_t n = 0, lo, step;
    for (; s && n <= MostUnrolled; s = s->next) {
        int64_t k = 1;
        n++;
        if (s->kind == Sfor) {
            k = s->loop.kind == Funroll ? known_rounds(b, s, &lo, &step) : 1;
            n += (k < 0 ? 1 : k) * sb_stmt_weight(b, s->loop.body);
        } else if (s->kind == Swhile) {
            n += sb_stmt_weight(b, s->whil.body);
        } else if (s->kind == Sif) {
            n += sb_stmt_weight(b, s->cond.then) + sb_stmt_weight(b, s->cond.els);
        } else if (s->kind == Srole) {
            n += sb_stmt_weight(b, s->role.body);
        }
    }
    return n;
}

static void sb_stmt_unrolled(Build *b, const Stmt *s, int64_t n, int64_t lo, int64_t step)
{
    uint32_t v = s->loop.var[0], nstate = b->nstate;
    for (int64_t k = 0; k < n; k++) {
        List body = {0}, *out = b->out;
        b_enter(b);
        b->out = &body;
        b->varkind[v] = VKunrolled;
        b->varlevel[v] = (uint16_t)(b->nscope - 1);
        b->env[v] = lo + k * step;
        push_state(b, b_const(b, (enum Dtype)b->p->var[v].dt, b->env[v], 0), b->p->var[v].name);
        build_list(b, s->loop.body);
        b->nstate = nstate;
        b->out = out;
        b_leave(b, &body, out);
    }
}

static bool unrolls(Build *b, const Stmt *s)
{
    int64_t lo, step, n = s->loop.kind == Funroll ? known_rounds(b, s, &lo, &step) : -1;
    if (n < 0 || sb_stmt_jumps(s->loop.body) ||
        n * (sb_stmt_weight(b, s->loop.body) + 1) > MostUnrolled)
        return false;
    sb_stmt_unrolled(b, s, n, lo, step);
    return true;
}

static void build_for(Build *b, const Stmt *s)
{
    if (unrolls(b, s))
        return;
    if (s->loop.kind == Fvectorized && b_vectorizes(b, s))
        build_vector_loop(b, s);
    else
        sb_stmt_nest(b, s, 0);
}

static void build_leave(Build *b, const Stmt *s)
{
    LoopFrame *f = b->loop;
    if (f->masked) {
        BuildNode *n = b_emit(b, run_leave);
        n->i.k = f->level + (s->kind == Scontinue);
    } else {
        b_emit(b, run_jump)->to = s->kind == Sbreak ? f->end : f->next;
    }
}

/* Variables ----------------------------------------------------------------- */

static void build_alloc(Build *b, const Stmt *s)
{
    uint32_t buf = s->alloc.buf;
    Ex idx[MaxDim];
    if (!b_isregister(b, buf))
        return;
    if (!b_uniformvar(b, buf)) {
        BuildNode *n = b_emit(b, run_undefine);
        n->i.x = b_declared(b, buf);
    } else {
        push_state(b, b_uvar(b, buf), NULL);
    }
    for (int d = 0; d < MaxDim; d++)
        idx[d] = x_int(b->p, DTi32, 0);
    if (s->alloc.init)
        b_store(b, buf, idx, s->alloc.init);
}

static void build_let(Build *b, const Stmt *s)
{
    uint32_t v = s->let.var;
    Ex e = b->p->var[v].value;
    if (!(b_info(b, e).bits & XIimpure)) {
        b->varkind[v] = VKalias;
        b_number(b, e, &b->env[v]);
        return;
    }
    Shuffled from = b_shuffle(b, e);
    b->moving = from.l != NULL;
    Val k = val_keep(b, b_cast(b, b_ex(b, e), (enum Dtype)b->p->var[v].dt));
    b->moving = false;
    b->shuffled[v] = from;
    if (k.shape == SHu)
        push_state(b, k, NULL);
    bind_val(b, v, k);
    b->varlevel[v] = InPlace;
}

static void sb_stmt_assertion(Build *b, const Stmt *s)
{
    Val c = b_ex(b, s->check.cond);
    BuildNode *n = b_emit(b, run_assert);
    n->i.a = c;
    n->i.x = s;
    n->i.site = b_site(b, b->here, 0, "device_assert");
}

/* A condition that the program takes for granted, with the values that it compares; of `a and b`
 * each on its own. */
static void sb_stmt_assumption(Build *b, const Stmt *s, Ex cond)
{
    const Expr *x = ex_at(b->p, cond);
    if (x->op == Xand) {
        Ex second = x->arg[1];
        sb_stmt_assumption(b, s, x->arg[0]);
        sb_stmt_assumption(b, s, second);
        return;
    }
    int op = x->op;
    bool compares = op == Xlt || op == Xle || op == Xeq || op == Xne;
    Ex left = compares ? x->arg[0] : 0, right = compares ? x->arg[1] : 0;
    Str text = {0};
    if (s->check.text) /* an operation's own, of what it is given */
        str_puts(&text, s->check.text);
    else
        ex_print(b->p, cond, &text);
    Val l = compares ? b_ex(b, left) : (Val){0}, r = compares ? b_ex(b, right) : (Val){0};
    Val c = b_ex(b, cond);
    BuildNode *n = b_emit(b, run_assume);
    n->i.a = c;
    n->i.b = l;
    n->i.c = r;
    n->i.k = compares ? op : -1;
    n->i.n = compares && (ex_at(b->p, left)->op == Xint || ex_at(b->p, left)->op == Xfloat);
    n->i.x = s;
    n->i.y = astr(b->c, text.s ? text.s : "", text.n);
    str_free(&text);
    n->i.site = b_site(b, b->here, 0, "assume");
}

/* What is only said of iterations is no statement: the next one is the one. */
static bool sb_stmt_tells(const Stmt *s)
{
    return s->kind == Scall && (s->call.fn == Iparallel || s->call.fn == Iiteration);
}

static void sb_stmt(Build *b, const Stmt *s)
{
    if (s->loc.line)
        b->here = s->loc;
    if (sb_stmt_tells(s)) {
        b_iterations(b, s);
        sb_stmt_done(b);
        return;
    }
    switch (s->kind) {
    case Salloc: build_alloc(b, s); break;
    case Slet: build_let(b, s); break;
    case Sstore: b_store(b, s->store.buf, s->store.idx, s->store.value); break;
    case Sfor: build_for(b, s); break;
    case Swhile: build_while(b, s); break;
    case Sif: build_if(b, s); break;
    case Sbreak: case Scontinue: build_leave(b, s); break;
    case Sop: b_op(b, s); break;
    case Satomic: b_atomic(b, s); break;
    case Scall: b_callstmt(b, s); break;
    case Sprint: b_print(b, s); break;
    case Sassert: sb_stmt_assertion(b, s); break;
    case Sassume: sb_stmt_assumption(b, s, s->check.cond); break;
    case Srole: build_role(b, s); break;
    default: diag_fail(b->c, E_bug, b->here, "a statement that no thread executes", NULL);
    }
    b->turn.loop = 0;
    sb_stmt_done(b);
}

static void build_list(Build *b, const Stmt *s)
{
    uint32_t nstate = b->nstate;
    b->turn.loop = 0;
    for (; s; s = s->next) {
        sb_stmt(b, s);
        if (s->kind == Sbreak || s->kind == Scontinue)
            break; /* nothing behind it runs */
    }
    b->nstate = nstate;
}

void b_block(Build *b, const Stmt *s) { build_list(b, s); }
