/* lua/pyreader/print_flow.c: branches, loops, with, try, and what leaves them.  Of kernels in the forms that
 * lua/stage/init.lua describes. */
#include <assert.h>
#include <string.h>

#include "print.h"
#include "err/python_scope.h"

static uint32_t slots(PyFn *f, uint32_t n)
{
    f->nslot += n;
    return f->nslot - n + 1;
}

/* since: what is said to it of when the block began, "": now. */
static uint32_t block_enter_since(PyPrint *p, const char *since)
{
    PyFn *f = p->fn;
    uint32_t around = f->block, b = ++f->nblock;
    agrow(p->c, &f->parent, &f->capparent, b + 1, sizeof *f->parent);
    f->parent[b] = around;
    f->block = b;
    if (f->staged)
        pp(p, "__py.enter(__st%u, %u, %u%s); ", f->level, b, around, since);
    return around;
}

static uint32_t pp_block_enter(PyPrint *p) { return block_enter_since(p, ""); }

static void pp_block_leave(PyPrint *p, uint32_t around) { p->fn->block = around; }

/* Which variables have a value ------------------------------------------- */

static bool *has_copy(PyPrint *p)
{
    uint32_t n = p->fn->scope->nvar;
    bool *h = anew(p->c, n + 1);
    memcpy(h, p->fn->has, n);
    return h;
}

static void has_back(PyPrint *p, const bool *h) { memcpy(p->fn->has, h, p->fn->scope->nvar); }

static void has_both(PyPrint *p, const bool *h)
{
    for (uint32_t i = 0; i < p->fn->scope->nvar; i++)
        p->fn->has[i] &= h[i];
}

/* A block whose variables may not have got their values. */
static void maybe_block(PyPrint *p, const PyNode *list)
{
    bool *before = has_copy(p);
    uint32_t around = pp_block_enter(p);
    pp_block(p, list);
    pp_block_leave(p, around);
    has_back(p, before);
    p->fn->ended = false;
}

/* if ---------------------------------------------------------------------- */

static void condition(PyPrint *p, const PyNode *n)
{
    pp(p, p->fn->staged ? "__py.condition(" : "__py.truth(");
    pp_expr(p, n);
    pp(p, ")");
}

/* One arm: returns whether what follows the `if` is reached from it; its variables are in *has. */
static bool arm(PyPrint *p, const PyNode *list, const bool *before, bool **has)
{
    has_back(p, before);
    uint32_t around = pp_block_enter(p);
    pp_block(p, list);
    pp_block_leave(p, around);
    *has = has_copy(p);
    return !p->fn->ended;
}

static void if_join(PyPrint *p, bool **all, bool reached, bool *has)
{
    if (!reached)
        return;
    if (!*all) {
        *all = has;
        return;
    }
    has_back(p, *all);
    has_both(p, has);
    *all = has_copy(p);
}

/* if, elif, else: a chain, or in a kernel one `if` after the other (see stage). */
void pp_if(PyPrint *p, const PyNode *n)
{
    PyFn *f = p->fn;
    uint32_t k = f->staged ? slots(f, 2) : 0;
    bool *before = has_copy(p), *all = NULL, *has;
    for (bool first = true;; first = false) {
        if (!f->staged)
            pp(p, first ? "if " : " elseif ");
        else if (first)
            pp(p, "if __stage.test(__st%u, %u, ", f->level, k);
        else
            pp(p, " end if __stage.elif(__st%u, %u) and __stage.arm(__st%u, %u, ", f->level, k, f->level, k);
        has_back(p, before);
        condition(p, n->a);
        before = has_copy(p); /* a walrus */
        pp(p, f->staged ? ") then " : " then ");
        bool reached = arm(p, n->b, before, &has);
        if_join(p, &all, reached, has);
        if (!n->c || n->c->kind != PYIf || n->c->next || !n->c->op)
            break;
        n = n->c;
        pp_line(p, n);
    }
    if (n->c) {
        if (f->staged)
            pp(p, " end if __stage.elif(__st%u, %u) then ", f->level, k);
        else
            pp(p, " else ");
        bool reached = arm(p, n->c, before, &has);
        if_join(p, &all, reached, has);
    } else {
        if_join(p, &all, true, before);
    }
    pp(p, " end");
    if (f->staged)
        pp(p, " __stage.fi(__st%u, %u);", f->level, k);
    f->ended = !all && !f->staged;
    has_back(p, all ? all : before);
}

