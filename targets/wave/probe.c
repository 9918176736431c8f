/* targets/wave/probe.c: what a probe of the device found out, kept with the cache: one
 * entry a device and run-time, lines "name value". */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device.h"

static const char ext[] = "probe";

static Hash key_of(const Wave *d)
{
    Hash h = {0x70726f62, 1};
    h = hash_bytes(h, d->v->target, strlen(d->v->target) + 1);
    h = hash_bytes(h, d->is.name, strlen(d->is.name) + 1);
    h = hash_bytes(h, d->is.chip, strlen(d->is.chip) + 1);
    h = hash_bytes(h, d->cu.path, strlen(d->cu.path) + 1);
    return hash_bytes(h, &d->cu.version, sizeof d->cu.version);
}

bool wave_probe_text(Wave *d, Str *out)
{
    Str path = {0}, all = {0};
    bool ok = cache_get(&d->cache, key_of(d), ext, &path) && gpu_read_file(path.s, &all) && all.s;
    if (ok) /* an entry ends with a 0 and a trailer */
        str_puts(out, all.s);
    str_free(&path);
    str_free(&all);
    return ok && !out->bad;
}

static void take(WaveProbe *q, const char *name, int value)
{
    const struct { const char *name; int *to; } field[] = {
        {"mma", &q->mma}, {"async", &q->async}, {"params", &q->params}, {"packed", &q->packed},
        {"sms", &q->sms}, {"shared", &q->shared}, {"max_threads", &q->max_threads},
    };
    for (size_t i = 0; i < COUNT(field); i++)
        if (strcmp(field[i].name, name) == 0)
            *field[i].to = value;
}

void wave_probe_load(Wave *d)
{
    Str text = {0};
    char name[32];
    int value;
    if (wave_probe_text(d, &text))
        for (const char *s = text.s; s && *s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL)
            if (sscanf(s, "%31s %d", name, &value) == 2)
                take(&d->probe, name, value);
    str_free(&text);
}

bool wave_probe_store(Wave *d, const char *lines)
{
    Str temp = {0}, path = {0};
    union { const char *c; char *v; } bytes = {.c = lines}; /* only read */
    Str all = {.s = bytes.v, .n = strlen(lines) + 1};
    const Str *part[] = {&all};
    cache_temp(&d->cache, ext, &temp);
    bool ok = !temp.bad && gpu_write_file(temp.s, part, 1);
    if (ok)
        ok = cache_put(&d->cache, key_of(d), ext, temp.s, &path);
    else if (!temp.bad)
        unlink(temp.s);
    str_free(&temp);
    str_free(&path);
    return ok;
}
