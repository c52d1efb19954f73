// SPDX-License-Identifier: Apache-2.0
// Memory behind a core's bus port: takes its writes with chosen delays and responses, checks
// each against the rules for managers (docs/hw/bus.md) and keeps it.
#ifndef CS_TB_IMC_RTL_AXI_MEMORY_HPP
#define CS_TB_IMC_RTL_AXI_MEMORY_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "Vimc_core.h"
#include "support/axi_fields.hpp"

using ImcCoreTop = cs_test::AxiManager<Vimc_core>;

struct Burst {
    uint64_t addr;
    std::vector<uint64_t> words; // big-endian, a beat each
    uint64_t asked, complete;    // cycles: first AWVALID, response
    unsigned resp;
};

class AxiMemory
{
  public:
    std::function<unsigned()> delay = [] { return 0u; }; // before each handshake
    std::function<unsigned(const Burst &)> response = [](const Burst &) { return 0u; };
    std::function<bool()> eager = [] { return false; }; // ready before it is asked, and after
    bool stuck = false;                                 // no response yet

    // In each cycle: drive, evaluate the unit, observe, clock.
    void drive(ImcCoreTop &dut);
    void observe(const ImcCoreTop &dut, uint64_t cycle);

    bool idle() const
    {
        return !out_;
    }
    uint64_t doubleword(uint64_t addr) const; // big-endian; zero where nothing was written

    std::vector<Burst> bursts; // complete ones, in order
    std::vector<std::string> complaints;

  private:
    bool out_ = false, addressed_ = false, data_done_ = false, judged_ = false;
    unsigned beats_ = 0, wait_address_ = 0, wait_data_ = 0, wait_response_ = 0;
    bool awready_ = false, wready_ = false, bvalid_ = false;
    Burst burst_{};
    std::map<uint64_t, uint64_t> memory_;

    void complain(uint64_t cycle, const std::string &what);
    void check(bool ok, uint64_t cycle, const char *what)
    {
        if (!ok)
            complain(cycle, what);
    }
    void begin(const ImcCoreTop &dut, uint64_t cycle);
    void wait();
    void commit();
};

#endif
