// SPDX-License-Identifier: Apache-2.0
#include "lockstep/difference.h"

#include <stdlib.h>
#include <string.h>

#define RING 8192u

/* ---- lists ---- */

cs_status cs_record_list_add(cs_record_list *list, const cs_probe_record *records, size_t count,
                             cs_diag *diag)
{
    const size_t room = list->count + count;

    if (room > list->room) {
        cs_probe_record *moved = realloc(list->records, room * sizeof *moved);

        if (moved == NULL)
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for records");
        list->records = moved;
        list->room = room;
    }
    if (count != 0)
        memcpy(list->records + list->count, records, count * sizeof *records);
    list->count += count;
    return CS_OK;
}

void cs_record_list_free(cs_record_list *list)
{
    free(list->records);
    *list = (cs_record_list){0};
}

/* ---- side by side ---- */

static bool equal(const cs_probe_record *a, const cs_probe_record *b)
{
    return cs_probe_difference(a, b, NULL, NULL) == NULL;
}

static bool same_source(const cs_probe_record *a, const cs_probe_record *b)
{
    return (a->kind == CS_PROBE_BUS) == (b->kind == CS_PROBE_BUS) && a->source == b->source;
}

/* What two records in one row cost, against 2 for each that stands alone. */
static unsigned pair_cost(const cs_probe_record *a, const cs_probe_record *b)
{
    if (equal(a, b))
        return 0;
    if (!same_source(a, b) || a->kind != b->kind || a->write != b->write)
        return 5;
    return a->addr == b->addr && a->index == b->index ? 1 : 3;
}

static void add_row(cs_difference *d, const cs_probe_record *model, const cs_probe_record *rtl)
{
    cs_difference_row *row = &d->rows[d->nr_rows++];

    *row = (cs_difference_row){.has_model = model != NULL, .has_rtl = rtl != NULL};
    if (model != NULL)
        row->model = *model;
    if (rtl != NULL)
        row->rtl = *rtl;
    row->equal = model != NULL && rtl != NULL && equal(model, rtl);
}

static size_t at_most(size_t count)
{
    return count < CS_DIFFERENCE_AFTER ? count : CS_DIFFERENCE_AFTER;
}

/* The cheapest way through both; cost[i][j] is that of what is left from model i and RTL j on. */
void cs_difference_align(cs_difference *d, const cs_probe_record *agreed, size_t nr_agreed,
                         const cs_record_list *model, const cs_record_list *rtl)
{
    unsigned cost[CS_DIFFERENCE_AFTER + 1][CS_DIFFERENCE_AFTER + 1];
    const size_t a = at_most(model->count);
    const size_t b = at_most(rtl->count);

    for (size_t i = 0; i < nr_agreed && i < CS_DIFFERENCE_ROWS - 2 * CS_DIFFERENCE_AFTER; i++)
        add_row(d, &agreed[i], &agreed[i]);
    d->first = d->nr_rows;
    for (size_t i = a + 1; i-- > 0;)
        for (size_t j = b + 1; j-- > 0;) {
            unsigned least = i == a && j == b ? 0 : ~0u;

            if (i < a && j < b)
                least = pair_cost(&model->records[i], &rtl->records[j]) + cost[i + 1][j + 1];
            if (i < a && 2 + cost[i + 1][j] < least)
                least = 2 + cost[i + 1][j];
            if (j < b && 2 + cost[i][j + 1] < least)
                least = 2 + cost[i][j + 1];
            cost[i][j] = least;
        }
    for (size_t i = 0, j = 0; i < a || j < b;) {
        const cs_probe_record *m = i < a ? &model->records[i] : NULL;
        const cs_probe_record *r = j < b ? &rtl->records[j] : NULL;

        if (m != NULL && r != NULL && cost[i][j] == pair_cost(m, r) + cost[i + 1][j + 1]) {
            add_row(d, m, r);
            i++, j++;
        } else if (m != NULL && cost[i][j] == 2 + cost[i + 1][j] &&
                   !(r != NULL && r->cycle < m->cycle && cost[i][j] == 2 + cost[i][j + 1])) {
            add_row(d, m, NULL);
            i++;
        } else {
            add_row(d, NULL, r);
            j++;
        }
    }
}

/* ---- the other sources ---- */

/* Whether this source was looked at already: by a record before this one. */
static bool is_known(const cs_record_list *in, size_t nr)
{
    for (size_t i = 0; i < nr; i++)
        if (same_source(&in->records[i], &in->records[nr]))
            return true;
    return false;
}

static const cs_probe_record *next(const cs_record_list *list, const cs_probe_record *of,
                                   size_t *at)
{
    while (*at < list->count && !same_source(&list->records[*at], of))
        ++*at;
    return *at < list->count ? &list->records[(*at)++] : NULL;
}

