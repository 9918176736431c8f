/* lua/reader/dialect_expr.c: expressions, as lparser.c of Lua 5.4 reads them, with
 * multi-indices and slices; and what operators become in staged code. */
#include <string.h>

#include "dialect_p.h"
#include "err/lang.h"

enum {
    MaxChain = 40,  /* operands of one call for a chain of and / or */
    ChainDeep = 4,  /* levels of Lua that each further call takes */
    UnaryPriority = 12
};

/* ORDER: left and right priority, as in Lua's manual 3.4.8; name: what a
 * comparison calls in staged code */
static const struct { uint8_t tk, left, right; const char *name; } binary[] = {
    {TKor, 1, 1, NULL},     {TKand, 2, 2, NULL},
    {TKlt, 3, 3, "lt"},     {TKgt, 3, 3, "gt"},   {TKle, 3, 3, "le"},
    {TKge, 3, 3, "ge"},     {TKne, 3, 3, "ne"},   {TKeq, 3, 3, "eq"},
    {TKbor, 4, 4, NULL},    {TKbnot, 5, 5, NULL}, {TKband, 6, 6, NULL},
    {TKshl, 7, 7, NULL},    {TKshr, 7, 7, NULL},  {TKconcat, 9, 8, NULL},
    {TKadd, 10, 10, NULL},  {TKsub, 10, 10, NULL},
    {TKmul, 11, 11, NULL},  {TKdiv, 11, 11, NULL}, {TKidiv, 11, 11, NULL},
    {TKmod, 11, 11, NULL},  {TKpow, 14, 13, NULL},
};

static Exp subexpr(Reader *p, int limit);

/* Ends of constructs ---------------------------------------------------- */

void rd_deeper(Reader *p)
{
    if (++p->deep > MaxDeep)
        rd_fail(p, E_syn_deep, p->at, afmt(p->c, "%d", MaxDeep), NULL, NULL, NULL);
    if (p->deepest < p->deep)
        p->deepest = p->deep;
}

void rd_want(Reader *p, enum Tk k)
{
    if (!take(p, k))
        rd_expected(p, k);
}

/* What closes the token `opener`. */
void rd_want_match(Reader *p, enum Tk k, uint32_t opener)
{
    if (take(p, k))
        return;
    const DialectTok *o = &p->tok[opener];
    if (o->line == p->tok[p->at].line && k != TKend && k != TKuntil)
        rd_expected(p, k);
    rd_unclosed(p, k, opener);
}

/* Primary and suffixed expressions --------------------------------------- */

static Exp exp_new(uint8_t kind, uint32_t first)
{
    return (Exp){.kind = kind, .first = first, .last = first, .pend = -1};
}

static bool isargs(enum Tk k) { return k == TKlparen || k == TKstring || k == TKlbrace; }

/* `name :` and what follows is not a method call: an annotation. */
bool rd_at_annotation(const Reader *p)
{
    return cur(p) == TKname && peek(p, 1) == TKcolon && peek(p, 2) == TKname &&
           !isargs(peek(p, 3));
}

/* One value, in parentheses if e might give several. */
static void dexpr_single(Reader *p, const Exp *e)
{
    if (e->kind == Xcall || e->kind == Xvararg) {
        rd_edit_before(p, e->first, "(");
        rd_edit_after(p, e->last, ")");
    }
}

/* lo:hi, either of them left out; at the colon. */
static void dexpr_slice(Reader *p, const Exp *lo)
{
    uint32_t colon = p->at;
    if (cur(p) == TKdbcolon)
        rd_fail(p, E_syn_slicestep, p->at, NULL, NULL, NULL, NULL);
    next(p);
    if (lo)
        rd_edit_before(p, lo->first, "__stage.slice(");
    if (cur(p) == TKcomma || cur(p) == TKrbracket) {
        rd_edit_instead(p, colon, lo ? ", nil)" : "__stage.slice()");
        return;
    }
    if (cur(p) != TKcolon && cur(p) != TKdbcolon) {
        Exp hi = rd_expr(p);
        rd_edit_instead(p, colon, lo ? "," : "__stage.slice(nil,");
        rd_edit_after(p, hi.last, ")");
    }
    if (cur(p) == TKcolon || cur(p) == TKdbcolon)
        rd_fail(p, E_syn_slicestep, p->at, NULL, NULL, NULL, NULL);
}

