// SPDX-License-Identifier: Apache-2.0
// ELF programs: what the compiler's own tools say of them, and damage.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "formats/common/elf_program.h"
#include "support/perf_tool.hpp"

using namespace cs_test;

namespace
{

struct ElfProgram : testing::Test {
    TempFolder temp;

    std::string output_of(const std::string &command)
    {
        const std::string line =
            "cd '" + temp.path().string() + "' && " + command + " >.out 2>.err";

        EXPECT_EQ(std::system(line.c_str()), 0) << command << "\n" << temp.read(".err");
        return temp.read(".out");
    }
    void compile(const std::string &options)
    {
        temp.write("a.c", "__attribute__((noinline)) int first(int x) { return x * x + 1; }\n"
                          "__attribute__((noinline)) int second(int x) { return first(x) ^ 3; }\n"
                          "int main(int argc, char **argv) { (void)argv; return second(argc); }\n");
        output_of("cc -O1 -o a.elf a.c " + options);
    }
};

} // namespace

TEST_F(ElfProgram, WhatAnAssemblerNamesInCodeIsALabel)
{
    cs_elf_program *program = nullptr;
    std::set<std::string> labels;

    temp.write("a.c", "__asm__(\".text\\n.globl lone\\n.type lone, %function\\nlone: .long 0\\n\"\n"
                      "        \"place: .long 0\\n.data\\nvalue: .long 1\\n.text\");\n"
                      "int main(void) { return 0; }\n");
    output_of("cc -o a.elf a.c -no-pie");
    ASSERT_EQ(cs_elf_program_open(temp.file("a.elf").c_str(), &program, nullptr), CS_OK);
    for (size_t i = 0; cs_elf_program_label(program, i) != nullptr; i++) {
        EXPECT_EQ(cs_elf_program_label(program, i)->size, 0u);
        labels.insert(cs_elf_program_label(program, i)->name);
    }
    EXPECT_EQ(labels.count("lone") + labels.count("place"), 2u);
    EXPECT_EQ(labels.count("value") + labels.count("main"), 0u);
    EXPECT_EQ(cs_elf_program_find(program, "lone"), nullptr);
    cs_elf_program_close(program);
}

// Where nothing lies, address 0 is what the linker leaves for a name that it does not know.
TEST_F(ElfProgram, NoLabelIsAtAddressZero)
{
    cs_elf_program *program = nullptr;

    temp.write("a.c", "__asm__(\"zero: .long 0\\nplace: .long 0\\n\");\n"
                      "void _start(void) { for (;;) ; }\n");
    output_of("cc -O1 -o a.elf a.c -nostdlib -static -no-pie -Wl,-Ttext=0 -Wl,--build-id=none");
    ASSERT_EQ(cs_elf_program_open(temp.file("a.elf").c_str(), &program, nullptr), CS_OK);
    ASSERT_NE(cs_elf_program_label(program, 0), nullptr);
    EXPECT_STREQ(cs_elf_program_label(program, 0)->name, "place");
    EXPECT_EQ(cs_elf_program_label(program, 1), nullptr);
    cs_elf_program_close(program);
}

TEST_F(ElfProgram, SymbolsAndBuildIdAreThoseOfBinutils)
{
    for (const char *options : {"-no-pie -Wl,--build-id", "-pie -fPIE -Wl,--build-id=md5",
                                "-no-pie -Wl,--build-id=none"}) {
        cs_elf_program *program = nullptr;
        cs_diag diag = {};
        unsigned texts = 0, bytes = 0;
        std::string id;

        compile(options);
        ASSERT_EQ(cs_elf_program_open(temp.file("a.elf").c_str(), &program, &diag), CS_OK)
            << diag.text;
        for (const std::string &line : lines_of(output_of("nm -S --defined-only a.elf"))) {
            std::istringstream in(line);
            std::string addr, size, kind, name;

            if (!(in >> addr >> size >> kind >> name) || (kind != "T" && kind != "t"))
                continue;
            const cs_elf_symbol *symbol = cs_elf_program_find(program, name.c_str());
            ASSERT_NE(symbol, nullptr) << name;
            EXPECT_EQ(symbol->addr, std::stoull(addr, nullptr, 16)) << name;
            EXPECT_EQ(symbol->size, std::stoull(size, nullptr, 16)) << name;
        }
        EXPECT_NE(cs_elf_program_find(program, "second"), nullptr);
        EXPECT_EQ(cs_elf_program_find(program, "third"), nullptr);
        EXPECT_EQ(cs_elf_program_moves(program), std::string(options).find("-pie") == 0);
        const uint8_t *build_id = cs_elf_program_build_id(program, &bytes);
        for (unsigned i = 0; i < bytes; i++) {
            char text[8];

            snprintf(text, sizeof text, "%02x", build_id[i]);
            id += text;
        }
        EXPECT_EQ(build_id == nullptr, bytes == 0);
        EXPECT_EQ(id, squeezed(output_of("readelf -n a.elf | sed -n 's/.*Build ID: //p'")));
        // Every function lies in what can be executed.
        const cs_elf_text *text = cs_elf_program_texts(program, &texts);
        const cs_elf_symbol *symbol = cs_elf_program_find(program, "first");
        bool inside = false;
        for (unsigned i = 0; i < texts; i++)
            inside = inside || (symbol->addr >= text[i].addr &&
                                symbol->addr + symbol->size <= text[i].addr + text[i].bytes);
        EXPECT_TRUE(inside);
        cs_elf_program_close(program);
    }
}

