// SPDX-License-Identifier: Apache-2.0
/* How much of anything a scenario can have. */
#ifndef CS_SCENARIO_LIMITS_H
#define CS_SCENARIO_LIMITS_H

#include <countersink/base/numbers.h> /* CS_MAX_CPUS */

#define CS_MAX_CPU_CLASSES 8u /* kinds of CPUs */
#define CS_MAX_USER_EVENTS 240u
#define CS_NAME_BYTES 64u
#define CS_PMU_TEXT_BYTES 256u /* of a path or of places in YAML */
#define CS_WAY_TEXT_BYTES 200u

#endif