/* The first pair of this source's records that differs; false: there is none. */
static bool first_of(const cs_record_list *model, const cs_record_list *rtl,
                     const cs_probe_record *of, cs_difference_row *out)
{
    size_t i = 0, j = 0;

    for (;;) {
        const cs_probe_record *m = next(model, of, &i);
        const cs_probe_record *r = next(rtl, of, &j);

        if (m == NULL && r == NULL)
            return false;
        if (m != NULL && r != NULL && equal(m, r))
            continue;
        *out = (cs_difference_row){.has_model = m != NULL, .has_rtl = r != NULL};
        if (m != NULL)
            out->model = *m;
        if (r != NULL)
            out->rtl = *r;
        return true;
    }
}

static cs_cycle cycle_of(const cs_difference_row *row)
{
    if (!row->has_model || !row->has_rtl)
        return row->has_model ? row->model.cycle : row->rtl.cycle;
    return row->model.cycle < row->rtl.cycle ? row->model.cycle : row->rtl.cycle;
}

static int by_cycle(const void *a, const void *b)
{
    const cs_cycle left = cycle_of(a);
    const cs_cycle right = cycle_of(b);

    return (left > right) - (left < right);
}

static void look(cs_difference *d, const cs_record_list *in, const cs_record_list *model,
                 const cs_record_list *rtl)
{
    for (size_t i = 0; i < in->count && d->nr_others < CS_DIFFERENCE_OTHERS; i++) {
        const cs_probe_record *of = &in->records[i];
        size_t at = 0;

        /* Of what both have, the model's list was looked at before. */
        if (is_known(in, i) || (in == rtl && next(model, of, &at) != NULL))
            continue;
        if (first_of(model, rtl, of, &d->others[d->nr_others]))
            d->nr_others++;
    }
}

void cs_difference_others(cs_difference *d, const cs_record_list *model, const cs_record_list *rtl)
{
    look(d, model, model, rtl);
    look(d, rtl, model, rtl);
    qsort(d->others, d->nr_others, sizeof d->others[0], by_cycle);
    /* The first of all is the difference itself. */
    const cs_difference_row *first = &d->rows[d->first];
    for (size_t i = 0; i < d->nr_others; i++) {
        const cs_difference_row *row = &d->others[i];

        if (!same_source(row->has_model ? &row->model : &row->rtl,
                         first->has_model ? &first->model : &first->rtl))
            continue;
        memmove(&d->others[i], &d->others[i + 1], (d->nr_others - i - 1) * sizeof d->others[0]);
        d->nr_others--;
    }
}

/* ---- bytes ---- */

struct cs_data_ring {
    size_t next;
    struct kept {
        uint64_t hash;
        cs_difference_data data;
    } kept[RING];
};

cs_status cs_data_ring_create(cs_data_ring **out, cs_diag *diag)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL
               ? CS_OK
               : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for transfers' bytes");
}

void cs_data_ring_destroy(cs_data_ring *ring)
{
    free(ring);
}

void cs_data_ring_add(cs_data_ring *ring, uint64_t hash, const uint8_t *data, unsigned bytes)
{
    struct kept *kept = &ring->kept[ring->next++ % RING];

    kept->hash = hash;
    kept->data.bytes = bytes < CS_BUS_MAX_BYTES ? bytes : CS_BUS_MAX_BYTES;
    memcpy(kept->data.data, data, kept->data.bytes);
}

void cs_data_ring_find(const cs_data_ring *ring, uint64_t hash, cs_difference_data *out)
{
    for (size_t i = 1; i <= RING && i <= ring->next; i++) {
        const struct kept *kept = &ring->kept[(ring->next - i) % RING];

        if (kept->hash != hash)
            continue;
        *out = kept->data;
        return;
    }
}

static void find_both(cs_difference_row *row, const cs_data_ring *model, const cs_data_ring *rtl)
{
    if (!row->has_model || !row->has_rtl || row->model.kind != CS_PROBE_BUS ||
        row->rtl.kind != CS_PROBE_BUS || row->model.value == row->rtl.value)
        return;
    cs_data_ring_find(model, row->model.value, &row->model_data);
    cs_data_ring_find(rtl, row->rtl.value, &row->rtl_data);
}

void cs_difference_data_of(cs_difference *d, const cs_data_ring *model, const cs_data_ring *rtl)
{
    for (size_t i = 0; i < d->nr_rows; i++)
        find_both(&d->rows[i], model, rtl);
    for (size_t i = 0; i < d->nr_others; i++)
        find_both(&d->others[i], model, rtl);
}

unsigned cs_difference_part(const cs_difference_row *row, unsigned width, unsigned *at)
{
    const unsigned a = row->model_data.bytes, b = row->rtl_data.bytes;
    const unsigned end = a < b ? a : b;

    for (unsigned from = *at; from < end; from += width) {
        const unsigned bytes = end - from < width ? end - from : width;

        if (memcmp(row->model_data.data + from, row->rtl_data.data + from, bytes) == 0)
            continue;
        *at = from + bytes;
        return bytes;
    }
    return 0;
}
