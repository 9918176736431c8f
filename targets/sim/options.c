/* targets/sim/options.c: the words after "sim". */
#include <string.h>

#include "core/device/options.h"
#include "device.h"
#include "err/target.h"

static bool soptions_take_arch(const OptionWord *w, void *options, Str *known)
{
    SimOptions *o = options;
    o->m = NULL;
    for (const Machine *const *m = machines; *m && !o->m; m++) {
        o->m = option_is(w, (*m)->name) ? *m : NULL;
        str_fmt(known, "%s%s", known->n ? ", " : "", (*m)->name);
    }
    return o->m != NULL;
}

static bool take_warp(const OptionWord *w, void *options, Str *known)
{
    SimOptions *o = options;
    uint64_t v = 0;
    (void)known;
    bool ok = option_number(w, 32, 64, &v) && (v == 32 || v == 64);
    o->warp = (int)v;
    return ok;
}

static bool take_checks(const OptionWord *w, void *options, Str *known)
{
    SimOptions *o = options;
    bool lanes = option_is(w, "lanes"), on = option_is(w, "1");
    (void)known;
    o->checks = on;
    o->lanes = lanes || on;
    return lanes || on || option_is(w, "0");
}

static bool take_who(const OptionWord *w, void *options, Str *known)
{
    SimOptions *o = options;
    (void)known;
    if (w->nvalue >= sizeof o->who || !memchr(w->value, ':', w->nvalue))
        return false;
    memcpy(o->who, w->value, w->nvalue);
    return true;
}

/* "X,Y,Z" or "X,Y,Z,LAUNCH" */
static bool take_trace(const OptionWord *w, void *options, Str *known)
{
    SimTrace *t = &((SimOptions *)options)->trace;
    int64_t *const to[] = {&t->block[0], &t->block[1], &t->block[2], &t->launch};
    const char *s = w->value, *end = s + w->nvalue;
    size_t n = 0;
    (void)known;
    for (; s < end && n < COUNT(to); n++) {
        size_t len = strcspn(s, ", \t");
        uint64_t v;
        if (!option_number(&(OptionWord){s, len, s, len}, 0, INT32_MAX, &v))
            return false;
        *to[n] = (int64_t)v;
        s += len + (s[len] == ',');
    }
    t->on = n >= 3 && s == end && end[-1] != ',';
    return t->on;
}

#define AT(member) offsetof(SimOptions, member)
static const Option row[] = {
    {"-arch", "-arch=NAME", OPTown, 0, 0, 0, NULL, soptions_take_arch},
    {"-warp", "-warp=32|64", OPTown, 0, 0, 0, "32, 64", take_warp},
    {"-shared", "-shared=BYTES", OPTint, AT(shared), 1, INT32_MAX, "1 ..", NULL},
    {"-sms", "-sms=N", OPTint, AT(sms), 1, 4096, "1 .. 4096", NULL},
    {"-async", "-async=on|off", OPTon_off, AT(async), 0, 0, NULL, NULL},
    {"-seed", "-seed=N", OPTuint64, AT(seed), 0, INT64_MAX, "0 ..", NULL},
    {"-checks", "-checks=0|1|lanes", OPTown, 0, 0, 0, "0, 1, lanes", take_checks},
    {"-exact", "-exact=on|off", OPTon_off, AT(exact), 0, 0, NULL, NULL},
    {"-findings", "-findings=N", OPTint, AT(max_findings), 1, 1000, "1 .. 1000", NULL},
    {"-keep", "-keep", OPTflag, AT(keep), 0, 0, NULL, NULL},
    {"-seconds", "-seconds=N", OPTint, AT(seconds), 1, 86400, "1 .. 86400", NULL},
    {"-undefined", "-undefined=BYTE", OPTint, AT(undefined), 0, 255, "0 .. 255", NULL},
    {"-who", "-who=BUFFER:ELEMENT", OPTown, 0, 0, 0, "BUFFER:ELEMENT", take_who},
    {"-trace", "-trace=X,Y,Z[,LAUNCH]", OPTown, 0, 0, 0, "X,Y,Z, X,Y,Z,LAUNCH", take_trace},
};

/* Machines whose warps have so many lanes. */
static const char *machines_of(Ctx *c, int warp)
{
    const char *t = "";
    for (const Machine *const *m = machines; *m; m++)
        if ((*m)->warp == warp)
            t = afmt(c, "%s%s-arch=%s", t, *t ? ", " : "", (*m)->name);
    return t;
}

/* The machine of the words, when they agree. */
static void options_settle(Ctx *c, void *ud)
{
    SimOptions *o = ud;
    if (!o->m)
        o->m = machine_find(o->warp == 64 ? "c500" : "sm_80");
    if (o->warp && o->m->warp != o->warp)
        diag_fail(c, E_target_value, (Loc){0, 0, 0}, "sim", afmt(c, "-warp=%d", o->warp),
                  machines_of(c, o->warp), NULL);
    if (o->shared > o->m->shared_block)
        diag_fail(c, E_target_value, (Loc){0, 0, 0}, "sim", afmt(c, "-shared=%d", o->shared),
                  afmt(c, "1 .. %d", o->m->shared_block), NULL);
}

bool sim_options(Ctx *c, const char *text, SimOptions *o)
{
    const Options t = {.target = "sim", .row = row, .n = (int)COUNT(row)};
    *o = (SimOptions){.checks = true, .lanes = true, .exact = true, .undefined = -1,
                      .max_findings = 16};
    return options_read(c, &t, text, o) && ctx_try(c, options_settle, o) && o->m;
}

/* The machine with less shared memory, on a card of other multiprocessors, or with copies that the
 * program may start itself. */
static void smaller(Ctx *c, void *ud)
{
    SimOptions *o = ud;
    Machine *m = anew(c, sizeof *m);
    *m = *o->m;
    m->asked_async &= !o->async;
    if (o->shared)
        m->shared_block = o->shared;
    if (o->sms && m->card) {
        Card *card = anew(c, sizeof *card);
        *card = *m->card;
        card->sms = o->sms;
        m->card = card;
    }
    o->m = m;
}

const Machine *sim_machine(Ctx *c, const char *text)
{
    SimOptions o;
    if (!sim_options(c, text, &o) || ((o.shared || o.sms || o.async) && !ctx_try(c, smaller, &o)))
        return NULL;
    return o.m;
}
