// SPDX-License-Identifier: Apache-2.0
#include "results/imc/posts.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "models/imc/imc_scom.h"
#include "results/imc/posts_impl.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/machine/bus_spec.h"
#include <countersink/models/imc/imc_core.h>

#define WORD_BYTES 8u

/* ---- sums ---- */

static cs_posts_image *image_at(cs_posts *p, uint64_t addr)
{
    for (size_t i = 0; i < p->nr_images; i++)
        if (addr - p->images[i].place.address < p->images[i].place.bytes)
            return &p->images[i];
    return NULL;
}

void cs_posts_add(cs_posts *p, uint64_t addr, uint64_t value)
{
    cs_posts_image *image = image_at(p, addr);

    if (image == NULL)
        return;
    const uint64_t word = (addr - image->place.address) / WORD_BYTES;

    image->values[word] += value;
    image->posts[word]++;
}

void cs_posts_store(cs_posts *p, uint64_t addr, uint64_t value)
{
    cs_posts_image *image = image_at(p, addr);

    if (image == NULL)
        return;
    const uint64_t word = (addr - image->place.address) / WORD_BYTES;

    image->values[word] = value;
    image->posts[word]++;
}

void cs_posts_clear(cs_posts *p, uint64_t addr, uint64_t bytes)
{
    for (uint64_t done = 0; done < bytes; done += WORD_BYTES) {
        cs_posts_image *image = image_at(p, addr + done);

        if (image != NULL) {
            const uint64_t word = (addr + done - image->place.address) / WORD_BYTES;

            image->values[word] = image->posts[word] = 0;
        }
    }
}

/* ---- records wait until all that come before them are known ---- */

static void push(cs_posts *p, cs_posts_queue *q, cs_posts_item item)
{
    cs_posts_item *items = cs_room(q->items, &q->room, q->count, sizeof *items);

    if (items == NULL) {
        p->failed = true;
        return;
    }
    q->items = items;
    item.order = q->order++;
    q->items[q->count++] = item;
}

