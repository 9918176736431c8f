/* targets/remote/remote.h: the remote target: a device of another machine, through
 * `moontile serve` there (repl/serve/protocol.md), and its parts.
 *
 *   remote.c   struct Target: what it stands for   options.c  the words after "remote"
 *   curl.c     libcurl by dlopen                   http.c     one request and its answer
 *   answer.c   JSON, and what a refusal means      token.c    where the token comes from
 *   device.c   struct Device: the session there    memory.c   device copies of host memory
 *   pack.c     does deflate pay?                   load.c     IR text -> kernels, their texts
 *   launch.c   launches                            bench.c    timed rounds
 *   payload.c  what travels along with a launch
 *   stream.c   the lines of a run                 fetch.c    a file of any web server */
#ifndef MOONTILE_REMOTE_H
#define MOONTILE_REMOTE_H

#include "core/device/worker.h"

extern const Target remote_target;
extern const Device remote_device;

enum { RemotePath = 512 };

/* What the words after "remote" say.  -url, -on, -plain and -insecure are its own, all
 * others those of the target there. */
typedef struct RemoteOptions RemoteOptions;
struct RemoteOptions {
    char url[RemotePath];  /* "https://host:8411", without a slash at the end */
    char host[256];        /* "host:8411", for messages */
    char on[32];           /* the target there, "": the server's best */
    bool tls;
    bool plain;            /* a token may travel without TLS, beyond this machine too */
    bool insecure;         /* certificates are not verified; on this machine only */
    bool anonymous;        /* no token is sent */
    bool here_only;        /* without TLS it may not leave this machine */
    Str rest;              /* the other words, one blank between them */
};
/* Reads text; without -url the address is $MOONTILE_URL.  o->rest is the caller's to free in any
 * case. */
DevError remote_options(const char *text, RemoteOptions *o);

/* "Authorization: Bearer TOKEN" into *line from $MOONTILE_TOKEN or the file that
 * $MOONTILE_TOKEN_FILE names; empty when there is none. */
DevError remote_token(Str *line);

/* fetch.c: Target.fetch. */
struct FetchOptions;
struct Fetched;
DevError fetch_get(const char *url, const struct FetchOptions *o, struct Fetched *f);

#endif
