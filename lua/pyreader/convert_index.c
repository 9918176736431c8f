/* lua/pyreader/convert_index.c: lists, dicts, indices: what counts from 1 in Lua, and what from 0. */
#include <string.h>

#include "convert.h"

/* Operations on lists ------------------------------------------------------- */

static uint32_t count(const PyNode *list)
{
    uint32_t n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

/* [x] * n */
enum CvPrec cv_repeated(Cv *p, const PyNode *n)
{
    const PyNode *list = n->a, *times = n->b;
    if ((list->kind != PYList && list->kind != PYTuple) || count(list->a) != 1 || !cv_pure(p, list->a)) {
        cv_cannot(p, E_py_convert_form, n, "an operation on lists", NULL);
        return CVatom;
    }
    if (times->kind == PYConstant && times->op == PCint && times->i >= 0 && times->i <= 8) {
        cv(p, "{");
        for (int64_t i = 0; i < times->i; i++) {
            cv(p, i ? ", " : "");
            cv_expr(p, list->a, CVor);
        }
        cv(p, "}");
        return CVvalue;
    }
    cv(p, "(function() local t = {} for i = 1, ");
    cv_expr(p, times, CVor);
    cv(p, " do t[i] = ");
    cv_expr(p, list->a, CVor);
    cv(p, " end return t end)()");
    return CVatom;
}

/* {1, 2, table.unpack(b)}, or table.move(b, 1, #b, #a + 1, {table.unpack(a)}) */
enum CvPrec cv_joined(Cv *p, const PyNode *n)
{
    const PyNode *a = n->a, *b = n->b;
    bool left = a->kind == PYList || a->kind == PYTuple, right = b->kind == PYList || b->kind == PYTuple;
    if (cv_kind(p, a) != CKlist || cv_kind(p, b) != CKlist || (!left && !(cv_pure(p, a) && (right || cv_pure(p, b))))) {
        cv_cannot(p, E_py_convert_form, n, "an operation on lists", NULL);
        return CVatom;
    }
    if (left) {
        cv(p, "{");
        cv_list(p, a->a);
        cv(p, a->a ? ", table.unpack(" : "table.unpack(");
        cv_expr(p, b, CVor);
        cv(p, ")}");
        return CVvalue;
    }
    cv(p, "table.move(");
    cv_expr(p, b, CVor);
    cv(p, ", 1, ");
    if (right) {
        cv(p, "%u", count(b->a));
    } else {
        cv(p, "#");
        cv_expr(p, b, CVatom);
    }
    cv(p, ", #");
    cv_expr(p, a, CVatom);
    cv(p, " + 1, {table.unpack(");
    cv_expr(p, a, CVor);
    cv(p, ")})");
    return CVatom;
}

/* Indices ----------------------------------------------------------------- */

void cv_plus(Cv *p, const PyNode *n, int64_t k, enum CvPrec least)
{
    int64_t i;
    if (cv_is_int(n, &i)) {
        cv(p, "%lld", (long long)(i + k));
        return;
    }
    if (n->kind == PYBinOp && (n->op == POAdd || n->op == POSub) && cv_is_int(n->b, &i)) {
        i = (n->op == POAdd ? i : -i) + k;
        if (i == 0) {
            cv_expr(p, n->a, least);
            return;
        }
        n = n->a;
        k = i;
    }
    if (k == 0) {
        cv_expr(p, n, least);
        return;
    }
    bool parens = least > CVadd;
    cv(p, parens ? "(" : "");
    cv_expr(p, n, CVadd);
    cv(p, " %c %lld", k < 0 ? '-' : '+', (long long)(k < 0 ? -k : k));
    cv(p, parens ? ")" : "");
}

/* -k of a list is #list - k + 1. */
static void from_end(Cv *p, const PyNode *list, int64_t k)
{
    if (!cv_pure(p, list))
        cv_cannot(p, E_py_convert_form, list, "a negative index of a call's result", NULL);
    cv(p, "#");
    cv_expr(p, list, CVatom);
    if (k != 1)
        cv(p, " - %lld", (long long)(k - 1));
}

static enum CvPrec list_slice(Cv *p, const PyNode *n)
{
    const PyNode *s = n->b;
    int64_t k;
    if (s->c) {
        cv_cannot(p, E_py_convert_form, s, "a slice with a step", NULL);
        return CVatom;
    }
    cv(p, "{table.unpack(");
    cv_expr(p, n->a, CVor);
    if (s->a || s->b) {
        cv(p, ", ");
        if (s->a && cv_is_int(s->a, &k) && k < 0) {
            from_end(p, n->a, -k);
        } else if (s->a) {
            cv_plus(p, s->a, 1, CVor);
        } else {
            cv(p, "1");
        }
    }
    if (s->b) {
        cv(p, ", ");
        if (cv_is_int(s->b, &k) && k < 0)
            from_end(p, n->a, -k + 1);
        else
            cv_expr(p, s->b, CVor);
    }
    cv(p, ")}");
    return CVvalue;
}

static enum CvPrec list_index(Cv *p, const PyNode *n)
{
    int64_t k;
    if (n->b->kind == PYSlice)
        return list_slice(p, n);
    if (n->b->kind == PYTuple || cv_kind(p, n->b) == CKstr) {
        cv_cannot(p, E_py_convert_index, n->a, cv_source(p, n->a), NULL);
        return CVatom;
    }
    cv_expr(p, n->a, CVatom);
    cv(p, "[");
    if (cv_is_int(n->b, &k) && k < 0)
        from_end(p, n->a, -k);
    else
        cv_plus(p, n->b, 1, CVor);
    cv(p, "]");
    return CVatom;
}

/* x : f(y) would be a call of x's method f. */
static bool like_method(const PyNode *upper)
{
    while (upper->kind == PYBinOp || upper->kind == PYCompare)
        upper = upper->a;
    return upper->kind == PYCall && upper->a->kind == PYName;
}

static void one_index(Cv *p, const PyNode *n)
{
    bool wide = n->kind == PYSlice && ((n->a && n->a->kind != PYName && n->a->kind != PYConstant) ||
                                       (n->b && n->b->kind != PYName && n->b->kind != PYConstant));
    if (n->kind == PYConstant && n->op == PCnone)
        cv_cannot(p, E_py_convert_form, n, "`None` as an index", NULL);
    if (n->kind != PYSlice) {
        cv_expr(p, n, CVor);
        return;
    }
    if (n->c)
        cv_cannot(p, E_py_convert_form, n, "a slice with a step", NULL);
    if (n->a && n->b && like_method(n->b)) {
        cv(p, "T.slice(");
        cv_expr(p, n->a, CVor);
        cv(p, ", ");
        cv_expr(p, n->b, CVor);
        cv(p, ")");
        return;
    }
    if (n->a)
        cv_expr(p, n->a, CVor);
    cv(p, wide && n->a ? " :" : ":");
    cv(p, wide && n->b ? " " : "");
    if (n->b)
        cv_expr(p, n->b, CVor);
}

static void tile_index(Cv *p, const PyNode *n)
{
    bool several = n->b->kind == PYTuple && n->b->a;
    cv_expr(p, n->a, CVatom);
    cv(p, "[");
    for (const PyNode *k = several ? n->b->a : n->b; k; k = several ? k->next : NULL) {
        one_index(p, k);
        if (several && k->next)
            cv(p, ", ");
    }
    cv_move(p, n->last);
    cv(p, "]");
}

/* Does the index say that it is a tensor's? */
static bool speaks_of_tensor(const PyNode *index)
{
    if (index->kind != PYTuple)
        return false;
    return index->a && index->a->next;
}

enum CvPrec cv_subscript(Cv *p, const PyNode *n)
{
    enum CvKind k = cv_kind(p, n->a);
    const char *of = cv_path(p, n->a);
    if (of && strncmp(of, "T.", 2) == 0) { /* T.Tensor[[M, N], dtype] */
        cv_expr(p, n->a, CVatom);
        cv(p, "(");
        if (n->b->kind == PYTuple)
            cv_list(p, n->b->a);
        else
            cv_expr(p, n->b, CVor);
        cv(p, ")");
        return CVatom;
    }
    if (of && strcmp(of, "sys.argv") == 0) { /* arg[1], too */
        cv(p, "arg[");
        cv_expr(p, n->b, CVor);
        cv(p, "]");
        return CVatom;
    }
    if (k == CKlist)
        return list_index(p, n);
    if (k == CKdict || (k == CKunknown && n->b->kind == PYConstant && n->b->op == PCstr)) {
        cv_expr(p, n->a, CVatom);
        cv(p, "[");
        cv_expr(p, n->b, CVor);
        cv(p, "]");
        return CVatom;
    }
    if (k == CKstr || k == CKint || k == CKfloat || k == CKnumber)
        cv_cannot(p, E_py_convert_form, n, "an index of a string", NULL);
    if (k == CKunknown && !p->traced && !p->element && !speaks_of_tensor(n->b))
        cv_cannot(p, E_py_convert_index, n->a, cv_source(p, n->a), NULL);
    tile_index(p, n);
    return CVatom;
}

/* Tables ------------------------------------------------------------------ */

void cv_list(Cv *p, const PyNode *list)
{
    for (const PyNode *n = list; n; n = n->next) {
        cv_expr(p, n, CVor);
        if (n->next)
            cv(p, ", ");
    }
}

void cv_table(Cv *p, const PyNode *list, uint32_t last)
{
    cv(p, "{");
    for (const PyNode *n = list; n; n = n->next) {
        if (n->kind == PYStarred && !n->next) {
            cv(p, "table.unpack(");
            cv_expr(p, n->a, CVor);
            cv(p, ")");
            break;
        }
        if (n->kind == PYConstant && n->op == PCnone)
            cv_cannot(p, E_py_convert_form, n, "a list with None in it", NULL);
        bool one = !n->next && cv_several(p, n); /* several results would be several items */
        cv(p, one ? "(" : "");
        cv_expr(p, n, CVor);
        cv(p, one ? ")" : "");
        if (n->next)
            cv(p, ", ");
    }
    cv_move(p, last);
    cv(p, "}");
}

enum CvPrec cv_dict(Cv *p, const PyNode *n)
{
    cv(p, "{");
    for (const PyNode *k = n->a; k; k = k->next) {
        cv_move(p, k->line);
        if (!k->a) {
            cv_cannot(p, E_py_convert_form, k, "** in a dict", NULL);
            break;
        }
        if (k->a->kind == PYConstant && k->a->op == PCstr && cv_is_name(k->a->text, k->a->ntext)) {
            cv(p, "%s = ", k->a->text);
        } else {
            cv(p, "[");
            cv_expr(p, k->a, CVor);
            cv(p, "] = ");
        }
        cv_expr(p, k->b, CVor);
        if (k->next)
            cv(p, ", ");
    }
    cv_move(p, n->last);
    cv(p, "}");
    return CVvalue;
}