static int by_cycle(const void *a, const void *b)
{
    const cs_posts_item *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* How many items are of cycles below `to`. A transfer is heard of when it is complete: what
 * happens while one is under way waits for it. */
static size_t ready(cs_posts_queue *q, cs_cycle to)
{
    const cs_cycle limit = to < q->heard ? to : q->heard;
    size_t n = 0;

    qsort(q->items, q->count, sizeof *q->items, by_cycle);
    while (n < q->count && q->items[n].at < limit)
        n++;
    return n;
}

static void drop(cs_posts_queue *q, size_t n)
{
    q->count -= n;
    memmove(q->items, q->items + n, q->count * sizeof *q->items);
}

static void work_off(cs_posts *p, cs_cycle to, bool all)
{
    for (unsigned i = 0; p->cores_wanted && i < p->scenario->imc->cores; i++) {
        cs_posts_queue *q = &p->cores[i].queue;

        q->heard = all ? CS_NEVER : q->heard;
        if (q->count == 0)
            continue;
        const size_t n = ready(q, to);

        for (size_t k = 0; k < n; k++)
            cs_posts_core_apply(p, &p->cores[i], &q->items[k]);
        drop(q, n);
    }
    for (unsigned chip = 0; chip < CS_MAX_CHIPS; chip++) {
        cs_posts_queue *q = &p->nests[chip].queue;

        q->heard = all ? CS_NEVER : q->heard;
        if (q->count == 0)
            continue;
        const size_t n = ready(q, to);

        for (size_t k = 0; k < n; k++)
            cs_posts_nest_apply(p, &p->nests[chip], &q->items[k]);
        drop(q, n);
    }
}

/* ---- records ---- */

static void transfer(cs_posts *p, cs_posts_queue *q, const cs_probe_record *r)
{
    q->heard = r->cycle + 1; /* the next one is asked for after it */
    if (r->write)
        push(p, q,
             (cs_posts_item){.at = r->request,
                             .kind = CS_POSTS_TRANSFER,
                             .resp = r->resp,
                             .bytes = r->bytes,
                             .addr = r->addr});
}

static void scom(cs_posts *p, unsigned chip, const cs_probe_record *r)
{
    const cs_scenario *s = p->scenario;
    const unsigned cores = cs_imc_chip_cores(s->imc);
    const cs_imc_scom_target to = cs_imc_scom_decode(s->imc->power10, cores, (uint32_t)r->addr);

    for (unsigned core = 0; core < cores && to.reg == CS_IMC_REG_EVENT_MASK; core++)
        if (to.cores >> core & 1)
            push(p, &p->cores[cores * chip + core].queue,
                 (cs_posts_item){.at = r->cycle + 1, .kind = CS_POSTS_MASK, .value = r->value});
}

static void spr(cs_posts *p, const cs_probe_record *r)
{
    unsigned core, thread;

    if (cs_imc_spr_decode((uint32_t)r->addr, &core, &thread) && core < p->scenario->imc->cores)
        push(p, &p->cores[core].queue,
             (cs_posts_item){.at = r->cycle + 1,
                             .kind = CS_POSTS_LDBAR,
                             .index = (uint16_t)thread,
                             .value = r->value});
}

static void register_access(cs_posts *p, const cs_probe_record *r)
{
    if (!p->cores_wanted || !r->write || r->resp != CS_BUS_OKAY)
        return;
    if (r->source == CS_UNIT_SPR)
        spr(p, r);
    for (unsigned chip = 0; chip < p->scenario->imc->chips; chip++)
        if (r->source == CS_UNIT_SCOM_OF(chip))
            scom(p, chip, r);
}

/* The chip whose nest a transfer is from; CS_MAX_CHIPS: none. */
static unsigned chip_of(const cs_posts *p, const cs_probe_record *r)
{
    for (unsigned chip = 0; chip < p->scenario->imc->chips; chip++)
        if (r->source == CS_MANAGER_NEST_OF(chip))
            return chip;
    return CS_MAX_CHIPS;
}

static void state_changed(cs_posts *p, const cs_probe_record *r)
{
    if (p->cores_wanted && r->source >= CS_UNIT_IMC(0) &&
        r->source < CS_UNIT_IMC(p->scenario->imc->cores))
        push(p, &p->cores[r->source - CS_UNIT_IMC(0)].queue,
             (cs_posts_item){.at = r->cycle, .kind = CS_POSTS_STATE, .value = r->value});
}

/* What is read in LOOK acts behind DECIDE, the cycle after it. */
static void nest_transfer(cs_posts *p, cs_posts_nest *nest, const cs_probe_record *r,
                          const uint8_t *data)
{
    transfer(p, &nest->queue, r);
    if (cs_posts_is_pause(p, nest, r, data))
        push(p, &nest->queue, (cs_posts_item){.at = r->cycle + 2, .kind = CS_POSTS_PAUSE});
}

bool cs_posts_wants_data(const cs_posts *p)
{
    return p->nest_wanted;
}

void cs_posts_record(cs_posts *p, const cs_probe_record *r, const uint8_t *data)
{
    unsigned chip;

    switch (r->kind) {
    case CS_PROBE_BUS:
        chip = p->nest_wanted ? chip_of(p, r) : CS_MAX_CHIPS;
        if (chip != CS_MAX_CHIPS)
            nest_transfer(p, &p->nests[chip], r, data);
        else if (p->cores_wanted && r->source >= CS_MANAGER_IMC(0) &&
                 r->source < CS_MANAGER_IMC(p->scenario->imc->cores))
            transfer(p, &p->cores[r->source - CS_MANAGER_IMC(0)].queue, r);
        return;
    case CS_PROBE_REG:
        register_access(p, r);
        return;
    case CS_PROBE_STATE:
        state_changed(p, r);
        return;
    default:
        return;
    }
}

/* ---- create, destroy ---- */

static size_t count_images(const cs_scenario *s, cs_posts_image *out)
{
    const cs_image_source *const kinds[] = {&cs_image_imc_core, &cs_image_imc_thread,
                                            &cs_image_nest};
    size_t n = 0;

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        cs_image place;

        for (unsigned i = 0; cs_image_of(kinds[k], s, i, &place); i++, n++)
            if (out != NULL)
                out[n] = (cs_posts_image){.kind = kinds[k], .place = place};
    }
    return n;
}

