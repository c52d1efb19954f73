#include "scenario/check.h"
#include "scenario/key_macros.h"
#include "scenario/machine/script_spec.h"
#include "scenario/scenario.h"

#define S cs_scenario

static const cs_key_choice size_choices[] = {
    {"1", 1, NULL, NULL, ""},
    {"2", 2, NULL, NULL, ""},
    {"4", 4, NULL, NULL, ""},
    {"8", 8, NULL, NULL, ""},
    {0},
};
static const cs_key write_keys[] = {
    {OTHER("at", CS_KEY_ADDRESS, NULL, "a register by name, or an address"),
     AT(cs_script_step, addr)},
    {NUMBER("value", "", 0, UINT64_MAX, NULL, "what is written"), AT(cs_script_step, value)},
    {CHOICE("size", size_choices, "4", "bytes of the access"), AT(cs_script_step, size)},
};
static const cs_key_shape write_shape = {SHAPE("write", write_keys, cs_script_step)};

static const cs_key read_keys[] = {
    {OTHER("at", CS_KEY_ADDRESS, NULL, "a register by name, or an address"),
     AT(cs_script_step, addr)},
    {CHOICE("size", size_choices, "4", "bytes of the access"), AT(cs_script_step, size)},
};
static const cs_key_shape read_shape = {SHAPE("read", read_keys, cs_script_step)};

/* In the order of cs_step_kind. */
static const cs_key step_keys[] = {
    {MAP("write", &write_shape, "a bus write")},
    {MAP("read", &read_shape, "a bus read")},
    {NUMBER("delay", "bus cycles", 1, CS_STREAM_END, "=", "nothing for so long"),
     AT(cs_script_step, cycles)},
    {NUMBER("wait_irq", "bus cycles", 0, CS_STREAM_END, "=",
            "until the interrupt line is high, at most so long; 0: without limit"),
     AT(cs_script_step, cycles)},
};
static const cs_key_shape step_shape = {SHAPE("step", step_keys, cs_script_step), .one = true,
                                        .which = offsetof(cs_script_step, kind)};

static cs_status check_script(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->nr_script; i++) {
        const cs_script_step *step = &s->script[i];
        const char *kind = step->kind == CS_STEP_WRITE ? "write" : "read";

        if (step->kind != CS_STEP_WRITE && step->kind != CS_STEP_READ)
            continue;
        if (step->addr % step->size != 0) {
            cs_check_at(check, "script.%zu.%s.at", i, kind);
            return cs_check_fail(check, "0x%llx is not a multiple of the size %u",
                                 (unsigned long long)step->addr, step->size);
        }
        if (step->size < 8 && step->value >> (8u * step->size) != 0) {
            cs_check_at(check, "script.%zu.%s.value", i, kind);
            return cs_check_fail(check, "0x%llx does not fit into %u bytes",
                                 (unsigned long long)step->value, step->size);
        }
    }
    return CS_OK;
}

static cs_status check(cs_check *check)
{
    cs_check_at(check, "script");
    return check->scenario->nr_script > 0
               ? check_script(check)
               : cs_check_fail(check, "empty; software.kind script needs steps");
}

static const cs_software_rule software = {
    .kind = CS_SOFTWARE_script, .alone = true, .needs = {"script"}};

static const cs_key keys[] = {
    {LIST("script", &step_shape, 0, 10000, "[]", "the steps of software.kind script"),
     AT_LIST(S, script, nr_script)},
};
const cs_section cs_section_script = {PART("script", keys), .check = check, .software = &software};
