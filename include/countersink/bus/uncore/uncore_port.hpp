// SPDX-License-Identifier: Apache-2.0
// An uncore block (models/uncore) as a unit behind a register bridge. Its interrupt goes to the probe
// stream; uncore_module.hpp has it as a pin.
#ifndef CS_BUS_UNCORE_UNCORE_PORT_HPP
#define CS_BUS_UNCORE_UNCORE_PORT_HPP

#include <countersink/bus/fabric/register_access.hpp>
#include <countersink/models/uncore/uncore.h>

namespace cs
{

class UncorePort : public RegisterPort
{
  public:
    // A configuration that the model refuses is an sc_report of severity SC_ERROR. Where the handler lets
    // that pass, each access is an error and nothing counts. `probe` is borrowed and may be NULL;
    // `tagged` is asked with config.extended alone.
    UncorePort(const cs_uncore_config &config, const cs_event_source &events,
               const cs_probe_sink *probe, const cs_uncore_tagged &tagged = {})
    {
        const cs_uncore_env env = {events, probe, tagged};
        cs_diag diag = {};

        if (cs_uncore_create(&config, &env, &uncore_, &diag) != CS_OK)
            SC_REPORT_ERROR("/countersink/uncore", diag.text);
    }
    ~UncorePort() override
    {
        cs_uncore_destroy(uncore_);
    }
    UncorePort(const UncorePort &) = delete;
    UncorePort &operator=(const UncorePort &) = delete;

    bool read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        return uncore_ == nullptr ||
               cs_uncore_read(uncore_, cycle, offset, wide, &data) != CS_BUS_OKAY;
    }
    bool write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data) override
    {
        return uncore_ == nullptr ||
               cs_uncore_write(uncore_, cycle, offset, wide, data) != CS_BUS_OKAY;
    }
    bool ask(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        finish(cycle);
        return uncore_ == nullptr || cs_uncore_ask(uncore_, offset, wide, &data) != CS_BUS_OKAY;
    }
    // All cycles below have been executed.
    void finish(cs_cycle cycle)
    {
        if (uncore_ != nullptr)
            cs_uncore_advance(uncore_, cycle);
    }

  protected:
    // The line: when it changes next, since when it is what it is, what it is.
    cs_cycle line_next() const
    {
        return uncore_ == nullptr ? CS_NEVER : cs_uncore_next(uncore_);
    }
    cs_cycle line_now() const
    {
        return uncore_ == nullptr ? 0 : cs_uncore_now(uncore_);
    }
    bool line_level() const
    {
        return uncore_ != nullptr && cs_uncore_irq(uncore_);
    }
    // NULL: it was refused.
    cs_uncore *model() const
    {
        return uncore_;
    }

  private:
    cs_uncore *uncore_ = nullptr;
};

} // namespace cs

#endif
