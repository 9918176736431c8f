/* core/emit/text.c: lines, names, comments. */
#include <string.h>

#include "emit_p.h"

/* Lines ------------------------------------------------------------------ */

static void checked(Emit *e)
{
    Ctx *c = &e->p->ctx;
    if (e->body->bad)
        diag_fail(c, E_memory, e->here, afmt(c, "%zu", e->body->n), afmt(c, "%zu", c->limit), NULL);
}

void emit_line(Emit *e, const char *fmt, ...)
{
    va_list ap;
    origin_add(e->p, e->body->n, e->at);
    str_fmt(e->body, "%*s", 4 * e->indent, "");
    va_start(ap, fmt);
    str_vfmt(e->body, fmt, ap);
    va_end(ap);
    str_puts(e->body, "\n");
    checked(e);
}

void emit_open(Emit *e) { e->indent++; }

void emit_close(Emit *e)
{
    e->indent--;
    emit_line(e, "}");
}

void emit_where(Emit *e, Loc l)
{
    e->at = l.line ? l : e->at;
    if (l.line == 0 || (l.line == e->here.line && l.file == e->here.file))
        return;
    e->here = l;
    emit_line(e, "// line %u", (unsigned)l.line);
}

const char *emit_done(Emit *e, Str *s)
{
    Ctx *c = &e->p->ctx;
    bool bad = s->bad;
    size_t n = s->n;
    const char *text = bad ? NULL : astr(c, n ? s->s : "", n);
    str_free(s);
    if (bad)
        diag_fail(c, E_memory, e->here, afmt(c, "%zu", n), afmt(c, "%zu", c->limit), NULL);
    return text;
}

/* Names ------------------------------------------------------------------ */

/* A helper may be asked for later in the text, so none is hidden by a name. */
const char *emit_fresh(Emit *e, const char *want)
{
    Ctx *c = &e->p->ctx;
    const char *s = name_fresh(c, &priv(e)->names, want);
    while (emit_helper_named(e, s))
        s = name_fresh(c, &priv(e)->names, afmt(c, "%s_", s));
    return s;
}

/* Names of Bufs and Vars stand in the same stack as the texts, so that a mark
 * covers both. */
static void emit_text_remember(Emit *e, uint32_t id)
{
    EmitPriv *q = priv(e);
    agrow(&e->p->ctx, &q->named, &q->capnamed, q->nnamed + 1, sizeof *q->named);
    q->named[q->nnamed++] = id;
}

const char *emit_name_buf(Emit *e, uint32_t buf)
{
    emit_text_remember(e, buf);
    emit_text_remember(e, priv(e)->names.n);
    return e->bufname[buf] = emit_fresh(e, e->p->buf[buf].name);
}

const char *emit_name_var(Emit *e, uint32_t var)
{
    emit_text_remember(e, var | 0x80000000u);
    emit_text_remember(e, priv(e)->names.n);
    return e->varname[var] = emit_fresh(e, e->p->var[var].name);
}

uint32_t emit_mark(Emit *e) { return priv(e)->names.n; }

void emit_forget(Emit *e, uint32_t mark)
{
    EmitPriv *q = priv(e);
    while (q->nnamed && q->named[q->nnamed - 1] >= mark) {
        uint32_t id = q->named[q->nnamed - 2];
        if (id & 0x80000000u)
            e->varname[id & 0x7fffffffu] = NULL;
        else
            e->bufname[id] = NULL;
        q->nnamed -= 2;
    }
    name_forget(&q->names, mark);
}

const char *emit_bufname(Emit *e, uint32_t buf)
{
    uint32_t b = e->bufname[buf] ? buf : buf_root(e->p, buf);
    if (!e->bufname[b])
        diag_fail(&e->p->ctx, E_bug, e->here,
                  afmt(&e->p->ctx, "`%s` has no name in the text", e->p->buf[buf].name), NULL);
    return e->bufname[b];
}

const char *emit_varname(Emit *e, uint32_t var)
{
    if (!e->varname[var])
        diag_fail(&e->p->ctx, E_bug, e->here,
                  afmt(&e->p->ctx, "`%s` has no name in the text", e->p->var[var].name), NULL);
    return e->varname[var];
}
