// SPDX-License-Identifier: Apache-2.0
// The driver on a hart that stands alone, with firmware below it. What the driver does is logged as
// text: its own CSR accesses and its calls, not what the firmware does in them. Nothing but CSR
// accesses takes time, and events happen in the workload only (0x50 is everywhere), so that
// counts are the workload's cycles.
#ifndef CS_TB_DRIVERS_RISCV_PMU_KERNEL_HPP
#define CS_TB_DRIVERS_RISCV_PMU_KERNEL_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <countersink/base/stream/stream.h>
#include <countersink/drivers/hpm/hart_alone.h>
#include <countersink/drivers/hpm/kernel/riscv_pmu.h>
#include <countersink/drivers/hpm/sbi/sbi_pmu.h>

namespace cs_test
{

constexpr uint64_t kMemory = 0x80000000, kMemoryBytes = 0x100000;
constexpr uint64_t kPage = kMemory + 0x1000, kInfo = kMemory + 0x3000, kRing = kMemory + 0x10000;
constexpr unsigned kStopped = CS_RISCV_HES_STOPPED, kUpToDate = CS_RISCV_HES_UPTODATE;
constexpr uint64_t kOnes = UINT64_MAX, kOf = UINT64_C(1) << 63;

// Encodings; cycles and instructions are 1 and 2. What each counts in a cycle of the workload:
constexpr uint64_t kOne = 0x40, kFifteen = 0x41, kEverywhere = 0x50;

struct Machine {
    cs_hpm_config hpm = cs_hpm_default_config();
    cs_sbi_pmu_config fw = cs_sbi_pmu_defaults();
    cs_riscv_pmu_config driver = {};
    cs_hart_costs costs = {1, 0, 0, 0, 0};
    unsigned workload = CS_HPM_MODE_U;
    std::vector<uint64_t> returns; // of what the workload runs
    bool probes = true;
};

// Counters 3..6, two of firmware (7, 8).
inline Machine machine(cs_riscv_kind kind = CS_RISCV_SBI, unsigned xlen = 64)
{
    Machine s;

    s.hpm.xlen = xlen;
    s.hpm.counters = 0x78;
    s.fw.form = kind == CS_RISCV_V3 ? CS_SBI_PROPOSAL_V3 : CS_SBI_RATIFIED;
    s.fw.firmware_counters = 2;
    s.fw.smcdeleg = cs_riscv_is_delegated(kind);
    s.fw.memory_base = kMemory;
    s.fw.memory_size = kMemoryBytes;
    s.driver.kind = kind;
    s.driver.find = kind == CS_RISCV_V3 ? CS_RISCV_FIND_EACH : CS_RISCV_FIND_FREE;
    s.driver.sscofpmf = kind != CS_RISCV_LEGACY && kind != CS_RISCV_BASE;
    s.driver.snapshot_address = kPage;
    s.driver.info_address = kInfo;
    s.driver.ring_base = kRing;
    s.driver.tick_cycles = 100000;
    return s;
}

inline Machine with(Machine s, uint32_t bugs)
{
    s.driver.bugs = bugs;
    return s;
}

inline Machine with_page(Machine s)
{
    s.driver.use_snapshot = true;
    return s;
}

inline Machine with_ring(Machine s, uint64_t bytes)
{
    s.driver.ring_bytes = bytes;
    return s;
}

inline Machine without_of(Machine s)
{
    s.hpm.sscofpmf = s.fw.sscofpmf = s.driver.sscofpmf = false;
    return s;
}

inline Machine of_version(Machine s, unsigned version)
{
    s.fw.version = version;
    return s;
}

inline cs_riscv_attr hardware(uint64_t config, uint64_t period = 0)
{
    cs_riscv_attr attr = {};

    attr.type = CS_RISCV_PERF_HARDWARE;
    attr.config = config;
    attr.sample_period = period;
    attr.id = 100 + config;
    return attr;
}

inline cs_riscv_attr raw(uint64_t config, uint64_t period = 0)
{
    cs_riscv_attr attr = {};

    attr.type = CS_RISCV_PERF_RAW;
    attr.config = config;
    attr.sample_period = period;
    attr.id = 7;
    return attr;
}

inline cs_riscv_attr firmware(uint64_t code, uint64_t period = 0)
{
    return raw(UINT64_C(2) << 62 | code, period);
}

inline std::string csr_text(uint64_t csr)
{
    static const struct {
        uint64_t csr;
        const char *name;
    } names[] = {
        {0x104, "sie"},    {0x106, "scounteren"}, {0x120, "scountinhibit"}, {0x144, "sip"},
        {0x150, "select"}, {0x151, "sireg"},      {0x152, "sireg2"},        {0x155, "sireg4"},
        {0x156, "sireg5"}, {0xda0, "scountovf"},
    };

    for (const auto &one : names)
        if (one.csr == csr)
            return one.name;
    return (csr & 0x80 ? "Ch" : "C") + std::to_string(csr % 32);
}

inline std::string call_text(bool v3, uint64_t eid, uint64_t fid, const uint64_t args[6])
{
    static const char *const names[] = {"NUM",  "INFO",   "CONFIG",   "START", "STOP",
                                        "READ", "READHI", "SETSHMEM", "EVENTS"};
    static const char *const v3_names[] = {"NUM",  "INFO",   "EVENT", "ADDR", "START",
                                           "STOP", "CONFIG", "?",     "?"};
    static const char *const sse_names[] = {"RDATTR", "WRATTR",  "REGISTER", "UNREGISTER",
                                            "ENABLE", "DISABLE", "COMPLETE", "INJECT",
                                            "UNMASK", "MASK"};
    std::string text = eid == CS_SBI_EID_PMU ? (fid < 9 ? (v3 ? v3_names : names)[fid] : "?")
                       : eid == CS_SBI_EID_SSE && fid < 10 ? sse_names[fid]
                                                           : "BASE" + std::to_string(fid);
    unsigned nr = 6;

    while (nr > 0 && args[nr - 1] == 0)
        nr--;
    text += "(";
    for (unsigned i = 0; i < nr; i++) {
        char number[32];

        snprintf(number, sizeof number, "%s%llx", i > 0 ? "," : "",
                 static_cast<unsigned long long>(args[i]));
        text += number;
    }
    return text + ")";
}

struct Sample : cs_riscv_sample {
    explicit Sample(const cs_riscv_sample &s) : cs_riscv_sample(s), has_chain(s.chain != nullptr)
    {
        if (has_chain)
            words.assign(s.chain, s.chain + s.nr_chain);
        chain = nullptr; // it was valid during the call only
    }

