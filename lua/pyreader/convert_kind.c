/* lua/pyreader/convert_kind.c: what values are, as far as the text tells.
 *
 * Lua's tables count from 1, the dialect's buffers and tensors from 0, and 0 and "" are true in Lua.  So the
 * converter asks what a name is bound to: by its assignments, annotations, defaults, and the calls of its function. */
#include <string.h>

#include "convert.h"

static enum CvKind join(enum CvKind a, enum CvKind b)
{
    bool numbers = (a == CKint || a == CKfloat || a == CKnumber) && (b == CKint || b == CKfloat || b == CKnumber);
    return a == b ? a : numbers ? CKnumber : CKunknown;
}

static bool is_number(enum CvKind k) { return k == CKint || k == CKfloat || k == CKnumber; }

/* Annotations ------------------------------------------------------------- */

static enum CvKind kind_of_annotation(Cv *p, const PyNode *n, bool staged)
{
    static const struct { const char *path; enum CvKind kind; } table[] = {
        {"int", CKint}, {"float", CKfloat}, {"bool", CKbool}, {"str", CKstr}, {"list", CKlist}, {"tuple", CKlist},
        {"typing.List", CKlist}, {"typing.Tuple", CKlist}, {"typing.Sequence", CKlist}, {"dict", CKdict},
        {"typing.Dict", CKdict}, {"torch.Tensor", CKtensor}, {"torch.tensor", CKtensor}, {"typing.Callable", CKfunc},
        {"torch.Size", CKlist}, {"torch.dtype", CKstr}, {"T.dtype", CKstr},
    };
    const PyNode *head = n->kind == PYSubscript || n->kind == PYCall ? n->a : n;
    const char *path = cv_path(p, head);
    if (!path && head->kind == PYName)
        path = head->text;
    if (n->kind == PYConstant && n->op == PCstr) /* "torch.Tensor" */
        path = n->text;
    if (!path)
        return CKunknown;
    for (size_t i = 0; i < COUNT(table); i++)
        if (strcmp(table[i].path, path) == 0)
            return table[i].kind;
    if (staged && strncmp(path, "T.", 2) == 0)
        return strstr(path, "Tensor") || strstr(path, "Buffer") ? CKbuffer : CKsymbol;
    return CKunknown;
}

/* Names ------------------------------------------------------------------- */

static bool is_product(Cv *p, const PyNode *n)
{
    const char *path = n->kind == PYCall ? cv_path(p, n->a) : NULL;
    if (n->kind == PYCall && n->a->kind == PYName && strcmp(n->a->text, "list") == 0 && n->b)
        return is_product(p, n->b);
    return path && strcmp(path, "itertools.product") == 0;
}

/* What the name has but once. */
const PyNode *cv_only_value(Cv *p, const PyNode *name)
{
    const CvVar *v = name->kind == PYName ? cv_find(p, p->scope, name->text) : NULL;
    const CvSource *s = v ? v->source : NULL;
    return s && !s->next && s->how == CSvalue ? s->node : NULL;
}

static enum CvKind kind_of_item(Cv *p, const PyNode *iter)
{
    enum CvKind k = CKunknown;
    const PyNode *only = cv_only_value(p, iter);
    if (only && p->depth < 100) {
        PyScope *scope = p->scope;
        p->scope = cv_find(p, scope, iter->text)->source->scope; /* whose names these are */
        p->depth++;
        k = kind_of_item(p, only);
        p->depth--;
        p->scope = scope;
        return k;
    }
    if (is_product(p, iter))
        return CKlist;
    if (iter->kind == PYListComp) {
        PyScope *scope = p->scope;
        p->scope = py_scope(iter);
        k = cv_kind(p, iter->a);
        p->scope = scope;
        return k;
    }
    if (iter->kind == PYCall) {
        const char *path = cv_path(p, iter->a);
        if (iter->a->kind == PYName && strcmp(iter->a->text, "range") == 0)
            return p->traced ? CKsymbol : CKint;
        return path && strncmp(path, "T.", 2) == 0 ? CKsymbol : CKunknown;
    }
    if (iter->kind != PYList && iter->kind != PYTuple)
        return CKunknown;
    for (const PyNode *e = iter->a; e; e = e->next)
        k = e == iter->a ? cv_kind(p, e) : join(k, cv_kind(p, e));
    return k;
}

static enum CvKind kind_of_part(Cv *p, const PyNode *value)
{
    const char *path = value && value->kind == PYCall ? cv_path(p, value->a) : NULL;
    if (path && strncmp(path, "T.", 2) == 0)
        return CKsymbol;
    if (value && value->kind == PYAttribute && strcmp(value->text, "shape") == 0)
        return CKint;
    return CKunknown;
}

