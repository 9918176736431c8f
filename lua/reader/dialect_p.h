/* lua/reader/dialect_p.h: what the files of the dialect reader share.
 *
 *     dialect_lex.c    text -> tokens
 *     dialect_expr.c   expressions
 *     dialect_plain.c  what code that is not staged asks of values
 *     dialect_stmt.c   statements and functions
 *     dialect_scope.c  blocks, locals, labels, where depths are recorded
 *     dialect_edit.c   messages, and the edits that make the new text
 *     dialect_wrong.c  what is most likely meant where the text is not valid
 *     dialect.c        the entry
 *
 * The parser makes no tree: it walks the tokens once and notes edits, pieces
 * of text to be put before, after or instead of tokens.  Since tokens never
 * move, lines stay what they are. */
#ifndef MOONTILE_DIALECT_P_H
#define MOONTILE_DIALECT_P_H

#include "dialect.h"

/* Tokens --------------------------------------------------------------- */

#define KEYWORDS(K) \
    K(and) K(break) K(do) K(else) K(elseif) K(end) K(false) K(for) K(function) \
    K(goto) K(if) K(in) K(local) K(nil) K(not) K(or) K(repeat) K(return) \
    K(then) K(true) K(until) K(while)

/* Longer ones first: the lexer takes the first that fits. */
#define PUNCTUATION(P) \
    P(dots, "...") P(shleq, "<<=") P(shreq, ">>=") P(idiveq, "//=") \
    P(concat, "..") P(shl, "<<") P(shr, ">>") P(idiv, "//") \
    P(eq, "==") P(ne, "~=") P(le, "<=") P(ge, ">=") P(dbcolon, "::") \
    P(addeq, "+=") P(subeq, "-=") P(muleq, "*=") P(diveq, "/=") P(modeq, "%=") \
    P(andeq, "&=") P(oreq, "|=") \
    P(add, "+") P(sub, "-") P(mul, "*") P(div, "/") P(mod, "%") P(pow, "^") \
    P(len, "#") P(band, "&") P(bnot, "~") P(bor, "|") P(lt, "<") P(gt, ">") \
    P(assign, "=") P(lparen, "(") P(rparen, ")") P(lbrace, "{") P(rbrace, "}") \
    P(lbracket, "[") P(rbracket, "]") P(semi, ";") P(colon, ":") \
    P(comma, ",") P(dot, ".")

enum Tk {
    TKeof, TKerr, TKname, TKnumber, TKstring,
#define K(id) TK##id,
    KEYWORDS(K)
#undef K
#define P(id, text) TK##id,
    PUNCTUATION(P)
#undef P
    NTk
};

typedef struct DialectTok {
    uint32_t at, end, line; /* src[at..end) */
    uint8_t kind;           /* enum Tk */
} DialectTok;

enum { NoTok = -1 }; /* as uint32_t: no token */

/* Edits ---------------------------------------------------------------- */

/* At one place: what closes the text before it, then what opens a block, then
 * what opens the text behind it (the outermost, noted last, first), then what
 * replaces it. */
enum Rank { RKafter, RKprelude, RKframe, RKstart, RKbefore, RKinstead };

typedef struct Edit {
    uint32_t at, del;
    uint32_t seq;
    uint8_t rank; /* enum Rank */
    const char *text;
} Edit;

/* Scopes --------------------------------------------------------------- */

/* What a call is to its function arguments: nothing, T.prim_func or tl.jit,
 * T.macro. */
enum StageMark { MKnone, MKstaged, MKmacro };

enum BlockKind { Bdo, Bfunc, Bloop, Barm };

typedef struct Func Func;
typedef struct Block Block;

struct Func {
    Func *up;
    Block *body;
    bool staged, root; /* root: staged inside a function that is not */
    bool macro, vararg;
    bool frame;        /* needs its __stN */
    int level;         /* the N of __stN */
    uint32_t nslot;    /* slots given out */
    uint32_t nvararg;  /* how often `...` was seen */
    uint32_t sigend;   /* where the last annotation statement ends, or 0 */
    uint32_t label, jump; /* first of p->label, p->jump that are its own */
    uint32_t nactive, maxactive; /* local variables */
    uint32_t total;    /* of them in all, those of loops that nobody sees too */
};