    bool has_chain;
    std::vector<uint64_t> words;
};

class Kernel
{
  public:
    explicit Kernel(const Machine &s = machine()) : machine_(s)
    {
        cs_hart_alone_config config = {};
        cs_diag diag = {};

        make_timeline();
        sink_.record = record;
        sink_.ctx = this;
        config.hart.xlen = s.hpm.xlen;
        config.hart.number = 3;
        config.hart.costs = s.costs;
        config.hart.time_mhz = 1;
        config.hart.clock_mhz = 1;
        config.hart.time_start = 5000000;
        config.hpm = s.hpm;
        config.timeline = timeline_;
        config.probe = &sink_;
        EXPECT_EQ(cs_hart_alone_create(&config, &alone_, &diag), CS_OK) << diag.text;
        hart_ = cs_hart_alone_hart(alone_);
        EXPECT_EQ(cs_sbi_pmu_create(&s.fw, &fw_, &diag), CS_OK) << diag.text;
        cs_riscv_pmu_map_default(&map_);
        create();
        cs_hart_run(hart_, home());
        busy_ = true;
        cs_sbi_pmu_on_sse(
            fw_,
            [](void *ctx, cs_hart *hart, const cs_sse_entry *entry) {
                auto *k = static_cast<Kernel *>(ctx);
                const bool busy = k->busy_;

                k->busy_ = false;
                cs_riscv_pmu_sse(k->pmu_, hart, entry);
                k->busy_ = busy;
            },
            this);
        cs_sbi_pmu_boot(fw_, hart_);
        if (s.driver.guest)
            let_guests();
        busy_ = false;
        if (s.probes) {
            EXPECT_EQ(probe(), 0);
        }
        log.clear();
    }
    Kernel(const Kernel &) = delete;
    Kernel &operator=(const Kernel &) = delete;
    ~Kernel()
    {
        EXPECT_EQ(cs_hart_failed(hart_) != nullptr, traps) << cs_hart_failed(hart_);
        cs_riscv_pmu_destroy(pmu_);
        cs_sbi_pmu_destroy(fw_);
        cs_hart_alone_destroy(alone_);
        cs_timeline_destroy(timeline_);
        cs_stream_pool_destroy(pool_);
    }

