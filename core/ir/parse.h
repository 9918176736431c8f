/* core/ir/parse.h: inside the reader of IR text: parse.c, parse_stmt.c,
 * parse_expr.c and parse_handover.c.  All of these unwind on errors. */
#ifndef MOONTILE_PARSE_H
#define MOONTILE_PARSE_H

#include "text.h"

typedef struct Symbol Symbol;
struct Symbol {
    const char *name;
    uint32_t n;       /* suffix */
    bool isbuf;
    uint32_t id;      /* Buf or Var */
    uint32_t bucket, scope;
    Symbol *below;    /* in the bucket */
};

enum { SymbolBuckets = 512 };

/* Lines `plan` in front of a statement, until it is read. */
typedef struct PlanLines PlanLines;
struct PlanLines {
    bool any;
    Loc at;                       /* of the first of them */
    struct GemmPlan *gemm;
    struct CopyPlan *copy;
    struct ParLoopPlan *loop, *reduce;
    struct LaunchPlan *launch;
    bool open;                    /* Stmt.loop.open */
    Turn turn;
    const char *mark;             /* strict, apart, begins, look */
};

typedef struct Parser Parser;
struct Parser {
    Lex l;
    Prog *p;
    Symbol *bucket[SymbolBuckets];
    Symbol **visible;             /* in the order of declaration */
    uint32_t nvisible, capvisible, scope;
    Ex *def; uint32_t ndef, capdef;
    uint16_t *file; uint32_t nfile, capfile; /* of the text -> ctx */
    int parens;
    Loc from;                     /* where the statement begins */
    PlanLines lines;
    struct LaunchPlan *launch;    /* between two passes: of the launch around */
};

/* A name that a statement declares: read first, entered when it has an id. */
typedef struct New New;
struct New {
    const char *name;
    uint32_t n;
    Loc at;  /* in the text of the IR */
    Loc loc; /* in the user's text */
};

/* parse.c: tokens */
NORETURN void parse_expected(Parser *r, const char *what);
NORETURN void parse_limit(Parser *r, const char *what, int limit, uint64_t found);
bool parse_is(const Parser *r, int tok);       /* a token kind, or Tchar + c */
bool parse_isword(const Parser *r, const char *s);
bool parse_take(Parser *r, int tok);           /* skips it if it is there */
bool parse_takeword(Parser *r, const char *s);
void parse_need(Parser *r, int tok, const char *what);
void parse_needword(Parser *r, const char *s);
bool parse_takename(Parser *r, const char *s); /* a word that is not reserved */
void parse_comma(Parser *r);
const char *parse_text(Parser *r);
int64_t parse_integer(Parser *r, int64_t lo, int64_t hi);
int32_t parse_small(Parser *r);                /* an int32 */
void parse_beginline(Parser *r);               /* sets the builder's position */
void parse_endline(Parser *r);

/* parse.c: names */
New parse_newname(Parser *r);
int parse_newnames(Parser *r, New *m, int max);
void parse_entervar(Parser *r, const New *m, uint32_t id);
void parse_leave(Parser *r, uint32_t mark);    /* forgets those after mark */
Symbol *parse_lookup(Parser *r);               /* the current name; NULL */
uint32_t parse_buf(Parser *r);                 /* a buffer's name, skipped */
/* name "=": an option of a statement.  NULL when there is none. */
const char *parse_option(Parser *r, Loc *at);
NORETURN void parse_badoption(Parser *r, Loc at, const char *s, const char *of,
                              const char *known);
uint32_t parse_decl(Parser *r, const New *m, uint32_t base); /* base: of a view */
void parse_view(Parser *r);
void parse_define(Parser *r);

/* parse_stmt.c: up to and with its `end`; an if's block may have an `else` */
void parse_block(Parser *r, bool in_if);

/* parse_handover.c */
bool parse_plan(Parser *r);       /* reads a line `plan`; false: it is none */
PlanLines parse_plan_lines(Parser *r); /* those in front of the statement that begins here, taken */
void parse_plan_end(Parser *r);   /* a block ends: no lines without a statement */
void parse_plan_launch(Parser *r, Stmt *s); /* launch s begins */
void parse_plan_attach(Parser *r, const PlanLines *k, Stmt *s);

/* parse_expr.c */
Ex parse_expr(Parser *r);
Ex parse_int(Parser *r);          /* an integer expression */
/* "[" [expr {"," expr}] "]", at most max; returns how many. */
int parse_list(Parser *r, Ex *e, int max);
/* The indices of an element of buf, if there are any; but for thread programs a negative
 * constant counts from the end. */
int parse_element(Parser *r, uint32_t buf, Ex *idx);
enum Dtype parse_dtype(Parser *r);

#endif
