/* targets/cpu/object.h: what the C compiler has written. */
#ifndef MOONTILE_CPU_OBJECT_H
#define MOONTILE_CPU_OBJECT_H

#include <stdbool.h>

/* Is the file at path a whole shared object?  A compiler that is ended, or
 * finds no room, may leave a part of one, and say nothing. */
bool object_whole(const char *path);

#endif