    int probe()
    {
        return cs_riscv_pmu_probe(pmu_, hart_);
    }
    // NULL: `error` says why.
    cs_riscv_perf_event *open(const cs_riscv_attr &attr)
    {
        cs_riscv_perf_event *event = nullptr;

        error = cs_riscv_perf_open(pmu_, hart_, &attr, &event);
        EXPECT_EQ(event == nullptr, error != 0);
        return event;
    }
    int add(cs_riscv_perf_event *event, unsigned flags = CS_RISCV_EF_START)
    {
        return cs_riscv_perf_add(pmu_, hart_, event, flags);
    }
    // Opened and added; it runs.
    cs_riscv_perf_event *start(const cs_riscv_attr &attr)
    {
        cs_riscv_perf_event *event = open(attr);

        EXPECT_NE(event, nullptr) << error;
        EXPECT_EQ(add(event), 0);
        return event;
    }
    uint64_t read(cs_riscv_perf_event *event)
    {
        return cs_riscv_perf_read(pmu_, hart_, event);
    }
    void stop(cs_riscv_perf_event *event)
    {
        cs_riscv_perf_stop(pmu_, hart_, event, CS_RISCV_EF_UPDATE);
    }
    void start(cs_riscv_perf_event *event, unsigned flags = CS_RISCV_EF_RELOAD)
    {
        cs_riscv_perf_start(pmu_, hart_, event, flags);
    }
    void del(cs_riscv_perf_event *event)
    {
        cs_riscv_perf_del(pmu_, hart_, event);
    }

    // The workload runs; nothing is served.
    void run(uint64_t cycles)
    {
        cs_hart_return(hart_, CS_HART_WORKLOAD);
        cs_hart_wait(hart_, cs_hart_now(hart_) + cycles - 1, 0);
        cs_hart_trap(hart_, home());
    }
    // The workload runs, with interrupts; true: the last handler found something.
    bool serve(uint64_t cycles)
    {
        const unsigned line = machine_.driver.guest ? CS_HART_LCOFI_VS : CS_HART_LCOFI_S;
        bool handled = false;

        for (size_t rounds = 0; cycles > 0; rounds++) {
            if (rounds > 100000) {
                ADD_FAILURE() << "an interrupt that does not go away: " << log.substr(0, 1000);
                return false;
            }
            cs_hart_return(hart_, CS_HART_WORKLOAD);
            const cs_cycle begin = cs_hart_now(hart_);
            const bool rose = cs_hart_wait(hart_, begin + cycles - 1, line) != 0;
            cycles -= cs_hart_now(hart_) - begin;
            cs_hart_trap(hart_, home());
            if (rose)
                handled = irq();
        }
        return handled;
    }
    // The workload runs, and overflows come as software events.
    void serve_sse(uint64_t cycles)
    {
        const cs_cycle end = cs_hart_now(hart_) + cycles;

        cs_hart_return(hart_, CS_HART_WORKLOAD);
        while (cs_hart_now(hart_) < end)
            if (cs_hart_wait(hart_, end - 1, CS_HART_LCOFI_M) != 0) {
                busy_ = true;
                cs_sbi_pmu_lcofi(fw_, hart_);
                busy_ = false;
            }
        cs_hart_trap(hart_, home());
    }
    cs_sbi_pmu *fw()
    {
        return fw_;
    }
    bool irq()
    {
        return cs_riscv_pmu_irq(pmu_, hart_);
    }
    void tick()
    {
        cs_riscv_pmu_tick(pmu_, hart_);
    }
    void firmware_event(unsigned code, uint64_t count)
    {
        as_firmware([&] { cs_sbi_pmu_firmware_event(fw_, hart_, code, count); });
    }

