// SPDX-License-Identifier: Apache-2.0
// The C model and its records.
#pragma once

#include <vector>

#include "program.hpp"

class ModelSide
{
  public:
    std::vector<cs_probe_record> records;

    ModelSide(const cs_uncore_config &config, Increments &increments)
    {
        const cs_event_source source = increments.source();
        sink_.record = [](void *ctx, const cs_probe_record *record) {
            static_cast<ModelSide *>(ctx)->records.push_back(*record);
        };
        sink_.ctx = this;
        const cs_uncore_env env = {source, &sink_, increments.tagged()};
        cs_uncore_create(&config, &env, &uncore_, nullptr);
    }
    ModelSide(const ModelSide &) = delete;
    ModelSide &operator=(const ModelSide &) = delete;
    ~ModelSide()
    {
        cs_uncore_destroy(uncore_);
    }

    cs_uncore *get()
    {
        return uncore_;
    }

  private:
    cs_uncore *uncore_ = nullptr;
    cs_probe_sink sink_ = {};
};
