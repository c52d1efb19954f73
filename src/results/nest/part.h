/* The part of the nest's posting engine. */
#ifndef CS_RESULTS_NEST_PART_H
#define CS_RESULTS_NEST_PART_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Its state. */
typedef struct cs_nest_part {
    uint64_t postings;
} cs_nest_part;

#ifdef __cplusplus
}
#endif

#endif
