// SPDX-License-Identifier: Apache-2.0
// Memory behind the engine's bus port: answers with chosen delays and responses, adds where the
// address says so, checks each transfer against the rules for managers (docs/hw/bus.md) and
// keeps it.
#ifndef CS_TB_NEST_RTL_NEST_MEMORY_HPP
#define CS_TB_NEST_RTL_NEST_MEMORY_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/axi_fields.hpp"
#include "variant.hpp"

using NestTop = cs_test::AxiManager<Vnest>;

struct Transfer {
    bool write;
    uint64_t addr;
    unsigned beats;
    std::vector<uint64_t> words; // big-endian, a beat each
    uint64_t asked, complete;    // cycles: first xVALID, last handshake
    unsigned resp;               // the worst of its beats
};

class NestMemory
{
  public:
    std::function<unsigned()> delay = [] { return 0u; }; // before each handshake
    // Of a beat of a read, of beat 0 of a write.
    std::function<unsigned(const Transfer &, unsigned beat)> response = [](const Transfer &,
                                                                           unsigned) { return 0u; };

    // In each cycle: drive, evaluate the unit, observe, clock.
    void drive(NestTop &dut);
    void observe(const NestTop &dut, uint64_t cycle);

    bool idle() const
    {
        return phase_ == Phase::idle;
    }
    uint64_t word(uint64_t addr) const; // zero where nothing was written
    void put(uint64_t addr, uint64_t word);

    std::vector<Transfer> transfers; // complete ones, in order
    std::vector<std::string> complaints;

  private:
    enum class Phase { idle, read_address, read_data, write };

    Phase phase_ = Phase::idle;
    Transfer now_{};
    unsigned wait_address_ = 0, wait_data_ = 0;
    bool addressed_ = false, data_done_ = false; // of a write
    bool ready_ = false, data_ = false, last_ = false;
    std::map<uint64_t, uint64_t> memory_;

    void check(bool ok, uint64_t cycle, const char *what);
    void begin(const NestTop &dut, uint64_t cycle);
    void observe_read(const NestTop &dut, uint64_t cycle);
    void observe_write(const NestTop &dut, uint64_t cycle);
    void take_word(const NestTop &dut, uint64_t cycle);
    void store();
    void finish(uint64_t cycle);
};

#endif
