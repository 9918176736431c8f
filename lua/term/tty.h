/* lua/term/tty.h: the terminal while a line is read: its modes, its signals, its size.
 *
 * Outside of tty_wait and tty_open_signals the signals that we take are
 * blocked, so whoever paints or edits is not disturbed.  A deadly one puts the
 * terminal back before it kills; so does a crash. */
#ifndef MOONTILE_TTY_H
#define MOONTILE_TTY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/* What arrived; tty_take gives and forgets it. */
enum { TtyInt = 1, TtyResize = 2, TtyStop = 4, TtyCont = 8 };

bool tty_capable(void);             /* are both ends a terminal that can move its cursor? */
void tty_begin(bool raw);           /* takes the signals; raw: byte by byte, no echo */
void tty_edited(void);              /* a library has changed the modes since tty_begin */
void tty_end(void);                 /* gives all back */
void tty_raw(void);                 /* the modes for editing, again */
void tty_stop(void);                /* as ^Z does; returns after fg, in cooked mode */
int tty_take(void);
size_t tty_early(void);             /* bytes that came before tty_begin, or tty_raw */
void tty_open_signals(void);        /* lets them through, for code that may take long */
void tty_close_signals(void);
/* ppoll of the n descriptors with the signals let through; ends at once (EINTR) where one has
 * arrived that tty_take did not give yet, so each wait is followed by tty_take */
int tty_wait(struct pollfd *fd, int n, double seconds);
void tty_size(int *width, int *height);
void tty_write(const char *s, size_t n);
/* What a deadly signal should write first: rows to go down from the cursor. */
void tty_below(int rows);
void tty_goodbye(const char *s); /* ... or any other short text */

/* Runs a shell command on the terminal, outside of tty_begin .. tty_end; its
 * exit status, 128 + the signal that ended it, or -1.  argument: its "$1". */
int tty_shell(const char *command, const char *argument);

#endif
