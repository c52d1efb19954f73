// SPDX-License-Identifier: Apache-2.0
/* What POWER missed. */

MISSED.push((s) => lostOf(s.perf_samples, s.perf_lost, "samples"),
    (s) => s.nest_postings > 0 && {value: exact(s.nest_postings), name: "nest postings", more: ""});
