/* core/emit/emit_text.c: lines, names, comments. */
#include <ctype.h>
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

/* Families of helpers: any name that begins so. */
static const char *const families[] = {
    "__", "atomic_", "bar_", "bulk_", "cluster_", "cp_async", "fence_", "floordiv_", "floormod_",
    "truncdiv_", "truncmod_", "ldmatrix", "stmatrix", "mbar_", "mma_", "setmaxnreg", "tma_",
    "warp_reduce_", "wgmma_", "f16_", "f16x2", "bf16_", "bf16x2", "e4m3_", "e4m3x2", "e5m2_",
    "e5m2x2", "tf32_", "to_odd_", "i4_", "u4_", "atomic", "cuda", "mfma_", "wmma_", "mxc_", "fnuz_",
    "async_copy_", "trunc_i", "trunc_u", "float_rz_", "frcp_", "frsqrt_", "fast_rcp", "exp2_ftz",
};

static bool in_family(const char *s)
{
    for (size_t i = 0; i < COUNT(families); i++)
        if (strncmp(families[i], s, strlen(families[i])) == 0)
            return true;
    return false;
}

static bool is_taken(Emit *e, const char *s)
{
    const EmitPriv *q = priv(e);
    for (uint32_t i = 0; i < q->ntaken; i++)
        if (strcmp(q->taken[i], s) == 0)
            return true;
    return false;
}

/* s as an identifier: other characters become _. */
static const char *identifier(Ctx *c, const char *s)
{
    bool digit = !s || !s[0] || isdigit((unsigned char)s[0]);
    char *out = afmt(c, "%s%s", digit ? "v" : "", s ? s : "");
    for (char *k = out; *k; k++)
        if (!isascii((unsigned char)*k) || (!isalnum((unsigned char)*k) && *k != '_'))
            *k = '_';
    return out;
}

const char *emit_fresh(Emit *e, const char *want)
{
    Ctx *c = &e->p->ctx;
    EmitPriv *q = priv(e);
    const char *base = identifier(c, want);
    if (in_family(base)) /* whatever stands behind it: only another head helps */
        base = afmt(c, base[0] == '_' ? "v%s" : "v_%s", base);
    if (plan_reserved(base))
        base = afmt(c, "%s_", base);
    const char *s = base;
    for (int i = 2; is_taken(e, s) || plan_reserved(s); i++)
        s = afmt(c, "%s_%d", base, i);
    agrow(c, &q->taken, &q->captaken, q->ntaken + 1, sizeof *q->taken);
    return q->taken[q->ntaken++] = s;
}

/* Names of Bufs and Vars stand in the same stack as the texts, so that a mark
 * covers both. */
static void remember(Emit *e, uint32_t id)
{
    EmitPriv *q = priv(e);
    agrow(&e->p->ctx, &q->named, &q->capnamed, q->nnamed + 1, sizeof *q->named);
    q->named[q->nnamed++] = id;
}

const char *emit_name_buf(Emit *e, uint32_t buf)
{
    remember(e, buf);
    remember(e, priv(e)->ntaken);
    return e->bufname[buf] = emit_fresh(e, e->p->buf[buf].name);
}

const char *emit_name_var(Emit *e, uint32_t var)
{
    remember(e, var | 0x80000000u);
    remember(e, priv(e)->ntaken);
    return e->varname[var] = emit_fresh(e, e->p->var[var].name);
}

uint32_t emit_mark(Emit *e) { return priv(e)->ntaken; }

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
    q->ntaken = mark;
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
