/* core/ir/print.c: the IR as text that reads back to the same IR.
 *
 * The grammar stands at the head of parse.c.  The text depends on what the
 * program is and not on how it was made: names get a suffix (i.2) only where
 * an outer one is still visible, and operands whose order means nothing are
 * printed outermost variable first (print_plan.c).
 *
 * A tree that is deep or that shares much would print without end, so parts
 * of such trees are named first:  def $1 = ... */
#include <stdlib.h>
#include <string.h>

#include "handover.h"
#include "print.h"
#include "walk.h"

/* Names ---------------------------------------------------------------- */

static uint32_t print_bucketof(const char *s)
{
    uint32_t h = 5381;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h % NameBuckets;
}

void pr_declare(Pr *w, PrintName *m, const char *name)
{
    if (m->n)
        return; /* declared twice, in a broken program */
    m->base = name ? name : "_";
    m->bucket = print_bucketof(m->base);
    m->n = 1;
    for (PrintName *k = w->bucket[m->bucket]; k; k = k->below)
        if (strcmp(k->base, m->base) == 0) {
            m->n = k->n + 1;
            break;
        }
    m->below = w->bucket[m->bucket];
    w->bucket[m->bucket] = m;
    w->scope[w->nscope++] = m;
}

static void names_leave(Pr *w, uint32_t mark)
{
    while (w->nscope > mark) {
        PrintName *m = w->scope[--w->nscope];
        w->bucket[m->bucket] = m->below;
    }
}

void pr_declarevar(Pr *w, uint32_t v)
{
    if (v < w->p->nvar)
        pr_declare(w, &w->var[v], w->p->var[v].name);
}

/* Parts with names of their own ---------------------------------------- */

static int byhandle(const void *a, const void *b)
{
    Ex x = *(const Ex *)a, y = *(const Ex *)b;
    return x < y ? -1 : x > y;
}

void pr_indent(Pr *w)
{
    for (int i = 0; i < w->indent; i++)
        str_puts(w->out, "  ");
}

typedef struct Need Need;
struct Need { Pr *w; uint32_t n; };

/* Puts e and everything below it that must be named first, and is not yet,
 * into todo, which serves as the stack as well: found ones at its front. */
static bool print_need(void *ud, Ex root)
{
    Need *k = ud;
    Pr *w = k->w;
    uint32_t end = 2 * w->p->nex, top = end;
    if (!root || root >= w->p->nex || w->seen[root] == w->epoch)
        return true;
    w->seen[root] = w->epoch;
    w->todo[--top] = root;
    while (top < end) {
        Ex e = w->todo[top++];
        const Expr *x = &w->p->ex[e];
        if (w->def[e] == CUT)
            w->todo[k->n++] = e;
        else if (w->def[e])
            continue;
        for (int i = 0; i < x->n; i++)
            if (w->seen[x->arg[i]] != w->epoch) {
                w->seen[x->arg[i]] = w->epoch;
                w->todo[--top] = x->arg[i];
            }
    }
    return true;
}

static void definitions(Pr *w, Need *k)
{
    qsort(w->todo, k->n, sizeof *w->todo, byhandle);
    for (uint32_t i = 0; i < k->n; i++) {
        pr_indent(w);
        str_fmt(w->out, "def $%u = ", (unsigned)w->ndef + 1);
        pr_expr(w, w->todo[i], 0, false);
        str_puts(w->out, "\n");
        w->def[w->todo[i]] = ++w->ndef;
    }
}

static void print_define(Pr *w, const Stmt *s)
{
    Need k = {w, 0};
    if (!w->cuts)
        return;
    w->epoch++;
    stmt_exprs(w->p, s, print_need, &k);
    if (w->plans)
        handover_exprs(s, print_need, &k);
    definitions(w, &k);
}

