/* targets/sim/options.c: the words after "sim". */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "err/target.h"

static const char Known[] =
    "-arch=NAME, -warp=32|64, -shared=BYTES, -sms=N, -seed=N, -checks=0|1|lanes, -exact=on|off, -findings=N, -keep, "
    "-seconds=N, -undefined=BYTE, -who=BUFFER:BYTE, -trace=X,Y,Z[,LAUNCH]";

typedef struct Word Word;
struct Word { const char *s; size_t n; const char *value; }; /* value: behind "=", or NULL */

static bool is(const Word *w, const char *name)
{
    size_t n = w->value ? (size_t)(w->value - w->s) - 1 : w->n;
    return n == strlen(name) && memcmp(w->s, name, n) == 0;
}

static bool said(const Word *w, const char *value)
{
    size_t n = (size_t)(w->s + w->n - w->value);
    return n == strlen(value) && memcmp(w->value, value, n) == 0;
}

/* The value as a number of lo .. hi; false: it is none. */
static bool number(const Word *w, uint64_t lo, uint64_t hi, uint64_t *out)
{
    uint64_t v = 0;
    const char *s = w->value, *end = w->s + w->n;
    if (!s || s == end || end - s > 18)
        return false;
    for (; s < end; s++) {
        if (*s < '0' || *s > '9')
            return false;
        v = v * 10 + (uint64_t)(*s - '0');
    }
    *out = v;
    return v >= lo && v <= hi;
}

/* "X,Y,Z" or "X,Y,Z,LAUNCH" */
static bool traced(const Word *w, SimTrace *t)
{
    int64_t *const to[] = {&t->block[0], &t->block[1], &t->block[2], &t->launch};
    const char *s = w->value, *end = w->s + w->n;
    size_t n = 0;
    for (; s && s < end && n < COUNT(to); n++) {
        size_t len = strcspn(s, ", \t");
        Word one = {s, len, s};
        uint64_t v;
        if (!number(&one, 0, INT32_MAX, &v))
            return false;
        *to[n] = (int64_t)v;
        s += len + (s[len] == ',');
    }
    t->on = n >= 3 && s == end && end[-1] != ',';
    return t->on;
}

static const char *machine_names(Ctx *c)
{
    const char *t = "";
    for (const Machine *const *m = machines; *m; m++)
        t = afmt(c, "%s%s%s", t, *t ? ", " : "", (*m)->name);
    return t;
}

static void wrong(Ctx *c, const Word *w, const char *known)
{
    diag_fail(c, known == Known ? E_target_option : E_target_value, (Loc){0, 0, 0}, "sim",
              astr(c, w->s, w->n), known, NULL);
}

static void word(Ctx *c, const Word *w, SimOptions *o)
{
    uint64_t v = 0;
    if (is(w, "-arch") && w->value) {
        o->m = machine_find(astr(c, w->value, (size_t)(w->s + w->n - w->value)));
        if (!o->m)
            wrong(c, w, machine_names(c));
    } else if (is(w, "-warp") && w->value) {
        if (!number(w, 32, 64, &v) || (v != 32 && v != 64))
            wrong(c, w, "32, 64");
        o->warp = (int)v;
    } else if (is(w, "-shared") && w->value) {
        if (!number(w, 1, INT32_MAX, &v))
            wrong(c, w, "1 ..");
        o->shared = (int)v;
    } else if (is(w, "-sms") && w->value) {
        if (!number(w, 1, 4096, &v))
            wrong(c, w, "1 .. 4096");
        o->sms = (int)v;
    } else if (is(w, "-seed") && w->value) {
        if (!number(w, 0, UINT64_MAX, &o->seed))
            wrong(c, w, "0 ..");
    } else if (is(w, "-checks") && w->value) {
        bool lanes = said(w, "lanes");
        if (!lanes && !number(w, 0, 1, &v))
            wrong(c, w, "0, 1, lanes");
        o->checks = !lanes && v != 0;
        o->lanes = lanes || v != 0;
    } else if (is(w, "-exact") && w->value) {
        o->exact = said(w, "on");
        if (!o->exact && !said(w, "off"))
            wrong(c, w, "on, off");
    } else if (is(w, "-findings") && w->value) {
        if (!number(w, 1, 1000, &v))
            wrong(c, w, "1 .. 1000");
        o->max_findings = (int)v;
    } else if (is(w, "-seconds") && w->value) {
        if (!number(w, 1, 86400, &v))
            wrong(c, w, "1 .. 86400");
        o->seconds = (int)v;
    } else if (is(w, "-trace") && w->value) {
        if (!traced(w, &o->trace))
            wrong(c, w, "X,Y,Z, X,Y,Z,LAUNCH");
    } else if (is(w, "-undefined") && w->value) {
        if (!number(w, 0, 255, &v))
            wrong(c, w, "0 .. 255");
        o->undefined = (int)v;
    } else if (is(w, "-who") && w->value) {
        size_t n = (size_t)(w->s + w->n - w->value);
        if (n >= sizeof o->who || !memchr(w->value, ':', n))
            wrong(c, w, "BUFFER:BYTE");
        memcpy(o->who, w->value, n);
    } else if (is(w, "-keep") && !w->value) {
        o->keep = true;
    } else {
        wrong(c, w, Known);
    }
}

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
static void settle(Ctx *c, SimOptions *o)
{
    if (!o->m)
        o->m = machine_find(o->warp == 64 ? "c500" : "sm_80");
    const char *text = afmt(c, "-warp=%d", o->warp);
    Word w = {text, strlen(text), NULL};
    if (o->warp && o->m->warp != o->warp)
        wrong(c, &w, machines_of(c, o->warp));
    text = afmt(c, "-shared=%d", o->shared);
    w = (Word){text, strlen(text), NULL};
    if (o->shared > o->m->shared_block)
        wrong(c, &w, afmt(c, "1 .. %d", o->m->shared_block));
}

typedef struct Job Job;
struct Job { const char *text; SimOptions *o; };

static void read_words(Ctx *c, void *ud)
{
    Job *j = ud;
    for (const char *s = j->text ? j->text : ""; *s;) {
        Word w = {s, strcspn(s, " \t"), NULL};
        const char *eq = memchr(s, '=', w.n);
        w.value = eq ? eq + 1 : NULL;
        if (w.n && !(w.n == 3 && memcmp(s, "sim", 3) == 0))
            word(c, &w, j->o);
        s += w.n;
        s += strspn(s, " \t");
    }
    settle(c, j->o);
}

bool sim_options(Ctx *c, const char *text, SimOptions *o)
{
    Job j = {text, o};
    *o = (SimOptions){.checks = true, .lanes = true, .exact = true, .undefined = -1, .max_findings = 16};
    return ctx_try(c, read_words, &j) && o->m;
}

/* The machine with less shared memory, or on a card of other multiprocessors. */
static void smaller(Ctx *c, void *ud)
{
    SimOptions *o = ud;
    Machine *m = anew(c, sizeof *m);
    *m = *o->m;
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
    if (!sim_options(c, text, &o) || ((o.shared || o.sms) && !ctx_try(c, smaller, &o)))
        return NULL;
    return o.m;
}
