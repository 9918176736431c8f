/* repl/serve/environ.c: what a session's process, its compilers and its worker get to know of
 * the server's environment: what finding libraries and compilers takes, by name (jail_knows()),
 * folders of their own, and nothing else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/jail.h"
#include "serve.h"

extern char **environ;

enum { MaxEnv = 256 };

/* Is it one that --env names? */
static bool asked_for(const char *list, const char *e)
{
    size_t n = strcspn(e, "=");
    for (size_t k; list && *list; list += k + (list[k] == ',')) {
        k = strcspn(list, ",");
        if (k == n && memcmp(list, e, n) == 0)
            return true;
    }
    return false;
}

/* Where the session process keeps compiled kernels: a folder for each client, as the cache's hashes
 * withstand accidents and not malice.  Without tokens there is but one client. */
static void cache_dir(const Client *c, const Server *sv, Str *out)
{
    const char *dir = getenv("MOONTILE_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    str_puts(out, "MOONTILE_CACHE_DIR=");
    if (dir && *dir)
        str_puts(out, dir);
    else if (xdg && *xdg == '/')
        str_fmt(out, "%s/moontile", xdg);
    else
        str_fmt(out, "%s/.cache/moontile", home ? home : "/nonexistent");
    if (!serve_open(sv))
        str_fmt(out, "/client-%s", c->name);
}

/* s is taken. */
static bool environ_put(char **env, size_t *n, Str *s)
{
    if (s->bad || *n >= MaxEnv) {
        str_free(s);
        return false;
    }
    env[(*n)++] = s->s;
    return true;
}

static bool environ_fill(char **env, const RemoteSession *g)
{
    size_t n = 0;
    Str cache = {0}, tmp = {0}, guard = {0};
    cache_dir(g->client, g->sv, &cache);
    str_fmt(&tmp, "TMPDIR=%s", g->tmp);
    bool ok = environ_put(env, &n, &cache) && environ_put(env, &n, &tmp);
    /* Drivers of cards need files and calls that nobody can list. */
    if (ok && g->host) {
        str_fmt(&guard, JAIL_GUARD "=%lld", (long long)g->sv->set->compile_s);
        if (g->sv->set->sandbox)
            str_puts(&guard, JAIL_MUST);
        ok = environ_put(env, &n, &guard);
    }
    for (char **e = environ; ok && e && *e; e++) {
        Str s = {0};
        if (jail_knows(*e) || asked_for(g->sv->set->env, *e)) {
            str_puts(&s, *e);
            ok = environ_put(env, &n, &s);
        }
    }
    return ok;
}

char **environ_of(const RemoteSession *g)
{
    char **env = calloc(MaxEnv + 1, sizeof *env);
    if (env && !environ_fill(env, g)) {
        environ_free(env);
        return NULL;
    }
    return env;
}

void environ_free(char **env)
{
    for (char **e = env; e && *e; e++)
        free(*e);
    free(env);
}
