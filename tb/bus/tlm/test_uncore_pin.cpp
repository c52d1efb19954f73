// SPDX-License-Identifier: Apache-2.0
// The interrupt of an uncore block as a pin: at the times at which the block's records have it.
#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "support/forked.hpp"
#include <countersink/bus/fabric/register_access.hpp>
#include <countersink/bus/uncore/uncore_module.hpp>

namespace
{

using Levels = std::vector<std::pair<uint64_t, bool>>;

constexpr uint32_t kCtl = 0x008, kOvf = 0x010, kIe = 0x018, kSelect = 0x100, kCount = 0x200;

sc_core::sc_time ns(double n)
{
    return {n, sc_core::SC_NS};
}

// One of the event in each cycle.
cs_event_source steady()
{
    cs_event_source source = {};

    source.sum = [](void *, uint32_t, uint32_t, cs_cycle from, cs_cycle to) -> uint64_t {
        return to > from ? to - from : 0;
    };
    source.reach = [](void *, uint32_t, uint32_t, cs_cycle from, uint64_t n) { return from + n; };
    return source;
}

// Software of somebody's, and what it sees of the pin.
class Platform : public sc_core::sc_module
{
  public:
    SC_HAS_PROCESS(Platform);

    Platform(const sc_core::sc_module_name &name, std::function<void(Platform &)> software)
        : sc_core::sc_module(name), software_(std::move(software))
    {
        SC_THREAD(run);
        SC_METHOD(see);
        sensitive << irq;
        dont_initialize();
    }

    tlm_utils::simple_initiator_socket<Platform, 64> socket{"socket"};
    sc_core::sc_in<bool> irq{"irq"};
    Levels seen;

    // Some cycles ahead of SystemC's time, which comes after.
    void access(bool write, uint32_t offset, uint64_t &value, double ahead = 0)
    {
        tlm::tlm_generic_payload payload;
        sc_core::sc_time delay = ns(ahead);

        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(offset);
        payload.set_data_ptr(reinterpret_cast<unsigned char *>(&value));
        payload.set_data_length(8);
        payload.set_streaming_width(8);
        socket->b_transport(payload, delay);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        wait(delay);
    }
    void write(uint32_t offset, uint64_t value, double ahead = 0)
    {
        access(true, offset, value, ahead);
    }

  private:
    void run()
    {
        software_(*this);
    }
    void see()
    {
        seen.emplace_back(sc_core::sc_time_stamp() / ns(1), irq.read());
    }

    std::function<void(Platform &)> software_;
};

void keep(void *ctx, const cs_probe_record *record)
{
    if (record->kind == CS_PROBE_IRQ)
        static_cast<Levels *>(ctx)->emplace_back(record->cycle, record->value != 0);
}

// The pin's edges of a run of 10,000 cycles; they are those of the records.
Levels edges(const std::function<void(Platform &)> &software)
{
    Levels recorded;
    cs_probe_sink sink = {};
    cs_uncore_config config = {};
    sink.record = keep;
    sink.ctx = &recorded;
    config.counters = 2;
    config.width = 8;
    config.unit = CS_UNIT_UNCORE(0);

    cs::UncoreModule unit("unit", ns(1), config, steady(), &sink);
    cs::RegisterBridge bridge("bridge", ns(1), {{&unit, CS_UNIT_UNCORE(0)}}, nullptr);
    Platform platform("platform", software);
    sc_core::sc_signal<bool> irq("irq");

    platform.socket.bind(bridge.socket);
    platform.irq.bind(irq);
    unit.irq.bind(irq);
    sc_core::sc_start(ns(10000));
    unit.finish(10000);
    EXPECT_EQ(platform.seen, recorded);
    return platform.seen;
}

// Counter 0 counts, its overflow interrupts. EN is written in cycle `ahead` + 2.
void begin(Platform &self, double ahead = 0)
{
    self.write(kSelect, 0x10001, ahead);
    self.write(kIe, 1);
    self.write(kCtl, 1);
}

} // namespace

// EN is written in cycle 2: counting begins in 3, the 256th count is that of cycle 258, and OVF is
// set in the next one. The software sees it at once, clears it in the same cycle, and 300 later IE.
TEST(UncorePin, RisesWithTheOverflowAndFallsWithTheFlag)
{
    cs_test::in_child([] {
        const Levels seen = edges([](Platform &self) {
            begin(self);
            sc_core::wait(self.irq.posedge_event());
            self.write(kOvf, 1);
            sc_core::wait(ns(300));
            self.write(kIe, 0);
        });

        EXPECT_EQ(seen, (Levels{{259, true}, {260, false}, {515, true}, {560, false}}));
    });
}

// EN is written in cycle 102. The flag is cleared in 1102, a thousand cycles ahead: the overflow before it
// is shown in its own time. In 1104 the counter is 250: six more.
TEST(UncorePin, KeepsWhatHappensBeforeAnAccessAhead)
{
    cs_test::in_child([] {
        const Levels seen = edges([](Platform &self) {
            begin(self, 100);
            self.write(kOvf, 1, 1000);
            self.write(kCount, 250, 2);
        });

        EXPECT_EQ(seen, (Levels{{359, true}, {1103, false}, {1111, true}}));
    });
}

// So does a read, which changes nothing: it is made in 1002, and the next overflow is that of 1027.
TEST(UncorePin, KeepsWhatHappensBeforeAReadAhead)
{
    cs_test::in_child([] {
        uint64_t count = 0;
        const Levels seen = edges([&](Platform &self) {
            begin(self);
            self.access(false, kCount, count, 1000);
            self.write(kOvf, 1);
        });

        EXPECT_EQ(count, (1002u - 3u) % 256u);
        EXPECT_EQ(seen, (Levels{{259, true}, {1004, false}, {1027, true}}));
    });
}

// Nobody has to bind it.
TEST(UncorePin, MayBeLeftAlone)
{
    cs_test::in_child([] {
        cs_uncore_config config = {};
        uint64_t count = 0;

        config.counters = 1;
        config.width = 8;
        cs::UncoreModule unit("unit", ns(1), config, steady(), nullptr);
        sc_core::sc_start(ns(10));
        unit.write(10, kSelect, true, 0x10001);
        unit.write(11, kIe, true, 1);
        unit.write(12, kCtl, true, 1);
        unit.read(300, kCount, true, count);
        EXPECT_EQ(count, 300u - 13u - 256u);
        sc_core::sc_start(ns(10000)); // no overflow asks for an event
        EXPECT_EQ(sc_core::sc_delta_count(), 0u);
    });
}
