// SPDX-License-Identifier: Apache-2.0
// Every reader, with each allocation failing in turn: an error that is told, or all rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "formats/common/elf_program.h"
#include "formats/common/json_read.h"
#include "formats/golden_traces.hpp"
#include "formats/imc/catalog/device_tree.h"
#include "formats/imc/imc_tree.hpp"
#include "formats/perf/perf_seek.hpp"
#include "formats/perfetto/read/proto.h"
#include "formats/perfetto/write/proto.h"
#include "formats/starving.hpp"
#include "support/proto.hpp"
#include <countersink/formats/riscv/read/pmu_map.h>

// Sanitizers have an allocator of their own.
#ifndef __SANITIZE_ADDRESS__

unsigned long starving::fails = 0, starving::allocations = 0;

using namespace starving;

namespace
{

bool is_refused()
{
    if (fails == 0 || ++allocations != fails)
        return false;
    errno = ENOMEM;
    return true;
}

} // namespace

extern "C" {
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t number, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

void *malloc(size_t bytes) noexcept
{
    return is_refused() ? nullptr : __libc_malloc(bytes);
}

void *calloc(size_t number, size_t bytes) noexcept
{
    return is_refused() ? nullptr : __libc_calloc(number, bytes);
}

void *realloc(void *old, size_t bytes) noexcept
{
    return is_refused() ? nullptr : __libc_realloc(old, bytes);
}
}

