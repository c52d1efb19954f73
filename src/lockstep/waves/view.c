// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "die_waves.h"
#include "lockstep/die/gtkwave.h"
#include "lockstep/difference.h"
#include "lockstep/pages/page.h"
#include "lockstep/waves/waves.h"

#define NAME 96
#define SOURCES 2048u /* numbers of sources are below */
#define WORD_BYTES 8u

/* What is shown of a source. A pulse lasts for the cycle of its record. */
typedef enum field {
    ADDR,
    VALUE,
    WRITE,
    BYTES,
    RESP,
    REQUEST,
    GRANT,
    DATA, /* words of the transfer, a signal each */
    LINES,
    STATE_NAME, /* eight letters */
    CYCLE,
} field;

typedef struct column {
    const char *name;
    uint8_t kind;
    bool pulse;
    unsigned bits;
    field field;
} column;

static const column columns[] = {
    {"transfer", CS_PROBE_BUS, true, 1, ADDR},
    {"addr", CS_PROBE_BUS, false, 64, ADDR},
    {"write", CS_PROBE_BUS, false, 1, WRITE},
    {"bytes", CS_PROBE_BUS, false, 8, BYTES},
    {"resp", CS_PROBE_BUS, false, 2, RESP},
    {"asked", CS_PROBE_BUS, false, 64, REQUEST},
    {"granted", CS_PROBE_BUS, false, 64, GRANT},
    {"data", CS_PROBE_BUS, false, 64, DATA},
    {"state", CS_PROBE_STATE, false, 8, VALUE},
    {"state_name", CS_PROBE_STATE, false, 64, STATE_NAME},
    {"lines", CS_PROBE_IRQ, false, 16, LINES},
    {"access", CS_PROBE_REG, true, 1, ADDR},
    {"access_addr", CS_PROBE_REG, false, 64, ADDR},
    {"access_write", CS_PROBE_REG, false, 1, WRITE},
    {"access_data", CS_PROBE_REG, false, 64, VALUE},
    {"access_resp", CS_PROBE_REG, false, 2, RESP},
    {"sample", CS_PROBE_SAMPLE, true, 1, ADDR},
    {"sample_addr", CS_PROBE_SAMPLE, false, 64, ADDR},
    {"sample_number", CS_PROBE_SAMPLE, false, 64, VALUE},
    {"sample_resp", CS_PROBE_SAMPLE, false, 2, RESP},
};

#define COLUMNS (sizeof columns / sizeof columns[0])

/* Of no source: the running cycle, so that a person need not divide. */
static const column cycle_column = {"cycle", 0, false, 64, CYCLE};

typedef struct shown {
    char name[NAME];
    const column *column;
    bool rtl;
    uint16_t source;
    unsigned word;       /* of DATA, in order of addresses */
    const cs_page *page; /* of a state's name; NULL: none */
} shown;

typedef struct queued {
    cs_probe_record record;
    size_t data; /* of the transfer, behind one that is empty; 0: not kept */
} queued;

/* Records of a side, by cycle; those before `next` were shown. */
typedef struct queue {
    queued *records;
    size_t count, room, next;
    cs_data_ring *told; /* the last bytes */
    cs_difference_data *data;
    size_t nr_data, data_room;
} queue;

struct cs_waves_view {
    cs_waves_request request;
    cs_pages pages;
    uint8_t kinds[2][SOURCES]; /* that have sent records, a bit each: of all but BUS, of BUS */
    uint8_t words[SOURCES];    /* of the longest transfer */
    shown *shown;
    cs_die_signal *signals;
    size_t nr, room;
    queue queues[2];
    cs_status status;
};

