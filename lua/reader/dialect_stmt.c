/* lua/reader/dialect_stmt.c: statements and function bodies, as lparser.c of Lua 5.4
 * reads them, with compound assignment and annotations; and what they become
 * in staged code (lua/stage/init.lua lists it). */
#include <string.h>

#include "dialect_p.h"
#include "err/lang.h"

static void parse_dialect_stmt(Reader *p);

static const char *name_text(Reader *p, uint32_t tok)
{
    return rd_text_of(p, p->tok[tok].at, p->tok[tok].end);
}

/* Blocks ---------------------------------------------------------------- */

static bool block_follow(enum Tk k)
{
    return k == TKelse || k == TKelseif || k == TKend || k == TKuntil || k == TKeof;
}

static void statlist(Reader *p)
{
    while (!block_follow(cur(p))) {
        if (cur(p) == TKreturn) {
            parse_dialect_stmt(p);
            return; /* must be the last */
        }
        parse_dialect_stmt(p);
    }
}

/* A block that starts behind the current token's predecessor. */
static void parse_body(Reader *p, enum BlockKind kind)
{
    Block b;
    rd_block_open(p, &b, kind, p->tok[p->at - 1].end);
    statlist(p);
    rd_block_close(p);
}

/* Functions ------------------------------------------------------------- */

static void dstmt_parameters(Reader *p)
{
    uint32_t open = p->at;
    rd_want(p, TKlparen);
    if (cur(p) != TKrparen) {
        do {
            if (take(p, TKdots)) {
                p->fn->vararg = true;
                break;
            }
            uint32_t name = p->at;
            rd_want(p, TKname);
            rd_local_add(p, name, LAnone);
        } while (take(p, TKcomma));
    }
    rd_want_match(p, TKrparen, open);
}

/* From the parameter list to `end`; opener is the token `function`. */
void rd_body(Reader *p, uint32_t opener, bool method, enum StageMark mark)
{
    Func f = {0};
    Block b;
    bool inindex = p->inindex;
    uint8_t markarg = p->markarg;
    p->inindex = false;
    p->markarg = MKnone;
    rd_func_open(p, &f, mark);
    rd_block_open(p, &b, Bfunc, 0);
    if (method) {
        rd_local_add(p, opener, LAnone);
        p->local[p->nlocal - 1].self = true;
    }
    dstmt_parameters(p);
    b.start = p->tok[p->at - 1].end;
    if (!f.staged && rd_says_types(p)) {
        f.staged = f.root = true;
        p->info->nstaged++;
    }
    statlist(p);
    rd_want_match(p, TKend, opener);
    rd_func_close(p);
    p->inindex = inindex;
    p->markarg = markarg;
}

static void check_const(Reader *p, uint32_t name)
{
    const DialectLocal *l = rd_local_find(p, name);
    if (l && l->attr)
        rd_fail(p, E_syn_const, name, rd_quote_tok(p, name),
                afmt(p->c, "%u", p->tok[l->tok].line), NULL, NULL);
}

/* function a.b.c:m() ... end */
static void function_stat(Reader *p)
{
    uint32_t opener = p->at, name = p->at + 1;
    bool method = false;
    next(p);
    rd_want(p, TKname);
    while (!method && (cur(p) == TKdot || cur(p) == TKcolon)) {
        method = cur(p) == TKcolon;
        next(p);
        rd_want(p, TKname);
    }
    if (p->at == name + 1)
        check_const(p, name);
    rd_body(p, opener, method, method ? MKnone : rd_mark_later(p, p->at - 1));
}

static void local_function(Reader *p)
{
    uint32_t opener = p->at, name = p->at + 1;
    next(p);
    rd_want(p, TKname);
    rd_local_add(p, name, LAnone);
    rd_plain_local(p, true);
    rd_body(p, opener, false, rd_mark_later(p, name));
}

/* Lists of expressions --------------------------------------------------- */

typedef struct Values {
    uint32_t first, last; /* tokens */
    uint32_t n;
    bool plain;           /* none can be symbolic or a T.alloc_var */
    Exp one;              /* the first */
} Values;

/* An expression that a name is given: a function literal may be staged by
 * what is done with the name later. */
static Exp expr_for(Reader *p, uint32_t name)
{
    uint8_t outer = p->markarg;
    bool named = name != (uint32_t)NoTok && cur(p) == TKfunction;
    enum StageMark m = named ? rd_mark_later(p, name) : MKnone;
    if (m)
        p->markarg = (uint8_t)m;
    Exp e = rd_expr(p);
    p->markarg = outer;
    return e;
}

