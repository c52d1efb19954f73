// SPDX-License-Identifier: Apache-2.0
// Software on an Arm core (drivers/corepmu/arm_core.h) as a SystemC module: it has no socket, but
// reaches the core's PMU, which the bus sees.
#ifndef CS_BUS_COREPMU_ARM_CORE_MODULE_HPP
#define CS_BUS_COREPMU_ARM_CORE_MODULE_HPP

#include <functional>

#include "drivers/corepmu/arm_core.h"
#include <countersink/base/probe/probe.h>
#include <countersink/bus/corepmu/corepmu_port.hpp>
#include <countersink/bus/fabric/agent_module.hpp>

namespace cs
{

struct ArmCoreConfig {
    cs_arm_core_config core = {};
    bool guest = false;                   // its accesses are a guest's
    const cs_probe_sink *probe = nullptr; // borrowed; may be NULL
    std::function<void(cs_cycle)> enter, leave;
    std::function<void()> on_end; // once
};

class ArmCoreModule : public AgentModule
{
  public:
    SC_HAS_PROCESS(ArmCoreModule);

    // The port is borrowed.
    ArmCoreModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                  const ArmCoreConfig &config, CorePmuPort &port);
    ~ArmCoreModule() override;

    cs_arm_core *core() const
    {
        return core_;
    }
    // What it counts from now on may differ from what was foreseen.
    void changed();
    cs_cycle end_cycle() const;

    cs_cycle earliest() const override;
    bool alone(cs_cycle until) const override;

  private:
    static bool access(void *ctx, cs_cycle cycle, const cs_arm_core_op *op, uint64_t *data);
    static cs_cycle line(void *ctx, cs_cycle from, cs_cycle to);

    cs_cycle next() const override;
    void execute(cs_cycle cycle) override;
    void bus_done(unsigned, cs_bus_txn *) override {} // it asks for no transfers

    ArmCoreConfig config_;
    CorePmuPort &port_;
    cs_arm_core *core_ = nullptr;
    mutable bool known_ = false; // next_ holds
    mutable cs_cycle next_ = 0;
};

} // namespace cs

#endif
