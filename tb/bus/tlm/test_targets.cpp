// SPDX-License-Identifier: Apache-2.0
// What a memory and a register bridge do with a payload of anybody's (docs/architecture.md, "The
// TLM-2.0 modules in your own platform"; docs/hw/bus.md, "Adding", "Register bridge").
#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <tlm_utils/simple_initiator_socket.h>

#include "base/bus/big.h"
#include "bus/corepmu/debug_bridge.hpp"
#include "bus/machine/memory_target.hpp"
#include "support/forked.hpp"
#include <countersink/base/bus/bus_port.h>
#include <countersink/bus/fabric/register_access.hpp>

namespace
{

constexpr tlm::tlm_command kRead = tlm::TLM_READ_COMMAND, kWrite = tlm::TLM_WRITE_COMMAND;

sc_core::sc_time ns(double n)
{
    return {n, sc_core::SC_NS};
}

struct Payload : tlm::tlm_generic_payload {
    Payload(tlm::tlm_command command, uint64_t addr, void *data, unsigned bytes)
    {
        set_command(command);
        set_address(addr);
        set_data_ptr(static_cast<unsigned char *>(data));
        set_data_length(bytes);
        set_streaming_width(bytes);
    }
    void enable(std::vector<uint8_t> pattern)
    {
        enables = std::move(pattern);
        enables.reserve(1); // never NULL
        set_byte_enable_ptr(enables.data());
        set_byte_enable_length(static_cast<unsigned>(enables.size()));
    }
    std::vector<uint8_t> enables;
};

template <class Target> tlm::tlm_response_status send(Target &target, Payload &payload)
{
    sc_core::sc_time delay;

    target.b_transport(payload, delay);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    return payload.get_response_status();
}

// A memory of which the bus sees a part, at address 0x4000.
struct Memory {
    Memory() : Memory(false) {}
    explicit Memory(bool adds)
    {
        cs_memory_create(&memory, nullptr);
        target = std::make_unique<cs::MemoryTarget>("memory", memory, kOffset, adds);
        std::iota(bytes.begin(), bytes.end(), uint8_t(1));
    }
    ~Memory()
    {
        cs_memory_destroy(memory);
    }
    tlm::tlm_response_status write(uint64_t addr, unsigned count, std::vector<uint8_t> pattern = {})
    {
        Payload payload(kWrite, addr, bytes.data(), count);

        if (!pattern.empty())
            payload.enable(std::move(pattern));
        return send(*target, payload);
    }
    std::array<uint8_t, 24> at(uint64_t addr) const // of the bus
    {
        std::array<uint8_t, 24> found;

        cs_memory_read(memory, addr + kOffset, found.size(), found.data());
        return found;
    }
    uint64_t number_at(uint64_t addr) const
    {
        return cs_big_get64(at(addr).data());
    }

    static constexpr uint64_t kOffset = -UINT64_C(0x4000);
    static constexpr std::array<uint8_t, 24> kNothing = {};

    cs_memory *memory = nullptr;
    std::unique_ptr<cs::MemoryTarget> target;
    std::array<uint8_t, 24> bytes; // 1, 2, 3 ...
};

constexpr uint64_t kAdd = CS_BUS_ADD | 0x4000;

} // namespace

