/* targets/gpu/options.c: the words behind "hip" and "maca", and what a Target of these
 * two is made of. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vendor.h"
#include "err/target.h"

static const char Known[] = "-arch=NAME, -device=N, -fast-math, -build, -sms=N, -card=NAME, "
                            "-async=on|off, -packed=on|off, -mma=on|off, -no-mma=NAME,.., "
                            "-rtc=on|off";

/* Words -------------------------------------------------------------------- */

typedef struct Word Word;
struct Word { const char *s; size_t n; const char *value; }; /* value: behind "=", or NULL */

typedef struct Reader Reader;
struct Reader { Ctx *c; const GpuVendor *v; GpuOptions *o; const char *text; };

static bool is(const Word *w, const char *name)
{
    size_t n = w->value ? (size_t)(w->value - w->s) - 1 : w->n;
    return n == strlen(name) && memcmp(w->s, name, n) == 0;
}

static bool value_is(const Word *w, const char *text)
{
    size_t n = (size_t)(w->s + w->n - w->value);
    return n == strlen(text) && memcmp(w->value, text, n) == 0;
}

static NORETURN void wrong(const Reader *r, const Word *w, const char *known)
{
    diag_fail(r->c, known == Known ? E_target_option : E_target_value, (Loc){0, 0, 0},
              r->v->target, astr(r->c, w->s, w->n), known, NULL);
}

/* The value as a number of at most 9 digits. */
static int number(const Reader *r, const Word *w, int least)
{
    const char *end = w->s + w->n;
    int v = 0;
    for (const char *s = w->value; s < end; s++) {
        if (*s < '0' || *s > '9' || end - w->value > 9)
            wrong(r, w, least ? "1 .." : "0 ..");
        v = v * 10 + (*s - '0');
    }
    if (w->value == end || v < least)
        wrong(r, w, least ? "1 .." : "0 ..");
    return v;
}

static bool on_off(const Reader *r, const Word *w)
{
    if (!value_is(w, "on") && !value_is(w, "off"))
        wrong(r, w, "on, off");
    return value_is(w, "on");
}

static void arch(const Reader *r, const Word *w)
{
    const char *names = "";
    for (int i = 0; i < r->v->narch; i++) {
        const GpuArch *a = &r->v->arch[i];
        names = afmt(r->c, "%s%s%s", names, *names ? ", " : "", a->name);
        if (value_is(w, a->name)) {
            r->o->arch = a;
            r->o->arch_given = true;
            return;
        }
    }
    wrong(r, w, names);
}

static void card(const Reader *r, const Word *w)
{
    const char *names = "";
    for (const Card *const *k = cards; *k; k++)
        names = afmt(r->c, "%s%s%s", names, *names ? ", " : "", (*k)->name);
    r->o->card = card_find(astr(r->c, w->value, (size_t)(w->s + w->n - w->value)));
    if (!r->o->card)
        wrong(r, w, names);
}

/* Names of matrix instructions with commas between. */
static void no_mma(const Reader *r, const Word *w)
{
    size_t n = (size_t)(w->s + w->n - w->value), most = sizeof r->o->no_mma;
    for (const char *s = w->value, *end = s + n; s < end;) {
        const char *comma = memchr(s, ',', (size_t)(end - s));
        size_t k = (size_t)((comma ? comma : end) - s);
        if (n >= most || !mma_find(astr(r->c, s, k)))
            wrong(r, w, "mxc.16x16x16.f32.f16, mfma.16x16x16.f32.f16 ..");
        s += k + (comma != NULL);
    }
    snprintf(r->o->no_mma, most, "%.*s", (int)n, w->value);
}

static void plain_word(const Reader *r, const Word *w)
{
    if (is(w, "-fast-math"))
        r->o->fast_math = true;
    else if (is(w, "-build"))
        r->o->build_only = true;
    else
        wrong(r, w, Known);
}

