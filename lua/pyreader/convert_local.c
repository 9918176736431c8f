/* lua/pyreader/convert_local.c: where variables are declared.
 *
 * Python's variables are a function's, Lua's locals are a block's.  So the statements around all that speak of a
 * variable decide: if the first of them gives it a value, that one says `local`; else `local x` stands before it.
 * What a `for` gives lives in its block alone, in both. */
#include <string.h>

#include "convert.h"

static void walk(Cv *p, const PyNode *n);
static void walk_block(Cv *p, const PyNode *list);

static void walk_list(Cv *p, const PyNode *n)
{
    for (; n; n = n->next)
        walk(p, n);
}

/* Variables --------------------------------------------------------------- */

static CvVar *var_of(Cv *p, const PyVar *v)
{
    CvVar **at = &p->var_at[(uintptr_t)v / sizeof *v % COUNT(p->var_at)], *k = *at;
    for (; k; k = k->chain)
        if (k->v == v)
            return k;
    k = anew(p->c, sizeof *k);
    k->v = v;
    k->chain = *at;
    *at = k;
    k->tail = &k->source;
    *p->vartail = k;
    p->vartail = &k->next;
    return k;
}

CvVar *cv_find(Cv *p, PyScope *s, const char *name)
{
    PyVar *v = py_find(p->c, s, name);
    if (v->owner && v->owner != s)
        v = py_find(p->c, v->owner, name);
    return var_of(p, v);
}

static void source(Cv *p, CvVar *v, enum CvHow how, const PyNode *node, uint32_t part)
{
    CvSource *s = anew(p->c, sizeof *s);
    *s = (CvSource){.how = how, .node = node, .part = part, .scope = p->around ? p->around : p->scope};
    *v->tail = s;
    v->tail = &s->next;
}

/* Blocks ------------------------------------------------------------------ */

static uint32_t block_depth(const CvBlock *b)
{
    uint32_t n = 0;
    for (; b->up; b = b->up)
        n++;
    return n;
}

static CvBlock *block_around(CvBlock *a, CvBlock *b)
{
    uint32_t da = block_depth(a), db = block_depth(b);
    for (; da > db; da--)
        a = a->up;
    for (; db > da; db--)
        b = b->up;
    for (; a != b; a = a->up)
        b = b->up;
    return a;
}

/* The statement of block `up` in which b stands, `stmt` if b is up. */
static const PyNode *stmt_in(const CvBlock *up, const CvBlock *b, const PyNode *stmt)
{
    for (; b != up; b = b->up)
        stmt = b->stmt;
    return stmt;
}

static bool names(const PyNode *target, const char *name)
{
    if (!target)
        return false;
    if (target->kind == PYName)
        return strcmp(target->text, name) == 0;
    if (target->kind == PYTuple || target->kind == PYList || target->kind == PYStarred)
        for (const PyNode *k = target->a; k; k = target->kind == PYStarred ? NULL : k->next)
            if (names(k, name))
                return true;
    return false;
}

/* Is the variable that of a loop around? */
static bool of_loop(const Cv *p, const CvVar *v)
{
    for (const CvBlock *b = p->block; b; b = b->up)
        if (b->scope == v->v->owner && names(b->targets, v->v->name))
            return true;
    return false;
}

static void refer(Cv *p, CvVar *v, bool plain)
{
    if (v->v->param || of_loop(p, v))
        return;
    agrow(p->c, &v->ref, &v->capref, v->nref + 1, sizeof *v->ref);
    v->ref[v->nref++] = (CvRef){p->block, p->stmt, plain, p->scope != v->v->owner && p->scope->node->kind != PYListComp};
    if (!plain && v->loopend && !v->behind && v->nref == 1)
        v->behind = p->stmt;
}

/* Expressions ------------------------------------------------------------- */

static void walk_in(Cv *p, const PyNode *n, const PyNode *targets)
{
    CvBlock b = {.up = p->block, .stmt = p->stmt, .scope = py_scope(n), .targets = targets, .loop = targets};
    CvBlock *k = anew(p->c, sizeof *k);
    *k = b;
    p->block = k;
    p->scope = py_scope(n);
}

