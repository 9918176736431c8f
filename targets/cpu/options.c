/* targets/cpu/options.c: the words after "cpu".
 *
 * -devcopy and -devcopy=BYTES are for tests and not listed: tensors then have device copies, as on
 * a device with memory of its own, of BYTES in all. */
#include <stdlib.h>

#include "core/device/options.h"
#include "cpu.h"
#include "run.h"

#define AT(member) offsetof(CpuOptions, member)
static const Option row[] = {
    {"-threads", "-threads=N", OPTint, AT(threads), 1, 4096, "1 .. 4096", NULL},
    {"-devcopy", NULL, OPTflag, AT(copied), 0, 0, NULL, NULL},
    {"-devcopy", NULL, OPTuint64, AT(copies), 0, INT64_MAX, "0 ..", NULL},
    {"-fast_math", "-fast_math", OPTflag, AT(fast_math), 0, 0, NULL, NULL},
    {"-quick", "-quick", OPTflag, AT(quick), 0, 0, NULL, NULL},
};

static const Options words = {.target = "cpu", .row = row, .n = (int)COUNT(row)};

DevError cpu_options(const char *text, CpuOptions *o)
{
    *o = (CpuOptions){0};
    DevError err = options_error(&words, text, o);
    if (o->copied)
        o->copies = UINT64_MAX;
    return err;
}

bool cpu_takes(Ctx *c, const char *text)
{
    CpuOptions o = {0};
    return options_read(c, &words, text, &o);
}

bool cpu_apart(const char *text)
{
    CpuOptions o;
    DevError err = cpu_options(text, &o);
    dev_error_free(err);
    return !err.is && o.copies > 0;
}
