// SPDX-License-Identifier: Apache-2.0
/* What events that take turns missed. */

MISSED.push((s) => s.rotated_events > 0 && {value: percent(s.least_share, 3), name: "of the time on a counter, at least",
    more: `${exact(s.rotated_events)} events took turns`});
