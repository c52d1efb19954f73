// SPDX-License-Identifier: Apache-2.0
/* Which counters of a RISC-V hart can count which event of the SBI, and what selects it: what M
 * mode firmware knows of its platform (docs/drivers/sbi_pmu.md, "The map"). Read from the `riscv,pmu`
 * node of a device tree, as OpenSBI does, or the built-in one. */
#ifndef CS_FORMATS_RISCV_READ_PMU_MAP_H
#define CS_FORMATS_RISCV_READ_PMU_MAP_H

#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of each property, and bytes of a file or blob. Beyond: CS_ERR_FORMAT. */
#define CS_RISCV_PMU_MAX_ROWS 256u
#define CS_RISCV_PMU_MAX_BYTES (1u << 20)

/* Counters 3..31, as bits. */
#define CS_RISCV_PMU_HPMCOUNTERS 0xfffffff8u

typedef struct cs_riscv_pmu_select {
    uint32_t event_idx;
    uint64_t value; /* for mhpmevent; not 0 */
} cs_riscv_pmu_select;

typedef struct cs_riscv_pmu_range {
    uint32_t first, last; /* event_idx, both included */
    uint32_t counters;    /* as bits */
} cs_riscv_pmu_range;

typedef struct cs_riscv_pmu_raw {
    uint64_t match, mask; /* data & mask == match */
    uint32_t counters;
} cs_riscv_pmu_raw;

typedef struct cs_riscv_pmu_map {
    size_t nr_selects, nr_ranges, nr_raws;
    cs_riscv_pmu_select selects[CS_RISCV_PMU_MAX_ROWS]; /* an event_idx once */
    cs_riscv_pmu_range ranges[CS_RISCV_PMU_MAX_ROWS];   /* apart from one another */
    cs_riscv_pmu_raw raws[CS_RISCV_PMU_MAX_ROWS];
} cs_riscv_pmu_map;

/* The events of docs/hw/hpm.md, section 10. */
typedef struct cs_riscv_event {
    uint16_t encoding; /* in mhpmevent */
    const char *name;  /* "CACHE.L1.RD.DATA.MISS" */
    unsigned nr_sbi;
    uint32_t sbi[2]; /* event_idx */
} cs_riscv_event;

/* In rising encodings; NULL at `nr` and beyond. */
const cs_riscv_event *cs_riscv_event_at(size_t nr);
/* NULL: no such name, no such encoding. */
const cs_riscv_event *cs_riscv_event_named(const char *name);
const cs_riscv_event *cs_riscv_event_encoded(uint16_t encoding);

/* Those events on every counter, cycles on 0 and instructions on 2 too; raw events of 16 bits. */
void cs_riscv_pmu_map_default(cs_riscv_pmu_map *out);

/* Loads a file: a blob, else source, which dtc compiles. What can mean nothing is an error that
 * names the file, the node and the property: CS_ERR_FORMAT; CS_ERR_IO, CS_ERR_NO_MEMORY as
 * with every file. *out is not to be used then. */
cs_status cs_riscv_pmu_map_load(const char *path, cs_riscv_pmu_map *out, cs_diag *diag);

/* The same from a blob in memory. `name` (may be NULL) is what errors call it. */
cs_status cs_riscv_pmu_map_load_memory(const void *blob, size_t bytes, const char *name,
                                       cs_riscv_pmu_map *out, cs_diag *diag);

/* What mhpmevent gets for an event that is not raw; 0: the map does not say. */
uint64_t cs_riscv_pmu_map_select(const cs_riscv_pmu_map *map, uint32_t event_idx);

/* The counters that can count it, as bits; 0: none. */
uint32_t cs_riscv_pmu_map_counters(const cs_riscv_pmu_map *map, uint32_t event_idx);
uint32_t cs_riscv_pmu_map_raw_counters(const cs_riscv_pmu_map *map, uint64_t data);

#ifdef __cplusplus
}
#endif

#endif