/* [ index {, index} ]; e is what stands before it. */
static void brackets(Reader *p, Exp *e)
{
    bool outer = p->inindex, sliced = false;
    uint32_t open = p->at, n = 0;
    Exp i = exp_new(Xother, open);
    p->inindex = true;
    next(p);
    do {
        bool slices = false, lo = cur(p) != TKcolon && cur(p) != TKdbcolon;
        if (lo)
            i = rd_expr(p);
        if (cur(p) == TKcolon || cur(p) == TKdbcolon) {
            dexpr_slice(p, lo ? &i : NULL);
            i = exp_new(Xother, p->at);
            slices = sliced = true;
        }
        n++;
        if (cur(p) != TKcomma && n > 1 && !slices)
            dexpr_single(p, &i);
    } while (take(p, TKcomma));
    p->inindex = outer;
    uint32_t close = p->at;
    rd_want_match(p, TKrbracket, open);
    e->multi = n > 1 || sliced;
    if (e->multi) {
        rd_edit_after(p, open, "{");
        rd_edit_at(p, p->tok[close].at, RKafter, "}");
    }
    e->simplekey = !e->multi && (i.kind == Xname || i.kind == Xconst || i.kind == Xstring);
    e->key = open;
    e->last = close;
}

static void dexpr_table(Reader *p)
{
    uint32_t open = p->at;
    bool outer = p->inindex;
    p->inindex = false;
    next(p);
    while (cur(p) != TKrbrace) {
        if (cur(p) == TKname && peek(p, 1) == TKassign) {
            next(p);
            next(p);
        } else if (cur(p) == TKlbracket) {
            uint32_t bracket = p->at;
            next(p);
            rd_expr(p);
            rd_want_match(p, TKrbracket, bracket);
            rd_want(p, TKassign);
        }
        rd_expr(p);
        if (!take(p, TKcomma) && !take(p, TKsemi))
            break;
    }
    p->inindex = outer;
    rd_want_match(p, TKrbrace, open);
}

/* Calls of which only some arguments are evaluated: how many there are, of how many that is
 * decided at run time: they become closures. */
static const struct { const char *name; uint8_t n, first; } choosers[] = {
    {"if_then_else", 3, 1}, {"And", 2, 1}, {"Or", 2, 1},
};

enum { MaxChosen = 3 }; /* arguments of a chooser */

/* Of the callee e, `T.name`, in front of the current token; -1: of none.  Elsewhere than in
 * staged code it is T's own alone: other objects have methods of these names. */
static int chooser_of(const Reader *p, const Exp *e)
{
    bool any = p->fn->staged || (e->key == e->first + 1 && rd_name_is(p, e->first, "T"));
    for (size_t i = 0; i < COUNT(choosers) && any && e->kind == Xindex && !e->multi; i++)
        if (p->tok[e->key].kind == TKdot && rd_name_is(p, e->key + 1, choosers[i].name))
            return (int)i;
    return -1;
}

typedef struct Chosen {
    Exp x[MaxChosen];
    uint32_t n, ncall;  /* arguments; calls in those that may stay unevaluated */
    bool named, usesvararg;
} Chosen;

/* T.if_then_else(c, a, b) as __stage.if_then_else(T.if_then_else, c, a and b as closures); with
 * named arguments all are one closure.  What calls nothing stays as it is. */
static void write_chosen(Reader *p, const Exp *e, uint32_t open, int which, const Chosen *k)
{
    uint32_t first = k->named ? 0 : choosers[which].first;
    if (k->ncall == 0 || (k->n != choosers[which].n && !k->named))
        return;
    const char *take = afmt(p->c, "function(%s) return %s", k->usesvararg ? "..." : "",
                            k->named ? "" : "(");
    rd_edit_before(p, e->first,
                   afmt(p->c, "__stage.%s(", k->named ? "named" : choosers[which].name));
    rd_edit_instead(p, open, ", ");
    for (uint32_t i = first; i < k->n; i++) {
        if (i == first || !k->named)
            rd_edit_before(p, k->x[i].first, take);
        if (i + 1 == k->n || !k->named)
            rd_edit_after(p, k->x[i].last, k->named ? " end" : ") end");
    }
    if (k->usesvararg)
        rd_edit_after(p, k->x[k->n - 1].last, ", ...");
}

/* The arguments of a chooser, at the parenthesis. */
static void chosen_arguments(Reader *p, const Exp *e, int which)
{
    Chosen k = {0};
    bool outer = p->inindex;
    uint32_t open = p->at, vararg = p->fn->nvararg, from = p->ncall;
    p->inindex = false;
    next(p);
    if (cur(p) != TKrparen)
        do {
            uint32_t ncall = p->ncall;
            Exp x = rd_expr(p);
            k.named = x.kind == Xtable;
            if (k.n >= choosers[which].first)
                k.ncall += p->ncall - ncall;
            if (k.n < MaxChosen)
                k.x[k.n] = x;
            k.n++;
        } while (take(p, TKcomma));
    p->inindex = outer;
    rd_want_match(p, TKrparen, open);
    k.usesvararg = p->fn->nvararg != vararg;
    k.named = k.named && k.n < choosers[which].n;
    k.ncall = k.named ? p->ncall - from : k.ncall;
    write_chosen(p, e, open, which, &k);
}

