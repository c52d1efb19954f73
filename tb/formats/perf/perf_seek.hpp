// SPDX-License-Identifier: Apache-2.0
// Gives bytes in memory to the reader of perf.data.
#ifndef CS_TB_PERF_SEEK_HPP
#define CS_TB_PERF_SEEK_HPP

#include <algorithm>
#include <cstring>

#include "formats/perf/read/data.h"
#include "perf_file.hpp"

namespace cs_test
{

// A file in memory for cs_perfread_open.
struct PerfSeek {
    PerfBytes bytes;
    size_t at_once = SIZE_MAX; // no more is given at once

    cs_seek_source source()
    {
        return {read_at, this, bytes.size()};
    }
    static cs_status read_at(void *ctx, uint64_t offset, uint8_t *out, size_t bytes, size_t *got,
                             cs_diag *)
    {
        auto *file = static_cast<PerfSeek *>(ctx);

        *got = 0;
        if (offset >= file->bytes.size())
            return CS_OK;
        *got = std::min({bytes, file->bytes.size() - static_cast<size_t>(offset), file->at_once});
        std::memcpy(out, file->bytes.data() + offset, *got);
        return CS_OK;
    }
};

} // namespace cs_test

#endif
