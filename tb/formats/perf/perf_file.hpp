// SPDX-License-Identifier: Apache-2.0
// Builds perf.data files a byte at a time, in either byte order, as the kernel's and perf's
// documents lay them out; so they owe nothing to what is tested.
#ifndef CS_TB_PERF_FILE_HPP
#define CS_TB_PERF_FILE_HPP

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cs_test
{

using PerfBytes = std::vector<uint8_t>;

// Bytes that numbers are appended to.
struct PerfOut {
    bool big = false;
    PerfBytes bytes;

    PerfOut &put(uint64_t value, unsigned count)
    {
        for (unsigned i = 0; i < count; i++)
            bytes.push_back(static_cast<uint8_t>(value >> 8 * (big ? count - 1 - i : i)));
        return *this;
    }
    PerfOut &u16(uint64_t value)
    {
        return put(value, 2);
    }
    PerfOut &u32(uint64_t value)
    {
        return put(value, 4);
    }
    PerfOut &u64(uint64_t value)
    {
        return put(value, 8);
    }
    PerfOut &raw(const PerfBytes &more)
    {
        bytes.insert(bytes.end(), more.begin(), more.end());
        return *this;
    }
    // With NULs up to a multiple of `align`, one at least.
    PerfOut &name(const std::string &text, size_t align = 8)
    {
        bytes.insert(bytes.end(), text.begin(), text.end());
        do
            bytes.push_back(0);
        while (bytes.size() % align != 0);
        return *this;
    }
    PerfOut &string(const std::string &text)
    {
        const size_t length = (text.size() + 1 + 63) / 64 * 64;

        u32(length);
        bytes.insert(bytes.end(), text.begin(), text.end());
        bytes.insert(bytes.end(), length - text.size(), 0);
        return *this;
    }
    void set(size_t at, uint64_t value, unsigned count)
    {
        PerfOut other{big, {}};

        other.put(value, count);
        std::copy(other.bytes.begin(), other.bytes.end(), bytes.begin() + static_cast<long>(at));
    }
};

struct PerfAttr {
    uint32_t type = 1;
    uint32_t size = 128;
    uint64_t config = 0;
    uint64_t period = 1000;
    uint64_t sample_type = 0;
    uint64_t read_format = 0;
    uint64_t flags = UINT64_C(1) << 18; // sample_id_all; as a little endian machine has them
    uint64_t branch_type = 0;
    uint64_t regs_user = 0;
    uint32_t stack_user = 0;
    uint64_t regs_intr = 0;
    std::vector<uint64_t> ids = {};
    std::string name = {};

    PerfBytes make(bool big) const
    {
        PerfOut out{big, {}};
        uint64_t laid = flags;

        if (big) {
            laid = 0;
            for (unsigned i = 0; i < 64; i++)
                laid |= (flags >> i & 1) << (63 - i);
        }
        out.u32(type).u32(size).u64(config).u64(period).u64(sample_type).u64(read_format);
        out.u64(laid).u32(0).u32(0).u64(0).u64(0).u64(branch_type).u64(regs_user);
        out.u32(stack_user).u32(0).u64(regs_intr).u64(0).u64(0).u64(0);
        out.bytes.resize(size);
        return out.bytes;
    }
};

struct PerfFile {
    bool big = false;
    std::vector<PerfAttr> attrs;
    PerfBytes records;
    std::map<unsigned, PerfBytes> features;

    PerfOut out() const
    {
        return PerfOut{big, {}};
    }
    // A record around its payload.
    PerfFile &add(uint32_t type, uint16_t misc, const PerfBytes &payload)
    {
        PerfOut record = out();

        record.u32(type).u16(misc).u16(8 + payload.size()).raw(payload);
        records.insert(records.end(), record.bytes.begin(), record.bytes.end());
        return *this;
    }
    PerfFile &event_desc()
    {
        PerfOut desc = out();

        desc.u32(attrs.size()).u32(attrs.at(0).size);
        for (const PerfAttr &attr : attrs) {
            desc.raw(attr.make(big)).u32(attr.ids.size()).string(attr.name);
            for (uint64_t id : attr.ids)
                desc.u64(id);
        }
        features[12] = desc.bytes;
        return *this;
    }
    PerfFile &text(unsigned feature, const std::string &value)
    {
        features[feature] = out().string(value).bytes;
        return *this;
    }

    PerfBytes make() const
    {
        PerfOut file = out();
        const size_t each = attrs.empty() ? 144 : attrs[0].size + 16u;
        uint64_t bits = 0, ids = 104;

        for (const auto &feature : features)
            bits |= UINT64_C(1) << feature.first;
        size_t nr_ids = 0;
        for (const PerfAttr &attr : attrs)
            nr_ids += attr.ids.size();
        const uint64_t attrs_at = 104 + 8 * nr_ids;
        const uint64_t data_at = attrs_at + each * attrs.size();
        file.u64(UINT64_C(0x32454c4946524550)).u64(104).u64(each);
        file.u64(attrs_at).u64(each * attrs.size()).u64(data_at).u64(records.size());
        file.u64(0).u64(0).u64(bits).u64(0).u64(0).u64(0);
        for (const PerfAttr &attr : attrs)
            for (uint64_t id : attr.ids)
                file.u64(id);
        for (const PerfAttr &attr : attrs) {
            file.raw(attr.make(big)).u64(ids).u64(8 * attr.ids.size());
            ids += 8 * attr.ids.size();
        }
        file.raw(records);
        uint64_t at = file.bytes.size() + 16 * features.size();
        for (const auto &feature : features) {
            file.u64(at).u64(feature.second.size());
            at += feature.second.size();
        }
        for (const auto &feature : features)
            file.raw(feature.second);
        return file.bytes;
    }

    // The same as perf writes it into a pipe.
    PerfBytes make_pipe() const
    {
        PerfFile pipe = *this;
        PerfOut file = out();

        pipe.records.clear();
        for (const PerfAttr &attr : attrs) {
            PerfOut payload = out();

            payload.raw(attr.make(big));
            for (uint64_t id : attr.ids)
                payload.u64(id);
            pipe.add(64, 0, payload.bytes);
        }
        for (const auto &feature : features)
            pipe.add(80, 0, out().u64(feature.first).raw(feature.second).bytes);
        file.u64(UINT64_C(0x32454c4946524550)).u64(16).raw(pipe.records).raw(records);
        return file.bytes;
    }
};

} // namespace cs_test

#endif
