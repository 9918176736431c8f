/* core/device/jail_filter.h: what both filters of system calls are written with. */
#ifndef MOONTILE_JAIL_FILTER_H
#define MOONTILE_JAIL_FILTER_H

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "jail.h"

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
/* This call may be done: the next instruction says so, or is skipped. */
#define ALLOW(call)                                        \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), \
    RETURN(SECCOMP_RET_ALLOW)

/* Low half of an argument; both machines are little-endian. */
#define LOW(i) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[i]))

enum { Writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND };

#endif
