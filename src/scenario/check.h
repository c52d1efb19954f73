// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. What several keys say together: values that follow from
 * others, and what excludes or contradicts each other. */
#ifndef CS_SCENARIO_CHECK_H
#define CS_SCENARIO_CHECK_H

#include "scenario/scenario.h"
#include "scenario/work/workload_spec.h"
#include "scenario/yaml/yaml.h"

typedef struct cs_check {
    cs_scenario *scenario;
    cs_yaml *memory;
    cs_yaml_node *root;
    cs_diag *diag;
    char path[256]; /* what the next error or warning is about */
} cs_check;

/* Fills in what is computed from other keys, then checks everything.
 * CS_ERR_SCENARIO, CS_ERR_NO_MEMORY. */
cs_status cs_check_scenario(cs_check *check);

/* Names the key that is looked at; returns its node, NULL where it is not given. */
cs_yaml_node *cs_check_at(cs_check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Of a key with two names, both of which may be given: the later one of --set, a way and the
 * document stays, with a warning; of two in one of these the error is at `b`. */
cs_status cs_check_one_name(cs_check *check, const char *a, const char *b);
/* The same for all keys of sections that have two names (cs_section.twins), before they are read. */
cs_status cs_check_names(cs_check *check);

/* "place: path: text". The place is the key's, or that of what is around it. */
cs_status cs_check_fail(cs_check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
cs_status cs_check_warn(cs_check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Do [a, a + na) and [b, b + nb) overlap? (na, nb >= 1, ends within 2^64.) */
bool cs_check_overlap(uint64_t a, uint64_t na, uint64_t b, uint64_t nb);

/* One segment's functions and streams; `path` is that of the segment. */
cs_status cs_check_segment(cs_check *check, const char *path, const cs_segment_spec *segment,
                           unsigned most);

/* Room for the function's callers, once; CS_ERR_NO_MEMORY. */
cs_status cs_check_caller_room(cs_check *check, cs_function_spec *f);

/* Where functions return to (docs/traces/call_chains.md); `path` is that of the segment, whose functions have
 * their places. */
cs_status cs_check_calls(cs_check *check, const char *path, const cs_segment_spec *segment);

/* `what` of `bytes` bytes at base must lie in RAM. */
cs_status cs_check_in_ram(cs_check *check, uint64_t base, uint64_t bytes, const char *what);

/* Has the segment a stream for the event? */
bool cs_check_segment_counts(const cs_segment_spec *segment, uint32_t event);
/* Has any workload, or the handler, a stream for Arm's event? */
bool cs_check_somewhere_counts(const cs_scenario *s, uint32_t event);

/* The modes of all segments where none are given. */
void cs_check_compute_modes(cs_check *check);

/* The process of each segment, and the context ID that has it. */
void cs_check_compute_pids(cs_check *check);

/* What belongs to no section alone, or to that of the workloads. */
cs_status cs_check_programs(cs_check *check); /* gives functions their places */
cs_status cs_check_workloads(cs_check *check);
cs_status cs_check_owners(cs_check *check); /* of events, and the segments of units */
cs_status cs_check_modes(cs_check *check);
cs_status cs_check_pids(cs_check *check);
cs_status cs_check_areas(cs_check *check);

#endif
