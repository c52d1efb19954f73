// SPDX-License-Identifier: Apache-2.0
/* What a guest's perf got. */

MISSED.push((s) => s.guest_instructions > 0 && {value: exact(s.perf_samples), name: "samples in the guest's perf",
    more: s.imc_records > 0 ? `of ${exact(s.imc_records)} records` : `${exact(s.guest_instructions)} instructions`});
