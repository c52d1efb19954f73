// SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace
{

const std::filesystem::path kPacks = CS_SOURCE_DIR "/tb/inputs/packs";

uint64_t hash;
bool loud;

void say(const void *bytes, size_t size)
{
    const auto *at = static_cast<const unsigned char *>(bytes);

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    if (loud)
        std::fwrite(bytes, 1, size, stdout);
}

cs_status write(void *, const char *text, size_t bytes)
{
    say(text, bytes);
    return CS_OK;
}

} // namespace

std::vector<std::string> inputs_of_pack(const std::string &name)
{
    std::vector<std::string> inputs;
    gzFile pack = gzopen((kPacks / (name + ".gz")).c_str(), "rb");
    uint8_t size[4];

    while (pack != nullptr && gzread(pack, size, 4) == 4) {
        std::string input(size[0] | size[1] << 8 | size[2] << 16 | size[3] << 24, '\0');

        if (gzread(pack, input.data(), static_cast<unsigned>(input.size())) !=
            static_cast<int>(input.size())) {
            gzclose(pack);
            throw std::runtime_error(name + ".gz ends in the middle of an input");
        }
        inputs.push_back(input);
    }
    if (pack != nullptr)
        gzclose(pack);
    return inputs;
}

std::vector<std::string> names_of_packs()
{
    std::vector<std::string> found;

    for (const auto &entry : std::filesystem::directory_iterator(kPacks))
        if (entry.path().extension() == ".gz")
            found.push_back(entry.path().stem());
    std::sort(found.begin(), found.end());
    return found;
}

uint64_t hash_of_said(const cs_fuzz_target &target, const std::string &input, uint64_t before,
                      bool aloud)
{
    hash = before;
    loud = aloud;
    target.run(target.ctx, reinterpret_cast<const uint8_t *>(input.data()), input.size());
    loud = false;
    return hash;
}

extern "C" {

const char *cs_fuzz_made, *cs_fuzz_configs = CS_SOURCE_DIR "/configs";
extern const cs_text_sink cs_fuzz_sink = {write, nullptr};

void cs_fuzz_told(const void *bytes, size_t size)
{
    say(bytes, size);
}

// Not where it was: that is a file of this run.
void cs_fuzz_ended(cs_status status, const cs_diag *diag)
{
    const std::string words =
        status == CS_OK ? "good\n"
                        : std::string(cs_status_name(status)) + " " + std::to_string(diag->line) +
                              ":" + std::to_string(diag->column) + " " + diag->text + "\n";

    say(words.data(), words.size());
}

const char *cs_fuzz_file(const uint8_t *data, size_t size)
{
    static const int file = dup2(memfd_create("input", 0), 100); // a name that is always the same

    if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size))
        std::abort();
    return "/proc/self/fd/100";
}
}
