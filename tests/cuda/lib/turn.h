/* turn.h: what all calls of the stand-in for CUDA's libraries have in common: any may be told to
 * fail or to lie, and what is handed out is counted.
 *
 *   FAKE_CUDA_FAIL="CALL K N"     the Kth call of that name gives error N; K 0: each of them.
 *                                 CALL may be *: the Kth call of all
 *   FAKE_CUDA_LIE="CALL K WHAT"   it succeeds, and what it tells is odd: `none` 0 or NULL,
 *                                 `huge` the largest number, `minus` -1, `odd` see the call.
 *                                 CALL#N: where its number (an attribute's) is N
 *   FAKE_CUDA_SLOW="CALL MS"      each of these takes so long
 *   FAKE_CUDA_MARK=FILE           FAIL and LIE hold only while FILE is not there; the call that
 *                                 failed or lied writes its name into it
 *
 * Errors of kernels (700 .. 719) stay, as a context that is lost keeps them. */
#ifndef TURN_H
#define TURN_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* those of a library */

enum FakeLie { LieNo, LieNone, LieHuge, LieMinus, LieOdd };

typedef struct FakePlan FakePlan;
struct FakePlan { char call[64]; long k; char what[16]; };

enum { FakeThings = 4096 };
static struct {
    long fails, lies;                /* calls of the planned name so far */
    int lasting;                     /* the error that stays */
    struct { const char *kind; void *p; } thing[FakeThings];
    pthread_mutex_t lock;
} fake = {.lock = PTHREAD_MUTEX_INITIALIZER};

int fake_left(const char *kind)
{
    int n = 0;
    for (int i = 0; i < FakeThings; i++)
        n += fake.thing[i].kind && (!kind || strcmp(fake.thing[i].kind, kind) == 0);
    return n;
}

static void *fake_made(const char *kind, void *p)
{
    pthread_mutex_lock(&fake.lock);
    int i = 0;
    while (i < FakeThings && fake.thing[i].kind)
        i++;
    if (p && i < FakeThings) {
        fake.thing[i].kind = kind;
        fake.thing[i].p = p;
    }
    pthread_mutex_unlock(&fake.lock);
    return p;
}

/* false: there is no such thing. */
static bool fake_is(const char *kind, const void *p, bool end)
{
    bool found = false;
    pthread_mutex_lock(&fake.lock);
    for (int i = 0; i < FakeThings && !found; i++) {
        found = fake.thing[i].kind && fake.thing[i].p == p && strcmp(fake.thing[i].kind, kind) == 0;
        if (found && end)
            fake.thing[i].kind = NULL;
    }
    pthread_mutex_unlock(&fake.lock);
    return found;
}

/* What the variable plans; false: nothing, or nothing any more. */
static bool fake_plan(const char *variable, FakePlan *p)
{
    const char *s = getenv(variable), *mark = getenv("FAKE_CUDA_MARK");
    return s && *s && sscanf(s, "%63s %ld %15s", p->call, &p->k, p->what) == 3 &&
           !(mark && *mark && access(mark, F_OK) == 0);
}

static void fake_mark(const char *call)
{
    const char *mark = getenv("FAKE_CUDA_MARK");
    FILE *f = mark && *mark ? fopen(mark, "w") : NULL;
    if (f) {
        fprintf(f, "%s\n", call);
        fclose(f);
    }
}

/* Is it this call's turn? */
static bool fake_due(const FakePlan *p, const char *call, long *count)
{
    if (strcmp(p->call, "*") != 0 && strcmp(p->call, call) != 0)
        return false;
    long n = ++*count;
    if (p->k && n != p->k)
        return false;
    if (p->k)
        fake_mark(call);
    return true;
}

static void fake_wait(const char *call)
{
    const char *s = getenv("FAKE_CUDA_SLOW");
    char name[64];
    long ms = 0;
    if (s && sscanf(s, "%63s %ld", name, &ms) == 2 && strcmp(name, call) == 0)
        nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* The error that this call gives; 0: none. */
static int fake_turn(const char *call)
{
    FakePlan p;
    fake_wait(call);
    pthread_mutex_lock(&fake.lock);
    int r = fake_plan("FAKE_CUDA_FAIL", &p) && fake_due(&p, call, &fake.fails) ? atoi(p.what) : 0;
    if (r >= 700 && r < 720 && r != 701)
        fake.lasting = r;
    pthread_mutex_unlock(&fake.lock);
    return r;
}

/* How this call lies; number: what of, or -1. */
static enum FakeLie fake_lie(const char *call, int number)
{
    static const char *const name[] = {"", "none", "huge", "minus", "odd"};
    FakePlan p;
    char full[80];
    enum FakeLie is = LieNo;
    snprintf(full, sizeof full, number < 0 ? "%s" : "%s#%d", call, number);
    pthread_mutex_lock(&fake.lock);
    if (fake_plan("FAKE_CUDA_LIE", &p) && fake_due(&p, full, &fake.lies))
        for (int i = 1; i < 5; i++)
            if (strcmp(p.what, name[i]) == 0)
                is = (enum FakeLie)i;
    pthread_mutex_unlock(&fake.lock);
    return is;
}

static long fake_number(const char *call, int number, long value, long huge)
{
    switch (fake_lie(call, number)) {
    case LieNone: return 0;
    case LieHuge: return huge;
    case LieMinus: return -1;
    default: return value;
    }
}

#define TURN \
    do { \
        int turn_ = fake_turn(__func__); \
        if (turn_) \
            return turn_; \
    } while (0)
#define TOLD(value) (int)fake_number(__func__, -1, (value), INT_MAX)
#define TOLD_OF(number, value) (int)fake_number(__func__, (number), (value), INT_MAX)
#define TOLD_SIZE(value) (size_t)fake_number(__func__, -1, (long)(value), LONG_MAX)
/* A new thing, unless the call lies. */
#define HANDLE(kind, make) \
    (fake_lie(__func__, -1) == LieNone ? NULL : fake_made((kind), (make)))

#endif
