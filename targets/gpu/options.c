/* targets/gpu/options.c: the words behind the target's name, and what a Target of a vendor
 * is made of. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vendor.h"

/* Words -------------------------------------------------------------------- */

static bool gpu_options_take_arch(const OptionWord *w, void *options, Str *known)
{
    GpuOptions *o = options;
    for (int i = 0; i < o->vendor->narch; i++) {
        const GpuArch *a = &o->vendor->arch[i];
        str_fmt(known, "%s%s", known->n ? ", " : "", a->name);
        if (option_is(w, a->name)) {
            gpu_use_arch(o, a);
            o->arch_given = true;
            return true;
        }
    }
    return false;
}

bool gpu_take_card(const OptionWord *w, void *options, Str *known)
{
    GpuOptions *o = options;
    for (const Card *const *k = cards; *k; k++) {
        if (option_is(w, (*k)->name))
            o->card = *k;
        str_fmt(known, "%s%s", known->n ? ", " : "", (*k)->name);
    }
    return o->card != NULL;
}

static bool take_mma(const OptionWord *w, void *options, Str *known)
{
    GpuOptions *o = options;
    (void)known;
    o->mma_given = o->mma = option_is(w, "on");
    return o->mma || option_is(w, "off");
}

static bool is_mma(const char *s, size_t n)
{
    char name[64];
    return n < sizeof name && snprintf(name, sizeof name, "%.*s", (int)n, s) >= 0 &&
           mma_find(name);
}

/* Names of matrix instructions with commas between. */
static bool take_no_mma(const OptionWord *w, void *options, Str *known)
{
    GpuOptions *o = options;
    (void)known;
    for (const char *s = w->value, *end = s + w->nvalue; s < end;) {
        const char *comma = memchr(s, ',', (size_t)(end - s));
        size_t k = (size_t)((comma ? comma : end) - s);
        if (w->nvalue >= sizeof o->no_mma || !is_mma(s, k))
            return false;
        s += k + (comma != NULL);
    }
    snprintf(o->no_mma, sizeof o->no_mma, "%.*s", (int)w->nvalue, w->value);
    return true;
}

const Option gpu_words[gpu_nwords] = {
    {"-arch", "-arch=NAME", OPTown, 0, 0, 0, NULL, gpu_options_take_arch},
    GPU_COMMON_WORDS, GPU_CARD_WORD,
    {"-async", "-async=on|off", OPTon_off, offsetof(GpuOptions, async), 0, 0, NULL, NULL},
    {"-packed", "-packed=on|off", OPTon_off, offsetof(GpuOptions, packed), 0, 0, NULL, NULL},
    {"-mma", "-mma=on|off", OPTown, 0, 0, 0, "on, off", take_mma},
    {"-no-mma", "-no-mma=NAME,..", OPTown, 0, 0, 0,
     "mxc.16x16x16.f32.f16, mfma.16x16x16.f32.f16 ..", take_no_mma},
    {"-rtc", "-rtc=on|off", OPTon_off, offsetof(GpuOptions, rtc), 0, 0, NULL, NULL},
};

void gpu_use_arch(GpuOptions *o, const GpuArch *a)
{
    o->chip = a;
    o->m = a->m;
    snprintf(o->arch, sizeof o->arch, "%s", a->name);
}

const char *gpu_told(const GpuOptions *o)
{
    return o->chip->compiler ? o->chip->compiler : o->arch;
}

bool gpu_options(Ctx *c, const GpuVendor *v, const char *text, GpuOptions *o)
{
    const Options t = {.target = v->target, .row = v->words, .n = v->nwords};
    *o = (GpuOptions){.vendor = v, .async = v->async, .mma = true, .rtc = true};
    gpu_use_arch(o, &v->arch[0]);
    return options_read(c, &t, text, o);
}

/* A target's parts ----------------------------------------------------------- */

static bool gpu_options_listed(const char *list, const char *name)
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
        if (!gpu_options_listed(list, m->mma[i].name))
            kept[n++] = m->mma[i];
    m->mma = kept;
    m->nmma = n;
}

/* The machine as the options have it: figures of the card, and what is left out. */
typedef struct GpuOptionsFit GpuOptionsFit;
struct GpuOptionsFit { GpuOptions o; const Machine *m; };

static void gpu_options_fit(Ctx *c, void *ud)
{
    GpuOptionsFit *f = ud;
    const GpuOptions *o = &f->o;
    Machine *m = anew(c, sizeof *m);
    *m = *o->m;
    m->cp_async &= o->async;
    m->asked_async &= !o->async;
    if (o->shared && o->shared < m->shared_block)
        m->shared_block = o->shared;
    if (!o->mma || o->chip->no_mma)
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
    GpuOptionsFit f = {.m = NULL};
    return gpu_options(c, v, options, &f.o) && ctx_try(c, gpu_options_fit, &f) ? f.m : NULL;
}

bool gpu_emit(Prog *p, const GpuVendor *v, const char *options, Str *out)
{
    GpuOptions o;
    if (!gpu_options(&p->ctx, v, options, &o))
        return false;
    Plan *q = plan_new(p);
    return q && emit_program(q, v->dialect, o.fast_math, out);
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
