// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "check/timeline/sums.h"

#include <stdlib.h>
#include <string.h>

#include "check/timeline/hashed.h"

static cs_status no_memory(cs_checking *check)
{
    return cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
}

/* ---- events ---- */

#define MOST_ROWS 200000u

typedef struct sum {
    cs_row_hash key;
    cs_ev ev; /* its texts are its own */
} sum;

struct cs_evsums {
    cs_checking *check;
    cs_hashed list;
    unsigned nr_texts, nr_numbers;
    uint8_t texts[CS_EV_MOST_COLUMNS], numbers[CS_EV_MOST_COLUMNS];
};

cs_status cs_evsums_create(cs_checking *check, cs_evsums **out)
{
    cs_evsums *sums = calloc(1, sizeof *sums);

    *out = sums;
    if (sums == NULL)
        return no_memory(check);
    sums->check = check;
    sums->list.item_bytes = sizeof(sum);
    for (unsigned i = 0; i < cs_evtable_nr_columns; i++) {
        if (i == CS_EV_PROCESS || i == CS_EV_THREAD || i == CS_EV_CPU || i == CS_EV_LINE ||
            i == CS_EV_OFFSET)
            continue;
        if (cs_evtable_columns[i].is_text)
            sums->texts[sums->nr_texts++] = (uint8_t)i;
        else
            sums->numbers[sums->nr_numbers++] = (uint8_t)i;
    }
    return CS_OK;
}

void cs_evsums_destroy(cs_evsums *sums)
{
    if (sums == NULL)
        return;
    for (size_t i = 0; i < sums->list.nr; i++)
        for (unsigned t = 0; t < sums->nr_texts; t++)
            free((char *)((sum *)cs_hashed_at(&sums->list, i))->ev.values[sums->texts[t]].text);
    cs_hashed_free(&sums->list);
    free(sums);
}

static void add_number(cs_row_hash *key, const cs_ev_value *value)
{
    cs_row_add(key, value->is_number ? CS_ROW_NUMBER : CS_ROW_NOTHING, (uint64_t)value->number);
}

static cs_row_hash key_of(const cs_evsums *sums, const cs_ev *ev)
{
    cs_row_hash key = cs_row_begin();

    for (unsigned i = 0; i < sums->nr_texts; i++) {
        const char *text = ev->values[sums->texts[i]].text;

        if (text != NULL) {
            cs_row_add(&key, CS_ROW_NOTHING, i);
            cs_row_add_text(&key, text, strlen(text));
        }
    }
    add_number(&key, &ev->values[CS_EV_CPU]);
    add_number(&key, &ev->values[CS_EV_LINE]);
    return key;
}

static bool begin(const cs_evsums *sums, sum *to, const cs_ev *ev)
{
    bool good = true;

    to->ev.values[CS_EV_CPU] = ev->values[CS_EV_CPU];
    to->ev.values[CS_EV_LINE] = ev->values[CS_EV_LINE];
    to->ev.values[CS_EV_OFFSET] = ev->values[CS_EV_OFFSET];
    for (unsigned i = 0; i < sums->nr_texts; i++) {
        const char *text = ev->values[sums->texts[i]].text;

        if (text != NULL) {
            to->ev.values[sums->texts[i]].text = strdup(text);
            good &= to->ev.values[sums->texts[i]].text != NULL;
        }
    }
    return good;
}

cs_status cs_evsums_add(cs_evsums *sums, const cs_ev *ev, bool *more)
{
    const cs_row_hash key = key_of(sums, ev);
    bool is_new;
    sum *to = cs_hashed_for(&sums->list, &key, &is_new);

    if (to == NULL || (is_new && !begin(sums, to, ev)))
        return no_memory(sums->check);
    *more &= sums->list.nr <= MOST_ROWS;
    for (unsigned i = 0; i < sums->nr_numbers; i++) {
        cs_ev_value *value = &to->ev.values[sums->numbers[i]];
        const cs_ev_value *more = &ev->values[sums->numbers[i]];

        value->number = (int64_t)((uint64_t)value->number + (uint64_t)more->number);
        value->is_number |= more->is_number;
    }
    if (ev->values[CS_EV_OFFSET].number < to->ev.values[CS_EV_OFFSET].number)
        to->ev.values[CS_EV_OFFSET] = ev->values[CS_EV_OFFSET];
    return CS_OK;
}

cs_status cs_evsums_store(cs_evsums *sums, cs_evtable *table)
{
    cs_status status = CS_OK;

    for (size_t i = 0; status == CS_OK && i < sums->list.nr; i++)
        status = cs_evtable_insert(table, &((sum *)cs_hashed_at(&sums->list, i))->ev);
    return status;
}

/* ---- rows of the truth ---- */

typedef struct group {
    cs_row_hash key;
    sqlite3_value *grp, *cpu;
    int64_t rows;
} group;

struct cs_evgroups {
    cs_checking *check;
    cs_hashed list;
};

cs_status cs_evgroups_create(cs_checking *check, cs_evgroups **out)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return no_memory(check);
    (*out)->check = check;
    (*out)->list.item_bytes = sizeof(group);
    return CS_OK;
}

void cs_evgroups_destroy(cs_evgroups *groups)
{
    if (groups == NULL)
        return;
    for (size_t i = 0; i < groups->list.nr; i++) {
        sqlite3_value_free(((group *)cs_hashed_at(&groups->list, i))->grp);
        sqlite3_value_free(((group *)cs_hashed_at(&groups->list, i))->cpu);
    }
    cs_hashed_free(&groups->list);
    free(groups);
}

cs_status cs_evgroups_add(cs_evgroups *groups, const cs_row_hash *key, sqlite3_stmt *query)
{
    bool is_new;
    group *to = cs_hashed_for(&groups->list, key, &is_new);

    if (to == NULL)
        return no_memory(groups->check);
    if (is_new) {
        to->grp = sqlite3_value_dup(sqlite3_column_value(query, 0));
        to->cpu = sqlite3_value_dup(sqlite3_column_value(query, 1));
        if (to->grp == NULL || to->cpu == NULL)
            return no_memory(groups->check);
    }
    to->rows++;
    return CS_OK;
}

cs_status cs_evgroups_store(cs_evgroups *groups, unsigned nr)
{
    char sql[96];
    sqlite3_stmt *insert = NULL;
    cs_status status;

    snprintf(sql, sizeof sql, "CREATE TABLE groups_%u(grp, cpu, n)", nr);
    status = cs_check_do(groups->check, sql);
    snprintf(sql, sizeof sql, "INSERT INTO groups_%u VALUES(?,?,?)", nr);
    if (status == CS_OK)
        status = cs_check_prepare(groups->check, sql, &insert);
    for (size_t i = 0; status == CS_OK && i < groups->list.nr; i++) {
        const group *g = (const group *)cs_hashed_at(&groups->list, i);

        sqlite3_bind_value(insert, 1, g->grp);
        sqlite3_bind_value(insert, 2, g->cpu);
        sqlite3_bind_int64(insert, 3, g->rows);
        status = cs_check_insert(groups->check, insert, NULL, 0);
    }
    sqlite3_finalize(insert);
    return status;
}
