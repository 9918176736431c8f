/* core/ir/parse_stmt.c: the statements of IR text, each by the builder's function
 * for it; the grammar stands at the head of parse.c. */
#include <string.h>

#include "parse.h"
#include "reduce.h"
#include "err/ir.h"
#include "err/kernel.h"

/* Statements ----------------------------------------------------------- */

/* cluster=[2, 1, 1] */
static void clusterdims(Parser *r, uint8_t *cluster)
{
    parse_need(r, Tchar + '[', "`[`");
    for (int i = 0; i < MaxLaunchDim; i++) {
        if (i)
            parse_comma(r);
        cluster[i] = (uint8_t)parse_integer(r, 1, 16);
    }
    parse_need(r, Tchar + ']', "`]`");
}

/* `[` buffer `:` constant {, ..} `]` of a launch */
typedef struct Safes { Safe *v; uint32_t n, cap; } Safes;

static void safes(Parser *r, Safes *out)
{
    Ctx *c = &r->p->ctx;
    parse_need(r, Tchar + '[', "`[`");
    do {
        Loc at = r->l.loc;
        uint32_t b = parse_buf(r);
        parse_need(r, Tchar + ':', "`:`");
        Ex e = parse_expr(r);
        if (!r->p->buf[b].param)
            diag_fail(c, E_ir_undefined, at, r->p->buf[b].name, NULL);
        if (ex_at(r->p, e)->op != Xint && ex_at(r->p, e)->op != Xfloat)
            diag_fail(c, E_safe_value, at, r->p->buf[b].name, NULL);
        agrow(c, &out->v, &out->cap, out->n + 1, sizeof *out->v);
        out->v[out->n++] = (Safe){b, e};
    } while (parse_take(r, Tchar + ','));
    parse_need(r, Tchar + ']', "`]`");
}

static void parse_launch(Parser *r)
{
    Prog *p = r->p;
    New m[MaxLaunchDim], t[MaxLaunchDim];
    const char *name[MaxLaunchDim], *s;
    Ex grid[MaxLaunchDim];
    int32_t threads[MaxLaunchDim], panel = 0, order = 0;
    uint8_t cluster[MaxLaunchDim] = {0}, fixed = 0, blocks = 0, keep_regs = 0, own_syncs = 0, own_stages = 0;
    uint16_t regs[2] = {0};
    int64_t shared = 0;
    Safes safe = {0};
    int n = parse_newnames(r, m, MaxLaunchDim), nt = 0, k = 0;
    Loc at;
    parse_needword(r, "in");
    for (int i = 0; i < n; i++) {
        if (i)
            parse_comma(r);
        name[i] = m[i].name;
        grid[i] = parse_int(r);
    }
    if (!parse_takename(r, "threads"))
        parse_expected(r, "`threads`");
    if (r->l.tok == Tname) {
        nt = parse_newnames(r, t, MaxLaunchDim);
        parse_needword(r, "in");
    }
    do {
        if (k == (nt ? nt : MaxLaunchDim))
            parse_limit(r, "dimensions of the threads", k, (uint64_t)k + 1);
        threads[k++] = parse_small(r);
    } while (parse_take(r, Tchar + ','));
    if (nt && k != nt)
        parse_comma(r);
    while ((s = parse_option(r, &at))) {
        if (strcmp(s, "panel") == 0)
            panel = parse_small(r);
        else if (strcmp(s, "order") == 0)
            order = (int32_t)parse_integer(r, 0, 2);
        else if (strcmp(s, "fixed") == 0)
            fixed = (uint8_t)parse_integer(r, 0, 1);
        else if (strcmp(s, "cluster") == 0)
            clusterdims(r, cluster);
        else if (strcmp(s, "blocks") == 0)
            blocks = (uint8_t)parse_integer(r, 0, MaxResident);
        else if (strcmp(s, "keep_regs") == 0)
            keep_regs = (uint8_t)parse_integer(r, 0, 1);
        else if (strcmp(s, "own_syncs") == 0)
            own_syncs = (uint8_t)parse_integer(r, 0, 1);
        else if (strcmp(s, "own_stages") == 0)
            own_stages = (uint8_t)parse_integer(r, 0, 1);
        else if (strcmp(s, "producer_regs") == 0)
            regs[0] = (uint16_t)parse_integer(r, 0, MaxRegs);
        else if (strcmp(s, "consumer_regs") == 0)
            regs[1] = (uint16_t)parse_integer(r, 0, MaxRegs);
        else if (strcmp(s, "shared") == 0)
            shared = parse_integer(r, 0, INT32_MAX);
        else if (strcmp(s, "safe") == 0)
            safes(r, &safe);
        else
            parse_badoption(r, at, s, "launch", "panel, order, fixed, cluster, blocks, keep_regs, "
                            "own_syncs, own_stages, producer_regs, consumer_regs, safe, shared");
    }
    parse_needword(r, "do");
    Stmt *l = s_launch(p, grid, n, threads, k, name);
    l->launch.panel = panel;
    l->launch.order = (uint8_t)order;
    l->launch.fixed = fixed;
    l->launch.shared = shared;
    l->launch.blocks = blocks;
    l->launch.keep_regs = keep_regs;
    l->launch.own_syncs = own_syncs;
    l->launch.own_stages = own_stages;
    memcpy(l->launch.regs, regs, sizeof regs);
    l->launch.safe = safe.v;
    l->launch.nsafe = safe.n;
    memcpy(l->launch.cluster, cluster, sizeof cluster);
    uint32_t mark = r->nvisible;
    parse_plan_launch(r, l);
    r->scope++;
    for (int i = 0; i < n; i++)
        parse_entervar(r, &m[i], l->launch.block[i]);
    for (int i = 0; i < nt; i++) {
        p->var[l->launch.thread[i]].name = t[i].name;
        parse_entervar(r, &t[i], l->launch.thread[i]);
    }
    parse_endline(r);
    parse_block(r, false);
    r->launch = NULL;
    r->scope--;
    parse_leave(r, mark);
    s_close(p);
}

