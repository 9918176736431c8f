/* fake_rtc.h: a stand-in for libnvrtc.so, part of fake_cuda.c's library: what it makes is no
 * code but says what it was made from, and the driver beside it looks whether all of it came.
 *
 *   FAKE_CUDA_RTC=refuse   every text is refused, with a log;  =noise: so many messages as
 *                          FAKE_CUDA_NOISE says (bytes)
 *   FAKE_CUDA_RTC=hang     compiling never ends;  =crash: it ends the process
 *   FAKE_CUDA_RTC=apart    what is made is machine code in which lanes may stay apart
 *   FAKE_CUDA_RTC=garbage  what is made is no code;  =empty: nothing is;  =half: the first
 *                          half of it */
#ifndef FAKE_RTC_H
#define FAKE_RTC_H

#include <elf.h>

#include "turn.h"

#define FAKE_MAGIC "\177ELFfake"
typedef struct FakeCode FakeCode;
struct FakeCode { char magic[8]; uint32_t bytes, sum; };

typedef struct FakeProgram FakeProgram;
struct FakeProgram { char *text, *log, *code; size_t size; };

static uint32_t fake_sum(const char *s, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h;
}

static bool rtc_is(const char *what)
{
    const char *s = getenv("FAKE_CUDA_RTC");
    return s && strcmp(s, what) == 0;
}

int nvrtcVersion(int *major, int *minor)
{
    TURN;
    *major = TOLD(12);
    *minor = 4;
    return 0;
}

int nvrtcGetNumSupportedArchs(int *n)
{
    TURN;
    *n = TOLD(3);
    return 0;
}

int nvrtcGetSupportedArchs(int *list)
{
    TURN;
    list[0] = 80;
    list[1] = 90;
    list[2] = TOLD(100);
    return 0;
}

int nvrtcCreateProgram(void **out, const char *text, const char *name, int n,
                       const char *const *headers, const char *const *names)
{
    TURN;
    (void)name, (void)n, (void)headers, (void)names;
    FakeProgram *p = HANDLE("program", calloc(1, sizeof *p));
    if ((*out = p))
        p->text = strdup(text);
    return 0;
}

/* As a real one says it: lines, and the last of them. */
static char *rtc_log(size_t bytes)
{
    static const char line[] = "kernel.cu(7): error: refused, as the test asked\n";
    char *s = malloc(bytes + sizeof line);
    size_t n = 0;
    do {
        memcpy(s + n, line, sizeof line);
        n += sizeof line - 1;
    } while (n < bytes);
    return s;
}

/* A file with one section of instructions, in which lanes leave barrier 11 (BREAK) after it was
 * saved (BMOV), and one of them restores it. */
static void rtc_make_apart(FakeProgram *p)
{
    enum { Instruction = 16, N = 6, At = sizeof(Elf64_Ehdr), Table = At + Instruction * N };
    static const uint32_t code[N] = {0x000b7945, 0x0b257355, 0x7918, 0x000b7945, 0x000b9942, 0x0b007356};
    Elf64_Ehdr h = {.e_ident = ELFMAG, .e_machine = EM_CUDA, .e_shoff = Table,
                    .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 1};
    Elf64_Shdr s = {.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                    .sh_offset = At, .sh_size = Instruction * N};
    p->size = Table + sizeof s;
    p->code = calloc(1, p->size);
    memcpy(p->code, &h, sizeof h);
    for (int i = 0; i < N; i++)
        memcpy(p->code + At + Instruction * i, &code[i], sizeof *code);
    memcpy(p->code + Table, &s, sizeof s);
}

static void rtc_make(FakeProgram *p)
{
    FakeCode c = {.magic = FAKE_MAGIC, .bytes = (uint32_t)strlen(p->text)};
    c.sum = fake_sum(p->text, c.bytes);
    p->size = sizeof c + c.bytes;
    p->code = calloc(1, p->size + 1);
    memcpy(p->code, &c, sizeof c);
    memcpy(p->code + sizeof c, p->text, c.bytes);
    if (rtc_is("garbage"))
        memset(p->code, 'x', p->size);
    if (rtc_is("half"))
        p->size /= 2;
    if (rtc_is("empty"))
        p->size = 0;
}

int nvrtcCompileProgram(void *prog, int n, const char *const *option)
{
    TURN;
    FakeProgram *p = prog;
    const char *noise = getenv("FAKE_CUDA_NOISE");
    (void)n, (void)option;
    if (!fake_is("program", p, false))
        return 4;
    while (rtc_is("hang"))
        sleep(1);
    if (rtc_is("crash"))
        abort();
    if (rtc_is("refuse") || rtc_is("noise"))
        return p->log = rtc_log(rtc_is("noise") && noise ? strtoul(noise, NULL, 10) : 1), 6;
    if (rtc_is("apart"))
        rtc_make_apart(p);
    else
        rtc_make(p);
    return 0;
}

/* A text of a program. */
static int rtc_give(void *prog, char *out, bool code)
{
    const FakeProgram *p = prog;
    if (!fake_is("program", p, false))
        return 4;
    if (code && p->size)
        memcpy(out, p->code, p->size);
    else if (!code)
        strcpy(out, p->log ? p->log : "");
    return 0;
}

#define RTC_TEXT(name, is_code, bytes) \
    int nvrtcGet##name##Size(void *prog, size_t *n) \
    { \
        TURN; \
        const FakeProgram *p = prog; \
        if (!fake_is("program", p, false)) \
            return 4; \
        *n = TOLD_SIZE(bytes); /* -1: the largest there is */ \
        return 0; \
    } \
    int nvrtcGet##name(void *prog, char *out) \
    { \
        TURN; \
        return rtc_give(prog, out, is_code); \
    }
RTC_TEXT(ProgramLog, false, p->log ? strlen(p->log) + 1 : 1)
RTC_TEXT(CUBIN, true, p->size)
RTC_TEXT(PTX, true, p->size)

static void rtc_free(FakeProgram *p)
{
    free(p->text);
    free(p->log);
    free(p->code);
    free(p);
}

int nvrtcDestroyProgram(void **prog)
{
    TURN;
    FakeProgram *p = *prog;
    if (!fake_is("program", p, true))
        return 4;
    rtc_free(p);
    *prog = NULL;
    return 0;
}

const char *nvrtcGetErrorString(int r)
{
    (void)r;
    return "NVRTC_ERROR";
}

#endif
