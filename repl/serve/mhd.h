/* repl/serve/mhd.h: libmicrohttpd, looked for when a server starts: linked in, it and the TLS that
 * it brings would be half of every start of the program, and of every worker's. */
#ifndef MOONTILE_SERVE_MHD_H
#define MOONTILE_SERVE_MHD_H

#include <microhttpd.h>
#include <stdbool.h>

/* X(name behind "MHD_", result, parameters) */
#define MHD_CALLS(X) \
    X(start_daemon, struct MHD_Daemon *, (unsigned flags, uint16_t port, MHD_AcceptPolicyCallback, \
                                          void *, MHD_AccessHandlerCallback, void *, ...)) \
    X(stop_daemon, void, (struct MHD_Daemon *)) \
    X(run, enum MHD_Result, (struct MHD_Daemon *)) \
    X(get_timeout, enum MHD_Result, (struct MHD_Daemon *, MHD_UNSIGNED_LONG_LONG *ms)) \
    X(get_daemon_info, const union MHD_DaemonInfo *, (struct MHD_Daemon *, \
                                                      enum MHD_DaemonInfoType, ...)) \
    X(get_connection_info, const union MHD_ConnectionInfo *, (struct MHD_Connection *, \
                                                              enum MHD_ConnectionInfoType, ...)) \
    X(suspend_connection, void, (struct MHD_Connection *)) \
    X(resume_connection, void, (struct MHD_Connection *)) \
    X(lookup_connection_value, const char *, (struct MHD_Connection *, enum MHD_ValueKind, \
                                              const char *key)) \
    X(get_connection_values_n, int, (struct MHD_Connection *, enum MHD_ValueKind, \
                                     MHD_KeyValueIteratorN, void *)) \
    X(http_unescape, size_t, (char *)) \
    X(create_response_from_buffer, struct MHD_Response *, (size_t, void *, \
                                                           enum MHD_ResponseMemoryMode)) \
    X(create_response_from_callback, struct MHD_Response *, \
      (uint64_t size, size_t block, MHD_ContentReaderCallback, void *, \
       MHD_ContentReaderFreeCallback)) \
    X(add_response_header, enum MHD_Result, (struct MHD_Response *, const char *, const char *)) \
    X(queue_response, enum MHD_Result, (struct MHD_Connection *, unsigned status, \
                                        struct MHD_Response *)) \
    X(destroy_response, void, (struct MHD_Response *))

typedef struct Mhd Mhd;
struct Mhd {
#define X(name, result, parameters) result (*name) parameters;
    MHD_CALLS(X)
#undef X
};

/* The functions -> m, of a library that stays loaded; NULL, or what was not found. */
const char *mhd_open(Mhd *m);

#endif
