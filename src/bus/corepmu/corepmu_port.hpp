// A core PMU (models/corepmu) as a unit behind a register bridge.
#ifndef CS_BUS_COREPMU_COREPMU_PORT_HPP
#define CS_BUS_COREPMU_COREPMU_PORT_HPP

#include "bus/fabric/register_access.hpp"
#include "models/corepmu/corepmu.h"

namespace cs
{

class CorePmuPort : public RegisterPort
{
  public:
    // A configuration that the model refuses is an sc_report of severity SC_ERROR.
    CorePmuPort(const cs_corepmu_config &config, const cs_event_source &events)
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

    bool read(cycle_t cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        return cs_corepmu_read(pmu_, cycle, offset, wide, &data) != CS_BUS_OKAY;
    }
    bool write(cycle_t cycle, uint32_t offset, bool wide, uint64_t data) override
    {
        return cs_corepmu_write(pmu_, cycle, offset, wide, data) != CS_BUS_OKAY;
    }

  private:
    cs_corepmu *pmu_ = nullptr;
};

} // namespace cs

#endif
