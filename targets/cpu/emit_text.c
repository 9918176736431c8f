/* targets/cpu/emit_text.c: lines of the printed program, and the generator's
 * side tables. */
#include <inttypes.h>
#include <string.h>

#include "core/ir/text.h"
#include "emit.h"
#include "err/build.h"

void put(Gen *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    str_vfmt(g->scalar.out, fmt, ap);
    va_end(ap);
}

void put_if(Gen *g)
{
    g->branches++;
    put(g, "if (");
}

void ivdep_keep(Gen *g, size_t at, uint32_t branches)
{
    static const char instead[] = "/* conditional */"; /* as long: what follows stays in its place */
    _Static_assert(sizeof instead == sizeof IVDEP, "one in the place of the other");
    char *s = g->scalar.out->s && g->branches != branches ? strstr(g->scalar.out->s + at, IVDEP) : NULL;
    if (s)
        memcpy(s, instead, sizeof instead - 1);
}

void begin(Gen *g)
{
    if (g->scalar.out == &g->body)
        origin_add(g->p, g->body.n, g->here);
    for (int i = 0; i < g->indent; i++)
        str_add(g->scalar.out, "    ", 4);
}

void line(Gen *g, const char *fmt, ...)
{
    va_list ap;
    begin(g);
    va_start(ap, fmt);
    str_vfmt(g->scalar.out, fmt, ap);
    va_end(ap);
    str_puts(g->scalar.out, "\n");
}

void open_brace(Gen *g)
{
    put(g, " {\n");
    g->indent++;
}

void close_brace(Gen *g)
{
    g->indent--;
    line(g, "}");
}

void note_line(Gen *g, Loc l)
{
    if (l.line == 0 || l.line == g->line)
        return;
    g->line = l.line;
    line(g, "/* line %" PRIu32 " */", l.line);
}

/* Side tables grow with the program's own: expressions and variables are made
 * while printing. */
void room(Gen *g)
{
    Prog *p = g->p;
    if (g->nvar < p->nvar) {
        uint32_t a = g->nvar, b = g->nvar;
        agrow(g->c, &g->name, &a, p->nvar, sizeof *g->name);
        agrow(g->c, &g->loop, &b, p->nvar, sizeof *g->loop);
        g->nvar = a < b ? a : b;
    }
    scalar_room(&g->scalar);
}

void refuse(Gen *g, Loc l, const char *what)
{
    bool full = what[0] == 'T' && what[1] == '.';
    diag_fail(g->c, E_cpu_threads, l.line ? l : g->here, full ? what : afmt(g->c, "T.%s", what),
              NULL);
}

/* C text of a string constant. */
void put_string(Gen *g, const char *s)
{
    put(g, "\"");
    for (size_t k; *s; s += k) {
        size_t plain = text_plain(s, strnlen(s, 4));
        k = plain ? plain : 1;
        if (*s == '"' || *s == '\\')
            put(g, "\\%c", *s);
        else if (!plain || *s == '?' || *s == '\n' || *s == '\t')
            put(g, "\\%03o", (unsigned)(unsigned char)*s);
        else
            put(g, "%.*s", (int)plain, s);
    }
    put(g, "\"");
}
