// SPDX-License-Identifier: Apache-2.0
// docs/architecture.md, "The TLM-2.0 modules in your own platform": headers and constructors.
#include <type_traits>

#include <gtest/gtest.h>

#include "bus/corepmu/arm_core_module.hpp"
#include "bus/corepmu/debug_bridge.hpp"
#include "bus/hpm/hart_module.hpp"
#include "bus/machine/cpu_module.hpp"
#include "bus/machine/memory_target.hpp"
#include <countersink/bus/corepmu/corepmu_port.hpp>
#include <countersink/bus/fabric/fabric.hpp>
#include <countersink/bus/fabric/register_access.hpp>
#include <countersink/bus/imc/imc_module.hpp>
#include <countersink/bus/iommu_hpm/iommu_hpm_port.hpp>
#include <countersink/bus/nest/nest_module.hpp>
#include <countersink/bus/pmcu/pmcu_module.hpp>
#include <countersink/bus/uncore/uncore_module.hpp>
#include <countersink/bus/uncore/uncore_port.hpp>

namespace
{

using Name = const char *;
using Period = sc_core::sc_time;
using Probe = const cs_probe_sink *;
using Slots = std::vector<cs::RegisterSlot>;

template <class Module, class... Arguments> constexpr bool made_of()
{
    return std::is_constructible_v<Module, Arguments...>;
}

} // namespace

TEST(Modules, HaveTheConstructorsOfThePage)
{
    EXPECT_TRUE((made_of<cs::Fabric, Name, cs::FabricConfig>()));
    EXPECT_TRUE((made_of<cs::PmcuModule, Name, Period, cs_pmcu_config, Probe>()));
    EXPECT_TRUE((made_of<cs::ImcModule, Name, Period, cs::ImcConfig>()));
    EXPECT_TRUE((made_of<cs::NestModule, Name, Period, cs_nest_config, cs_event_source, Probe>()));
    EXPECT_TRUE((made_of<cs::HartModule, Name, Period, cs::HartConfig>()));
    EXPECT_TRUE((made_of<cs::CpuModule, Name, Period, cs_cpu_env>()));
    EXPECT_TRUE((made_of<cs::CpuModule, Name, Period, std::vector<cs_cpu_env>>()));
    EXPECT_TRUE((made_of<cs::ArmCoreModule, Name, Period, cs::ArmCoreConfig, cs::CorePmuPort &>()));
    EXPECT_TRUE((made_of<cs::RegisterBridge, Name, Period, Slots, Probe>()));
    EXPECT_TRUE(
        (made_of<cs::DebugBridge, Name, Period, cs::DebugBusConfig, Slots, Probe, uint16_t>()));
    EXPECT_TRUE((made_of<cs::CorePmuPort, cs_corepmu_config, cs_event_source>()));
    EXPECT_TRUE((made_of<cs::UncorePort, cs_uncore_config, cs_event_source, Probe>()));
    EXPECT_TRUE(
        (made_of<cs::UncoreModule, Name, Period, cs_uncore_config, cs_event_source, Probe>()));
    EXPECT_TRUE((made_of<cs::IommuHpmPort, cs_iommu_hpm_config, cs_iommu_hpm_env>()));
    EXPECT_TRUE((made_of<cs::MemoryTarget, Name, cs_memory *>()));
}