/* name[0..nname) take the values; NoTok where the target has no name. */
static Values explist(Reader *p, const uint32_t *name, uint32_t nname)
{
    Values v = {.first = p->at, .plain = true};
    do {
        Exp e = expr_for(p, v.n < nname ? name[v.n] : (uint32_t)NoTok);
        if (!v.n++)
            v.one = e;
        v.plain = v.plain && e.plain;
        v.last = e.last;
    } while (take(p, TKcomma));
    return v;
}

/* Growable list of tokens. */
typedef struct Toks {
    uint32_t *tok, n, cap;
} Toks;

static void toks_add(Reader *p, Toks *t, uint32_t tok)
{
    if (t->n == t->cap)
        agrow(p->c, &t->tok, &t->cap, t->cap ? t->cap * 2 : 4, sizeof *t->tok);
    t->tok[t->n++] = tok;
}

/* "a,b"; NoTok gives an empty place. */
static const char *names_text(Reader *p, const Toks *t)
{
    size_t n = t->n + 1;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->tok[i] != (uint32_t)NoTok)
            n += p->tok[t->tok[i]].end - p->tok[t->tok[i]].at;
    char *s = anew(p->c, n), *w = s;
    for (uint32_t i = 0; i < t->n; i++) {
        if (i)
            *w++ = ',';
        if (t->tok[i] == (uint32_t)NoTok)
            continue;
        const DialectTok *k = &p->tok[t->tok[i]];
        memcpy(w, p->src + k->at, k->end - k->at);
        w += k->end - k->at;
    }
    return s;
}

/* local ------------------------------------------------------------------ */

static enum Attr dstmt_attribute(Reader *p)
{
    if (!take(p, TKlt))
        return LAnone;
    uint32_t t = p->at;
    rd_want(p, TKname);
    enum Attr a = rd_name_is(p, t, "const")   ? LAconst
                  : rd_name_is(p, t, "close") ? LAclose
                                              : LAnone;
    if (!a)
        rd_fail(p, E_syn_attrib, t, rd_quote_tok(p, t), NULL, NULL, NULL);
    rd_want(p, TKgt);
    return a;
}

static void local_stat(Reader *p)
{
    Toks names = {0}, attrs = {0};
    uint32_t nclose = 0;
    bool plain = true; /* without a value it is nil */
    do {
        uint32_t t = p->at;
        rd_want(p, TKname);
        toks_add(p, &names, t);
        enum Attr a = dstmt_attribute(p);
        toks_add(p, &attrs, a);
        if (a == LAclose && nclose++)
            rd_fail(p, E_syn_toclose, t, NULL, NULL, NULL, NULL);
    } while (take(p, TKcomma));
    if (take(p, TKassign)) {
        Values v = explist(p, names.tok, names.n);
        plain = v.plain;
        if (p->fn->staged && !v.plain && !nclose) {
            const char *bind = names.n == 1 ? "bind" : "bindn";
            rd_edit_before(p, v.first,
                        afmt(p->c, "__stage.%s(\"%s\", ", bind, names_text(p, &names)));
            rd_edit_after(p, v.last, ")");
        }
    }
    for (uint32_t i = 0; i < names.n; i++) {
        rd_local_add(p, names.tok[i], (enum Attr)attrs.tok[i]);
        rd_plain_local(p, plain);
    }
}

/* Assignment -------------------------------------------------------------- */

/* e must be something that can be assigned to; op is the `=`. */
static void check_target(Reader *p, const Exp *e, uint32_t op)
{
    if (e->kind != Xname && e->kind != Xindex)
        rd_fail(p, E_syn_assign, e->first,
                rd_quote_text(p, p->tok[e->first].at, p->tok[e->last].end),
                rd_quote_tok(p, op), NULL, NULL);
    if (e->kind == Xname) {
        check_const(p, e->first);
        rd_word_set(p, e->first);
    }
}

/* What a name holds before it is assigned to. */
static const char *old_value(Reader *p, uint32_t tok)
{
    const char *name = name_text(p, tok);
    return rd_local_find(p, tok) ? name : afmt(p->c, "__stage.old(_ENV, \"%s\")", name);
}

static const char *name_depth(Reader *p, uint32_t tok)
{
    return rd_depth_for(p, rd_local_find(p, tok));
}

