/* targets/gpu/text.c: what a loaded kernel looks like: its source, and its code. */
#include <errno.h>
#include <string.h>

#include "device.h"

bool gpu_keep_text(Gpu *d, const char *ext, const Str *s, Str *path, DevError *err)
{
    if (gpu_keep(&d->cache, ext, s->s ? s->s : "", s->n, path))
        return true;
    *err = dev_no_file(d->cache.dir.s, errno);
    return false;
}

bool gpu_no_text(const char *what, DevError *err)
{
    *err = dev_no_text(what);
    return false;
}

bool gpu_text(void *dev, void *mod, const char *what, Str *path, DevError *err)
{
    Gpu *d = dev;
    const GpuModule *m = mod;
    if (m->routine)
        return gpu_no_text(what, err);
    if (strcmp(what, "source") == 0)
        return gpu_keep_text(d, d->v->text_ext, &m->source, path, err);
    if (strcmp(what, d->v->code_name) == 0 && !m->code.assembly)
        return gpu_keep_text(d, d->v->code_ext, &m->code.code, path, err);
    return d->v->text ? d->v->text(d, m, what, path, err) : gpu_no_text(what, err);
}
