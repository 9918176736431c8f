/* core/ir/parse.c: the IR as text; reads what print.c writes.
 *
 * { } repeats, [ ] may be left out, "x" is written as it stands.  A statement
 * is a line; NL ends it, and comments go from -- to the end of a line.
 *
 *   program   = { file } "kernel" name "(" [ names ] ")" [ "->" names ]  results that
 *                                            the list lacks join it
 *               [ "machine" name [ "after" pass ] ] at NL     of a thread program; of one
 *                                            between two passes of lowering
 *               { header } { statement } "end" NL
 *   file      = "file" int text NL                       numbered from 1
 *   at        = [ "@" int [ ":" int [ ":" int ] ] ]      line, line:column or
 *                                            file:line:column in the user's text
 *   header    = ( "dim" | "scalar" ) name ":" dtype [ "in" [int] ".." [int] ] at NL
 *             | "buffer" decl at NL | view | define
 *   decl      = name at ":" scope dtype "[" [ exprs ] "]"
 *               [ "stride=" "[" exprs "]" ] [ "safe=" expr ] [ "layout=" text ]
 *               [ "map=" text ] [ "at=" int ] [ "stage=" int ]   see layout.h
 *   view      = "view" name at "of" name ":" dtype "[" exprs "]" {like decl} at NL
 *   define    = "def" "$" int "=" expr NL                a part of later lines
 *   statement = launch | loop | while | if | role | alloc | view | define | let | atomic
 *             | store | op | "break" at NL | "continue" at NL
 *             | "call" name "(" [ exprs ] ")" at NL
 *             | "printf" [ expr ] [ "," ] [ text ] at NL | plan
 *             | ( "assert" | "assume" ) expr [ "," text ] at NL
 *   launch    = "launch" names "in" exprs "threads" [ names "in" ] int { "," int }
 *               [ "panel=" int ] [ "order=" int ] [ "fixed=" int ] [ "cluster=" "[" ints "]" ]
 *               [ "blocks=" int ] [ "keep_regs=" int ] [ "own_syncs=" int ] [ "own_stages=" int ]
 *               [ "producer_regs=" int ] [ "consumer_regs=" int ]
 *               [ "safe=" "[" name ":" expr { "," name ":" expr } "]" ] [ "shared=" int ]
 *               "do" at NL { statement } "end" NL
 *   loop      = "for" names "in" kind "(" bound { "," bound } ")" { option }
 *               "do" at NL { statement } "end" NL
 *   bound     = [ expr ":" ] expr                        from 0, end excluded
 *   option    = "step=" expr | "stages=" int | "unroll=" int
 *             | ( "order=" | "stage=" ) "[" int { "," int } "]"
 *   while     = "while" expr "do" at NL { statement } "end" NL
 *   if        = "if" expr "then" at NL { statement } [ "else" NL { statement } ]
 *               "end" NL
 *   role      = "role" int ".." int [ text ] "do" at NL { statement } "end" NL
 *   alloc     = "alloc" decl [ "=" expr [ "each" ] ] at NL
 *   let       = "let" name at "=" expr at NL
 *   atomic    = [ "let" name at "=" ] "atomic" kind element { "," expr }
 *               [ "order=" name ] [ "each" ] at NL   each: Stmt.own
 *   store     = element "=" expr [ "each" ] at NL
 *   op        = opname [ region { ( "," | "->" | "<-" ) region } ] { "," expr }
 *               { name "=" ( int | name ) } [ text ] at NL   see ops.h; text of a
 *                                            matrix operation: its instruction
 *   element   = name [ "[" exprs "]" ]                   no brackets: rank 0
 *   region    = name [ "[" span { "," span } "]" ]       no brackets: all of it
 *   span      = expr [ ":+" expr ]                       start, extent; or 1
 *   names     = name at { "," name at }
 *   expr      = operators as in Lua, loosest first:
 *               or; and; < <= > >= == ~=; |; ^; &; << >>; + -; * / // %; not - ~
 *             | number | "inf" | "nan" | "true" | "false" | "$" int
 *             | ( "call_extern" | "call_pure_extern" ) "(" text "," dtype { "," expr } ")"
 *             | dtype "(" expr ")" | "reinterpret" "(" dtype "," expr ")"
 *             | ( "min" | "max" | "truncdiv" | "truncmod" ) "(" expr "," expr ")"
 *             | "select" "(" expr "," expr "," expr ")"
 *             | intrinsic "(" [ exprs ] ")" | element | "(" expr ")"
 *
 *   plan      = "plan" kind { name "=" value } at NL     between two passes: what one has left for
 *                                            later ones (handover.h), in front of its statement
 *                                            or behind the names that it is of
 *   kind      = "launch" | "gemm" [ "A" | "B" | "C" ] | "copy" | "loop" | "reduce" | "turn"
 *             | "mark" ( "strict" | "apart" | "begins" | "look" )
 *             | "buffer" name | "var" name [ "in" int ".." int ]
 *
 * Plain integers are int32 and plain fractions float32; beside an operand of
 * another type they take that, as T does it.  float16(0.5) is a literal of its
 * type.  A name lives to the end of its block; names[.2] tell apart what the
 * user gave one name.  A negative constant index counts from the end, but not in
 * a thread program.  `role` and the operations of thread programs are no
 * reserved words: what follows tells them from names.
 *
 * This file reads tokens, names, declarations and the head; parse_stmt.c the
 * statements, parse_expr.c the expressions.
 *
 * Any bytes are safe to read: nesting, sizes and counts are limited, every
 * node is made by the builder's checked functions, and the first error ends
 * the reading. */
