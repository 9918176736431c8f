/* ledger.c: what all calls of a stand-in have in common: any may be told to fail, what is
 * handed out is counted, and what a program must never do is written down.
 *
 *   STANDIN_FAIL=N       the Nth call of the process fails
 *   STANDIN_FAILED=FILE  only while FILE is not there; the call's name is written to it
 *   STANDIN_CRIMES=FILE  a line for each thing that must never be done
 *
 * libhiprtc.so, loaded behind libamdhip64.so, finds that one's ledger in place of its own. */
#include "standin.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Thing Thing;
struct Thing { Thing *next; const char *kind; const void *p; bool gone; };

static Thing *things;
static long calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void standin_crime(const char *fmt, ...)
{
    const char *name = getenv("STANDIN_CRIMES");
    FILE *f = name && *name ? fopen(name, "a") : NULL;
    va_list ap;
    va_start(ap, fmt);
    vfprintf(f ? f : stderr, fmt, ap);
    va_end(ap);
    fputc('\n', f ? f : stderr);
    if (f)
        fclose(f);
}

bool standin_turn(const char *prefix, const char *call)
{
    const char *at = getenv("STANDIN_FAIL"), *once = getenv("STANDIN_FAILED");
    pthread_mutex_lock(&lock);
    long n = ++calls;
    pthread_mutex_unlock(&lock);
    if (!at || !*at || n != strtol(at, NULL, 10) || (once && access(once, F_OK) == 0))
        return false;
    FILE *f = once ? fopen(once, "w") : NULL;
    if (f) {
        fprintf(f, "%s%s\n", prefix, call);
        fclose(f);
    }
    return true;
}

void standin_turns(void) { calls = 0; }

void *standin_made(const char *kind, void *p)
{
    Thing *t = p ? malloc(sizeof *t) : NULL;
    if (!t)
        return p;
    pthread_mutex_lock(&lock);
    *t = (Thing){things, kind, p, false};
    things = t;
    pthread_mutex_unlock(&lock);
    return p;
}

/* The newest one at this address. */
static Thing *find(const char *kind, const void *p)
{
    for (Thing *t = things; t; t = t->next)
        if (t->p == p && strcmp(t->kind, kind) == 0)
            return t;
    return NULL;
}

/* Says what is wrong with it, unless it lives. */
static bool alive(const char *kind, const void *p, const char *call, bool end)
{
    pthread_mutex_lock(&lock);
    Thing *t = find(kind, p);
    bool ok = t && !t->gone;
    if (!ok)
        standin_crime("%s: %s", call, !p ? "NULL in place of a handle" : t
                      ? "a handle that was given back" : "a handle that was never given out");
    if (ok && end)
        t->gone = true;
    pthread_mutex_unlock(&lock);
    return ok;
}

bool standin_is(const char *kind, const void *p, const char *call)
{
    return alive(kind, p, call, false);
}

bool standin_end(const char *kind, const void *p, const char *call)
{
    return alive(kind, p, call, true);
}

int standin_left(const char *kind)
{
    int n = 0;
    for (const Thing *t = things; t; t = t->next)
        n += !t->gone && (!kind || strcmp(t->kind, kind) == 0);
    return n;
}
