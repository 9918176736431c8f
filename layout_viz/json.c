/* layout_viz/json.c: a figure as one JSON object on one line, keys in a fixed
 * order.  Cells are listed row by row; places count from 0. */
#include <stdio.h>
#include <string.h>

#include "core/base/json.h"
#include "palette.h"

typedef struct Json Json;
struct Json {
    const Figure *f;
    Str *out;
    bool first;   /* nothing stands in the open object or list yet */
};

/* Values --------------------------------------------------------------------------- */

static void json_comma(Json *j)
{
    if (!j->first)
        str_puts(j->out, ",");
    j->first = false;
}

static void json_key(Json *j, const char *name)
{
    json_comma(j);
    str_fmt(j->out, "\"%s\":", name);
}

static void json_open(Json *j, char c)
{
    str_add(j->out, &c, 1);
    j->first = true;
}

static void json_shut(Json *j, char c)
{
    str_add(j->out, &c, 1);
    j->first = false;
}

static void layout_viz_json_text(Json *j, Text t)
{
    const char *s = fig_str(j->f, t);
    json_text(j->out, s, strlen(s));
}

static void json_shortest(Json *j, double v) { json_double(j->out, v); }

static void hue(Json *j, int32_t h)
{
    if (hue_name(h))
        str_fmt(j->out, "\"%s\"", hue_name(h));
    else
        str_fmt(j->out, "%d", (int)h);
}

/* Fields that are left out when there is nothing to say. */
static void text_field(Json *j, const char *name, Text t)
{
    if (t) {
        json_key(j, name);
        layout_viz_json_text(j, t);
    }
}

static void int_field(Json *j, const char *name, int v)
{
    json_key(j, name);
    str_fmt(j->out, "%d", v);
}

static void number_field(Json *j, const char *name, double v)
{
    json_key(j, name);
    json_shortest(j, v);
}

static void hue_field(Json *j, int32_t h)
{
    if (h != HUEplain) {
        json_key(j, "hue");
        hue(j, h);
    }
}

static void sign_field(Json *j, char c)
{
    if (c) {
        json_key(j, "sign");
        json_text(j->out, &c, 1);
    }
}

static void json_texts(Json *j, const char *name, const Text *t, int n)
{
    if (!t)
        return;
    json_key(j, name);
    json_open(j, '[');
    for (int i = 0; i < n; i++) {
        json_comma(j);
        layout_viz_json_text(j, t[i]);
    }
    json_shut(j, ']');
}

/* Panels --------------------------------------------------------------------------------- */

static void cells_with(Json *j, const Grid *g, const char *name, bool mark)
{
    bool some = false;
    for (int i = 0; i < g->rows * g->cols; i++) {
        if (!(mark ? g->cell[i].mark : g->cell[i].hole))
            continue;
        if (!some) {
            json_key(j, name);
            json_open(j, '[');
        }
        some = true;
        json_comma(j);
        str_fmt(j->out, "[%d,%d]", i / g->cols, i % g->cols);
    }
    if (some)
        json_shut(j, ']');
}

static void json_grid(Json *j, const Grid *g)
{
    int n = g->rows * g->cols;
    int_field(j, "rows", g->rows);
    int_field(j, "cols", g->cols);
    text_field(j, "row_name", g->row_name);
    text_field(j, "col_name", g->col_name);
    json_texts(j, "row_heads", g->row_head, g->rows);
    json_texts(j, "col_heads", g->col_head, g->cols);
    if (g->labels) {
        json_key(j, "labels");
        json_open(j, '[');
        for (int i = 0; i < n; i++) {
            json_comma(j);
            layout_viz_json_text(j, g->cell[i].label);
        }
        json_shut(j, ']');
    }
    json_key(j, "hues");
    json_open(j, '[');
    for (int i = 0; i < n; i++) {
        json_comma(j);
        hue(j, g->cell[i].hue);
    }
    json_shut(j, ']');
    if (g->tones) {
        json_key(j, "tones");
        json_open(j, '[');
        for (int i = 0; i < n; i++) {
            json_comma(j);
            str_fmt(j->out, "%d", g->cell[i].tone);
        }
        json_shut(j, ']');
    }
    if (g->signs) {
        json_key(j, "signs");
        str_puts(j->out, "\"");
        for (int i = 0; i < n; i++) {
            char c = g->cell[i].sign;
            if (c == '"' || c == '\\')
                str_puts(j->out, "\\");
            str_add(j->out, &c, 1);
        }
        str_puts(j->out, "\"");
    }
    cells_with(j, g, "marks", true);
    cells_with(j, g, "holes", false);
}

static void json_table(Json *j, const Table *t)
{
    json_texts(j, "head", t->head, t->cols);
    json_key(j, "rows");
    json_open(j, '[');
    for (int r = 0; r < t->rows; r++) {
        json_comma(j);
        json_open(j, '[');
        for (int c = 0; c < t->cols; c++) {
            json_comma(j);
            layout_viz_json_text(j, t->entry[(size_t)r * (size_t)t->cols + (size_t)c]);
        }
        json_shut(j, ']');
    }
    json_shut(j, ']');
}

static void bars(Json *j, const BarChart *b)
{
    text_field(j, "unit", b->unit);
    if (b->max > 0)
        number_field(j, "max", b->max);
    json_key(j, "bars");
    json_open(j, '[');
    for (int i = 0; i < b->n; i++) {
        const ChartBar *o = &b->bar[i];
        json_comma(j);
        json_open(j, '{');
        text_field(j, "label", o->label);
        number_field(j, "value", o->value);
        text_field(j, "text", o->text);
        hue_field(j, o->hue);
        if (o->range) {
            number_field(j, "low", o->low);
            number_field(j, "high", o->high);
        }
        json_shut(j, '}');
    }
    json_shut(j, ']');
}

