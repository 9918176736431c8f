/* lua/pyreader/convert.c: the entry of the converter; lines, comments, ends of blocks, what is not converted.
 *
 * The text keeps Python's lines.  An `end` takes a blank line behind its block; where there is none it stands at
 * the end of the last statement, so that the lines stay side by side. */
#include <ctype.h>
#include <string.h>

#include "convert.h"
#include "python.h"

/* Text -------------------------------------------------------------------- */

/* The column of the first byte of a line that is not white; -1: it is blank. */
static int line_col(const Cv *p, uint32_t line)
{
    if (line < 1 || line > p->nline)
        return -1;
    uint32_t i = p->at[line];
    int col = 0;
    for (; i < p->t->n && (p->t->src[i] == ' ' || p->t->src[i] == '\t' || p->t->src[i] == '\f'); i++)
        col += p->t->src[i] == '\t' ? 8 - col % 8 : 1;
    if (i >= p->t->n || p->t->src[i] == '\n' || p->t->src[i] == '\r')
        return -1;
    return col;
}

static bool line_is_comment(const Cv *p, uint32_t line)
{
    uint32_t i = p->at[line];
    while (i < p->t->n && isblank((unsigned char)p->t->src[i]))
        i++;
    return i < p->t->n && p->t->src[i] == '#';
}

/* The indentation of a line on which a statement goes on. */
static uint32_t continued(const Cv *p)
{
    int col = line_col(p, p->line);
    if (col <= (int)p->col)
        return p->indent;
    uint32_t more = (uint32_t)col - p->col;
    return p->indent + (more % 4 == 0 ? more / 2 : more > 40 ? 40 : more);
}

static void indent(Cv *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        str_add(p->out, " ", 1);
    p->fresh = false;
}

void cv(Cv *p, const char *fmt, ...)
{
    va_list ap;
    if (p->fresh && *fmt != '\0')
        indent(p, p->stmt && p->line > p->stmt->line ? continued(p) : p->indent);
    va_start(ap, fmt);
    str_vfmt(p->out, fmt, ap);
    va_end(ap);
}

static void new_line(Cv *p)
{
    while (p->out->n && p->out->s[p->out->n - 1] == ' ')
        p->out->s[--p->out->n] = '\0';
    str_add(p->out, "\n", 1);
    p->line++;
    p->fresh = true;
    p->commented = false;
}

static void to_line(Cv *p, uint32_t line)
{
    while (p->line < line)
        new_line(p);
    if (p->commented)
        new_line(p);
}

/* Where a comment of that column belongs. */
static uint32_t comment_indent(const Cv *p, const PyComment *k)
{
    int col = line_col(p, k->line);
    for (const CvOpen *o = p->open; o; o = o->up)
        if (!o->up || col >= (int)o->col)
            return o->indent;
    return 0;
}

static void comment(Cv *p, const PyComment *k)
{
    const char *s = p->t->src + k->at;
    size_t n = k->end - k->at;
    if (k->alone || p->fresh) {
        to_line(p, k->line);
        if (!p->fresh)
            new_line(p);
        indent(p, k->alone ? comment_indent(p, k) : p->indent);
    } else {
        if (p->commented)
            new_line(p), indent(p, p->indent);
        else
            str_puts(p->out, "  ");
    }
    if (k->at == 0 && n > 1 && s[1] == '!') { /* who runs the file */
        str_puts(p->out, "#!/usr/bin/env moontile");
        p->commented = true;
        return;
    }
    for (; n && *s == '#'; s++, n--)
        ;
    while (n && (s[n - 1] == '\r' || s[n - 1] == ' '))
        n--;
    str_puts(p->out, n && *s == '[' ? "-- " : "--");
    if (n && *s != ' ' && *s != '-' && *s != '[')
        str_puts(p->out, " ");
    str_add(p->out, s, n);
    p->commented = true;
}

void cv_move(Cv *p, uint32_t line)
{
    while (p->ncomment < p->t->ncomment && p->t->comment[p->ncomment].line < line)
        comment(p, &p->t->comment[p->ncomment++]);
    to_line(p, line);
}