#include <string.h>

#include "core/layout/machine.h"
#include "parse.h"
#include "err/ir.h"

/* Tokens --------------------------------------------------------------- */

void parse_expected(Parser *r, const char *what)
{
    Ctx *c = &r->p->ctx;
    if (r->l.tok == Tbad && r->l.bad == E_ir_limit)
        parse_limit(r, "bytes of a name or text", (int)r->l.n, r->l.i);
    if (r->l.tok == Tbad)
        diag_fail(c, r->l.bad, r->l.loc, afmt(c, "0x%02x", (unsigned)r->l.i), NULL);
    diag_fail(c, E_ir_expected, r->l.loc, what, lex_saw(&r->l), NULL);
}

void parse_limit(Parser *r, const char *what, int limit, uint64_t found)
{
    Ctx *c = &r->p->ctx;
    diag_fail(c, E_ir_limit, r->l.loc, what, afmt(c, "%d", limit),
              afmt(c, "%llu", (unsigned long long)found), NULL);
}

bool parse_is(const Parser *r, int tok) { return r->l.tok == tok; }

bool parse_isword(const Parser *r, const char *s)
{
    return r->l.tok == Tword && strcmp(r->l.s, s) == 0;
}

bool parse_take(Parser *r, int tok)
{
    if (r->l.tok != tok)
        return false;
    lex_next(&r->l);
    return true;
}

bool parse_takeword(Parser *r, const char *s)
{
    if (!parse_isword(r, s))
        return false;
    lex_next(&r->l);
    return true;
}

void parse_need(Parser *r, int tok, const char *what)
{
    if (!parse_take(r, tok))
        parse_expected(r, what);
}

void parse_needword(Parser *r, const char *s)
{
    if (!parse_takeword(r, s)) {
        const char *q = afmt(&r->p->ctx, "`%s`", s);
        parse_expected(r, q);
    }
}

/* A word that is not reserved, such as `of` or `threads`. */
bool parse_takename(Parser *r, const char *s)
{
    if (r->l.tok != Tname || strcmp(r->l.s, s) != 0)
        return false;
    lex_next(&r->l);
    return true;
}

void parse_comma(Parser *r) { parse_need(r, Tchar + ',', "`,`"); }

const char *parse_text(Parser *r)
{
    const char *s = r->l.s;
    if (r->l.tok != Ttext)
        parse_expected(r, "text");
    lex_next(&r->l);
    return s;
}

int64_t parse_integer(Parser *r, int64_t lo, int64_t hi)
{
    Ctx *c = &r->p->ctx;
    bool minus = parse_take(r, Tchar + '-');
    if (r->l.tok != Tint)
        parse_expected(r, "int");
    uint64_t v = r->l.i;
    bool ok = minus ? v <= (uint64_t)INT64_MAX + 1 : v <= INT64_MAX;
    int64_t i = (int64_t)(minus ? 0 - v : v);
    if (!ok || i < lo || i > hi)
        diag_fail(c, E_ir_literal, r->l.loc,
                  afmt(c, "%s%llu", minus ? "-" : "", (unsigned long long)v),
                  afmt(c, "%lld..%lld", (long long)lo, (long long)hi), NULL);
    lex_next(&r->l);
    return i;
}

