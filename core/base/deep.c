/* core/base/deep.c: a deeper stack for the thread that the program begins in.
 *
 * Raising RLIMIT_STACK is no sure way: the kernel has laid out what is mapped below the stack by
 * the limit at exec, and may have left 8 MiB.  A thread of its own is none either: signals, and the
 * walls that a process puts up around itself, would go to one of two.  So the same thread goes on
 * in a context of its own; with AddressSanitizer, which warns of those, on what the limit gives. */
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include "deep.h"

#if defined(__SANITIZE_ADDRESS__)
#define ONE_STACK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONE_STACK 1
#endif
#endif

#ifdef ONE_STACK

int deep_call(int (*f)(int, char **), int argc, char **argv)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_STACK, &r) == 0 && r.rlim_cur < DeepBytes && r.rlim_max >= DeepBytes) {
        r.rlim_cur = DeepBytes;
        setrlimit(RLIMIT_STACK, &r);
    }
    return f(argc, argv);
}

#else

typedef struct Deep Deep;
struct Deep {
    int (*f)(int, char **);
    int argc, code;
    char **argv;
    ucontext_t here, there;
};

/* A context's function takes ints: the address in two halves. */
static void deep_entry(unsigned high, unsigned low)
{
    Deep *d = (Deep *)(uintptr_t)((uint64_t)high << 32 | low);
    d->code = d->f(d->argc, d->argv);
}

int deep_call(int (*f)(int, char **), int argc, char **argv)
{
    const size_t n = DeepBytes + DeepGuard;
    Deep d = {.f = f, .argc = argc, .argv = argv, .code = -1};
    uint64_t at = (uint64_t)(uintptr_t)&d;
    char *low = mmap(NULL, n, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (low == MAP_FAILED)
        return -1;
    if (mprotect(low, DeepGuard, PROT_NONE) == 0 && getcontext(&d.there) == 0) {
        d.there.uc_stack.ss_sp = low + DeepGuard;
        d.there.uc_stack.ss_size = DeepBytes;
        d.there.uc_link = &d.here;
        makecontext(&d.there, (void (*)(void))deep_entry, 2, (unsigned)(at >> 32), (unsigned)at);
        swapcontext(&d.here, &d.there);
    }
    munmap(low, n);
    return d.code;
}

#endif
