/* Internal to check: what a PMCU sampled. */
#ifndef CS_CHECK_PMCU_PMCU_H
#define CS_CHECK_PMCU_PMCU_H

#include "check/family.h"

/* aux.c: AUX data, wherever they are. */
cs_status cs_check_pmcu_bytes(cs_checking *check, const cs_byte_source *source);

/* The CPUs that it counted, where the values were kept, else all: how many, and slots a cluster. They stay
 * what they are where the truth has none. */
cs_status cs_check_pmcu_cpus(cs_checking *check, int64_t *nr_cpu, int64_t *slots);

/* Views kept_sample, kept_subsample and kept_window of the truth: what was handed over. *cut: that is
 * not all that there was. */
cs_status cs_check_pmcu_kept(cs_checking *check, bool *cut);

/* samples.c: tables found, pmcu_event(fe, key) and raw(subsample, cpu, position, value, offset) against
 * the values; `subsamples` had bytes. What is left in `found` is no PMCU's. */
cs_status cs_check_pmcu_samples(cs_checking *check, int64_t subsamples);

/* In a table of samples, and in a perf.data. */
cs_status cs_check_pmcu_tabled(cs_checking *check);
extern const cs_check_perf cs_check_pmcu_perf;

#endif