/* Loops ------------------------------------------------------------------- */

static void loop_open(PyPrint *p, PyLoop *l)
{
    PyFn *f = p->fn;
    *l = (PyLoop){.up = f->loop, .id = ++f->nlabel, .tries = f->tries};
    if (f->staged)
        l->slot = slots(f, 2);
    f->loop = l;
}

static void loop_body(PyPrint *p, PyLoop *l, const PyNode *body)
{
    PyFn *f = p->fn;
    if (f->staged)
        pp(p, "__st%u[%u] = __stage.depth(); ", f->level, l->slot);
    pp_block(p, body);
    if (l->continues)
        pp(p, " ::__next%u::", l->id);
    pp(p, " end");
}

static void loop_close(PyPrint *p, PyLoop *l, const PyNode *orelse)
{
    PyFn *f = p->fn;
    f->loop = l->up;
    if (f->staged && orelse)
        pp_fail(p, E_py_loop_else, orelse, NULL, NULL);
    if (orelse) {
        pp(p, " do ");
        maybe_block(p, orelse);
        pp(p, " end");
    }
    if (l->breaks)
        pp(p, " ::__done%u::", l->id);
    f->ended = false;
}

void pp_while(PyPrint *p, const PyNode *n)
{
    PyLoop l;
    PyFn *f = p->fn;
    loop_open(p, &l);
    pp(p, "while ");
    if (f->staged)
        pp(p, "__py.again(__st%u, %u) and __stage.loopif(__st%u, %u, ", f->level, l.slot, f->level, l.slot);
    p->part++;
    condition(p, n->a);
    p->part--;
    pp(p, f->staged ? ") do " : " do ");
    bool *before = has_copy(p);
    uint32_t around = block_enter_since(p, ", true"); /* the condition is of each turn, too */
    loop_body(p, &l, n->b);
    pp_block_leave(p, around);
    has_back(p, before);
    loop_close(p, &l, n->c);
    if (f->staged) /* behind the label of `break`, which leaves a loop of the program too */
        pp(p, " __stage.wend(__st%u, %u);", f->level, l.slot);
}

/* The temporaries that a `for` gives, and their names for the program: "i,j". */
static uint32_t target_names(PyPrint *p, const PyNode *target, const char **vars, const char **names)
{
    const PyNode *list = target && (target->kind == PYTuple || target->kind == PYList) ? target->a : target;
    uint32_t n = 0;
    bool one = !target || list == target;
    *vars = *names = "";
    for (const PyNode *k = list; k; k = one ? NULL : k->next, n++) {
        const char *sep = n ? ", " : "";
        *vars = afmt(p->c, "%s%s__t%u", *vars, sep, pp_temp(p));
        *names = afmt(p->c, "%s%s%s", *names, n ? "," : "", k->kind == PYName ? k->text : "_");
    }
    return n;
}

static bool any_star(const PyNode *t)
{
    for (const PyNode *k = t->kind == PYTuple || t->kind == PYList ? t->a : NULL; k; k = k->next)
        if (k->kind == PYStarred)
            return true;
    return false;
}

/* The variables of a `for` get the values of its temporaries, of which `first` is the first. */
static void take_targets(PyPrint *p, const PyNode *target, uint32_t first, bool apart)
{
    p->looping = true;
    if (!apart)
        pp_assign(p, target, NULL, afmt(p->c, "__t%u", first));
    for (const PyNode *k = apart ? target->a : NULL; k; k = k->next)
        pp_assign(p, k, NULL, afmt(p->c, "__t%u", first++));
    p->looping = false;
}

