// SPDX-License-Identifier: Apache-2.0
// ELF programs: what of them can be executed.
#include <gtest/gtest.h>

#include "formats/common/elf_program.h"
#include "support/perf_tool.hpp"

using namespace cs_test;

TEST(ElfProgramEdges, TextsAreTheSegmentsThatCanBeExecuted)
{
    TempFolder temp;
    const std::string in = "cd '" + temp.path().string() + "' && ";
    cs_elf_program *program = nullptr;
    unsigned nr = 0;
    std::string found;

    temp.write("a.c", "int data[5000] = {1}; int main(void) { return data[3]; }\n");
    ASSERT_EQ(std::system((in + "cc -o a.elf a.c -Wl,-z,separate-code && readelf -lW a.elf | "
                                "awk '$1 == \"LOAD\" && / E / { print $2, $3, $6 }' > texts")
                              .c_str()),
              0);
    ASSERT_EQ(cs_elf_program_open(temp.file("a.elf").c_str(), &program, nullptr), CS_OK);
    const cs_elf_text *texts = cs_elf_program_texts(program, &nr);
    for (unsigned i = 0; i < nr; i++) {
        char line[80];

        snprintf(line, sizeof line, "0x%06llx 0x%016llx 0x%06llx\n",
                 (unsigned long long)texts[i].offset, (unsigned long long)texts[i].addr,
                 (unsigned long long)texts[i].bytes);
        found += line;
    }
    EXPECT_EQ(found, temp.read("texts"));
    EXPECT_EQ(nr, 1u);
    cs_elf_program_close(program);
}
