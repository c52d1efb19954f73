// SPDX-License-Identifier: Apache-2.0
/* The golden counter block as VPI system functions, for simulators without DPI (Icarus):
 * $cs_golden_access(golden, csr, op, operand) and so on, as in golden.h. A handle is a number of
 * 64 bits. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <vpi_user.h>

#include <countersink/golden.h>

#define MOST_ARGUMENTS 4u

/* The arguments of the call at hand: numbers, and the text of the first one. */
typedef struct arguments {
    uint64_t number[MOST_ARGUMENTS];
    const char *text;
    bool unknown; /* one of them has an X or Z */
} arguments;

static uint64_t wide(vpiHandle argument, bool *unknown)
{
    s_vpi_value value = {.format = vpiVectorVal};
    uint64_t out;

    vpi_get_value(argument, &value);
    out = (uint32_t)value.value.vector[0].aval;
    *unknown |= value.value.vector[0].bval != 0;
    if (vpi_get(vpiSize, argument) > 32) {
        out |= (uint64_t)(uint32_t)value.value.vector[1].aval << 32;
        *unknown |= value.value.vector[1].bval != 0;
    }
    return out;
}

static void read_arguments(vpiHandle call, bool text, arguments *out)
{
    vpiHandle list = vpi_iterate(vpiArgument, call);
    vpiHandle argument;
    unsigned n = 0;

    *out = (arguments){.text = ""};
    while (list != NULL && (argument = vpi_scan(list)) != NULL) {
        if (n == 0 && text) {
            s_vpi_value value = {.format = vpiStringVal};

            vpi_get_value(argument, &value);
            out->text = value.value.str;
        } else if (n < MOST_ARGUMENTS) {
            out->number[n] = wide(argument, &out->unknown);
        }
        n++;
    }
}

static void give(vpiHandle call, uint64_t number)
{
    s_vpi_vecval words[2] = {{.aval = (PLI_INT32)number, .bval = 0},
                             {.aval = (PLI_INT32)(number >> 32), .bval = 0}};
    s_vpi_value value = {.format = vpiVectorVal, .value.vector = words};

    vpi_put_value(call, &value, NULL, vpiNoDelay);
}

/* ---- the functions ---- */

typedef uint64_t function(const arguments *a);

static cs_golden *golden(const arguments *a)
{
    return (cs_golden *)(uintptr_t)a->number[0]; /* NOLINT: what create gave */
}

static uint64_t create(const arguments *a)
{
    cs_golden *made = cs_golden_create(a->text);

    if (made == NULL) {
        vpi_printf("$cs_golden_create: %s\n", cs_golden_error());
        vpi_control(vpiFinish, 1);
    }
    return (uintptr_t)made;
}

static uint64_t destroy(const arguments *a)
{
    cs_golden_destroy(golden(a));
    return 0;
}

static uint64_t mode(const arguments *a)
{
    cs_golden_mode(golden(a), (unsigned)a->number[1]);
    return 0;
}

static uint64_t event(const arguments *a)
{
    cs_golden_event(golden(a), (unsigned)a->number[1], (unsigned)a->number[2]);
    return 0;
}

static uint64_t mtime(const arguments *a)
{
    cs_golden_time(golden(a), a->number[1]);
    return 0;
}

static uint64_t access(const arguments *a)
{
    return cs_golden_access(golden(a), (unsigned)a->number[1], (unsigned)a->number[2],
                            a->number[3]);
}

static uint64_t exception(const arguments *a)
{
    return cs_golden_exception(golden(a));
}

static uint64_t predict(const arguments *a)
{
    return cs_golden_predict(golden(a), (unsigned)a->number[1]);
}

static uint64_t irq(const arguments *a)
{
    return cs_golden_irq(golden(a));
}

static uint64_t step(const arguments *a)
{
    if (cs_golden_step(golden(a)) != 0) {
        vpi_printf("$cs_golden_step: %s\n", cs_golden_failure(golden(a)));
        vpi_control(vpiFinish, 1);
    }
    return 0;
}

static uint64_t cycle(const arguments *a)
{
    return cs_golden_cycle(golden(a));
}

static const struct row {
    const char *name;
    function *call;
    bool gives; /* a system function; else a task */
} rows[] = {
    {"$cs_golden_create", create, true},
    {"$cs_golden_destroy", destroy, false},
    {"$cs_golden_mode", mode, false},
    {"$cs_golden_event", event, false},
    {"$cs_golden_time", mtime, false},
    {"$cs_golden_access", access, true},
    {"$cs_golden_exception", exception, true},
    {"$cs_golden_predict", predict, true},
    {"$cs_golden_irq", irq, true},
    {"$cs_golden_step", step, false},
    {"$cs_golden_cycle", cycle, true},
};

static PLI_INT32 called(PLI_BYTE8 *data)
{
    const struct row *row = (const struct row *)data;
    vpiHandle call = vpi_handle(vpiSysTfCall, NULL);
    arguments a;
    uint64_t result;

    read_arguments(call, row->call == create, &a);
    if (a.unknown) {
        vpi_printf("%s: found X or Z, expected numbers\n", row->name);
        vpi_control(vpiFinish, 1);
        return 0;
    }
    result = row->call(&a);
    if (row->gives)
        give(call, result);
    return 0;
}

static PLI_INT32 size(PLI_BYTE8 *data)
{
    (void)data;
    return 64;
}

static void join(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        s_vpi_systf_data data = {.type = rows[i].gives ? vpiSysFunc : vpiSysTask,
                                 .sysfunctype = vpiSizedFunc,
                                 .tfname = (PLI_BYTE8 *)rows[i].name,
                                 .calltf = called,
                                 .sizetf = rows[i].gives ? size : NULL,
                                 .user_data = (PLI_BYTE8 *)&rows[i]};

        vpi_register_systf(&data);
    }
}

__attribute__((visibility("default"))) void (*vlog_startup_routines[])(void) = {join, NULL};
