/* core/cost/peek.c: a tile of a kernel, brought out at one point of a run.
 *
 * Read prog_peek() last: it looks for the point (the statement to stand behind and
 * the blocks around it), declares the parameters and puts the copy there. */
#include <string.h>

#include "peek.h"
#include "core/ir/walk.h"

enum { Depth = 200 }; /* blocks stand no deeper in each other: E116 */

/* A place: a statement and those around it, from the launch on. */
typedef struct PeekSite PeekSite;
struct PeekSite {
    Stmt *s;
    Stmt *up[Depth];
    int n;
    uint32_t moment;
    bool inside;    /* s was found for a line inside of it */
};

typedef struct PeekFind PeekFind;
struct PeekFind {
    Prog *p;
    Peek *k;
    uint32_t root;
    bool simt;      /* the program names its threads */
    PeekSite now;   /* where the walk is */
    PeekSite best;  /* the statement found last that counts; s NULL: none */
    PeekSite frame; /* the same of loops and ifs, for a line where nothing else stands */
    PeekSite born;  /* the buffer's alloc */
    bool line;      /* something stands at the line, wherever */
};

/* Threads ---------------------------------------------------------------- */

/* May e differ between threads of a block? */
static bool is_varied(void *ud, Ex e)
{
    const PeekFind *f = ud;
    const Prog *p = f->p;
    const Expr *x = ex_at(p, e);
    if (x->op == Xvar)
        return p->var[x->sym].kind == Vthread;
    if (x->op == Xcall && intrinfo[x->sym].level == 'T')
        return true;
    return x->op == Xload && f->simt && p->buf[x->sym].scope != SCglobal &&
           p->buf[x->sym].scope != SCshared;
}

static bool peek_varies(PeekFind *f, Ex e) { return ex_any_let(f->p, e, is_varied, f); }

static bool same_ex(void *ud, Ex e) { return !peek_varies(ud, e); }

static bool same_stmt(Stmt *s, void *ud)
{
    const PeekFind *f = ud;
    return stmt_exprs(f->p, s, same_ex, ud);
}

/* Statements ---------------------------------------------------------------- */

typedef struct NamedBuffer NamedBuffer;
struct NamedBuffer { const Prog *p; uint32_t root; };

static bool is_named(void *ud, Ex e)
{
    const NamedBuffer *n = ud;
    const Expr *x = ex_at(n->p, e);
    return x->op == Xload && buf_root(n->p, x->sym) == n->root;
}

static bool not_named(void *ud, Ex e)
{
    const NamedBuffer *n = ud;
    return !ex_any(n->p, e, is_named, ud);
}

/* stmt_walk: goes on until something writes the buffer. */
static bool not_written(Stmt *s, void *ud)
{
    const PeekFind *f = ud;
    NamedBuffer n = {f->p, f->root};
    switch ((enum StmtKind)s->kind) {
    case Sstore: return buf_root(f->p, s->store.buf) != f->root;
    case Satomic:
        return s->atomic.kind == ATload || buf_root(f->p, s->atomic.buf) != f->root;
    case Scall: return stmt_exprs(f->p, s, not_named, &n);
    case Sop:
        for (int i = 0; i < opinfo[s->op.op].nregion; i++)
            if (s->op.r[i].buf && opinfo[s->op.op].regions[i] != 'r' &&
                buf_root(f->p, s->op.r[i].buf) == f->root)
                return false;
        return true;
    default: return true;
    }
}

static bool peek_writes(PeekFind *f, Stmt *s)
{
    Stmt *next = s->next;
    s->next = NULL;
    bool any = !stmt_walk(s, not_written, f);
    s->next = next;
    return any;
}

static bool at_line(PeekFind *f, const Stmt *s)
{
    return s->loc.line == f->k->line && s->loc.file == f->k->in->loc.file;
}

static bool not_at_line(Stmt *s, void *ud) { return !at_line(ud, s); }

/* Is the line one of s or of what stands inside of it? */
static bool has_line(PeekFind *f, Stmt *s)
{
    Stmt *next = s->next;
    s->next = NULL;
    bool any = !stmt_walk(s, not_at_line, f);
    s->next = next;
    return any;
}

