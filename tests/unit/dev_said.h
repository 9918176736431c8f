/* tests/unit/dev_said.h: an error of a device as text, for tests to look at. */
#ifndef MOONTILE_TEST_DEV_SAID_H
#define MOONTILE_TEST_DEV_SAID_H

#include "core/device/error.h"

/* Takes e over.  malloc'd; NULL: there is none. */
static inline char *dev_said(DevError e)
{
    Str s = {0};
    if (e.is != E_none)
        dev_error_text(&e, &s);
    dev_error_free(e);
    return s.s;
}

#endif
