/* core/layout/banks.c: what one access of a warp costs.
 *
 * Shared memory serves the lanes in groups, as many as fill one row of banks
 * (32 lanes of 4 bytes, 16 of 8, 8 of 16); a group costs the largest number of
 * distinct words in one bank (lowering.md 3.5). */
#include <assert.h>
#include <string.h>

#include "layout.h"

enum { MaxGroup = 64, MaxBanks = 128, MaxSectors = 64 * 5 };

/* Words of a group by bank: the worst bank and how many it serves. */
static int banks_worst(const int64_t *addr, int lanes, int bytes, int banks, int bank_bytes,
                       int *bank)
{
    int64_t word[MaxGroup * 4];
    int16_t next[MaxGroup * 4], head[MaxBanks]; /* words of a bank: a list, -1 is its end */
    uint16_t ways[MaxBanks] = {0};
    int n = 0, most = 0;
    assert(banks > 0 && banks <= MaxBanks);
    memset(head, -1, sizeof head);
    for (int i = 0; i < lanes; i++) {
        if (addr[i] < 0)
            continue;
        int64_t w = addr[i] / bank_bytes, end = (addr[i] + bytes - 1) / bank_bytes;
        for (; w <= end && n < (int)COUNT(word); w++) {
            int b = (int)(w % banks), k = head[b];
            while (k >= 0 && word[k] != w)
                k = next[k];
            if (k >= 0)
                continue;
            word[n] = w;
            next[n] = head[b];
            head[b] = (int16_t)n++;
            if (++ways[b] > most) {
                most = ways[b];
                *bank = b;
            }
        }
    }
    return most;
}

BankCost bank_cost(const int64_t *addr, int lanes, int bytes, int banks, int bank_bytes)
{
    BankCost c = {0, 0, 0, 0};
    int per = banks * bank_bytes / (bytes > bank_bytes ? bytes : bank_bytes);
    per = per < 1 ? 1 : per > MaxGroup ? MaxGroup : per;
    for (int i = 0; i < lanes; i += per) {
        int bank = 0;
        int ways = banks_worst(addr + i, lanes - i < per ? lanes - i : per, bytes, banks,
                               bank_bytes, &bank);
        c.waves += ways;
        c.ideal += ways > 0;
        if (ways > c.ways) {
            c.ways = ways;
            c.bank = bank;
        }
    }
    return c;
}

void sector_cost(const int64_t *addr, int lanes, int bytes, int sector, int *touched, int *ideal)
{
    int64_t seen[MaxSectors], lane[64];
    int n = 0, distinct = 0; /* sectors; lanes with addresses of their own */
    for (int i = 0; i < lanes && i < (int)COUNT(lane); i++) {
        int k = 0;
        if (addr[i] < 0)
            continue;
        while (k < distinct && lane[k] != addr[i])
            k++;
        if (k < distinct)
            continue;
        lane[distinct++] = addr[i];
        for (int64_t s = addr[i] / sector; s <= (addr[i] + bytes - 1) / sector; s++) {
            for (k = 0; k < n && seen[k] != s; k++)
                ;
            if (k == n && n < MaxSectors)
                seen[n++] = s;
        }
    }
    *touched = n;
    *ideal = (distinct * bytes + sector - 1) / sector;
}