namespace
{

using namespace cs_test;
using namespace golden_traces;

struct Outcome {
    cs_status status;
    std::string text, error;
};

// The test's own memory is not counted.
cs_status collect(void *ctx, const char *text, size_t bytes)
{
    const unsigned long kept = fails;

    fails = 0;
    static_cast<std::string *>(ctx)->append(text, bytes);
    fails = kept;
    return CS_OK;
}

Outcome decode(const Trace &trace, unsigned long at)
{
    Outcome outcome = {CS_OK, "", ""};
    const cs_text_sink sink = {collect, &outcome.text};
    cs_diag diag = {};

    allocations = 0;
    outcome.status =
        print(trace, CS_TABLE_CSV, sink, &diag, [at](bool on) { fails = on ? at : 0; });
    outcome.error = diag.text;
    return outcome;
}

TEST(NoMemory, IsToldByEveryReader)
{
    for (const Trace &trace : kTraces) {
        const Outcome whole = decode(trace, kNever);
        const unsigned long most = allocations;
        SCOPED_TRACE(trace.file);

        ASSERT_EQ(whole.status, CS_OK) << whole.error;
        ASSERT_FALSE(whole.text.empty());
        for (unsigned long at = 1; at <= most; at += at < 40 ? 1 : 1 + most / 60) {
            const Outcome outcome = decode(trace, at);

            if (outcome.status == CS_OK) {
                EXPECT_EQ(outcome.text, whole.text) << "allocation " << at;
            } else {
                EXPECT_NE(outcome.error, "") << "allocation " << at;
                EXPECT_EQ(whole.text.find(outcome.text), 0u) << "allocation " << at;
            }
        }
    }
}

// Labels, too: none is left out in silence.
TEST(NoMemory, IsToldOfPrograms)
{
    cs_elf_program *program = nullptr;
    const auto open = [&program] {
        return cs_elf_program_open("/proc/self/exe", &program, nullptr);
    };
    const auto symbols = [&program] {
        size_t nr = 0, labels = 0;

        while (cs_elf_program_symbol(program, nr) != nullptr)
            nr++;
        while (cs_elf_program_label(program, labels) != nullptr)
            labels++;
        cs_elf_program_close(program);
        return nr + labels;
    };

    ASSERT_EQ(starve(kNever, open), CS_OK);
    const unsigned long most = allocations;
    const size_t whole = symbols();
    for (unsigned long at = 1; at <= most; at++)
        if (starve(at, open) == CS_OK) {
            EXPECT_EQ(symbols(), whole) << "allocation " << at;
        } else {
            EXPECT_EQ(program, nullptr);
        }
}

TEST(NoMemory, IsNoReasonToCallATextTooLong)
{
    const std::string text = "[\"" + std::string(CS_JSON_MAX_TEXT / 4 * 3, 'x') + "\"]";
    struct Source {
        const std::string *text;
        size_t at;
    } bytes = {&text, 0};
    const cs_byte_source source = {
        [](void *ctx, uint8_t *out, size_t wanted, size_t *got, cs_diag *) {
            auto *s = static_cast<Source *>(ctx);

            *got = s->text->copy(reinterpret_cast<char *>(out), wanted, s->at);
            s->at += *got;
            return CS_OK;
        },
        &bytes};
    cs_diag diag = {};
    const auto read = [&] {
        cs_json_token token = {};
        cs_json *json = nullptr;

        bytes.at = 0;
        cs_status status = cs_json_open(&source, "text", false, &json, &diag);
        while (status == CS_OK && (status = cs_json_next(json, &token, &diag)) == CS_OK &&
               token.kind != CS_JSON_END)
            ;
        cs_json_close(json);
        return status;
    };

    ASSERT_EQ(starve(kNever, read), CS_OK) << diag.text;
    const unsigned long most = allocations;
    for (unsigned long at = 1; at <= most; at++)
        EXPECT_EQ(starve(at, read), CS_ERR_NO_MEMORY) << "allocation " << at << ": " << diag.text;
}

// As long as there are not too many of them.
TEST(NoMemory, IsNotTooManyFacts)
{
    PerfFile made;
    cs_perfread *reader = nullptr;
    cs_diag diag = {};

    made.attrs = {{}};
    PerfOut words{false, {}}; // of the command line: more than a third of all that there may be
    words.u32(26);
    for (unsigned i = 0; i < 26; i++)
        words.string(std::string(1000000, 'x'));
    made.features[11] = words.bytes;
    made.text(14, "6.1");
    PerfSeek file{made.make()};
    const cs_seek_source source = file.source();
    const auto open = [&] { return cs_perfread_open(&source, "x", &reader, &diag); };

    ASSERT_EQ(starve(kNever, open), CS_OK) << diag.text;
    const unsigned long most = allocations;
    cs_perfread_close(reader);
    for (unsigned long at = 1; at <= most; at++)
        EXPECT_EQ(starve(at, open), CS_ERR_NO_MEMORY) << "allocation " << at << ": " << diag.text;
}

TEST(NoMemory, IsToldOfPacketsWithClocks)
{
    const std::string text = packet(sub(6, sub(1, num(1, 6) + num(2, 5))));
    const cs_byte_source source = {
        [](void *ctx, uint8_t *out, size_t wanted, size_t *got, cs_diag *) {
            auto **at = static_cast<const char **>(ctx);

            *got = std::min(wanted, std::strlen(*at));
            std::memcpy(out, *at, *got);
            *at += *got;
            return CS_OK;
        },
        nullptr};
    const auto read = [&] {
        const char *at = text.c_str();
        const cs_byte_source here = {source.read, &at};
        cs_perfettoread *reader = nullptr;
        cs_perfettoread_event *event = nullptr;
        cs_status status = cs_perfettoread_open(&here, "t", &reader, nullptr);

        if (status == CS_OK)
            status = cs_perfettoread_next(reader, &event, nullptr);
        cs_perfettoread_close(reader);
        return status;
    };

    ASSERT_EQ(starve(kNever, read), CS_OK);
    const unsigned long most = allocations;
    for (unsigned long at = 1; at <= most; at++)
        EXPECT_EQ(starve(at, read), CS_ERR_NO_MEMORY) << "allocation " << at;
}

// Names, tracks, counters: a file is whole, or it is told.
TEST(NoMemory, IsToldByTheWriterOfProtocolBuffers)
{
    const cs_field field = {"argument", CS_FIELD_DECIMAL, 64, nullptr, 0};
    const cs_field_value value = {7};
    const cs_perfetto_args args = {&field, &value, 1};

    for (const unsigned names : {1u, 300u}) {
        std::string text;
        const cs_text_sink sink = {collect, &text};
        const auto write = [&] {
            cs_perfetto_pb *t = nullptr;
            const cs_perfetto_track track = {1, 2};
            cs_status status = cs_perfetto_pb_create(&sink, 1000, &t);
            char name[16];

            text.clear();
            if (status != CS_OK) {
                EXPECT_EQ(t, nullptr);
                return status;
            }
            cs_perfetto_pb_name_group(t, 1, "g", 1);
            cs_perfetto_pb_name_track(t, track, "t", 1);
            for (unsigned i = 0; i < names; i++) {
                std::snprintf(name, sizeof name, "n%u", i);
                cs_perfetto_pb_instant(t, track, name, i, i == 0 ? &args : nullptr);
            }
            cs_perfetto_pb_counter(t, 1, "c", "V", 9, 0.5);
            status = cs_perfetto_pb_end(t);
            cs_perfetto_pb_destroy(t);
            return status;
        };

        ASSERT_EQ(starve(kNever, write), CS_OK);
        const unsigned long most = allocations;
        for (unsigned long at = 1; at <= most; at++)
            EXPECT_EQ(starve(at, write), CS_ERR_NO_MEMORY) << names << ", allocation " << at;
    }
}

// Of a device tree, whether it is written or read, there is nothing then.
TEST(NoMemory, IsToldOfDeviceTrees)
{
    const Loaded loaded = load_tree(good_tree());
    const cs_imc_device_tree_options options = {};
    const std::string map = blob({"", {{"compatible", text("riscv,pmu")}}, {}});
    cs_diag diag = {};
    const auto make = [&] {
        char other = 0;
        void *tree = &other;
        size_t bytes = 0;
        const cs_status status =
            cs_imc_device_tree_make(loaded.catalog.get(), &options, &tree, &bytes, &diag);

        EXPECT_EQ(tree == nullptr, status != CS_OK);
        if (status == CS_OK)
            std::free(tree);
        return status;
    };
    const auto load = [&] {
        static cs_riscv_pmu_map out;

        return cs_riscv_pmu_map_load_memory(map.data(), map.size(), "m", &out, &diag);
    };

    ASSERT_EQ(starve(kNever, make), CS_OK) << diag.text;
    EXPECT_EQ(allocations, 1u);
    EXPECT_EQ(starve(1, make), CS_ERR_NO_MEMORY);
    EXPECT_STREQ(diag.text, "no memory for a device tree");
    EXPECT_STREQ(diag.where, "catalog.dtb");
    ASSERT_EQ(starve(kNever, load), CS_OK) << diag.text;
    EXPECT_EQ(allocations, 1u);
    EXPECT_EQ(starve(1, load), CS_ERR_NO_MEMORY);
    EXPECT_STREQ(diag.text, "no memory for a device tree with riscv,pmu");
    EXPECT_STREQ(diag.where, "m");
}

// A warning may be lost; that there is one is told all the same.
TEST(NoMemory, LosesWarningsOfACatalogAtMost)
{
    Node root = good_tree();
    root.at("imc-counters/core@18").drop("events-prefix");
    const std::string bytes = blob(root);
    cs_imc_catalog *catalog = nullptr;
    cs_diag diag = {};
    const auto load = [&] {
        return cs_imc_catalog_load_memory(bytes.data(), bytes.size(), "a.dtb", &catalog, &diag);
    };

    ASSERT_EQ(starve(kNever, load), CS_OK);
    const unsigned long most = allocations;
    const size_t whole = told(catalog).size();
    ASSERT_NE(cs_imc_catalog_warning(catalog, 0), nullptr);
    cs_imc_catalog_destroy(catalog);
    for (unsigned long at = 1; at <= most; at++) {
        if (starve(at, load) == CS_OK) {
            EXPECT_EQ(told(catalog).size(), whole) << "allocation " << at;
            cs_imc_catalog_destroy(catalog);
        } else {
            EXPECT_STRNE(diag.text, "");
        }
    }
}

} // namespace

#endif