int32_t parse_small(Parser *r) { return (int32_t)parse_integer(r, INT32_MIN, INT32_MAX); }

/* Positions ------------------------------------------------------------ */

/* "@" has been seen. */
static Loc parse_position(Parser *r)
{
    Ctx *c = &r->p->ctx;
    int64_t v[3];
    int n = 0;
    v[n++] = parse_integer(r, 0, UINT32_MAX);
    while (n < 3 && parse_is(r, Tchar + ':')) {
        Lex next = r->l;
        lex_next(&next);
        if (next.tok != Tint)
            break; /* the colon before a type */
        r->l = next;
        v[n++] = parse_integer(r, 0, UINT32_MAX);
    }
    Loc l = {0, 0, 0};
    int64_t file = r->nfile == 1 ? 1 : 0, col = n > 1 ? v[n - 1] : 0;
    if (n == 3)
        file = v[0];
    if (file > (int64_t)r->nfile)
        diag_fail(c, E_ir_file, r->l.loc, afmt(c, "%lld", (long long)file),
                  afmt(c, "%u", (unsigned)r->nfile), NULL);
    l.file = file ? r->file[file - 1] : 0;
    l.line = (uint32_t)(n == 3 ? v[1] : v[0]);
    l.col = (uint16_t)(col > UINT16_MAX ? UINT16_MAX : col);
    return l;
}

/* After a declared name: its own position where it has one. */
static Loc parse_ownposition(Parser *r, Loc otherwise)
{
    return parse_take(r, Tchar + '@') ? parse_position(r) : otherwise;
}

/* The position at the end of the current line, so that the builder can give
 * it to the nodes that the line makes. */
static Loc lineposition(const Parser *r)
{
    const char *s = r->l.bol, *at = NULL, *end = r->l.end;
    for (; s < end && *s != '\n'; s++) {
        if (s + 1 < end && s[0] == '-' && s[1] == '-')
            break;
        if (*s == '@')
            at = s;
        if (*s == '\'' || *s == '"')
            for (char quote = *s++; s < end && *s != quote && *s != '\n'; s++)
                if (*s == '\\' && s + 1 < end)
                    s++;
        if (s >= end || *s == '\n')
            break;
    }
    for (const char *t = at ? at + 1 : s; t < s; t++) /* else of a name */
        if (!(*t >= '0' && *t <= '9') && *t != ':' && *t != ' ' && *t != '\t' && *t != '\r')
            at = NULL;
    if (!at)
        return (Loc){0, 0, 0};
    Parser q = *r;
    q.l.at = at + 1;
    q.l.tok = Tint;
    lex_next(&q.l);
    return parse_position(&q);
}

void parse_beginline(Parser *r)
{
    r->from = r->l.loc;
    r->p->here = lineposition(r);
    if (!r->p->here.line && !r->p->here.file)
        r->p->here = r->from;
}

static void skiplines(Parser *r)
{
    while (parse_take(r, Tline))
        ;
}

void parse_endline(Parser *r)
{
    if (parse_take(r, Tchar + '@'))
        parse_position(r);
    if (r->l.tok != Tend)
        parse_need(r, Tline, "NL");
    skiplines(r);
}

/* Names ---------------------------------------------------------------- */

static uint32_t parse_bucketof(const char *s, uint32_t n)
{
    uint32_t h = 5381 + n * 65599;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h % SymbolBuckets;
}

