/* targets/gpu/text.c: what a loaded kernel looks like: its source, and its code. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device.h"

bool gpu_text(void *dev, void *mod, const char *what, Str *path, char **err)
{
    const Gpu *d = dev;
    const GpuModule *m = mod;
    bool source = strcmp(what, "source") == 0;
    if (!source && strcmp(what, "code") != 0) {
        *err = dev_error("@text_none" DEV_SEP "%s", what);
        return false;
    }
    const Str *s = source ? &m->source : &m->code.code;
    if (gpu_keep(&d->cache, source ? d->v->text_ext : d->v->code_ext, s->s ? s->s : "", s->n, path))
        return true;
    *err = dev_error("@device_load" DEV_SEP "%s: %s", d->cache.dir.s, strerror(errno));
    return false;
}
