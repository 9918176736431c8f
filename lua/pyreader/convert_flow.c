/* lua/pyreader/convert_flow.c: branches and loops. */
#include <string.h>

#include "convert.h"

/* Branches ---------------------------------------------------------------- */

/* The line of the `else:` behind the statements before `first`. */
static uint32_t else_line(const Cv *p, const PyNode *list, const PyNode *orelse)
{
    const PyNode *last = list;
    while (last->next)
        last = last->next;
    for (uint32_t line = orelse->line; line > last->last; line--) {
        uint32_t i = p->at[line];
        while (i < p->t->n && (p->t->src[i] == ' ' || p->t->src[i] == '\t'))
            i++;
        if (i + 4 <= p->t->n && memcmp(p->t->src + i, "else", 4) == 0)
            return line;
    }
    return orelse->line;
}

/* A word at the indentation of the statement: `else`, `elseif c then`. */
static void arm(Cv *p, const CvOpen *o, const PyNode *n, uint32_t line, const char *text)
{
    p->stmt = NULL;
    cv_move(p, line);
    p->indent = o->indent - 2;
    if (!p->fresh)
        cv(p, " ");
    p->stmt = n;
    cv(p, "%s", text);
}

static bool is_elif(const PyNode *n)
{
    return n->c && n->c->kind == PYIf && !n->c->next && n->c->op;
}

/* Before anything is printed: do all conditions of the chain have a counterpart? */
static bool chain_fits(Cv *p, const PyNode *n)
{
    CvMark m = cv_mark(p);
    for (; !p->why.err; n = n->c) {
        cv_condition(p, n->a, CVor);
        if (!is_elif(n))
            break;
    }
    cv_back(p, m);
    return !p->why.err;
}

static void condition(Cv *p, const PyNode *n)
{
    cv_condition(p, n->a, CVor);
    cv_move(p, n->a->last);
    cv(p, " then");
    p->done = n->a->last;
}

void cv_if(Cv *p, const PyNode *n)
{
    CvOpen o;
    Diag **tail = p->c->diagtail;
    if (!chain_fits(p, n)) {
        cv_left(p, n);
        return;
    }
    p->c->diagtail = tail; /* warnings come once */
    *tail = NULL;
    cv(p, "if ");
    condition(p, n);
    cv_open(p, &o, n, n->b);
    cv_block(p, n->b);
    for (; is_elif(n); cv_block(p, n->b)) {
        n = n->c;
        arm(p, &o, n, n->line, "elseif ");
        condition(p, n);
    }
    if (n->c) {
        arm(p, &o, n, else_line(p, n->b, n->c), "else");
        p->done = p->line;
        cv_block(p, n->c);
    }
    cv_close(p, "end");
}

/* Loops ------------------------------------------------------------------- */

static bool continues(const PyNode *list)
{
    for (const PyNode *n = list; n; n = n->next) {
        if (n->kind == PYContinue)
            return true;
        bool inner = n->kind == PYIf || n->kind == PYWith;
        if (inner && (continues(n->b) || continues(n->c)))
            return true;
    }
    return false;
}

static void loop_body(Cv *p, const PyNode *n, const PyNode *list, const char *end)
{
    CvOpen o;
    cv_open(p, &o, n, list);
    cv_block(p, list);
    if (continues(list)) {
        if (p->commented)
            cv_move(p, p->line);
        cv(p, p->fresh ? "%s" : " %s", "::continue::");
    }
    cv_close(p, end);
}

void cv_while(Cv *p, const PyNode *n)
{
    CvMark m = cv_mark(p);
    cv(p, "while ");
    cv_condition(p, n->a, CVor);
    cv_move(p, n->a->last);
    cv(p, " do");
    if (n->c)
        cv_cannot(p, E_py_convert_form, n, "a loop's `else`", NULL);
    if (p->why.err) {
        cv_back(p, m);
        cv_left(p, n);
        return;
    }
    p->done = n->a->last;
    loop_body(p, n, n->b, "end");
}

