/* cuda_sass.c: what cuda_doubtful() finds in machine code, made by hand here: barriers for lanes
 * that code branches out of and restores.  With files of machine code as arguments: whether they are
 * doubtful. */
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../targets/cuda/cuda.h"

enum { Code = sizeof(Elf64_Ehdr), Most = 8, Table = Code + 16 * Most };
typedef struct Made { char byte[Table + 2 * sizeof(Elf64_Shdr)]; } Made;

/* A file with one section of n instructions, of which the first 32 bits matter. */
static Made made(const uint32_t *code, int n, uint32_t type, uint64_t flags)
{
    Made m = {{0}};
    Elf64_Ehdr h = {.e_ident = ELFMAG, .e_machine = EM_CUDA, .e_shoff = Table, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 2};
    Elf64_Shdr s = {.sh_type = type, .sh_flags = flags, .sh_offset = Code, .sh_size = 16 * (uint64_t)n};
    memcpy(m.byte, &h, sizeof h);
    for (int i = 0; i < n; i++)
        memcpy(m.byte + Code + 16 * i, &code[i], sizeof *code);
    memcpy(m.byte + Table + sizeof s, &s, sizeof s);
    return m;
}

static bool doubtful(const void *bytes, size_t n)
{
    Str s = {0};
    str_add(&s, bytes, n);
    bool is = cuda_doubtful(&s);
    str_free(&s);
    return is;
}

static int failed;

static void expect(const char *what, bool is, bool want)
{
    if (is != want) {
        printf("%s: %s\n", what, is ? "doubtful" : "not doubtful");
        failed = 1;
    }
}

static void by_hand(void)
{
    /* as an H200's nvdisasm reads them */
    enum { BSSY_B11 = 0x000b7945, BREAK_B11 = 0x000b9942, BREAK_B10 = 0x000a9942,
           BMOV_R37_B11 = 0x0b257355, BMOV_B11_R37 = 0x0b007356, BMOV_B10_R4 = 0x0a007356, NOP = 0x7918 };
    static const uint32_t wrong[] = {BSSY_B11, BMOV_R37_B11, NOP, BSSY_B11, BREAK_B11, BMOV_B11_R37};
    static const uint32_t other[] = {BSSY_B11, BMOV_R37_B11, BREAK_B10, BMOV_B11_R37, BREAK_B10};
    static const uint32_t saved[] = {BREAK_B11, BMOV_R37_B11, NOP, BMOV_B10_R4};
    Made m = made(wrong, 6, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR);
    expect("left and restored", doubtful(&m, sizeof m), true);
    for (size_t n = 0; n < sizeof m; n++)
        expect("cut off", doubtful(&m, n), false);
    m = made(wrong, 6, SHT_PROGBITS, SHF_ALLOC);
    expect("data", doubtful(&m, sizeof m), false);
    m = made(wrong, 5, SHT_PROGBITS, SHF_EXECINSTR);
    expect("not restored", doubtful(&m, sizeof m), false);
    m = made(other, 5, SHT_PROGBITS, SHF_EXECINSTR);
    expect("another barrier", doubtful(&m, sizeof m), false);
    m = made(saved, 4, SHT_PROGBITS, SHF_EXECINSTR);
    expect("another restored", doubtful(&m, sizeof m), false);
    m = made(wrong, 6, SHT_PROGBITS, SHF_EXECINSTR);
    m.byte[offsetof(Elf64_Ehdr, e_machine)] = EM_X86_64;
    expect("of another machine", doubtful(&m, sizeof m), false);
    expect("PTX", doubtful(".version 8.0", 12), false);
}

/* Whatever stands in a header, nothing outside the file is read (sanitizers see it). */
static void at_random(void)
{
    static const uint32_t code[] = {0x000b9942, 0x0b007356};
    srand(1);
    for (int i = 0; i < 20000; i++) {
        Made m = made(code, 2, SHT_PROGBITS, SHF_EXECINSTR);
        for (int k = 0; k < 3; k++) {
            size_t at = (size_t)rand() % 2 ? 4 + (size_t)rand() % (Code - 4)
                                           : Table + (size_t)rand() % (2 * sizeof(Elf64_Shdr));
            m.byte[at] = (char)rand();
        }
        doubtful(&m, sizeof m);
    }
}

static void file(const char *path)
{
    char *bytes = NULL;
    size_t n = 0;
    FILE *f = fopen(path, "rb");
    long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    if (size >= 0 && (bytes = malloc((size_t)size + 1))) {
        rewind(f);
        n = fread(bytes, 1, (size_t)size, f);
    }
    const char *name = strrchr(path, '/');
    printf("%s: %s\n", name ? name + 1 : path,
           n == 0 ? "cannot be read" : doubtful(bytes, n) ? "doubtful" : "not doubtful");
    free(bytes);
    if (f)
        fclose(f);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        file(argv[i]);
    if (argc == 1) {
        by_hand();
        at_random();
    }
    return failed;
}