/* What a `for` goes over.  A generator that is made here is the loop's own: it ends when the loop is left. */
void pp_iterated(PyPrint *p, const PyNode *e)
{
    bool call = e->kind == PYCall && e->a->kind == PYName;
    if (e->kind == PYSet) {
        pp_set(p, e, true);
        return;
    }
    if (p->fn->staged || (!call && e->kind != PYGeneratorExp)) {
        pp_expr(p, e);
        return;
    }
    pp(p, "__py.own(");
    pp_expr(p, e);
    if (call) {
        pp(p, ", ");
        pp_expr(p, e->a);
    }
    pp(p, ")");
}

void pp_for(PyPrint *p, const PyNode *n)
{
    PyLoop l;
    PyFn *f = p->fn;
    const PyNode *target = n->a;
    bool apart = (target->kind == PYTuple || target->kind == PYList) && target->a && !any_star(target);
    const char *vars, *names;
    loop_open(p, &l);
    uint32_t first = p->ntemp + 1;
    if (apart)
        target_names(p, target, &vars, &names);
    else
        vars = afmt(p->c, "__t%u", pp_temp(p)), names = target->kind == PYName ? target->text : "_";
    pp(p, "for %s in ", vars);
    if (f->staged)
        pp(p, "__py.loop(__st%u, %u, \"%s\", %s, ", f->level, l.slot, names, apart ? "true" : "false");
    else if (apart)
        pp(p, "__py.iterate(");
    else
        pp(p, "__py.iter(");
    pp_iterated(p, n->b);
    if (apart && !f->staged) {
        uint32_t count = 0;
        for (const PyNode *k = target->a; k; k = k->next)
            count++;
        pp(p, ", %u", count);
    }
    pp(p, ") do ");
    bool *before = has_copy(p);
    uint32_t around = pp_block_enter(p);
    take_targets(p, target, first, apart);
    pp(p, " ");
    loop_body(p, &l, n->c);
    pp_block_leave(p, around);
    has_back(p, before);
    loop_close(p, &l, n->d);
}

/* with -------------------------------------------------------------------- */

/* In a kernel: a frame of T's, or an object with __enter__ and __exit__: a loop of one turn. */
static void with_items(PyPrint *p, const PyNode *item, const PyNode *body)
{
    if (!item) {
        pp_block(p, body);
        return;
    }
    const PyNode *target = item->b;
    bool apart = target && (target->kind == PYTuple || target->kind == PYList) && target->a && !any_star(target);
    const char *vars, *names;
    uint32_t first = p->ntemp + 1;
    target_names(p, apart ? target : NULL, &vars, &names);
    if (!apart)
        vars = afmt(p->c, "__t%u", pp_temp(p)), names = target && target->kind == PYName ? target->text : "";
    pp_line(p, item);
    pp(p, "for %s in __py.frame_with(\"%s\", %s, ", vars, names, apart ? "true" : "false");
    pp_expr(p, item->a);
    pp(p, ") do ");
    uint32_t around = pp_block_enter(p);
    if (target)
        take_targets(p, target, first, apart);
    with_items(p, item->next, body);
    pp_block_leave(p, around);
    pp(p, " end ");
}


/* try --------------------------------------------------------------------- */

static void try_function(PyPrint *p, const char *head, const PyNode *list)
{
    pp(p, "function(%s) ", head);
    bool *before = has_copy(p);
    uint32_t around = pp_block_enter(p);
    pp_block(p, list);
    pp_block_leave(p, around);
    has_back(p, before);
    p->fn->ended = false;
    pp(p, " end");
}

static void handler(PyPrint *p, const PyNode *h)
{
    pp_line(p, h);
    pp(p, "{");
    if (h->a) {
        pp(p, "function() return ");
        pp_expr(p, h->a);
        pp(p, " end");
    } else {
        pp(p, "nil");
    }
    pp(p, ", function(__e) ");
    bool *before = has_copy(p);
    uint32_t around = pp_block_enter(p);
    if (h->text && *h->text)
        pp_name_set(p, h->text, NULL, "__e");
    pp(p, " ");
    pp_block(p, h->b);
    pp_block_leave(p, around);
    has_back(p, before);
    p->fn->ended = false;
    pp(p, " end");
    if (h->text && *h->text) /* it is unbound however the handler ends */
        pp(p, ", function() %s = nil end", py_find(p->c, p->scope, h->text)->lua);
    pp(p, "}");
}

