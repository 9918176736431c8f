/* lua/reader/dialect.c: the reader's entry.  See dialect_p.h for its parts. */
#include <string.h>

#include "dialect_p.h"

typedef struct ReadJob {
    Reader r;
    size_t n;
    const char *chunk;
    Str *out;
} ReadJob;

enum { MostReadings = 6 };

/* Reads the text, again as long as locals turn out to vary that were taken for plain. */
static void read_all(Reader *p)
{
    Reader start = *p;
    for (int k = 1;; k++) {
        uint32_t nvaries = p->nvaries;
        rd_chunk(p);
        if (p->nvaries == nvaries)
            return;
        start.varies = p->varies;
        start.nvaries = p->nvaries;
        start.capvaries = p->capvaries;
        start.nolocals = k + 1 == MostReadings;
        p->info->nstaged = 0;
        *p = start;
    }
}

static void reader_translate(Ctx *c, void *ud)
{
    ReadJob *j = ud;
    Reader *p = &j->r;
    p->file = ctx_file(c, j->chunk);
    if (j->n > INT32_MAX)
        diag_fail(c, E_memory, (Loc){0}, afmt(c, "%zu", j->n), afmt(c, "%d", INT32_MAX), NULL);
    p->n = (uint32_t)j->n;
    rd_lex(p);
    rd_fill_later(p);
    read_all(p);
    p->info->changed = p->nedit > 0;
    rd_edit_write(p, j->out);
    if (j->out->bad)
        diag_fail(c, E_memory, (Loc){0}, afmt(c, "%zu", j->n), "?", NULL);
}

bool dialect_translate(Ctx *c, const char *src, size_t n, const char *chunk, Str *out,
                       DialectInfo *info)
{
    DialectInfo none = {0};
    ReadJob j = {.n = n, .chunk = chunk, .out = out};
    j.r.c = c;
    j.r.src = src;
    j.r.info = info ? info : &none;
    *j.r.info = (DialectInfo){.all_staged = j.r.info->all_staged,
                                .known = j.r.info->known, .before = j.r.info->before};
    return ctx_try(c, reader_translate, &j);
}
