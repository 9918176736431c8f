/* core/ir/reduce.c: how values combine: in reductions, scans, atomics, conversions. */
#include "reduce.h"

#include <math.h>
#include <string.h>

enum Red red_named(const char *name)
{
    for (int i = Rnone + 1; i < NRed; i++)
        if (strcmp(name, redinfo[i].text) == 0)
            return (enum Red)i;
    return Rnone;
}

const char *red_names(Ctx *c, bool updates, const char *between)
{
    const char *all = "";
    for (int i = Rnone + 1; i < NRed; i++)
        if (!updates || redinfo[i].update)
            all = afmt(c, "%s%s%s", all, *all ? between : "", redinfo[i].text);
    return all;
}

enum Dtype red_type(enum Dtype src, enum Dtype dst)
{
    if (dtypeinfo[dst].cls != 'F')
        return dtypeinfo[dst].bits < 32 ? DTi32 : dst;
    return src == DTf64 || dst == DTf64 ? DTf64 : DTf32;
}

Ex red_identity(Prog *p, int kind, enum Dtype dt)
{
    bool f = dtypeinfo[dt].cls == 'F', u = dtypeinfo[dt].cls == 'U';
    int bits = dtypeinfo[dt].bits;
    int64_t top = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
    switch (redinfo[kind].start) {
    case 'L': return f ? x_float(p, dt, -INFINITY) : x_int(p, dt, u ? 0 : -top - 1);
    case 'G': return f ? x_float(p, dt, INFINITY) : x_int(p, dt, u ? -1 : top);
    case '1': return x_int(p, dt, -1);
    default: return f ? x_float(p, dt, 0) : x_int(p, dt, 0);
    }
}

Ex red_combine(Prog *p, int kind, bool nan, Ex a, Ex b)
{
    enum Xop op = redinfo[kind].op;
    if (!nan || dtypeinfo[ex_type(p, a)].cls != 'F' || (op != Xmax && op != Xmin))
        return x_bin(p, op, a, b);
    Ex first = op == Xmax ? x_bin(p, Xlt, b, a) : x_bin(p, Xlt, a, b);
    return x_select(p, x_bin(p, Xor, first, x_bin(p, Xne, a, a)), a, b);
}

Ex red_element(Prog *p, int kind, enum Dtype dt, enum Dtype dst, Ex e)
{
    Ex v = x_cast(p, dt, dtypeinfo[dst].cls == 'F' ? e : x_cast(p, dst, e));
    return redinfo[kind].enters == 'm' ? x_call(p, Iabs, &v, 1) : v;
}

Ex red_update(Prog *p, int kind, Ex was, Ex v)
{
    return kind < NRed ? x_bin(p, redinfo[kind].op, was, v) : v;
}