static void walk_lambda(Cv *p, const PyNode *n)
{
    PyScope *scope = p->scope;
    CvBlock *block = p->block;
    for (const PyNode *a = n->a; a; a = a->next)
        if (a->b)
            walk(p, a->b);
    walk_in(p, n, NULL);
    for (const PyNode *a = n->a; a; a = a->next)
        source(p, cv_find(p, p->scope, a->text), CSparam, a, 0);
    walk(p, n->b);
    p->scope = scope;
    p->block = block;
}

static void give(Cv *p, const PyNode *target, enum CvHow how, const PyNode *value, bool plain);

static void walk_comprehension(Cv *p, const PyNode *n)
{
    PyScope *scope = p->scope;
    CvBlock *block = p->block;
    const PyNode *gen = n->kind == PYDictComp ? n->c : n->b;
    walk(p, gen->b);
    for (const PyNode *g = gen; g; g = g->next) {
        if (g != gen)
            walk(p, g->b);
        walk_in(p, n, g->a);
        p->around = g == gen ? scope : NULL; /* whose names the first iterable has */
        give(p, g->a, CSitem, g->b, true);
        p->around = NULL;
        walk_list(p, g->c);
    }
    walk(p, n->a);
    if (n->kind == PYDictComp)
        walk(p, n->b);
    p->scope = scope;
    p->block = block;
}

static void walk(Cv *p, const PyNode *n)
{
    if (!n)
        return;
    switch ((enum PyKind)n->kind) {
    case PYName: refer(p, cv_find(p, p->scope, n->text), false); break;
    case PYLambda: walk_lambda(p, n); break;
    case PYListComp: case PYSetComp: case PYGeneratorExp: case PYDictComp: walk_comprehension(p, n); break;
    case PYCall:
        if (n->a->kind == PYName) {
            agrow(p->c, &p->site, &p->capsite, p->nsite + 1, sizeof *p->site);
            p->site[p->nsite++] = (struct CvCallSite){n, p->scope};
        }
        walk(p, n->a);
        walk_list(p, n->b);
        break;
    case PYNamedExpr:
        walk(p, n->b);
        refer(p, cv_find(p, p->scope, n->a->text), false);
        source(p, cv_find(p, p->scope, n->a->text), CSvalue, n->b, 0);
        break;
    default:
        walk_list(p, n->a);
        walk_list(p, n->b);
        walk_list(p, n->c);
        walk_list(p, n->d);
    }
}

/* Statements -------------------------------------------------------------- */

/* A target is given a value. */
static void give(Cv *p, const PyNode *target, enum CvHow how, const PyNode *value, bool plain)
{
    uint32_t i = 0;
    if (target->kind == PYName) {
        CvVar *v = cv_find(p, p->scope, target->text);
        source(p, v, how, value, 0);
        refer(p, v, plain);
    } else if (target->kind == PYTuple || target->kind == PYList) {
        const PyNode *item = value && how == CSvalue && (value->kind == PYTuple || value->kind == PYList) ? value->a : NULL;
        for (const PyNode *k = target->a; k; k = k->next, i++) {
            if (k->kind == PYName && !item) {
                CvVar *v = cv_find(p, p->scope, k->text);
                source(p, v, CSpart, value, i);
                refer(p, v, plain);
            } else {
                give(p, k, item ? CSvalue : CSother, item ? item : NULL, plain);
            }
            item = item ? item->next : NULL;
        }
    } else {
        walk(p, target);
    }
}

static CvBlock *enter(Cv *p, const PyNode *targets, bool loop)
{
    CvBlock *b = anew(p->c, sizeof *b), *around = p->block;
    *b = (CvBlock){.up = around, .stmt = p->stmt, .scope = p->scope, .targets = targets, .loop = loop};
    p->block = b;
    return around;
}

static void walk_inside(Cv *p, const PyNode *targets, bool loop, const PyNode *list)
{
    const PyNode *stmt = p->stmt;
    CvBlock *around = enter(p, targets, loop);
    walk_block(p, list);
    p->block = around;
    p->stmt = stmt;
}