/* The arguments of a call; mark: whether the callee stages functions; asserts: it is Lua's
 * assert, which decides by the first of them. */
static void dexpr_arguments(Reader *p, enum StageMark mark, bool asserts)
{
    bool outer = p->inindex;
    uint8_t outermark = p->markarg;
    uint32_t open = p->at;
    if (mark)
        p->markarg = (uint8_t)mark;
    p->inindex = false;
    if (cur(p) == TKlbrace) {
        dexpr_table(p);
    } else if (cur(p) == TKlparen) {
        next(p);
        if (cur(p) != TKrparen)
            do {
                Exp e = rd_expr(p);
                bool several = cur(p) != TKcomma && (e.kind == Xcall || e.kind == Xvararg);
                if (asserts && !several) /* which it gives back */
                    rd_known(p, &e);
                asserts = false;
            } while (take(p, TKcomma));
        rd_want_match(p, TKrparen, open);
    } else if (!take(p, TKstring)) {
        rd_expected(p, TKlparen);
    }
    p->inindex = outer;
    p->markarg = outermark;
}

static Exp parenthesised(Reader *p)
{
    uint32_t open = p->at;
    bool outer = p->inindex;
    p->inindex = false;
    next(p);
    Exp e = rd_expr(p);
    p->inindex = outer;
    e.kind = Xparen;
    e.first = open;
    e.last = p->at;
    rd_want_match(p, TKrparen, open);
    return e;
}

static Exp dexpr_primary(Reader *p, enum StageMark *mark)
{
    *mark = MKnone;
    if (cur(p) == TKlparen)
        return parenthesised(p);
    if (cur(p) != TKname)
        rd_noexpr(p);
    Exp e = exp_new(Xname, p->at);
    if (rd_mark_of(p, p->at) && rd_local_find(p, p->at))
        *mark = rd_mark_of(p, p->at);
    if (p->fn->staged)
        e.simple = rd_local_find(p, p->at) != NULL;
    else
        rd_word_read(p, p->at);
    if (p->info->known && !p->fn->staged) {
        const DialectLocal *l = rd_local_find(p, p->at);
        e.plain = l && l->plain;
    }
    next(p);
    return e;
}

/* After a suffix: e is no longer what it was. */
static void dexpr_suffix(Exp *e, uint8_t kind)
{
    bool ofname = e->kind == Xname;
    *e = (Exp){.kind = kind, .first = e->first, .last = e->last, .pend = -1,
               .simplebase = ofname};
}

Exp rd_suffixed(Reader *p)
{
    enum StageMark mark;
    int which;
    bool asserts;
    Exp e = dexpr_primary(p, &mark);
    for (;;) {
        switch (cur(p)) {
        case TKdot:
            dexpr_suffix(&e, Xindex);
            e.key = p->at;
            e.simplekey = true;
            next(p);
            mark = cur(p) == TKname ? rd_mark_of(p, p->at) : MKnone;
            e.last = p->at;
            rd_want(p, TKname);
            break;
        case TKlbracket:
            dexpr_suffix(&e, Xindex);
            brackets(p, &e);
            mark = MKnone;
            break;
        case TKcolon:
            if (p->inindex && !(peek(p, 1) == TKname && isargs(peek(p, 2))))
                return e;
            next(p);
            rd_want(p, TKname);
            mark = MKnone;
            p->ncall++;
            dexpr_suffix(&e, Xcall);
            dexpr_arguments(p, mark, false);
            e.last = p->at - 1;
            break;
        case TKlparen:
        case TKstring:
        case TKlbrace:
            asserts = e.kind == Xname && rd_name_is(p, e.first, "assert") &&
                      !rd_local_find(p, e.first);
            if (asserts && p->fn->staged)
                rd_edit_before(p, e.first, "__stage.");
            p->ncall++;
            if (cur(p) == TKlparen && (which = chooser_of(p, &e)) >= 0)
                chosen_arguments(p, &e, which);
            else
                dexpr_arguments(p, mark, asserts);
            dexpr_suffix(&e, Xcall);
            e.last = p->at - 1;
            break;
        default:
            return e;
        }
    }
}