cs_status cs_waves_view_create(const cs_waves_request *request, cs_waves_view **out, cs_diag *diag)
{
    cs_waves_view *v = calloc(1, sizeof *v);
    cs_status status;

    *out = NULL;
    if (v == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for waves");
    v->request = *request;
    status = cs_pages_create(&v->pages, diag);
    for (int rtl = 0; rtl < 2 && status == CS_OK; rtl++)
        status = cs_data_ring_create(&v->queues[rtl].told, diag);
    if (status != CS_OK) {
        cs_waves_view_destroy(v);
        return status;
    }
    *out = v;
    return CS_OK;
}

void cs_waves_view_destroy(cs_waves_view *v)
{
    if (v == NULL)
        return;
    cs_pages_destroy(&v->pages);
    for (int rtl = 0; rtl < 2; rtl++) {
        cs_data_ring_destroy(v->queues[rtl].told);
        free(v->queues[rtl].records);
        free(v->queues[rtl].data);
    }
    free(v->shown);
    free(v->signals);
    free(v);
}

const cs_waves_request *cs_waves_view_request(const cs_waves_view *v)
{
    return &v->request;
}

cs_status cs_waves_view_status(const cs_waves_view *v)
{
    return v->status;
}

/* ---- records ---- */

static void note(cs_waves_view *v, const cs_probe_record *r)
{
    const unsigned words = (r->bytes + WORD_BYTES - 1) / WORD_BYTES;

    if (r->source >= SOURCES)
        return;
    v->kinds[r->kind == CS_PROBE_BUS][r->source] |= (uint8_t)(1u << r->kind);
    if (r->kind == CS_PROBE_BUS && words > v->words[r->source])
        v->words[r->source] = (uint8_t)words;
}

void cs_waves_view_data(cs_waves_view *v, bool rtl, uint64_t hash, const uint8_t *data,
                        unsigned bytes)
{
    cs_data_ring_add(v->queues[rtl].told, hash, data, bytes);
}

/* The bytes of a transfer in the window are kept; 0: there are none. */
static size_t keep_data(cs_waves_view *v, queue *q, const cs_probe_record *r)
{
    cs_difference_data *list;

    if (r->kind != CS_PROBE_BUS || r->cycle < v->request.from)
        return 0;
    list = cs_room(q->data, &q->data_room, q->nr_data + 1, sizeof *list);
    if (list == NULL) {
        v->status = CS_ERR_NO_MEMORY;
        return 0;
    }
    q->data = list;
    list[++q->nr_data] = (cs_difference_data){0};
    cs_data_ring_find(q->told, r->value, &list[q->nr_data]);
    return q->nr_data;
}

/* They come nearly in order. */
void cs_waves_view_record(cs_waves_view *v, bool rtl, const cs_probe_record *record)
{
    queue *q = &v->queues[rtl];
    queued *list = cs_room(q->records, &q->room, q->count, sizeof *list);
    size_t at = q->count;

    if (list == NULL) {
        v->status = CS_ERR_NO_MEMORY;
        return;
    }
    q->records = list;
    note(v, record);
    for (; at > q->next && list[at - 1].record.cycle > record->cycle; at--)
        list[at] = list[at - 1];
    list[at] = (queued){*record, keep_data(v, q, record)};
    q->count++;
}

/* ---- signals ---- */

static bool add(cs_waves_view *v, const shown *made)
{
    shown *list = cs_room(v->shown, &v->room, v->nr, sizeof *list);

    if (list == NULL)
        return false;
    v->shown = list;
    list[v->nr++] = *made;
    return true;
}

/* Model and RTL of a column, one behind the other. */
static bool add_column(cs_waves_view *v, uint16_t source, const column *c, unsigned word)
{
    const cs_probe_record of = {.kind = c->kind, .source = source};
    unsigned ignored;
    char own[48];
    char name[48];
    char number[12] = "";

    if (c->field == DATA)
        snprintf(number, sizeof number, "_%u", word);
    snprintf(name, sizeof name, "%s", cs_probe_source_name(c->kind, source, own, sizeof own));
    for (char *at = name; *at != '\0'; at++)
        if (*at == ' ')
            *at = '_';
    for (int rtl = 0; rtl < 2; rtl++) {
        shown s = {.column = c, .rtl = rtl != 0, .source = source, .word = word};

        snprintf(s.name, sizeof s.name, "view %s%s %s %s%s", c->kind == CS_PROBE_BUS ? "bus_" : "",
                 name, rtl ? "rtl" : "model", c->name, number);
        if (c->field == STATE_NAME) {
            s.page = cs_pages_of(&v->pages, &of, &ignored);
            if (s.page == NULL || s.page->nr_states == 0)
                return true;
        }
        if (!add(v, &s))
            return false;
    }
    return true;
}

static bool add_source(cs_waves_view *v, uint16_t source, unsigned kinds)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        const column *c = &columns[i];
        const unsigned nr = c->field == DATA ? v->words[source] : 1;

        for (unsigned word = 0; (kinds >> c->kind & 1) != 0 && word < nr; word++)
            if (!add_column(v, source, c, word))
                return false;
    }
    return true;
}

