/* lua/pyreader/convert_call.c: calls: of T, of libraries that have a counterpart, of the text's own functions. */
#include <string.h>

#include "convert.h"

enum { MostParams = 24 };

/* Arguments --------------------------------------------------------------- */

static bool has_keyword(const PyNode *list)
{
    for (; list; list = list->next)
        if (list->kind == PYKeyword)
            return true;
    return false;
}

static void argument(Cv *p, const PyNode *a)
{
    if (a->kind == PYStarred) {
        if (a->next)
            cv_cannot(p, E_py_convert_form, a, "* in front of an argument that is not the last", NULL);
        cv(p, "table.unpack(");
        cv_expr(p, a->a, CVor);
        cv(p, ")");
        return;
    }
    cv_expr(p, a, CVor);
}

/* `a=1`, no `**d`: that has no name. */
static bool named(const PyNode *a) { return a->kind == PYKeyword && a->text && *a->text; }

/* {a = 1, b = 2}; f(**d) is f(d). */
void cv_options(Cv *p, const PyNode *list)
{
    const char *sep = "{";
    for (const PyNode *a = list; a; a = a->next) {
        if (a->kind != PYKeyword)
            continue;
        if (!named(a)) {
            if (*sep != '{' || a->next)
                cv_cannot(p, E_py_convert_form, a, "** beside other arguments by name", NULL);
            cv_expr(p, a->a, CVor);
            return;
        }
        cv_move(p, a->line);
        cv(p, "%s", sep);
        if (cv_is_name(a->text, strlen(a->text)))
            cv(p, "%s = ", a->text);
        else
            cv(p, "[\"%s\"] = ", a->text);
        cv_expr(p, a->a, CVor);
        sep = ", ";
    }
    cv(p, "}");
}

/* (a, b, {c = 1}), or {c = 1} alone */
static void arguments(Cv *p, const PyNode *n)
{
    const char *sep = "";
    if (n->b && n->b->line == n->line && (named(n->b) || (n->b->kind == PYDict && !n->b->next))) {
        if (n->b->kind == PYDict)
            cv_expr(p, n->b, CVor);
        else
            cv_options(p, n->b);
        cv_move(p, n->last);
        return;
    }
    cv(p, "(");
    for (const PyNode *a = n->b; a; a = a->next) {
        if (a->kind == PYKeyword)
            continue;
        cv(p, "%s", sep);
        argument(p, a);
        sep = ", ";
        if (a->kind == PYStarred && has_keyword(n->b))
            cv_cannot(p, E_py_convert_form, a, "* in front of an argument that is not the last", NULL);
    }
    if (has_keyword(n->b)) {
        cv(p, "%s", sep);
        const PyNode *k = n->b;
        while (k->kind != PYKeyword)
            k = k->next;
        cv_move(p, k->line);
        cv_options(p, n->b);
    }
    cv_move(p, n->last);
    cv(p, ")");
}

/* Libraries --------------------------------------------------------------- */

typedef struct Bound {
    const char *name[MostParams];
    const PyNode *value[MostParams];
    uint32_t n;
} Bound;

/* The word of that name in a list of words, "a b=c"; its other name, or itself. */
static const char *word(Cv *p, const char *from, const char *to, const char *name)
{
    size_t len = strlen(name);
    for (const char *s = from; s < to; s += strcspn(s, " "), s += strspn(s, " ")) {
        size_t n = strcspn(s, " =");
        if (n == len && memcmp(s, name, n) == 0)
            return s[n] == '=' ? astr(p->c, s + n + 1, strcspn(s + n + 1, " ")) : name;
    }
    return NULL;
}