static void note_loop(Cv *p, const PyNode *target, const PyNode *loop)
{
    if (!target)
        return;
    if (target->kind == PYName) {
        CvVar *v = cv_find(p, p->scope, target->text);
        v->loopend = loop->end;
    } else if (target->kind == PYTuple || target->kind == PYList) {
        for (const PyNode *k = target->a; k; k = k->next)
            note_loop(p, k, loop);
    }
}

static void walk_for(Cv *p, const PyNode *n)
{
    walk(p, n->b);
    note_loop(p, n->a, n);
    CvBlock *around = enter(p, n->a, true);
    give(p, n->a, CSitem, n->b, true);
    p->block = around;
    walk_inside(p, n->a, true, n->c);
    walk_inside(p, NULL, false, n->d);
}

static void walk_with(Cv *p, const PyNode *n, const PyNode *item)
{
    if (!item) {
        walk_inside(p, NULL, false, n->b);
        return;
    }
    walk(p, item->a);
    note_loop(p, item->b, n);
    CvBlock *around = enter(p, item->b, false);
    if (item->b)
        give(p, item->b, CSitem, item->a, true);
    walk_with(p, n, item->next);
    p->block = around;
}

static void walk_def(Cv *p, const PyNode *n)
{
    PyScope *scope = p->scope;
    CvBlock *block = p->block;
    const PyNode *stmt = p->stmt;
    CvVar *v = cv_find(p, p->scope, n->text);
    walk_list(p, n->c);
    for (const PyNode *a = n->a; a; a = a->next)
        if (a->b)
            walk(p, a->b);
    source(p, v, CSdef, n, 0);
    refer(p, v, true);
    walk_in(p, n, NULL);
    for (const PyNode *a = n->a; a; a = a->next) {
        source(p, cv_find(p, p->scope, a->text), CSparam, a, 0);
        if (a->a && p->scope->stage)
            walk(p, a->a);
    }
    walk_block(p, n->b);
    p->scope = scope;
    p->block = block;
    p->stmt = stmt;
}

static void walk_imports(Cv *p, const PyNode *n)
{
    for (const PyNode *k = n->a; k; k = k->next) {
        const char *dot = strchr(k->text, '.');
        const char *name = k->text2 ? k->text2 : n->kind == PYImport && dot ? astr(p->c, k->text, (size_t)(dot - k->text)) : k->text;
        if (strcmp(k->text, "*") == 0)
            continue;
        CvVar *v = cv_find(p, p->scope, name);
        source(p, v, CSother, n, 0);
        if (n->kind == PYImport)
            v->path = k->text2 ? k->text : name;
        else if (n->op == 0)
            v->path = afmt(p->c, "%s.%s", n->text, k->text);
    }
}

bool cv_is_main(const PyNode *n)
{
    const PyNode *t = n->kind == PYIf && !n->c ? n->a : NULL;
    return t && t->kind == PYCompare && t->a->kind == PYName && strcmp(t->a->text, "__name__") == 0 && !t->b->next &&
           t->b->op == POEq && t->b->a->kind == PYConstant && t->b->a->op == PCstr && strcmp(t->b->a->text, "__main__") == 0;
}

static void walk_assign(Cv *p, const PyNode *n)
{
    walk(p, n->b);
    for (const PyNode *t = n->a; t; t = t->next)
        give(p, t, CSvalue, n->b, true);
}

static void walk_annotated(Cv *p, const PyNode *n)
{
    walk(p, n->b);
    if (n->c)
        walk(p, n->c);
    if (n->a->kind != PYName) {
        walk(p, n->a);
        return;
    }
    CvVar *v = cv_find(p, p->scope, n->a->text);
    if (n->c)
        source(p, v, CSvalue, n->c, 0);
    else if (p->scope->stage)
        source(p, v, CSvalue, n->b, 0);
    if (n->c)
        refer(p, v, true);
}

