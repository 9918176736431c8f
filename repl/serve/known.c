/* repl/serve/known.c: contents that a client has sent, to be sent only once.
 *
 * They are files that can no longer be changed, so that no kernel gone wild spoils them, and
 * belong to one client: the hash withstands accidents, not another client's malice. */
#include <stdlib.h>
#include <unistd.h>

#include "serve.h"

enum {
    KnownLeast = 4096, /* shorter contents are sent as fast as looked for */
    KnownMost = 1024   /* each is a descriptor */
};

static Known **find(Client *c, Hash h, uint64_t bytes)
{
    Known **k = &c->known;
    while (*k && ((*k)->hash.a != h.a || (*k)->hash.b != h.b || (*k)->bytes != bytes))
        k = &(*k)->next;
    return k;
}

Known *known_find(Client *c, Hash h, uint64_t bytes)
{
    Known **at = find(c, h, bytes), *k = *at;
    if (k) { /* to the front: used last */
        *at = k->next;
        k->next = c->known;
        c->known = k;
    }
    return k;
}

static void drop(Client *c, Known **at)
{
    Known *k = *at;
    *at = k->next;
    c->known_bytes -= k->bytes;
    c->nknown--;
    close(k->fd);
    free(k);
}

void known_add(Client *c, Hash h, uint64_t bytes, int fd, uint64_t most)
{
    Known *k = bytes >= KnownLeast && bytes <= most && !*find(c, h, bytes) ? malloc(sizeof *k)
                                                                             : NULL;
    if (!k) {
        close(fd);
        return;
    }
    *k = (Known){c->known, h, bytes, fd};
    c->known = k;
    c->known_bytes += bytes;
    c->nknown++;
    while (c->known_bytes > most || c->nknown > KnownMost) {
        Known **last = &c->known;
        while ((*last)->next)
            last = &(*last)->next;
        drop(c, last);
    }
}

void known_free(Client *c)
{
    while (c->known)
        drop(c, &c->known);
}