/* A loop whose iterations follow one another. */
static bool peek_ordered(const Stmt *s)
{
    return s->kind == Sfor && s->loop.kind != Fparallel && s->loop.kind != Fvectorized;
}

/* May a point lie inside of s?  Only where the whole block comes, in an order. */
static bool peek_open(PeekFind *f, const Stmt *s)
{
    switch ((enum StmtKind)s->kind) {
    case Sfor:
        for (int i = 0; i < s->loop.n; i++)
            if (peek_varies(f, s->loop.lo[i]) || peek_varies(f, s->loop.hi[i]))
                return false;
        return peek_ordered(s) && !(s->loop.step && peek_varies(f, s->loop.step));
    case Swhile: return !peek_varies(f, s->whil.cond);
    case Sif: return !peek_varies(f, s->cond.cond);
    case Slaunch: case Srole: return true;
    default: return false;
    }
}

/* Looking ----------------------------------------------------------------- */

/* Are all the loops that were asked for around the walk's place? */
static bool peek_wanted(const PeekFind *f)
{
    for (int i = 0; i < f->k->nwant; i++) {
        bool found = false;
        for (int d = 0; d < f->now.n; d++) {
            const Stmt *s = f->now.up[d];
            for (int v = 0; peek_ordered(s) && v < s->loop.n; v++)
                found |= !f->k->want[i] ||
                         strcmp(f->p->var[s->loop.var[v]].name, f->k->want[i]) == 0;
        }
        if (!found)
            return false;
    }
    return true;
}

static void take_write(const PeekFind *f, PeekSite *to, Stmt *s, bool inside)
{
    *to = f->now;
    to->s = s;
    to->inside = inside;
}

static void find_writes(PeekFind *f, Stmt *s)
{
    Stmt *b[2];
    const Peek *k = f->k;
    for (; s; s = s->next) {
        int blocks = stmt_blocks(s, b);
        bool into = blocks && peek_open(f, s) && f->now.n < Depth;
        f->now.moment++;
        if (s->kind == Salloc && buf_root(f->p, s->alloc.buf) == f->root && !f->born.s)
            take_write(f, &f->born, s, false);
        f->line |= k->line && has_line(f, s);
        if (!into && (k->line ? has_line(f, s) : peek_writes(f, s)) && peek_wanted(f))
            take_write(f, &f->best, s, blocks > 0 && !at_line(f, s));
        if (into) {
            bool before = f->best.s != NULL;
            f->now.up[f->now.n++] = s;
            for (int i = 0; i < blocks; i++)
                find_writes(f, b[i]);
            f->now.n--;
            if (k->line && at_line(f, s) && !before && peek_wanted(f))
                take_write(f, &f->frame, s, false);
        }
    }
}

/* Buffers by the name that they are printed with: "As", then "As.2". */
static uint32_t buffer_by_name(const Prog *p, const char *want)
{
    const char *dot = strrchr(want, '.');
    size_t n = strlen(want);
    long nth = 1, seen = 0;
    uint32_t last = 0;
    if (dot && dot[1] >= '1' && dot[1] <= '9') {
        nth = 0;
        for (const char *c = dot + 1; *c >= '0' && *c <= '9' && nth < 10000; c++)
            nth = 10 * nth + (*c - '0');
        n = (size_t)(dot - want);
    }
    for (uint32_t b = 1; b < p->nbuf; b++) {
        if (strncmp(p->buf[b].name, want, n) != 0 || p->buf[b].name[n] != '\0')
            continue;
        if (++seen == nth)
            return b;
        last = p->buf[b].scope != SCglobal ? b : last;
    }
    return dot ? 0 : last;
}

/* Where the copy stands ----------------------------------------------------- */

static int peek_depth_of(const PeekSite *at, const Stmt *s)
{
    for (int d = 0; d < at->n; d++)
        if (at->up[d] == s)
            return d;
    return -1;
}

/* The last write's point: the end of the innermost loop around it, or of the block
 * that the buffer lives in; outside of loops behind it, and behind ifs around it. */