static enum CvKind kind_of_param(Cv *p, const CvSource *s)
{
    const PyNode *a = s->node;
    if (a->op == PAvararg)
        return CKlist;
    if (a->a) {
        enum CvKind k = kind_of_annotation(p, a->a, py_scope(p->scope->node) && p->scope->stage);
        if (k != CKunknown)
            return k;
    }
    if (s->arg)
        return cv_kind(p, s->arg);
    return a->b ? cv_kind(p, a->b) : CKunknown;
}

static enum CvKind kind_of_source(Cv *p, const CvSource *s)
{
    switch (s->how) {
    case CSvalue: return s->node ? cv_kind(p, s->node) : CKunknown;
    case CSitem: return kind_of_item(p, s->node);
    case CSpart: return kind_of_part(p, s->node);
    case CSparam: return kind_of_param(p, s);
    case CSdef: return CKfunc;
    case CSother: break;
    }
    return CKunknown;
}

static enum CvKind kind_of_var(Cv *p, CvVar *v)
{
    PyScope *scope = p->scope;
    bool any = false, typed = false;
    if (v->known == 1)
        return CKunknown;
    if (v->known == 2)
        return v->kind;
    v->known = 1;
    for (const CvSource *s = v->source; s; s = s->next) {
        if (s->how == CSparam && !s->arg && !s->node->a && !s->node->b && s->node->op != PAvararg)
            continue; /* the calls tell */
        p->scope = s->scope;
        enum CvKind k = kind_of_source(p, s);
        if (s->how == CSparam && s->node->a && k != CKunknown && !typed)
            v->kind = k, typed = any = true;
        else if (!(typed && s->how == CSparam))
            v->kind = any ? join(v->kind, k) : k, any = true;
    }
    p->scope = scope;
    v->known = 2;
    return v->kind;
}

const PyNode *cv_function(Cv *p, const PyNode *name)
{
    if (name->kind != PYName)
        return NULL;
    const CvVar *v = cv_find(p, p->scope, name->text);
    const CvSource *s = v->source;
    return s && !s->next && s->how == CSdef ? s->node : NULL;
}

/* A reduction to one number, an element: in moontile that is a number, no tensor. */
bool cv_is_element(Cv *p, const PyNode *n)
{
    static const char *const reductions[] = {"sum", "mean", "max", "min", "amax", "amin", "all", "any", "prod"};
    if (n->kind == PYCall && n->a->kind == PYAttribute && !n->b)
        for (size_t i = 0; i < COUNT(reductions); i++)
            if (strcmp(reductions[i], n->a->text) == 0)
                return true;
    if (n->kind == PYSubscript && n->b->kind == PYTuple) {
        for (const PyNode *k = n->b->a; k; k = k->next)
            if (k->kind == PYSlice)
                return false;
        return true;
    }
    if (n->kind == PYSubscript)
        return n->b->kind != PYSlice;
    if (n->kind == PYBinOp)
        return cv_is_element(p, n->a) && cv_is_element(p, n->b);
    return n->kind == PYConstant;
}

/* Expressions ------------------------------------------------------------- */

static enum CvKind kind_of_call(Cv *p, const PyNode *n)
{
    static const struct { const char *name; enum CvKind kind; } builtins[] = {
        {"len", CKint}, {"int", CKint}, {"float", CKfloat}, {"str", CKstr}, {"bool", CKbool}, {"list", CKlist},
        {"tuple", CKlist}, {"dict", CKdict}, {"isinstance", CKbool}, {"range", CKunknown}, {"sorted", CKlist},
    };
    const char *path = cv_path(p, n->a);
    if (path && strncmp(path, "T.", 2) == 0) {
        if (strncmp(path, "T.alloc_", 8) == 0 && strcmp(path, "T.alloc_var") != 0)
            return CKbuffer;
        static const char *const tiles[] = {"T.empty", "T.Tensor", "T.reshape", "T.view", "T.Buffer", "T.StridedTensor",
                                            "T.match_buffer", "T.make_tensor"};
        for (size_t i = 0; i < COUNT(tiles); i++)
            if (strcmp(tiles[i], path) == 0)
                return CKbuffer;
        return strcmp(path, "T.Layout") == 0 || strcmp(path, "T.Fragment") == 0 ? CKobject : CKsymbol;
    }
    if (path) {
        const CvLib *lib = cv_lib(path);
        return lib ? lib->kind : CKunknown;
    }
    if (n->a->kind == PYName) {
        for (size_t i = 0; i < COUNT(builtins); i++)
            if (strcmp(builtins[i].name, n->a->text) == 0)
                return builtins[i].kind;
        if ((strcmp(n->a->text, "min") == 0 || strcmp(n->a->text, "max") == 0 || strcmp(n->a->text, "abs") == 0) && n->b) {
            enum CvKind k = cv_kind(p, n->b);
            for (const PyNode *a = n->b->next; a; a = a->next)
                k = join(k, cv_kind(p, a));
            return k == CKunknown ? CKnumber : k;
        }
        return cv_gives_tuple(p, n) ? CKlist : CKunknown;
    }
    if (n->a->kind == PYAttribute) {
        enum CvKind of = cv_kind(p, n->a->a);
        const CvLib *m = p->traced ? NULL : cv_method(n->a->text, of);
        if (m)
            return cv_is_element(p, n) ? CKnumber : m->kind;
        if (strcmp(n->a->text, "astype") == 0)
            return of == CKtensor ? CKtensor : CKsymbol;
    }
    return CKunknown;
}

