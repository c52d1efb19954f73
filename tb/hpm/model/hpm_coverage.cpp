// SPDX-License-Identifier: Apache-2.0
// hpm_coverage [programs]: prints what that many random programs (8000) meet of the page.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "coverage.hpp"

namespace
{

unsigned print(const char *title, const Coverage::Cells &cells)
{
    const unsigned missed = Coverage::missed(cells);
    std::printf("%s: %zu of %zu\n", title, cells.size() - missed, cells.size());
    for (const auto &[name, hits] : cells)
        std::printf("  %-62s %10" PRIu64 "%s\n", name.c_str(), hits, hits == 0 ? "  <- never" : "");
    return missed;
}

} // namespace

int main(int argc, char **argv)
{
    const uint64_t programs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 8000;
    Coverage coverage;
    for (uint64_t seed = 1; seed <= programs; seed++)
        coverage.program(seed);
    unsigned missed = print("permission rule / mode", coverage.rules);
    missed += print("counter table", coverage.counters);
    missed += print("write / overflow / inhibit / filter", coverage.pairs);
    missed += print("LCOFIP write / request", coverage.requests);
    return missed != 0;
}
