/* lua/pyreader/convert_text.c: strings, numbers, f-strings. */
#include <ctype.h>
#include <string.h>

#include "convert.h"

bool cv_is_name(const char *s, size_t n)
{
    static const char *const words[] = {
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
        "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    };
    if (!n || isdigit((unsigned char)*s))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '_')
            return false;
    for (size_t i = 0; i < COUNT(words); i++)
        if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
            return false;
    return true;
}

/* Strings ----------------------------------------------------------------- */

/* A literal that means the same in Lua: one pair of quotes, escapes that both know. */
static bool same_in_lua(const char *s, size_t n)
{
    char q = *s;
    if (n < 2 || (q != '"' && q != '\'') || s[n - 1] != q || (n >= 6 && s[1] == q && s[2] == q))
        return false;
    for (size_t i = 1; i < n - 1; i++) {
        if (s[i] == q || s[i] == '\n' || s[i] == '\r')
            return false;
        if (s[i] == '\\' && !strchr("ntr\\\"'abfvx", s[++i]))
            return false;
    }
    return s[n - 2] != '\\' || same_in_lua("\"\"", 2);
}

void cv_bytes(Cv *p, const char *s, size_t n, char quote, bool format)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char ch = (unsigned char)s[i];
        if (ch == (unsigned char)quote || ch == '\\')
            cv(p, "\\%c", ch);
        else if (ch == '\n')
            cv(p, "\\n");
        else if (ch == '\t')
            cv(p, "\\t");
        else if (ch < 32 || ch == 127)
            cv(p, "\\%03u", ch);
        else if (ch == '%' && format)
            cv(p, "%%%%");
        else
            str_add(p->out, s + i, 1);
    }
}

static char quote_of(const Cv *p, const PyNode *n)
{
    for (uint32_t i = n->at; i < n->end; i++)
        if (p->t->src[i] == '\'' || p->t->src[i] == '"')
            return p->t->src[i];
    return '"';
}

void cv_string(Cv *p, const PyNode *n)
{
    char q = quote_of(p, n);
    if (same_in_lua(p->t->src + n->at, n->end - n->at)) {
        cv(p, "%s", astr(p->c, p->t->src + n->at, n->end - n->at));
        return;
    }
    cv(p, "%c", q);
    for (uint32_t i = 0, from = 0; i <= n->ntext; i++) {
        bool line_end = i < n->ntext && n->text[i] == '\n' && n->last > p->line;
        if (!line_end && i < n->ntext)
            continue;
        cv_bytes(p, n->text + from, i - from, q, false);
        from = i + 1;
        if (line_end) { /* the literal has the same lines */
            str_puts(p->out, "\\\n");
            p->line++;
        }
    }
    cv(p, "%c", q);
}

/* f-strings --------------------------------------------------------------- */

typedef struct Spec { char text[40]; bool percent, wrong; } Spec;

/* ">10.2f" as string.format has it. */
static Spec spec_of(const PyNode *spec)
{
    Spec r = {.text = "%s"};
    const char *s;
    size_t n = 1;
    if (!spec || !spec->a)
        return r;
    if (spec->a->next || spec->a->kind != PYConstant || strlen(spec->a->text) > 20) {
        r.wrong = true;
        return r;
    }
    s = spec->a->text;
    bool left = *s == '<', right = *s == '>';
    s += left || right;
    bool plus = *s == '+', zero;
    s += plus;
    zero = *s == '0';
    s += zero;
    if (left)
        r.text[n++] = '-';
    if (plus)
        r.text[n++] = '+';
    if (zero && !left)
        r.text[n++] = '0';
    bool width = isdigit((unsigned char)*s);
    while (isdigit((unsigned char)*s))
        r.text[n++] = *s++;
    bool digits = *s == '.';
    if (digits)
        do
            r.text[n++] = *s++;
        while (isdigit((unsigned char)*s));
    char type = *s ? *s++ : '\0';
    r.percent = type == '%';
    if (*s || (type && !strchr("dfFeEgGxXos%", type)) || (!type && (digits || plus || zero || (width && !left && !right))))
        r.wrong = true;
    r.text[n++] = r.percent ? 'f' : !type ? 's' : type == 'F' ? 'f' : type;
    if (r.percent)
        r.text[n++] = '%', r.text[n++] = '%';
    r.text[n] = '\0';
    return r;
}

bool cv_format(Cv *p, const PyNode *spec, const PyNode *n)
{
    Spec s = spec_of(spec);
    if (s.wrong)
        cv_cannot(p, E_py_convert_form, n, "this format", NULL);
    cv(p, "%s", s.text);
    return s.percent;
}

static void format_text(Cv *p, const PyNode *n, char q)
{
    for (const PyNode *k = n->a; k; k = k->next) {
        if (k->kind != PYFormattedValue) {
            cv_bytes(p, k->text, k->ntext, q, true);
            continue;
        }
        if (k->op && k->op != 's')
            cv_cannot(p, E_py_convert_form, n, "this format", NULL);
        cv_format(p, k->b, n);
    }
}

enum CvPrec cv_fstring(Cv *p, const PyNode *n)
{
    char q = quote_of(p, n);
    const char *sep = "";
    bool values = false;
    for (const PyNode *k = n->a; k; k = k->next)
        values |= k->kind == PYFormattedValue;
    if (!values) {
        cv(p, "%c", q);
        for (const PyNode *k = n->a; k; k = k->next)
            cv_bytes(p, k->text, k->ntext, q, false);
        cv(p, "%c", q);
        return CVvalue;
    }
    cv(p, "(%c", q);
    format_text(p, n, q);
    cv(p, "%c):format(", q);
    for (const PyNode *k = n->a; k; k = k->next) {
        if (k->kind != PYFormattedValue)
            continue;
        cv(p, "%s", sep);
        sep = ", ";
        if (cv_kind(p, k->a) == CKlist || cv_kind(p, k->a) == CKdict)
            cv_cannot(p, E_py_convert_form, k->a, "a list as text", NULL);
        cv_expr(p, k->a, spec_of(k->b).percent ? CVmul : CVor);
        if (spec_of(k->b).percent)
            cv(p, " * 100");
    }
    cv(p, ")");
    return CVatom;
}

/* Numbers ----------------------------------------------------------------- */

enum CvPrec cv_number(Cv *p, const PyNode *n)
{
    const char *s = p->t->src + n->at;
    size_t len = n->end - n->at;
    bool other = len > 1 && s[0] == '0' && strchr("oObB", s[1]);
    if (other) {
        cv(p, "%lld", (long long)n->i);
        return CVvalue;
    }
    char *copy = anew(p->c, len + 1);
    size_t k = 0;
    for (size_t i = 0; i < len; i++)
        if (s[i] != '_')
            copy[k++] = s[i];
    cv(p, "%s", copy);
    return CVvalue;
}