static enum CvKind kind_of_operator(Cv *p, const PyNode *n)
{
    enum CvKind a = cv_kind(p, n->a), b = cv_kind(p, n->b);
    if (a == CKtensor || b == CKtensor || n->op == POMatMult)
        return CKtensor;
    if (a == CKstr && (n->op == POAdd || n->op == POMod || n->op == POMult))
        return CKstr;
    if (a == CKlist && (n->op == POAdd || n->op == POMult))
        return CKlist;
    if (a == CKsymbol || b == CKsymbol || p->traced)
        return a == CKint && b == CKint && n->op != PODiv ? CKint : CKsymbol;
    if (n->op == PODiv)
        return is_number(a) && is_number(b) ? CKfloat : CKnumber;
    if (a == CKfloat || b == CKfloat)
        return CKfloat;
    return a == CKint && b == CKint ? CKint : CKnumber;
}

static enum CvKind kind_of_subscript(Cv *p, const PyNode *n)
{
    enum CvKind k = cv_kind(p, n->a);
    bool slice = n->b->kind == PYSlice;
    const char *path = cv_path(p, n->a);
    if (path && strncmp(path, "T.", 2) == 0) /* T.Tensor[[M, N], dtype] */
        return CKbuffer;
    if (k == CKlist && slice)
        return CKlist;
    if (k == CKlist && n->a->kind == PYAttribute)
        return p->traced ? CKsymbol : CKint; /* x.shape[0] */
    if (k == CKlist)
        return kind_of_item(p, n->a);
    if (k == CKbuffer || k == CKsymbol)
        return slice ? CKbuffer : CKsymbol;
    bool several = n->b->kind == PYTuple && n->b->a && n->b->a->next; /* only tensors have several indices */
    return k == CKtensor || (k == CKunknown && several) ? CKtensor : CKunknown;
}

static enum CvKind kind_of_constant(const PyNode *n)
{
    switch ((enum PyConst)n->op) {
    case PCnone: return CKnone;
    case PCtrue: case PCfalse: return CKbool;
    case PCint: return CKint;
    case PCfloat: return CKfloat;
    case PCstr: return CKstr;
    default: return CKunknown;
    }
}

static enum CvKind kind_of_attribute(Cv *p, const PyNode *n)
{
    const char *path = cv_path(p, n);
    if (path) {
        const CvLib *lib = cv_lib(path);
        if (lib)
            return lib->kind;
        return strncmp(path, "T.", 2) == 0 ? CKstr : CKobject; /* T.float16 */
    }
    if (strcmp(n->text, "shape") == 0 || strcmp(n->text, "strides") == 0)
        return CKlist;
    if (strcmp(n->text, "dtype") == 0)
        return CKstr;
    return strcmp(n->text, "T") == 0 ? CKtensor : CKunknown;
}

enum CvKind cv_kind(Cv *p, const PyNode *n)
{
    enum CvKind k = CKunknown;
    if (!n || p->depth > 200)
        return CKunknown;
    p->depth++;
    switch ((enum PyKind)n->kind) {
    case PYConstant: k = kind_of_constant(n); break;
    case PYName: {
        CvVar *v = cv_find(p, p->scope, n->text);
        const CvLib *lib = v->path ? cv_lib(cv_path(p, n)) : NULL;
        k = lib ? lib->kind : v->path ? CKobject : kind_of_var(p, v);
        break;
    }
    case PYJoinedStr: k = CKstr; break;
    case PYList: case PYTuple: case PYListComp: k = CKlist; break;
    case PYDict: case PYDictComp: k = CKdict; break;
    case PYLambda: k = CKfunc; break;
    case PYCompare: k = CKbool; break;
    case PYBoolOp:
        k = cv_kind(p, n->a);
        for (const PyNode *v = n->a->next; v; v = v->next)
            k = join(k, cv_kind(p, v));
        break;
    case PYUnaryOp: k = n->op == PONot ? CKbool : cv_kind(p, n->a); break;
    case PYBinOp: k = kind_of_operator(p, n); break;
    case PYIfExp: k = join(cv_kind(p, n->b), cv_kind(p, n->c)); break;
    case PYCall: k = kind_of_call(p, n); break;
    case PYAttribute: k = kind_of_attribute(p, n); break;
    case PYSubscript: k = kind_of_subscript(p, n); break;
    default: break;
    }
    p->depth--;
    return k;
}
