// SPDX-License-Identifier: Apache-2.0
// A driver's world in small: memory, and a PMCU that is a register file which reports the end of
// a run some cycles after its trigger. What the driver does is written down.
#ifndef CS_TB_FAKE_DIE_HPP
#define CS_TB_FAKE_DIE_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "drivers/cpu.h"
#include "drivers/pmcu/pmcu_driver.h"
#include <countersink/base/bus/memory.h>
#include <countersink/regs/pmcu_regs.h>

namespace cs_test
{

constexpr uint64_t kRegisters = 0x10000000;
constexpr uint64_t kData = 0x80001000;
constexpr uint64_t kAux = 0x81000000;
constexpr cs_cycle kBus =
    10; // request to completion of every transfer; its effect is the completion
constexpr unsigned kAccess = 20;
constexpr unsigned kLatency = 2000;

struct Access {
    bool write;
    uint32_t offset;
    uint32_t value;

    bool operator==(const Access &o) const
    {
        return write == o.write && offset == o.offset && value == o.value;
    }
};

inline std::ostream &operator<<(std::ostream &out, const Access &a)
{
    return out << (a.write ? "W " : "R ") << std::hex << a.offset << "=" << a.value << std::dec;
}

struct Commit {
    uint64_t address;
    uint64_t bytes;

    bool operator==(const Commit &o) const
    {
        return address == o.address && bytes == o.bytes;
    }
};

struct FakeDie {
    // what the hardware does
    cs_cycle run_cycles = 5000;
    cs_cycle break_cycles = 40;
    bool hears_break = true;
    bool minds_zeros = true;    // a run without events is refused
    unsigned hidden_causes = 0; // so many reads of INT_STAT find nothing
    std::function<uint32_t(uint64_t trigger)> status_of = [](uint64_t) { return 0u; };
    std::function<bool(const cs_bus_txn &)> refuses = [](const cs_bus_txn &) { return false; };

    // the driver and what became of it
    std::vector<uint32_t> events;
    cs_pmcu_driver_config config = {};
    cs_pmcu_driver *driver = nullptr;
    cs_cpu *cpu = nullptr;
    cs_memory *memory = nullptr;
    std::vector<Access> accesses;
    std::vector<cs_cycle> effects; // of the accesses
    std::vector<cs_bus_txn> memory_writes;
    std::vector<Commit> commits;
    std::vector<uint8_t> dump;
    std::vector<cs_pmcu_trigger> triggers;
    std::vector<cs_pmcu_moved> moves;
    std::vector<std::pair<char, cs_cycle>> core;
    std::vector<unsigned> entered; // by core, 0: that of software.cpu
    unsigned accesses_outside = 0; // of ENTER and LEAVE

    // state
    std::map<uint32_t, uint32_t> regs;
    uint32_t stat = 0;
    uint32_t status = 0;
    bool running = false;
    bool line = false;
    cs_cycle done_at = CS_NEVER;
    cs_cycle break_at = CS_NEVER;
    std::vector<cs_cycle> line_rises;
    uint64_t nr_triggers = 0;
    uint64_t lost_triggers = 0;
    uint64_t next_word = 0;
    cs_bus_txn *open = nullptr;

    explicit FakeDie(std::vector<uint32_t> events_, uint64_t samples) : events(std::move(events_))
    {
        config.registers = kRegisters;
        config.nr_sample = samples;
        config.sample_period_ticks = 150000;
        config.hpmn = 8;
        config.nr_cpus = 8;
        config.aux_base = kAux;
        config.aux_buffer_bytes = 4096;
        config.aux_buffers = 2;
        config.data_base = kData;
        config.access_cycles = kAccess;
        config.irq_latency_cycles = kLatency;
        config.poll_cycles = 10000;
        config.give_up_cycles = 2000000;
        EXPECT_EQ(cs_memory_create(&memory, nullptr), CS_OK);
    }

