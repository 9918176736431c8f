/* core/base/clock.h: time that only goes forward, for measuring and for limits. */
#ifndef MOONTILE_CLOCK_H
#define MOONTILE_CLOCK_H

#include <stdint.h>

int64_t clock_ns(void); /* nanoseconds; also in a signal handler */
static inline double clock_ms(void) { return (double)clock_ns() * 1e-6; }
static inline double clock_s(void) { return (double)clock_ns() * 1e-9; }

#endif
