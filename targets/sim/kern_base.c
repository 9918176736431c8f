/* targets/sim/kern_base.c: the inner loops for any processor, and the choice. */
#define TABLE kern_base
#include "kern_loops.h"

enum KernClass kern_class(enum Dtype dt)
{
    const DtypeInfo *d = &dtypeinfo[dt];
    if (d->cls == 'F')
        return d->bits == 64 ? KCd : KCf;
    if (d->bits == 64)
        return d->cls == 'U' ? KCm : KCl;
    return dt == DTu32 ? KCu : KCi;
}

const KernTable *kern_table(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &kern_avx2;
#endif
    return &kern_base;
}
