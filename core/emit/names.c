/* core/emit/names.c: words of CUDA C++ in those of the dialect.
 *
 * The printer and the texts of its helpers are written in CUDA's words.  A dialect with
 * other ones has a table of them; what it has no word for is a helper of its own, which
 * is asked for where the word appears. */
#include <ctype.h>
#include <string.h>

#include "emit_p.h"

static const char *emit_names_look_up(const Emit *e, const char *s, size_t n)
{
    for (size_t i = 0; i < COUNT(e->d->names); i++)
        for (const EmitName *k = e->d->names[i]; k && k->cuda; k++)
            if (strlen(k->cuda) == n && memcmp(k->cuda, s, n) == 0)
                return k->own;
    return NULL;
}

static const char *emit_names_wanted(Emit *e, const char *own)
{
    if (*own != '+')
        return own;
    emit_need(e, astr(&e->p->ctx, own + 1, strcspn(own + 1, "(")));
    return own + 1;
}

const char *emit_fn(Emit *e, const char *cuda)
{
    const char *own = emit_names_look_up(e, cuda, strlen(cuda));
    return own ? emit_names_wanted(e, own) : cuda;
}

/* The length of the word at s; members belong to it: threadIdx.x. */
static size_t word_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '.')
        n++;
    return n;
}

const char *emit_translated(Emit *e, const char *text)
{
    Str out = {0};
    for (const char *k = text; *k;) {
        const char *end = strncmp(k, "/*", 2) == 0 ? strstr(k, "*/") : NULL;
        size_t n = end ? (size_t)(end - k) + 2 : word_length(k);
        const char *own = n && !end ? emit_names_look_up(e, k, n) : NULL;
        if (*k == '%' && k[1] == ' ' && (k == text || k[-1] == '\n'))
            str_puts(&out, e->d->device_fn);
        else if (own)
            str_puts(&out, emit_names_wanted(e, own));
        else
            str_add(&out, k, n ? n : 1);
        k += n ? n : 1;
    }
    return emit_done(e, &out);
}

/* Requests each of the names in a list with spaces between. */
static void emit_names_need_all(Emit *e, const char *names)
{
    while (*names) {
        size_t n = strcspn(names, " ");
        emit_need(e, astr(&e->p->ctx, names, n));
        names += n + (names[n] == ' ');
    }
}

const char *emit_find(Emit *e, const EmitText *table, const char *name)
{
    for (const EmitText *t = table; t->name; t++)
        if (strcmp(t->name, name) == 0) {
            emit_names_need_all(e, t->needs);
            return emit_translated(e, t->text);
        }
    return NULL;
}
