// SPDX-License-Identifier: Apache-2.0
/* What the PMCU missed. */

MISSED.push((s) => s.cpus > 0 && {value: percent(s.blind_fraction, 3), name: "of the time not counted (blind)",
    more: `${time(s.blind_ns / 1000, undefined, 3)} per CPU`});
