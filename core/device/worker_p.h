/* core/device/worker_p.h: what the files of the worker share.
 *
 *   worker.c         messages, modules, texts
 *   worker_memory.c  mappings of memfds and their device copies on the device
 *   worker_run.c     launches and benches */
#ifndef MOONTILE_WORKER_P_H
#define MOONTILE_WORKER_P_H

#include <pthread.h>

#include "proto.h"
#include "core/tensor/storage.h"

/* data NULL: it could not be mapped.  devcopy NULL: not made yet, or evicted. */
typedef struct Mapping Mapping;
struct Mapping { uint64_t id; char *data; size_t bytes; char *devcopy; };

typedef struct Loaded Loaded;
struct Loaded { uint64_t id; void *mod; };

/* Arguments that wait for a bench; arg is malloc'd. */
typedef struct ArgSet ArgSet;
struct ArgSet { DevArg *arg; int narg; };

typedef struct Worker Worker;
struct Worker {
    int fd;
    const Target *const *targets;
    const Device *device;
    void *dev;
    char *options;
    bool apart;   /* the device has memory of its own */
    bool cold;    /* it was not warmed yet */
    bool files;   /* the wall around files is up, if anybody asked for walls */
    bool unsent;  /* an upload failed: the run that wants it must not begin */
    bool lost;    /* the device is of no more use: end after the answer */
    Board *board;
    Mapping *map; /* in the order of ids */
    size_t nmap, capmap;
    Loaded *mod;
    size_t nmod, capmod;
    ArgSet *set;
    size_t nset, capset;
    pthread_mutex_t printing;
    DevHost host; /* of Device.attach */
    Msg in, out;
    DevArg arg[LaunchArgs];
    double ms[BenchTimes];
};

/* Answers; false: nothing can be sent, or the worker has to end. */
bool answer(Worker *w);
bool answer_ok(Worker *w);
/* Takes err over.  module: number of the one that is concerned, or 0. */
bool answer_fail(Worker *w, uint32_t line, uint64_t module, DevError err);
Loaded *worker_loaded(Worker *w, uint64_t id);

/* worker_memory.c */
void do_map(Worker *w);
void do_drop(Worker *w);
bool do_put(Worker *w);
bool do_get(Worker *w);
void do_evict(Worker *w);
/* Where the device finds byte `at` of memfd `id`; NULL and an *err that names argument i
 * (from 0). */
void *worker_address(Worker *w, uint64_t id, uint64_t at, int i, DevError *err);

/* worker_run.c */
DevHost host_of(Worker *w, bool prints); /* prints: for a kernel's first run */
bool do_launch(Worker *w);
void do_set(Worker *w);
bool do_bench(Worker *w);

#endif
