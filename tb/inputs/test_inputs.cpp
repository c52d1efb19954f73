// Inputs that the fuzzer has found, some thousand: what the readers say of them they say again. A pack is
// NAME.gz, each input with its size before it (pack.py makes them). inputs.txt has a hash of what the
// target NAME said; CS_WRITE_GENERATED=1 writes it anew. CS_SAY=NR shows what is said of input NR.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

extern "C" {
#include "target.h"
}

namespace
{

const std::filesystem::path kFolder = CS_SOURCE_DIR "/tb/inputs";

uint64_t hash;
bool aloud;

void say(const void *bytes, size_t size)
{
    const auto *at = static_cast<const unsigned char *>(bytes);

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    if (aloud)
        std::fwrite(bytes, 1, size, stdout);
}

cs_status write(void *, const char *text, size_t bytes)
{
    say(text, bytes);
    return CS_OK;
}

std::vector<std::string> inputs_of(const std::string &name)
{
    std::vector<std::string> inputs;
    gzFile pack = gzopen((kFolder / (name + ".gz")).c_str(), "rb");
    uint8_t size[4];

    while (gzread(pack, size, 4) == 4) {
        std::string input(size[0] | size[1] << 8 | size[2] << 16 | size[3] << 24, '\0');

        if (gzread(pack, input.data(), static_cast<unsigned>(input.size())) !=
            static_cast<int>(input.size()))
            ADD_FAILURE() << name << ".gz ends in the middle of an input";
        inputs.push_back(input);
    }
    gzclose(pack);
    return inputs;
}

std::vector<std::string> names()
{
    std::vector<std::string> found;

    for (const auto &entry : std::filesystem::directory_iterator(kFolder))
        if (entry.path().extension() == ".gz")
            found.push_back(entry.path().stem());
    std::sort(found.begin(), found.end());
    return found;
}

std::map<std::string, std::string> known()
{
    std::map<std::string, std::string> lines;
    std::ifstream file(kFolder / "inputs.txt");
    std::string name, line;

    while (file >> name && std::getline(file, line))
        lines[name] = line.substr(1);
    return lines;
}

void write_known(const std::map<std::string, std::string> &lines)
{
    std::ofstream file(kFolder / "inputs.txt");

    for (const auto &[name, line] : lines)
        file << name << " " << line << "\n";
}

class Inputs : public testing::TestWithParam<std::string>
{
};

TEST_P(Inputs, AreReadAsEver)
{
    const cs_fuzz_target target = cs_fuzz_choose(GetParam().c_str());
    const char *loud = std::getenv("CS_SAY");
    const auto inputs = inputs_of(GetParam());
    auto lines = known();

    ASSERT_NE(nullptr, target.run);
    hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < inputs.size(); i++) {
        aloud = loud != nullptr && std::stoul(loud) == i;
        target.run(target.ctx, reinterpret_cast<const uint8_t *>(inputs[i].data()),
                   inputs[i].size());
    }
    char line[64];
    std::snprintf(line, sizeof line, "%zu %016llx", inputs.size(),
                  static_cast<unsigned long long>(hash));
    if (std::getenv("CS_WRITE_GENERATED") != nullptr) {
        lines[GetParam()] = line;
        write_known(lines);
    }
    EXPECT_EQ(lines[GetParam()], line)
        << "where that is meant, CS_WRITE_GENERATED=1 writes it anew";
}

INSTANTIATE_TEST_SUITE_P(Of, Inputs, testing::ValuesIn(names()), [](const auto &info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

} // namespace

extern "C" {

const char *cs_fuzz_made, *cs_fuzz_configs;
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

    EXPECT_EQ(0, ftruncate(file, 0));
    EXPECT_EQ(static_cast<ssize_t>(size), pwrite(file, data, size, 0));
    return "/proc/self/fd/100";
}
}
