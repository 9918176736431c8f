/* core/lower/build/combine.c: how values combine: in reductions, scans and conversions. */
#include <math.h>

#include "reduce.h"

enum Dtype red_type(enum Dtype src, enum Dtype dst)
{
    if (dtypeinfo[dst].cls != 'F' && dtypeinfo[src].cls != 'F')
        return dtypeinfo[dst].bits < 32 ? DTi32 : dst;
    return src == DTf64 || dst == DTf64 ? DTf64 : DTf32;
}

Ex red_identity(Prog *p, int kind, enum Dtype dt)
{
    bool f = dtypeinfo[dt].cls == 'F', u = dtypeinfo[dt].cls == 'U';
    int bits = dtypeinfo[dt].bits;
    int64_t top = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
    switch (kind) {
    case Rmax: return f ? x_float(p, dt, -INFINITY) : x_int(p, dt, u ? 0 : -top - 1);
    case Rmin: return f ? x_float(p, dt, INFINITY) : x_int(p, dt, u ? -1 : top);
    case Rbitand: return x_int(p, dt, -1);
    default: return f ? x_float(p, dt, 0) : x_int(p, dt, 0);
    }
}

Ex red_combine(Prog *p, int kind, bool nan, Ex a, Ex b)
{
    switch (kind) {
    case Rsum: case Rabssum: return x_bin(p, Xadd, a, b);
    case Rbitand: return x_bin(p, Xband, a, b);
    case Rbitor: return x_bin(p, Xbor, a, b);
    case Rbitxor: return x_bin(p, Xbxor, a, b);
    default: break;
    }
    enum Xop op = kind == Rmin ? Xmin : Xmax;
    if (!nan || dtypeinfo[ex_type(p, a)].cls != 'F')
        return x_bin(p, op, a, b);
    Ex first = op == Xmax ? x_bin(p, Xlt, b, a) : x_bin(p, Xlt, a, b);
    return x_select(p, x_bin(p, Xor, first, x_bin(p, Xne, a, a)), a, b);
}

Ex red_element(Prog *p, int kind, enum Dtype dt, Ex e)
{
    Ex v = x_cast(p, dt, e);
    return kind == Rabssum || kind == Rabsmax ? x_call(p, Iabs, &v, 1) : v;
}

Ex low_shuffle(Low *l, enum Intr fn, Ex value, Ex lane, int width)
{
    Ex arg[4] = {value, lane, low_i(l, width),
                 l->m->warp > 32 ? x_int(l->p, DTu64, -1) : x_int(l->p, DTu32, -1)};
    return x_call(l->p, fn, arg, 4);
}
