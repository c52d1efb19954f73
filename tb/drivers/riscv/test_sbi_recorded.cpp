// SPDX-License-Identifier: Apache-2.0
// The firmware's groups against what the releases themselves have answered: recorded/*.txt. Those called
// guest_* are of the binaries, in a guest (tb/guest/boot_sbi.py writes them). All
// numbers are hexadecimal, but for widths and errors.
//
//   program COUNTERS WIDTH OF CF     a hart; the lines up to "boot" are its map
//   range FIRST LAST COUNTERS, select EVENT VALUE, raw MATCH MASK COUNTERS
//   answers                          of this program no CSRs were recorded, but only answers
//   boot CSR=VALUE...                all that is not zero after it
//   poke N VALUE PENDING CODE        counter N gets OF and VALUE, LCOFIP is PENDING, and the firmware
//                                    event CODE happens
//   entry EVENT DATA                 one more for the EVENT_GET_INFO that follows
//   call FID ARGUMENT... -> ERROR [VALUE] [OUTPUT...] ; CSR=VALUE...    what it has changed
//
// Nothing counts by itself on this hart.
#include <fstream>
#include <map>
#include <sstream>

#include "firmware.hpp"
#include <countersink/scenario/hpm/sbi_deviation.h>

using namespace cs_test;

namespace
{

constexpr uint64_t kShared = 0x40000000, kSharedBytes = 0x10000;

class Replay
{
  public:
    Replay(cs_sbi_group group, unsigned xlen) : group_(group), xlen_(xlen) {}

    void line(const std::string &text)
    {
        std::istringstream in(text);
        std::string what;

        in >> std::hex >> what;
        if (what == "program")
            program(in);
        else if (what == "range")
            in >> map_.ranges[map_.nr_ranges].first >> map_.ranges[map_.nr_ranges].last >>
                map_.ranges[map_.nr_ranges].counters,
                map_.nr_ranges++;
        else if (what == "select")
            in >> map_.selects[map_.nr_selects].event_idx >> map_.selects[map_.nr_selects].value,
                map_.nr_selects++;
        else if (what == "raw")
            in >> map_.raws[map_.nr_raws].match >> map_.raws[map_.nr_raws].mask >>
                map_.raws[map_.nr_raws].counters,
                map_.nr_raws++;
        else if (what == "answers")
            looks_ = false;
        else if (what == "boot")
            boot(in);
        else if (what == "poke")
            poke(in);
        else if (what == "entry")
            entry(in);
        else if (what == "call")
            call(in);
        else
            FAIL() << "no such line";
    }

    unsigned calls = 0;

  private:
    void program(std::istringstream &in)
    {
        unsigned counters, width, of, cf;

        in >> counters >> std::dec >> width >> of >> cf;
        options_ = options(xlen_, cs_sbi_group_mask(group_));
        options_.hpm.counters = counters;
        for (unsigned n = 3; n < 32; n++)
            if ((counters >> n & 1) != 0)
                options_.hpm.width[n] = static_cast<uint8_t>(width);
        options_.hpm.sscofpmf = options_.fw.sscofpmf = of != 0;
        options_.hpm.smcntrpmf = options_.fw.smcntrpmf = cf != 0;
        options_.fw.version = cs_sbi_group_version(group_);
        options_.fw.memory_base = kShared;
        options_.fw.memory_size = kSharedBytes;
        options_.fw.map = &map_;
        options_.counts = false;
        map_ = {};
        looks_ = true;
        entries_.clear();
    }

    void boot(std::istringstream &in)
    {
        machine_ = std::make_unique<Machine>(options_);
        was_.clear();
        for (uint16_t csr : registers())
            was_[csr] = 0;
        expect_changes(in);
    }

    void poke(std::istringstream &in)
    {
        unsigned n, code;
        uint64_t value, pending;

        in >> n >> value >> pending >> code;
        if (n != 0) {
            const auto of = static_cast<uint16_t>((xlen_ == 64 ? 0x320 : 0x720) + n);

            if (xlen_ == 64 || options_.hpm.sscofpmf)
                machine_->csr(of, machine_->csr(of) | kOf >> (64 - xlen_));
            machine_->set_counter(n, value);
        }
        machine_->csr(0x344, pending);
        machine_->event(code);
        expect_changes(in);
    }

    void entry(std::istringstream &in)
    {
        uint64_t event_idx, data;

        in >> event_idx >> data;
        entries_.push_back({UINT64_C(0x5555) << 32 | event_idx, data});
    }

    bool is_shared(uint64_t address) const
    {
        return address >= kShared && address + 16 <= kShared + kSharedBytes;
    }

