/* core/check/names.c: names that are longer than every target takes.
 *
 * The simulator reads a program as text, compilers and assemblers have limits of their own that
 * few of them tell; so one limit holds for all targets, where the name is written.  Passes make
 * longer ones of them, for which the reader of IR text leaves room (TextName). */
#include <string.h>

#include "check.h"
#include "err/check.h"

enum { NameBytes = 1000, NameShown = 20 };

static void hold_name(Ctx *c, const char *name, Loc loc)
{
    size_t n = strlen(name), shown = NameShown;
    if (n <= NameBytes)
        return;
    while (shown && ((unsigned char)name[shown] & 0xc0) == 0x80)
        shown--; /* within a letter of several bytes */
    diag(c, E_name_long, loc, afmt(c, "%.*s..", (int)shown, name), afmt(c, "%zu", n),
         afmt(c, "%d", (int)NameBytes), NULL);
}

void check_names(Prog *p)
{
    Ctx *c = &p->ctx;
    hold_name(c, p->name, p->body ? p->body->loc : p->here);
    for (uint32_t i = 1; i < p->nbuf && c->nerror < CheckErrors; i++)
        if (!p->buf[i].base)
            hold_name(c, p->buf[i].name, p->buf[i].loc);
    for (uint32_t i = 1; i < p->nvar && c->nerror < CheckErrors; i++)
        hold_name(c, p->var[i].name, p->var[i].loc);
}
