/* targets/cpu/object.c: is a shared object whole?  The dynamic linker does not ask: code that the
 * file lacks is a bus error once it runs. */
#include "object.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Both widths of ELF have these parts, at other places. */
typedef struct ObjectParts ObjectParts;
struct ObjectParts { uint64_t type, phoff, phnum, phsize, shoff, shnum, shsize; };

static bool parts_of(const unsigned char *s, size_t n, ObjectParts *out)
{
    Elf64_Ehdr l;
    Elf32_Ehdr h;
    if (n < sizeof l || memcmp(s, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(&l, s, sizeof l);
    memcpy(&h, s, sizeof h);
    *out = s[EI_CLASS] == ELFCLASS64
               ? (ObjectParts){l.e_type,  l.e_phoff, l.e_phnum,         sizeof(Elf64_Phdr),
                               l.e_shoff, l.e_shnum, sizeof(Elf64_Shdr)}
               : (ObjectParts){h.e_type,  h.e_phoff, h.e_phnum,         sizeof(Elf32_Phdr),
                               h.e_shoff, h.e_shnum, sizeof(Elf32_Shdr)};
    return true;
}

static bool range_within(size_t n, uint64_t at, uint64_t size) { return at <= n && size <= n - at; }

/* Does the file have all of segment i? */
static bool segment(const unsigned char *s, size_t n, const ObjectParts *p, uint64_t i)
{
    Elf64_Phdr l;
    Elf32_Phdr h;
    uint64_t at = p->phoff + i * p->phsize;
    if (s[EI_CLASS] == ELFCLASS64) {
        memcpy(&l, s + at, sizeof l);
        return range_within(n, l.p_offset, l.p_filesz);
    }
    memcpy(&h, s + at, sizeof h);
    return range_within(n, h.p_offset, h.p_filesz);
}

static bool object_is_whole(const unsigned char *s, size_t n)
{
    ObjectParts p;
    if (!parts_of(s, n, &p) || p.type != ET_DYN || !p.phnum ||
        !range_within(n, p.phoff, p.phnum * p.phsize) ||
        !range_within(n, p.shoff, p.shnum * p.shsize))
        return false;
    for (uint64_t i = 0; i < p.phnum; i++)
        if (!segment(s, n, &p, i))
            return false;
    return true;
}

bool object_whole(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
    size_t n = ok ? (size_t)st.st_size : 0;
    void *s = ok ? mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (s == MAP_FAILED)
        return false;
    ok = object_is_whole(s, n);
    munmap(s, n);
    return ok;
}