static void defineshape(Pr *w, const Buf *b)
{
    Need k = {w, 0};
    if (!w->cuts)
        return;
    w->epoch++;
    for (int i = 0; i < b->ndim; i++) {
        print_need(&k, b->shape[i]);
        print_need(&k, b->stride[i]);
    }
    print_need(&k, b->safe);
    definitions(w, &k);
}
/* Positions ------------------------------------------------------------ */

static bool sameloc(Loc a, Loc b)
{
    return a.file == b.file && a.line == b.line && a.col == b.col;
}

static uint16_t fileno_of(const Pr *w, Loc l)
{
    return l.file < w->p->ctx.nfile ? w->file[l.file] : 0;
}

static void print_position(Pr *w, Loc l)
{
    uint16_t f = fileno_of(w, l);
    if (w->nfile > 1 || f != w->nfile)
        str_fmt(w->out, " @%u:%u:%u", f, (unsigned)l.line, l.col);
    else if (l.col)
        str_fmt(w->out, " @%u:%u", (unsigned)l.line, l.col);
    else
        str_fmt(w->out, " @%u", (unsigned)l.line);
}

/* A position in the text that the program was read from says nothing. */
static Loc print_users(const Pr *w, Loc l)
{
    return l.file && l.file == w->p->textfile ? (Loc){0, 0, 0} : l;
}

void pr_endline(Pr *w, Loc l)
{
    l = print_users(w, l);
    if (!sameloc(l, (Loc){0, 0, 0}))
        print_position(w, l);
    str_puts(w->out, "\n");
}

/* After a name that is declared in a statement at `of`. */
static void print_ownposition(Pr *w, Loc l, Loc of)
{
    if (!sameloc(print_users(w, l), print_users(w, of)))
        print_position(w, print_users(w, l));
}
/* Declarations --------------------------------------------------------- */

static void print_list(Pr *w, const Ex *e, int n)
{
    str_puts(w->out, "[");
    pr_exprs(w, e, n);
    str_puts(w->out, "]");
}

static void buftype(Pr *w, const Buf *b, bool scope)
{
    if (scope)
        str_fmt(w->out, ": %s", scopename[b->scope]);
    else
        str_puts(w->out, ":");
    str_fmt(w->out, " %s", dtypeinfo[b->dt].name);
    print_list(w, b->shape, b->ndim);
    if (b->ndim && b->stride[0]) {
        str_puts(w->out, " stride=");
        print_list(w, b->stride, b->ndim);
    }
    if (b->safe) {
        str_puts(w->out, " safe=");
        pr_expr(w, b->safe, 0, false);
    }
    if (b->layout) {
        str_puts(w->out, " layout=");
        pr_quoted(w->out, b->layout, '"');
    }
    if (b->map) {
        Str text = {0};
        layout_print(b->map, &text);
        str_puts(w->out, " map=");
        pr_quoted(w->out, text.s ? text.s : "", '"');
        w->out->bad |= text.bad;
        str_free(&text);
    }
    if (b->at >= 0)
        str_fmt(w->out, " at=%lld", (long long)b->at);
    if (b->stage)
        str_puts(w->out, " stage=1");
    if (b->of) {
        str_puts(w->out, " of=");
        pr_quoted(w->out, b->of, '"');
    }
}

static void print_views(Pr *w, uint32_t root)
{
    for (uint32_t v = root + 1; w->views && v < w->p->nbuf; v++) {
        const Buf *b = &w->p->buf[v];
        if (!b->base || pr_root(w->p, v) != root)
            continue;
        pr_declare(w, &w->buf[v], b->name);
        defineshape(w, b);
        pr_indent(w);
        str_puts(w->out, "view ");
        pr_buf(w, v);
        str_puts(w->out, " of ");
        pr_buf(w, b->base);
        buftype(w, b, false);
        pr_endline(w, b->loc);
    }
}

/* Range of an integer variable, where something is known of it. */
static void print_range(Pr *w, const Var *v)
{
    if (v->lo == INT64_MIN && v->hi == INT64_MAX)
        return;
    str_puts(w->out, " in ");
    if (v->lo != INT64_MIN)
        str_fmt(w->out, "%lld", (long long)v->lo);
    str_puts(w->out, "..");
    if (v->hi != INT64_MAX)
        str_fmt(w->out, "%lld", (long long)v->hi);
}

