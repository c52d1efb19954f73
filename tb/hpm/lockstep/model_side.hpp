// SPDX-License-Identifier: Apache-2.0
// The C model, with its records.
#pragma once

#include <vector>

#include "../model/random_program.hpp"

class ModelSide
{
  public:
    std::vector<cs_probe_record> records;

    ModelSide(const cs_hpm_config &config, TableHart &hart)
    {
        const cs_event_source source = hart.source();
        sink_.record = [](void *ctx, const cs_probe_record *record) {
            static_cast<ModelSide *>(ctx)->records.push_back(*record);
        };
        sink_.ctx = this;
        const cs_hpm_env env = {source, &sink_};
        cs_hpm_create(&config, &env, &hpm_, nullptr);
    }
    ModelSide(const ModelSide &) = delete;
    ModelSide &operator=(const ModelSide &) = delete;
    ~ModelSide()
    {
        cs_hpm_destroy(hpm_);
    }

    bool is_made() const
    {
        return hpm_ != nullptr;
    }
    cs_hpm *get()
    {
        return hpm_;
    }

    cs_hpm_result access(const Pins &p)
    {
        const cs_hpm_access a = access_of(p);
        return cs_hpm_access_csr(hpm_, p.t, &a);
    }

    // What it would answer in the model's cycle.
    cs_hpm_result ask(const Pins &p)
    {
        const cs_hpm_access a = access_of(p);
        return cs_hpm_ask(hpm_, &a);
    }

  private:
    static cs_hpm_access access_of(const Pins &p)
    {
        return {static_cast<uint16_t>(p.csr),
                static_cast<uint8_t>(p.op),
                static_cast<uint8_t>(p.mode),
                p.operand,
                p.time,
                p.stateen_m,
                p.stateen_h};
    }

    cs_hpm *hpm_ = nullptr;
    cs_probe_sink sink_ = {};
};
