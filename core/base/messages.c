/* core/base/messages.c: the table of all messages; the one object that holds their texts. */
#include <string.h>

#include "base.h"

/* The table: before the rows of a group one without a message, which is E_none of the first. */
enum MessageRow {
#define ERRS(group) Head_##group,
#define ERR(id, code, level, en, zh, label_en, label_zh, help_en, help_zh) Row_##id,
#include "errs.h"
#undef ERRS
#undef ERR
    NRow
};

static const int head[] = {
#define ERRS(group) Head_##group,
#define ERR(id, code, level, en, zh, label_en, label_zh, help_en, help_zh)
#include "errs.h"
#undef ERRS
#undef ERR
    NRow
};

static const ErrInfo info[NRow] = {
    {"none", "E000", Lnote, {"", ""}, {"", ""}, {"", ""}},
#define ERR(id, code, level, en, zh, label_en, label_zh, help_en, help_zh) \
    [Row_##id] = {#id, code, level, {en, zh}, {label_en, label_zh}, {help_en, help_zh}},
#include "errs.h"
#undef ERR
};

static int messages_row(Err e)
{
    return head[e / ErrGroup] + e % ErrGroup;
}

const ErrInfo *err_info(Err e)
{
    return &info[messages_row(e)];
}

Err err_row(uint64_t n)
{
    uint64_t group = n / ErrGroup, row = n % ErrGroup;
    bool there = group + 1 < COUNT(head) && row && head[group] + (int)row < head[group + 1];
    return there ? (Err)n : E_none;
}

Err err_next(Err e)
{
    if (messages_row(e) + 1 < head[e / ErrGroup + 1])
        return e + 1;
    int group = e / ErrGroup + 1;
    while (group + 1 < (int)COUNT(head) && head[group] + 1 == head[group + 1])
        group++;
    return group + 1 < (int)COUNT(head) ? group * ErrGroup + 1 : E_none;
}

Err err_by_id(const char *id)
{
    Err e = E_none;
    while ((e = err_next(e)) != E_none && strcmp(err_info(e)->id, id) != 0) {}
    return e;
}

Err err_by_code(const char *code)
{
    Err e = E_none;
    while ((e = err_next(e)) != E_none && strcmp(err_info(e)->code, code) != 0) {}
    return e;
}
