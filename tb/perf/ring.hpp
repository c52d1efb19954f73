// SPDX-License-Identifier: Apache-2.0
// A ring's memory, read as a program reads it.
#ifndef CS_TB_PERF_RING_HPP
#define CS_TB_PERF_RING_HPP

#include <cstdlib>

#include "perf_rig.hpp"

namespace perf_rig
{

struct Record {
    uint32_t type;
    uint16_t misc;
    std::vector<uint64_t> words; // without the header
};

class Ring
{
  public:
    explicit Ring(size_t data_pages) : bytes_((1 + data_pages) * CS_PERF_PAGE_BYTES)
    {
        memory_ = aligned_alloc(CS_PERF_PAGE_BYTES, bytes_);
        memset(memory_, 0, bytes_);
    }
    ~Ring()
    {
        free(memory_);
    }
    Ring(const Ring &) = delete;

    cs_perf_mapped Mapped(bool writable = true) const
    {
        cs_perf_mapped m = {};

        m.memory = memory_;
        m.bytes = bytes_;
        m.shared = true;
        m.writable = writable;
        return m;
    }
    cs_perf_page_abi *page() const
    {
        return static_cast<cs_perf_page_abi *>(memory_);
    }
    uint64_t size() const
    {
        return bytes_ - CS_PERF_PAGE_BYTES;
    }
    // What has come since the last time; frees the room.
    std::vector<Record> Take()
    {
        std::vector<Record> records = Look(tail_, page()->data_head);

        tail_ = page()->data_head;
        page()->data_tail = tail_;
        return records;
    }
    std::vector<Record> Look(uint64_t from, uint64_t to) const
    {
        std::vector<Record> records;

        while (from != to) {
            const uint64_t header = Word(from);
            const uint16_t size = static_cast<uint16_t>(header >> 48);
            Record r = {static_cast<uint32_t>(header), static_cast<uint16_t>(header >> 32), {}};
            if (size < 8 || size % 8 != 0 || size > to - from) {
                ADD_FAILURE() << "a record of " << size << " bytes at " << from;
                return records;
            }
            for (uint64_t at = from + 8; at < from + size; at += 8)
                r.words.push_back(Word(at));
            records.push_back(r);
            from += size;
        }
        return records;
    }

  private:
    uint64_t Word(uint64_t at) const
    {
        uint64_t word;

        memcpy(&word, static_cast<char *>(memory_) + CS_PERF_PAGE_BYTES + at % size(), 8);
        return word;
    }

    size_t bytes_;
    void *memory_;
    uint64_t tail_ = 0;
};

inline std::vector<Record> Of(const std::vector<Record> &records, uint32_t type)
{
    std::vector<Record> out;

    for (const Record &r : records)
        if (r.type == type)
            out.push_back(r);
    return out;
}

// Every so many events, with these words in a sample.
inline cs_perf_attr Sampling(uint64_t config, uint64_t period, uint64_t sample_type)
{
    cs_perf_attr a = Hardware(config);

    a.sample_period = period;
    a.sample_type = sample_type;
    return a;
}

} // namespace perf_rig

#endif
