/* core/device/fetch.h: one file of any web server: what Target.fetch takes and gives. */
#ifndef MOONTILE_FETCH_H
#define MOONTILE_FETCH_H

#include "core/base/base.h"

enum { FetchUrl = 1024, FetchHops = 5 };

/* What may be done for it, and who is told. */
typedef struct FetchOptions FetchOptions;
struct FetchOptions {
    size_t most;     /* bytes of the file */
    double seconds;  /* for all of it */
    bool token;      /* the user's token is sent: to the server of the address, to no other */
    bool pinned;     /* its hash is known: it may come over an open line */
    void (*moved)(void *ud, size_t got, size_t of); /* for progress; of 0: it is not known */
    bool (*stopped)(void *ud);                      /* does the user want it to stop? */
    void *ud;
};

typedef struct Fetched Fetched;
struct Fetched {
    Str text;            /* the caller frees it, in any case */
    char url[FetchUrl];  /* where it came from in the end */
    long status;         /* of HTTP; 0: there was no answer */
};

#endif