static void choose_site(PeekFind *f, PeekSite *at)
{
    int least = f->born.s ? peek_depth_of(at, f->born.up[f->born.n - 1]) : 0, d = at->n - 1;
    while (d > least && at->up[d]->kind == Sif)
        d--;
    const Stmt *up = at->up[d];
    Stmt *child = d + 1 < at->n ? at->up[d + 1] : at->s;
    if (peek_ordered(up) || up->kind == Swhile) {
        f->k->end = up;
        while (child->next)
            child = child->next;
    }
    f->k->behind = child;
    at->n = d + 1;
    at->s = child;
}

/* A point has the buffer's alloc before it, in a block around it. */
static bool lives(const PeekFind *f, const PeekSite *at)
{
    if (!f->born.s)
        return true;
    return f->born.moment <= at->moment && peek_depth_of(at, f->born.up[f->born.n - 1]) >= 0;
}

/* The loops around the point; false: more than we keep. */
static bool peek_loops(PeekFind *f, const PeekSite *at)
{
    Peek *k = f->k;
    for (int d = 0; d < at->n; d++)
        for (int v = 0; peek_ordered(at->up[d]) && v < at->up[d]->loop.n; v++) {
            if (k->nloop == PeekLoops)
                return false;
            k->loop[k->nloop] = at->up[d];
            k->var[k->nloop++] = at->up[d]->loop.var[v];
        }
    return true;
}

/* Why no point was found. */
static enum PeekResult peek_missing(const PeekFind *f)
{
    Peek *k = f->k;
    for (int i = 0; i < k->nwant; i++)
        for (uint32_t v = 1; k->want[i] && v < f->p->nvar; v++)
            if (f->p->var[v].kind == Vloop && strcmp(f->p->var[v].name, k->want[i]) == 0) {
                k->name = k->want[i];
                k->nwant = i;
                return PEparallel;
            }
    return k->nwant ? PEnoloop : k->line ? PEnoline : PEnowrite;
}

/* Does an ordered loop anywhere have a variable of this name? */
typedef struct Loops Loops;
struct Loops { const Prog *p; const char *name; };

static bool no_such_loop(Stmt *s, void *ud)
{
    const Loops *l = ud;
    for (int v = 0; peek_ordered(s) && v < s->loop.n; v++)
        if (strcmp(l->p->var[s->loop.var[v]].name, l->name) == 0)
            return false;
    return true;
}

static enum PeekResult why_not(const PeekFind *f)
{
    enum PeekResult r = peek_missing(f);
    Loops l = {f->p, f->k->name};
    if (r == PEparallel && !stmt_walk(f->p->body, no_such_loop, &l))
        return PEnoloop; /* it is there, but not around what counts */
    return r;
}

/* Building ------------------------------------------------------------------- */

/* A loop that stands nowhere is the frame of the new statements. */
static Stmt *frame_make(Prog *p, Loc loc)
{
    Stmt *f = anew(&p->ctx, sizeof *f);
    f->kind = Sfor;
    f->loop.kind = Fserial;
    f->loc = p->here;
    agrow(&p->ctx, &p->frame, &p->capframe, p->nframe + 1, sizeof *p->frame);
    p->frame[p->nframe++] = f;
    agrow(&p->ctx, &p->tail, &p->captail, p->ntail + 1, sizeof *p->tail);
    p->tail[p->ntail++] = &f->loop.body;
    p->here = loc;
    return f;
}

static Stmt *frame_finish(Prog *p, Stmt *f)
{
    p->nframe--;
    p->ntail--;
    p->here = f->loc;
    return f->loop.body;
}

static Ex i32(Prog *p, int64_t v) { return x_int(p, DTi32, v); }

static Ex peek_scalar(Prog *p, enum Dtype dt, const char *name)
{
    uint32_t v = p_var(p, Vscalar, dt, name, INT64_MIN, INT64_MAX);
    p_param(p, true, v);
    return x_var(p, v);
}

static Ex peek_both(Prog *p, Ex a, Ex b) { return a ? x_bin(p, Xand, a, b) : b; }

/* "this block": the launch's indices are those that were asked for. */
static Ex this_block(Prog *p, const Stmt *launch, const Ex *want)
{
    Ex c = 0;
    for (int i = 0; i < launch->launch.n; i++)
        c = peek_both(p, c, x_bin(p, Xeq, x_var(p, launch->launch.block[i]), want[i]));
    return c;
}