struct Block {
    Block *up;
    Func *fn;
    uint32_t id;      /* from 1 */
    uint8_t kind;     /* enum BlockKind */
    bool recorded;    /* its depth is put into its slot */
    bool isfor;       /* the body of a for .. */
    bool left;        /* .. which a break leaves: a label stands behind it */
    uint32_t start;   /* offset where its first statement may begin */
    uint32_t slot;    /* 0: none yet; a loop's is the first of two */
    uint32_t nbreak;  /* of a loop: rewritten breaks */
    uint32_t local, label, jump; /* how many there were at its start */
    uint32_t laststat;           /* token of the last statement that does something */
};

enum Attr { LAnone, LAconst, LAclose };

typedef struct DialectLocal {
    uint32_t tok; /* of its name; 0 with self set is `self` */
    Block *block;
    uint8_t attr;
    bool self;
    bool plain; /* whatever it is given can never be symbolic; of code that is not staged */
} DialectLocal;

typedef struct Label {
    uint32_t tok;
    Block *block;
} Label;

typedef struct Jump {
    uint32_t tok;     /* of the label's name; `goto` is the one before */
    uint32_t frame;   /* id of the frame block where it stands */
    uint32_t loop;    /* id of the innermost loop around it, or 0 */
} Jump;

/* The reader ------------------------------------------------------------ */

typedef struct Later { /* a name given to tl.jit, T.prim_func or T.macro */
    uint32_t tok;
    uint8_t mark;
} Later;

typedef struct Reader {
    Ctx *c;
    DialectInfo *info;
    const char *src;
    uint32_t n;
    uint16_t file;
    DialectTok *tok;
    uint32_t ntok, captok;
    uint32_t at;        /* the current token */
    int deep;           /* of the recursion */
    int deepest;        /* that it has been since the expression at hand began, with the calls
                         * of `known` that go around what was there */
    uint32_t ncall;     /* calls read so far */
    uint32_t nknown;    /* calls of `known` written so far */
    bool nolocals;      /* no local is taken for plain */
    uint32_t *varies, nvaries, capvaries; /* tokens: locals that began plain and may not stay so */
    bool inindex;       /* between the brackets of an index */
    uint8_t markarg;    /* enum StageMark of the call whose arguments we are in */
    Func *fn;
    Block *block;
    uint32_t nblock;    /* blocks opened so far */
    Edit *edit;   uint32_t nedit, capedit;
    DialectLocal *local; uint32_t nlocal, caplocal;
    Label *label; uint32_t nlabel, caplabel;
    Jump *jump;   uint32_t njump, capjump;
    Later *later; uint32_t nlater, caplater;
    uint32_t *word; uint32_t nword, capword; /* tokens: words of Python that are read */
    uint32_t owned;     /* bits: of which of those words the text makes a variable */
    /* the lexical error that the token Terr stands for */
    Err lexerr;
    uint32_t lexat;
    const char *lexarg[2];
    bool lexmore;       /* more text could cure it */
    const char *more[2]; /* {5} and {6} of the message that is raised */
} Reader;

enum ExpKind {
    Xother, Xnil, Xconst, Xstring, Xvararg, Xfunc, Xtable, Xname, Xindex, Xcall, Xparen
};

typedef struct Exp {
    uint8_t kind;         /* enum ExpKind */
    bool plain;           /* can never be symbolic */
    bool simple;          /* a literal or a local: may be evaluated at any time */
    bool multi;           /* Xindex: several indices or a slice */
    bool simplekey;       /* Xindex: key is a field, a literal or a name */
    bool simplebase;      /* Xindex: of a name */
    uint32_t first, last; /* tokens */
    uint32_t key;         /* Xindex: the token `.` or `[` */
    int levels;           /* the deepest that Lua goes while it reads it */
    int32_t pend;         /* edit that opens an `and` whose value an `or` may
                           * take as a select; -1 none */
} Exp;

/* dialect_lex.c */
void rd_lex(Reader *p);
extern const char *const rd_text[NTk];

/* dialect_edit.c */
Loc rd_loc_at(const Reader *p, uint32_t at);
NORETURN void rd_fail(Reader *p, Err e, uint32_t tok, const char *a, const char *b,
                      const char *c, const char *d);