static uint32_t parse_numbers(Parser *r, const int32_t **out)
{
    int32_t *v = NULL;
    uint32_t n = 0, cap = 0;
    parse_need(r, Tchar + '[', "`[`");
    do {
        agrow(&r->p->ctx, &v, &cap, n + 1, sizeof *v);
        v[n++] = parse_small(r);
    } while (parse_take(r, Tchar + ','));
    parse_need(r, Tchar + ']', "`]`");
    *out = v;
    return n;
}

static void parse_for(Parser *r)
{
    Prog *p = r->p;
    New m[MaxLoop];
    const char *name[MaxLoop], *s;
    Ex lo[MaxLoop], hi[MaxLoop], step = 0;
    int32_t stages = 0, unroll = 0;
    const int32_t *order = NULL, *stage = NULL;
    uint32_t norder = 0, nstage = 0;
    int n = parse_newnames(r, m, MaxLoop), kind = Fnone + 1;
    Loc at;
    parse_needword(r, "in");
    while (kind < NFor && (r->l.tok != Tname || strcmp(r->l.s, forname[kind])))
        kind++;
    if (kind == NFor)
        parse_expected(r, "serial | unroll | vectorized | parallel | pipelined | persistent");
    lex_next(&r->l);
    parse_need(r, Tchar + '(', "`(`");
    for (int i = 0; i < n; i++) {
        if (i)
            parse_comma(r);
        name[i] = m[i].name;
        lo[i] = x_int(p, DTi32, 0);
        hi[i] = parse_int(r);
        if (parse_take(r, Tchar + ':')) {
            lo[i] = hi[i];
            hi[i] = parse_int(r);
        }
    }
    parse_need(r, Tchar + ')', "`)`");
    while ((s = parse_option(r, &at))) {
        if (strcmp(s, "step") == 0)
            step = parse_int(r);
        else if (strcmp(s, "stages") == 0)
            stages = parse_small(r);
        else if (strcmp(s, "unroll") == 0)
            unroll = parse_small(r);
        else if (strcmp(s, "order") == 0)
            norder = parse_numbers(r, &order);
        else if (strcmp(s, "stage") == 0)
            nstage = parse_numbers(r, &stage);
        else
            parse_badoption(r, at, s, "for", "step, stages, unroll, order, stage");
    }
    parse_needword(r, "do");
    Stmt *l = s_for(p, (enum ForKind)kind, lo, hi, n, step, name);
    l->loop.num_stages = stages;
    l->loop.unroll = unroll;
    l->loop.order = order;
    l->loop.norder = norder;
    l->loop.stage = stage;
    l->loop.nstage = nstage;
    uint32_t mark = r->nvisible;
    r->scope++;
    for (int i = 0; i < n; i++)
        parse_entervar(r, &m[i], l->loop.var[i]);
    parse_endline(r);
    parse_block(r, false);
    r->scope--;
    parse_leave(r, mark);
    s_close(p);
}