static Exp vararg(Reader *p)
{
    if (!p->fn->vararg)
        rd_fail(p, E_syn_vararg, p->at, NULL, NULL, NULL, NULL);
    p->fn->nvararg++;
    Exp e = exp_new(Xvararg, p->at);
    next(p);
    return e;
}

static Exp dexpr_simple(Reader *p)
{
    Exp e = exp_new(Xconst, p->at);
    e.plain = e.simple = true;
    switch (cur(p)) {
    case TKstring:
        e.kind = Xstring;
        break;
    case TKnil:
        e.kind = Xnil;
        break;
    case TKnumber:
    case TKtrue:
    case TKfalse:
        break;
    case TKdots:
        return vararg(p);
    case TKlbrace:
        e = exp_new(Xtable, p->at);
        e.plain = true;
        dexpr_table(p);
        e.last = p->at - 1;
        return e;
    case TKfunction:
        e = exp_new(Xfunc, p->at);
        e.plain = true;
        next(p);
        rd_body(p, e.first, false, (enum StageMark)p->markarg);
        e.last = p->at - 1;
        return e;
    default:
        return rd_suffixed(p);
    }
    next(p);
    return e;
}

/* Operators -------------------------------------------------------------- */

/* An operand of a chain of and / or. */
typedef struct ExprOperand {
    Exp e;
    uint32_t op;     /* the operator before it */
    bool usesvararg;
} ExprOperand;

typedef struct CompareChain {
    ExprOperand *x;
    uint32_t n, cap;
} CompareChain;

/* The value of `c and x` may be chosen by the `or` to its right. */
static void let_pend(Reader *p, const Exp *e)
{
    if (e->pend < 0)
        return;
    Edit *d = &p->edit[e->pend];
    const char *end = strchr(d->text, '('), *last = end - 1;
    int n = (int)(last - d->text);
    if (*last == 'd')
        d->text = afmt(p->c, "%.*sdp%s", n, d->text, end);
    else /* andv, landx */
        d->text = afmt(p->c, "%.*sp%s", n, d->text, last);
}

/* x[0] op x[1] ..., of which x[0] may be symbolic: one call that is given the
 * other operands as closures, or as values if that makes no difference.  The
 * chain is cut into calls of MaxChain operands, each the last operand of the
 * one before, lest registers run out. */
static int32_t write_chain(Reader *p, const ExprOperand *x, uint32_t n, enum Tk op)
{
    bool values = n <= MaxChain, varargs = false;
    for (uint32_t i = 1; i < n; i++) {
        values = values && x[i].e.simple;
        varargs = varargs || x[i].usesvararg;
    }
    const char *name = op == TKand ? "and" : "or", *form = values ? "v" : varargs ? "x" : "";
    const char *take = varargs ? "..." : "", *give = varargs ? ", ..." : "";
    const char *call = afmt(p->c, "__stage.%s%s%s(", values ? "" : "l", name, form);
    uint32_t ncall = 1;
    int32_t first = -1;
    for (uint32_t i = 0; i < n; i++) {
        bool starts = i % MaxChain == 0 && (i == 0 || i + 1 < n);
        const char *open = "";
        if (i) {
            rd_edit_instead(p, x[i].op, ",");
            if (!values)
                open = afmt(p->c, "function(%s) return (", take);
        }
        if (starts) {
            uint32_t left = n - 1 - i;
            open = afmt(p->c, "%s%s", open, call);
            if (varargs)
                open = afmt(p->c, "%s%u, ", open, left < MaxChain ? left : MaxChain);
            ncall += i > 0;
            if (!values && (uint32_t)p->deep + ChainDeep * ncall > MaxDeep)
                rd_fail(p, E_syn_deep, x[i].op, afmt(p->c, "%d", MaxDeep), NULL, NULL, NULL);
        }
        uint32_t at = rd_edit_before(p, x[i].e.first, open);
        if (i == 0)
            first = (int32_t)at;
        else if (!values && !starts)
            rd_edit_after(p, x[i].e.last, ") end");
    }
    for (; ncall > 1; ncall--)
        rd_edit_after(p, x[n - 1].e.last, afmt(p->c, "%s)) end", give));
    rd_edit_after(p, x[n - 1].e.last, afmt(p->c, "%s)", give));
    return op == TKand && n <= MaxChain ? first : -1;
}

/* The same where Lua chooses.  What is left of an `and` is known; of an `or` it may be a number
 * that is not. */
