// SPDX-License-Identifier: Apache-2.0
// Stands behind the glue of a die that is made for waves (src/lockstep/die/top.c writes that): its
// symbol cs_die_waves.
#include <cstring>
#include <string>

#include "die_waves.h"
#include "verilated_fst_c.h"

namespace
{

// How a signal is declared and asked for: 5.006 has it so, 5.032 otherwise. A name is words, scopes first.
#if VERILATOR_VERSION_INTEGER < 5032000
#define WAVES_FUNCTION
#define WAVES_WIRE FST_VD_IMPLICIT, FST_VT_VCD_WIRE

const char *waves_enter(VerilatedFst *, const char *name)
{
    return name;
}
void waves_leave(VerilatedFst *, const char *) {}
#else
#define WAVES_FUNCTION 0,
#define WAVES_WIRE                                                                                 \
    VerilatedTraceSigDirection::NONE, VerilatedTraceSigKind::WIRE, VerilatedTraceSigType::LOGIC

const char *waves_enter(VerilatedFst *file, const char *name)
{
    for (const char *end; (end = strchr(name, ' ')) != nullptr; name = end + 1)
        file->pushPrefix(std::string(name, end), VerilatedTracePrefixType::SCOPE_MODULE);
    return name;
}

void waves_leave(VerilatedFst *file, const char *name)
{
    for (; (name = strchr(name, ' ')) != nullptr; name++)
        file->popPrefix();
}
#endif

VerilatedFstC *waves_file;
cs_die_signal *waves_signals;
size_t nr_waves_signals;
uint32_t waves_code; // of the first of them; each has two words

void waves_declare(void *, VerilatedFst *file, uint32_t code)
{
    waves_code = code;
    for (size_t i = 0; i < nr_waves_signals; i++, code += 2) {
        const char *name = waves_signals[i].name;

        file->declQuad(code, WAVES_FUNCTION waves_enter(file, name), -1, WAVES_WIRE, false, -1,
                       static_cast<int>(waves_signals[i].bits) - 1, 0);
        waves_leave(file, name);
    }
}

void waves_full(void *, VerilatedFst::Buffer *buffer)
{
    for (size_t i = 0; i < nr_waves_signals; i++)
        buffer->fullQData(buffer->oldp(waves_code + 2 * static_cast<uint32_t>(i)),
                          waves_signals[i].value, static_cast<int>(waves_signals[i].bits));
}

void waves_change(void *, VerilatedFst::Buffer *buffer)
{
    for (size_t i = 0; i < nr_waves_signals; i++)
        buffer->chgQData(buffer->oldp(waves_code + 2 * static_cast<uint32_t>(i)),
                         waves_signals[i].value, static_cast<int>(waves_signals[i].bits));
}

bool waves_open(void *die, const char *path, cs_die_signal *signals, size_t nr_signals)
{
    Die *d = static_cast<Die *>(die);

    waves_signals = signals;
    nr_waves_signals = nr_signals;
    d->context.traceEverOn(true);
    waves_file = new VerilatedFstC;
    waves_file->set_time_unit("1ns");
    waves_file->set_time_resolution("1ns");
    d->top.trace(waves_file, 99);
    waves_file->spTrace()->addInitCb(waves_declare, nullptr);
    waves_file->spTrace()->addFullCb(waves_full, WAVES_FUNCTION nullptr);
    waves_file->spTrace()->addChgCb(waves_change, WAVES_FUNCTION nullptr);
    waves_file->open(path);
    return waves_file->isOpen();
}

void waves_dump(void *, uint64_t time)
{
    waves_file->dump(time);
}

void waves_close(void *)
{
    waves_file->close();
    delete waves_file;
    waves_file = nullptr;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const cs_die_waves_abi cs_die_waves;
const cs_die_waves_abi cs_die_waves = {CS_DIE_WAVES, waves_open, waves_dump, waves_close};