static Symbol *ir_parse_lookup(Parser *r, const char *name, uint32_t n)
{
    for (Symbol *s = r->bucket[parse_bucketof(name, n)]; s; s = s->below)
        if (s->n == n && strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

Symbol *parse_lookup(Parser *r) { return ir_parse_lookup(r, r->l.s, r->l.n); }

New parse_newname(Parser *r)
{
    New m = {r->l.s, r->l.n, r->l.loc, r->p->here};
    if (r->l.tok != Tname)
        parse_expected(r, "name");
    Symbol *s = parse_lookup(r);
    if (s && s->scope == r->scope)
        diag_fail(&r->p->ctx, E_ir_redefined, r->l.loc, r->l.s, NULL);
    lex_next(&r->l);
    m.loc = parse_ownposition(r, m.loc);
    return m;
}

int parse_newnames(Parser *r, New *m, int max)
{
    int n = 0;
    do {
        if (n == max)
            parse_limit(r, "names in a list", max, (uint64_t)n + 1);
        m[n++] = parse_newname(r);
    } while (parse_take(r, Tchar + ','));
    return n;
}

static void parse_enter(Parser *r, const New *m, bool isbuf, uint32_t id)
{
    Symbol *old = ir_parse_lookup(r, m->name, m->n);
    if (old && old->scope == r->scope)
        diag_fail(&r->p->ctx, E_ir_redefined, m->at, m->name, NULL);
    Symbol *s = anew(&r->p->ctx, sizeof *s);
    *s = (Symbol){.name = m->name, .n = m->n, .isbuf = isbuf, .id = id, .scope = r->scope,
                  .bucket = parse_bucketof(m->name, m->n)};
    s->below = r->bucket[s->bucket];
    r->bucket[s->bucket] = s;
    agrow(&r->p->ctx, &r->visible, &r->capvisible, r->nvisible + 1, sizeof *r->visible);
    r->visible[r->nvisible++] = s;
}

void parse_entervar(Parser *r, const New *m, uint32_t id)
{
    r->p->var[id].loc = m->loc;
    parse_enter(r, m, false, id);
}

void parse_leave(Parser *r, uint32_t mark)
{
    while (r->nvisible > mark) {
        Symbol *s = r->visible[--r->nvisible];
        r->bucket[s->bucket] = s->below;
    }
}

uint32_t parse_buf(Parser *r)
{
    Ctx *c = &r->p->ctx;
    if (r->l.tok != Tname)
        parse_expected(r, "name");
    Symbol *s = parse_lookup(r);
    if (!s)
        diag_fail(c, E_ir_undefined, r->l.loc, r->l.s, NULL);
    if (!s->isbuf)
        diag_fail(c, E_ir_notbuf, r->l.loc, r->l.s, NULL);
    lex_next(&r->l);
    return s->id;
}

const char *parse_option(Parser *r, Loc *at)
{
    const char *s = r->l.s;
    Lex next = r->l;
    if (r->l.tok != Tname && r->l.tok != Tword)
        return NULL;
    lex_next(&next);
    if (next.tok != Tchar + '=')
        return NULL;
    *at = r->l.loc;
    r->l = next;
    lex_next(&r->l);
    return s;
}

void parse_badoption(Parser *r, Loc at, const char *s, const char *of, const char *known)
{
    diag_fail(&r->p->ctx, E_ir_attr, at, s, of, known, NULL);
}

/* Declarations --------------------------------------------------------- */

static int scopename_of(Parser *r)
{
    for (int i = SCnone + 1; r->l.tok == Tname && i < NScope; i++)
        if (strcmp(r->l.s, scopename[i]) == 0) {
            lex_next(&r->l);
            return i;
        }
    parse_expected(r, "global | shared | fragment | local | var | barrier | pipe");
}

/* What stands behind a buffer's shape. */
typedef struct BufOptions BufOptions;
struct BufOptions {
    Ex stride[MaxDim], safe;
    const char *layout, *of;
    const Layout *map;
    int64_t at;
    bool stage;
};

/* map="..": as layout_print() writes it. */
static const Layout *layoutmap(Parser *r)
{
    Ctx *c = &r->p->ctx;
    Loc at = r->l.loc;
    const char *s = parse_text(r);
    Layout *l = anew(c, sizeof *l);
    if (!layout_parse(l, s))
        diag_fail(c, E_ir_map, at, NULL);
    return l;
}

static void bufoptions(Parser *r, int ndim, BufOptions *o)
{
    const char *s;
    Ctx *c = &r->p->ctx;
    Loc at;
    while ((s = parse_option(r, &at))) {
        if (strcmp(s, "stride") == 0) {
            int n = parse_list(r, o->stride, MaxDim);
            if (n != ndim)
                diag_fail(c, E_ir_count, at, afmt(c, "%d", ndim), afmt(c, "%d", n), NULL);
            for (int i = 0; i < n; i++)
                if (dtypeinfo[ex_type(r->p, o->stride[i])].cls != 'I' &&
                    dtypeinfo[ex_type(r->p, o->stride[i])].cls != 'U')
                    diag_fail(c, E_ir_type, at, dtypeinfo[ex_type(r->p, o->stride[i])].name, NULL);
        } else if (strcmp(s, "safe") == 0) {
            o->safe = parse_expr(r);
        } else if (strcmp(s, "layout") == 0) {
            o->layout = parse_text(r);
        } else if (strcmp(s, "of") == 0) {
            o->of = parse_text(r);
        } else if (strcmp(s, "map") == 0) {
            o->map = layoutmap(r);
        } else if (strcmp(s, "at") == 0) {
            o->at = parse_integer(r, 0, INT32_MAX);
        } else if (strcmp(s, "stage") == 0) {
            o->stage = parse_integer(r, 0, 1) != 0;
        } else {
            parse_badoption(r, at, s, "buffer", "stride, safe, layout, map, at, stage, of");
        }
    }
}

/* decl, or what follows `of` in a view: base is then the viewed buffer. */
uint32_t parse_decl(Parser *r, const New *m, uint32_t base)
{
    Prog *p = r->p;
    Loc here = p->here;
    Ex shape[MaxDim];
    BufOptions o = {.at = -1};
    parse_need(r, Tchar + ':', "`:`");
    int sc = base ? p->buf[base].scope : scopename_of(r);
    enum Dtype dt = parse_dtype(r);
    int n = parse_list(r, shape, MaxDim);
    bufoptions(r, n, &o);
    if (o.stage && (base || sc != SCshared))
        parse_badoption(r, m->at, "stage", base ? "view" : scopename[sc],
                        "stride, safe, layout, map, at, of");
    p->here = m->loc;
    uint32_t b = base ? p_view(p, base, dt, shape, n)
                      : p_buf(p, (enum Scope)sc, dt, m->name, shape, n ? o.stride : NULL, n);
    if (base) {
        p_name(p, b, m->name);
        memcpy(p->buf[b].stride, o.stride, sizeof o.stride);
    }
    p->buf[b].safe = o.safe;
    p->buf[b].layout = o.layout;
    p->buf[b].map = o.map;
    p->buf[b].at = o.at;
    p->buf[b].stage = o.stage;
    p->buf[b].of = o.of;
    p->here = here;
    parse_enter(r, m, true, b);
    return b;
}

void parse_view(Parser *r)
{
    New m = parse_newname(r);
    if (!parse_takename(r, "of"))
        parse_expected(r, "`of`");
    parse_decl(r, &m, parse_buf(r));
    parse_endline(r);
}

void parse_define(Parser *r)
{
    if (r->l.tok != Tdef || r->l.i != r->ndef + 1) {
        const char *want = afmt(&r->p->ctx, "`$%u`", (unsigned)r->ndef + 1);
        parse_expected(r, want);
    }
    lex_next(&r->l);
    parse_need(r, Tchar + '=', "`=`");
    Ex e = parse_expr(r);
    agrow(&r->p->ctx, &r->def, &r->capdef, r->ndef + 1, sizeof *r->def);
    r->def[r->ndef++] = e;
    parse_endline(r);
}

/* The range that a type can hold, as far as int64 can say it. */
static void typerange(enum Dtype dt, int64_t *lo, int64_t *hi)
{
    int bits = dtypeinfo[dt].bits;
    *lo = dtypeinfo[dt].cls == 'U' ? 0 : bits >= 64 ? INT64_MIN : -((int64_t)1 << (bits - 1));
    *hi = bits >= 64 ? INT64_MAX : ((int64_t)1 << (bits - (dtypeinfo[dt].cls != 'U'))) - 1;
}

static void headvar(Parser *r, enum VarKind kind)
{
    int64_t lo = INT64_MIN, hi = INT64_MAX, a, b;
    New m = parse_newname(r);
    parse_need(r, Tchar + ':', "`:`");
    Loc at = r->l.loc;
    enum Dtype dt = parse_dtype(r);
    bool isint = dtypeinfo[dt].cls == 'I' || dtypeinfo[dt].cls == 'U';
    if (kind == Vdim && !isint)
        diag_fail(&r->p->ctx, E_ir_type, at, dtypeinfo[dt].name, NULL);
    if (isint && parse_takeword(r, "in")) {
        typerange(dt, &a, &b);
        if (r->l.tok != Tto)
            lo = parse_integer(r, a, b);
        parse_need(r, Tto, "`..`");
        if (r->l.tok == Tint || parse_is(r, Tchar + '-'))
            hi = parse_integer(r, lo > a ? lo : a, b);
    }
    parse_entervar(r, &m, p_var(r->p, kind, dt, m.name, lo, hi));
    parse_endline(r);
}

/* The head: files, the line `kernel`, parameters ----------------------- */

static void files(Parser *r)
{
    while (parse_takeword(r, "file")) {
        if (r->nfile == TextFiles)
            parse_limit(r, "files", TextFiles, TextFiles + 1);
        parse_integer(r, r->nfile + 1, r->nfile + 1);
        agrow(&r->p->ctx, &r->file, &r->capfile, r->nfile + 1, sizeof *r->file);
        r->file[r->nfile++] = ctx_file(&r->p->ctx, parse_text(r));
        parse_endline(r);
    }
}

/* The names of the line `kernel`, which stand before their declarations. */
typedef struct LateBuffer LateBuffer;
struct LateBuffer {
    const char *name;
    uint32_t n;
    Loc at;
};

static uint32_t laternames(Parser *r, LateBuffer **list)
{
    uint32_t n = 0, cap = 0;
    *list = NULL;
    do {
        if (r->l.tok != Tname)
            parse_expected(r, "name");
        agrow(&r->p->ctx, list, &cap, n + 1, sizeof **list);
        (*list)[n++] = (LateBuffer){r->l.s, r->l.n, r->l.loc};
        lex_next(&r->l);
    } while (parse_take(r, Tchar + ','));
    return n;
}

static Symbol *parse_resolve(Parser *r, const LateBuffer *k, bool out)
{
    Ctx *c = &r->p->ctx;
    Symbol *s = ir_parse_lookup(r, k->name, k->n);
    if (!s)
        diag_fail(c, E_ir_undefined, k->at, k->name, NULL);
    if (s->isbuf ? r->p->buf[s->id].scope != SCglobal : out || r->p->var[s->id].kind != Vscalar)
        diag_fail(c, E_ir_param, k->at, k->name, NULL);
    return s;
}

static void parse_parameters(Parser *r, const LateBuffer *param, uint32_t nparam,
                             const LateBuffer *out, uint32_t nout)
{
    for (uint32_t i = 0; i < nparam; i++) {
        Symbol *s = parse_resolve(r, &param[i], false);
        for (uint32_t j = 0; j < i; j++)
            if (r->p->param[j].scalar == !s->isbuf && r->p->param[j].id == s->id)
                diag_fail(&r->p->ctx, E_ir_redefined, param[i].at, param[i].name, NULL);
        p_param(r->p, !s->isbuf, s->id);
    }
    for (uint32_t i = 0; i < nout; i++) {
        Symbol *s = parse_resolve(r, &out[i], true);
        if (r->p->buf[s->id].out)
            diag_fail(&r->p->ctx, E_ir_redefined, out[i].at, out[i].name, NULL);
        if (!r->p->buf[s->id].param) { /* `kernel k(A) -> B` says it as well as (A, B) */
            if (r->p->nparam == 255)
                parse_limit(r, "parameters or results", 255, 256);
            p_param(r->p, false, s->id);
        }
        p_out(r->p, s->id);
    }
}

/* What is declared here comes with a call: nobody else gives it a value. */
static void all_listed(Parser *r)
{
    const Prog *p = r->p;
    uint8_t *var = anew(&r->p->ctx, p->nvar);
    for (uint32_t i = 0; i < p->nparam; i++)
        if (p->param[i].scalar)
            var[p->param[i].id] = 1;
    for (uint32_t i = 1; i < p->nvar; i++)
        if (p->var[i].kind == Vscalar && !var[i])
            diag_fail(&r->p->ctx, E_ir_unlisted, p->var[i].loc, p->var[i].name, NULL);
    for (uint32_t i = 1; i < p->nbuf; i++)
        if (p->buf[i].scope == SCglobal && !p->buf[i].base && !p->buf[i].param)
            diag_fail(&r->p->ctx, E_ir_unlisted, p->buf[i].loc, p->buf[i].name, NULL);
}

static bool headline(Parser *r)
{
    parse_beginline(r);
    if (parse_takeword(r, "dim"))
        headvar(r, Vdim);
    else if (parse_takeword(r, "scalar"))
        headvar(r, Vscalar);
    else if (parse_takeword(r, "view"))
        parse_view(r);
    else if (parse_takeword(r, "def"))
        parse_define(r);
    else if (parse_takeword(r, "buffer")) {
        New m = parse_newname(r);
        parse_decl(r, &m, 0);
        parse_endline(r);
    } else {
        return false;
    }
    return true;
}

static void machine(Parser *r)
{
    Ctx *c = &r->p->ctx;
    if (r->l.tok != Tname)
        parse_expected(r, "name");
    const Machine *m = machine_find(r->l.s);
    if (!m) {
        const char *known = "";
        for (int i = 0; machines[i]; i++)
            known = afmt(c, i ? "%s, %s" : "%s%s", known, machines[i]->name);
        diag_fail(c, E_ir_machine, r->l.loc, r->l.s, known, NULL);
    }
    lex_next(&r->l);
    if (!parse_takename(r, "after")) {
        r->p->machine = m->name;
        return;
    }
    if (r->l.tok != Tname && r->l.tok != Tword)
        parse_expected(r, "name");
    r->p->between.machine = m->name;
    r->p->between.after = astr(c, r->l.s, strlen(r->l.s));
    lex_next(&r->l);
}

static void parse_program(Ctx *c, void *ud)
{
    Parser *r = ud;
    LateBuffer *param = NULL, *out = NULL;
    uint32_t nparam = 0, nout = 0;
    lex_next(&r->l);
    skiplines(r);
    files(r);
    parse_beginline(r);
    parse_needword(r, "kernel");
    if (r->l.tok != Tname)
        parse_expected(r, "name");
    r->p->name = r->l.s;
    r->p->loc = r->p->here;
    lex_next(&r->l);
    parse_need(r, Tchar + '(', "`(`");
    if (!parse_is(r, Tchar + ')'))
        nparam = laternames(r, &param);
    parse_need(r, Tchar + ')', "`)`");
    if (parse_take(r, Tarrow))
        nout = laternames(r, &out);
    if (parse_takename(r, "machine"))
        machine(r);
    if (nparam > 255 || nout > 255)
        parse_limit(r, "parameters or results", 255, nparam > nout ? nparam : nout);
    parse_endline(r);
    while (headline(r))
        ;
    parse_parameters(r, param, nparam, out, nout);
    all_listed(r);
    parse_block(r, false);
    if (r->l.tok != Tend)
        parse_expected(r, "EOF");
    (void)c;
}

/* ---------------------------------------------------------------------- */

/* Messages of the builder carry the user's position; a note then names the
 * line of the IR. */
static void parse_locate(Ctx *c, void *ud)
{
    Parser *r = ud;
    for (Diag *d = c->diags; d; d = d->next) {
        if (d->err != E_memory && d->loc.file != r->l.file)
            diag_note(c, d, E_ir_from, r->from, NULL);
    }
}

typedef struct Start Start;
struct Start {
    Parser *r;
    const char *text;
    size_t n;
    const char *prefix, *file;
};

static void parse_begin(Ctx *c, void *ud)
{
    Start *s = ud;
    size_t prefix = strlen(s->prefix), bytes = strlen(s->file);
    char *name = anew(c, prefix + bytes + 1);
    memcpy(name, s->prefix, prefix);
    memcpy(name + prefix, s->file, bytes + 1);
    uint16_t file = ctx_file(c, name);
    s->r->from = (Loc){file, 1, 1};
    s->r->p->textfile = file;
    lex_init(&s->r->l, c, s->text, s->n < TextBytes ? s->n : 0, file);
    if (s->n >= TextBytes)
        parse_limit(s->r, "bytes of text", TextBytes, s->n);
}

static Prog *parse_read_text(const Mem *mem, const char *text, size_t n, const char *prefix,
                             const char *file)
{
    Prog *p = prog_new(mem, "kernel");
    if (!p)
        return NULL;
    Ctx *c = &p->ctx;
    Parser *r = (mem ? mem : &mem_libc)->alloc((mem ? mem : &mem_libc)->ud, NULL, sizeof *r);
    if (!r) {
        prog_free(p);
        return NULL;
    }
    *r = (Parser){.p = p};
    Start s = {r, text, n, prefix, file};
    if (!ctx_try(c, parse_begin, &s) || !ctx_try(c, parse_program, r))
        ctx_try(c, parse_locate, r);
    c->mem.alloc(c->mem.ud, r, 0);
    return p;
}

Prog *prog_parse(const Mem *mem, const char *text, size_t n, const char *chunk)
{
    return parse_read_text(mem, text, n, "", chunk);
}

Prog *prog_parse_file(const Mem *mem, const char *text, size_t n, const char *path)
{
    return parse_read_text(mem, text, n, "@", path);
}