/* What leaves a function of `try` in another way than at its end is a code, which is done behind it. */
static void try_codes(PyPrint *p)
{
    PyFn *f = p->fn;
    const PyLoop *l = f->loop;
    pp(p, "if __k == 1 then return %s__v end ", f->tries ? "1, " : "");
    if (!l)
        return;
    if (l->tries < f->tries) {
        pp(p, "if __k then return __k end ");
        return;
    }
    f->loop->breaks = f->loop->continues = true;
    pp(p, "if __k == 2 then goto __done%u end if __k == 3 then goto __next%u end ", l->id, l->id);
}

void pp_try(PyPrint *p, const PyNode *n)
{
    PyFn *f = p->fn;
    pp(p, "do local __k, __v = __py.try(");
    f->tries++;
    try_function(p, "", n->a);
    pp(p, ", {");
    for (const PyNode *h = n->b; h; h = h->next) {
        handler(p, h);
        if (h->next)
            pp(p, ", ");
    }
    pp(p, "}, ");
    if (n->c)
        try_function(p, "", n->c);
    else
        pp(p, "nil");
    pp(p, ", ");
    if (n->d)
        try_function(p, "", n->d);
    else
        pp(p, "nil");
    f->tries--;
    pp(p, "); ");
    try_codes(p);
    pp(p, "end");
}

/* Elsewhere: a function that __py.with calls between __enter__ and __exit__, left as those of `try`. */
static void host_with(PyPrint *p, const PyNode *item, const PyNode *body)
{
    PyFn *f = p->fn;
    if (!item) {
        pp_block(p, body);
        return;
    }
    uint32_t t = pp_temp(p);
    pp_line(p, item);
    pp(p, "do local __k, __v = __py.with(");
    pp_expr(p, item->a);
    pp(p, ", function(__t%u) ", t);
    f->tries++;
    bool *before = has_copy(p); /* __exit__ may swallow what ends the body */
    uint32_t around = pp_block_enter(p);
    if (item->b)
        pp_assign(p, item->b, NULL, afmt(p->c, "__t%u", t));
    pp(p, " ");
    host_with(p, item->next, body);
    pp_block_leave(p, around);
    has_back(p, before);
    f->tries--;
    f->ended = false;
    pp(p, " end); ");
    try_codes(p);
    pp(p, "end ");
}

void pp_with(PyPrint *p, const PyNode *n)
{
    if (p->fn->staged)
        with_items(p, n->a, n->b);
    else
        host_with(p, n->a, n->b);
}

/* Jumps ------------------------------------------------------------------- */

void pp_jump(PyPrint *p, const PyNode *n)
{
    PyFn *f = p->fn;
    PyLoop *l = f->loop;
    bool brk = n->kind == PYBreak;
    assert(l);
    if (f->staged)
        pp(p, "if __stage.%s(__st%u, %u) then ", brk ? "brk" : "cont", f->level, l->slot);
    if (l->tries < f->tries)
        pp(p, "do return %d end", brk ? 2 : 3);
    else
        pp(p, "goto %s%u", brk ? "__done" : "__next", l->id);
    if (l->tries == f->tries)
        *(brk ? &l->breaks : &l->continues) = true;
    if (f->staged)
        pp(p, " end");
    else
        f->ended = true;
}

/* A kernel's results are several values; elsewhere the value is one. */
void pp_return(PyPrint *p, const PyNode *n)
{
    PyFn *f = p->fn;
    const char *code = f->tries ? "1, " : "";
    pp(p, "do ");
    if (f->staged)
        pp(p, "__stage.ret(__st%u) ", f->level);
    if (!n->a && f->staged)
        pp(p, "return %send", *code ? "1, __py.None " : "");
    else if (!n->a)
        pp(p, "return %s__py.None end", code);
    else {
        pp(p, "return %s%s(", code, f->staged ? "__py.results" : ""); /* no tail call: recursion has an end */
        pp_expr(p, n->a);
        pp(p, ") end");
    }
    f->ended = true;
}
