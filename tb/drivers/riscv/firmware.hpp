// SPDX-License-Identifier: Apache-2.0
// Firmware on a hart that stands alone. A call tells its answer, the CSR accesses in their order as
// text, and how many transfers it made; that it took exactly their time is checked in each call.
#ifndef CS_TB_DRIVERS_RISCV_FIRMWARE_HPP
#define CS_TB_DRIVERS_RISCV_FIRMWARE_HPP

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <countersink/base/stream/stream.h>
#include <countersink/drivers/hpm/hart_alone.h>
#include <countersink/drivers/hpm/sbi/sbi_pmu.h>

namespace cs_test
{

constexpr int64_t kSuccess = CS_SBI_SUCCESS, kFailed = CS_SBI_ERR_FAILED,
                  kNotSupported = CS_SBI_ERR_NOT_SUPPORTED,
                  kInvalidParam = CS_SBI_ERR_INVALID_PARAM,
                  kInvalidAddress = CS_SBI_ERR_INVALID_ADDRESS,
                  kAlreadyStarted = CS_SBI_ERR_ALREADY_STARTED,
                  kAlreadyStopped = CS_SBI_ERR_ALREADY_STOPPED, kNoShmem = CS_SBI_ERR_NO_SHMEM;

enum : uint64_t {
    kNumCounters = CS_SBI_PMU_NUM_COUNTERS,
    kGetInfo = CS_SBI_PMU_COUNTER_GET_INFO,
    kConfig = CS_SBI_PMU_COUNTER_CONFIG_MATCHING,
    kStart = CS_SBI_PMU_COUNTER_START,
    kStop = CS_SBI_PMU_COUNTER_STOP,
    kFwRead = CS_SBI_PMU_COUNTER_FW_READ,
    kFwReadHi = CS_SBI_PMU_COUNTER_FW_READ_HI,
    kSetShmem = CS_SBI_PMU_SNAPSHOT_SET_SHMEM,
    kEventInfo = CS_SBI_PMU_EVENT_GET_INFO
};

enum : uint64_t {
    kSkip = CS_SBI_CFG_SKIP_MATCH,
    kClear = CS_SBI_CFG_CLEAR_VALUE,
    kAuto = CS_SBI_CFG_AUTO_START,
    kVuinh = CS_SBI_CFG_SET_VUINH,
    kVsinh = CS_SBI_CFG_SET_VSINH,
    kUinh = CS_SBI_CFG_SET_UINH,
    kSinh = CS_SBI_CFG_SET_SINH,
    kMinh = CS_SBI_CFG_SET_MINH,
    kInitValue = CS_SBI_START_SET_INIT_VALUE,
    kInitSnapshot = CS_SBI_START_INIT_SNAPSHOT,
    kReset = CS_SBI_STOP_RESET,
    kTake = CS_SBI_STOP_TAKE_SNAPSHOT
};

constexpr uint64_t kOf = UINT64_C(1) << 63, kLcofi = 1u << 13;
constexpr uint64_t kOnes = UINT64_MAX;
constexpr uint64_t kMemory = 0x80000000, kMemoryBytes = 0x100000;

// Event 0x40 counts one in each cycle of any mode, as cycles and instructions do.
constexpr uint64_t kRaw = 0x20000, kRawV2 = 0x30000, kFw = 0xf0000, kPlatform = 0xfffff;

// No two are alike, and none is a sum of others.
constexpr cs_hart_costs kCosts = {3, 7, 5, 0, 2};
constexpr unsigned kCallCycles = 11, kMemoryCycles = 997;
constexpr unsigned kTransfer = 2 + 997 + 1;

struct Options {
    cs_hpm_config hpm = cs_hpm_default_config();
    cs_sbi_pmu_config fw = cs_sbi_pmu_defaults();
    cs_hart_costs costs = kCosts;
    bool boots = true;
    bool counts = true; // events 1, 2 and 0x40 happen
};

// Firmware and hardware agree on what there is.
inline Options options(unsigned xlen = 64, uint64_t deviations = 0)
{
    Options s;

    s.hpm.xlen = xlen;
    s.fw.deviations = deviations;
    s.fw.call_cycles = kCallCycles;
    s.fw.memory_base = kMemory;
    s.fw.memory_size = kMemoryBytes;
    return s;
}

// Only mhpmcounters 3..n.
inline Options small(uint32_t counters, unsigned xlen = 64, uint64_t deviations = 0)
{
    Options s = options(xlen, deviations);

    s.hpm.counters = counters;
    return s;
}

inline Options without_of(Options s)
{
    s.hpm.sscofpmf = s.fw.sscofpmf = false;
    return s;
}

inline Options without_cf(Options s)
{
    s.hpm.smcntrpmf = s.fw.smcntrpmf = false;
    return s;
}

// "I", "E3", "C3h", "cyclecfg".
inline std::string csr_name(uint64_t csr)
{
    static const struct {
        uint64_t csr;
        const char *name;
    } names[] = {
        {0x106, "scounteren"},  {0x303, "mideleg"},   {0x306, "mcounteren"}, {0x30a, "menvcfg"},
        {0x31a, "menvcfgh"},    {0x304, "mie"},       {0x320, "I"},          {0x321, "cyclecfg"},
        {0x322, "instretcfg"},  {0x344, "mip"},       {0x603, "hideleg"},    {0x721, "cyclecfgh"},
        {0x722, "instretcfgh"}, {0xda0, "scountovf"},
    };

    for (const auto &one : names)
        if (one.csr == csr)
            return one.name;
    const std::string n = std::to_string(csr % 32);
    switch (csr & ~UINT64_C(31)) {
    case 0x320:
        return "E" + n;
    case 0x720:
        return "E" + n + "h";
    case 0xb00:
        return "C" + n;
    case 0xb80:
        return "C" + n + "h";
    default:
        return "csr" + std::to_string(csr);
    }
}

class Machine
{
  public:
    explicit Machine(const Options &s = options()) : options_(s)
    {
        cs_hart_alone_config config = {};
        cs_diag diag = {};

        make_timeline();
        sink_.record = [](void *ctx, const cs_probe_record *record) {
            static_cast<Machine *>(ctx)->records_.push_back(*record);
        };
        sink_.ctx = this;
        config.hart.xlen = s.hpm.xlen;
        config.hart.costs = s.costs;
        config.hart.time_mhz = config.hart.clock_mhz = 1;
        config.hpm = s.hpm;
        config.timeline = timeline_;
        config.probe = &sink_;
        config.memory_cycles = kMemoryCycles;
        EXPECT_EQ(cs_hart_alone_create(&config, &alone_, &diag), CS_OK) << diag.text;
        hart_ = cs_hart_alone_hart(alone_);
        EXPECT_EQ(cs_sbi_pmu_create(&s.fw, &fw_, &diag), CS_OK) << diag.text;
        cs_hart_run(hart_, CS_HART_KERNEL);
        if (s.boots)
            boot();
    }
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;
    ~Machine()
    {
        EXPECT_EQ(cs_hart_failed(hart_), nullptr) << cs_hart_failed(hart_);
        cs_sbi_pmu_destroy(fw_);
        cs_hart_alone_destroy(alone_);
        cs_timeline_destroy(timeline_);
        cs_stream_pool_destroy(pool_);
    }

