/* repl/serve/kin.h: the processes that a session's process has started, and theirs.
 *
 * Each session process leads a login session (setsid), which compilers and workers stay in whatever
 * groups they form, so they are found when the session process itself is gone.  What has left it
 * is known by its parent as long as there is a server, and by its TMPDIR when there is none. */
#ifndef MOONTILE_KIN_H
#define MOONTILE_KIN_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct Kin Kin;
struct Kin { pid_t pid, parent, session; bool dead; /* still to be reaped */ };

/* f for each process that there is, until it says false; false: they cannot be listed. */
bool kin_each(bool (*f)(void *ud, const Kin *k), void *ud);

/* Was the process started with this TMPDIR, or one below it?  Such a process is of a server's
 * sessions whatever login session it has gone to; false: no, or it may not be asked. */
bool kin_below(const Kin *k, const char *folder);

/* warden.c: `moontile --warden FD FOLDER`: outlives the server, however that ends, by as long as
 * it takes to end the processes of its sessions and to remove the folder.  Over FD, a socket of
 * packets, come numbers (int32_t): a session that has begun, or minus one that is gone. */
int warden_main(int fd, const char *folder);

/* Removes a folder and what is in it. */
void folder_remove(const char *path);

#endif