    ~FakeDie()
    {
        cs_cpu_destroy(cpu);
        cs_pmcu_driver_destroy(driver);
        cs_memory_destroy(memory);
    }

    const cs_pmcu_driver_report &report() const
    {
        return *cs_pmcu_driver_get_report(driver);
    }

    static cs_bus_submit submit(void *ctx, unsigned, cs_bus_txn *txn)
    {
        txn->complete = txn->request + kBus;
        static_cast<FakeDie *>(ctx)->open = txn;
        return CS_BUS_PENDING;
    }

    void commit(uint64_t address, uint64_t bytes)
    {
        size_t at = dump.size();

        commits.push_back({address, bytes});
        dump.resize(at + bytes);
        cs_memory_read(memory, address, bytes, dump.data() + at);
    }
    static void told(void *ctx, const cs_soft_record *r)
    {
        auto *die = static_cast<FakeDie *>(ctx);

        if (r->kind == &cs_soft_pmcu_trigger) {
            die->triggers.push_back(*cs_told_pmcu_trigger(r));
        } else if (r->kind == &cs_soft_pmcu_moved) {
            die->moves.push_back(*cs_told_pmcu_moved(r));
        } else if (r->kind == &cs_soft_pmcu_aux) {
            const auto *stretch = cs_told_pmcu_aux(r);

            die->commit(stretch->address, stretch->bytes);
        }
    }

    // What a run leaves in memory: words that count up.
    void write_samples()
    {
        const uint32_t cfg = regs[CS_PMCU_FSM_CFG];
        const uint32_t ev_len = cfg & 0xff, loops = cfg >> 8 & 0xff, pmu = cfg >> 16 & 0xf;
        uint64_t addr = uint64_t(regs[CS_PMCU_STORE_BASE_H]) << 32 | regs[CS_PMCU_STORE_BASE_L];
        const uint64_t kill = uint64_t(regs[CS_PMCU_KILL_BASE_H]) << 32 | regs[CS_PMCU_KILL_BASE_L];
        const uint64_t words = uint64_t(loops) * (ev_len / pmu) *
                               (pmu + ((regs[CS_PMCU_COMP] & 1) != 0 ? 1 : 2)) * config.nr_cpus;

        for (uint64_t i = 0; i < words; i++, addr += 8, next_word++) {
            if (addr >= kill) {
                status |= CS_PMCU_FSM_STATUS_KILL_MASK;
                return;
            }
            cs_memory_write(memory, addr, 8, reinterpret_cast<uint8_t *>(&next_word), nullptr);
        }
    }

    void write(cs_cycle cycle, uint32_t offset, uint32_t value)
    {
        switch (offset) {
        case CS_PMCU_INT_CLR:
            stat &= ~value;
            break;
        case CS_PMCU_FSM_CTRL:
            if (running) {
                lost_triggers++;
                break;
            }
            status = 0;
            if (regs[CS_PMCU_FSM_CFG] == 0) {
                status = minds_zeros ? CS_PMCU_FSM_STATUS_CFG_ERR_MASK : 0;
                stat |= 1;
                break;
            }
            running = true;
            done_at = cycle + run_cycles;
            break;
        case CS_PMCU_FSM_BRK:
            if (hears_break)
                break_at = cycle + (running ? break_cycles : 1);
            break;
        default:
            regs[offset] = value;
        }
    }

    uint32_t read(uint32_t offset)
    {
        if (offset == CS_PMCU_INT_STAT && hidden_causes != 0) {
            hidden_causes--;
            return 0;
        }
        if (offset == CS_PMCU_INT_STAT)
            return stat;
        return offset == CS_PMCU_FSM_STATUS ? status : regs[offset];
    }

