// SPDX-License-Identifier: Apache-2.0
#include "formats/perf_stat/read/json_line.h"

#include <string.h>

#include "formats/common/json_read.h"

bool cs_statread_keep(cs_statread_texts *texts, const char **out, const char *text, size_t size)
{
    char *to = texts->bytes + texts->used;

    *out = NULL;
    if (text == NULL)
        return true;
    if (size >= CS_STATREAD_TEXT || size >= sizeof texts->bytes - texts->used)
        return false;
    memcpy(to, text, size);
    to[size] = '\0';
    texts->used += size + 1;
    *out = to;
    return true;
}

/* ---- a line as a file ---- */

typedef struct piece {
    const char *text;
    size_t left;
} piece;

static cs_status read_piece(void *ctx, uint8_t *to, size_t room, size_t *got, cs_diag *diag)
{
    piece *p = ctx;

    (void)diag;
    *got = p->left < room ? p->left : room;
    memcpy(to, p->text, *got);
    p->text += *got;
    p->left -= *got;
    return CS_OK;
}

/* ---- its keys ---- */

typedef enum key { INTERVAL, CPU, VALUE, UNIT, EVENT, RUNTIME, PERCENT, VARIANCE, OTHER } key;

static const char *const keys[] = {
    [INTERVAL] = "interval",    [CPU] = "cpu",
    [VALUE] = "counter-value",  [UNIT] = "unit",
    [EVENT] = "event",          [RUNTIME] = "event-runtime",
    [PERCENT] = "pcnt-running", [VARIANCE] = "variance",
};
/* How else counts are added up. */
static const char *const sums[] = {"core", "cluster", "socket", "die", "cache", "node", "thread"};

static key key_of(const cs_json_token *token)
{
    key k = INTERVAL;

    while (k < OTHER && strcmp(token->text, keys[k]) != 0)
        k++;
    return k;
}

typedef struct taking {
    const cs_perf_stat_place *place;
    cs_statread_texts *texts;
    cs_statread_row *row;
    cs_diag *diag;
} taking;

static cs_status refuse(const taking *t, const cs_json_token *token, const char *expected)
{
    return cs_diag_set_at(t->diag, CS_ERR_FORMAT, t->place->name, t->place->line,
                          (unsigned)token->offset + 1, "found \"%.40s\", expected %s",
                          token->text != NULL ? token->text : "", expected);
}

/* "0.100123456", as perf prints it. */
static bool time_of(const cs_json_token *token, uint64_t *ns)
{
    const char *point = memchr(token->text, '.', token->bytes);
    uint64_t seconds, rest;

    if (!cs_perf_stat_is_time(token->text, token->bytes) ||
        !cs_perf_stat_whole(token->text, (size_t)(point - token->text), &seconds) ||
        !cs_perf_stat_whole(point + 1, 9, &rest) || seconds > UINT32_MAX)
        return false;
    *ns = seconds * 1000000000u + rest;
    return true;
}

/* "123.000000", "0.50", "<not counted>". */
static bool value_of(cs_statread_row *row, const cs_json_token *token)
{
    const char *point = memchr(token->text, '.', token->bytes);
    const size_t whole = point != NULL ? (size_t)(point - token->text) : token->bytes;

    row->value = NULL;
    row->count = 0;
    row->whole = true;
    if (token->text[0] == '<')
        return true;
    row->whole = point == NULL || strspn(point + 1, "0") == strlen(point + 1);
    return cs_perf_stat_whole(token->text, whole, &row->count);
}

static bool take_texts(taking *t, key k, const cs_json_token *token)
{
    cs_statread_row *row = t->row;
    const char **const to[] = {[VALUE] = &row->value,
                               [UNIT] = &row->unit,
                               [EVENT] = &row->event,
                               [PERCENT] = &row->percent};

    return cs_statread_keep(t->texts, to[k], token->text, token->bytes);
}

static cs_status take(taking *t, key k, const cs_json_token *token)
{
    cs_statread_row *row = t->row;
    uint64_t number = 0;

    switch (k) {
    case INTERVAL:
        row->timed = true;
        return time_of(token, &row->end_ns) ? CS_OK : refuse(t, token, "a time in seconds");
    case CPU:
        if (!cs_perf_stat_whole(token->text, token->bytes, &number) || number > INT32_MAX)
            return refuse(t, token, "a CPU's number");
        row->cpu = (int32_t)number;
        return CS_OK;
    case RUNTIME:
        row->has_running = true;
        return cs_perf_stat_whole(token->text, token->bytes, &row->running_ns)
                   ? CS_OK
                   : refuse(t, token, "the time on a counter, in ns");
    case VARIANCE:
        row->mean = true;
        return CS_OK;
    case VALUE:
        if (!value_of(row, token))
            return refuse(t, token, "a count, <not counted> or <not supported>");
        if (token->text[0] == '<')
            return CS_OK;
        break;
    default:
        break;
    }
    return take_texts(t, k, token) ? CS_OK : refuse(t, token, "a shorter text");
}

static cs_status check_sum(const taking *t, const cs_json_token *token)
{
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        if (strcmp(token->text, sums[i]) == 0)
            return cs_diag_set_at(t->diag, CS_ERR_UNSUPPORTED, t->place->name, t->place->line,
                                  (unsigned)token->offset + 1,
                                  "found \"%s\": only the plain form of perf stat and that of -A "
                                  "(cpu) are read",
                                  sums[i]);
    return CS_OK;
}

/* A key's value. */
static cs_status take_key(taking *t, cs_json *json, const cs_json_token *named)
{
    const key k = key_of(named);
    cs_status status = check_sum(t, named);
    cs_json_token token;

    if (status == CS_OK)
        status = cs_json_next(json, &token, t->diag);
    if (status != CS_OK)
        return status;
    if (k == OTHER)
        return cs_json_skip(json, &token, t->diag);
    return token.kind == CS_JSON_STRING || token.kind == CS_JSON_NUMBER
               ? take(t, k, &token)
               : refuse(t, &token, "a text or a number");
}

static cs_status take_object(taking *t, cs_json *json)
{
    cs_json_token token;
    cs_status status = cs_json_next(json, &token, t->diag);

    if (status == CS_OK && token.kind != CS_JSON_OBJECT)
        return refuse(t, &token, "an object");
    while (status == CS_OK && (status = cs_json_next(json, &token, t->diag)) == CS_OK &&
           token.kind == CS_JSON_KEY)
        status = take_key(t, json, &token);
    if (status == CS_OK) /* nothing is behind it */
        status = cs_json_next(json, &token, t->diag);
    return status;
}

cs_status cs_statread_json(const char *line, size_t bytes, const cs_perf_stat_place *place,
                           cs_statread_texts *texts, cs_statread_row *row, bool *any, cs_diag *diag)
{
    piece whole = {line, bytes};
    const cs_byte_source source = {.read = read_piece, .ctx = &whole};
    taking t = {place, texts, row, diag};
    cs_json *json = NULL;

    row->cpu = CS_STATREAD_ALL_CPUS;
    row->unit = "";
    cs_status status = cs_json_open(&source, place->name, false, &json, diag);
    if (status == CS_OK)
        status = take_object(&t, json);
    cs_json_close(json);
    *any = status == CS_OK && row->event != NULL;
    return status;
}
