/* core/base/proc.h: running a program of the system's, such as the C compiler. */
#ifndef MOONTILE_PROC_H
#define MOONTILE_PROC_H

#include "base.h"

typedef struct Proc Proc;
struct Proc {
    char *const *argv;   /* argv[0]: a path */
    const char *in;      /* its standard input */
    size_t nin;
    Str out;             /* what it wrote, both streams; the caller's to free */
    int status;          /* of waitpid */
    bool interrupted;    /* interrupt_asked ended it; left set */
    char *const *env;    /* its environment; NULL: ours */
    bool channel;        /* its descriptor 3 leads into `result`; others are closed */
    Str result;          /* what it wrote there; the caller's to free */
    size_t most;         /* bytes of result: with more its process group is ended */
    int limit_ms;        /* then it is ended too; 0: never.  From proc_finish() on */
    bool late, large;    /* which of the two it was */
    size_t memory;       /* bytes of address space that each process of it may have; 0: any */
    unsigned cpu;        /* processor seconds that each may use; 0: any */
    bool abandon;        /* one that is killed and does not end, as inside of a driver that hangs,
                          * is waited for no longer than 2 s */
    bool follows;        /* it ends by itself when we do; what does not is watched (watch.h) */
    int pid, fd[3];      /* between start and finish: of its input, output, channel */
};

enum { ProcOutput = 1 << 20 }; /* bytes kept of what it writes */

/* Runs p to its end.  false: it could not be started (errno), was interrupted, or went
 * beyond a limit; its whole process group is gone then. */
bool proc_run(Proc *p);

/* The same in two steps: only the second one sends the input and waits.  proc_start:
 * false (errno): not started.  What was started must be finished or dropped. */
bool proc_start(Proc *p);
bool proc_finish(Proc *p);
void proc_drop(Proc *p); /* ends it, whatever it does */

/* A program to be started, and what it has of ours.  No signal is blocked in it. */
typedef struct Spawn Spawn;
struct Spawn {
    const char *path;
    char *const *argv, *const *env;  /* env NULL: ours */
    int fd[4], nfd;                  /* its first descriptors; -1: nowhere */
    unsigned how;
};
enum SpawnHow {
    SpawnGroup = 1,       /* it leads a process group */
    SpawnSession = 2,     /* a login session */
    SpawnOnly = 4,        /* it has no other descriptors */
    SpawnSignals = 8,     /* it does not ignore Ctrl-C, Ctrl-\, closed pipes, ends of children */
    SpawnAllSignals = 16  /* nor any other signal */
};
int spawn(int *pid, const Spawn *s); /* 0 or an errno */

/* Moves fd[0] and fd[1] above the descriptors that a child gets, so that placing one onto those never
 * meets itself.  false: there is none left; what was moved is closed, and -1. */
bool proc_lift(int fd[2]);

/* Starts this program anew, as argv says, with sock as descriptor ProcSocket and no other one: its
 * streams are nowhere, the last of them ours where MOONTILE_WORKER_STDERR asks for it, if it is
 * not mute.  0 or an errno. */
enum { ProcSocket = 3 };
int spawn_self(int *pid, char *const argv[], char *const env[], int sock, unsigned how, bool mute);

/* Ends what process pid has started by proc_start() and waits for: with pid itself it would be
 * nobody's any more.  Where the system does not tell of children, nothing. */
void proc_end_children(int pid);

/* The file that a shell would run for `name`: NULL if none, else malloc'd. */
char *proc_find(const char *name);

#endif
