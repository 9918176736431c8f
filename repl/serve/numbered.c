/* repl/serve/numbered.c: see numbered.h. */
#include <stdlib.h>
#include <string.h>

#include "numbered.h"

/* Index of the first row whose number is not less than k. */
static size_t row_index(const Numbered *t, uint64_t k)
{
    size_t lo = 0, hi = t->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (t->row[mid].k < k)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool numbered_add(Numbered *t, uint64_t k, void *v)
{
    if (t->n && t->row[t->n - 1].k >= k)
        return false;
    if (t->n == t->cap) {
        size_t cap = t->cap ? 2 * t->cap : 16;
        NumberedRow *row = realloc(t->row, cap * sizeof *row);
        if (!row)
            return false;
        t->row = row;
        t->cap = cap;
    }
    t->row[t->n++] = (NumberedRow){k, v};
    return true;
}

void *numbered_find(const Numbered *t, uint64_t k)
{
    size_t i = row_index(t, k);
    return i < t->n && t->row[i].k == k ? t->row[i].v : NULL;
}

void *numbered_take(Numbered *t, uint64_t k)
{
    size_t i = row_index(t, k);
    if (i == t->n || t->row[i].k != k)
        return NULL;
    void *v = t->row[i].v;
    t->n--;
    memmove(t->row + i, t->row + i + 1, (t->n - i) * sizeof *t->row);
    return v;
}

void numbered_free(Numbered *t)
{
    free(t->row);
    *t = (Numbered){NULL, 0, 0};
}