static void parse_while(Parser *r)
{
    Ex c = parse_expr(r);
    parse_needword(r, "do");
    s_while(r->p, c);
    parse_endline(r);
    parse_block(r, false);
    s_close(r->p);
}

static void parse_if(Parser *r)
{
    Ex c = parse_expr(r);
    parse_needword(r, "then");
    s_if(r->p, c);
    parse_endline(r);
    parse_block(r, true);
    s_close(r->p);
}

static void parse_role(Parser *r)
{
    int32_t lo = parse_small(r);
    parse_need(r, Tto, "`..`");
    int32_t hi = parse_small(r);
    const char *name = r->l.tok == Ttext ? parse_text(r) : NULL;
    parse_needword(r, "do");
    s_role(r->p, lo, hi, name);
    parse_endline(r);
    parse_block(r, false);
    s_close(r->p);
}

static void parse_alloc(Parser *r)
{
    New m = parse_newname(r);
    uint32_t b = parse_decl(r, &m, 0);
    Ex init = 0;
    if (parse_take(r, Tchar + '='))
        init = parse_expr(r);
    r->p->own = init && parse_takename(r, "each");
    s_alloc(r->p, b, init);
    parse_endline(r);
}

/* The name after `atomic` or in kind=; 0 if it is none. */
static int kindname(const Parser *r)
{
    if (r->l.tok != Tname)
        return 0;
    int kind = red_named(r->l.s);
    if (kind)
        return kind;
    return strcmp(r->l.s, "load") == 0 ? ATload : strcmp(r->l.s, "store") == 0 ? ATstore : 0;
}

static enum MemOrder memorder(Parser *r)
{
    static const char *const name[] = {"relaxed", "consume", "acquire", "release", "acq_rel",
                                       "seq_cst"};
    for (size_t i = 0; r->l.tok == Tname && i < COUNT(name); i++)
        if (strcmp(r->l.s, name[i]) == 0) {
            lex_next(&r->l);
            return (enum MemOrder)i;
        }
    parse_expected(r, "relaxed | consume | acquire | release | acq_rel | seq_cst");
}

/* After `atomic`; m: the name for the old value, or NULL. */
static void parse_atomic(Parser *r, const New *m)
{
    Ctx *c = &r->p->ctx;
    Ex idx[MaxDim], value[4] = {0};
    enum MemOrder order = MOrelaxed;
    int kind = kindname(r), lanes = 0;
    Loc at;
    const char *s;
    if (!kind)
        parse_expected(r, "sum | max | min | bitand | bitor | bitxor | load | store");
    lex_next(&r->l);
    uint32_t b = parse_buf(r);
    int n = parse_element(r, b, idx);
    while (lanes < 4 && parse_take(r, Tchar + ','))
        value[lanes++] = parse_expr(r);
    while ((s = parse_option(r, &at))) {
        if (strcmp(s, "order"))
            parse_badoption(r, at, s, "atomic", "order");
        order = memorder(r);
    }
    bool each = parse_takename(r, "each");
    if (kind == ATload ? lanes != 0 : lanes != 1 && lanes != 2 && lanes != 4)
        diag_fail(c, E_ir_count, r->from, kind == ATload ? "0" : "1, 2, 4",
                  afmt(c, "%d", lanes), NULL);
    r->p->own = each;
    uint32_t v = s_atomic(r->p, kind, b, idx, n, value, lanes ? lanes : 1, order,
                          m ? m->name : NULL);
    if (m)
        parse_entervar(r, m, v);
    parse_endline(r);
}

static void parse_stmt_let(Parser *r)
{
    New m = parse_newname(r);
    parse_need(r, Tchar + '=', "`=`");
    if (parse_takeword(r, "atomic")) {
        parse_atomic(r, &m);
        return;
    }
    Ex e = parse_expr(r);
    parse_entervar(r, &m, s_let(r->p, m.name, e));
    parse_endline(r);
}

static void parse_stmt_store(Parser *r)
{
    Ex idx[MaxDim];
    uint32_t b = parse_buf(r);
    int n = parse_element(r, b, idx);
    parse_need(r, Tchar + '=', "`=`");
    Ex e = parse_expr(r);
    r->p->own = parse_takename(r, "each");
    s_store(r->p, b, idx, n, e);
    parse_endline(r);
}

/* Tile operations ------------------------------------------------------ */

