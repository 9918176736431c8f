/* How often a test repeats something: fewer times under sanitizers, for which one way along
 * each path is enough. */
#ifndef UNIT_TIMES_H
#define UNIT_TIMES_H

#include "core/device/jail.h"

#define TIMES(n, sanitized) (SANITIZED ? (sanitized) : (n))

#endif