static void ir_print_head(Pr *w)
{
    const Prog *p = w->p;
    w->indent = 1;
    for (uint32_t i = 1; i < p->nvar; i++) {
        const Var *v = &p->var[i];
        if (!pr_headvar(w, i))
            continue;
        str_puts(w->out, v->kind == Vdim ? "  dim " : "  scalar ");
        pr_var(w, i);
        str_fmt(w->out, ": %s", dtypeinfo[v->dt].name);
        print_range(w, v);
        pr_endline(w, v->loc);
    }
    for (uint32_t i = 1; i < p->nbuf; i++) {
        const Buf *b = &p->buf[i];
        if (!pr_headbuf(w, i))
            continue;
        defineshape(w, b);
        str_puts(w->out, "  buffer ");
        pr_buf(w, i);
        buftype(w, b, true);
        pr_endline(w, b->loc);
        print_views(w, i);
    }
    w->indent = 0;
}
/* Statements ----------------------------------------------------------- */

static void print_block(Pr *w, const Stmt *s);

static void print_region(Pr *w, const Region *r)
{
    int64_t one;
    pr_buf(w, r->buf);
    if (region_whole(w->p, r))
        return;
    str_puts(w->out, "[");
    for (int d = 0; d < region_dims(w->p, r); d++) {
        if (d)
            str_puts(w->out, ", ");
        pr_expr(w, r->min[d], 0, false);
        if (x_isint(w->p, r->extent[d], &one) && one == 1 && ex_type(w->p, r->extent[d]) == DTi32)
            continue;
        str_puts(w->out, ":+");
        pr_expr(w, r->extent[d], BindAdd, false);
    }
    str_puts(w->out, "]");
}

/* Attributes by their names in ops.h, those that are not 0. */
static void attributes(Pr *w, const char *names, const int32_t *v)
{
    for (int i = 0; *names; i++) {
        size_t n = strcspn(names, " ");
        if (v[i]) {
            str_fmt(w->out, " %.*s=", (int)n, names);
            if (n == 4 && memcmp(names, "kind", 4) == 0 && v[i] > 0 && v[i] < NRed)
                str_puts(w->out, redinfo[v[i]].text);
            else
                str_fmt(w->out, "%d", (int)v[i]);
        }
        names += n;
        names += *names == ' ';
    }
}

/* What stands between two regions shows which way the data goes. */
static const char *print_between(char a, char b)
{
    if (a == 'r' && b != 'r')
        return " -> ";
    return a != 'r' && b == 'r' ? " <- " : ", ";
}

static void print_op(Pr *w, const Stmt *s)
{
    const OpInfo *o = &opinfo[s->op.op < NOp ? s->op.op : 0];
    str_puts(w->out, o->text ? o->text : "?");
    for (int i = 0; i < o->nregion; i++) {
        if (!s->op.r[i].buf)
            continue;
        str_puts(w->out, i ? print_between(o->regions[i - 1], o->regions[i]) : " ");
        print_region(w, &s->op.r[i]);
    }
    if (s->op.value) {
        str_puts(w->out, ", ");
        pr_expr(w, s->op.value, 0, true);
    }
    if (o->attrs)
        attributes(w, o->attrs, s->op.attr);
    if (s->op.text) {
        str_puts(w->out, " ");
        pr_quoted(w->out, s->op.text, '"');
    }
    pr_endline(w, s->loc);
}

static void print_numbers(Pr *w, const char *name, const int32_t *v, uint32_t n)
{
    if (n == 0)
        return;
    str_fmt(w->out, " %s=[", name);
    for (uint32_t i = 0; i < n; i++)
        str_fmt(w->out, i ? ", %d" : "%d", (int)v[i]);
    str_puts(w->out, "]");
}

