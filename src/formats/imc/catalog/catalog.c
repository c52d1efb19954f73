// SPDX-License-Identifier: Apache-2.0
#include "formats/imc/catalog/catalog.h"

#include <stdlib.h>
#include <string.h>

#include "formats/imc/catalog/parts.h"

struct cs_imc_block {
    struct cs_imc_block *next;
    max_align_t bytes[];
};

void *cs_imc_catalog_allocate(cs_imc_catalog *catalog, size_t count, size_t bytes)
{
    struct cs_imc_block *block = NULL;

    if (bytes == 0 || count <= (SIZE_MAX - sizeof *block) / bytes)
        block = calloc(1, sizeof *block + count * bytes);
    if (block == NULL)
        return NULL;
    block->next = catalog->blocks;
    catalog->blocks = block;
    return block->bytes;
}

void cs_imc_catalog_destroy(cs_imc_catalog *catalog)
{
    if (catalog == NULL)
        return;
    for (struct cs_imc_block *block = catalog->blocks; block != NULL;) {
        struct cs_imc_block *next = block->next;

        free(block);
        block = next;
    }
    free(catalog->blob);
    free(catalog);
}

uint32_t cs_imc_catalog_version(const cs_imc_catalog *catalog)
{
    return catalog->version;
}

size_t cs_imc_catalog_nr_units(const cs_imc_catalog *catalog)
{
    return catalog->nr_units;
}

const cs_imc_unit *cs_imc_catalog_unit(const cs_imc_catalog *catalog, size_t nr)
{
    return nr < catalog->nr_units ? &catalog->units[nr] : NULL;
}

size_t cs_imc_catalog_nr_warnings(const cs_imc_catalog *catalog)
{
    return catalog->nr_warnings;
}

const char *cs_imc_catalog_warning(const cs_imc_catalog *catalog, size_t nr)
{
    return nr < CS_IMC_MAX_WARNINGS && nr < catalog->nr_warnings ? catalog->warnings[nr] : NULL;
}

const char *cs_imc_domain_name(cs_imc_domain domain)
{
    static const char *const names[] = {
        [CS_IMC_DOMAIN_NEST] = "nest",
        [CS_IMC_DOMAIN_CORE] = "core",
        [CS_IMC_DOMAIN_THREAD] = "thread",
        [CS_IMC_DOMAIN_TRACE] = "trace",
    };

    return domain >= CS_IMC_DOMAIN_NEST && domain <= CS_IMC_DOMAIN_TRACE ? names[domain] : "?";
}

/* ---- by name ---- */

/* The PMU whose name is text[0..length). */
static const cs_imc_unit *find_pmu(const cs_imc_catalog *catalog, const char *text, size_t length)
{
    for (size_t i = 0; i < catalog->nr_units; i++) {
        const char *pmu = catalog->units[i].pmu;

        if (strlen(pmu) == length && memcmp(pmu, text, length) == 0)
            return &catalog->units[i];
    }
    return NULL;
}

static const cs_imc_event *find_event(const cs_imc_unit *unit, const char *text, size_t length)
{
    for (size_t i = 0; i < unit->nr_events; i++) {
        const char *name = unit->events[i].name;

        if (strlen(name) == length && memcmp(name, text, length) == 0)
            return &unit->events[i];
    }
    return NULL;
}

const cs_imc_unit *cs_imc_catalog_pmu(const cs_imc_catalog *catalog, const char *pmu)
{
    return find_pmu(catalog, pmu, strlen(pmu));
}

const cs_imc_event *cs_imc_unit_event(const cs_imc_unit *unit, const char *name)
{
    return find_event(unit, name, strlen(name));
}

/* text[0..pmu) is the PMU, after its '/' comes the event. */
static cs_status find_in_pmu(const cs_imc_catalog *catalog, const char *text, size_t pmu,
                             const cs_imc_event **out, cs_diag *diag)
{
    const cs_imc_unit *unit = find_pmu(catalog, text, pmu);
    const char *event = text + pmu + 1;
    size_t length = strlen(event);

    if (unit == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, catalog->name,
                           "'%.100s': the catalog has no PMU '%.*s'", text,
                           (int)(pmu < 100 ? pmu : 100), text);
    if (length > 0 && event[length - 1] == '/')
        length--;
    *out = find_event(unit, event, length);
    if (*out == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, catalog->name, "'%.100s': %s has no event '%.*s'",
                           text, unit->pmu, (int)(length < 100 ? length : 100), event);
    return CS_OK;
}

static cs_status find_plain(const cs_imc_catalog *catalog, const char *name,
                            const cs_imc_event **out, cs_diag *diag)
{
    const cs_imc_event *first = NULL;

    for (size_t i = 0; i < catalog->nr_units; i++) {
        const cs_imc_event *event = cs_imc_unit_event(&catalog->units[i], name);

        if (event == NULL)
            continue;
        if (first != NULL)
            return cs_diag_set(diag, CS_ERR_RANGE, catalog->name,
                               "'%.100s' is an event of %s and of %s; expected PMU/EVENT", name,
                               first->of->pmu, event->of->pmu);
        first = event;
    }
    if (first == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, catalog->name,
                           "the catalog has no event '%.100s' (%zu units)", name,
                           catalog->nr_units);
    *out = first;
    return CS_OK;
}

cs_status cs_imc_catalog_find(const cs_imc_catalog *catalog, const char *name,
                              const cs_imc_event **out, cs_diag *diag)
{
    const char *slash = strchr(name, '/');

    *out = NULL;
    return slash != NULL ? find_in_pmu(catalog, name, (size_t)(slash - name), out, diag)
                         : find_plain(catalog, name, out, diag);
}

/* ---- by place ---- */

const cs_imc_event *cs_imc_catalog_at(const cs_imc_catalog *catalog, cs_imc_domain domain,
                                      uint32_t offset, const cs_imc_event *after)
{
    size_t nr = after != NULL ? (size_t)(after->of - catalog->units) : 0;
    size_t first = after != NULL ? (size_t)(after - after->of->events) + 1 : 0;

    if (domain == CS_IMC_DOMAIN_TRACE) /* an event of it is a selection, not a place */
        return NULL;
    for (; nr < catalog->nr_units; nr++, first = 0) {
        const cs_imc_unit *unit = &catalog->units[nr];

        if (unit->domain != domain)
            continue;
        for (size_t i = first; i < unit->nr_events; i++)
            if (unit->events[i].value == offset)
                return &unit->events[i];
    }
    return NULL;
}