    void access_register(cs_bus_txn *txn)
    {
        uint32_t value = 0;
        auto offset = static_cast<uint32_t>(txn->addr - kRegisters);

        EXPECT_EQ(txn->size, 4);
        EXPECT_EQ(txn->beats, 1);
        accesses_outside += core.empty() || core.back().first != 'e';
        if (txn->write) {
            std::copy_n(txn->data, 4, reinterpret_cast<uint8_t *>(&value));
            write(txn->complete, offset, value);
        } else {
            value = read(offset);
            std::copy_n(reinterpret_cast<uint8_t *>(&value), 4, txn->data);
        }
        accesses.push_back({txn->write != 0, offset, value});
        effects.push_back(txn->complete);
    }

    void complete(cs_bus_txn *txn)
    {
        txn->resp = refuses(*txn) ? CS_BUS_SLVERR : CS_BUS_OKAY;
        if (txn->resp != CS_BUS_OKAY)
            return;
        if (txn->addr >= kRegisters && txn->addr < kRegisters + 0x10000) {
            access_register(txn);
            return;
        }
        EXPECT_TRUE(txn->write);
        // docs/hw/bus.md, "What a manager may ask for"
        EXPECT_EQ(txn->addr % (txn->beats > 1 ? 8 : txn->size), 0u);
        EXPECT_EQ(txn->addr / 4096, (txn->addr + cs_bus_txn_bytes(txn) - 1) / 4096);
        memory_writes.push_back(*txn);
        cs_memory_write(memory, txn->addr, cs_bus_txn_bytes(txn), txn->data, nullptr);
    }

    // One cycle in which something happens.
    void cycle(cs_cycle c)
    {
        if (c == done_at && running) {
            running = false;
            status |= status_of(nr_triggers++);
            write_samples();
            stat |= CS_PMCU_INT_STAT_DONE_MASK;
        }
        if (c == break_at) {
            running = false;
            stat |= CS_PMCU_INT_STAT_BRK_MASK;
        }
        cs_bus_txn *done = nullptr;
        if (open != nullptr && open->complete == c) {
            done = open;
            open = nullptr;
            complete(done);
        }
        bool level = (stat & regs[CS_PMCU_INT_EN] & ~regs[CS_PMCU_INT_MSK]) != 0;
        if (level != line) {
            line = level;
            if (level)
                line_rises.push_back(c);
            cs_cpu_irq(cpu, c, 0, level);
        }
        if (done != nullptr)
            cs_cpu_bus_done(cpu, done);
        cs_cpu_advance(cpu, c + 1);
    }

    void run(cs_cycle until = 2000000000)
    {
        const cs_soft_sink soft = {told, this};
        cs_diag diag = {};

        config.user_events = events.data();
        config.nr_user_events = events.size();
        ASSERT_EQ(cs_pmcu_driver_create(&config, &soft, &driver, &diag), CS_OK) << diag.text;
        events.clear(); // the driver has a copy
        cs_cpu_env env = {};
        env.bus = {submit, this};
        env.software = cs_pmcu_driver_software(driver);
        env.core_ctx = this;
        env.enter = [](void *d, cs_cycle c, unsigned core) {
            static_cast<FakeDie *>(d)->core.push_back({'e', c});
            static_cast<FakeDie *>(d)->entered.push_back(core);
        };
        env.leave = [](void *d, cs_cycle c, unsigned) {
            static_cast<FakeDie *>(d)->core.push_back({'l', c});
        };
        ASSERT_EQ(cs_cpu_create(&env, &cpu, nullptr), CS_OK);

        while (!cs_cpu_ended(cpu)) {
            cs_cycle c = std::min({cs_cpu_next(cpu), running ? done_at : CS_NEVER,
                                   break_at >= cs_cpu_now(cpu) ? break_at : CS_NEVER,
                                   open != nullptr ? open->complete : CS_NEVER});

            if (c >= until)
                return;
            cs_cpu_advance(cpu, c);
            cycle(c);
        }
    }
};

inline std::vector<uint32_t> events(unsigned n)
{
    std::vector<uint32_t> list(n);

    for (unsigned i = 0; i < n; i++)
        list[i] = 0x10 + i;
    return list;
}

} // namespace cs_test

#endif
