// SPDX-License-Identifier: Apache-2.0
// A core PMU (models/corepmu) as a unit behind a register bridge.
#ifndef CS_BUS_COREPMU_COREPMU_PORT_HPP
#define CS_BUS_COREPMU_COREPMU_PORT_HPP

#include <functional>
#include <utility>
#include <vector>

#include <countersink/bus/fabric/register_access.hpp>
#include <countersink/models/corepmu/corepmu.h>

namespace cs
{

// The pins of a core PMU from `cycle` on.
struct CorePower {
    cs_cycle cycle;
    bool offline, locked;
};

class CorePmuPort : public RegisterPort
{
  public:
    // `power`: changes in rising order. A configuration that the model refuses is an sc_report of
    // severity SC_ERROR. Where the handler lets that pass, each access is an error.
    CorePmuPort(const cs_corepmu_config &config, const cs_event_source &events,
                std::vector<CorePower> power = {})
        : power_(std::move(power))
    {
        const cs_corepmu_env env = {events};
        cs_diag diag = {};

        if (cs_corepmu_create(&config, &env, &pmu_, &diag) != CS_OK)
            SC_REPORT_ERROR("/countersink/corepmu", diag.text);
    }
    ~CorePmuPort() override
    {
        cs_corepmu_destroy(pmu_);
    }
    CorePmuPort(const CorePmuPort &) = delete;
    CorePmuPort &operator=(const CorePmuPort &) = delete;

    bool read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        come_to(cycle);
        return told(pmu_ == nullptr ||
                    cs_corepmu_read(pmu_, cycle, offset, wide, &data) != CS_BUS_OKAY);
    }
    bool write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data) override
    {
        come_to(cycle);
        return told(pmu_ == nullptr ||
                    cs_corepmu_write(pmu_, cycle, offset, wide, data) != CS_BUS_OKAY);
    }

    bool ask(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        come_to(cycle);
        return told(pmu_ == nullptr ||
                    cs_corepmu_ask(pmu_, cycle, offset, wide, &data) != CS_BUS_OKAY);
    }

    // For software on the core itself: with its pins as they are in this cycle, and when it loses its
    // power next. A lock ends nothing: it is the frame's alone.
    cs_corepmu *pmu_in(cs_cycle cycle)
    {
        set_pins(cycle);
        return pmu_;
    }
    cs_cycle next_off() const
    {
        for (std::size_t i = next_; i < power_.size(); i++)
            if (power_[i].offline)
                return power_[i].cycle;
        return CS_NEVER;
    }
    // Called before every access from the bus, and after it.
    std::function<void(cs_cycle)> before_access;
    std::function<void()> on_access;

  private:
    bool told(bool error) const
    {
        if (on_access)
            on_access();
        return error;
    }

    void come_to(cs_cycle cycle)
    {
        if (before_access)
            before_access(cycle);
        set_pins(cycle);
    }

    // Nobody sees the pins of power and lock but who accesses the PMU, or looks at its line.
    void set_pins(cs_cycle cycle)
    {
        for (; pmu_ != nullptr && next_ < power_.size() && power_[next_].cycle <= cycle; next_++) {
            const CorePower &change = power_[next_];

            cs_corepmu_set_power(pmu_, change.cycle, change.offline, change.locked);
        }
    }

    std::vector<CorePower> power_;
    std::size_t next_ = 0;
    cs_corepmu *pmu_ = nullptr;
};

} // namespace cs

#endif
