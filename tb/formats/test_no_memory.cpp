// Every reader, with each allocation failing in turn: an error that is told, or all rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "formats/common/elf_program.h"
#include "formats/common/json_read.h"
#include "formats/golden_traces.hpp"
#include "formats/imc/imc_tree.hpp"
#include "formats/perf/perf_seek.hpp"
#include "formats/perfetto/read/proto.h"
#include "support/proto.hpp"

// Sanitizers have an allocator of their own.
#ifndef __SANITIZE_ADDRESS__

namespace
{

// Of the allocations to come the one that `fails` numbers (from 1) is refused; 0: none is counted.
unsigned long fails = 0, allocations = 0;

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

constexpr unsigned long kNever = ~0ul;

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

template <class Body> cs_status starve(unsigned long at, Body body)
{
    allocations = 0;
    fails = at;
    const cs_status status = body();
    fails = 0;
    return status;
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
    const std::string text =
        "[\"" + std::string(CS_JSON_MAX_TEXT + CS_JSON_MAX_TEXT / 2, 'x') + "\"]";
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
