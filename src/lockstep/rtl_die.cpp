// The dies of this build, smallest first: one line a size (CMakeLists.txt makes them).
#include "lockstep/rtl_die.hpp"

#include "Vdie_all.h"
#include "Vdie_harts.h"
#include "Vdie_imc.h"
#include "Vdie_large.h"
#include "Vdie_small.h"
#include "Vdie_uncore.h"
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
    {{"small", 2, 4, 8, 2, 0, 0, false, 0, 0, 0}, make<Vdie_small>},
    {{"large", 4, 8, 8, 4, 0, 0, false, 0, 0, 0}, make<Vdie_large>},
    {{"imc", 0, 0, 0, 0, 2, 4, true, 0, 0, 0}, make<Vdie_imc>},
    {{"harts", 0, 0, 0, 0, 0, 0, false, 2, 0, 0}, make<Vdie_harts>},
    {{"uncore", 1, 4, 8, 1, 0, 0, false, 0, 2, 4}, make<Vdie_uncore>},
    {{"all", 2, 2, 8, 2, 1, 2, true, 2, 2, 2}, make<Vdie_all>},
};

static bool holds_uncore(const DieSize &size, const cs_scenario &s)
{
    for (size_t i = 0; i < s.uncore->nr_units; i++)
        if (s.uncore->units[i].slot >= size.units)
            return false;
    return s.uncore->nr_bridges <= size.bridges;
}

static bool holds(const DieSize &size, const cs_scenario &s)
{
    const bool pmcu = !cs_scenario_has_pmcu(&s) ||
                      (s.pmcu->clusters <= size.clusters && s.pmcu->slots <= size.slots &&
                       s.corepmu->counters <= size.counters && s.pmcu->lanes <= size.lanes);

    return pmcu && s.imc->cores <= size.imc_cores &&
           (s.imc->cores == 0 || s.imc->threads <= size.threads) &&
           (!s.nest->present || size.nest) && s.harts->count <= size.harts && holds_uncore(size, s);
}

static std::string describe(const DieSize &size)
{
    std::string text = std::string(size.name) + " (";

    if (size.pmcu())
        text += std::to_string(size.clusters) + " x " + std::to_string(size.slots) + ", " +
                std::to_string(size.counters) + " counters, " + std::to_string(size.lanes) +
                " lanes";
    if (size.imc_cores != 0)
        text += std::string(size.pmcu() ? "; " : "") + std::to_string(size.imc_cores) +
                " IMC cores x " + std::to_string(size.threads) + " threads";
    if (size.harts != 0)
        text += (text.back() == '(' ? "" : "; ") + std::to_string(size.harts) + " harts";
    if (size.bridges != 0)
        text += (text.back() == '(' ? "" : "; ") + std::to_string(size.bridges) +
                " uncore bridges x " + std::to_string(size.units) + " units";
    return text + (size.nest ? ", nest)" : ")");
}

std::unique_ptr<RtlDie> make_rtl_die(const cs_scenario &s, std::string &sizes)
{
    for (const auto &die : dies) {
        if (holds(die.size, s))
            return die.make(die.size);
        sizes += std::string(sizes.empty() ? "" : ", ") + describe(die.size);
    }
    return nullptr;
}

} // namespace cs