/* All positional arguments as a table, or the list that is the first. */
static void shape(Cv *p, const PyNode *n)
{
    const PyNode *a = n->b;
    uint32_t count = 0;
    for (const PyNode *k = a; k; k = k->next)
        count += k->kind != PYKeyword;
    if (!count) {
        const PyNode *size = a;
        while (size && !(named(size) && strcmp(size->text, "size") == 0))
            size = size->next;
        if (size)
            cv_expr(p, size->a, CVor);
        else
            cv(p, "{}");
        return;
    }
    if (count == 1 && a->kind != PYStarred && (a->kind == PYList || a->kind == PYTuple || cv_kind(p, a) == CKlist)) {
        cv_expr(p, a, CVor);
        return;
    }
    cv(p, "{");
    for (const PyNode *k = a; count; k = k->next, count--) {
        argument(p, k);
        cv(p, count > 1 ? ", " : "");
    }
    cv(p, "}");
}

/* The values of the words in front of `end`, each at its place. */
static void bind(Cv *p, const PyNode *n, const char *takes, const char *end, Bound *b)
{
    const PyNode *at = n->b;
    for (const char *s = takes; s < end && b->n < MostParams; s += strcspn(s, " "), s += strspn(s, " ")) {
        size_t len = strcspn(s, " ");
        b->name[b->n] = astr(p->c, s, len);
        if (*s != '*' && *s != '=' && at && at->kind != PYKeyword && at->kind != PYStarred) {
            b->value[b->n] = at;
            at = at->next;
        }
        if (*s == '*')
            while (at && at->kind != PYKeyword)
                at = at->next;
        b->n++;
    }
    if (at && at->kind != PYKeyword)
        cv_cannot(p, E_py_convert_argument, at, cv_source(p, at), cv_source(p, n->a));
}

static void library(Cv *p, const PyNode *n, const char *takes)
{
    const char *opts = strchr(takes, '|'), *drop = strchr(takes, '!'), *end = takes + strlen(takes);
    const char *first = opts ? opts : drop ? drop : end;
    const char *sep = "";
    Bound b = {0};
    uint32_t last = 0;
    bool table = false;
    bind(p, n, takes, first, &b);
    for (const PyNode *k = n->b; k; k = k->next) {
        uint32_t i = 0;
        if (k->kind != PYKeyword)
            continue;
        if (!named(k)) {
            cv_cannot(p, E_py_convert_argument, k, "**", cv_source(p, n->a));
            continue;
        }
        while (i < b.n && strcmp(b.name[i], k->text) != 0)
            i++;
        if (i < b.n)
            b.value[i] = k->a;
        else if (opts && word(p, opts + 2, drop ? drop : end, k->text))
            table = true;
        else if (!(drop && word(p, drop + 2, end, k->text)) && !(*takes == '*' && strcmp(k->text, "size") == 0))
            cv_cannot(p, E_py_convert_argument, k, k->text, cv_source(p, n->a));
    }
    for (uint32_t i = 0; i < b.n; i++)
        if (b.value[i] || *b.name[i] == '*' || *b.name[i] == '=')
            last = i + 1;
    cv(p, "(");
    for (uint32_t i = 0; i < last; i++, sep = ", ") {
        cv(p, "%s", sep);
        if (*b.name[i] == '*')
            shape(p, n);
        else if (*b.name[i] == '=')
            cv(p, "%s", b.name[i] + 1);
        else if (b.value[i])
            cv_expr(p, b.value[i], CVor);
        else
            cv(p, "nil");
    }
    if (table) {
        const char *comma = "{";
        cv(p, "%s", sep);
        for (const PyNode *k = n->b; k; k = k->next) {
            const char *to = named(k) ? word(p, opts + 2, drop ? drop : end, k->text) : NULL;
            if (!to)
                continue;
            cv_move(p, k->line);
            cv(p, "%s%s = ", comma, to);
            cv_expr(p, k->a, CVor);
            comma = ", ";
        }
        cv(p, "}");
    }
    cv_move(p, n->last);
    cv(p, ")");
}