    void boot()
    {
        const cs_hart_track before = cs_hart_running(hart_);

        begin();
        cs_sbi_pmu_boot(fw_, hart_);
        EXPECT_EQ(cs_hart_running(hart_), before);
        end(0);
        EXPECT_EQ(transfers, options_.fw.nr_units);
    }

    // With `eid`, from the track that runs.
    cs_sbi_ret ecall(uint64_t eid, uint64_t fid, std::array<uint64_t, 6> args = {})
    {
        const cs_sbi sbi = cs_sbi_pmu_interface(fw_);
        const cs_hart_track before = cs_hart_running(hart_);

        begin();
        const cs_sbi_ret ret = sbi.call(sbi.ctx, hart_, eid, fid, args.data());
        EXPECT_EQ(cs_hart_running(hart_), before);
        end(options_.costs.trap_cycles + options_.fw.call_cycles + options_.costs.return_cycles);
        value = ret.value;
        return ret;
    }
    // The error; `value` beside it.
    int64_t call(uint64_t fid, std::array<uint64_t, 6> args = {})
    {
        return ecall(CS_SBI_EID_PMU, fid, args).error;
    }
    int64_t config(uint64_t base, uint64_t mask, uint64_t flags, uint64_t event, uint64_t data = 0)
    {
        return call(kConfig, {base, mask, flags, event, data, xlen() == 32 ? data >> 32 : 0});
    }
    int64_t start(uint64_t base, uint64_t mask, uint64_t flags = 0, uint64_t first = 0)
    {
        return call(kStart, {base, mask, flags, first, xlen() == 32 ? first >> 32 : 0});
    }
    int64_t stop(uint64_t base, uint64_t mask, uint64_t flags = 0)
    {
        return call(kStop, {base, mask, flags});
    }
    uint64_t fw_read(uint64_t index)
    {
        EXPECT_EQ(call(kFwRead, {index}), kSuccess);
        return value;
    }
    void set_page(uint64_t page = kMemory)
    {
        EXPECT_EQ(call(kSetShmem, {page}), kSuccess);
    }
    void event(unsigned code, uint64_t count = 1)
    {
        as_firmware([&] { cs_sbi_pmu_firmware_event(fw_, hart_, code, count); });
    }
    void platform(uint64_t encoding, uint64_t count = 1)
    {
        as_firmware([&] { cs_sbi_pmu_platform_event(fw_, hart_, encoding, count); });
    }

