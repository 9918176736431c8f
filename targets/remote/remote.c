/* targets/remote/remote.c: the remote target: programs are checked, lowered and printed
 * here, for the target and the device of a server, and run there. */
#include "remote.h"
#include "err/target.h"

#include <stdlib.h>
#include <string.h>

/* A device's error as a message: "@id" SEP args. */
static NORETURN void remote_fail(Ctx *c, const char *text)
{
    char *s = astr(c, text, strlen(text));
    const char *arg[DiagArgs] = {"remote"};
    char *at = strchr(s, *DEV_SEP);
    for (int i = 1; at && i < DiagArgs; i++) {
        *at++ = '\0';
        arg[i] = at;
        at = strchr(at, *DEV_SEP);
    }
    Err e = err_by_id(s + 1);
    for (int i = 1; i < DiagArgs; i++)
        arg[i] = arg[i] ? arg[i] : "";
    diag_fail(c, e == E_none ? E_memory : e, (Loc){0, 0, 0}, arg[0], arg[1], arg[2], arg[3], arg[4],
              arg[5], NULL);
}

typedef struct There There;
struct There { const char *options, *rest; const Target *t; };

static void find_there(Ctx *c, void *ud)
{
    There *k = ud;
    RemoteOptions o;
    char *err = remote_options(k->options, &o);
    char *text = err ? astr(c, err, strlen(err)) : NULL;
    k->rest = o.rest.s ? astr(c, o.rest.s, o.rest.n) : "";
    str_free(&o.rest);
    free(err);
    if (text)
        remote_fail(c, text);
    k->t = o.on[0] ? target_find(o.on) : NULL;
    if (!k->t || k->t->there)
        diag_fail(c, E_target_unknown, (Loc){0, 0, 0}, afmt(c, "remote -on=%s", o.on),
                  "-on=cuda, -on=cpu ..", NULL);
}

static const Target *remote_there(Ctx *c, const char *options, const char **rest)
{
    There k = {.options = options};
    if (!ctx_try(c, find_there, &k))
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
