/* core/tensor/tensor.h: numbers on the host: storage that a worker can map too,
 * strided tensors over it, conversions with exact rounding, random numbers,
 * files, and reference operators in float64. */
#ifndef MOONTILE_TENSOR_H
#define MOONTILE_TENSOR_H

#include <stdatomic.h>

#include "core/base/base.h"

enum { TensorDims = 8 };

/* storage.c: bytes shared between the session and its worker.  Backed by a
 * memfd: large ones own theirs, small ones live in slabs.  Reference counted;
 * new bytes read as zero.  The session alone frees. */
typedef struct Storage Storage;
enum { StorageDeviceCopies = 4 };
struct Storage {
    char *data;     /* the host's bytes: use storage_read() and storage_write() */
    size_t bytes;
    int fd;         /* memfd that holds it */
    size_t fdoff;   /* where in that file; a multiple of 4096 or inside a slab */
    uint64_t id;    /* of the memfd; never used twice in a process */
    uint32_t ref;
    /* Who has the newest contents; see storage.h. */
    _Atomic uint8_t state;       /* enum StorageState */
    bool unwritten;              /* the host's bytes still are to be written: all are `fill`, over */
    uint64_t fill;               /* and over; where it is 0, the memory has them already */
    bool unseen;                 /* of a dry run: its values were never computed (lua/seam/unseen.c) */
    uint64_t devcopy[StorageDeviceCopies]; /* tags of the device copies that have them too; 0:
                                            * none */
    struct Keeper *keeper;       /* SGaway: of the device that has them */
    Storage *next, **link;       /* among what that device keeps */
    uint32_t writes, followed;   /* of autograd: changes in place; the last whose origin it knows */
};
Storage *storage_new(size_t bytes); /* NULL: no memory; aligned to 64 bytes */
Storage *storage_ref(Storage *s);
void storage_unref(Storage *s);

/* The one door to the host's bytes.  What a device has newer is fetched first;
 * after storage_write() the host's bytes are the newest.  The pointers are the
 * same each time, but must be asked for anew after each launch. */
enum StorageState {
    SGhost,    /* nobody else has these bytes */
    SGshared,  /* device copies may have them too, or nobody has written them yet */
    SGaway     /* a device has newer ones, or they are still to be filled */
};
void storage_fetch(Storage *s);   /* the host may read */
void storage_claim(Storage *s);   /* the host may write */
void storage_replace(Storage *s); /* the host will write all of it: nothing is fetched */
/* All of it is `fill` now, over and over, as bytes in memory.  They are written when somebody
 * asks for them: a tensor that a kernel will fill takes no memory here, and a device fills its
 * copy by itself. */
void storage_fill(Storage *s, uint64_t fill);
/* Zeros that nobody has written to? */
static inline bool storage_blank(const Storage *s)
{
    return s->unwritten && !s->fill && !s->keeper;
}
static inline const char *storage_read(Storage *s)
{
    if (atomic_load_explicit(&s->state, memory_order_acquire) == SGaway)
        storage_fetch(s);
    return s->data;
}
static inline char *storage_write(Storage *s)
{
    if (atomic_load_explicit(&s->state, memory_order_acquire) != SGhost)
        storage_claim(s);
    return s->data;
}

typedef struct Tensor Tensor;
struct Tensor {
    Storage *st;
    int64_t offset;              /* of element [0, ...], in elements */
    enum Dtype dt;
    int ndim;                    /* 0: a scalar */
    int64_t shape[TensorDims];
    int64_t stride[TensorDims];  /* in elements */
};

/* tensor.c */
/* zeros; false: no memory or too large */
bool tensor_new(Tensor *t, enum Dtype dt, int ndim, const int64_t *shape);
void tensor_free(Tensor *t);
int64_t tensor_count(const Tensor *t);
int64_t tensor_bytes(enum Dtype dt, int64_t count); /* sub-byte types round up */
/* overlap.c: do a and b have an element, or a part of one, in common?  True also
 * where finding out would take too long. */
bool tensor_meets(const Tensor *a, const Tensor *b);
bool tensor_compact(const Tensor *t);               /* row-major without gaps */
double tensor_get(const Tensor *t, const int64_t *idx); /* as float64; int64 beyond 2^53 rounds */
int64_t tensor_geti(const Tensor *t, const int64_t *idx); /* integers and bool exactly */
void tensor_set(Tensor *t, const int64_t *idx, double v);
void tensor_seti(Tensor *t, const int64_t *idx, int64_t v);
/* All elements of t are about to be written: if it is all of its storage, what
 * a device has of it is not fetched first. */
void tensor_renew(Tensor *t);
void tensor_fill(Tensor *t, double v);
void tensor_filli(Tensor *t, int64_t v);
/* Equal shapes; converts dtype, any strides, the two may overlap.  false: no
 * memory for the copy that an overlap needs. */
bool tensor_copy(Tensor *dst, const Tensor *src);
/* A compact copy in another dtype; false: no memory. */
bool tensor_clone(Tensor *out, const Tensor *t, enum Dtype dt);
bool tensor_sameshape(const Tensor *a, const Tensor *b);
bool tensor_equal(const Tensor *a, const Tensor *b); /* shape, dtype and values; NaN differs */

/* Views: tensor_view makes a second tensor over the same storage; the others
 * change what a view shows, never its elements.  Dimensions and indices are
 * in range: the caller has looked. */