static void option(Pr *w, const char *name, int32_t v)
{
    if (v)
        str_fmt(w->out, " %s=%d", name, (int)v);
}

static void print_names(Pr *w, const uint32_t *var, int n, Loc of)
{
    for (int i = 0; i < n; i++)
        pr_declarevar(w, var[i]);
    for (int i = 0; i < n; i++) {
        str_puts(w->out, i ? ", " : "");
        pr_var(w, var[i]);
        if (var[i] < w->p->nvar)
            print_ownposition(w, w->p->var[var[i]].loc, of);
    }
}

static void print_cluster(Pr *w, const Stmt *s)
{
    int32_t v[MaxLaunchDim];
    bool any = false;
    for (int i = 0; i < MaxLaunchDim; i++) {
        v[i] = s->launch.cluster[i] ? s->launch.cluster[i] : 1;
        any |= v[i] > 1;
    }
    if (any)
        print_numbers(w, "cluster", v, MaxLaunchDim);
}

static void print_launch(Pr *w, const Stmt *s)
{
    uint32_t mark = w->nscope;
    bool used = false;
    str_puts(w->out, "launch ");
    print_names(w, s->launch.block, s->launch.n, s->loc);
    str_puts(w->out, " in ");
    pr_exprs(w, s->launch.grid, s->launch.n);
    for (int i = 0; i < s->launch.nthread; i++)
        used |= s->launch.thread[i] < w->p->nvar && w->used[s->launch.thread[i]];
    str_puts(w->out, " threads ");
    if (used) { /* else nobody has asked for their names */
        print_names(w, s->launch.thread, s->launch.nthread, s->loc);
        str_puts(w->out, " in ");
    }
    for (int i = 0; i < s->launch.nthread; i++)
        str_fmt(w->out, i ? ", %d" : "%d", (int)s->launch.threads[i]);
    option(w, "panel", s->launch.panel);
    option(w, "order", s->launch.order);
    option(w, "fixed", s->launch.fixed);
    print_cluster(w, s);
    option(w, "blocks", s->launch.blocks);
    option(w, "keep_regs", s->launch.keep_regs);
    option(w, "own_syncs", s->launch.own_syncs);
    option(w, "own_stages", s->launch.own_stages);
    option(w, "producer_regs", s->launch.regs[0]);
    option(w, "consumer_regs", s->launch.regs[1]);
    for (uint32_t i = 0; i < s->launch.nsafe; i++) {
        str_puts(w->out, i ? ", " : " safe=[");
        pr_buf(w, s->launch.safe[i].buf);
        str_puts(w->out, ": ");
        pr_expr(w, s->launch.safe[i].value, 0, false);
    }
    str_puts(w->out, s->launch.nsafe ? "]" : "");
    if (s->launch.shared || w->p->machine)
        str_fmt(w->out, " shared=%lld", (long long)s->launch.shared);
    str_puts(w->out, " do");
    pr_endline(w, s->loc);
    w->indent++;
    pr_handover_inside(w, s);
    w->indent--;
    print_block(w, s->launch.body);
    names_leave(w, mark);
    pr_indent(w);
    str_puts(w->out, "end\n");
}

/* Where variable i of loop s begins and ends.  They say of which type it is, which passes do not
 * care for. */
static void print_bounds(Pr *w, const Stmt *s, int i)
{
    const Prog *p = w->p;
    int64_t v;
    Ex bound[] = {s->loop.lo[i], s->loop.hi[i]};
    enum Dtype t = s->loop.var[i] < p->nvar ? (enum Dtype)p->var[s->loop.var[i]].dt : DTnone;
    bool told = t == DTnone || t == DTi32 ||
                x_promote(ex_type(p, bound[0]), ex_type(p, bound[1])) == t;
    bool zero = x_isint(p, bound[0], &v) && v == 0 && ex_type(p, bound[0]) == DTi32 && told;
    for (int k = zero; k < 2; k++) {
        if (!told)
            str_fmt(w->out, "%s(", dtypeinfo[t].name);
        pr_expr(w, bound[k], 0, !told);
        str_fmt(w->out, "%s%s", told ? "" : ")", k ? "" : ":");
    }
}