/* tl.randint(hi, shape): without a lower bound its place is not kept. */
static bool short_range(Cv *p, const PyNode *n, const char *lua)
{
    const PyNode *a = n->b, *size = a ? a->next : NULL;
    if (strcmp(lua, "tl.randint") == 0 && size && (size->kind == PYTuple || size->kind == PYList)) {
        library(p, n, "high size dtype ! device");
        return true;
    }
    if (strcmp(lua, "tl.arange") == 0 && a && (!size || size->kind == PYKeyword)) {
        const PyNode *k = size;
        while (k && !(named(k) && strcmp(k->text, "dtype") == 0))
            k = k->next;
        cv(p, "(");
        cv_expr(p, a, CVor);
        if (k) {
            cv(p, ", ");
            cv_expr(p, k->a, CVor);
        }
        cv(p, ")");
        return true;
    }
    return false;
}

/* Python's own functions -------------------------------------------------- */

static enum CvPrec wrapped(Cv *p, const char *name, const PyNode *n)
{
    cv(p, "%s(", name);
    cv_list(p, n->b);
    cv_move(p, n->last);
    cv(p, ")");
    return CVatom;
}

static enum CvPrec length(Cv *p, const PyNode *n)
{
    const char *of = cv_path(p, n->b);
    if (of && strcmp(of, "sys.argv") == 0) {
        cv(p, "#arg + 1");
        return CVadd;
    }
    enum CvKind k = cv_kind(p, n->b);
    if (k == CKdict || (k == CKunknown && n->b->kind != PYName && n->b->kind != PYSubscript && n->b->kind != PYAttribute))
        cv_cannot(p, E_py_convert_name, n, "len", NULL);
    cv(p, "#");
    cv_expr(p, n->b, CVatom);
    return CVunary;
}

/* float("inf"), float(x) */
static enum CvPrec to_float(Cv *p, const PyNode *n)
{
    const PyNode *a = n->b;
    if (a->kind == PYConstant && a->op == PCstr) {
        if (strcmp(a->text, "inf") == 0 || strcmp(a->text, "-inf") == 0) {
            cv(p, *a->text == '-' ? "-math.huge" : "math.huge");
            return *a->text == '-' ? CVunary : CVatom;
        }
        cv_cannot(p, E_py_convert_name, n, cv_source(p, n), NULL);
        return CVatom;
    }
    if (cv_kind(p, a) == CKfloat) {
        cv_expr(p, a, CVatom);
        return CVatom;
    }
    if (cv_kind(p, a) == CKstr || p->traced)
        cv_cannot(p, E_py_convert_name, n, "float", NULL);
    cv_expr(p, a, CVadd);
    cv(p, " + 0.0");
    return CVadd;
}

static enum CvPrec to_int(Cv *p, const PyNode *n)
{
    enum CvKind k = cv_kind(p, n->b);
    if (k == CKint) {
        cv_expr(p, n->b, CVatom);
        return CVatom;
    }
    if ((k != CKfloat && k != CKnumber) || p->traced) {
        cv_cannot(p, E_py_convert_name, n, "int", NULL);
        return CVatom;
    }
    cv(p, "math.tointeger((math.modf(");
    cv_expr(p, n->b, CVor);
    cv(p, ")))");
    return CVatom;
}

/* list(x), tuple(x): a copy */
static enum CvPrec copy_list(Cv *p, const PyNode *n)
{
    const PyNode *a = n->b;
    if (!a) {
        cv(p, "{}");
        return CVvalue;
    }
    if (a->kind == PYListComp || a->kind == PYGeneratorExp)
        return cv_comprehension(p, a);
    const char *of = a->kind == PYCall ? cv_path(p, a->a) : NULL;
    if (of && strcmp(of, "itertools.product") == 0) {
        cv_product(p, a);
        return CVatom;
    }
    if (cv_kind(p, a) != CKlist)
        cv_cannot(p, E_py_convert_name, n, n->a->text, NULL);
    cv(p, "{table.unpack(");
    cv_expr(p, a, CVor);
    cv(p, ")}");
    return CVvalue;
}

