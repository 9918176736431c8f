/* repl/serve/content.c: contents that a client has sent, to be sent only once.
 *
 * They are files that can no longer be changed, so that no kernel gone wild spoils them, and
 * belong to one client: the hash withstands accidents, not another client's malice. */
#include <stdlib.h>
#include <unistd.h>

#include "serve.h"

enum {
    ContentLeast = 4096, /* shorter contents are sent as fast as looked for */
    ContentMost = 1024 /* each is a descriptor */
};

static Content **content_place(Client *c, Hash h, uint64_t bytes)
{
    Content **k = &c->content;
    while (*k && ((*k)->hash.a != h.a || (*k)->hash.b != h.b || (*k)->bytes != bytes))
        k = &(*k)->next;
    return k;
}

Content *content_find(Client *c, Hash h, uint64_t bytes)
{
    Content **at = content_place(c, h, bytes), *k = *at;
    if (k) { /* to the front: used last */
        *at = k->next;
        k->next = c->content;
        c->content = k;
    }
    return k;
}

static void content_drop(Client *c, Content **at)
{
    Content *k = *at;
    *at = k->next;
    c->content_bytes -= k->bytes;
    c->ncontent--;
    close(k->fd);
    free(k);
}

void content_add(Client *c, Hash h, uint64_t bytes, int fd, uint64_t most)
{
    Content *k = bytes >= ContentLeast && bytes <= most && !*content_place(c, h, bytes)
                     ? malloc(sizeof *k)
                     : NULL;
    if (!k) {
        close(fd);
        return;
    }
    *k = (Content){c->content, h, bytes, fd};
    c->content = k;
    c->content_bytes += bytes;
    c->ncontent++;
    while (c->content_bytes > most || c->ncontent > ContentMost) {
        Content **last = &c->content;
        while ((*last)->next)
            last = &(*last)->next;
        content_drop(c, last);
    }
}

void content_free(Client *c)
{
    while (c->content)
        content_drop(c, &c->content);
}
