// SPDX-License-Identifier: Apache-2.0
/* What harts missed. */

MISSED.push((s) => lostOf(s.hart_samples, s.hart_lost, "samples"));
