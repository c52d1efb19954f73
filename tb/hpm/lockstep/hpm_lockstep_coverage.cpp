// SPDX-License-Identifier: Apache-2.0
// Prints what the programs of test_hpm_lockstep meet of docs/hw/hpm.md; status 1 when a cell is
// not met.
#include <cinttypes>
#include <cstdio>

#include "lockstep_coverage.hpp"

int main()
{
    LockstepCoverage coverage;
    unsigned missed = 0;

    coverage.everything();
    for (const auto &[title, cells] : coverage.tables()) {
        const unsigned never = Coverage::missed(cells);
        std::printf("%s: %zu of %zu\n", title, cells.size() - never, cells.size());
        for (const auto &[name, hits] : cells)
            std::printf("  %-62s %10" PRIu64 "%s\n", name.c_str(), hits,
                        hits == 0 ? "  <- never" : "");
        missed += never;
    }
    return missed != 0;
}