static Region parse_stmt_region(Parser *r)
{
    Prog *p = r->p;
    Ctx *c = &p->ctx;
    Loc at = r->l.loc;
    uint32_t b = parse_buf(r);
    if (!parse_take(r, Tchar + '['))
        return r_whole(p, b);
    Region g = {.buf = b};
    int n = 0;
    if (!parse_is(r, Tchar + ']'))
        do {
            if (n == p->buf[b].ndim)
                break;
            g.min[n] = parse_int(r);
            g.extent[n] = parse_take(r, Textent) ? parse_int(r)
                                                 : x_int(p, DTi32, 1);
            n++;
        } while (parse_take(r, Tchar + ','));
    if (n != p->buf[b].ndim)
        diag_fail(c, E_ir_count, at, afmt(c, "%d", p->buf[b].ndim), afmt(c, "%d", n), NULL);
    parse_need(r, Tchar + ']', "`,` `]`");
    return g;
}

static void parse_stmt_regions(Parser *r, enum Op op, Region *g)
{
    const char *way = opinfo[op].regions;
    for (int i = 0; i < opinfo[op].nregion; i++) {
        if (i && way[i - 1] == 'r' && way[i] != 'r')
            parse_need(r, Tarrow, "`->`");
        else if (i && way[i - 1] != 'r' && way[i] == 'r')
            parse_need(r, Tback, "`<-`");
        else if (i)
            parse_comma(r);
        g[i] = parse_stmt_region(r);
    }
}

/* Which attribute of op is called s; -1 if none is. */
static int parse_stmt_attribute(enum Op op, const char *s)
{
    const char *k = opinfo[op].attrs;
    size_t len = strlen(s);
    for (int i = 0; *k; i++) {
        size_t n = strcspn(k, " ");
        if (n == len && memcmp(k, s, n) == 0)
            return i;
        k += n;
        k += *k == ' ';
    }
    return -1;
}

static void parse_stmt_operation(Parser *r, enum Op op)
{
    Region g[MaxRegion] = {{0}};
    int32_t attr[MaxAttr] = {0};
    Ex value = 0;
    const char *s, *text = NULL;
    Loc at;
    if (op != Oprint || r->l.tok == Tname)
        parse_stmt_regions(r, op, g);
    for (int i = 0; i < opinfo[op].nvalue; i++) {
        parse_comma(r);
        value = parse_expr(r);
    }
    while ((s = parse_option(r, &at))) {
        int i = parse_stmt_attribute(op, s);
        if (i < 0)
            parse_badoption(r, at, s, opinfo[op].text,
                            opinfo[op].attrs[0] ? opinfo[op].attrs : "-");
        if (strcmp(s, "kind") == 0) {
            attr[i] = kindname(r);
            if (!attr[i] || attr[i] >= NRed)
                parse_expected(r, red_names(&r->p->ctx, false, " | "));
            lex_next(&r->l);
        } else {
            attr[i] = parse_small(r);
        }
    }
    int kind = parse_stmt_attribute(op, "kind");
    if (kind >= 0 && !attr[kind] && op != Otma_put && op != Otma_store)
        parse_expected(r, "`kind=`");
    if (r->l.tok == Ttext)
        text = parse_text(r);
    s_op(r->p, op, g, value, attr, text);
    parse_endline(r);
}

/* Others --------------------------------------------------------------- */

static void parse_stmt_intrinsic(Parser *r)
{
    Ex arg[8];
    int fn = Inone + 1, n = 0, end = r->p->machine ? NIntr : Iparallel; /* of threads alone */
    while (fn < end && (r->l.tok != Tname || intrinfo[fn].type != 'V' ||
                          strcmp(r->l.s, intrinfo[fn].text)))
        fn++;
    if (fn == end)
        parse_expected(r, "sync_threads | sync_warp | sync_grid");
    lex_next(&r->l);
    parse_need(r, Tchar + '(', "`(`");
    while (n < 8 && !parse_is(r, Tchar + ')')) {
        if (n)
            parse_comma(r);
        arg[n++] = parse_int(r);
    }
    parse_need(r, Tchar + ')', "`)`");
    s_call(r->p, (enum Intr)fn, arg, n);
    parse_endline(r);
}

static void parse_stmt_print(Parser *r)
{
    Ex e = 0;
    const char *text = NULL;
    bool nothing = parse_is(r, Tline) || parse_is(r, Tchar + '@');
    if (r->l.tok != Ttext && !nothing)
        e = parse_expr(r);
    if (e ? parse_take(r, Tchar + ',') : !nothing)
        text = parse_text(r);
    s_print(r->p, e, text);
    parse_endline(r);
}

