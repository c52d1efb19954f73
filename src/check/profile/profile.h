// SPDX-License-Identifier: Apache-2.0
/* Internal to check: files of profilers, whose samples have names in place of addresses. */
#ifndef CS_CHECK_PROFILE_PROFILE_H
#define CS_CHECK_PROFILE_PROFILE_H

#include "check/impl.h"
#include "formats/common/profile_read.h"

/* Adds a table of stacks to the truth's samples, in table told: place(cpu, pid, mode, guest, ip, chain,
 * stack): the process and the functions of each, by the run's scenario. */
cs_status cs_check_profile_places(cs_checking *check);

#endif
