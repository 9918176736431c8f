/* targets/cpu/abi.h: what a generated shared object exports and what it may
 * call.  emit.c prints these same declarations at the head of every kernel
 * (printed source includes no headers); abi.h is what run.c compiles against.
 * Change both together, and the number.  ORDER ABI */
#ifndef MOONTILE_CPU_ABI_H
#define MOONTILE_CPU_ABI_H

#include <stdint.h>

enum { MtAbi = 3 };

/* Arguments: one a parameter (pointer to element 0, or scalar: integers and
 * bool in i, floats in f), then one i a symbolic dimension, then the stride
 * symbols' values (same table, they are dimensions too), then one p for each
 * alloc_global workspace. */
typedef union MtArg { void *p; int64_t i; double f; } MtArg;

typedef struct MtPrint {  /* static data of one T.print */
    const char *message, *name; /* name NULL: a scalar or message only */
    int32_t dtype, ndim;        /* enum Dtype of *data; ndim -1: message only, 0: scalar */
    int64_t shape[8];
    int64_t stride[8];          /* in elements */
    int32_t line;
} MtPrint;

typedef struct MtRt MtRt;
struct MtRt {             /* one a thread */
    int64_t block;        /* linear index of the running block */
    int64_t bx, by, bz;
    void (*print)(MtRt *rt, const MtPrint *what, const void *data);
    void (*fail)(MtRt *rt, const char *message, int32_t line); /* does not return */
    void *ud;
    void (*zero)(MtRt *rt, int32_t line); /* an integer is divided by zero there */
};

typedef struct MtLaunch {
    /* Size of the grid in each direction for these arguments. */
    void (*grid)(const MtArg *a, int64_t g[3]);
    /* Runs blocks from <= b < to in launch order, scratch is 64-byte aligned. */
    void (*run)(const MtArg *a, const int64_t g[3], int64_t from, int64_t to,
                char *scratch, MtRt *rt);
    int64_t scratch;      /* bytes a thread needs for shared tiles and fragments */
    int32_t sequential;   /* not 0: blocks must run on one thread, in order */
} MtLaunch;

typedef struct MtOutput { /* a tensor that the call made for this launch */
    int32_t arg, bits, ndim, line; /* bits of an element; where it is declared */
    const char *name;
} MtOutput;

typedef struct MtModule { /* exported as mt_module */
    int32_t abi, narg, nlaunch, nworkspace; /* narg: workspaces not counted */
    const MtLaunch *launch;
    void (*workspace)(const MtArg *a, int64_t *bytes); /* of each workspace */
    uint64_t check;       /* FNV-1a of the kernel's name: detects a mixed-up file */
    /* The name of an argument that the code was not made for, with its value and
     * what it may be; NULL when all are as they should.  least > most: it is a tensor
     * that shares memory with the one whose name *value points to.  The pointer may
     * be NULL. */
    const char *(*unfit)(const MtArg *a, int64_t *value, int64_t *least, int64_t *most);
    /* noutput: 0 where the kernel must not run a second time.  sizes: all dimensions of
     * one output after the other.  tensor: of each argument, is it one? */
    int32_t noutput;
    const MtOutput *output;
    void (*sizes)(const MtArg *a, int64_t *size);
    const char *tensor;
} MtModule;

#endif
