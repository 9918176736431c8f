/* targets/remote/launch.c: one run of a kernel at the server. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "err/launch.h"
#include "err/room.h"

static const double Silence = 30; /* a run says once a second that it goes on */

static json_t *tensor_arg(const Remote *d, const DevArg *a, int i, DevError *err)
{
    uintptr_t at = (uintptr_t)a->p;
    const DeviceCopy *t = remote_devcopy(d, at);
    if (!t || !t->id) {
        *err = dev_error(E_worker_memory, dev_text("argument %d", i + 1));
        return NULL;
    }
    return json_pack("{s:I, s:I}", "t", (json_int_t)t->id, "at", (json_int_t)(at - t->at));
}

json_t *remote_args(const Remote *d, const RemoteModule *m, const DevArg *arg, int narg,
                    DevError *err)
{
    json_t *list = narg == m->narg ? json_array() : NULL;
    char text[40];
    if (narg != m->narg)
        *err = dev_error(E_device_args, narg, m->narg);
    for (int i = 0; list && i < narg; i++) {
        json_t *v = NULL;
        if (m->kind[i] == 't') {
            v = tensor_arg(d, &arg[i], i, err);
        } else if (m->kind[i] == 'f') {
            snprintf(text, sizeof text, "%a", arg[i].f);
            v = json_pack("{s:s}", "f", text);
        } else {
            v = json_pack("{s:I}", "i", (json_int_t)arg[i].i);
        }
        if (!v || json_array_append_new(list, v) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

bool remote_launch(void *dev, void *mod, const DevArg *arg, int narg, const DevHost *host, double *ms,
                   uint32_t *failed_at, DevError *err)
{
    Remote *d = dev;
    RemoteModule *m = mod;
    json_t *args = remote_args(d, m, arg, narg, err);
    if (!args)
        return false;
    bool timed = d->flush; /* only who measures flushes caches */
    RemoteRun r = {.d = d,
                   .host = host,
                   .path = "/launch",
                   .ms = ms,
                   .nms = 1,
                   .payload = true,
                   .patience = Silence + (double)d->limit.exclusive_s,
                   .body = json_pack("{s:I, s:o, s:i, s:b}", "kernel", (json_int_t)m->id, "args",
                                     args, "times", timed ? 1 : 0, "flush", (int)timed)};
    d->flush = false;
    bool ok = r.body && payload_begin(d, m, arg, narg, r.body) && remote_run(&r, err);
    if (!ok)
        payload_over(d);
    *failed_at = r.failed_at;
    json_decref(r.body);
    return ok;
}