/* v is assigned to the name at tok: x = __stage.set(x, v, "x", depth) */
static void write_set(Reader *p, uint32_t tok, uint32_t first, uint32_t last)
{
    const char *depth = name_depth(p, tok);
    rd_edit_before(p, first, afmt(p->c, "__stage.set(%s, ", old_value(p, tok)));
    rd_edit_after(p, last, afmt(p->c, ", \"%s\"%s%s)", name_text(p, tok), depth ? ", " : "",
                             depth ? depth : ""));
}

static void write_setn(Reader *p, const Toks *names, const Values *v)
{
    const char *olds = "", *depths = "";
    for (uint32_t i = 0; i < names->n; i++) {
        uint32_t t = names->tok[i];
        bool named = t != (uint32_t)NoTok;
        const char *depth = named ? name_depth(p, t) : NULL;
        olds = afmt(p->c, "%s, %s", olds, named ? old_value(p, t) : "nil");
        depths = afmt(p->c, "%s, %s", depths, depth ? depth : "nil");
    }
    rd_edit_before(p, v->first, afmt(p->c, "__stage.setn(%u, \"%s\"%s%s, ", names->n,
                                  names_text(p, names), olds, depths));
    rd_edit_after(p, v->last, ")");
}

static void assignment(Reader *p, Exp e)
{
    Toks names = {0}, called = {0};
    bool anyname = false;
    for (;;) {
        bool ends = cur(p) != TKcomma;
        if (ends && cur(p) != TKassign)
            rd_expected(p, TKassign);
        check_target(p, &e, p->at);
        anyname = anyname || e.kind == Xname;
        bool field = e.kind == Xindex && p->tok[e.key].kind == TKdot;
        toks_add(p, &names, e.kind == Xname ? e.first : (uint32_t)NoTok);
        toks_add(p, &called, field ? e.last : names.tok[names.n - 1]);
        next(p);
        if (ends)
            break;
        e = rd_suffixed(p);
    }
    Values v = explist(p, called.tok, called.n);
    for (uint32_t i = 0; i < names.n; i++)
        if (names.tok[i] != (uint32_t)NoTok)
            rd_plain_set(p, names.tok[i], v.plain);
    if (!p->fn->staged)
        return;
    if (names.n > 1 && (anyname || !v.plain))
        write_setn(p, &names, &v);
    else if (anyname)
        write_set(p, names.tok[0], v.first, v.last);
}

/* x op= e ----------------------------------------------------------------- */

static const char *compound_op(enum Tk k)
{
    switch (k) {
    case TKaddeq: return "+";
    case TKsubeq: return "-";
    case TKmuleq: return "*";
    case TKdiveq: return "/";
    case TKidiveq: return "//";
    case TKmodeq: return "%";
    case TKandeq: return "&";
    case TKoreq: return "|";
    case TKshleq: return "<<";
    case TKshreq: return ">>";
    default: return NULL;
    }
}

/* May the text of target e stand twice? */
static bool may_repeat(const Reader *p, const Exp *e)
{
    return e->kind == Xname || (e->simplebase && e->simplekey &&
                                p->tok[e->first].line == p->tok[e->last].line);
}

/* f().x[g()] += e  ==>
 *     do local __o, __k = f().x, g() __o[__k] = __o[__k] + (e) end */
static void write_once(Reader *p, const Exp *e, uint32_t op, const char *text)
{
    const char *at = "__o[__k]";
    if (p->tok[e->key].kind == TKdot) {
        rd_edit_before(p, e->first, "do local __o = ");
        rd_edit_instead(p, e->key, " __o.");
        at = afmt(p->c, "__o.%s", name_text(p, e->last));
        rd_edit_instead(p, op, afmt(p->c, "= %s %s (", at, text));
    } else {
        rd_edit_before(p, e->first, "do local __o, __k = ");
        rd_edit_instead(p, e->key, ", ");
        rd_edit_instead(p, e->last, " ");
        rd_edit_instead(p, op, afmt(p->c, "%s = %s %s (", at, at, text));
    }
}

static void compound(Reader *p, const Exp *e)
{
    uint32_t op = p->at;
    const char *text = compound_op(cur(p));
    check_target(p, e, op);
    next(p);
    Exp v = rd_expr(p);
    if (e->kind == Xname)
        rd_plain_set(p, e->first, v.plain);
    bool once = !may_repeat(p, e), named = e->kind == Xname && p->fn->staged;
    const char *target = rd_text_of(p, p->tok[e->first].at, p->tok[e->last].end);
    if (named)
        rd_edit_before(p, v.first, afmt(p->c, "%s %s (", target, text));
    if (named)
        rd_edit_instead(p, op, "=");
    else if (once)
        write_once(p, e, op, text);
    else
        rd_edit_instead(p, op, afmt(p->c, "= %s %s (", target, text));
    rd_edit_after(p, v.last, once ? ") end" : ")");
    if (named)
        write_set(p, e->first, v.first, v.last);
}

