/* targets/gpu/contact.c: the first contact with a device: what must be known before
 * kernels may be trusted on it is asked once, in processes of their own, and kept.
 *
 * No card of these vendors was at hand when this was written: what is assumed of them was
 * read in the sources of others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"
#include "err/doctor.h"

/* Together within what a session waits for a device to open (core/device/session_worker.c): two
 * of the first at most, and the last. */
enum { BasicMs = 6000, MmaMs = 14000 };

/* How the processes shall open the device: as it is, whatever the words are that only
 * programs are lowered by. */
static void spec_of(const Gpu *d, bool packed, Str *out)
{
    str_fmt(out, "%s -device=%d", d->v->target, d->opt.device);
    if (d->opt.arch_given)
        str_fmt(out, " -arch=%s", d->opt.arch);
    if (!d->opt.rtc)
        str_puts(out, " -rtc=off");
    if (packed)
        str_puts(out, " -packed=on");
}

/* Asks one group; what it told goes to all.  false: it could not be asked, or not all. */
static bool contact_ask(const Gpu *d, const char *group, bool packed, int ms, Str *all)
{
    Str spec = {0};
    spec_of(d, packed, &spec);
    ExamJob j = {.spec = spec.s, .group = group, .limit_ms = ms, .total_ms = ms, .resume = true};
    bool ok = !spec.bad && devprobe_ask(&j) && j.lines.s;
    if (ok)
        str_add(all, j.lines.s, j.lines.n);
    ok = ok && !strstr(j.lines.s, "error\t");
    str_free(&spec);
    str_free(&j.lines);
    str_free(&j.noise);
    return ok;
}

/* Is there this line? */
static bool contact_says(const Str *all, const char *line)
{
    return all->s && strstr(all->s, line) != NULL;
}

/* Something runs here, so that what does not was asked and not prevented. */
static bool works(const Str *all)
{
    return contact_says(all, "is\tparams\t1\n") || contact_says(all, "is\tpacked\t1\n");
}

/* Instructions behind one with which the device hung, or for which crashes left no time, were
 * not asked about: it is not done with them either. */
static void leave_rest(const Gpu *d, Str *all)
{
    const Machine *m = d->opt.m;
    char line[160];
    for (int i = 0; i < m->nmma && !d->opt.chip->no_mma; i++) {
        snprintf(line, sizeof line, "mma.%s\t", m->mma[i].name);
        if (!contact_says(all, line))
            str_fmt(all, "is\t%s0\nis\tmma.%s.why\tnot asked: the device hung or crashed before\n", line,
                    m->mma[i].name);
    }
}

/* Did it hang with a kernel, not with a compiler? */
static bool hung(const Str *all)
{
    const char *late = all->s ? strstr(all->s, "late\t") : NULL;
    char line[160];
    if (!late)
        return false;
    snprintf(line, sizeof line, "run\t%.*s\n", (int)strcspn(late + 5, "\t\n"), late + 5);
    return contact_says(all, line);
}

/* The questions, in their order; false: there are no answers worth keeping. */
static bool ask_all(const Gpu *d, Str *all)
{
    bool ok = contact_ask(d, "basic", false, BasicMs, all);
    bool packed = ok && !contact_says(all, "is\tparams\t1\n");
    if (packed)
        ok = contact_ask(d, "packed", false, BasicMs, all);
    packed = packed && contact_says(all, "is\tpacked\t1\n");
    if (packed) /* these were asked in the form that does not work */
        ok = contact_ask(d, "basic", true, BasicMs, all);
    if (!ok || !works(all) || contact_says(all, "late\t") ||
        !contact_ask(d, "mma", packed, MmaMs, all))
        return false;
    if (hung(all) || (!contact_says(all, "late\t") && contact_says(all, "died\tmma.")))
        leave_rest(d, all);
    else if (contact_says(all, "late\t"))
        return false;
    str_puts(all, "is\tcontact\t1\n");
    return !all->bad;
}

void gpu_contact(Gpu *d)
{
    const char *how = getenv("MOONTILE_PROBE");
    Str all = {0};
    DevError err = DEV_NO_ERROR;
    d->probe = gpu_probe_none;
    gpu_compiler(d, &err); /* answers are kept by it; without one there are none */
    dev_error_free(err);
    if (how && strcmp(how, "ignore") == 0)
        return;
    gpu_probe_load(d);
    if (d->probe.contact == 1 || (how && strcmp(how, "off") == 0))
        return;
    if (ask_all(d, &all) && gpu_probe_store(d, all.s))
        gpu_probe_load(d);
    else
        gpu_note(d, dev_error_all(E_gpu_unproven, d->is.name, d->v->target));
    str_free(&all);
}
