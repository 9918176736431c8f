/* targets/gpu/gpu.h: what the run-times of cuda, hip and maca have in common.
 *
 *   find.c     libraries and tools by their places
 *   program.c  a thread program from its text, what its arguments are
 *   bind.c     what kernels get: arguments, grids, workspaces
 *   output.c   the side buffer: T.print, T.device_assert
 *   blocks.c   memory of the device that may be given out again
 *   keep.c     files of the cache's folder
 *
 * Nothing here calls a driver: where one is needed, the caller hands in a function. */
#ifndef MOONTILE_GPU_H
#define MOONTILE_GPU_H

#include "core/device/cache.h"
#include "core/ir/plan.h"
#include "core/device/worker.h"

/* find.c ------------------------------------------------------------------- */

/* Where something may be: $env/pattern, or the pattern alone where env is NULL; as
 * glob() has them. */
typedef struct GpuPlace GpuPlace;
struct GpuPlace { const char *env, *pattern; };

/* Folders that exist, later versions first: malloc'd names, NULL behind the last. */
enum { GpuMaxDirs = 64 };
typedef struct GpuDirs GpuDirs;
struct GpuDirs { char *dir[GpuMaxDirs + 1]; int n; };
void gpu_dirs_find(GpuDirs *d, const GpuPlace *place, size_t n);
void gpu_dirs_free(GpuDirs *d);
const char *const *gpu_dirs_list(const GpuDirs *d);

/* A library: $env names the file and no other is looked for; else in the folders
 * `first`, where dlopen() looks itself, in the folders `then`.  All lists end with
 * NULL and may be NULL. */
typedef struct GpuLibrary GpuLibrary;
struct GpuLibrary {
    const char *env;
    const char *const *names, *const *first, *const *then;
    bool global;         /* its names are there for libraries that it loads */
};
/* Its handle, or NULL.  path (or NULL) gets the file, `looked` the places, and why a
 * file that is there cannot be opened. */
void *gpu_dlopen(const GpuLibrary *l, char *path, size_t npath, Str *looked);
/* Is there a file of it?  A look only, nothing is loaded; folders that only ldconfig knows
 * are not seen. */
bool gpu_library_there(const GpuLibrary *l);
/* The first of the names, with spaces between, that the library has behind prefix. */
void *gpu_symbol(void *handle, const char *prefix, const char *names);
/* A program: on PATH, else in the folders of the places.  malloc'd; NULL: none. */
char *gpu_tool(const char *name, const GpuPlace *place, size_t n);

const char *gpu_bytes(double n, char out[32]); /* "3.2 GiB" */

/* program.c ------------------------------------------------------------------ */

/* An argument of the program, by its place in the list of a launch. */
typedef struct GpuArg GpuArg;
struct GpuArg {
    bool tensor;
    uint8_t dt;          /* scalars: how the value lies in its 8 bytes */
    uint32_t id;         /* Buf or Var */
    uint32_t align;      /* tensors: bytes; what the widest access wants */
};

/* A launch of the program and what it gets with these arguments. */
typedef struct GpuKernel GpuKernel;
struct GpuKernel {
    const PlanLaunch *l;
    void **param;        /* addresses of the values below, as launches take them */
    unsigned grid[3];
    bool empty;          /* no blocks with these arguments */
};

typedef struct GpuProgram GpuProgram;
struct GpuProgram {
    Prog *p; Plan *plan;
    GpuArg *arg; int narg;  /* parameters of the program, then its dimensions */
    int *place;             /* by Buf: index into arg, -1: none */
    GpuKernel *kernel;      /* by launch */
    /* of the last launch */
    bool ready;             /* the values below are those of `last` */
    DevArg *last;
    uint64_t *value;        /* by argument: what the kernel gets */
    int32_t *dim;           /* by argument: the same of dimensions */
    int64_t *env;           /* by Var, for x_eval */
    uint64_t shape;         /* counts changes of scalars and dimensions */
    uint64_t pool; size_t npool; /* device memory of counters and workspaces */
    size_t zeroed;          /* bytes at its beginning, of the counters: zeroed before each run */
    uint64_t *work;         /* by PlanWork: its address */
    uint64_t *counters;     /* by launch: of grid-wide barriers */
    bool prints;
    int *owner;             /* by PlanSite: its launch */
};

/* The program in the file at path, verified, and its plan; the arguments are listed.
 * *g was zeroed.  false: *err. */