TEST(MemoryTarget, ReadsWhatWasWritten)
{
    cs_test::in_child([] {
        Memory memory;
        std::array<uint8_t, 24> found = {};
        uint8_t first = 0;
        Payload payload(kRead, 0x4000, found.data(), 24);

        EXPECT_EQ(memory.write(0x4000, 24), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(send(*memory.target, payload), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(found, memory.bytes);
        cs_memory_read(memory.memory, 0, 1, &first);
        EXPECT_EQ(first, 1) << "the bus's 0x4000 is the memory's 0";
    });
}

// The pattern is repeated until the data ends.
TEST(MemoryTarget, WritesWhatIsEnabled)
{
    cs_test::in_child([] {
        Memory memory;
        Payload none(kWrite, 0x4000, memory.bytes.data(), 8);

        none.enable({});
        EXPECT_EQ(send(*memory.target, none), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(memory.at(0x4000), Memory::kNothing) << "no enables, none enabled";
        EXPECT_EQ(memory.write(0x4000, 8, {0xff, 0, 0xff}), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(memory.at(0x4000), (std::array<uint8_t, 24>{1, 0, 3, 4, 0, 6, 7, 0}));
    });
}

TEST(MemoryTarget, HasNoFixedBursts)
{
    cs_test::in_child([] {
        Memory memory;
        Payload payload(kWrite, 0x4000, memory.bytes.data(), 8);

        payload.set_streaming_width(4);
        EXPECT_EQ(send(*memory.target, payload), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(memory.at(0x4000), Memory::kNothing);
        payload.set_streaming_width(16);
        EXPECT_EQ(send(*memory.target, payload), tlm::TLM_OK_RESPONSE);
        EXPECT_NE(memory.at(0x4000), Memory::kNothing);
    });
}

TEST(MemoryTarget, LeavesAnIgnoreCommandAlone)
{
    cs_test::in_child([] {
        Memory memory;
        Payload payload(tlm::TLM_IGNORE_COMMAND, 0x4000, memory.bytes.data(), 8);
        const auto before = memory.bytes;

        EXPECT_EQ(send(*memory.target, payload), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(memory.at(0x4000), Memory::kNothing);
        EXPECT_EQ(memory.bytes, before);
        EXPECT_EQ(memory.target->transport_dbg(payload), 0u);
    });
}

// docs/hw/bus.md, "Adding": each whole doubleword, and nothing else.
TEST(MemoryTarget, AddsWholeDoublewords)
{
    cs_test::in_child([] {
        Memory memory(true);
        const uint64_t first = 0x0102030405060708, second = 0x090a0b0c0d0e0f10;
        const struct {
            const char *name;
            uint64_t addr;
            unsigned bytes;
            bool enables;
            uint64_t adds[2];
        } rows[] = {{"one", kAdd, 8, false, {first, 0}},
                    {"two", kAdd, 16, false, {first, second}},
                    {"one and a half", kAdd, 12, false, {first, 0}},
                    {"a half", kAdd, 4, false, {0, 0}},
                    {"not aligned", kAdd + 4, 8, false, {0, 0}},
                    {"with enables", kAdd, 8, true, {0, 0}},
                    {"the second", kAdd + 8, 8, false, {0, first}}};
        uint64_t sum[2] = {0, 0};

        for (const auto &row : rows) {
            const std::vector<uint8_t> pattern(row.enables ? 8 : 0, 0xff);

            EXPECT_EQ(memory.write(row.addr, row.bytes, pattern), tlm::TLM_OK_RESPONSE) << row.name;
            for (unsigned i = 0; i < 2; i++) {
                sum[i] += row.adds[i];
                EXPECT_EQ(memory.number_at(0x4000 + 8 * i), sum[i]) << row.name;
            }
        }
        uint64_t found = 0;
        Payload payload(kRead, kAdd, &found, 8);
        EXPECT_EQ(send(*memory.target, payload), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(cs_big_get64(reinterpret_cast<const uint8_t *>(&found)), sum[0])
            << "a read there reads the memory";
        memory.write(0x4000, 8);
        EXPECT_EQ(memory.number_at(0x4000), first) << "without bit 56 it is a write";
    });
}

TEST(MemoryTarget, AddsNothingWhereItIsNotTold)
{
    cs_test::in_child([] {
        Memory memory;

        memory.write(kAdd, 8);
        memory.write(kAdd, 8);
        EXPECT_EQ(memory.number_at(0x4000), 0u);
        EXPECT_EQ(memory.number_at(kAdd), 0x0102030405060708u) << "an address like others";
        memory.write(CS_BUS_ADD << 1 | 0x4000, 8);
        EXPECT_EQ(memory.number_at(0x4000), 0u);
    });
}

TEST(MemoryTarget, TakesTheOtherInterfacesToo)
{
    cs_test::in_child([] {
        Memory memory;
        Payload write(kWrite, 0x4000, memory.bytes.data(), 8);
        std::array<uint8_t, 24> found = {};
        Payload read(kRead, 0x4000, found.data(), 24);
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay;
        tlm::tlm_dmi dmi;

        EXPECT_EQ(memory.target->nb_transport_fw(write, phase, delay), tlm::TLM_COMPLETED);
        EXPECT_EQ(memory.at(0x4000), Memory::kNothing) << "the end of a response";
        phase = tlm::BEGIN_REQ;
        EXPECT_EQ(memory.target->nb_transport_fw(write, phase, delay), tlm::TLM_COMPLETED);
        EXPECT_EQ(memory.number_at(0x4000), 0x0102030405060708u);
        EXPECT_EQ(memory.target->transport_dbg(read), 24u);
        EXPECT_EQ(found, memory.at(0x4000));
        write.set_address(0x4010);
        EXPECT_EQ(memory.target->transport_dbg(write), 8u);
        EXPECT_EQ(memory.number_at(0x4010), 0x0102030405060708u);
        EXPECT_FALSE(memory.target->get_direct_mem_ptr(read, dmi));
    });
}

namespace
{

struct Call {
    bool write;
    cs_cycle cycle;
    uint32_t offset;
    bool wide;
    uint64_t data;

    bool operator==(const Call &o) const
    {
        return write == o.write && cycle == o.cycle && offset == o.offset && wide == o.wide &&
               data == o.data;
    }
};

// A unit that refuses offset 0x7f0, and answers more than it should.
class Unit : public cs::RegisterPort
{
  public:
    bool read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        calls.push_back({false, cycle, offset, wide, 0});
        data = kAnswer;
        return offset == 0x7f0;
    }
    bool write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data) override
    {
        calls.push_back({true, cycle, offset, wide, data});
        return offset == 0x7f0;
    }

    static constexpr uint64_t kAnswer = 0xfedcba9876543210;
    std::vector<Call> calls;
};

void append(void *ctx, const cs_probe_record *record)
{
    static_cast<std::vector<cs_probe_record> *>(ctx)->push_back(*record);
}

// Units in slots 0 and 2.
struct Bridge {
    Bridge() : bridge("bridge", ns(1), {{&units[0], 10}, {nullptr, 11}, {&units[1], 12}}, &sink) {}

    tlm::tlm_response_status access(tlm::tlm_command command, uint64_t addr, uint64_t &data,
                                    unsigned bytes = 8)
    {
        Payload payload(command, addr, &data, bytes);

        delay = sc_core::SC_ZERO_TIME;
        bridge.access().b_transport(payload, delay);
        return payload.get_response_status();
    }

    std::vector<cs_probe_record> records;
    cs_probe_sink sink = {append, &records, false, nullptr};
    Unit units[2];
    cs::RegisterBridge bridge;
    sc_core::sc_time delay; // of the last access
};

} // namespace

// docs/hw/bus.md, "Register bridge": 4 or 8 bytes, aligned, all of them enabled.
TEST(RegisterBridge, TakesWholeRegistersOnly)
{
    cs_test::in_child([] {
        const struct {
            const char *name;
            uint64_t addr;
            unsigned bytes, width;
            std::vector<uint8_t> enables;
            bool taken;
        } rows[] = {{"4 bytes", 0x104, 4, 4, {}, true},
                    {"8 bytes", 0x108, 8, 8, {}, true},
                    {"4 bytes, wide stream", 0x108, 4, 8, {}, true},
                    {"2 bytes", 0x104, 2, 2, {}, false},
                    {"16 bytes", 0x100, 16, 16, {}, false},
                    {"8 bytes, not aligned", 0x104, 8, 8, {}, false},
                    {"4 bytes, not aligned", 0x102, 4, 4, {}, false},
                    {"a fixed burst", 0x100, 8, 4, {}, false},
                    {"all enabled", 0x100, 4, 4, {0xff, 0xff}, true},
                    {"the first not", 0x100, 4, 4, {0, 0xff}, false},
                    {"the last not", 0x100, 4, 4, {0xff, 0xff, 0xff, 0}, false}};
        Bridge b;

        for (const auto &row : rows) {
            uint64_t data[2] = {};
            Payload payload(kWrite, row.addr, data, row.bytes);
            sc_core::sc_time delay;
            const size_t before = b.units[0].calls.size();

            payload.set_streaming_width(row.width);
            if (!row.enables.empty())
                payload.enable(row.enables);
            b.bridge.access().b_transport(payload, delay);
            EXPECT_EQ(b.units[0].calls.size() - before, row.taken) << row.name;
            EXPECT_EQ(payload.get_response_status(),
                      row.taken ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE)
                << row.name;
        }
        uint64_t data = 0;
        Payload none(kWrite, 0x100, &data, 4);
        none.enable({});
        EXPECT_EQ(cs::RegisterAccess::malformed(none), true) << "no enables, none enabled";
    });
}

// One a cycle: of several at once each comes a cycle later, and says so.
TEST(RegisterBridge, MakesOneAccessACycle)
{
    cs_test::in_child([] {
        Bridge b;
        uint64_t data = 5;

        for (unsigned i = 0; i < 3; i++) {
            EXPECT_EQ(b.access(kWrite, 0x20000 + 8 * i, data), tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(b.delay, ns(i));
        }
        EXPECT_EQ(b.units[1].calls,
                  (std::vector<Call>{
                      {true, 0, 0, true, 5}, {true, 1, 8, true, 5}, {true, 2, 16, true, 5}}));
        EXPECT_TRUE(b.units[0].calls.empty());

        Payload later(kWrite, 0, &data, 4); // between two cycles: in the next
        b.delay = ns(7.5);
        b.bridge.access().b_transport(later, b.delay);
        EXPECT_EQ(b.delay, ns(7.5)) << "it need not wait";
        EXPECT_EQ(b.units[0].calls, (std::vector<Call>{{true, 8, 0, false, 5}}));
    });
}

// The same of an access that a fabric makes past TLM.
TEST(RegisterBridge, MakesNoOtherInTheCycleOfADirectAccess)
{
    cs_test::in_child([] {
        Bridge b;
        cs::RegisterAccess &access = b.bridge.access();
        cs_bus_txn txn = {};
        uint64_t data = 5;
        Payload payload(kWrite, 0, &data, 8);

        txn.addr = 0x1000100;
        txn.size = 8;
        txn.beats = 1;
        EXPECT_TRUE(access.takes(txn, 20));
        access.carry_out(txn, 0x1000000, 20);
        EXPECT_EQ(txn.resp, CS_BUS_OKAY);
        EXPECT_FALSE(access.takes(txn, 20));
        EXPECT_TRUE(access.takes(txn, 21));
        b.delay = ns(20);
        access.b_transport(payload, b.delay);
        EXPECT_EQ(b.delay, ns(21));
        EXPECT_EQ(b.units[0].calls,
                  (std::vector<Call>{{false, 20, 0x100, true, 0}, {true, 21, 0, true, 5}}));
        for (const auto &[size, fits] : {std::pair(1, false), {2, false}, {4, true}, {8, true}}) {
            txn.size = static_cast<uint8_t>(size);
            EXPECT_EQ(access.takes(txn, 30), fits) << size << " bytes";
        }
    });
}

TEST(RegisterBridge, ReadsAndRecords)
{
    cs_test::in_child([] {
        Bridge b;
        uint64_t wide = 1, narrow = UINT64_MAX, refused = 1, written = 3, absent = 1;

        EXPECT_EQ(b.access(kRead, 0x20100, wide), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(b.access(kRead, 0x104, narrow, 4), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(b.access(kRead, 0x7f0, refused), tlm::TLM_GENERIC_ERROR_RESPONSE);
        EXPECT_EQ(b.access(kWrite, 0x7f0, written), tlm::TLM_GENERIC_ERROR_RESPONSE);
        for (uint64_t addr : {0x10100u, 0x30100u, 0xf0100u}) {
            EXPECT_EQ(b.access(kRead, addr, absent), tlm::TLM_GENERIC_ERROR_RESPONSE);
            EXPECT_EQ(b.access(kWrite, addr, absent), tlm::TLM_GENERIC_ERROR_RESPONSE);
        }
        EXPECT_EQ(wide, Unit::kAnswer);
        EXPECT_EQ(narrow, 0xffffffff76543210u) << "four bytes of it";
        EXPECT_EQ(refused, 0u);

        const struct {
            uint16_t source;
            bool write;
            cs_bus_resp resp;
            uint64_t addr, value;
            unsigned bytes;
        } expected[] = {{12, false, CS_BUS_OKAY, 0x100, Unit::kAnswer, 8},
                        {10, false, CS_BUS_OKAY, 0x104, 0x76543210, 4},
                        {10, false, CS_BUS_SLVERR, 0x7f0, 0, 8},
                        {10, true, CS_BUS_SLVERR, 0x7f0, 3, 8}};
        ASSERT_EQ(b.records.size(), 4u);
        for (unsigned i = 0; i < 4; i++) {
            EXPECT_EQ(b.records[i].kind, CS_PROBE_REG);
            EXPECT_EQ(b.records[i].cycle, i);
            EXPECT_EQ(b.records[i].source, expected[i].source) << i;
            EXPECT_EQ(b.records[i].write, expected[i].write) << i;
            EXPECT_EQ(b.records[i].resp, expected[i].resp) << i;
            EXPECT_EQ(b.records[i].addr, expected[i].addr) << i;
            EXPECT_EQ(b.records[i].value, expected[i].value) << i;
            EXPECT_EQ(b.records[i].bytes, expected[i].bytes) << i;
        }
    });
}

TEST(RegisterBridge, WritesAllSlotsAtOnceWhereItIsTold)
{
    cs_test::in_child([] {
        Bridge b;
        uint64_t data = 9, read = 1;

        b.bridge.enable_broadcast(77);
        EXPECT_EQ(b.access(kWrite, 0xf07f0, data, 4), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(b.access(kRead, 0xf0100, read), tlm::TLM_GENERIC_ERROR_RESPONSE);
        for (const Unit &unit : b.units)
            EXPECT_EQ(unit.calls, (std::vector<Call>{{true, 0, 0x7f0, false, 9}}));
        ASSERT_EQ(b.records.size(), 1u);
        EXPECT_EQ(b.records[0].source, 77);
        EXPECT_EQ(b.records[0].resp, CS_BUS_OKAY);
    });
}

TEST(RegisterBridge, TakesTheOtherInterfacesToo)
{
    cs_test::in_child([] {
        Bridge b;
        uint64_t data = 4;
        Payload payload(kWrite, 8, &data, 8);
        Payload ignore(tlm::TLM_IGNORE_COMMAND, 8, &data, 8);
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay;
        tlm::tlm_dmi dmi;

        EXPECT_EQ(b.bridge.access().nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
        EXPECT_TRUE(b.units[0].calls.empty()) << "the end of a response";
        EXPECT_EQ(send(b.bridge.access(), ignore), tlm::TLM_OK_RESPONSE);
        EXPECT_TRUE(b.units[0].calls.empty());
        phase = tlm::BEGIN_REQ;
        EXPECT_EQ(b.bridge.access().nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
        EXPECT_EQ(b.units[0].calls, (std::vector<Call>{{true, 0, 8, true, 4}}));
        EXPECT_EQ(b.bridge.access().transport_dbg(payload), 0u);
        EXPECT_FALSE(b.bridge.access().get_direct_mem_ptr(payload, dmi));
    });
}

namespace
{

struct Host : sc_core::sc_module {
    explicit Host(const sc_core::sc_module_name &name) : sc_core::sc_module(name) {}

    tlm_utils::simple_initiator_socket<Host, 64> socket{"socket"};
};

} // namespace

// Without posted writes and at the bus's pace it is a register bridge with a broadcast slot.
TEST(DebugBridge, TakesTheOtherInterfacesToo)
{
    cs_test::in_child([] {
        Unit unit;
        Host host("host");
        cs::DebugBridge bridge("bridge", ns(1), {1, 1, 0}, {{&unit, 10}}, nullptr, 77);
        uint64_t data = 4;
        Payload payload(kWrite, 8, &data, 8), all(kWrite, 0xf0010, &data, 8),
            half(kWrite, 2, &data, 4);
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay;
        tlm::tlm_dmi dmi;

        host.socket.bind(bridge.socket);
        sc_core::sc_start(ns(10));
        EXPECT_EQ(host.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
        EXPECT_TRUE(unit.calls.empty()) << "the end of a response";
        phase = tlm::BEGIN_REQ;
        EXPECT_EQ(host.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
        host.socket->b_transport(all, delay);
        host.socket->b_transport(half, delay);
        EXPECT_EQ(unit.calls, (std::vector<Call>{{true, 10, 8, true, 4}, {true, 10, 16, true, 4}}));
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(half.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
        EXPECT_EQ(host.socket->transport_dbg(payload), 0u);
        EXPECT_FALSE(host.socket->get_direct_mem_ptr(payload, dmi));
    });
}