/* A: T.Tensor(...) --------------------------------------------------------- */

static void annotation(Reader *p)
{
    if (p->at && rd_name_is(p, p->at - 1, "lambda") && p->tok[p->at - 1].line == p->tok[p->at].line)
        rd_fail(p, E_lex_foreign, p->at - 1, "`lambda`", "`function(x) return ... end`", NULL, NULL);
    uint32_t name = p->at;
    const char *s = name_text(p, name);
    Exp target = {.kind = Xname, .first = name, .last = name};
    check_target(p, &target, name + 1);
    next(p);
    const char *call = p->fn->staged ? "annotate" : "plain";
    rd_edit_instead(p, p->at, afmt(p->c, " = __stage.%s(\"%s\", %s,", call, s, s));
    next(p);
    Exp e = rd_suffixed(p);
    rd_edit_after(p, e.last, ")");
    if (cur(p) == TKassign)
        rd_fail(p, E_syn_annotated, p->at, NULL, NULL, NULL, NULL);
    if (p->block == p->fn->body)
        p->fn->sigend = p->tok[e.last].end;
}

/* Expression statements ----------------------------------------------------- */

/* An expression stands where a statement should: read it all, for if the text
 * ends inside, more of it is wanted; a `#` is meant as a comment.  start is its first token. */
NORETURN static void lone_expression(Reader *p, uint32_t start)
{
    if (p->tok[start].kind == TKlen)
        rd_lone(p, start);
    bool ended = cur(p) == TKeof;
    p->at = start;
    rd_expr(p);
    if (cur(p) == TKerr)
        rd_faillex(p);
    p->info->incomplete = ended; /* `x`, still to be followed by ` = 1` */
    rd_lone(p, start);
}

static bool starts_expr(enum Tk k)
{
    switch (k) {
    case TKnumber: case TKstring: case TKnil: case TKtrue: case TKfalse: case TKdots:
    case TKlbrace: case TKsub: case TKnot: case TKlen: case TKbnot:
        return true;
    default:
        return false;
    }
}

static void expr_stat(Reader *p)
{
    uint32_t start = p->at;
    if (rd_at_annotation(p)) {
        annotation(p);
        return;
    }
    if (starts_expr(cur(p)))
        lone_expression(p, start);
    if (cur(p) != TKname && cur(p) != TKlparen)
        rd_nostatement(p);
    Exp e = rd_suffixed(p);
    if (cur(p) == TKassign || cur(p) == TKcomma)
        assignment(p, e);
    else if (compound_op(cur(p)))
        compound(p, &e);
    else if (e.kind != Xcall)
        lone_expression(p, start);
}

/* if ------------------------------------------------------------------------ */

typedef struct If {
    Toks first, last, word; /* of each condition; its `if` or `elseif` */
    uint32_t els, end;      /* tokens; els 0: none */
    bool plain;
} If;

static void write_if(Reader *p, const If *f)
{
    const char *fr = rd_frame_name(p, p->fn);
    uint32_t k = rd_new_slots(p->fn, 2);
    for (uint32_t i = 0; i < f->first.n; i++) {
        if (i)
            rd_edit_instead(p, f->word.tok[i],
                         afmt(p->c, "end if __stage.elif(%s, %u) and", fr, k));
        rd_edit_before(p, f->first.tok[i],
                    afmt(p->c, "__stage.%s(%s, %u, ", i ? "arm" : "test", fr, k));
        rd_edit_after(p, f->last.tok[i], ")");
    }
    if (f->els)
        rd_edit_instead(p, f->els, afmt(p->c, "end if __stage.elif(%s, %u) then", fr, k));
    rd_edit_after(p, f->end, afmt(p->c, " __stage.fi(%s, %u);", fr, k));
}

static void if_stat(Reader *p)
{
    If f = {.plain = true};
    uint32_t opener = p->at;
    do {
        toks_add(p, &f.word, p->at);
        next(p);
        Exp c = rd_expr(p);
        rd_known(p, &c);
        toks_add(p, &f.first, c.first);
        toks_add(p, &f.last, c.last);
        f.plain = f.plain && c.plain;
        rd_want(p, TKthen);
        parse_body(p, Barm);
    } while (cur(p) == TKelseif);
    if (cur(p) == TKelse) {
        f.els = p->at;
        next(p);
        parse_body(p, Barm);
    }
    f.end = p->at;
    rd_want_match(p, TKend, opener);
    if (p->fn->staged && !f.plain)
        write_if(p, &f);
}

