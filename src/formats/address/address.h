// SPDX-License-Identifier: Apache-2.0
/* Where in a large system a PMU is: as one number whose fields are levels (rack, blade, ...),
 * and as a path (docs/drivers/pmu_address.md). Nothing here allocates. */
#ifndef CS_FORMATS_ADDRESS_ADDRESS_H
#define CS_FORMATS_ADDRESS_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PMU_ROOT "/sys/devices/system/pmus"
/* The same tree as firmware names it: "blade@4", numbers in hex. */
#define CS_PMU_FIRMWARE_ROOT "/proc/device-tree"
#define CS_PMU_MAX_LEVELS 16u
#define CS_PMU_NAME_BYTES 32u
#define CS_PMU_PATH_BYTES 1024u /* holds every path of a layout, with the root */

typedef struct cs_pmu_level {
    char name[CS_PMU_NAME_BYTES];
    unsigned bits;
} cs_pmu_level;

/* Fields from bit 0 on, no gap between. The first is the PMU's number in its place, the others
 * are places, each in the next one. */
typedef struct cs_pmu_layout {
    size_t nr_levels;
    cs_pmu_level levels[CS_PMU_MAX_LEVELS];
} cs_pmu_layout;

/* pmu 4 bits, core 4, node 1, chip 3, blade 5, rack 7. */
const cs_pmu_layout *cs_pmu_layout_default(void);

/* 1..16 levels of 1 bit or more, together at most 64; names differ and are cs_pmu_is_name.
 * CS_ERR_RANGE names the level. */
cs_status cs_pmu_layout_check(const cs_pmu_layout *layout, cs_diag *diag);

unsigned cs_pmu_layout_bits(const cs_pmu_layout *layout);
uint64_t cs_pmu_level_max(const cs_pmu_layout *layout, size_t level); /* of its field */
unsigned cs_pmu_level_shift(const cs_pmu_layout *layout, size_t level);

/* A name that numbers can follow: letters, digits and . _ -, first and last a letter; 1..31. */
bool cs_pmu_is_name(const char *name);

/* A field a level, nr_levels of them. CS_ERR_RANGE: a field is too large for its bits. */
cs_status cs_pmu_encode(const cs_pmu_layout *layout, const uint64_t *field, uint64_t *address,
                        cs_diag *diag);
/* The reverse. CS_ERR_RANGE: the address has more bits than the layout. */
cs_status cs_pmu_decode(const cs_pmu_layout *layout, uint64_t address, uint64_t *field,
                        cs_diag *diag);

/* One path, or with ranges many: level i is first[i]..last[i]. A level that is not in the path
 * has no bit in `levels` and is 0..0. Bit 0: the path ends in a PMU, whose kind (the name before
 * its number) is `kind`; without it the path is a place. */
typedef struct cs_pmu_path {
    uint32_t levels;
    uint64_t first[CS_PMU_MAX_LEVELS];
    uint64_t last[CS_PMU_MAX_LEVELS];
    char kind[CS_PMU_NAME_BYTES];
} cs_pmu_path;

/* Reads "rack0/blade4/memctl1", with or without the root in front, or behind firmware's root
 * "rack@0/blade@4/memctl@1"; "/", "" and the root alone are
 * the whole tree. With `ranges` also "rack0-127/blade4". CS_ERR_FORMAT: no path, no such level,
 * levels not from the highest down; CS_ERR_RANGE: a number is too large for its level. The diag's
 * column is the character at fault, from 1; its `where` is empty. */
cs_status cs_pmu_path_parse(const cs_pmu_layout *layout, const char *text, bool ranges,
                            cs_pmu_path *out, cs_diag *diag);

/* Whether two paths, ranges or not, have something in common: a place has all that is below it. */
bool cs_pmu_path_meets(const cs_pmu_path *a, const cs_pmu_path *b);

/* The text of a path, relative, with its ranges; "" for the whole tree. Returns its length.
 * A PMU without a kind gets the name of level 0. */
size_t cs_pmu_path_print(const cs_pmu_layout *layout, const cs_pmu_path *path,
                         char text[CS_PMU_PATH_BYTES]);

/* The same as below CS_PMU_FIRMWARE_ROOT: "rack@4d/blade@3"; ranges are not told. */
size_t cs_pmu_path_print_firmware(const cs_pmu_layout *layout, const cs_pmu_path *path,
                                  char text[CS_PMU_PATH_BYTES]);

/* The lowest address of a path: levels that are not in it count as 0. */
uint64_t cs_pmu_path_address(const cs_pmu_layout *layout, const cs_pmu_path *path);

/* The path of an address with all levels and no kind. CS_ERR_RANGE as cs_pmu_decode. */
cs_status cs_pmu_path_of(const cs_pmu_layout *layout, uint64_t address, cs_pmu_path *out,
                         cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