static void json_line(Json *j, const Line *l)
{
    text_field(j, "label", l->label);
    json_key(j, "spans");
    json_open(j, '[');
    for (int i = 0; i < l->nspan; i++) {
        json_comma(j);
        json_open(j, '{');
        number_field(j, "from", l->span[i].from);
        number_field(j, "to", l->span[i].to);
        text_field(j, "label", l->span[i].label);
        hue_field(j, l->span[i].hue);
        json_shut(j, '}');
    }
    json_shut(j, ']');
    if (!l->nmark)
        return;
    json_key(j, "marks");
    json_open(j, '[');
    for (int i = 0; i < l->nmark; i++) {
        json_comma(j);
        json_open(j, '{');
        number_field(j, "at", l->mark[i].at);
        sign_field(j, l->mark[i].sign);
        json_shut(j, '}');
    }
    json_shut(j, ']');
}

static void json_track(Json *j, const Track *t)
{
    text_field(j, "unit", t->unit);
    number_field(j, "from", t->from);
    number_field(j, "to", t->to);
    json_key(j, "rows");
    json_open(j, '[');
    for (int i = 0; i < t->n; i++) {
        json_comma(j);
        json_open(j, '{');
        json_line(j, &t->line[i]);
        json_shut(j, '}');
    }
    json_shut(j, ']');
}

static void json_point(Json *j, const Point *p)
{
    json_comma(j);
    json_open(j, '{');
    number_field(j, "x", p->x);
    number_field(j, "y", p->y);
    text_field(j, "label", p->label);
    hue_field(j, p->hue);
    json_shut(j, '}');
}

static void bool_field(Json *j, const char *name, bool v)
{
    json_key(j, name);
    str_puts(j->out, v ? "true" : "false");
}

static void curve(Json *j, const Curve *c)
{
    text_field(j, "xlabel", c->xlabel);
    text_field(j, "ylabel", c->ylabel);
    bool_field(j, "xlog", c->xlog);
    bool_field(j, "ylog", c->ylog);
    json_key(j, "lines");
    json_open(j, '[');
    for (int i = 0; i < c->nstroke; i++) {
        const Stroke *s = &c->stroke[i];
        json_comma(j);
        json_open(j, '{');
        text_field(j, "label", s->label);
        hue_field(j, s->hue);
        json_key(j, "points");
        json_open(j, '[');
        for (int k = 0; k < s->n; k++) {
            json_comma(j);
            json_open(j, '[');
            json_comma(j);
            json_shortest(j, s->point[k].x);
            json_comma(j);
            json_shortest(j, s->point[k].y);
            json_shut(j, ']');
        }
        json_shut(j, ']');
        json_shut(j, '}');
    }
    json_shut(j, ']');
    json_key(j, "points");
    json_open(j, '[');
    for (int i = 0; i < c->npoint; i++)
        json_point(j, &c->point[i]);
    json_shut(j, ']');
}

static void legend(Json *j, const Legend *l)
{
    json_key(j, "entries");
    json_open(j, '[');
    for (int i = 0; i < l->n; i++) {
        const Chip *c = &l->chip[i];
        json_comma(j);
        json_open(j, '{');
        hue_field(j, c->hue);
        int_field(j, "tone", c->tone);
        sign_field(j, c->sign);
        text_field(j, "label", c->label);
        json_shut(j, '}');
    }
    json_shut(j, ']');
}

static void json_panel(Json *j, const Panel *p, int column)
{
    static const char *const kind[NPanel] = {
        [Pgrid] = "grid", [Ptable] = "table", [Pbars] = "bars", [Ptrack] = "track",
        [Pcurve] = "curve", [Ptext] = "text", [Plegend] = "legend", [Pblank] = "blank",
    };
    json_comma(j);
    json_open(j, '{');
    json_key(j, "kind");
    json_text(j->out, kind[p->kind], strlen(kind[p->kind]));
    int_field(j, "row", p->row);
    int_field(j, "column", column);
    text_field(j, "caption", p->caption);
    switch (p->kind) {
    case Pgrid:   json_grid(j, &p->u.grid); break;
    case Ptable:  json_table(j, &p->u.table); break;
    case Pbars:   bars(j, &p->u.bars); break;
    case Ptrack:  json_track(j, &p->u.track); break;
    case Pcurve:  curve(j, &p->u.curve); break;
    case Ptext:   json_texts(j, "lines", p->u.text.line, p->u.text.n); break;
    case Plegend: legend(j, &p->u.legend); break;
    default:      break;
    }
    json_shut(j, '}');
}

void fig_write_json(const Figure *f, Str *out)
{
    Json j = {f, out, true};
    json_open(&j, '{');
    json_key(&j, "title");
    layout_viz_json_text(&j, f->title);
    text_field(&j, "source", f->source);
    json_key(&j, "panels");
    json_open(&j, '[');
    int row = -1, column = 0;
    for (const Panel *p = f->first; p; p = p->next) {
        column = p->row == row ? column + 1 : 0;
        row = p->row;
        json_panel(&j, p, column);
    }
    json_shut(&j, ']');
    json_shut(&j, '}');
    str_puts(out, "\n");
}
