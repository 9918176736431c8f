/* targets/cpu/run.h: what the files that build and run kernels share.
 *
 *   build.c    C text -> shared object, through the cache   (session)
 *   run.c      shared object -> running blocks              (worker)
 *   whole.c    were the outputs written whole?  whole_threads.c: of kernels of threads
 *   devcopy.c     for tests: tensors have device copies
 *   threads.c  kernels that speak of single threads: the simulator's executor
 *   pool.c     the threads that run them
 *   options.c  "cpu -threads=4 -fast_math" */
#ifndef MOONTILE_CPU_RUN_H
#define MOONTILE_CPU_RUN_H

#include "abi.h"
#include "cpu.h"

/* options.c */
typedef struct CpuOptions CpuOptions;
struct CpuOptions {
    int threads;    /* 0: all processors that this process may use */
    bool fast_math; /* reassociate, flush denormals */
    bool quick;     /* compile fast, run slowly */
    bool copied;    /* tensors have device copies */
    uint64_t copies; /* bytes of them all; 0: kernels use the host's bytes */
};
DevError cpu_options(const char *text, CpuOptions *o); /* none: all is well */
bool cpu_apart(const char *text); /* Device.apart */

/* threads.c */
bool cpu_is_threads(const char *path);     /* is the file one, and no shared object? */
void *cpu_executor(DevError *err);         /* opens sim_device; NULL: *err, or no memory */

/* devcopy.c: members of struct Device */
typedef struct CpuCopies CpuCopies;
struct CpuCopies { size_t limit, used; };
CpuCopies *cpu_copies(void *dev); /* run.c */
void *cpu_mem_new(void *dev, void *host, size_t bytes, DevError *err);
void cpu_mem_free(void *dev, void *copy);
bool cpu_mem_put(void *dev, void *copy, const void *host, size_t at, size_t n, DevError *err);
bool cpu_mem_get(void *dev, void *copy, void *host, size_t at, size_t n, DevError *err);

/* whole.c: of a module, what is known of the launches so far */
typedef struct Whole Whole;
typedef void WholeSizes(void *ud, const MtArg *arg, int64_t *size); /* as MtModule.sizes */
struct Whole {
    uint64_t runs;
    int64_t *last;  /* of each argument: its number when a launch was looked at last */
    int64_t *size;  /* of all outputs */
    void **shadow;  /* between whole_again() and whole_missing(): the outputs */
    WholeSizes *sizes; /* in the place of the module's */
    void *ud;
};
bool whole_ready(Whole *w, const MtModule *m, int64_t numbers); /* false: no memory */
void whole_free(Whole *w);
/* Behind a launch of ms: may an element of an output be unwritten? */
bool whole_doubted(Whole *w, const MtModule *m, const MtArg *arg, double ms);
/* Then: puts other outputs into arg, for a second run.  false: no memory. */
bool whole_again(Whole *w, const MtModule *m, MtArg *arg);
/* Behind that run, which may have failed: puts the outputs back; an error of struct Device
 * and its line; none: all was written. */
DevError whole_missing(Whole *w, const MtModule *m, MtArg *arg, bool ran, uint32_t *line);

/* whole_threads.c: a module in whose place a thread program stands, of which only what
 * whole.c asks is set */
struct SimProg;
typedef struct WholeThreads WholeThreads;
struct WholeThreads { MtModule m; MtOutput *output; char *tensor; };
/* Of sp, which outlives both; fills w, too.  false: no memory, t and w are to be freed as ever. */
bool whole_threads_ready(WholeThreads *t, Whole *w, struct SimProg *sp);
void whole_threads_free(WholeThreads *t);

/* pool.c: threads that share out [0, total).  The caller is thread 0. */
typedef struct Pool Pool;
typedef void PoolFn(void *ud, int thread, int64_t from, int64_t to);
Pool *pool_new(int threads); /* has fewer when the system gives fewer; NULL */
void pool_free(Pool *p);
int pool_size(const Pool *p);
/* Calls fn for chunks of at most `chunk` until all is done or stopped. */
void pool_run(Pool *p, PoolFn *fn, void *ud, int64_t total, int64_t chunk);
void pool_stop(Pool *p); /* from fn: hand out no more */
int pool_processors(void); /* by affinity mask and container quota */

#endif