/* The names that a loop gives: "i, j". */
static void target_names(Cv *p, const PyNode *target)
{
    const PyNode *list = target->kind == PYTuple || target->kind == PYList ? target->a : target;
    if (!list)
        cv_cannot(p, E_py_convert_form, target, "an empty target", NULL);
    for (const PyNode *k = list; k; k = k == target ? NULL : k->next) {
        if (k->kind != PYName) {
            cv_cannot(p, E_py_convert_form, k, "a loop variable that is no name", NULL);
            return;
        }
        CvVar *v = cv_find(p, p->scope, k->text);
        v->lost = false;
        cv_name(p, k);
        cv(p, k != target && k->next ? ", " : "");
    }
}

static bool calls_builtin(Cv *p, const PyNode *n, const char *name)
{
    return n->kind == PYCall && n->a->kind == PYName && strcmp(n->a->text, name) == 0 &&
           !cv_find(p, p->scope, name)->source && n->b;
}

static bool negative(const PyNode *n)
{
    return n->kind == PYUnaryOp && n->op == POUSub;
}

/* for i = a, b - 1, step */
static void numeric(Cv *p, const PyNode *target, const PyNode *range)
{
    const PyNode *a = range->b, *b = a->next, *step = b ? b->next : NULL;
    if (step && !(step->kind == PYConstant && step->op == PCint && step->i > 0) &&
        !(negative(step) && step->a->kind == PYConstant && step->a->op == PCint) && cv_kind(p, step) != CKint)
        cv_cannot(p, E_py_convert_form, step, "a step of unknown sign", NULL);
    if (step && step->kind != PYConstant && !negative(step) && cv_kind(p, step) == CKint && step->kind != PYName)
        cv_cannot(p, E_py_convert_form, step, "a step of unknown sign", NULL);
    cv(p, "for ");
    target_names(p, target);
    cv(p, " = ");
    if (b)
        cv_expr(p, a, CVor);
    else
        cv(p, "0");
    cv(p, ", ");
    cv_plus(p, b ? b : a, step && negative(step) ? 1 : -1, CVor);
    if (step) {
        cv(p, ", ");
        cv_expr(p, step, CVor);
    }
    cv(p, " do");
}

/* for i, x in enumerate(list): for i = 0, #list - 1 do local x = list[i + 1] */
static void enumerated(Cv *p, const PyNode *target, const PyNode *call)
{
    const PyNode *i = target->kind == PYTuple ? target->a : NULL, *x = i ? i->next : NULL, *list = call->b;
    if (!x || x->next || i->kind != PYName || list->next || cv_kind(p, list) != CKlist || list->kind != PYName) {
        cv_cannot(p, E_py_convert_name, call, "enumerate", NULL);
        return;
    }
    cv(p, "for ");
    cv_name(p, i);
    cv(p, " = 0, #");
    cv_name(p, list);
    cv(p, " - 1 do local ");
    target_names(p, x);
    cv(p, x->kind == PYTuple ? " = table.unpack(" : " = ");
    cv_name(p, list);
    cv(p, "[");
    cv_name(p, i);
    cv(p, x->kind == PYTuple ? " + 1])" : " + 1]");
}

/* for x in list */
static void items(Cv *p, const PyNode *target, const PyNode *list)
{
    if (cv_kind(p, list) != CKlist) {
        cv_cannot(p, E_py_convert_form, list, afmt(p->c, "a loop over `%s`", cv_source(p, list)), NULL);
        return;
    }
    bool apart = target->kind != PYName;
    cv(p, "for _, ");
    if (apart)
        cv(p, "item");
    else
        target_names(p, target);
    cv(p, " in ipairs(");
    cv_expr(p, list, CVor);
    cv(p, ") do");
    if (apart) {
        cv(p, " local ");
        target_names(p, target);
        cv(p, " = table.unpack(item)");
    }
}