static void print_loop(Pr *w, const Stmt *s)
{
    uint32_t mark = w->nscope;
    Str *out = w->out, bounds = {0};
    w->out = &bounds; /* before the variables are in scope */
    for (int i = 0; i < s->loop.n; i++) {
        str_puts(w->out, i ? ", " : "");
        print_bounds(w, s, i);
    }
    w->out = out;
    str_puts(out, "for ");
    print_names(w, s->loop.var, s->loop.n, s->loc);
    str_fmt(out, " in %s(%s)", s->loop.kind < NFor ? forname[s->loop.kind] : "?",
            bounds.s ? bounds.s : "");
    out->bad |= bounds.bad;
    str_free(&bounds);
    if (s->loop.step) {
        str_puts(out, " step=");
        pr_expr(w, s->loop.step, 0, false);
    }
    option(w, "stages", s->loop.num_stages);
    option(w, "unroll", s->loop.unroll);
    print_numbers(w, "order", s->loop.order, s->loop.norder);
    print_numbers(w, "stage", s->loop.stage, s->loop.nstage);
    str_puts(out, " do");
    pr_endline(w, s->loc);
    w->indent++;
    pr_handover_inside(w, s);
    w->indent--;
    print_block(w, s->loop.body);
    names_leave(w, mark);
    pr_indent(w);
    str_puts(out, "end\n");
}

static void print_alloc(Pr *w, const Stmt *s)
{
    uint32_t b = s->alloc.buf;
    str_puts(w->out, "alloc ");
    if (b < w->p->nbuf) {
        const Buf *k = &w->p->buf[b];
        pr_declare(w, &w->buf[b], k->name);
        pr_buf(w, b);
        print_ownposition(w, k->loc, s->loc);
        buftype(w, k, true);
    }
    if (s->alloc.init) {
        str_puts(w->out, " = ");
        pr_expr(w, s->alloc.init, 0, true);
        if (s->own)
            str_puts(w->out, " each");
    }
    pr_endline(w, s->loc);
    print_views(w, b);
}

static void print_let(Pr *w, const Stmt *s)
{
    uint32_t v = s->let.var;
    Ex value = v < w->p->nvar ? w->p->var[v].value : 0;
    Str *out = w->out, text = {0};
    w->out = &text;
    pr_expr(w, value, 0, false);
    w->out = out;
    str_puts(out, "let ");
    print_names(w, &v, 1, s->loc);
    str_fmt(out, " = %s", text.s ? text.s : "?");
    out->bad |= text.bad;
    str_free(&text);
    pr_endline(w, s->loc);
}

static const char *const ordername[] = {"relaxed", "consume", "acquire", "release", "acq_rel",
                                        "seq_cst"};

static void print_atomic(Pr *w, const Stmt *s)
{
    int k = s->atomic.kind;
    Str *out = w->out, text = {0};
    w->out = &text;
    pr_element(w, s->atomic.buf, s->atomic.idx,
            s->atomic.buf < w->p->nbuf ? w->p->buf[s->atomic.buf].ndim : 0);
    for (int i = 0; i < 4 && s->atomic.value[i]; i++) {
        str_puts(w->out, ", ");
        pr_expr(w, s->atomic.value[i], 0, true);
    }
    if (s->atomic.order && s->atomic.order < COUNT(ordername))
        str_fmt(w->out, " order=%s", ordername[s->atomic.order]);
    if (s->own)
        str_puts(w->out, " each");
    w->out = out;
    if (s->atomic.prev) {
        str_puts(out, "let ");
        print_names(w, &s->atomic.prev, 1, s->loc);
        str_puts(out, " = ");
    }
    const char *kind = k == ATload ? "load" : k == ATstore ? "store" : k < NRed ? redinfo[k].text : "?";
    str_fmt(out, "atomic %s %s", kind, text.s ? text.s : "?");
    out->bad |= text.bad;
    str_free(&text);
    pr_endline(w, s->loc);
}

