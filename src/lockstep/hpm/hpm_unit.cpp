// SPDX-License-Identifier: Apache-2.0
// RISC-V harts: the straps of their CSR blocks, what they do, and their software.
#include <algorithm>
#include <vector>

#include "drivers/hpm/hart_environment.h"
#include "lockstep/hpm/hart_feed.hpp"
#include "lockstep/units.hpp"
#include "scenario/hpm/harts_spec.h"

namespace cs
{
namespace
{

class HpmUnit : public RtlUnit
{
  public:
    explicit HpmUnit(RtlContext &context);

    void strap() override;
    cs_status create(cs_diag *diag) override;
    void drive(cs_cycle now) override;
    void step(cs_cycle now) override;
    std::vector<cs_part> parts() const override;
    cs_timeline *counts(uint16_t source) const override;
    cs_cycle end() const override;

  private:
    HartPins pins_;
    std::vector<std::unique_ptr<HartFeed>> harts_;
};

HpmUnit::HpmUnit(RtlContext &context) : RtlUnit(context), pins_(die_)
{
    for (unsigned hart = 0; hart < context.scenario().harts->count; hart++)
        harts_.push_back(std::make_unique<HartFeed>(context, pins_, hart));
}

void HpmUnit::strap()
{
    const cs_hpm_config hpm = cs_environment_hpm(context_.environment, 0);

    pin("hpm_strap_xlen64_i").set(0, 1, hpm.xlen == 64);
    pin("hpm_strap_modes_i").set(0, 2, hpm.modes);
    pin("hpm_strap_counters_i").set(0, 32, hpm.counters);
    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++)
        pin("hpm_strap_width_i").set_field(n, 7, hpm.width[n]);
    pin("hpm_strap_sscofpmf_i").set(0, 1, hpm.sscofpmf);
    pin("hpm_strap_smcntrpmf_i").set(0, 1, hpm.smcntrpmf);
    pin("hpm_strap_smcdeleg_i").set(0, 1, hpm.smcdeleg);
    pin("hpm_strap_aia_i").set(0, 1, hpm.aia);
    pin("hpm_strap_lcofi_latency_i").set(0, 5, hpm.lcofi_latency);
}

cs_status HpmUnit::create(cs_diag *diag)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < harts_.size() && status == CS_OK; i++)
        status = harts_[i]->create(diag);
    return status;
}

void HpmUnit::drive(cs_cycle now)
{
    for (const auto &hart : harts_)
        hart->drive(now);
}

void HpmUnit::step(cs_cycle now)
{
    for (const auto &hart : harts_)
        hart->step(now);
}

cs_cycle HpmUnit::end() const
{
    cs_cycle end = 0;

    for (const auto &hart : harts_)
        end = std::max(end, cs_hart_end_cycle(hart->hart()));
    return end;
}

cs_timeline *HpmUnit::counts(uint16_t source) const
{
    const unsigned hart = source - CS_UNIT_HART(0);

    return hart < harts_.size() ? harts_[hart]->timeline() : nullptr;
}

std::vector<cs_part> HpmUnit::parts() const
{
    std::vector<cs_part> all;

    for (unsigned hart = 0; hart < harts_.size(); hart++)
        all.push_back(part(CS_UNIT_HART(hart)));
    return all;
}

} // namespace

std::unique_ptr<RtlUnit> make_hpm(RtlContext &context)
{
    if (context.scenario().harts->count == 0)
        return nullptr;
    return std::make_unique<HpmUnit>(context);
}

} // namespace cs
