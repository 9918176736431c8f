/* lua/reader/dialect_plain.c: code that is not staged, where Lua alone decides.
 *
 *     if v == 3 then return w or 1 end
 *     if __stage.known(v, 4) == 3 then return __stage.known(w, 22, true) or 1 end
 *
 * lua/state/known.c says why.  What can only be an ordinary value stays as it is: literals, results
 * of comparisons and of `not`, whatever is compared with nil or a text; and locals that are never
 * given anything else: indices of loops, counts.  A text is read under the assumption that locals
 * that begin plain stay so; where one does not, all of it is read again (dialect.c). */
#include "dialect_p.h"

bool rd_neversym(const Exp *e) { return e->kind == Xnil || e->kind == Xstring; }

/* Column of a token, counted in bytes; 0: too far from the start of its line. */
static uint32_t plain_column(const Reader *p, uint32_t tok)
{
    uint32_t at = p->tok[tok].at, col = 1;
    while (col < UINT16_MAX && at > p->info->before && p->src[at - 1] != '\n' && p->src[at - 1] != '\r')
        at--, col++;
    return col < UINT16_MAX ? col : 0;
}

/* The call is one more level for Lua, which has not many: what is nested that deep is left
 * alone, lest text that Lua takes be refused. */
static void write_known(Reader *p, Exp *e, const char *more)
{
    if (!p->info->known || p->fn->staged || e->plain || e->levels >= MaxDeep)
        return;
    rd_edit_before(p, e->first, "__stage.known(");
    rd_edit_after(p, e->last, afmt(p->c, ", %u%s)", plain_column(p, e->first), more));
    p->nknown++;
    if (p->deepest < ++e->levels)
        p->deepest = e->levels;
}

void rd_known(Reader *p, Exp *e) { write_known(p, e, ""); }

void rd_known_left(Reader *p, Exp *e) { write_known(p, e, ", true"); }

void rd_known_sides(Reader *p, Exp *a, Exp *b)
{
    if (rd_neversym(a) || rd_neversym(b))
        return;
    rd_known(p, a);
    rd_known(p, b);
}

static bool plain_varies(const Reader *p, uint32_t tok)
{
    for (uint32_t i = 0; i < p->nvaries; i++)
        if (p->varies[i] == tok)
            return true;
    return false;
}

void rd_plain_local(Reader *p, bool plain)
{
    DialectLocal *l = &p->local[p->nlocal - 1];
    l->plain = plain && p->info->known && !p->nolocals && !p->fn->staged && !plain_varies(p, l->tok);
}

void rd_plain_set(Reader *p, uint32_t tok, bool plain)
{
    DialectLocal *l = plain ? NULL : rd_local_find(p, tok);
    if (!l || !l->plain)
        return;
    l->plain = false;
    if (p->nvaries == p->capvaries)
        agrow(p->c, &p->varies, &p->capvaries, p->capvaries ? p->capvaries * 2 : 16,
              sizeof *p->varies);
    p->varies[p->nvaries++] = l->tok;
}
