/* core/tensor/op_pool.c: how host operators use threads. */
#include "op.h"
#include "ref.h"

void op_parallel(const Tensor *out, int64_t n, double work,
                 void (*f)(void *ud, int64_t lo, int64_t hi), void *ud)
{
    /* ref_parallel starts threads from 2e6 multiply-adds on */
    ref_parallel(n, out && dtypeinfo[out->dt].bits < 8 ? 0 : work, f, ud);
}