/* Statements -------------------------------------------------------------- */

static uint32_t column(const Cv *p, const PyNode *n)
{
    int col = line_col(p, n->line);
    return col < 0 ? 0 : (uint32_t)col;
}

void cv_begin(Cv *p, const PyNode *n, uint32_t line)
{
    bool same = line == p->done && line == p->line; /* a; b */
    p->stmt = NULL;
    p->indent = p->open ? p->open->indent : 0;
    cv_move(p, line);
    if (!p->fresh && !same)
        new_line(p);
    else if (!p->fresh)
        cv(p, p->first ? " " : "; ");
    p->stmt = n;
    p->col = column(p, n);
}

void cv_open(Cv *p, CvOpen *o, const PyNode *n, const PyNode *body)
{
    *o = (CvOpen){.up = p->open, .node = n, .indent = p->open ? p->open->indent + 2 : 0,
                  .col = body->line > n->line ? column(p, body) : column(p, n) + 4};
    p->open = o;
}

/* The first line behind the block where its `end` can stand: blank, or behind the text; 0: none. */
static uint32_t room(const Cv *p, const CvOpen *o, uint32_t from)
{
    int header = (int)column(p, o->node);
    for (uint32_t k = from; k <= p->nline; k++) {
        int col = line_col(p, k);
        if (col < 0)
            return k;
        if (!line_is_comment(p, k) || col <= header)
            return 0;
    }
    return from > p->nline ? from : p->nline + 1;
}

/* How many blocks around end at the same line? */
static uint32_t ends_too(const CvOpen *o)
{
    uint32_t n = 0;
    for (const CvOpen *k = o->up; k && k->node && k->node->kind != PYModule && k->node->last == o->node->last; k = k->up)
        n++;
    return n;
}

void cv_close(Cv *p, const char *text)
{
    CvOpen *o = p->open;
    uint32_t last = o->node->last, around = ends_too(o), rooms = 0;
    uint32_t at = room(p, o, (p->line > last && p->done >= last ? p->line : last) + 1);
    for (uint32_t k = at; k && k <= p->nline + 1 && rooms <= around; k++) {
        if (line_col(p, k) >= 0)
            break;
        rooms++;
    }
    if (at > p->nline)
        rooms = around + 1;
    p->stmt = NULL;
    if (at && rooms > around) {
        cv_move(p, at);
        p->open = o->up;
        p->indent = p->open ? p->open->indent : 0;
        if (!p->fresh)
            new_line(p);
        cv(p, "%s", text);
    } else {
        if (p->commented)
            new_line(p);
        p->open = o->up;
        p->indent = o->indent - 2;
        cv(p, p->fresh ? "%s" : " %s", text);
    }
    p->indent = p->open ? p->open->indent : 0;
}

/* What is not converted ---------------------------------------------------- */

void cv_cannot(Cv *p, Err e, const PyNode *n, const char *a, const char *b)
{
    if (!p->why.err)
        p->why = (CvWhy){e, n->at, a, b};
}

const char *cv_source(Cv *p, const PyNode *n)
{
    char *s = astr(p->c, p->t->src + n->at, n->end - n->at), *q = s;
    for (const char *k = s; *k; k++) {
        if (!isspace((unsigned char)*k))
            *q++ = *k;
        else if (q > s && q[-1] != ' ')
            *q++ = ' ';
    }
    *q = '\0';
    if (q - s > 60) {
        size_t cut = 57;
        while (cut && ((unsigned char)s[cut] & 0xc0) == 0x80)
            cut--;
        memcpy(s + cut, "...", 4);
    }
    return s;
}

CvMark cv_mark(const Cv *p) { return (CvMark){p->out->n, p->line, p->ncomment, p->fresh, p->commented}; }

void cv_back(Cv *p, CvMark m)
{
    p->out->n = m.n;
    if (p->out->s)
        p->out->s[m.n] = '\0';
    p->line = m.line;
    p->ncomment = m.ncomment;
    p->fresh = m.fresh;
    p->commented = m.commented;
}

