// SPDX-License-Identifier: Apache-2.0
// What the tests of base share.
#ifndef CS_TB_BASE_SUPPORT_HPP
#define CS_TB_BASE_SUPPORT_HPP

#include <cstdint>
#include <memory>
#include <string>

#include <countersink/base/diag.h>
#include <countersink/base/stream/stream.h>

// A fixed sequence of numbers that owes nothing to the code under test.
class Numbers
{
  public:
    explicit Numbers(uint64_t seed) : state_(seed * 2862933555777941757u + 3037000493u) {}

    uint64_t next()
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_;
    }

    uint64_t below(uint64_t n)
    {
        return next() % n;
    }

    // All magnitudes up to 2^max_log2 are equally likely.
    uint64_t of_any_size(unsigned max_log2)
    {
        return next() >> (63 - below(max_log2));
    }

  private:
    uint64_t state_;
};

class Pool
{
  public:
    Pool()
    {
        cs_stream_pool_create(&pool_, nullptr);
    }
    ~Pool()
    {
        cs_stream_pool_destroy(pool_);
    }
    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;
    operator cs_stream_pool *() const
    {
        return pool_;
    }

    const cs_stream *rate(uint64_t p, uint64_t q, uint64_t phase = 0)
    {
        const cs_stream *out = nullptr;
        cs_stream_rate(pool_, {p, q}, phase, &out, nullptr);
        return out;
    }

    const cs_stream *random(uint64_t p, uint64_t q, const char *name, unsigned max = 15)
    {
        const cs_stream *out = nullptr;
        cs_stream_random(pool_, {p, q}, max, cs_stream_key(1, 0, name), &out, nullptr);
        return out;
    }

  private:
    cs_stream_pool *pool_ = nullptr;
};

inline std::string printed(const cs_diag &diag)
{
    char buffer[1024];
    return cs_diag_print(&diag, buffer, sizeof buffer);
}

#endif
