/* rtc.c: a stand-in for libhiprtc.so, or with -DSTANDIN_MACA for mcrtc in libmcruntime.so.
 *
 *   STANDIN_RTC=N     compiling gives this error, whatever the text
 *   STANDIN_RTC=none  no program can be made; =garbage: what is made is no code
 *   STANDIN_REFUSE=1  every text is refused, with a log
 *
 * Built with -DSTANDIN_OLD_NAMES mcrtc has GetCode instead of GetBitcode, with
 * -DSTANDIN_NO_GETTER neither; with -DSTANDIN_NO_RTC a library has none of it. */
#include "standin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* those of a library */

#ifndef STANDIN_NO_RTC

#ifdef STANDIN_MACA
#define API(name) mcrtc##name
#define ARCH "xcore1000"
#ifdef STANDIN_OLD_NAMES
#define GETTER(name) mcrtcGetCode##name
#else
#define GETTER(name) mcrtcGetBitcode##name
#endif
#else
#define API(name) hiprtc##name
#define ARCH NULL
#define GETTER(name) hiprtcGetCode##name
#endif

enum { Refused = 6, Invalid = 3, NoProgram = 4, Option = 5, Internal = 11 };
#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)
#define CALL(name) STRING(API(name))

/* 0, or the error of a call that must fail, or that has no program. */
static int ready(const char *call, const void *p)
{
    if (standin_turn("", call))
        return Internal;
    return standin_is("program", p, call) ? 0 : NoProgram;
}

typedef struct Program Program;
struct Program { char *text, *log, *code; size_t size; };

int API(Version)(int *major, int *minor)
{
    if (standin_turn("", CALL(Version)))
        return Internal;
#ifdef STANDIN_MACA
    *major = 1, *minor = 0;
#else
    *major = 9, *minor = 0;
#endif
    return 0;
}

int API(CreateProgram)(void **out, const char *text, const char *name, int n,
                       const char *const *headers, const char *const *names)
{
    const char *plan = getenv("STANDIN_RTC");
    (void)name, (void)headers, (void)names;
    if (standin_turn("", CALL(CreateProgram)))
        return Internal;
    Program *p = n || (plan && strcmp(plan, "none") == 0) ? NULL : calloc(1, sizeof *p);
    if (!p)
        return Invalid;
    p->text = strdup(text);
    *out = standin_made("program", p);
    return 0;
}

/* The head of LLVM's bitcode wrapper: magic, version, offset, size, processor. */
static void keep_code(Program *p, const char *path)
{
    FILE *f = fopen(path, "rb");
    size_t head = 0, n;
    char buf[1 << 14];
#ifdef STANDIN_MACA
    uint32_t word[5] = {0x0b17c0de, 0, 20, 0, 7};
    head = sizeof word;
    p->code = malloc(head);
    memcpy(p->code, word, head);
#endif
    p->size = head;
    while (f && (n = fread(buf, 1, sizeof buf, f)) > 0) {
        p->code = realloc(p->code, p->size + n);
        memcpy(p->code + p->size, buf, n);
        p->size += n;
    }
    if (f)
        fclose(f);
}

static const char junk[] = "what is made here is no code, however long this line may be, and long "
                           "enough to have the head of a file";

int API(CompileProgram)(void *prog, int n, const char *const *option)
{
    Program *p = prog;
    const char *arch = ARCH, *plan = getenv("STANDIN_RTC"), *refuse = getenv("STANDIN_REFUSE");
    char path[] = "/tmp/standin-XXXXXX";
    int r = ready(CALL(CompileProgram), p);
    if (r)
        return r;
    for (int i = 0; i < n; i++)
        if (strncmp(option[i], "--offload-arch=", 15) == 0)
            arch = option[i] + 15;
        else if (option[i][0] != '-')
            return Option;
    if (plan && strcmp(plan, "garbage") == 0) {
        p->code = strdup(junk);
        p->size = sizeof junk;
        return 0;
    }
    if (plan && *plan)
        return atoi(plan);
    if (!arch || (refuse && *refuse)) {
        p->log = strdup("kernel:1:1: error: refused, as the test asked\n");
        return Refused;
    }
    int fd = mkstemp(path);
    r = fd < 0 ? -1 : standin_compile(p->text, arch, path, &p->log);
    if (r == 0)
        keep_code(p, path);
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    return r ? Refused : 0;
}

int API(GetProgramLogSize)(void *prog, size_t *n)
{
    const Program *p = prog;
    int r = ready(CALL(GetProgramLogSize), p);
    if (r == 0)
        *n = (p->log ? strlen(p->log) : 0) + 1;
    return r;
}

int API(GetProgramLog)(void *prog, char *out)
{
    const Program *p = prog;
    int r = ready(CALL(GetProgramLog), p);
    if (r == 0)
        strcpy(out, p->log ? p->log : "");
    return r;
}

#ifndef STANDIN_NO_GETTER
/* There is code of what was compiled. */
static int has_code(const char *call, const Program *p)
{
    int r = ready(call, p);
    if (r == 0 && !p->code)
        standin_crime("%s of a program that was not compiled", call);
    return r || p->code ? r : NoProgram;
}

int GETTER(Size)(void *prog, size_t *n)
{
    const Program *p = prog;
    int r = has_code(STRING(GETTER(Size)), p);
    if (r == 0)
        *n = p->size;
    return r;
}

int GETTER()(void *prog, char *out)
{
    const Program *p = prog;
    int r = has_code(STRING(GETTER()), p);
    if (r == 0)
        memcpy(out, p->code, p->size);
    return r;
}
#endif

int API(DestroyProgram)(void **prog)
{
    Program *p = *prog;
    int r = standin_turn("", CALL(DestroyProgram)) ? Internal : 0;
    if (!standin_end("program", p, CALL(DestroyProgram)))
        return NoProgram;
    free(p->text);
    free(p->log);
    free(p->code);
    free(p);
    *prog = NULL;
    return r;
}

const char *API(GetErrorString)(int r) { return r == Refused ? "COMPILATION" : "ERROR"; }
#endif