    // M mode looks, in one access and its time.
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
    uint64_t inhibit()
    {
        return csr(0x320);
    }
    bool runs(unsigned n)
    {
        return (inhibit() >> n & 1) == 0;
    }
    // A counter that stands (or moves a little in between).
    uint64_t counter(unsigned n)
    {
        const uint64_t low = csr(static_cast<uint16_t>(0xb00 + n));

        return xlen() == 64 ? low : low | csr(static_cast<uint16_t>(0xb80 + n)) << 32;
    }
    uint64_t selector(unsigned n)
    {
        const uint64_t low = csr(static_cast<uint16_t>(0x320 + n));

        return xlen() == 64 || !options_.hpm.sscofpmf
                   ? low
                   : low | csr(static_cast<uint16_t>(0x720 + n)) << 32;
    }
    void set_counter(unsigned n, uint64_t written)
    {
        csr(static_cast<uint16_t>(0xb00 + n), written);
    }
    void work(uint64_t cycles)
    {
        cs_hart_work(hart_, cycles);
    }

    uint64_t load(uint64_t address)
    {
        uint8_t bytes[8];
        uint64_t result = 0;

        cs_memory_read(cs_hart_alone_memory(alone_), address, 8, bytes);
        for (int i = 7; i >= 0; i--)
            result = result << 8 | bytes[i];
        return result;
    }
    void store(uint64_t address, uint64_t stored)
    {
        uint8_t bytes[8];

        for (unsigned i = 0; i < 8; i++)
            bytes[i] = static_cast<uint8_t>(stored >> (8 * i));
        EXPECT_EQ(cs_memory_write(cs_hart_alone_memory(alone_), address, 8, bytes, nullptr), CS_OK);
    }
    void fault(uint64_t address, uint64_t bytes = 8)
    {
        cs_hart_alone_fault(alone_, address, bytes, CS_BUS_SLVERR);
    }
    uint64_t slot(unsigned i, uint64_t page = kMemory)
    {
        return load(page + CS_SBI_SNAPSHOT_VALUES + 8 * i);
    }
    void set_slot(unsigned i, uint64_t stored, uint64_t page = kMemory)
    {
        store(page + CS_SBI_SNAPSHOT_VALUES + 8 * i, stored);
    }

