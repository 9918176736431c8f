/* targets/cuda/options.c: the words after "cuda", and which machine's instructions a
 * chip runs. */
#include "cuda.h"
#include "err/target.h"

#include <stdio.h>
#include <string.h>

#include "machines.h"

static const char Known[] =
    "-arch=sm_NN, -device=N, -fast-math, -build, -sms=N, -shared=BYTES, -card=NAME";

/* Chips ---------------------------------------------------------------------- */

/* The machine whose instructions a chip runs, from this capability on.  Only sm_90
 * has wgmma; later chips multiply by mma.sync.  suffix: what NVRTC must be told for
 * instructions of that chip alone. */
static const struct { int from; const Machine *m; const char *suffix; } chips[] = {
    {120, &machine_sm120, ""}, {100, &machine_sm100, ""}, {90, &machine_sm90a, "a"},
    {89, &machine_sm89, ""}, {88, &machine_sm86, ""}, {87, &machine_sm80, ""},
    {86, &machine_sm86, ""}, {80, &machine_sm80, ""}, {75, &machine_sm75, ""},
};

const Machine *cuda_machine_of(int major, int minor, char arch[16])
{
    int cc = major * 10 + minor;
    for (size_t i = 0; i < COUNT(chips); i++)
        if (cc >= chips[i].from) {
            bool exact = cc == chips[i].from;
            snprintf(arch, 16, "sm_%d%s", cc, exact ? chips[i].suffix : "");
            return chips[i].m;
        }
    return NULL;
}

static const char *arch_names(Ctx *c)
{
    return afmt(c, "sm_75, sm_80, sm_86, sm_89, sm_90a, sm_100, sm_120 ..");
}

/* Words -------------------------------------------------------------------------- */

typedef struct Word Word;
struct Word { const char *s; size_t n; const char *value; }; /* value: behind "=", or NULL */

static bool is(const Word *w, const char *name)
{
    size_t n = w->value ? (size_t)(w->value - w->s) - 1 : w->n;
    return n == strlen(name) && memcmp(w->s, name, n) == 0;
}

static NORETURN void wrong(Ctx *c, const Word *w, const char *known)
{
    diag_fail(c, known == Known ? E_target_option : E_target_value, (Loc){0, 0, 0}, "cuda",
              astr(c, w->s, w->n), known, NULL);
}

/* The digits at s as a number of at most 9 of them; -1: there are none, or other
 * characters before end. */
static int number(const char *s, const char *end)
{
    int v = 0;
    if (s == end || end - s > 9)
        return -1;
    for (; s < end; s++) {
        if (*s < '0' || *s > '9')
            return -1;
        v = v * 10 + (*s - '0');
    }
    return v;
}

/* "sm_90a" "sm_86": the letter behind is told to NVRTC as it stands. */
static void arch(Ctx *c, const Word *w, CudaOptions *o)
{
    const char *s = w->value, *end = w->s + w->n;
    char own[16];
    size_t n = (size_t)(end - s);
    bool letter = n > 3 && (end[-1] == 'a' || end[-1] == 'f');
    int cc = n > 3 && n < sizeof own && memcmp(s, "sm_", 3) == 0 ? number(s + 3, end - letter) : -1;
    o->m = cc >= 75 ? cuda_machine_of(cc / 10, cc % 10, own) : NULL;
    if (!o->m)
        wrong(c, w, arch_names(c));
    snprintf(o->arch, sizeof o->arch, "%.*s", (int)n, s);
    if (!letter) /* "sm_90" too has the instructions of sm_90a */
        memcpy(o->arch, own, sizeof o->arch);
}

static void card(Ctx *c, const Word *w, CudaOptions *o)
{
    const char *names = "";
    for (const Card *const *k = cards; *k; k++)
        names = afmt(c, "%s%s%s", names, *names ? ", " : "", (*k)->name);
    o->card = card_find(astr(c, w->value, (size_t)(w->s + w->n - w->value)));
    if (!o->card)
        wrong(c, w, names);
}

static void word(Ctx *c, const Word *w, CudaOptions *o)
{
    const char *end = w->s + w->n;
    if (is(w, "-arch") && w->value) {
        arch(c, w, o);
    } else if (is(w, "-device") && w->value) {
        o->device = number(w->value, end);
        if (o->device < 0)
            wrong(c, w, "0 ..");
    } else if (is(w, "-sms") && w->value) {
        o->sms = number(w->value, end);
        if (o->sms < 1)
            wrong(c, w, "1 ..");
    } else if (is(w, "-shared") && w->value) {
        o->shared = number(w->value, end);
        if (o->shared < 1)
            wrong(c, w, "1 ..");
    } else if (is(w, "-card") && w->value) {
        card(c, w, o);
    } else if (is(w, "-fast-math") && !w->value) {
        o->fast_math = true;
    } else if (is(w, "-build") && !w->value) {
        o->build_only = true;
    } else {
        wrong(c, w, Known);
    }
}

typedef struct Job Job;
struct Job { const char *text; CudaOptions *o; };

static void read_words(Ctx *c, void *ud)
{
    Job *j = ud;
    for (const char *s = j->text ? j->text : ""; *s;) {
        Word w = {s, strcspn(s, " \t"), NULL};
        const char *eq = memchr(s, '=', w.n);
        w.value = eq ? eq + 1 : NULL;
        if (w.n && !(w.n == 4 && memcmp(s, "cuda", 4) == 0))
            word(c, &w, j->o);
        s += w.n;
        s += strspn(s, " \t");
    }
}

bool cuda_options(Ctx *c, const char *text, CudaOptions *o)
{
    Job j = {text, o};
    *o = (CudaOptions){.m = &machine_sm90a, .arch = "sm_90a"};
    return ctx_try(c, read_words, &j);
}