/* A line of the user's, cut to what stands in it. */
static void quote_line(Cv *p, uint32_t line, uint32_t from, uint32_t end)
{
    uint32_t i = p->at[line] > from ? p->at[line] : from;
    uint32_t to = line < p->nline ? p->at[line + 1] : p->t->n;
    if (to > end && line != p->nline)
        to = to < end ? to : end > i ? end : to;
    while (to > i && isspace((unsigned char)p->t->src[to - 1]))
        to--;
    str_add(p->out, p->t->src + i, to - i);
}

void cv_left(Cv *p, const PyNode *n)
{
    CvWhy w = p->why;
    Diag *d = diag(p->c, w.err, py_loc(p->t, w.at), w.a, w.b, NULL);
    Str said = {0};
    uint32_t first = cv_def_line(n), from = n->at;
    for (const PyNode *k = n->kind == PYFunctionDef || n->kind == PYClassDef ? n->c : NULL; k; k = k->next)
        if (k->at < from)
            from = k->at - 1;
    diag_text(&said, d, err_info(w.err)->title[LANGen], LANGen);
    p->why = (CvWhy){0};
    p->nleft++;
    p->stmt = NULL;
    const char *words = said.s && strncmp(said.s, "not converted: ", 15) == 0 ? said.s + 15 : said.s ? said.s : "";
    for (uint32_t line = first; line <= n->last; line++) {
        while (p->ncomment < p->t->ncomment && p->t->comment[p->ncomment].line <= line)
            p->ncomment++;
        to_line(p, line);
        if (!p->fresh && line > first)
            new_line(p);
        if (line > first && line_col(p, line) < 0)
            continue;
        if (p->fresh)
            indent(p, p->indent);
        str_puts(p->out, line == first ? "-- not converted: " : "-- ");
        quote_line(p, line, line == first ? from : 0, n->end);
        if (line == first)
            str_fmt(p->out, "  -- %s", words);
        p->commented = true;
    }
    str_free(&said);
    p->done = n->last;
    cv_lose(p, n);
}

/* The entry ---------------------------------------------------------------- */

static void find_lines(Cv *p)
{
    const PyTree *t = p->t;
    uint32_t n = 1;
    for (uint32_t i = 0; i < t->n; i++)
        n += t->src[i] == '\n' || (t->src[i] == '\r' && (i + 1 == t->n || t->src[i + 1] != '\n'));
    p->at = anew(p->c, (n + 2) * sizeof *p->at);
    p->nline = n;
    n = 1;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->src[i] == '\n' || (t->src[i] == '\r' && (i + 1 == t->n || t->src[i + 1] != '\n')))
            p->at[++n] = i + 1;
}

typedef struct CvJob {
    Str *out;
    PyTree *tree;
    uint32_t nleft;
} CvJob;

static void convert(Ctx *c, void *ud)
{
    CvJob *j = ud;
    py_scopes(c, j->tree);
    Cv p = {.c = c, .t = j->tree, .out = j->out, .line = 1, .fresh = true, .scope = py_scope(j->tree->module)};
    CvOpen module;
    find_lines(&p);
    p.vartail = &p.var;
    cv_locals(&p);
    module = (CvOpen){.node = j->tree->module};
    p.open = &module;
    cv_block(&p, j->tree->module->a);
    p.stmt = NULL;
    cv_move(&p, p.nline + 1 > p.line ? p.nline : p.line);
    if (!p.fresh)
        new_line(&p);
    if (j->out->bad)
        diag_fail(c, E_memory, (Loc){0}, afmt(c, "%u", j->tree->n), "?", NULL);
    j->nleft = p.nleft;
}

bool python_convert(Ctx *c, const char *src, size_t n, const char *chunk, Str *out, uint32_t *nleft)
{
    PyInfo info = {0};
    CvJob j = {.out = out};
    j.tree = py_parse(c, src, n, chunk, &info);
    bool ok = j.tree && ctx_try(c, convert, &j);
    *nleft = j.nleft;
    return ok;
}
