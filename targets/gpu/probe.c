/* targets/gpu/probe.c: what was asked of a device and what it answered, kept with the
 * cache: one entry a device and run-time, lines "name value"; and what follows from it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe.h"
#include "err/doctor.h"
#include "err/gpu.h"

static const char ext[] = "probe";

/* Keeping ---------------------------------------------------------------------- */

/* The file of the run-time: another version is another file. */
static Hash hash_library(Hash h, const char *path)
{
    struct stat st;
    char *real = realpath(path, NULL);
    if (real && stat(real, &st) == 0) {
        uint64_t v[3] = {(uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec,
                         (uint64_t)st.st_mtim.tv_nsec};
        h = hash_bytes(hash_bytes(h, real, strlen(real) + 1), v, sizeof v);
    } else {
        h = hash_bytes(h, path, strlen(path) + 1);
    }
    free(real);
    return h;
}

static Hash gpu_probe_key_of(const Gpu *d)
{
    int version[2] = {d->cu.version, 0};
    Hash h = {0x70726f62, 2};
    if (d->cu.DriverGetVersion && d->cu.DriverGetVersion(&version[1]) != GpuOk)
        version[1] = 0;
    h = hash_bytes(h, d->v->target, strlen(d->v->target) + 1);
    h = hash_bytes(h, d->is.name, strlen(d->is.name) + 1);
    h = hash_bytes(h, d->is.chip, strlen(d->is.chip) + 1);
    h = hash_bytes(h, d->opt.arch, strlen(d->opt.arch) + 1);
    if (d->have_rtc) { /* what an instruction does is also a matter of who compiles it */
        h = hash_bytes(h, d->rtc.name, strlen(d->rtc.name) + 1);
        h = hash_library(h, d->rtc.tool ? d->rtc.tool : d->rtc.path);
    }
    return hash_bytes(hash_library(h, d->cu.path), version, sizeof version);
}

void gpu_probe_path(const Gpu *d, Str *out)
{
    cache_path(&d->cache, gpu_probe_key_of(d), ext, out);
}

bool gpu_probe_text(const Gpu *d, Str *out)
{
    Str path = {0}, all = {0};
    bool ok = cache_get(&d->cache, gpu_probe_key_of(d), ext, &path) &&
              gpu_read_file(path.s, &all) && all.s;
    if (ok) /* an entry ends with a 0 and a trailer */
        str_puts(out, all.s);
    str_free(&path);
    str_free(&all);
    return ok && !out->bad;
}

/* The fields of a line, which it cuts; how many. */
static int gpu_probe_split(char *line, char *field[3])
{
    int n = 0;
    for (char *s = line; s && n < 3; n++) {
        field[n] = s;
        s = n < 2 ? strchr(s, '\t') : NULL;
        if (s)
            *s++ = '\0';
    }
    return n;
}

static bool has_run(const char *lines, const char *name)
{
    size_t n = strlen(name);
    for (const char *s = lines; (s = strstr(s, "run\t")); s += 4)
        if ((s == lines || s[-1] == '\n') && strncmp(s + 4, name, n) == 0 && s[4 + n] == '\n')
            return true;
    return false;
}

/* A line of core/device/probe.h as one of ours.  A device that hangs or ends the process with a
 * question has answered it; a compiler that takes too long has not. */
static void gpu_probe_translate(const char *all, char *line, Str *out)
{
    char *f[3] = {NULL};
    int n = gpu_probe_split(line, f);
    if (n == 3 && strcmp(f[0], "is") == 0)
        str_fmt(out, "%s %s\n", f[1], f[2]);
    if (n < 3 || !f[1][0])
        return;
    if (strcmp(f[0], "late") == 0 && has_run(all, f[1]))
        str_fmt(out, "%s 0\n%s.why no answer within %s s\n", f[1], f[1], f[2]);
    else if (strcmp(f[0], "late") == 0)
        str_fmt(out, "%s.why not compiled within %s s\n", f[1], f[2]);
    else if (strcmp(f[0], "died") == 0)
        str_fmt(out, "%s 0\n%s.why signal %s\n", f[1], f[1], f[2]);
    else if (strcmp(f[0], "left") == 0)
        str_fmt(out, "%s 0\n%s.why exit status %s\n", f[1], f[1], f[2]);
}

static void gpu_probe_lines(const char *devprobe, Str *out)
{
    for (const char *s = devprobe; *s;) {
        size_t n = strcspn(s, "\n");
        char *line = strndup(s, n);
        if (line)
            gpu_probe_translate(devprobe, line, out);
        free(line);
        s += n + (s[n] == '\n');
    }
}

bool gpu_probe_store(Gpu *d, const char *devprobe)
{
    Str temp = {0}, path = {0}, all = {0};
    const Str *part[] = {&all};
    gpu_probe_lines(devprobe, &all);
    str_add(&all, "", 1); /* with its 0 */
    cache_temp(&d->cache, ext, &temp);
    bool ok = !temp.bad && !all.bad && gpu_write_file(temp.s, part, 1);
    if (ok)
        ok = cache_put(&d->cache, gpu_probe_key_of(d), ext, temp.s, &path);
    else if (!temp.bad)
        unlink(temp.s);
    str_free(&temp);
    str_free(&path);
    str_free(&all);
    return ok;
}

/* Reading ------------------------------------------------------------------------- */

/* An answer about one of several things that must all be right. */
static void gpu_probe_join(int *all, int value) { *all = *all < 0 ? value != 0 : *all && value; }

static void gpu_probe_take(GpuProbe *q, const char *name, int value)
{
    const struct { const char *name; int *to; } field[] = {
        {"contact", &q->contact}, {"params", &q->params}, {"packed", &q->packed},
        {"warp", &q->warp}, {"ballot", &q->ballot}, {"shuffle", &q->shuffle},
        {"shared", &q->shared}, {"threads", &q->max_threads}, {"grid_y", &q->grid[1]},
        {"grid_z", &q->grid[2]},
    };
    for (size_t i = 0; i < COUNT(field); i++)
        if (strcmp(field[i].name, name) == 0)
            *field[i].to = value;
    if (strncmp(name, "async.", 6) == 0 && strcmp(name, "async.arrive") != 0)
        gpu_probe_join(&q->async, value); /* that form of a wait is not printed */
    if (strncmp(name, "mma.", 4) == 0 && value)
        q->good++;
    else if (strncmp(name, "mma.", 4) == 0)
        str_fmt(&q->bad, "%s%s", q->bad.n ? "," : "", name + 4);
}

const GpuProbe gpu_probe_none = {
    .contact = -1, .params = -1, .packed = -1, .warp = -1, .ballot = -1, .shuffle = -1,
    .async = -1, .shared = -1, .max_threads = -1, .grid = {-1, -1, -1}};

void gpu_probe_load(Gpu *d)
{
    Str text = {0};
    char name[96], *end;
    str_free(&d->probe.bad);
    d->probe = gpu_probe_none;
    const char *s = gpu_probe_text(d, &text) ? text.s : NULL;
    while (s && *s) {
        size_t n = strcspn(s, " \n");
        if (s[n] == ' ' && n < sizeof name) {
            memcpy(name, s, n);
            name[n] = '\0';
            long v = strtol(s + n + 1, &end, 10);
            if (end > s + n + 1 && *end == '\n')
                gpu_probe_take(&d->probe, name, (int)v);
        }
        s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL;
    }
    str_free(&text);
}

/* What follows ---------------------------------------------------------------------- */

static void gpu_probe_lower(int *limit, int found)
{
    if (found > 0 && found < *limit)
        *limit = found;
}

static void note_mma(Gpu *d)
{
    Str path = {0};
    bool whole = d->probe.good == 0;
    gpu_probe_path(d, &path);
    gpu_note(d, dev_error_all(E_gpu_probe_mma, d->is.name, d->probe.bad.s, d->v->target,
                              path.s ? path.s : "", whole ? 1 : 0));
    str_free(&path);
}

DevError gpu_probe_use(Gpu *d)
{
    const GpuProbe *q = &d->probe;
    const Machine *m = d->opt.m;
    if (q->warp > 0 && q->warp != m->warp)
        return dev_error(E_gpu_lanes, d->is.name, q->warp, d->opt.arch, m->warp);
    if (d->opt.async && q->async == 0)
        return dev_error(E_gpu_probe_async, d->is.name, d->v->target);
    gpu_probe_lower(&d->is.shared, q->shared);
    gpu_probe_lower(&d->is.max_threads, q->max_threads);
    gpu_probe_lower(&d->is.grid[1], q->grid[1]);
    gpu_probe_lower(&d->is.grid[2], q->grid[2]);
    if (q->params == 0 && q->packed == 1)
        d->opt.packed = true;
    if (q->bad.n && d->opt.mma && !d->opt.mma_given)
        note_mma(d);
    if (d->opt.async && q->async < 0)
        gpu_note(d, dev_error_all(E_gpu_async_unproven, d->is.name, d->v->target));
    return DEV_NO_ERROR;
}

/* Names without which a kernel needs no answer about them. */
DevError gpu_probe_refuses(const Gpu *d, const char *source)
{
    const struct { int answer; const char *word[2], *what; } need[] = {
        {d->probe.ballot, {"__ballot_sync(", "__builtin_amdgcn_ballot_w"}, "1"},
        {d->probe.shuffle, {"__shfl_", "__builtin_amdgcn_ds_bpermute("}, "0"},
    };
    for (size_t i = 0; i < COUNT(need); i++)
        if (need[i].answer == 0 &&
            (strstr(source, need[i].word[0]) || strstr(source, need[i].word[1])))
            return dev_error(E_gpu_probe_lanes, d->is.name, need[i].what, d->v->target);
    return DEV_NO_ERROR;
}
