// SPDX-License-Identifier: Apache-2.0
/* The IMC event catalog: a device tree that describes each counting unit ("PMU") and its events, as
 * OPAL finds it in flash and hands it to the kernel.
 *
 * What the kernel would do is done here too: units are looked for in the whole tree, a unit
 * without `events` or `events-prefix` has no events, an event without `reg` or `event-name` is
 * left out, so is a unit of an unknown type and a second unit for the same PMU. What was left out
 * is reported in warnings. What can mean nothing at all is an error that names the file, the node and
 * the property (docs/drivers/imc_catalog.md).
 *
 * A catalog does not change after it was loaded; everything reached from it lives as long. */
#ifndef CS_FORMATS_IMC_CATALOG_CATALOG_H
#define CS_FORMATS_IMC_CATALOG_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No catalog is larger: in bytes of the blob, in units, in events of all units together, in bytes
 * of a unit's memory. Beyond: CS_ERR_FORMAT. */
#define CS_IMC_MAX_BYTES (4u << 20)
#define CS_IMC_MAX_UNITS 256u
#define CS_IMC_MAX_EVENTS 16384u
#define CS_IMC_MAX_CHIPS 256u
#define CS_IMC_MAX_MEMORY (64u << 20)
#define CS_IMC_MAX_WARNINGS 64u

/* The longest name of a PMU or event: what sysfs takes, less ".scale". */
#define CS_IMC_MAX_NAME 249u

/* Where a nest unit's control block is when the catalog does not say. */
#define CS_IMC_DEFAULT_CB_OFFSET 0x3fc00u

/* As the kernel numbers them; the catalog's `type` has other numbers. */
typedef enum cs_imc_domain {
    CS_IMC_DOMAIN_NEST = 1,
    CS_IMC_DOMAIN_CORE = 2,
    CS_IMC_DOMAIN_THREAD = 3,
    CS_IMC_DOMAIN_TRACE = 4
} cs_imc_domain;

typedef struct cs_imc_unit cs_imc_unit;

typedef struct cs_imc_event {
    const cs_imc_unit *of;
    const char *name;  /* prefix and event-name: "PM_MCS01_64B_RD_DISP_PORT01" */
    uint32_t value;    /* unit's reg + event's reg: perf's config; but for trace, the offset of the
                        * 8-byte counter in the unit's memory */
    const char *desc;  /* NULL where there is none */
    const char *scale; /* its own, else its unit's (the same pointer), else NULL */
    const char *unit;  /* the same: "MiB" */
} cs_imc_event;

struct cs_imc_unit {
    cs_imc_domain domain;
    const char *node;   /* the node's name without its address: "mcs01" */
    bool has_address;   /* the node's name has one: "mcs01@c8" */
    const char *pmu;    /* as in /sys/bus/event_source/devices: "nest_mcs01_imc", "core_imc" */
    const char *prefix; /* NULL where there is none */
    const char *scale;  /* NULL where there is none */
    const char *unit;   /* NULL where there is none */
    uint32_t reg;       /* base of its events' offsets */
    uint32_t size;      /* bytes of its memory: the nest window, a core's, a thread's, a buffer */
    uint32_t offset;    /* of the window within a chip's base address; 0 where absent */
    uint32_t cb_offset; /* nest: of the control block within the window */
    size_t nr_chips;
    const uint64_t *base_addr; /* [nr_chips], NULL where there is none */
    const uint32_t *chip_id;   /* [nr_chips] */
    size_t nr_events;
    const cs_imc_event *events; /* [nr_events], in the catalog's order */
    size_t list; /* units with the same number share one list of events; 0: no list */
};

typedef struct cs_imc_catalog cs_imc_catalog;

/* Loads a file: a blob (by its magic), else source, which `dtc` compiles. Errors: CS_ERR_IO when
 * the file cannot be read or dtc cannot be run; CS_ERR_FORMAT for what is in it, with dtc's first
 * message for source that does not compile; CS_ERR_NO_MEMORY. *out is NULL then. */
cs_status cs_imc_catalog_load(const char *path, cs_imc_catalog **out, cs_diag *diag);

/* Loads a blob, which is copied. `name` (may be NULL) is what errors call it. */
cs_status cs_imc_catalog_load_memory(const void *blob, size_t bytes, const char *name,
                                     cs_imc_catalog **out, cs_diag *diag);

void cs_imc_catalog_destroy(cs_imc_catalog *catalog); /* NULL is allowed */

uint32_t cs_imc_catalog_version(const cs_imc_catalog *catalog); /* version-id; 0 where absent */

/* Units in the order of the tree, from 0; NULL at `nr` and beyond. */
size_t cs_imc_catalog_nr_units(const cs_imc_catalog *catalog);
const cs_imc_unit *cs_imc_catalog_unit(const cs_imc_catalog *catalog, size_t nr);

/* By the kernel's name ("core_imc"); NULL where there is none. */
const cs_imc_unit *cs_imc_catalog_pmu(const cs_imc_catalog *catalog, const char *pmu);

/* An event of one unit by its full name; NULL where there is none. */
const cs_imc_event *cs_imc_unit_event(const cs_imc_unit *unit, const char *name);

/* "pmu/event", "pmu/event/" as perf writes it, or a plain event name, which only one unit may
 * have. Errors: CS_ERR_RANGE for an unknown PMU or event, or for a name of several units. */
cs_status cs_imc_catalog_find(const cs_imc_catalog *catalog, const char *name,
                              const cs_imc_event **out, cs_diag *diag);

/* The events whose counter is at `offset` of the memory of `domain`, in the catalog's order:
 * the first with after = NULL, the next with the one before. NULL at the end, and for trace. */
const cs_imc_event *cs_imc_catalog_at(const cs_imc_catalog *catalog, cs_imc_domain domain,
                                      uint32_t offset, const cs_imc_event *after);

/* What was left out and why, with the node; NULL at `nr` and beyond. The count goes on where the
 * texts end (CS_IMC_MAX_WARNINGS). */
size_t cs_imc_catalog_nr_warnings(const cs_imc_catalog *catalog);
const char *cs_imc_catalog_warning(const cs_imc_catalog *catalog, size_t nr);

/* "nest", "core", "thread", "trace"; "?" for a number that is none. */
const char *cs_imc_domain_name(cs_imc_domain domain);

#ifdef __cplusplus
}
#endif

#endif
