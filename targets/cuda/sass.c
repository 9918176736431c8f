/* targets/cuda/sass.c: whether the machine code of a kernel may keep the lanes of a warp apart.
 *
 * A warp has sixteen barriers for its lanes, of which ptxas hands out twelve.  Where branches of
 * lanes nest deeper, it saves a barrier in a register, uses it for something inside, and restores
 * it at the end.  A branch out of the inner part (BREAK) leads to that end: lanes that take it
 * restore the outer barrier while others still wait at the inner one, all are let go together, and
 * the warp is in two parts from there on; the block's barriers count it once.  ptxas of CUDA 13.0
 * does that at -O1 and above.  The printed text avoids it (`joined` in prelude_math.c); this finds
 * where it happened all the same. */
#include <elf.h>
#include <string.h>

#include "cuda.h"

/* Of Volta's and all later chips: sixteen bytes each, the operation in the lowest twelve bits. */
enum { Instruction = 16, Break = 0x942, ToBarrier = 0x356 /* BMOV B, R */ };

static uint32_t word(const char *code, size_t at)
{
    uint32_t w;
    memcpy(&w, code + at, sizeof w);
    return w;
}

/* The barriers, a bit each, that some instruction of code[0 .. n) branches out of, and those that
 * one restores: BREAK names it in bits 16 to 19, BMOV in bits 24 to 27. */
static bool lanes_part(const char *code, size_t n)
{
    uint32_t broken = 0, restored = 0;
    for (size_t i = 0; i + Instruction <= n; i += Instruction) {
        uint32_t w = word(code, i), op = w & 0xfff;
        broken |= op == Break ? 1u << (w >> 16 & 15) : 0;
        restored |= op == ToBarrier ? 1u << (w >> 24 & 15) : 0;
    }
    return broken & restored;
}

static bool section(const Str *code, const Elf64_Ehdr *h, unsigned i, Elf64_Shdr *out)
{
    uint64_t at = h->e_shoff + (uint64_t)i * h->e_shentsize;
    if (h->e_shentsize < sizeof *out || at < h->e_shoff || at > code->n ||
        code->n - at < sizeof *out)
        return false;
    memcpy(out, code->s + at, sizeof *out);
    return out->sh_type == SHT_NOBITS ||
           (out->sh_offset <= code->n && out->sh_size <= code->n - out->sh_offset);
}

bool cuda_doubtful(const Str *code)
{
    Elf64_Ehdr h;
    Elf64_Shdr s;
    if (code->n < sizeof h || memcmp(code->s, ELFMAG, SELFMAG) != 0)
        return false; /* PTX: the driver compiles it */
    memcpy(&h, code->s, sizeof h);
    if (h.e_machine != EM_CUDA)
        return false;
    for (unsigned i = 0; i < h.e_shnum; i++)
        if (section(code, &h, i, &s) && s.sh_type == SHT_PROGBITS && s.sh_flags & SHF_EXECINSTR &&
            lanes_part(code->s + s.sh_offset, s.sh_size))
            return true;
    return false;
}