    // M mode looks.
    uint64_t csr(uint16_t number)
    {
        uint64_t result = 0;

        as_firmware([&] { result = cs_hart_csr_read(hart_, number); });
        return result;
    }
    void csr(uint16_t number, uint64_t written)
    {
        as_firmware([&] { cs_hart_csr_write(hart_, number, written); });
    }
    uint64_t counter(unsigned n)
    {
        const uint64_t low = csr(static_cast<uint16_t>(0xb00 + n));

        return machine_.hpm.xlen == 64 ? low : low | csr(static_cast<uint16_t>(0xb80 + n)) << 32;
    }
    uint64_t selector(unsigned n)
    {
        const uint64_t low = csr(static_cast<uint16_t>(0x320 + n));

        return machine_.hpm.xlen == 64 ? low : low | csr(static_cast<uint16_t>(0x720 + n)) << 32;
    }
    bool runs(unsigned n)
    {
        return (csr(0x320) >> n & 1) == 0;
    }
    uint64_t load(uint64_t address, unsigned bytes = 8)
    {
        uint8_t data[8] = {};
        uint64_t value = 0;

        cs_memory_read(cs_hart_alone_memory(alone_), address, bytes, data);
        for (int i = 7; i >= 0; i--)
            value = value << 8 | data[i];
        return value;
    }
    void store(uint64_t address, uint64_t value)
    {
        uint8_t data[8];

        for (unsigned i = 0; i < 8; i++)
            data[i] = static_cast<uint8_t>(value >> (8 * i));
        EXPECT_EQ(cs_memory_write(cs_hart_alone_memory(alone_), address, 8, data, nullptr), CS_OK);
    }
    std::vector<uint8_t> bytes(uint64_t address, size_t nr)
    {
        std::vector<uint8_t> all(nr);

        cs_memory_read(cs_hart_alone_memory(alone_), address, nr, all.data());
        return all;
    }
    uint64_t slot(unsigned i)
    {
        return load(kPage + 8 + 8 * i);
    }
    void fault(uint64_t address, uint64_t nr = 8)
    {
        cs_hart_alone_fault(alone_, address, nr, CS_BUS_SLVERR);
    }

    const cs_riscv_figures &figures() const
    {
        return *cs_riscv_pmu_figures(pmu_);
    }
    // What was logged since the last time.
    std::string taken()
    {
        std::string text;

        text.swap(log);
        return text;
    }
    size_t calls() const
    {
        return calls_;
    }
    cs_cycle now() const
    {
        return cs_hart_now(hart_);
    }
    cs_hart *hart()
    {
        return hart_;
    }
    cs_riscv_pmu *pmu()
    {
        return pmu_;
    }

    std::string log;
    int error = 0;
    bool traps = false; // a CSR instruction that nobody carries out
    std::vector<Sample> samples;
    std::vector<std::pair<const cs_riscv_perf_event *, bool>> throttles;
    std::vector<uint64_t> losses;
    std::vector<uint8_t> drained;
    // Answers instead of the firmware where it returns true.
    std::function<bool(uint64_t eid, uint64_t fid, const uint64_t args[6], cs_sbi_ret *ret)>
        answers;
    // Changes what the firmware is asked, and what it says.
    std::function<void(uint64_t fid, uint64_t args[6])> before;
    std::function<void(uint64_t fid, cs_sbi_ret *ret)> after;

  private:
    cs_hart_track home() const
    {
        return machine_.driver.guest ? CS_HART_GUEST : CS_HART_KERNEL;
    }
    template <typename F> void as_firmware(F &&f)
    {
        const cs_hart_track track = cs_hart_run(hart_, CS_HART_FIRMWARE);

        busy_ = true;
        f();
        busy_ = false;
        cs_hart_run(hart_, track);
    }
    // What a hypervisor does for its guest.
    void let_guests()
    {
        as_firmware([&] {
            cs_hart_csr_write(hart_, 0x606, 0xffffffff);
            cs_hart_csr_write(hart_, 0x603, 1u << 13);
        });
    }

    static void record(void *ctx, const cs_probe_record *record)
    {
        auto *k = static_cast<Kernel *>(ctx);
        char value[32];

        if (k->busy_ || record->kind != CS_PROBE_REG)
            return;
        if (record->write == 0) {
            k->log += (k->log.empty() ? "" : " ") + csr_text(record->addr);
            return;
        }
        snprintf(value, sizeof value, "=%llx", static_cast<unsigned long long>(record->value));
        k->log += value;
    }

    static cs_sbi_ret call(void *ctx, cs_hart *hart, uint64_t eid, uint64_t fid,
                           const uint64_t args[6])
    {
        auto *k = static_cast<Kernel *>(ctx);
        const cs_sbi fw = cs_sbi_pmu_interface(k->fw_);
        uint64_t changed[6];
        cs_sbi_ret ret;

        k->calls_++;
        k->log += (k->log.empty() ? "" : " ") +
                  call_text(k->machine_.driver.kind == CS_RISCV_V3, eid, fid, args);
        if (k->answers && k->answers(eid, fid, args, &ret))
            return ret;
        std::copy(args, args + 6, changed);
        if (k->before && eid == CS_SBI_EID_PMU)
            k->before(fid, changed);
        k->busy_ = true;
        ret = fw.call(fw.ctx, hart, eid, fid, changed);
        k->busy_ = false;
        if (k->after && eid == CS_SBI_EID_PMU)
            k->after(fid, &ret);
        return ret;
    }

