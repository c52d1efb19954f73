// SPDX-License-Identifier: Apache-2.0
// The PMCU (models/pmcu) as a TLM-2.0 module: initiator socket i for lane i, a target
// socket for its registers, an interrupt.
#ifndef CS_BUS_PMCU_PMCU_MODULE_HPP
#define CS_BUS_PMCU_PMCU_MODULE_HPP

#include <deque>
#include <functional>
#include <utility>

#include <countersink/bus/fabric/agent_module.hpp>
#include <countersink/bus/fabric/register_access.hpp>
#include <countersink/models/pmcu/pmcu.h>

namespace cs
{

class PmcuModule : public AgentModule, private RegisterPort
{
  public:
    SC_HAS_PROCESS(PmcuModule);

    // A configuration that the model refuses is an sc_report of severity SC_ERROR. Where the handler lets
    // that pass, each access is an error and the unit does nothing. `probe` is borrowed and may be NULL.
    PmcuModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
               const cs_pmcu_config &config, const cs_probe_sink *probe);
    ~PmcuModule() override;

    // Registers at offsets 0 .. 0xffff; other address bits but 19:16 do not matter.
    tlm::tlm_target_socket<64> registers;

    // The interrupt, twice; both may be left alone. The pin changes at the beginning of the
    // first cycle at the new level; the callback may come before.
    sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> irq;
    std::function<void(cs_cycle cycle, bool level)> on_irq;

    cs_cycle earliest() const override;
    bool alone(cs_cycle until) const override;

  private:
    static cs_bus_submit submit(void *ctx, unsigned lane, cs_bus_txn *txn);
    static void irq_changed(void *ctx, cs_cycle cycle, bool level);

    cs_cycle next() const override;
    void execute(cs_cycle cycle) override;
    void bus_done(unsigned port, cs_bus_txn *txn) override;
    bool read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override;
    bool write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data) override;
    bool ask(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override;
    void drive_irq();

    cs_pmcu *pmcu_ = nullptr;
    RegisterAccess access_;
    std::deque<std::pair<cs_cycle, bool>> irq_levels_; // for the pin
    sc_core::sc_event irq_due_;
};

} // namespace cs

#endif
