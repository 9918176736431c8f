/* targets/remote/remote.c: the remote target: programs are checked, lowered and printed
 * here, for the target and the device of a server, and run there. */
#include "remote.h"
#include "err/target.h"

#include <stdlib.h>
#include <string.h>

typedef struct There There;
struct There { const RemoteOptions *o; const DevError *err; const char *rest; const Target *t; };

static void find_there(Ctx *c, void *ud)
{
    There *k = ud;
    Diag d = dev_error_diag(k->err, "remote");
    const char *const *a = d.arg, *on = k->o->on;
    k->rest = k->o->rest.s ? astr(c, k->o->rest.s, k->o->rest.n) : "";
    if (d.err)
        diag_fail(c, d.err, d.loc, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
    k->t = on[0] ? target_find(on) : NULL;
    if (!k->t || k->t->there)
        diag_fail(c, E_target_unknown, (Loc){0, 0, 0}, afmt(c, "remote -on=%s", on),
                  "-on=cuda, -on=cpu ..", NULL);
}

static const Target *remote_there(Ctx *c, const char *options, const char **rest)
{
    RemoteOptions o;
    DevError err = remote_options(options, &o);
    There k = {&o, &err, NULL, NULL};
    bool ok = ctx_try(c, find_there, &k);
    str_free(&o.rest);
    dev_error_free(err);
    if (!ok)
        return NULL;
    *rest = k.rest;
    return k.t;
}

/* What the target there prints. */
static bool remote_emit(Prog *p, const char *options, Str *out)
{
    const Target *t = remote_there(&p->ctx, options, &options);
    return t && t->emit(p, options, out);
}

/* Was a server named for this session?  Whether it is there shows when it is spoken to. */
static bool present(void)
{
    const char *url = getenv("MOONTILE_URL");
    return url && *url;
}

const Target remote_target = {
    .name = "remote",
    .summary = "a device of another machine, through moontile serve",
    .there = remote_there,
    .emit = remote_emit,
    .present = present,
    .fetch = fetch_get,
    .build = artifact_store,
    .device = &remote_device,
};