static bool make_images(cs_posts *p)
{
    const size_t count = count_images(p->scenario, NULL);

    p->images = calloc(count + 1, sizeof *p->images);
    if (p->images == NULL)
        return false;
    p->nr_images = count_images(p->scenario, p->images);
    for (size_t i = 0; i < p->nr_images; i++) {
        cs_posts_image *image = &p->images[i];
        const size_t words = image->place.bytes / WORD_BYTES;

        image->values = calloc(words, sizeof *image->values);
        image->posts = calloc(words, sizeof *image->posts);
        if (image->values == NULL || image->posts == NULL)
            return false;
        if (image->kind == &cs_image_nest)
            p->nest_wanted = true;
        else
            p->cores_wanted = true;
    }
    return true;
}

/* Without power in cycle t, the state of t+1 is that of reset. */
static void plan_power(cs_posts *p)
{
    const cs_scenario *s = p->scenario;

    for (size_t i = 0; p->cores_wanted && i < s->imc->nr_deep_stops; i++)
        push(p, &p->cores[s->imc->deep_stops[i].core].queue,
             (cs_posts_item){.at = cs_scenario_us(s, s->imc->deep_stops[i].at_us) + 1,
                             .kind = CS_POSTS_POWER});
}

cs_status cs_posts_create(const cs_scenario *s, cs_timeline *const timelines[], cs_posts **out,
                          cs_diag *diag)
{
    cs_posts *p = calloc(1, sizeof *p);

    *out = NULL;
    if (p != NULL) {
        p->scenario = s;
        p->timelines = timelines;
        p->timebase =
            (cs_imc_timebase){s->imc->timebase_start, s->imc->timebase_mhz, s->bus->clock_mhz};
        p->cores = calloc(s->imc->cores + 1, sizeof *p->cores);
    }
    if (p == NULL || p->cores == NULL || !make_images(p)) {
        cs_posts_destroy(p);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results");
    }
    for (unsigned i = 0; i < s->imc->cores; i++)
        p->cores[i].number = i;
    for (unsigned chip = 0; chip < CS_MAX_CHIPS; chip++)
        p->nests[chip].chip = chip;
    plan_power(p);
    *out = p;
    return CS_OK;
}

void cs_posts_destroy(cs_posts *p)
{
    if (p == NULL)
        return;
    for (unsigned i = 0; p->cores != NULL && i < p->scenario->imc->cores; i++)
        free(p->cores[i].queue.items);
    for (size_t i = 0; i < p->nr_images; i++) {
        free(p->images[i].values);
        free(p->images[i].posts);
    }
    free(p->images);
    for (unsigned chip = 0; chip < CS_MAX_CHIPS; chip++)
        free(p->nests[chip].queue.items);
    free(p->cores);
    free(p);
}

const cs_posts_windows *cs_posts_windows_of(const cs_posts *p)
{
    return &p->windows;
}

void cs_posts_known(cs_posts *p, cs_cycle cycle)
{
    work_off(p, cycle, false);
}

cs_status cs_posts_finish(cs_posts *p, void (*each)(void *ctx, const cs_posted *posted), void *ctx,
                          cs_diag *diag)
{
    work_off(p, CS_NEVER, true);
    if (p->failed)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the truth of counters");
    for (size_t i = 0; i < p->nr_images; i++) {
        const cs_posts_image *image = &p->images[i];

        for (uint64_t word = 0; word < image->place.bytes / WORD_BYTES; word++) {
            const cs_posted posted = {image->kind, image->place.number, word * WORD_BYTES,
                                      image->posts[word], image->values[word]};

            if (posted.posts != 0)
                each(ctx, &posted);
        }
    }
    return CS_OK;
}
