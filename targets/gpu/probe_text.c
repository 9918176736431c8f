/* targets/gpu/probe_text.c: words that the kernels of probes are written in: the
 * vendor's (GpuVendor.words_of_probes) behind those of its dialect.
 *
 * MT_TID, MT_BLOCK_X ..; MT_BARRIER(), MT_BALLOT(p), MT_SHUFFLE(v, lane); MT_LANES: of a
 * wave, as our machine has it; MT_WIDTH: as the compiler does. */
#include "probe.h"

void probe_words(const Gpu *d, const char *text, Str *out)
{
    const Dialect *l = d->v->dialect;
    str_puts(out, l->head ? l->head : "");
    str_fmt(out, "#define MT_LANES %d\n", d->opt.m->warp);
    str_puts(out, d->v->words_of_probes);
    str_puts(out, text);
}