static void parse_stmt_condition(Parser *r, enum StmtKind k)
{
    Ex e = parse_expr(r);
    s_check(r->p, k, e, parse_take(r, Tchar + ',') ? parse_text(r) : NULL);
    parse_endline(r);
}

static void parse_stmt_assertion(Parser *r) { parse_stmt_condition(r, Sassert); }
static void assumption(Parser *r) { parse_stmt_condition(r, Sassume); }

static void leave_loop(Parser *r)
{
    s_break(r->p);
    parse_endline(r);
}

static void next_round(Parser *r)
{
    s_continue(r->p);
    parse_endline(r);
}

static const struct { const char *word; void (*read)(Parser *);
} statements[] = {
    {"alloc", parse_alloc},
    {"assert", parse_stmt_assertion},
    {"assume", assumption},
    {"break", leave_loop},
    {"call", parse_stmt_intrinsic},
    {"continue", next_round},
    {"def", parse_define},
    {"for", parse_for},
    {"if", parse_if},
    {"launch", parse_launch},
    {"let", parse_stmt_let},
    {"printf", parse_stmt_print},
    {"view", parse_view},
    {"while", parse_while},
};

/* Is this a name, or `role` or an operation that is no reserved word?  A store
 * goes on with an index or `=`; an operation with a region, a text, an attribute
 * (name, then `=`), or it ends; a role with a number. */
static enum Op operation_name(const Parser *r)
{
    Lex next = r->l;
    lex_next(&next);
    if (r->l.n != 1 || next.tok == Tchar + '[' || next.tok == Tchar + '=')
        return Onone;
    for (int i = Onone + 1; i < NOp; i++)
        if (strcmp(r->l.s, opinfo[i].text) == 0)
            return (enum Op)i;
    return Onone;
}

static bool isrole(const Parser *r)
{
    Lex next = r->l;
    lex_next(&next);
    return r->l.n == 1 && next.tok == Tint && strcmp(r->l.s, "role") == 0;
}

static void parse_stmt_named(Parser *r)
{
    enum Op op = operation_name(r);
    if (isrole(r)) {
        lex_next(&r->l);
        parse_role(r);
    } else if (op) {
        lex_next(&r->l);
        parse_stmt_operation(r, op);
    } else {
        parse_stmt_store(r);
    }
}

/* `atomic sum A[i], x` works on an element; `atomic A <- S` is a tile
 * operation, on a buffer that may be called sum. */
static bool element_atomic(Parser *r)
{
    Lex next = r->l;
    lex_next(&next);
    if (!kindname(r) || next.tok != Tname)
        return false;
    parse_atomic(r, NULL);
    return true;
}

static void parse_stmt_statement(Parser *r)
{
    Lex first = r->l;
    parse_beginline(r);
    if (first.tok == Tname) {
        parse_stmt_named(r);
        return;
    }
    if (first.tok != Tword)
        parse_expected(r, "statement `end`");
    lex_next(&r->l);
    if (strcmp(first.s, "atomic") == 0 && element_atomic(r))
        return;
    for (size_t i = 0; i < COUNT(statements); i++)
        if (strcmp(first.s, statements[i].word) == 0) {
            statements[i].read(r);
            return;
        }
    for (int i = Onone + 1; i < NOp; i++)
        if (strcmp(first.s, opinfo[i].text) == 0) {
            parse_stmt_operation(r, (enum Op)i);
            return;
        }
    r->l = first;
    parse_expected(r, "statement `end`");
}

/* A statement with the lines `plan` in front of it. */
static void parse_stmt_planned(Parser *r)
{
    Stmt **at = s_here(r->p);
    PlanLines k = parse_plan_lines(r);
    parse_stmt_statement(r);
    parse_plan_attach(r, &k, *at);
}

void parse_block(Parser *r, bool in_if)
{
    uint32_t mark = r->nvisible;
    r->scope++;
    for (;;) {
        if (in_if && parse_isword(r, "else")) {
            parse_plan_end(r);
            parse_leave(r, mark);
            parse_beginline(r);
            lex_next(&r->l);
            s_else(r->p);
            parse_endline(r);
            in_if = false;
        } else if (parse_takeword(r, "end")) {
            break;
        } else if (!parse_plan(r)) {
            parse_stmt_planned(r);
        }
    }
    parse_plan_end(r);
    r->scope--;
    parse_leave(r, mark);
    parse_endline(r);
}