static void walk_stmt(Cv *p, const PyNode *n)
{
    p->stmt = n;
    switch ((enum PyKind)n->kind) {
    case PYFunctionDef: walk_def(p, n); break;
    case PYClassDef: cv_find(p, p->scope, n->text); break; /* not converted */
    case PYAssign: walk_assign(p, n); break;
    case PYAugAssign:
        walk(p, n->b);
        walk(p, n->a);
        if (n->a->kind == PYName)
            source(p, cv_find(p, p->scope, n->a->text), CSvalue, n->b, 0);
        break;
    case PYAnnAssign: walk_annotated(p, n); break;
    case PYFor: walk_for(p, n); break;
    case PYWhile:
        walk(p, n->a);
        walk_inside(p, NULL, true, n->b);
        walk_inside(p, NULL, false, n->c);
        break;
    case PYIf:
        if (cv_is_main(n)) {
            walk_block(p, n->b);
            break;
        }
        walk(p, n->a);
        walk_inside(p, NULL, false, n->b);
        walk_inside(p, NULL, false, n->c);
        break;
    case PYWith: walk_with(p, n, n->a); break;
    case PYImport: case PYImportFrom: walk_imports(p, n); break;
    case PYGlobal: case PYNonlocal: break;
    case PYTry:
        walk_inside(p, NULL, false, n->a);
        for (const PyNode *h = n->b; h; h = h->next)
            walk_inside(p, NULL, false, h->b);
        walk_inside(p, NULL, false, n->c);
        walk_inside(p, NULL, false, n->d);
        break;
    default: walk(p, n->a); walk(p, n->b); walk(p, n->c);
    }
}

static void walk_block(Cv *p, const PyNode *list)
{
    for (const PyNode *n = list; n; n = n->next)
        walk_stmt(p, n);
}

/* Arguments ---------------------------------------------------------------- */

/* Parameters get what the calls in the text give them. */
static void give_arguments(Cv *p, const PyNode *call, const PyNode *def)
{
    const PyNode *param = def->a;
    for (const PyNode *a = call->b; a; a = a->next) {
        const PyNode *to = param;
        if (a->kind == PYStarred || (a->kind == PYKeyword && !(a->text && *a->text)))
            return;
        if (a->kind == PYKeyword)
            for (to = def->a; to && strcmp(to->text, a->text) != 0;)
                to = to->next;
        else if (param)
            param = param->next;
        if (!to || to->op == PAvararg || to->op == PAkwarg)
            continue;
        CvVar *v = cv_find(p, py_scope(def), to->text);
        source(p, v, CSparam, to, 0);
        for (CvSource *s = v->source; s; s = s->next)
            if (!s->next)
                s->arg = a->kind == PYKeyword ? a->a : a, s->scope = p->scope;
    }
}

static void visit_sites(Cv *p)
{
    PyScope *scope = p->scope;
    for (uint32_t i = 0; i < p->nsite; i++) {
        p->scope = p->site[i].scope;
        const PyNode *def = cv_function(p, p->site[i].call->a);
        if (def)
            give_arguments(p, p->site[i].call, def);
    }
    p->scope = scope;
}

/* Where they are declared -------------------------------------------------- */

/* A loop's body whose turns may hand the value on. */
static CvBlock *outside_loops(CvBlock *b, const PyScope *owner)
{
    CvBlock *out = b;
    for (CvBlock *k = b; k && k->scope == owner; k = k->up)
        if (k->loop)
            out = k->up;
    return out;
}

static void declare(Cv *p, CvVar *v, const PyNode *stmt, bool early)
{
    CvDecl *d = anew(p->c, sizeof *d);
    *d = (CvDecl){v->decl, stmt, early};
    v->decl = d;
}

/* The block around the places lo..hi. */
static CvBlock *around(const CvVar *v, uint32_t lo, uint32_t hi)
{
    CvBlock *b = v->ref[lo].block;
    for (uint32_t i = lo + 1; i < hi; i++)
        b = block_around(b, v->ref[i].block);
    return b;
}

static const CvBlock *child(const CvBlock *up, const CvBlock *b)
{
    while (b->up != up)
        b = b->up;
    return b;
}

