/* targets/cuda/chips.c: which machine's instructions a chip runs, by the words of -arch and
 * by what the device says of itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"
#include "machines.h"
#include "err/cuda.h"

enum { Least = 75 }; /* compute capability */

/* The machine whose instructions a chip runs, from this capability on.  Only sm_90
 * has wgmma; later chips multiply by mma.sync.  suffix: what NVRTC must be told for
 * instructions of that chip alone. */
static const struct { int from; const Machine *m; const char *suffix; } chips[] = {
    {120, &machine_sm120, ""}, {100, &machine_sm100, ""}, {90, &machine_sm90a, "a"},
    {89, &machine_sm89, ""}, {88, &machine_sm86, ""}, {87, &machine_sm80, ""},
    {86, &machine_sm86, ""}, {80, &machine_sm80, ""}, {75, &machine_sm75, ""},
};

/* The same, and the -arch for NVRTC; NULL: too old. */
static const Machine *machine_of(int cc, char arch[24])
{
    for (size_t i = 0; i < COUNT(chips); i++)
        if (cc >= chips[i].from) {
            bool exact = cc == chips[i].from;
            snprintf(arch, 24, "sm_%d%s", cc, exact ? chips[i].suffix : "");
            return chips[i].m;
        }
    return NULL;
}

/* "sm_90a" "sm_86": the letter behind is told to NVRTC as it stands; "sm_90" too has the
 * instructions of sm_90a. */
bool cuda_take_arch(const OptionWord *w, void *options, Str *known)
{
    GpuOptions *o = options;
    size_t n = w->nvalue;
    bool letter = n > 3 && (w->value[n - 1] == 'a' || w->value[n - 1] == 'f');
    bool named = n > 3 && n < 16 && memcmp(w->value, "sm_", 3) == 0;
    OptionWord digits = {w->s, w->n, w->value + 3, named ? n - 3 - letter : 0};
    uint64_t cc;
    char own[24];
    (void)known;
    const Machine *m = named && digits.nvalue <= 9 && option_number(&digits, Least, INT32_MAX, &cc)
                           ? machine_of((int)cc, own) : NULL;
    if (!m)
        return false;
    o->m = m;
    o->arch_given = true;
    snprintf(o->arch, sizeof o->arch, "%.*s", letter ? (int)n : (int)strlen(own),
             letter ? w->value : own);
    return true;
}

int cuda_arch_number(const char *arch) { return atoi(arch + strcspn(arch, "0123456789")); }

/* The chip's own -arch, whatever machine the programs are lowered for; an
 * instruction set that the chip lacks is refused. */
DevError cuda_fit(Gpu *d)
{
    const GpuFacts *f = &d->is;
    char version[24], arch[24] = "";
    snprintf(version, sizeof version, "%d.%d", f->major, f->minor);
    bool given = d->opt.arch_given;
    int want = given ? cuda_arch_number(d->opt.arch) : 0, has = f->major < 1000 && f->minor < 10 ? f->major * 10 + f->minor : 0;
    const char *digits = d->opt.arch + strcspn(d->opt.arch, "0123456789");
    bool exact = given && digits[strspn(digits, "0123456789")] != '\0'; /* "sm_90a" */
    const Machine *m = machine_of(has, arch);
    if (!m)
        return dev_error(E_cuda_old_chip, f->name, version);
    if (want > has || (exact && want != has))
        return dev_error(E_cuda_wrong_arch, d->opt.arch, f->name, version);
    if (!given)
        d->opt.m = m;
    memcpy(d->opt.arch, arch, sizeof d->opt.arch);
    return DEV_NO_ERROR;
}