NORETURN void rd_expected(Reader *p, enum Tk what);
NORETURN void rd_noexpr(Reader *p);
NORETURN void rd_faillex(Reader *p);
const char *rd_quote_tok(Reader *p, uint32_t tok);
const char *rd_quote_text(Reader *p, uint32_t at, uint32_t end);
char *rd_text_of(Reader *p, uint32_t at, uint32_t end);
uint32_t rd_edit_before(Reader *p, uint32_t tok, const char *text);
void rd_edit_after(Reader *p, uint32_t tok, const char *text);
void rd_edit_instead(Reader *p, uint32_t tok, const char *text);
void rd_edit_at(Reader *p, uint32_t at, enum Rank rank, const char *text);
void rd_edit_write(Reader *p, Str *out);

/* dialect_wrong.c */
NORETURN void rd_unclosed(Reader *p, enum Tk k, uint32_t opener);
NORETURN void rd_nostatement(Reader *p);
NORETURN void rd_lone(Reader *p, uint32_t start);
/* Where the text turns out to be a program in Python, if it does: reports that. */
void rd_python(Reader *p);
/* A variable that is no local is read at tok, and assigned to.  At the end of the text: the
 * words of Python among those that are only read give an error where they have no value. */
void rd_word_read(Reader *p, uint32_t tok);
void rd_word_set(Reader *p, uint32_t tok);
void rd_words_write(Reader *p);
void rd_colon(Reader *p);
void rd_meant(Reader *p, enum Tk what);

/* dialect_scope.c */
bool rd_name_is(const Reader *p, uint32_t tok, const char *s);
void rd_fill_later(Reader *p);
enum StageMark rd_mark_of(const Reader *p, uint32_t tok);
enum StageMark rd_mark_later(const Reader *p, uint32_t tok);
/* At the first token of a body whose parameters are known: does it say the type of one? */
bool rd_says_types(Reader *p);
void rd_func_open(Reader *p, Func *f, enum StageMark mark);
void rd_func_close(Reader *p);
void rd_block_open(Reader *p, Block *b, enum BlockKind kind, uint32_t start);
void rd_block_close(Reader *p);
Block *rd_block_loop(const Reader *p);
bool rd_block_nested(const Reader *p);
DialectLocal *rd_local_find(const Reader *p, uint32_t tok);
void rd_local_add(Reader *p, uint32_t tok, enum Attr attr);
/* The function at hand has n more, which token tok begins; too many of them are an error. */
void rd_local_count(Reader *p, uint32_t tok, uint32_t n);
const char *rd_frame_name(Reader *p, Func *f);
uint32_t rd_new_slots(Func *f, uint32_t n);
uint32_t rd_loop_slot(Reader *p, Block *loop);
const char *rd_depth_for(Reader *p, const DialectLocal *l);
void rd_label_add(Reader *p, uint32_t tok);
void rd_jump_add(Reader *p, uint32_t tok);

/* dialect_expr.c */
Exp rd_expr(Reader *p);
Exp rd_suffixed(Reader *p);
bool rd_at_annotation(const Reader *p);
void rd_want(Reader *p, enum Tk k);
void rd_want_match(Reader *p, enum Tk k, uint32_t opener);
void rd_deeper(Reader *p);

/* dialect_plain.c: what decides by e, read whole, of code that is not staged. */
enum { MaxDeep = 195 }; /* levels of the recursion; Lua itself stops at 200 */
void rd_known(Reader *p, Exp *e);
void rd_known_left(Reader *p, Exp *e); /* of an `or` */
void rd_known_sides(Reader *p, Exp *a, Exp *b); /* of == and ~= */
bool rd_neversym(const Exp *e);
/* The newest local has begun with a value, plain or not; the one at token tok is given one. */
void rd_plain_local(Reader *p, bool plain);
void rd_plain_set(Reader *p, uint32_t tok, bool plain);

/* dialect_stmt.c */
void rd_chunk(Reader *p);
void rd_body(Reader *p, uint32_t opener, bool method, enum StageMark mark);

static inline enum Tk cur(const Reader *p) { return (enum Tk)p->tok[p->at].kind; }

static inline enum Tk peek(const Reader *p, uint32_t k)
{
    return p->at + k < p->ntok ? (enum Tk)p->tok[p->at + k].kind : TKeof;
}

static inline void next(Reader *p)
{
    if (p->at + 1 < p->ntok)
        p->at++;
}

static inline bool take(Reader *p, enum Tk k)
{
    if (cur(p) != k)
        return false;
    next(p);
    return true;
}

#endif