static bool add_all(cs_waves_view *v)
{
    const shown cycle = {.name = "view cycle", .column = &cycle_column};
    const cs_probe_record *r = &v->request.record;

    if (v->request.has_record)
        note(v, r);
    if (!add(v, &cycle))
        return false;
    if (v->request.has_record &&
        !add_source(v, r->source, v->kinds[r->kind == CS_PROBE_BUS][r->source]))
        return false;
    for (unsigned manager = 0; manager < 2; manager++)
        for (unsigned i = 0; i < SOURCES; i++)
            if (v->kinds[manager][i] != 0 &&
                !(v->request.has_record && r->source == i &&
                  (r->kind == CS_PROBE_BUS) == (manager != 0)) &&
                !add_source(v, (uint16_t)i, v->kinds[manager][i]))
                return false;
    return true;
}

cs_die_signal *cs_waves_view_signals(cs_waves_view *v, size_t *nr)
{
    if (add_all(v))
        v->signals = calloc(v->nr, sizeof *v->signals);
    if (v->signals == NULL) {
        v->status = CS_ERR_NO_MEMORY;
        return NULL;
    }
    for (size_t i = 0; i < v->nr; i++)
        v->signals[i] = (cs_die_signal){.name = v->shown[i].name, .bits = v->shown[i].column->bits};
    *nr = v->nr;
    return v->signals;
}

/* ---- values ---- */

static uint64_t letters(const char *text)
{
    uint64_t value = 0;

    for (unsigned i = 0; text != NULL && i < 8 && text[i] != '\0'; i++)
        value = value << 8 | (unsigned char)text[i];
    return value;
}

/* 0 where the transfer has no such byte. */
static uint64_t word_of(const cs_difference_data *data, unsigned word)
{
    uint64_t value = 0;

    for (unsigned i = WORD_BYTES; i-- > 0;)
        if (word * WORD_BYTES + i < data->bytes)
            value |= (uint64_t)data->data[word * WORD_BYTES + i] << 8 * i;
    return value;
}

static uint64_t value_of(const shown *s, const cs_probe_record *r, const cs_difference_data *data,
                         uint64_t before)
{
    const uint64_t line = (uint64_t)1 << r->index % 16;

    switch (s->column->field) {
    case ADDR:
        return r->addr;
    case WRITE:
        return r->write;
    case BYTES:
        return r->bytes;
    case RESP:
        return r->resp;
    case REQUEST:
        return r->request;
    case GRANT:
        return r->grant;
    case DATA:
        return word_of(data, s->word);
    case LINES:
        return r->value != 0 ? before | line : before & ~line;
    case STATE_NAME:
        return letters(cs_page_state_name(s->page, r->value));
    case VALUE:
        return r->value;
    case CYCLE:
        break;
    }
    return before;
}