    void create()
    {
        cs_riscv_listener listener = {};
        cs_diag diag = {};

        listener.sample = [](void *ctx, const cs_riscv_sample *sample) {
            static_cast<Kernel *>(ctx)->samples.emplace_back(*sample);
        };
        listener.throttle = [](void *ctx, const cs_riscv_perf_event *event, cs_cycle, bool on) {
            static_cast<Kernel *>(ctx)->throttles.emplace_back(event, on);
        };
        listener.lost = [](void *ctx, uint64_t records) {
            static_cast<Kernel *>(ctx)->losses.push_back(records);
        };
        listener.data = [](void *ctx, const void *bytes, size_t length) {
            auto &all = static_cast<Kernel *>(ctx)->drained;
            const auto *from = static_cast<const uint8_t *>(bytes);
            all.insert(all.end(), from, from + length);
        };
        listener.ctx = this;
        machine_.driver.sbi = {call, this};
        machine_.driver.map = &map_;
        EXPECT_EQ(cs_riscv_pmu_create(&machine_.driver, &listener, &pmu_, &diag), CS_OK)
            << diag.text;
    }

    void make_timeline()
    {
        function_ = {"work",
                     0x10000,
                     4,
                     1,
                     machine_.returns.data(),
                     static_cast<uint32_t>(machine_.returns.size()),
                     0};
        const unsigned modes[] = {machine_.workload, CS_HPM_MODE_S, CS_HPM_MODE_M, CS_HPM_MODE_VS};
        const cs_stream *one = nullptr, *fifteen = nullptr;
        cs_diag diag = {};

        EXPECT_EQ(cs_stream_pool_create(&pool_, &diag), CS_OK);
        EXPECT_EQ(cs_stream_rate(pool_, {1, 1}, 0, &one, &diag), CS_OK) << diag.text;
        EXPECT_EQ(cs_stream_rate(pool_, {15, 1}, 0, &fifteen, &diag), CS_OK) << diag.text;
        for (uint32_t event = 1; event <= 24; event++)
            work_.push_back({event, one});
        work_.push_back({kOne, one});
        work_.push_back({kFifteen, fifteen});
        work_.push_back({kEverywhere, one});
        elsewhere_ = {{kEverywhere, one}};
        segments_[0] = {1u << 20,     static_cast<cs_privilege>(modes[0]),
                        0x101,        0,
                        &function_,   1,
                        work_.data(), work_.size(),
                        false,        0};
        for (unsigned i = 1; i < CS_HART_TRACKS; i++)
            segments_[i] = {1u << 20,
                            static_cast<cs_privilege>(modes[i]),
                            0,
                            0,
                            nullptr,
                            0,
                            elsewhere_.data(),
                            1,
                            false,
                            0};
        for (unsigned i = 0; i < CS_HART_TRACKS; i++)
            tracks_[i] = {"track", &segments_[i], 1};
        const cs_timeline_desc desc = {1, 0, 0, tracks_, CS_HART_TRACKS, nullptr, 0, CS_MODE_EL0};
        EXPECT_EQ(cs_timeline_create(&desc, &timeline_, &diag), CS_OK) << diag.text;
    }

    Machine machine_;
    cs_riscv_pmu_map map_;
    cs_stream_pool *pool_ = nullptr;
    cs_timeline *timeline_ = nullptr;
    std::vector<cs_segment_event> work_, elsewhere_;
    cs_function function_ = {};
    cs_segment segments_[CS_HART_TRACKS] = {};
    cs_track tracks_[CS_HART_TRACKS] = {};
    cs_probe_sink sink_ = {};
    cs_hart_alone *alone_ = nullptr;
    cs_hart *hart_ = nullptr;
    cs_sbi_pmu *fw_ = nullptr;
    cs_riscv_pmu *pmu_ = nullptr;
    size_t calls_ = 0;
    bool busy_ = true;
};

} // namespace cs_test

#endif