static void ending(Pr *w, const char *text, bool comma, Loc l)
{
    if (text) {
        str_puts(w->out, comma ? ", " : " ");
        pr_quoted(w->out, text, '"');
    }
    pr_endline(w, l);
}

static void print_branch(Pr *w, const Stmt *s)
{
    str_puts(w->out, "if ");
    pr_expr(w, s->cond.cond, 0, false);
    str_puts(w->out, " then");
    pr_endline(w, s->loc);
    print_block(w, s->cond.then);
    if (s->cond.els) {
        pr_indent(w);
        str_puts(w->out, "else\n");
        print_block(w, s->cond.els);
    }
    pr_indent(w);
    str_puts(w->out, "end\n");
}

static void print_role(Pr *w, const Stmt *s)
{
    str_fmt(w->out, "role %d..%d", (int)s->role.lo, (int)s->role.hi);
    if (s->role.name) {
        str_puts(w->out, " ");
        pr_quoted(w->out, s->role.name, '"');
    }
    str_puts(w->out, " do");
    pr_endline(w, s->loc);
    print_block(w, s->role.body);
    pr_indent(w);
    str_puts(w->out, "end\n");
}

static void print_statement(Pr *w, const Stmt *s)
{
    print_define(w, s);
    if (s->kind == Salloc && s->alloc.buf < w->p->nbuf)
        defineshape(w, &w->p->buf[s->alloc.buf]);
    pr_handover_before(w, s);
    pr_indent(w);
    switch ((enum StmtKind)s->kind) {
    case Slaunch: print_launch(w, s); break;
    case Salloc: print_alloc(w, s); break;
    case Slet: print_let(w, s); break;
    case Sstore:
        pr_element(w, s->store.buf, s->store.idx,
                s->store.buf < w->p->nbuf ? w->p->buf[s->store.buf].ndim : 0);
        str_puts(w->out, " = ");
        pr_expr(w, s->store.value, 0, true);
        if (s->own)
            str_puts(w->out, " each");
        pr_endline(w, s->loc);
        break;
    case Sfor: print_loop(w, s); break;
    case Swhile:
        str_puts(w->out, "while ");
        pr_expr(w, s->whil.cond, 0, false);
        str_puts(w->out, " do");
        pr_endline(w, s->loc);
        print_block(w, s->whil.body);
        pr_indent(w);
        str_puts(w->out, "end\n");
        break;
    case Sif: print_branch(w, s); break;
    case Srole: print_role(w, s); break;
    case Sbreak:
        str_puts(w->out, "break");
        pr_endline(w, s->loc);
        break;
    case Scontinue:
        str_puts(w->out, "continue");
        pr_endline(w, s->loc);
        break;
    case Sop: print_op(w, s); break;
    case Satomic: print_atomic(w, s); break;
    case Scall:
        str_fmt(w->out, "call %s(", s->call.fn < NIntr ? intrinfo[s->call.fn].text : "?");
        pr_exprs(w, s->call.arg, s->call.fn < NIntr ? intrinfo[s->call.fn].arity : 0);
        str_puts(w->out, ")");
        pr_endline(w, s->loc);
        break;
    case Sprint:
        str_puts(w->out, s->print.value ? "printf " : "printf");
        if (s->print.value)
            pr_expr(w, s->print.value, 0, false);
        ending(w, s->print.text, s->print.value != 0, s->loc);
        break;
    case Sassert: case Sassume:
        str_puts(w->out, s->kind == Sassert ? "assert " : "assume ");
        pr_expr(w, s->check.cond, 0, false);
        ending(w, s->check.text, true, s->loc);
        break;
    case Sxxx: case NStmt:
        str_puts(w->out, "?\n");
    }
    pr_handover_behind(w, s);
}