/* The end of the places from i on that are in the same block within `up` as i is. */
static uint32_t group(const CvVar *v, uint32_t i, uint32_t hi, const CvBlock *up)
{
    const CvBlock *g = child(up, v->ref[i].block);
    uint32_t k = i + 1;
    while (k < hi && v->ref[k].block != up && child(up, v->ref[k].block) == g)
        k++;
    return k;
}

static bool by_first(Cv *p, CvVar *v, uint32_t lo, uint32_t hi, bool commit);

/* The places i..j, all in one block within `up`, need nobody's value, and nobody up to hi theirs. */
static bool stands_alone(Cv *p, CvVar *v, uint32_t i, uint32_t j, uint32_t hi, const CvBlock *up)
{
    if (!by_first(p, v, i, j, false))
        return false;
    while (j < hi && v->ref[j].block != up) {
        uint32_t k = group(v, j, hi, up);
        if (!by_first(p, v, j, k, false))
            return false;
        j = k;
    }
    return j == hi || v->ref[j].plain;
}

/* Do the first assignments among the places lo..hi declare what they need?  They do, if commit. */
static bool by_first(Cv *p, CvVar *v, uint32_t lo, uint32_t hi, bool commit)
{
    CvBlock *up = around(v, lo, hi);
    uint32_t i = lo;
    while (i < hi && v->ref[i].block != up) {
        uint32_t j = group(v, i, hi, up);
        if (!stands_alone(p, v, i, j, hi, up))
            return false;
        if (commit)
            by_first(p, v, i, j, true);
        i = j;
    }
    if (i == hi)
        return true;
    if (!v->ref[i].plain)
        return false;
    if (!commit)
        return true;
    declare(p, v, v->ref[i].stmt, false);
    for (i++; i < hi;) {
        uint32_t j = v->ref[i].block == up ? i + 1 : group(v, i, hi, up);
        if (v->ref[i].block != up && stands_alone(p, v, i, j, hi, up))
            by_first(p, v, i, j, true);
        i = j;
    }
    return true;
}

/* One declaration for all. */
static void as_one(Cv *p, CvVar *v)
{
    CvBlock *b = around(v, 0, v->nref);
    const CvRef *first = &v->ref[0];
    bool here = first->plain && first->block == b;
    if (!here && !v->v->owner->stage)
        b = outside_loops(b, v->v->owner);
    if (here || v->v->owner->up)
        declare(p, v, stmt_in(b, first->block, first->stmt), !here);
    else
        v->global = true;
}

/* Another `local` would hide it. */
bool cv_is_stored_to(Cv *p, const CvVar *v)
{
    for (const CvSource *s = v->source; s; s = s->next) {
        const PyNode *n = s->node;
        const char *of = s->how == CSvalue && n && n->kind == PYCall ? cv_path(p, n->a) : NULL;
        if (of && strcmp(of, "T.alloc_var") == 0)
            return true;
    }
    return false;
}

static void settle(Cv *p, CvVar *v)
{
    bool elsewhere = false;
    if (v->v->param || !v->nref || !v->v->owner || v->path)
        return;
    for (uint32_t i = 0; i < v->nref; i++)
        elsewhere |= v->ref[i].elsewhere;
    if (elsewhere || cv_is_stored_to(p, v) || !by_first(p, v, 0, v->nref, false))
        as_one(p, v);
    else
        by_first(p, v, 0, v->nref, true);
}

bool cv_new_here(const CvVar *v, const PyNode *n)
{
    for (const CvDecl *d = v->decl; d; d = d->next)
        if (d->stmt == n && !d->early)
            return true;
    return false;
}

enum { MostLocals = 120 };

void cv_locals(Cv *p)
{
    uint32_t n = 0;
    CvBlock *top = anew(p->c, sizeof *top);
    top->scope = p->scope;
    p->block = top;
    walk_block(p, p->t->module->a);
    p->stmt = NULL;
    visit_sites(p);
    for (CvVar *v = p->var; v; v = v->next) {
        settle(p, v);
        n += v->v->owner && !v->v->owner->up;
    }
    for (CvVar *v = p->var; v && n > MostLocals; v = v->next)
        if (v->v->owner && !v->v->owner->up) {
            v->global = true;
            v->decl = NULL;
        }
}