static void plain_chain(Reader *p, CompareChain *ch, enum Tk op, Exp *r)
{
    r->plain = ch->x[ch->n - 1].e.plain;
    for (uint32_t i = 0; i + 1 < ch->n; i++) {
        if (op == TKand)
            rd_known(p, &ch->x[i].e);
        else
            rd_known_left(p, &ch->x[i].e);
        r->plain = r->plain && (op == TKand || ch->x[i].e.plain);
    }
}

/* a op b op c ...; at the first operator.  Operands of which is known that
 * they are not symbolic leave the choice to Lua. */
static Exp dexpr_chain(Reader *p, Exp a, enum Tk op, int right)
{
    CompareChain ch = {0};
    agrow(p->c, &ch.x, &ch.cap, 4, sizeof *ch.x);
    ch.x[ch.n++] = (ExprOperand){.e = a};
    while (cur(p) == op) {
        if (ch.n == ch.cap)
            agrow(p->c, &ch.x, &ch.cap, ch.cap * 2, sizeof *ch.x);
        ExprOperand *x = &ch.x[ch.n];
        uint32_t before = p->fn->nvararg;
        x->op = p->at;
        next(p);
        Exp e = subexpr(p, right);
        x = &ch.x[ch.n++];
        x->e = e;
        x->usesvararg = p->fn->nvararg != before;
    }
    const Exp *last = &ch.x[ch.n - 1].e;
    Exp r = exp_new(Xother, a.first);
    r.last = last->last;
    if (!p->fn->staged) {
        plain_chain(p, &ch, op, &r);
        return r;
    }
    uint32_t from = 0;
    while (from < ch.n && ch.x[from].e.plain)
        from++;
    r.plain = from == ch.n;
    if (op == TKor)
        for (uint32_t i = 0; i + 1 < ch.n; i++)
            let_pend(p, &ch.x[i].e);
    if (from + 1 < ch.n)
        r.pend = write_chain(p, ch.x + from, ch.n - from, op);
    else if (op == TKand)
        r.pend = last->pend;
    return r;
}

/* a op b, the operator between them. */
static Exp dexpr_combine(Reader *p, Exp *a, Exp *b, uint32_t op, const char *name)
{
    Exp r = exp_new(Xother, a->first);
    bool equality = p->tok[op].kind == TKeq || p->tok[op].kind == TKne;
    r.last = b->last;
    r.plain = (a->plain && b->plain) || (equality && (rd_neversym(a) || rd_neversym(b)));
    if (name && !p->fn->staged) {
        r.plain = true; /* a comparison of Lua's gives true or false */
        if (equality)
            rd_known_sides(p, a, b);
    }
    if (!name || !p->fn->staged || r.plain)
        return r;
    rd_edit_before(p, a->first, afmt(p->c, "__stage.%s(", name));
    rd_edit_instead(p, op, ",");
    rd_edit_after(p, b->last, ")");
    return r;
}

static Exp dexpr_unary(Reader *p)
{
    uint32_t op = p->at;
    enum Tk k = cur(p);
    next(p);
    Exp a = subexpr(p, UnaryPriority), r = exp_new(Xother, op);
    r.last = a.last;
    r.plain = a.plain;
    if (k == TKnot && p->fn->staged && !a.plain) {
        rd_edit_instead(p, op, "__stage.no(");
        rd_edit_after(p, a.last, ")");
    } else if (k == TKnot) {
        rd_known(p, &a);
        r.plain = true;
    } else if (k == TKsub && a.kind == Xconst) {
        r.simple = true;
    }
    return r;
}

static int binary_of(enum Tk k)
{
    for (size_t i = 0; i < COUNT(binary); i++)
        if (binary[i].tk == k)
            return (int)i;
    return -1;
}

/* As far as operators bind tighter than limit. */
static Exp subexpr(Reader *p, int limit)
{
    int outer = p->deepest;
    p->deepest = 0;
    rd_deeper(p);
    enum Tk k = cur(p);
    bool isunary = k == TKnot || k == TKsub || k == TKlen || k == TKbnot;
    Exp a = isunary ? dexpr_unary(p) : dexpr_simple(p);
    for (int i; (i = binary_of(cur(p))) >= 0 && binary[i].left > limit;) {
        enum Tk op = cur(p);
        a.levels = p->deepest;
        if (op == TKand || op == TKor) {
            a = dexpr_chain(p, a, op, binary[i].right);
            continue;
        }
        uint32_t at = p->at;
        next(p);
        Exp b = subexpr(p, binary[i].right);
        a = dexpr_combine(p, &a, &b, at, binary[i].name);
    }
    a.levels = p->deepest;
    if (p->deepest < outer)
        p->deepest = outer;
    p->deep--;
    return a;
}

Exp rd_expr(Reader *p) { return subexpr(p, 0); }