static enum CvPrec print_call(Cv *p, const PyNode *n)
{
    if (has_keyword(n->b))
        cv_cannot(p, E_py_convert_argument, n, "sep, end, file", "print");
    for (const PyNode *a = n->b; a; a = a->next)
        if (cv_kind(p, a) == CKlist || cv_kind(p, a) == CKdict)
            cv_cannot(p, E_py_convert_form, a, "a list as text", NULL);
    return wrapped(p, "print", n);
}

static uint32_t length_of(const PyNode *list)
{
    uint32_t n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

/* CVor - 1: it is none of these. */
static int builtin_call(Cv *p, const PyNode *n)
{
    const char *f = n->a->text;
    uint32_t count = length_of(n->b);
    if (cv_find(p, p->scope, f)->source)
        return 0;
    if (strcmp(f, "print") == 0)
        return (int)print_call(p, n);
    if (strcmp(f, "dict") == 0 && !count) {
        cv(p, "{}");
        return CVvalue;
    }
    if (strcmp(f, "dict") == 0 && has_keyword(n->b) && n->b->kind == PYKeyword) {
        cv_options(p, n->b);
        return CVvalue;
    }
    if (has_keyword(n->b) || (count && n->b->kind == PYStarred))
        return 0;
    if ((strcmp(f, "list") == 0 || strcmp(f, "tuple") == 0) && count <= 1)
        return (int)copy_list(p, n);
    if (strcmp(f, "len") == 0 && count == 1)
        return (int)length(p, n);
    if ((strcmp(f, "min") == 0 || strcmp(f, "max") == 0) && count >= 2)
        return (int)wrapped(p, p->traced ? (*f == 'm' && f[1] == 'i' ? "T.min" : "T.max") : f[1] == 'i' ? "math.min" : "math.max", n);
    if (strcmp(f, "abs") == 0 && count == 1 && cv_kind(p, n->b) != CKtensor)
        return (int)wrapped(p, p->traced ? "T.abs" : "math.abs", n);
    if (strcmp(f, "str") == 0 && count == 1)
        return (int)wrapped(p, "tostring", n);
    if (strcmp(f, "float") == 0 && count == 1)
        return (int)to_float(p, n);
    if (strcmp(f, "int") == 0 && count == 1)
        return (int)to_int(p, n);
    if (strcmp(f, "bool") == 0 && count == 1) {
        cv_condition(p, n->b, CVatom);
        return CVatom;
    }
    return 0;
}

/* The text's own functions -------------------------------------------------- */

static bool is_jit(Cv *p, const PyNode *def)
{
    for (const PyNode *d = def->c; d; d = d->next) {
        const char *of = cv_path(p, d->kind == PYCall ? d->a : d);
        if (of && (strcmp(of, "tilelang.jit") == 0 || strcmp(of, "tilelang.lazy_jit") == 0 || strcmp(of, "tilelang.autotune") == 0))
            return true;
    }
    return false;
}

static bool returns_tuple(const PyNode *list)
{
    for (const PyNode *n = list; n; n = n->next) {
        if (n->kind == PYReturn && n->a && n->a->kind == PYTuple)
            return true;
        bool inner = n->kind == PYIf || n->kind == PYFor || n->kind == PYWhile || n->kind == PYWith;
        if (inner && (returns_tuple(n->b) || returns_tuple(n->c)))
            return true;
    }
    return false;
}

bool cv_gives_tuple(Cv *p, const PyNode *call)
{
    const PyNode *def = call->kind == PYCall ? cv_function(p, call->a) : NULL;
    return def && returns_tuple(def->b);
}

bool cv_several(Cv *p, const PyNode *n)
{
    if (n->kind != PYCall || cv_path(p, n->a))
        return false;
    return !cv_function(p, n->a) && cv_kind(p, n) == CKunknown;
}

/* By position, for Lua knows no names: nil where the default is meant. */
static void own_arguments(Cv *p, const PyNode *n, const PyNode *def)
{
    const PyNode *value[MostParams] = {0};
    uint32_t count = 0, last = 0;
    const char *sep = "";
    for (const PyNode *a = n->b; a; a = a->next) {
        uint32_t i = 0;
        if (a->kind == PYStarred || (a->kind == PYKeyword && !named(a))) {
            cv_cannot(p, E_py_convert_form, a, "* or ** beside arguments by name", NULL);
            return;
        }
        const PyNode *to = def->a;
        if (a->kind == PYKeyword)
            for (; to && strcmp(to->text, a->text) != 0; to = to->next)
                i++;
        else
            i = count++;
        if (!to || i >= MostParams || to->op == PAvararg || to->op == PAkwarg) {
            cv_cannot(p, E_py_convert_argument, a, cv_source(p, a), cv_source(p, n->a));
            return;
        }
        value[i] = a->kind == PYKeyword ? a->a : a;
        last = i + 1 > last ? i + 1 : last;
    }
    cv(p, "(");
    for (uint32_t i = 0; i < last; i++, sep = ", ") {
        cv(p, "%s", sep);
        if (value[i])
            cv_expr(p, value[i], CVor);
        else
            cv(p, "nil");
    }
    cv_move(p, n->last);
    cv(p, ")");
}

static void own_call(Cv *p, const PyNode *n)
{
    const PyNode *def = cv_function(p, n->a);
    cv_expr(p, n->a, CVatom);
    if (def && has_keyword(n->b) && !is_jit(p, def))
        own_arguments(p, n, def);
    else
        arguments(p, n);
}

/* Methods ----------------------------------------------------------------- */

static bool unknown_method(Cv *p, const PyNode *n)
{
    enum CvKind k = cv_kind(p, n->a->a);
    const char *f = n->a->text;
    if (k == CKlist || k == CKdict || k == CKstr || k == CKint || k == CKfloat)
        return true;
    static const char *const python[] = {"items", "keys", "values", "format", "join", "split", "extend", "append", "backward",
                                         "requires_grad_", "startswith", "endswith", "update", "pop", "insert"};
    for (size_t i = 0; i < COUNT(python); i++)
        if (strcmp(python[i], f) == 0)
            return true;
    return false;
}

/* x[i].item() is x[i]; dtype.as_torch() is dtype. */
static bool says_nothing(Cv *p, const PyNode *n)
{
    const char *f = n->a->text;
    return !n->b && ((strcmp(f, "item") == 0 && cv_is_element(p, n->a->a)) || strcmp(f, "as_torch") == 0);
}

/* A method that is a function here: tl.ref.softmax(x, dim) */
static void method_as_function(Cv *p, const PyNode *n, const CvLib *m)
{
    PyNode self = *n->a->a, call = *n;
    self.next = n->b;
    call.b = &self;
    cv(p, "%s", m->lua);
    library(p, &call, afmt(p->c, "self %s", m->takes));
}

static enum CvPrec method(Cv *p, const PyNode *n)
{
    const PyNode *of = n->a->a;
    const CvLib *m = p->traced ? NULL : cv_method(n->a->text, cv_kind(p, of));
    if (m && strchr(m->lua, '.')) {
        method_as_function(p, n, m);
        return CVatom;
    }
    if (!m && unknown_method(p, n))
        cv_cannot(p, E_py_convert_name, n, afmt(p->c, ".%s()", n->a->text), NULL);
    cv_expr(p, of, CVatom);
    if (!cv_is_name(n->a->text, strlen(n->a->text))) {
        cv_cannot(p, E_py_convert_name, n, afmt(p->c, ".%s()", n->a->text), NULL);
        return CVatom;
    }
    cv_move(p, n->a->last);
    cv(p, ":%s", m ? m->lua : n->a->text);
    if (m)
        library(p, n, m->takes);
    else
        arguments(p, n);
    return CVatom;
}

/* Any call ---------------------------------------------------------------- */

/* x[i], where what is asked of it tells that x is a tensor. */
static void element(Cv *p, const PyNode *n)
{
    p->element = true;
    cv_expr(p, n, CVatom);
    p->element = false;
}

/* The least power of two that is not below x: 1 << math.ceil(math.log(x, 2)) */
static enum CvPrec power_of_two(Cv *p, const PyNode *n)
{
    if (!n->b || n->b->next || n->b->kind == PYKeyword)
        cv_cannot(p, E_py_convert_name, n, cv_source(p, n->a), NULL);
    cv(p, "1 << math.ceil(math.log(");
    if (n->b)
        cv_expr(p, n->b, CVor);
    cv(p, ", 2))");
    return CVshift;
}

/* "{} of {:.2f}".format(a, b) */
static bool format_method(Cv *p, const PyNode *n)
{
    const PyNode *of = n->a->a, *a = n->b;
    if (strcmp(n->a->text, "format") != 0 || of->kind != PYConstant || of->op != PCstr)
        return false;
    cv(p, "(\"");
    for (const char *s = of->text, *end = s + of->ntext; s < end;) {
        size_t k = strcspn(s, "{}");
        cv_bytes(p, s, k < (size_t)(end - s) ? k : (size_t)(end - s), '"', true);
        s += k;
        if (s >= end)
            break;
        const char *close = strchr(s, '}');
        PyNode text = {.kind = PYConstant, .op = PCstr}, spec = {.kind = PYJoinedStr, .a = &text};
        if (*s != '{' || !close || (s[1] != '}' && s[1] != ':') || !a || a->kind == PYKeyword || a->kind == PYStarred) {
            cv_cannot(p, E_py_convert_form, n, "this format", NULL);
            return true;
        }
        if (s[1] == ':')
            text.text = astr(p->c, s + 2, (size_t)(close - s - 2));
        cv_format(p, s[1] == ':' ? &spec : NULL, n);
        a = a->next;
        s = close + 1;
    }
    cv(p, "\"):format(");
    cv_list(p, n->b);
    cv(p, ")");
    if (a)
        cv_cannot(p, E_py_convert_form, n, "this format", NULL);
    return true;
}

static enum CvPrec call(Cv *p, const PyNode *n)
{
    const char *of = cv_path(p, n->a);
    const CvLib *lib = of ? cv_lib(of) : NULL;
    if (lib && lib->takes) {
        cv(p, "%s", lib->lua);
        if (!short_range(p, n, lib->lua))
            library(p, n, lib->takes);
        return CVatom;
    }
    if (of && strcmp(of, "tilelang.next_power_of_2") == 0)
        return power_of_two(p, n);
    if (of && strcmp(of, "T.const") == 0 && n->b && !n->b->next && n->b->kind == PYConstant && n->b->op == PCstr) {
        cv(p, "T.const ");
        cv_string(p, n->b);
        return CVatom;
    }
    if (of) {
        cv_expr(p, n->a, CVatom);
        arguments(p, n);
        return CVatom;
    }
    if (n->a->kind == PYName) {
        int prec = builtin_call(p, n);
        if (prec)
            return (enum CvPrec)prec;
    }
    if (n->a->kind == PYAttribute && format_method(p, n))
        return CVatom;
    if (n->a->kind == PYAttribute && says_nothing(p, n)) {
        element(p, n->a->a);
        return CVatom;
    }
    if (n->a->kind == PYAttribute)
        return method(p, n);
    own_call(p, n);
    return CVatom;
}

enum CvPrec cv_call(Cv *p, const PyNode *n)
{
    bool table = !p->spread && cv_gives_tuple(p, n);
    p->spread = false;
    if (!table)
        return call(p, n);
    cv(p, "{");
    call(p, n);
    cv(p, "}");
    return CVvalue;
}