bool gpu_read(GpuProgram *g, const char *path, DevError *err);
void gpu_free(GpuProgram *g); /* all but the pool */

/* bind.c --------------------------------------------------------------------- */

/* Makes the parameter lists of the kernels.  map(ud, i): the address of tensor map i,
 * NULL where the dialect has none; out: where the side buffer's address stands. */
bool gpu_bind(GpuProgram *g, void *(*map)(void *ud, int i), void *ud, const uint64_t *out,
              DevError *err);

/* What a device allows, and its memory. */
typedef struct GpuRoom GpuRoom;
struct GpuRoom {
    int grid[3];         /* blocks in each dimension */
    void *ud;
    /* How many blocks of kernel i run side by side on the whole device. */
    int64_t (*resident)(void *ud, int i);
    /* Makes g->pool one of `bytes`; false: *err. */
    bool (*pool)(void *ud, size_t bytes, DevError *err);
    /* Workspaces of so many bytes are more than there can be. */
    DevError (*full)(void *ud, size_t bytes);
};
/* Takes arguments over where they differ from those of the last launch.  false: *err,
 * and g is not ready. */
bool gpu_take(GpuProgram *g, const GpuRoom *r, const DevArg *arg, int narg, DevError *err);
/* They are those of the last launch. */
bool gpu_same(const GpuProgram *g, const DevArg *arg, int narg);
/* The error of a grid that is no multiple of its clusters. */
DevError gpu_no_cluster(const GpuKernel *k);
/* The parameters of kernel i in one buffer, each at a multiple of its size, as the
 * packed form of a launch takes them: their bytes; out has room for `size`, 0: too small. */
size_t gpu_pack(const GpuProgram *g, int i, void *out, size_t size);

/* output.c ------------------------------------------------------------------- */

enum { GpuOutBytes = 1 << 20 };
void gpu_out_init(PlanOut *o);
/* Records of the run before are wiped out. */
void gpu_out_clear(PlanOut *o);
/* Prints what is there through host; the error of a failed device_assert, if there is one.
 * lost: an assertion that fails ends the device's context. */
DevError gpu_out_read(const GpuProgram *g, const PlanOut *o, bool lost, const DevHost *host,
                      uint32_t *failed_at);

/* blocks.c ------------------------------------------------------------------- */

/* Allocating and freeing takes a driver far longer than most kernels run: blocks that
 * are free wait here for the next one of their size. */
typedef struct GpuBlock GpuBlock;
struct GpuBlock { uint64_t at; size_t bytes; };
enum { GpuSpare = 24 };
typedef struct GpuBlocks GpuBlocks;
struct GpuBlocks {
    GpuBlock *used; size_t nused, capused;  /* by address */
    GpuBlock spare[GpuSpare]; int nspare;
    size_t spared;                          /* bytes of these */
    void *ud;
    void (*free)(void *ud, uint64_t at);    /* gives memory back to the driver */
};
uint64_t gpu_blocks_take(GpuBlocks *b, size_t bytes);   /* a spare one; 0: none */
bool gpu_blocks_add(GpuBlocks *b, uint64_t at, size_t bytes); /* false: no memory */
void gpu_blocks_drop(GpuBlocks *b, uint64_t at);
bool gpu_blocks_empty(GpuBlocks *b);        /* frees the spare ones; false: there were none */
void gpu_blocks_free(GpuBlocks *b);

/* keep.c --------------------------------------------------------------------- */

bool gpu_read_file(const char *path, Str *out);
bool gpu_write_file(const char *path, const Str *const *part, size_t n);
/* Writes bytes into a file of the cache's folder, named by their hash. */
bool gpu_keep(const Cache *k, const char *ext, const char *s, size_t n, Str *path);
/* Code and what its compiler said as one entry.  kind: of the device, 7 letters at most. */
bool gpu_code_get(const Cache *k, Hash key, const char *ext, const char *kind, Str *code,
                  Str *info, uint64_t *flag);
void gpu_code_put(const Cache *k, Hash key, const char *ext, const char *kind, const Str *code,
                  const Str *info, uint64_t flag);
/* What a compiler said, line by line; longer ones are cut. */
void gpu_each_line(const char *log, void (*line)(void *ud, const char *line), void *ud);
/* "regs" (of a thread), "stack" or "spill" (bytes) of a kernel, from lines "kernel NAME regs
 * stack spill" of the info; -1: not known. */
int gpu_code_figure(const Str *info, const char *kernel, const char *what);

#endif