TEST_F(ElfProgram, AVariableIsFoundByItsName)
{
    cs_elf_program *program = nullptr;

    temp.write("a.c", "static volatile int counted; int shown = 1;\n"
                      "int main(void) { return counted++; }\n");
    output_of("cc -o a.elf a.c -no-pie");
    ASSERT_EQ(cs_elf_program_open(temp.file("a.elf").c_str(), &program, nullptr), CS_OK);
    for (const char *name : {"counted", "shown"})
        EXPECT_EQ(cs_elf_program_variable(program, name),
                  std::stoull(output_of(std::string("nm a.elf | grep -w ") + name), nullptr, 16));
    EXPECT_EQ(cs_elf_program_variable(program, "main"), 0u);
    EXPECT_EQ(cs_elf_program_variable(program, "other"), 0u);
    cs_elf_program_close(program);
}

TEST_F(ElfProgram, WhatIsNoProgramIsNamed)
{
    const struct {
        const char *command, *text;
        cs_status status;
    } cases[] = {
        {"rm -f a.elf", "cannot be opened: No such file or directory", CS_ERR_IO},
        {"printf '' > a.elf", "is not an ELF file", CS_ERR_FORMAT},
        {"echo hello > a.elf", "is not an ELF file", CS_ERR_FORMAT},
        {"cc -c -o a.elf a.c", "is not a linked program or library (ELF type 1)", CS_ERR_FORMAT},
        {"cc -s -no-pie -o a.elf a.c", "has no functions among its symbols (stripped?)",
         CS_ERR_FORMAT},
    };

    compile("");
    for (const auto &c : cases) {
        cs_elf_program *program = reinterpret_cast<cs_elf_program *>(&temp);
        cs_diag diag = {};

        output_of(c.command);
        EXPECT_EQ(cs_elf_program_open(temp.file("a.elf").c_str(), &program, &diag), c.status)
            << c.command;
        EXPECT_STREQ(diag.text, c.text);
        EXPECT_EQ(program, nullptr);
    }
}

// Whatever is damaged, it is read or refused.
TEST_F(ElfProgram, DamagedFilesAreReadOrRefused)
{
    std::mt19937 random(11);
    unsigned refused = 0;

    compile("-no-pie -Wl,--build-id");
    const std::string whole = temp.read("a.elf");
    for (unsigned i = 0; i < 400; i++) {
        std::string bytes = whole;
        cs_elf_program *program = nullptr;
        cs_diag diag = {};

        if (i % 4 == 0)
            bytes.resize(random() % bytes.size());
        for (unsigned k = 0; k < 6 && !bytes.empty(); k++) // mostly in the headers
            bytes[random() % (k < 4 ? std::min<size_t>(bytes.size(), 1024) : bytes.size())] =
                static_cast<char>(random());
        temp.write("b.elf", bytes);
        if (cs_elf_program_open(temp.file("b.elf").c_str(), &program, &diag) != CS_OK) {
            EXPECT_STRNE(diag.text, "");
            refused++;
            continue;
        }
        unsigned texts = 0;
        cs_elf_program_texts(program, &texts);
        EXPECT_GT(texts, 0u);
        for (size_t k = 0; cs_elf_program_symbol(program, k) != nullptr; k++)
            EXPECT_STRNE(cs_elf_program_symbol(program, k)->name, "");
        cs_elf_program_close(program);
    }
    EXPECT_GT(refused, 20u);
    EXPECT_LT(refused, 400u);
}
