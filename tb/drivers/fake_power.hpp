// SPDX-License-Identifier: Apache-2.0
// POWER's software in a small world: a memory, registers that only write down what reaches them,
// and things that the test lets happen at a cycle. The scenario is YAML as a user writes it.
#ifndef CS_TB_FAKE_POWER_HPP
#define CS_TB_FAKE_POWER_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "drivers/cpu.h"
#include <countersink/base/bus/memory.h>
#include <countersink/base/numbers.h>

extern "C" {
#include "base/bus/big.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/load.h"
}

namespace cs_power_test
{

constexpr cs_cycle kBusCycles = 10; // request to completion of every transfer
constexpr cs_cycle kUs = 1000;      // at the default clock

// An access that went to a register or, of software, to memory.
struct Access {
    cs_cycle request;
    std::string what; // "HTM0=e800000000000000", "LDBAR3=0", "read 81000028"
};

struct Stay {
    unsigned cpu;
    cs_cycle from, to; // in the software

    bool operator==(const Stay &o) const
    {
        return cpu == o.cpu && from == o.from && to == o.to;
    }
};

inline std::ostream &operator<<(std::ostream &out, const Stay &s)
{
    return out << "CPU " << s.cpu << " " << s.from << ".." << s.to;
}

inline std::string hex(uint64_t value)
{
    char text[20];

    snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(value));
    return text;
}

// docs/hw/imc.md, "Access", written out for the first four cores.
inline std::string scom_name(bool power10, uint64_t address)
{
    struct Row {
        const char *name;
        uint64_t of_core[4];
    };
    static const Row power9_rows[] = {
        {"HTM", {0x10012200, 0x10012300, 0x10012600, 0x10012700}},
        {"PDBAR", {0x1001220B, 0x1001230B, 0x1001260B, 0x1001270B}},
        {"MASK", {0x20010AA8, 0x21010AA8, 0x22010AA8, 0x23010AA8}},
        {"TRACE", {0x20010AA9, 0x21010AA9, 0x22010AA9, 0x23010AA9}},
    };
    static const Row power10_rows[] = {
        {"HTM", {0x20018680, 0x20014680, 0x20012680, 0x20011680}},
        {"PDBAR", {0x2001868B, 0x2001468B, 0x2001268B, 0x2001168B}},
        {"MASK", {0x20028400, 0x20024400, 0x20022400, 0x20021400}},
        {"TRACE", {0x20028401, 0x20024401, 0x20022401, 0x20021401}},
    };

    for (const Row &row : power10 ? power10_rows : power9_rows)
        for (unsigned core = 0; core < 4; core++)
            if (row.of_core[core] == address)
                return row.name + std::to_string(core);
    return "SCOM " + hex(address);
}

class FakePower
{
  public:
    cs_scenario *scenario = nullptr;
    cs_memory *memory = nullptr;
    cs_cpu *cpu = nullptr;
    std::vector<Access> accesses;
    std::vector<Stay> stays;
    unsigned outside = 0; // accesses outside of ENTER and LEAVE
    std::function<bool(const cs_bus_txn &)> refuses = [](const cs_bus_txn &) { return false; };
    std::function<void(cs_cycle, const cs_bus_txn &)> after_access = [](cs_cycle,
                                                                        const cs_bus_txn &) {};

    explicit FakePower(const std::string &yaml,
                       const std::string &folder = CS_SOURCE_DIR "/configs/imc")
    {
        cs_diag diag = {};

        EXPECT_EQ(cs_scenario_parse(yaml.data(), yaml.size(), "test.yaml", folder.c_str(), nullptr,
                                    0, &scenario, &diag),
                  CS_OK)
            << diag.line << ":" << diag.column << ": " << diag.text;
        EXPECT_EQ(cs_memory_create(&memory, nullptr), CS_OK);
    }

    FakePower(const FakePower &) = delete;
    FakePower &operator=(const FakePower &) = delete;

    virtual ~FakePower()
    {
        cs_cpu_destroy(cpu);
        cs_memory_destroy(memory);
        cs_scenario_destroy(scenario);
    }

    // ---- memory, as the hardware sees it ----

    void put(uint64_t addr, uint64_t value)
    {
        uint8_t bytes[8];

        cs_big_put64(bytes, value);
        ASSERT_EQ(cs_memory_write(memory, addr, 8, bytes, nullptr), CS_OK);
    }

    uint64_t get(uint64_t addr) const
    {
        uint8_t bytes[8];

        cs_memory_read(memory, addr, 8, bytes);
        return cs_big_get64(bytes);
    }

    // Happens before anything else of that cycle.
    void at(cs_cycle cycle, std::function<void()> what)
    {
        happenings.emplace(cycle, std::move(what));
    }

    // ---- running ----

    void run_software(const cs_software &software, cs_cycle until)
    {
        cs_cpu_env env = {};

        env.bus = {submit, this};
        env.software = software;
        env.core_ctx = this;
        env.enter = [](void *f, cs_cycle c, unsigned core) {
            static_cast<FakePower *>(f)->enter(c, core);
        };
        env.leave = [](void *f, cs_cycle c, unsigned core) {
            static_cast<FakePower *>(f)->leave(c, core);
        };
        ASSERT_EQ(cs_cpu_create(&env, &cpu, nullptr), CS_OK);
        while (!cs_cpu_ended(cpu)) {
            const cs_cycle happens = happenings.empty() ? CS_NEVER : happenings.begin()->first;
            const cs_cycle completes = open != nullptr ? open->complete : CS_NEVER;
            const cs_cycle c = std::min({cs_cpu_next(cpu), happens, completes});

            ASSERT_LT(c, until) << "the software does not end";
            cs_cpu_advance(cpu, c);
            cycle(c);
        }
        EXPECT_TRUE(inside.empty()) << "it ended between ENTER and LEAVE";
    }