static void print_block(Pr *w, const Stmt *s)
{
    uint32_t mark = w->nscope;
    w->indent++;
    for (; s; s = s->next)
        print_statement(w, s);
    w->indent--;
    names_leave(w, mark);
}
/* The whole ------------------------------------------------------------ */

static void file_line(Str *out, int i, const char *name)
{
    Str shown = {0};
    if (name[0] != '@' && name[0] != '=' && (strchr(name, '\n') || strlen(name) > 255)) { /* a text, not a name */
        str_puts(&shown, "=");
        str_file(&shown, name);
    }
    str_fmt(out, "file %d ", i);
    pr_quoted(out, shown.s ? shown.s : name, '"');
    str_puts(out, "\n");
    out->bad |= shown.bad;
    str_free(&shown);
}

static void print_signature(Pr *w)
{
    const Prog *p = w->p;
    for (int i = 1; i <= w->nfile; i++)
        for (uint32_t f = 1; f < p->ctx.nfile; f++)
            if (w->file[f] == i) {
                file_line(w->out, i, p->ctx.file[f]);
            }
    str_puts(w->out, "kernel ");
    pr_name(w->out, p->name);
    str_puts(w->out, "(");
    for (uint32_t i = 0; i < p->nparam; i++) {
        str_puts(w->out, i ? ", " : "");
        if (p->param[i].scalar)
            pr_var(w, p->param[i].id);
        else
            pr_buf(w, p->param[i].id);
    }
    str_puts(w->out, ")");
    for (uint32_t i = 0; i < p->nout; i++) {
        str_puts(w->out, i ? ", " : " -> ");
        pr_buf(w, p->out[i]);
    }
    if (p->machine) {
        str_puts(w->out, " machine ");
        pr_name(w->out, p->machine);
    } else if (w->plans) {
        str_puts(w->out, " machine ");
        pr_name(w->out, p->between.machine);
        str_fmt(w->out, " after %s", p->between.after);
    }
    pr_endline(w, p->loc);
}

static void *zeroed(const Prog *p, uint32_t n, size_t size)
{
    void *m = p->ctx.mem.alloc(p->ctx.mem.ud, NULL, (n + 1) * size);
    return m ? memset(m, 0, (n + 1) * size) : NULL;
}

void prog_print(const Prog *p, Str *out)
{
    Pr w = {.p = p, .out = out, .nodes = -1, .depth = -1, .epoch = 1,
            .plans = p->between.after && !p->machine};
    uint32_t names = p->nvar + p->nbuf;
    struct { void *p; uint32_t n; size_t size; } room[] = {
        {&w.var, p->nvar, sizeof *w.var},   {&w.buf, p->nbuf, sizeof *w.buf},
        {&w.scope, names, sizeof *w.scope}, {&w.order, names, sizeof *w.order},
        {&w.used, names, 1},              {&w.allocated, p->nbuf, 1},
        {&w.key, p->nex, sizeof *w.key},    {&w.inner, p->nex, sizeof *w.inner},
        {&w.def, p->nex, sizeof *w.def},    {&w.todo, p->nex * 2, sizeof *w.todo},
        {&w.seen, p->nex, sizeof *w.seen},  {&w.file, p->ctx.nfile, sizeof *w.file},
        {&w.pend, p->nbuf, sizeof *w.pend}, {&w.nth, p->nbuf, sizeof *w.nth},
    };
    bool ok = true;
    for (size_t i = 0; i < COUNT(room); i++) {
        void *m = zeroed(p, room[i].n, room[i].size);
        memcpy(room[i].p, &m, sizeof m);
        ok = ok && m;
    }
    out->bad |= !ok;
    if (ok) {
        pr_plan(&w);
        print_signature(&w);
        ir_print_head(&w);
        print_block(&w, p->body);
        str_puts(out, "end\n");
    }
    for (size_t i = 0; i < COUNT(room); i++) {
        void *m;
        memcpy(&m, room[i].p, sizeof m);
        p->ctx.mem.alloc(p->ctx.mem.ud, m, 0);
    }
}