void tensor_view(Tensor *out, const Tensor *t);
void tensor_select(Tensor *t, int dim, int64_t i);              /* drops dim */
void tensor_narrow(Tensor *t, int dim, int64_t lo, int64_t hi); /* [lo, hi) */
void tensor_permute(Tensor *t, const int *dim); /* new dimension d is old dim[d] */
void tensor_unsqueeze(Tensor *t, int dim);      /* a new dimension of 1 before dim */
bool tensor_reshape(Tensor *t, int ndim, const int64_t *shape); /* false: needs a copy */
bool tensor_expand(Tensor *t, int ndim, const int64_t *shape);  /* false: does not broadcast */
/* The shape that a and b broadcast to; false: none. */
bool tensor_broadcast(const Tensor *a, const Tensor *b, int *ndim, int64_t *shape);

/* Walks up to RowsTensors tensors of one shape in row-major order, a run of n
 * elements at a time: element k of the run of tensor j is at[j] + k * step[j].
 *     for (rows_start(&r, nt, t); rows_next(&r);) ...
 * A run is as long as the strides of all of them allow. */
enum { RowsTensors = 4 };
typedef struct Rows Rows;
struct Rows {
    int64_t n, at[RowsTensors], step[RowsTensors];
    int nt, ndim;
    int64_t left; /* runs still to come */
    int64_t shape[TensorDims], idx[TensorDims], stride[RowsTensors][TensorDims];
};
void rows_start(Rows *r, int nt, const Tensor *const *t);
bool rows_next(Rows *r);
/* n elements from position at with a stride, to and from float64 and int64. */
void tensor_loadn(const Tensor *t, int64_t at, int64_t step, int64_t n, double *out);
void tensor_storen(Tensor *t, int64_t at, int64_t step, int64_t n, const double *v);
void tensor_loadin(const Tensor *t, int64_t at, int64_t step, int64_t n, int64_t *out);
void tensor_storein(Tensor *t, int64_t at, int64_t step, int64_t n, const int64_t *v);

/* dtype.c: one value.  Rounding is to nearest, ties to even.  Integers from
 * floats truncate and saturate, NaN gives 0; those of less than 32 bits are the last bits of the int32 or
 * uint32, as nvcc and TileLang have it.  What is too large for float8_e5m2 is
 * infinity, for float8_e4m3fn, which has none, NaN, as in PyTorch. */
double dtype_load(enum Dtype dt, const void *p, int64_t i); /* element i of an array */
void dtype_store(enum Dtype dt, void *p, int64_t i, double v);
int64_t dtype_loadi(enum Dtype dt, const void *p, int64_t i);
void dtype_storei(enum Dtype dt, void *p, int64_t i, int64_t v); /* wraps */
/* The same for n contiguous elements from i on. */
void dtype_loadn(enum Dtype dt, const void *p, int64_t i, int64_t n, double *out);
void dtype_storen(enum Dtype dt, void *p, int64_t i, int64_t n, const double *v);
/* As PyTorch converts floats on a GPU: uint8 wraps around what fits into int64; NaN as int64 is the
 * least.  The rest as dtype_storen, which is how kernels convert. */
void dtype_wrapn(enum Dtype dt, void *p, int64_t i, int64_t n, const double *v);
void dtype_loadin(enum Dtype dt, const void *p, int64_t i, int64_t n, int64_t *out);
void dtype_storein(enum Dtype dt, void *p, int64_t i, int64_t n, const int64_t *v);
/* v as dt, back as double: as kernels convert, where both types of 8 bits saturate. */
double dtype_round(enum Dtype dt, double v);
double dtype_roundi(enum Dtype dt, int64_t v); /* likewise, rounded once */
/* Converts n contiguous elements; i0 and j0 are element offsets. */
void dtype_convert(enum Dtype to, void *dst, int64_t i0, enum Dtype from,
                   const void *src, int64_t j0, int64_t n);
bool dtype_isint(enum Dtype dt); /* signed, unsigned; not bool */
double dtype_max(enum Dtype dt); /* greatest finite value */
double dtype_min(enum Dtype dt); /* least finite value */
double dtype_eps(enum Dtype dt); /* floats: spacing at 1 */

/* rng.c: Philox 4x32-10, counter based: element i of draw d of seed s is the
 * same on every machine. */
typedef struct Rng Rng;
struct Rng { uint64_t seed, draw; };
void philox4x32(uint32_t ctr[4], const uint32_t key[2]); /* ten rounds, in place */
/* Each call is one draw: it steps r->draw.  t is compact. */
void rng_uniform(Rng *r, Tensor *t, double lo, double hi); /* [lo, hi) */
void rng_normal(Rng *r, Tensor *t, double mean, double sd);
void rng_int(Rng *r, Tensor *t, int64_t lo, int64_t hi);   /* [lo, hi) */

/* npy.c: NumPy's files.  Errors are reported into c (E_npy_*, E_npz_*) and
 * false or NULL returned; a tensor handed out is the caller's to free.
 * NumPy has no narrow types of ours.  bfloat16 is written as ml_dtypes does,
 * raw two-byte '<V2'; the others as a structured type of one field that bears
 * the dtype's name, int4 one to a byte.  `raw` says what one-byte elements
 * without a name are; DTnone: an error. */
bool npy_load(Ctx *c, const char *path, enum Dtype raw, Tensor *t);
bool npy_save(Ctx *c, const char *path, const Tensor *t);
typedef struct Npz Npz;
Npz *npz_open(Ctx *c, const char *path);
/* The next entry: true, its name (valid until the next call) and tensor.
 * *end is set when there are no more. */
bool npz_next(Npz *z, Ctx *c, enum Dtype raw, const char **name, Tensor *t, bool *end);
void npz_close(Npz *z);
bool npz_save(Ctx *c, const char *path, int n, const char *const *name,
              const Tensor *const *t, bool compress);

#endif