/* for a, b in itertools.product(x, y): a loop in a loop; returns how many `end`s close it. */
static uint32_t product(Cv *p, const PyNode *target, const PyNode *call)
{
    uint32_t n = 0;
    const PyNode *t = target->kind == PYTuple ? target->a : NULL, *a = call->b;
    for (; t && a; t = t->next, a = a->next, n++) {
        cv(p, n ? " " : "");
        if (a->kind == PYKeyword || a->kind == PYStarred)
            break;
        PyNode name = *t;
        name.next = NULL;
        items(p, &name, a);
    }
    if (t || a || !n)
        cv_cannot(p, E_py_convert_name, call, "itertools.product", NULL);
    return n;
}

/* for i in T.serial(n) */
static void serial(Cv *p, const PyNode *target, const PyNode *range)
{
    cv(p, "for ");
    target_names(p, target);
    cv(p, " in T.serial(");
    cv_list(p, range->b);
    cv(p, ") do");
}

uint32_t cv_loop_head(Cv *p, const PyNode *target, const PyNode *iter, bool traced)
{
    const char *of = iter->kind == PYCall ? cv_path(p, iter->a) : NULL;
    if (calls_builtin(p, iter, "range")) {
        if (traced)
            serial(p, target, iter);
        else
            numeric(p, target, iter);
    } else if (calls_builtin(p, iter, "enumerate")) {
        enumerated(p, target, iter);
    } else if (of && strncmp(of, "T.", 2) == 0) {
        cv(p, "for ");
        target_names(p, target);
        cv(p, " in ");
        cv_expr(p, iter, CVor);
        cv(p, " do");
    } else if (of && strcmp(of, "itertools.product") == 0) {
        return product(p, target, iter);
    } else {
        items(p, target, iter);
    }
    return 1;
}

/* "end end" */
static const char *ends(Cv *p, uint32_t n)
{
    const char *end = "end";
    while (n-- > 1)
        end = afmt(p->c, "%s end", end);
    return end;
}

void cv_for(Cv *p, const PyNode *n)
{
    CvMark m = cv_mark(p);
    uint32_t loops = cv_loop_head(p, n->a, n->b, p->traced);
    if (n->d)
        cv_cannot(p, E_py_convert_form, n, "a loop's `else`", NULL);
    if (p->why.err) {
        cv_back(p, m);
        cv_left(p, n);
        return;
    }
    p->done = n->b->last;
    loop_body(p, n, n->c, ends(p, loops));
}

/* with -------------------------------------------------------------------- */

/* with T.Kernel(..) as (bx, by): for bx, by in T.Kernel(..) do */
static bool with_head(Cv *p, const PyNode *item)
{
    const char *of = item->a->kind == PYCall ? cv_path(p, item->a->a) : NULL;
    if (!of || strncmp(of, "T.", 2) != 0) {
        cv_cannot(p, E_py_convert_form, item, afmt(p->c, "`with %s`", cv_source(p, item->a)), NULL);
        return false;
    }
    cv(p, "for ");
    if (item->b)
        target_names(p, item->b);
    else
        cv(p, "_");
    cv(p, " in ");
    cv_expr(p, item->a, CVor);
    cv(p, " do");
    return true;
}

void cv_with(Cv *p, const PyNode *n)
{
    CvMark m = cv_mark(p);
    CvOpen o;
    uint32_t count = 0;
    for (const PyNode *item = n->a; item && !p->why.err; item = item->next, count++) {
        cv_move(p, item->line);
        cv(p, count ? " " : "");
        if (with_head(p, item))
            p->done = item->last;
    }
    if (p->why.err) {
        cv_back(p, m);
        cv_left(p, n);
        return;
    }
    cv_open(p, &o, n, n->b);
    cv_block(p, n->b);
    cv_close(p, ends(p, count));
}