/* A record of a cycle before the window has left its values, but is no pulse any more. */
static void apply(cs_waves_view *v, bool rtl, const queued *q, cs_cycle now)
{
    static const cs_difference_data none;
    const cs_difference_data *data = q->data != 0 ? &v->queues[rtl].data[q->data] : &none;
    const cs_probe_record *r = &q->record;

    for (size_t i = 1; i < v->nr; i++) {
        const shown *s = &v->shown[i];

        if (s->rtl == rtl && s->source == r->source && s->column->kind == r->kind)
            v->signals[i].value =
                s->column->pulse ? r->cycle == now : value_of(s, r, data, v->signals[i].value);
    }
}

void cs_waves_view_show(cs_waves_view *v, cs_cycle cycle)
{
    if (v->signals == NULL)
        return;
    v->signals[0].value = cycle;
    for (size_t i = 1; i < v->nr; i++)
        if (v->shown[i].column->pulse)
            v->signals[i].value = 0;
    for (int rtl = 0; rtl < 2; rtl++) {
        queue *q = &v->queues[rtl];

        for (; q->next < q->count && q->records[q->next].record.cycle <= cycle; q->next++)
            apply(v, rtl != 0, &q->records[q->next], cycle);
    }
}

/* ---- GTKWave ---- */

static const char *format_of(const column *c)
{
    static const char *const of[] = {
        [ADDR] = CS_GTKWAVE_HEX,      [VALUE] = CS_GTKWAVE_HEX,
        [WRITE] = CS_GTKWAVE_HEX,     [BYTES] = CS_GTKWAVE_DECIMAL,
        [RESP] = CS_GTKWAVE_HEX,      [REQUEST] = CS_GTKWAVE_DECIMAL,
        [GRANT] = CS_GTKWAVE_DECIMAL, [STATE_NAME] = CS_GTKWAVE_LETTERS,
        [LINES] = CS_GTKWAVE_HEX,     [CYCLE] = CS_GTKWAVE_DECIMAL,
        [DATA] = CS_GTKWAVE_HEX,
    };

    return c->bits == 1 ? CS_GTKWAVE_BIT : of[c->field];
}

/* By its side and last name. */
static void save_signal(const shown *s, FILE *out)
{
    cs_gtkwave_signal(out, format_of(s->column), s->rtl,
                      s->column->field != CYCLE ? strrchr(s->name, ' ') + 1 : NULL, s->name,
                      s->column->bits);
}

static bool same_source(const shown *a, const shown *b)
{
    return a->source == b->source &&
           (a->column->kind == CS_PROBE_BUS) == (b->column->kind == CS_PROBE_BUS);
}

static void save_all(const cs_waves_view *v, FILE *out)
{
    char name[NAME];

    for (size_t i = 0; i < v->nr; i++) {
        const shown *s = &v->shown[i];

        if (i == 1 || (i > 1 && !same_source(s, s - 1)))
            cs_gtkwave_title(out, s->column->kind == CS_PROBE_BUS ? "bus: " : "",
                             cs_probe_source_name(s->column->kind, s->source, name, sizeof name));
        save_signal(s, out);
    }
}

cs_status cs_waves_view_save(const cs_waves_view *v, cs_diag *diag)
{
    const cs_waves_request *request = &v->request;
    const bool inside =
        request->differs && request->cycle >= request->from && request->cycle < request->to;
    const cs_cycle mark = inside ? request->cycle : request->from;
    const cs_cycle from = mark > request->from + 12 ? mark - 12 : request->from;
    FILE *out = fopen(request->save, "w");
    bool good;

    if (out == NULL)
        return cs_diag_set(diag, CS_ERR_IO, request->save, "%s", strerror(errno));
    cs_gtkwave_begin(out, request->name, from, mark);
    save_all(v, out);
    good = ferror(out) == 0;
    return fclose(out) == 0 && good
               ? CS_OK
               : cs_diag_set(diag, CS_ERR_IO, request->save, "%s", strerror(errno));
}