    unsigned xlen() const
    {
        return options_.hpm.xlen;
    }
    cs_hart *hart()
    {
        return hart_;
    }
    cs_sbi_pmu *fw()
    {
        return fw_;
    }

    // Of the last call, boot or event.
    uint64_t value = 0;
    std::string log;
    std::vector<cs_cycle> when; // of each access, from the call on
    uint64_t transfers = 0;
    cs_cycle elapsed = 0;

  private:
    template <typename F> void as_firmware(F &&f)
    {
        const cs_hart_track before = cs_hart_run(hart_, CS_HART_FIRMWARE);

        begin();
        f();
        end(0);
        cs_hart_run(hart_, before);
    }

    void begin()
    {
        records_.clear();
        begun_ = cs_hart_now(hart_);
    }
    void end(uint64_t fixed)
    {
        size_t accesses = 0;

        log.clear();
        when.clear();
        for (size_t i = 0; i < records_.size(); i++) {
            const cs_probe_record &r = records_[i];
            char written[32] = "";

            if (r.kind != CS_PROBE_REG || r.write != 0)
                continue;
            accesses++;
            EXPECT_EQ(r.resp, 0) << csr_name(r.addr);
            if (i + 1 < records_.size() && records_[i + 1].kind == CS_PROBE_REG &&
                records_[i + 1].write != 0)
                snprintf(written, sizeof written, "=%llx",
                         static_cast<unsigned long long>(records_[i + 1].value));
            log += (log.empty() ? "" : " ") + csr_name(r.addr) + written;
            when.push_back(r.cycle - begun_);
        }
        elapsed = cs_hart_now(hart_) - begun_;
        const uint64_t known = fixed + accesses * options_.costs.csr_cycles;
        EXPECT_GE(elapsed, known);
        const unsigned transfer = options_.costs.access_cycles + kMemoryCycles + 1;
        EXPECT_EQ((elapsed - known) % transfer, 0u) << log;
        transfers = (elapsed - known) / transfer;
    }

    void make_timeline()
    {
        // Numbers: to C++ the enum ends at 3.
        static const unsigned modes[] = {CS_MODE_U, CS_MODE_S, CS_MODE_M, CS_MODE_VS};
        const cs_stream *one = nullptr;
        cs_diag diag = {};

        EXPECT_EQ(cs_stream_pool_create(&pool_, &diag), CS_OK);
        EXPECT_EQ(cs_stream_rate(pool_, {1, 1}, 0, &one, &diag), CS_OK) << diag.text;
        if (options_.counts)
            events_ = {{1, one}, {2, one}, {0x40, one}};
        for (unsigned i = 0; i < CS_HART_TRACKS; i++) {
            segments_[i] = {};
            segments_[i].length_cycles = 1000;
            segments_[i].mode = static_cast<cs_privilege>(modes[i]);
            segments_[i].events = events_.data();
            segments_[i].nr_events = events_.size();
            tracks_[i] = {"track", &segments_[i], 1};
        }
        const cs_timeline_desc desc = {1, 0, 0, tracks_, CS_HART_TRACKS, nullptr, 0, CS_MODE_EL0};
        EXPECT_EQ(cs_timeline_create(&desc, &timeline_, &diag), CS_OK) << diag.text;
    }

    Options options_;
    cs_stream_pool *pool_ = nullptr;
    cs_timeline *timeline_ = nullptr;
    std::vector<cs_segment_event> events_;
    cs_segment segments_[CS_HART_TRACKS] = {};
    cs_track tracks_[CS_HART_TRACKS] = {};
    cs_probe_sink sink_ = {};
    cs_hart_alone *alone_ = nullptr;
    cs_hart *hart_ = nullptr;
    cs_sbi_pmu *fw_ = nullptr;
    std::vector<cs_probe_record> records_;
    cs_cycle begun_ = 0;
};

} // namespace cs_test

#endif