static void word(const Reader *r, const Word *w)
{
    GpuOptions *o = r->o;
    if (!w->value)
        plain_word(r, w);
    else if (is(w, "-arch"))
        arch(r, w);
    else if (is(w, "-device"))
        o->device = number(r, w, 0);
    else if (is(w, "-sms"))
        o->sms = number(r, w, 1);
    else if (is(w, "-card"))
        card(r, w);
    else if (is(w, "-async"))
        o->async = on_off(r, w);
    else if (is(w, "-packed"))
        o->packed = on_off(r, w);
    else if (is(w, "-mma"))
        o->mma_given = o->mma = on_off(r, w);
    else if (is(w, "-no-mma"))
        no_mma(r, w);
    else if (is(w, "-rtc"))
        o->rtc = on_off(r, w);
    else
        wrong(r, w, Known);
}

static void read_words(Ctx *c, void *ud)
{
    Reader *r = ud;
    size_t own = strlen(r->v->target);
    (void)c;
    for (const char *s = r->text ? r->text : ""; *s;) {
        Word w = {s, strcspn(s, " \t"), NULL};
        const char *eq = memchr(s, '=', w.n);
        w.value = eq ? eq + 1 : NULL;
        if (w.n && !(w.n == own && memcmp(s, r->v->target, own) == 0))
            word(r, &w);
        s += w.n;
        s += strspn(s, " \t");
    }
}

bool gpu_options(Ctx *c, const GpuVendor *v, const char *text, GpuOptions *o)
{
    Reader r = {c, v, o, text};
    *o = (GpuOptions){.vendor = v, .arch = &v->arch[0], .mma = true, .rtc = true};
    return ctx_try(c, read_words, &r);
}

/* A target's parts ----------------------------------------------------------- */

static bool listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *s = list; (s = strstr(s, name)); s += n)
        if ((s == list || s[-1] == ',') && (s[n] == ',' || s[n] == '\0'))
            return true;
    return false;
}

/* The machine's instructions but for those that the options leave out. */
static void leave_out(Ctx *c, Machine *m, const char *list)
{
    Mma *kept = anew(c, (size_t)m->nmma * sizeof *kept);
    int n = 0;
    for (int i = 0; i < m->nmma; i++)
        if (!listed(list, m->mma[i].name))
            kept[n++] = m->mma[i];
    m->mma = kept;
    m->nmma = n;
}

/* The machine as the options have it: figures of the card, and what is left out. */
typedef struct Fit Fit;
struct Fit { GpuOptions o; const Machine *m; };

static void fit(Ctx *c, void *ud)
{
    Fit *f = ud;
    const GpuOptions *o = &f->o;
    Machine *m = anew(c, sizeof *m);
    *m = *o->arch->m;
    m->cp_async &= o->async;
    if (!o->mma || o->arch->no_mma)
        m->nmma = 0;
    if (o->no_mma[0] && m->nmma)
        leave_out(c, m, o->no_mma);
    if (o->card)
        m->card = o->card;
    if (o->sms && m->card) {
        Card *k = anew(c, sizeof *k);
        *k = *m->card;
        k->sms = o->sms;
        m->card = k;
    }
    f->m = m;
}

const Machine *gpu_machine(Ctx *c, const GpuVendor *v, const char *options)
{
    Fit f = {.m = NULL};
    return gpu_options(c, v, options, &f.o) && ctx_try(c, fit, &f) ? f.m : NULL;
}

bool gpu_emit(Prog *p, const GpuVendor *v, const char *options, Str *out)
{
    GpuOptions o;
    if (!gpu_options(&p->ctx, v, options, &o))
        return false;
    Plan *q = plan_new(p);
    return q && v->print(q, &o, out);
}

static bool library_there(const GpuVendor *v)
{
    GpuDirs first, then;
    gpu_dirs_find(&first, v->first, (size_t)v->nfirst);
    gpu_dirs_find(&then, v->then, (size_t)v->nthen);
    GpuLibrary lib = {.env = v->lib_env, .names = v->names, .first = gpu_dirs_list(&first),
                      .then = gpu_dirs_list(&then)};
    bool there = gpu_library_there(&lib);
    gpu_dirs_free(&first);
    gpu_dirs_free(&then);
    return there;
}

bool gpu_present(const GpuVendor *v)
{
    for (const char *const *f = v->nodes; *f; f++)
        if (access(*f, F_OK) == 0)
            return !v->common || library_there(v);
    return false;
}
