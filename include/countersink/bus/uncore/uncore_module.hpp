// SPDX-License-Identifier: Apache-2.0
// An uncore block (models/uncore) as a unit behind a register bridge, with its interrupt as a pin.
#ifndef CS_BUS_UNCORE_UNCORE_MODULE_HPP
#define CS_BUS_UNCORE_UNCORE_MODULE_HPP

#include <deque>
#include <utility>

#include <countersink/bus/fabric/clock.hpp>
#include <countersink/bus/uncore/uncore_port.hpp>

namespace cs
{

class UncoreModule : public sc_core::sc_module, public UncorePort
{
  public:
    SC_HAS_PROCESS(UncoreModule);

    // As UncorePort.
    UncoreModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                 const cs_uncore_config &config, const cs_event_source &events,
                 const cs_probe_sink *probe, const cs_uncore_tagged &tagged = {});

    // The interrupt; may be left alone. It changes at the beginning of the first cycle at the new
    // level. The events must say ahead what will be counted, as those of a timeline do.
    sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> irq;

    bool read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override;
    bool write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data) override;
    bool ask(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override;

  private:
    bool shows() const // somebody looks at the line
    {
        return irq.size() != 0 && model() != nullptr;
    }
    void come_to(cs_cycle cycle);
    void look();
    void plan();
    void drive();

    Clock clock_;
    std::deque<std::pair<cs_cycle, bool>> levels_; // that the pin has not shown
    bool level_ = false;                           // the last of them
    sc_core::sc_event due_;
};

} // namespace cs

#endif
