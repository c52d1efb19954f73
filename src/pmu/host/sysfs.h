// SPDX-License-Identifier: Apache-2.0
/* PMUs in /sys/bus/event_source/devices, for one process and its children alone: a file system in memory
 * covers that folder in a mount namespace of their own; where nothing is mounted at /sys, as in a bare
 * chroot, all of that. */
#ifndef CS_PMU_HOST_SYSFS_H
#define CS_PMU_HOST_SYSFS_H

#include "software/perf/machine.h"

#define CS_SYSFS_DEVICES "/sys/bus/event_source/devices"

/* For the process that calls it; without privilege in a user namespace of its own. 0; -errno, and nothing
 * has changed that a program could see: -ENOENT, there is no such folder; -EPERM, namespaces or mounts are
 * forbidden. */
int cs_sysfs_show(const cs_perf_machine *machine);

#endif