    // ---- what was written down ----

    // Accesses of [from, to).
    std::vector<std::string> log(cs_cycle from = 0, cs_cycle to = CS_NEVER) const
    {
        std::vector<std::string> list;

        for (const Access &a : accesses)
            if (a.request >= from && a.request < to)
                list.push_back(a.what);
        return list;
    }

    // Those with `part` in them.
    std::vector<std::string> log_of(const std::string &part) const
    {
        std::vector<std::string> list;

        for (const Access &a : accesses)
            if (a.what.find(part) != std::string::npos)
                list.push_back(a.what);
        return list;
    }

    cs_cycle when(const std::string &what) const
    {
        for (const Access &a : accesses)
            if (a.what == what)
                return a.request;
        ADD_FAILURE() << "there is no " << what;
        return 0;
    }

  private:
    std::multimap<cs_cycle, std::function<void()>> happenings;
    cs_bus_txn *open = nullptr;
    std::map<unsigned, size_t> inside; // by CPU: its stay that goes on

    static cs_bus_submit submit(void *ctx, unsigned, cs_bus_txn *txn)
    {
        txn->complete = txn->request + kBusCycles;
        static_cast<FakePower *>(ctx)->open = txn;
        return CS_BUS_PENDING;
    }

    void enter(cs_cycle c, unsigned core)
    {
        EXPECT_EQ(inside.count(core - 1), 0u);
        EXPECT_GE(core, 1u) << "no CPU is named";
        inside[core - 1] = stays.size();
        stays.push_back({core - 1, c, CS_NEVER});
    }

    void leave(cs_cycle c, unsigned core)
    {
        ASSERT_EQ(inside.count(core - 1), 1u);
        stays[inside[core - 1]].to = c;
        inside.erase(core - 1);
    }

    void cycle(cs_cycle c)
    {
        while (!happenings.empty() && happenings.begin()->first <= c) {
            const auto what = happenings.begin()->second;
            happenings.erase(happenings.begin());
            what();
        }
        if (open != nullptr && open->complete == c) {
            cs_bus_txn *done = open;
            open = nullptr;
            complete(*done);
            after_access(c, *done);
            cs_cpu_bus_done(cpu, done);
        }
        cs_cpu_advance(cpu, c + 1);
    }

    static uint64_t value_of(const cs_bus_txn &txn)
    {
        uint64_t value = 0;

        for (unsigned i = 8; i-- > 0;)
            value = value << 8 | txn.data[i];
        return value;
    }

    void write_down(const cs_bus_txn &txn)
    {
        const bool scom = txn.addr >= CS_SCOM_BASE && txn.addr < CS_SCOM_BASE + CS_SCOM_BYTES;
        const bool spr = txn.addr >= CS_SPR_BASE && txn.addr < CS_SPR_BASE + CS_SPR_BYTES;
        std::string what;

        if (scom || spr) {
            EXPECT_TRUE(txn.write);
            EXPECT_EQ(cs_bus_txn_bytes(&txn), 8u);
            what = scom ? scom_name(scenario->imc->power10, (txn.addr - CS_SCOM_BASE) / 8)
                        : spr_name(txn.addr - CS_SPR_BASE);
            what += "=" + hex(value_of(txn));
        } else if (txn.write) {
            const unsigned bytes = cs_bus_txn_bytes(&txn);
            what = "write " + hex(txn.addr);
            what += bytes == 8 ? "=" + hex(cs_big_get64(txn.data)) : "+" + std::to_string(bytes);
        } else {
            what = "read " + hex(txn.addr);
            if (txn.beats > 1)
                what += "+" + std::to_string(cs_bus_txn_bytes(&txn));
        }
        accesses.push_back({txn.request, what});
        outside += inside.empty();
    }

    // Of the CPU that has the place: 0x2000 (4 core + thread) + 8 SPR 850.
    std::string spr_name(uint64_t offset) const
    {
        const uint64_t place = offset / 0x2000, core = place / 4, thread = place % 4;

        if (offset % 0x2000 != 8 * 850 || thread >= scenario->imc->threads)
            return "SPR " + hex(offset);
        return "LDBAR" + std::to_string(core * scenario->imc->threads + thread);
    }

    void complete(cs_bus_txn &txn)
    {
        const bool ram = txn.addr >= 0x80000000 && txn.addr < 0xC0000000;

        // docs/hw/bus.md, "What a manager may ask for"
        EXPECT_EQ(txn.addr % 8, 0u);
        EXPECT_EQ(txn.addr / 4096, (txn.addr + cs_bus_txn_bytes(&txn) - 1) / 4096);
        write_down(txn);
        txn.resp = refuses(txn) ? CS_BUS_SLVERR : CS_BUS_OKAY;
        if (txn.resp != CS_BUS_OKAY)
            return;
        if (ram && txn.write)
            cs_memory_write(memory, txn.addr, cs_bus_txn_bytes(&txn), txn.data, nullptr);
        else if (ram)
            cs_memory_read(memory, txn.addr, cs_bus_txn_bytes(&txn), txn.data);
    }
};

} // namespace cs_power_test

#endif