    void call(std::istringstream &in)
    {
        std::array<uint64_t, 6> args = {};
        std::string word;
        uint64_t fid, expected;
        int64_t error;

        in >> fid >> word;
        for (size_t i = 0; word != "->"; in >> word)
            args.at(i++) = std::stoull(word, nullptr, 16);
        for (size_t i = 0; i < entries_.size(); i++)
            if (is_shared(args[0] + 16 * i)) {
                machine_->store(args[0] + 16 * i, entries_[i].first);
                machine_->store(args[0] + 16 * i + 8, entries_[i].second);
            }
        in >> std::dec >> error >> std::hex;
        EXPECT_EQ(machine_->call(fid, args), error);
        if (error == 0) {
            in >> expected;
            EXPECT_EQ(machine_->value, expected);
        }
        for (size_t i = 0; i < entries_.size(); i++) {
            in >> expected;
            if (is_shared(args[0] + 16 * i)) {
                EXPECT_EQ(machine_->load(args[0] + 16 * i) >> 32, expected) << "entry " << i;
            }
        }
        in >> word;
        EXPECT_EQ(word, ";");
        entries_.clear();
        expect_changes(in);
        calls++;
    }

    std::vector<uint16_t> registers() const
    {
        const bool high = xlen_ == 32, of = options_.hpm.sscofpmf, cf = options_.hpm.smcntrpmf;
        std::vector<uint16_t> list = {0x106, 0x303, 0x306, 0x320, 0x344};
        const auto add = [&list](bool there, unsigned csr) {
            if (there)
                list.push_back(static_cast<uint16_t>(csr));
        };

        add(of, 0xda0);
        for (unsigned n : {1, 2}) {
            add(cf, 0x320 + n);
            add(cf && high, 0x720 + n);
        }
        for (unsigned n = 3; n < 32; n++) {
            add(true, 0x320 + n);
            add(of && high, 0x720 + n);
            add(true, 0xb00 + n);
            add(high, 0xb80 + n);
        }
        return list;
    }

    // What the line names has changed, all else has not.
    void expect_changes(std::istringstream &in)
    {
        std::string word;

        if (!looks_)
            return;
        while (in >> word) {
            const size_t equals = word.find('=');
            const auto csr = static_cast<uint16_t>(std::stoul(word.substr(0, equals), nullptr, 16));

            if (was_.count(csr) != 0)
                was_[csr] = std::stoull(word.substr(equals + 1), nullptr, 16);
        }
        for (const auto &[csr, expected] : was_)
            EXPECT_EQ(machine_->csr(csr), expected) << csr_name(csr);
    }

    cs_sbi_group group_;
    unsigned xlen_;
    bool looks_ = true; // at CSRs
    cs_riscv_pmu_map map_ = {};
    Options options_;
    std::unique_ptr<Machine> machine_;
    std::map<uint16_t, uint64_t> was_;
    std::vector<std::pair<uint64_t, uint64_t>> entries_;
};

struct Recorded {
    const char *name;
    cs_sbi_group group;
    unsigned xlen;
};

class SbiRecorded : public testing::TestWithParam<Recorded>
{
};

} // namespace

TEST_P(SbiRecorded, TheReleaseAnswersSo)
{
    const std::string path =
        std::string(CS_SOURCE_DIR) + "/tb/drivers/riscv/recorded/" + GetParam().name + ".txt";
    std::ifstream file(path);
    Replay replay(GetParam().group, GetParam().xlen);
    std::string text;

    ASSERT_TRUE(file.is_open()) << path;
    for (unsigned line = 1; std::getline(file, text) && !HasFailure(); line++) {
        SCOPED_TRACE(path + ":" + std::to_string(line) + ": " + text);

        if (text[0] != '#')
            replay.line(text);
    }
    EXPECT_GE(replay.calls, 500u);
}

INSTANTIATE_TEST_SUITE_P(, SbiRecorded,
                         testing::Values(Recorded{"opensbi_1_1_rv64", CS_SBI_OPENSBI_1_1, 64},
                                         Recorded{"opensbi_1_1_rv32", CS_SBI_OPENSBI_1_1, 32},
                                         Recorded{"opensbi_1_6_rv64", CS_SBI_OPENSBI_1_6, 64},
                                         Recorded{"opensbi_1_6_rv32", CS_SBI_OPENSBI_1_6, 32},
                                         Recorded{"opensbi_1_9_rv64", CS_SBI_OPENSBI_1_9, 64},
                                         Recorded{"opensbi_1_9_rv32", CS_SBI_OPENSBI_1_9, 32},
                                         Recorded{"guest_opensbi_1_1", CS_SBI_OPENSBI_1_1, 64},
                                         Recorded{"guest_opensbi_1_6", CS_SBI_OPENSBI_1_6, 64},
                                         Recorded{"guest_opensbi_1_9", CS_SBI_OPENSBI_1_9, 64}),
                         [](const auto &row) { return std::string(row.param.name); });