static Ex thread_number(Prog *p, const Stmt *launch)
{
    Ex e = i32(p, 0);
    for (int i = launch->launch.nthread; i-- > 0;)
        e = x_bin(p, Xadd, x_bin(p, Xmul, e, i32(p, launch->launch.threads[i])),
                  x_var(p, launch->launch.thread[i]));
    return e;
}

/* Every thread's own elements, to its row. */
static void copy_threads(Prog *p, const Stmt *launch, uint32_t from, uint32_t to)
{
    static const char *const names[MaxDim] = {"i", "j", "k", "l", "m", "n", "o", "q"};
    Ex idx[MaxDim + 1] = {thread_number(p, launch)}, zero = i32(p, 0);
    int n = p->buf[from].ndim;
    for (int d = 0; d < n; d++) {
        Ex hi = p->buf[from].shape[d];
        Stmt *s = s_for(p, Fserial, &zero, &hi, 1, i32(p, 1), &names[d]);
        idx[d + 1] = x_var(p, s->loop.var[0]);
    }
    s_store(p, to, idx, n + 1, x_load(p, from, idx + 1, n));
    for (int d = 0; d < n; d++)
        s_close(p);
}

static void copy_to_output(Prog *p, const Peek *k, uint32_t to)
{
    int32_t attr[MaxAttr] = {0, 1}; /* plain stores: a second one overwrites the first */
    Region r[MaxRegion] = {r_whole(p, k->buf), r_whole(p, to)};
    if (k->threads)
        copy_threads(p, k->in, k->buf, to);
    else
        s_op(p, Ocopy, r, 0, attr, NULL);
}

/* What the buffer holds at its birth in this block. */
static Stmt *filled(Prog *p, const PeekSite *born, Ex cond, Ex value)
{
    uint32_t b = born->s->alloc.buf;
    Region r[MaxRegion] = {r_whole(p, b)};
    Stmt *f = frame_make(p, born->s->loc);
    s_if(p, cond);
    s_op(p, Ofill, r, x_cast(p, (enum Dtype)p->buf[b].dt, value), NULL, NULL);
    s_close(p);
    return frame_finish(p, f);
}

static void peek_insert(Stmt *behind, Stmt *list)
{
    Stmt *end = list;
    while (end->next)
        end = end->next;
    end->next = behind->next;
    behind->next = list;
}

/* The user's order and stage of a pipelined loop, with an entry for the statement
 * behind `s`: the last of all at the loop's end, else right behind s. */
static void relist(Prog *p, Stmt *loop, const Stmt *s)
{
    uint32_t at = 0, n;
    if (!loop->loop.norder && !loop->loop.nstage)
        return;
    for (const Stmt *k = loop->loop.body;; k = k->next) {
        at += k->kind != Slet && k->kind != Salloc;
        if (k == s)
            break;
    }
    const int32_t *list[2] = {loop->loop.order, loop->loop.stage};
    uint32_t len[2] = {loop->loop.norder, loop->loop.nstage};
    for (int w = 0; w < 2; w++) {
        if (!len[w] || at > len[w])
            continue;
        n = len[w] + 1;
        int32_t *v = anew(&p->ctx, n * sizeof *v), most = 0;
        for (uint32_t i = 0; i < len[w]; i++)
            most = list[w][i] > most ? list[w][i] : most;
        int32_t own = !s->next || !at ? most : list[w][at - 1];
        own += w == 0 && own >= 0;
        for (uint32_t i = 0; i < n; i++) {
            int32_t old = i == at ? own : list[w][i < at ? i : i - 1];
            v[i] = i != at && w == 0 && old >= own ? old + 1 : old;
        }
        if (w == 0) {
            loop->loop.order = v;
            loop->loop.norder = n;
        } else {
            loop->loop.stage = v;
            loop->loop.nstage = n;
        }
    }
}