/* Loops ---------------------------------------------------------------------- */

static void while_stat(Reader *p)
{
    uint32_t opener = p->at;
    Block b;
    next(p);
    Exp c = rd_expr(p);
    rd_known(p, &c);
    rd_want(p, TKdo);
    rd_block_open(p, &b, Bloop, p->tok[p->at - 1].end);
    statlist(p);
    rd_block_close(p);
    uint32_t end = p->at;
    rd_want_match(p, TKend, opener);
    if (!p->fn->staged || c.plain)
        return;
    const char *fr = rd_frame_name(p, p->fn);
    uint32_t k = b.slot ? b.slot : rd_new_slots(p->fn, 2);
    rd_edit_before(p, c.first, afmt(p->c, "__stage.again(%s, %u) and __stage.loopif(%s, %u, ", fr,
                                 k, fr, k));
    rd_edit_after(p, c.last, ")");
    if (b.nbreak)
        rd_edit_after(p, end, afmt(p->c, " __stage.wend(%s, %u);", fr, k));
}

static void repeat_stat(Reader *p)
{
    uint32_t opener = p->at;
    Block b;
    next(p);
    rd_block_open(p, &b, Bloop, p->tok[opener].end);
    statlist(p);
    rd_want_match(p, TKuntil, opener);
    Exp c = rd_expr(p); /* sees the body's locals */
    if (p->fn->staged && !c.plain) {
        rd_edit_before(p, c.first, "__stage.till(");
        rd_edit_after(p, c.last, ")");
    }
    rd_known(p, &c);
    rd_block_close(p);
}

/* The body of a for; b is filled. */
static void for_body(Reader *p, Block *b, const Toks *names, uint32_t opener, bool numeric)
{
    rd_want(p, TKdo);
    rd_block_open(p, b, Bloop, p->tok[p->at - 1].end);
    b->isfor = true;
    for (uint32_t i = 0; i < names->n; i++) {
        rd_local_add(p, names->tok[i], LAnone);
        rd_plain_local(p, numeric);
    }
    statlist(p);
    rd_block_close(p);
    rd_want_match(p, TKend, opener);
    if (b->left)
        rd_edit_after(p, p->at - 1, afmt(p->c, " ::__brk%u::", b->id));
}

/* Opens range or loop around what the loop goes over; after its body. */
static const char *for_call(Reader *p, const Block *b, const char *what, const Toks *names)
{
    const char *s = names_text(p, names);
    if (!b->nbreak)
        return afmt(p->c, "__stage.%s(\"%s\", ", what, s);
    return afmt(p->c, "__stage.%sk(%s, %u, \"%s\", ", what, rd_frame_name(p, p->fn), b->slot, s);
}

static void for_numeric(Reader *p, uint32_t opener, const Toks *names)
{
    Block b;
    uint32_t equals = p->at;
    next(p);
    Exp lo = rd_expr(p);
    rd_want(p, TKcomma);
    Exp hi = rd_expr(p), step = {.plain = true, .last = 0};
    if (take(p, TKcomma))
        step = rd_expr(p);
    p->fn->nactive += 3;
    rd_local_count(p, opener, 3);
    for_body(p, &b, names, opener, true);
    p->fn->nactive -= 3;
    if (!p->fn->staged || (lo.plain && hi.plain && step.plain))
        return;
    rd_edit_instead(p, equals, afmt(p->c, "in %s", for_call(p, &b, "range", names)));
    rd_edit_after(p, step.last ? step.last : hi.last, step.last ? ")" : ", 1)");
}

static void for_generic(Reader *p, uint32_t opener, const Toks *names)
{
    Block b;
    rd_want(p, TKin);
    Values v = explist(p, NULL, 0);
    p->fn->nactive += 4;
    rd_local_count(p, opener, 4);
    for_body(p, &b, names, opener, false);
    p->fn->nactive -= 4;
    if (!p->fn->staged)
        return;
    rd_edit_before(p, v.first, for_call(p, &b, "loop", names));
    rd_edit_after(p, v.last, ")");
}

