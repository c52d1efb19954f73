// SPDX-License-Identifier: Apache-2.0
/* Internal to check: what a PMCU sampled. */
#ifndef CS_CHECK_PMCU_PMCU_H
#define CS_CHECK_PMCU_PMCU_H

#include "check/family.h"

/* The cycle counter in column event of a table, and in id of table event (CS_EVENT_ARM_CLOCK). */
#define CS_CHECK_PMCU_CYCLES "327680"

/* The process of row w of kept_window: a kernel with VHE leaves CID1 alone. 0 where the slot has failed. */
#define CS_CHECK_PMCU_PID "coalesce(nullif(w.cid1,0),w.cid2,0)"

/* ---- dies (kept.c): a number of table die; -1: the only one, or all of several ---- */

/* Whether the truth is of several dies, each with a PMCU. */
cs_status cs_check_pmcu_several(cs_checking *check, bool *several);
/* The die whose name, "sccl<N>", is in the text (of several); -1: none is. */
cs_status cs_check_pmcu_die(cs_checking *check, const char *text, int64_t *die);

/* CPUs as they stand in a subsample. They stay what they are where the truth has none. CS_ERR_FORMAT where
 * it has what no machine can have. */
typedef struct cs_check_pmcu_places {
    int64_t first_cpu;
    int64_t nr_cpu; /* that a PMCU counted, where the values were kept, else all */
    int64_t slots;  /* of a cluster */
} cs_check_pmcu_places;

cs_status cs_check_pmcu_cpus(cs_checking *check, int64_t die, cs_check_pmcu_places *out);

/* What was handed over. Table kept_at(subsample, die, number, at): as the truth numbers it, whose it
 * is, how many of the die's own are before it, and its number in the views: among the die's own, or,
 * where all of several are asked for, that of the truth. Views of the truth: kept_sample,
 * kept_subsample, kept_window, kept_failed, kept_event. *cut: that is not all that there was. */
cs_status cs_check_pmcu_kept(cs_checking *check, int64_t die, bool *cut);

/* ---- what is compared ---- */

/* aux.c: AUX data of a die, wherever they are. */
cs_status cs_check_pmcu_bytes(cs_checking *check, const cs_byte_source *source, int64_t die);

/* samples.c: tables found, pmcu_event(fe, key) and raw(subsample, cpu, position, value, offset) against
 * the values; `subsamples` had bytes. What is left in `found` is no PMCU's. */
cs_status cs_check_pmcu_samples(cs_checking *check, int64_t subsamples);

/* In a table of samples, and in a perf.data. */
cs_status cs_check_pmcu_tabled(cs_checking *check);
extern const cs_check_perf cs_check_pmcu_perf;

#endif
