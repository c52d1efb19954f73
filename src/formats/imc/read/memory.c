// SPDX-License-Identifier: Apache-2.0
#include "formats/imc/read/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"

#define NAME_BYTES 256

struct cs_imc_memory {
    cs_byte_source source;
    char name[NAME_BYTES];
    cs_imc_domain domain;
    uint32_t control_offset;
    size_t nr_events;
    const cs_imc_event **events; /* of the domain, in the catalog's order */
    uint64_t position;           /* of the next byte */
    cs_imc_image at;
    uint8_t *bytes;
};

/* ---- what the catalog has of a domain ---- */

static void size_up(cs_imc_memory *memory, const cs_imc_catalog *catalog)
{
    for (size_t i = 0; i < cs_imc_catalog_nr_units(catalog); i++) {
        const cs_imc_unit *unit = cs_imc_catalog_unit(catalog, i);

        if (unit->domain != memory->domain)
            continue;
        if (memory->at.size == 0)
            memory->control_offset = unit->cb_offset;
        memory->nr_events += unit->nr_events;
        if (unit->size > memory->at.size)
            memory->at.size = unit->size;
    }
}

static void list_events(cs_imc_memory *memory, const cs_imc_catalog *catalog)
{
    size_t n = 0;

    for (size_t i = 0; i < cs_imc_catalog_nr_units(catalog); i++) {
        const cs_imc_unit *unit = cs_imc_catalog_unit(catalog, i);

        for (size_t e = 0; unit->domain == memory->domain && e < unit->nr_events; e++)
            memory->events[n++] = &unit->events[e];
    }
}

static cs_status prepare(cs_imc_memory *memory, const cs_imc_catalog *catalog, cs_diag *diag)
{
    size_up(memory, catalog);
    if (memory->at.size == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, memory->name,
                           "the catalog has no %s unit, so that nothing is known of this memory",
                           cs_imc_domain_name(memory->domain));
    memory->bytes = malloc(memory->at.size);
    memory->events = calloc(memory->nr_events + 1, sizeof(const cs_imc_event *));
    if (memory->bytes == NULL || memory->events == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, memory->name, "no memory for an IMC image");
    list_events(memory, catalog);
    memory->at.bytes = memory->bytes;
    return CS_OK;
}

cs_status cs_imc_memory_open(const cs_byte_source *source, const char *name,
                             const cs_imc_catalog *catalog, cs_imc_domain domain,
                             cs_imc_memory **out, cs_diag *diag)
{
    cs_imc_memory *memory;
    cs_status status;

    *out = NULL;
    if (domain != CS_IMC_DOMAIN_NEST && domain != CS_IMC_DOMAIN_CORE &&
        domain != CS_IMC_DOMAIN_THREAD)
        return cs_diag_set(diag, CS_ERR_RANGE, name,
                           "expected the memory of nest, core or thread, found %s",
                           cs_imc_domain_name(domain));
    memory = calloc(1, sizeof *memory);
    if (memory == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory to read IMC images");
    memory->source = *source;
    snprintf(memory->name, sizeof memory->name, "%s", name != NULL ? name : "");
    memory->domain = domain;
    status = prepare(memory, catalog, diag);
    if (status != CS_OK) {
        cs_imc_memory_close(memory);
        return status;
    }
    *out = memory;
    return CS_OK;
}

void cs_imc_memory_close(cs_imc_memory *memory)
{
    if (memory == NULL)
        return;
    free(memory->events);
    free(memory->bytes);
    free(memory);
}

cs_imc_domain cs_imc_memory_get_domain(const cs_imc_memory *memory)
{
    return memory->domain;
}

size_t cs_imc_memory_image_bytes(const cs_imc_memory *memory)
{
    return memory->at.size;
}

uint32_t cs_imc_memory_control_offset(const cs_imc_memory *memory)
{
    return memory->control_offset;
}

/* ---- images ---- */

cs_status cs_imc_memory_next(cs_imc_memory *memory, const cs_imc_image **out, cs_diag *diag)
{
    const size_t size = memory->at.size;
    size_t got = 0;
    cs_status status = memory->source.read(memory->source.ctx, memory->bytes, size, &got, diag);

    *out = NULL;
    if (status != CS_OK || (got == 0 && memory->position > 0))
        return status;
    memory->at.index = memory->position / size;
    memory->position += got;
    if (got < size)
        return cs_diag_set(diag, CS_ERR_FORMAT, memory->name,
                           "byte %" PRIu64 ": the data end within image %" PRIu64
                           ", expected %zu bytes of %s memory, found %zu",
                           memory->position, memory->at.index, size,
                           cs_imc_domain_name(memory->domain), got);
    *out = &memory->at;
    return CS_OK;
}

size_t cs_imc_memory_nr_counters(const cs_imc_memory *memory)
{
    return memory->nr_events;
}

void cs_imc_memory_counter(const cs_imc_memory *memory, size_t nr, cs_imc_counter *out)
{
    out->event = memory->events[nr];
    out->raw = cs_big_get64(memory->bytes + out->event->value);
}

/* ---- scale ---- */

const char *cs_imc_scale(uint64_t raw, const char *scale, char buffer[CS_IMC_VALUE_BYTES])
{
    static const char digits[] = "0123456789";
    const char *text = scale != NULL ? scale : "1";
    uint64_t product;
    char *end;

    /* Less than 20 digits: strtoull cannot be too small for them. */
    if (*text != '\0' && strlen(text) < 20 && text[strspn(text, digits)] == '\0' &&
        !__builtin_mul_overflow(raw, (uint64_t)strtoull(text, NULL, 10), &product)) {
        snprintf(buffer, CS_IMC_VALUE_BYTES, "%" PRIu64, product);
        return buffer;
    }

    const double real = (double)raw * strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(real))
        return NULL;
    snprintf(buffer, CS_IMC_VALUE_BYTES, "%.15g", real);
    return buffer;
}