static void insert_peek(PeekFind *f, const PeekSite *at)
{
    Prog *p = f->p;
    Peek *k = f->k;
    Ex shape[MaxDim + 1], size, block[MaxLaunchDim], loop[PeekLoops], one = i32(p, 1);
    const Buf *b = &p->buf[k->buf];
    enum Dtype dt = (enum Dtype)b->dt;
    int n = 0;
    int64_t threads = 1;
    for (int i = 0; i < k->in->launch.nthread; i++)
        threads *= k->in->launch.threads[i];
    if (k->threads)
        shape[n++] = i32(p, threads);
    for (int d = 0; d < b->ndim; d++)
        shape[n++] = b->shape[d];
    uint32_t values = p_buf(p, SCglobal, dt, "peek_values", shape, NULL, n);
    p_param(p, false, values);
    size = i32(p, 1 + k->nloop);
    uint32_t where = p_buf(p, SCglobal, DTi32, "peek_where", &size, NULL, 1);
    p_param(p, false, where);
    for (int i = 0; i < k->in->launch.n; i++)
        block[i] = peek_scalar(p, DTi32, "peek_block");
    for (int i = 0; i < k->nloop; i++)
        loop[i] = peek_scalar(p, DTi32, "peek_loop");
    Ex here = this_block(p, k->in, block), cond = here;
    for (int i = 0; i < k->nloop; i++)
        cond = peek_both(p, cond, x_bin(p, Xor, x_bin(p, Xeq, loop[i], i32(p, INT32_MIN)),
                                        x_bin(p, Xeq, x_var(p, k->var[i]), loop[i])));
    Stmt *frame = frame_make(p, k->behind->loc);
    s_if(p, cond)->cond.look = true;
    copy_to_output(p, k, values);
    for (int i = -1; i < k->nloop; i++) {
        Ex idx = i32(p, 1 + i);
        s_store(p, where, &idx, 1, i < 0 ? one : x_cast(p, DTi32, x_var(p, k->var[i])));
    }
    s_close(p);
    Stmt *list = frame_finish(p, frame), *up = at->up[at->n - 1];
    if (up->kind == Sfor)
        relist(p, up, at->s);
    peek_insert(at->s, list);
    if (k->fill && f->born.s && !f->born.s->alloc.init)
        peek_insert(f->born.s, filled(p, &f->born, here, peek_scalar(p, DTf32, "peek_fill")));
    else if (k->fill)
        peek_scalar(p, DTf32, "peek_fill");
}

/* The whole ------------------------------------------------------------------ */

static enum PeekResult peek_launch(PeekFind *f, Stmt *s, int number)
{
    Peek *k = f->k;
    k->in = s;
    f->simt = false;
    f->simt = !stmt_walk(s->launch.body, same_stmt, f);
    f->now = f->best = f->frame = f->born = (PeekSite){.s = NULL};
    f->now.up[f->now.n++] = s;
    find_writes(f, s->launch.body);
    PeekSite at = f->best.s ? f->best : f->frame;
    if (!at.s)
        return why_not(f);
    k->launch = number;
    k->inside = k->line && at.inside;
    k->behind = at.s;
    if (!k->line)
        choose_site(f, &at);
    else if (!lives(f, &at))
        return PEscope;
    if (!peek_loops(f, &at))
        return PEnoloop;
    int scope = f->p->buf[k->buf].scope;
    k->threads = f->simt && (scope == SClocal || scope == SCvar);
    insert_peek(f, &at);
    return PEfound;
}

enum PeekResult prog_peek(Prog *p, Peek *k)
{
    PeekFind f = {.p = p, .k = k};
    enum PeekResult r = PEnobuffer, tried;
    int n = 0;
    k->buf = buffer_by_name(p, k->buffer);
    if (!k->buf)
        return PEnobuffer;
    k->name = p->buf[k->buf].name;
    k->born = p->buf[k->buf].loc;
    f.root = buf_root(p, k->buf);
    if (p->buf[k->buf].scope == SCglobal)
        return PEglobal;
    if (p->buf[k->buf].scope == SCbarrier || p->buf[k->buf].scope == SCpipe)
        return PEkind;
    for (Stmt *s = p->body; s; s = s->next) {
        if (s->kind != Slaunch)
            continue;
        tried = peek_launch(&f, s, n++);
        if (tried == PEfound)
            return tried;
        if (f.born.s || r == PEnobuffer) /* the launch where it lives says why */
            r = tried;
    }
    return r;
}
