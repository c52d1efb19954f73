// The dies of this build, smallest first: one line a size (CMakeLists.txt makes them).
#include "lockstep/rtl_die.hpp"

#include "Vpmcu_die_large.h"
#include "Vpmcu_die_small.h"
#include "lockstep/rtl_die_impl.hpp"

namespace cs
{

template <typename Top> static std::unique_ptr<RtlDie> make(const DieSize &size)
{
    return std::make_unique<VerilatedDie<Top>>(size);
}

static const struct {
    DieSize size;
    std::unique_ptr<RtlDie> (*make)(const DieSize &);
} dies[] = {
    {{"small", 2, 4, 8, 2}, make<Vpmcu_die_small>},
    {{"large", 4, 8, 8, 4}, make<Vpmcu_die_large>},
};

std::unique_ptr<RtlDie> make_rtl_die(const cs_scenario &s, std::string &sizes)
{
    for (const auto &die : dies) {
        const DieSize &size = die.size;

        if (s.pmcu.clusters <= size.clusters && s.pmcu.slots <= size.slots &&
            s.core.counters <= size.counters && s.pmcu.lanes <= size.lanes)
            return die.make(size);
        sizes += std::string(sizes.empty() ? "" : ", ") + size.name + " (" +
                 std::to_string(size.clusters) + " x " + std::to_string(size.slots) + ", " +
                 std::to_string(size.counters) + " counters, " + std::to_string(size.lanes) +
                 " lanes)";
    }
    return nullptr;
}

} // namespace cs