static void for_stat(Reader *p)
{
    uint32_t opener = p->at;
    Toks names = {0};
    next(p);
    do {
        toks_add(p, &names, p->at);
        rd_want(p, TKname);
    } while (take(p, TKcomma));
    if (cur(p) == TKassign && names.n == 1)
        for_numeric(p, opener, &names);
    else
        for_generic(p, opener, &names);
}

/* Jumps ----------------------------------------------------------------------- */

static void break_stat(Reader *p)
{
    Block *loop = rd_block_loop(p);
    if (!loop)
        rd_fail(p, E_syn_break, p->at, NULL, NULL, NULL, NULL);
    if (p->fn->staged) {
        uint32_t k = rd_loop_slot(p, loop);
        const char *leave = "break";
        if (loop->isfor) { /* Lua 5.4.4 closes nothing at a break whose loop has captured locals */
            leave = afmt(p->c, "goto __brk%u", loop->id);
            loop->left = true;
        }
        rd_edit_instead(p, p->at, afmt(p->c, "if __stage.brk(%s, %u) then %s end",
                                    rd_frame_name(p, p->fn), k, leave));
        loop->nbreak++;
    }
    next(p);
}

static void goto_stat(Reader *p)
{
    next(p);
    uint32_t name = p->at;
    rd_want(p, TKname);
    rd_jump_add(p, name);
}

static void label_stat(Reader *p)
{
    next(p);
    uint32_t name = p->at;
    rd_want(p, TKname);
    rd_want(p, TKdbcolon);
    rd_label_add(p, name);
}

static void return_stat(Reader *p)
{
    if (p->fn->staged && rd_block_nested(p))
        rd_edit_before(p, p->at, afmt(p->c, "__stage.ret(%s); ", rd_frame_name(p, p->fn)));
    next(p);
    if (!block_follow(cur(p)) && cur(p) != TKsemi) {
        uint32_t nedit = p->nedit;
        Values v = explist(p, NULL, 0);
        if (p->fn->staged && p->nedit > nedit && v.n == 1 && v.one.kind == Xother) {
            /* no tail call, lest an error lose the user's line */
            rd_edit_before(p, v.first, "(");
            rd_edit_after(p, v.last, ")");
        }
    }
    take(p, TKsemi);
    if (!block_follow(cur(p)))
        rd_expected(p, p->fn->up ? TKend : TKeof);
}

/* Statements ------------------------------------------------------------------ */

static void do_stat(Reader *p)
{
    uint32_t opener = p->at;
    next(p);
    parse_body(p, Bdo);
    rd_want_match(p, TKend, opener);
}

static void parse_dialect_stmt(Reader *p)
{
    enum Tk k = cur(p);
    uint32_t nedit = p->nedit;
    rd_deeper(p);
    if (k != TKsemi && k != TKdbcolon)
        p->block->laststat = p->at;
    switch (k) {
    case TKsemi: next(p); break;
    case TKif: if_stat(p); break;
    case TKwhile: while_stat(p); break;
    case TKdo: do_stat(p); break;
    case TKfor: for_stat(p); break;
    case TKrepeat: repeat_stat(p); break;
    case TKfunction: function_stat(p); break;
    case TKlocal:
        next(p);
        if (cur(p) == TKfunction)
            local_function(p);
        else
            local_stat(p);
        break;
    case TKdbcolon: label_stat(p); break;
    case TKreturn: return_stat(p); break;
    case TKbreak: break_stat(p); break;
    case TKgoto: goto_stat(p); break;
    default: expr_stat(p); break;
    }
    if (cur(p) == TKlparen && p->nedit > nedit)
        rd_edit_after(p, p->at - 1, ";"); /* what we put there might be called */
    p->deep--;
}

/* The whole text. */
void rd_chunk(Reader *p)
{
    Func f = {.vararg = true};
    Block b;
    rd_func_open(p, &f, p->info->all_staged ? MKstaged : MKnone);
    rd_block_open(p, &b, Bfunc, p->tok[0].at);
    statlist(p);
    if (cur(p) != TKeof)
        rd_nostatement(p);
    rd_func_close(p);
    rd_words_write(p);
    bool uses = false;
    for (uint32_t i = 0; i < p->nedit && !uses; i++)
        uses = strstr(p->edit[i].text, "__stage") != NULL;
    /* as a local it is found whatever _ENV is; a plain chunk may have been given one without */
    if (uses && f.maxactive < 190)
        rd_edit_at(p, b.start, RKprelude,
                   p->nknown ? "local __stage <const> = __stage or {known = function(v) return v "
                               "end}; "
                             : "local __stage <const> = __stage; ");
}
