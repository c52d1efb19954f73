// SPDX-License-Identifier: Apache-2.0
#include "scenario/yaml/number.h"
#include "scenario/work/workload_spec.h"

#include <string.h>

#define FRACTION_DIGITS 12u

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

static cs_number read_digits(const char *text, size_t bytes, unsigned base, uint64_t *value)
{
    cs_number result = CS_NUMBER_OK;

    *value = 0;
    if (bytes == 0)
        return CS_NUMBER_NONE;
    for (size_t i = 0; i < bytes; i++) {
        unsigned d = (unsigned)digit(text[i]);

        if (d >= base)
            return CS_NUMBER_NONE;
        if (__builtin_mul_overflow(*value, (uint64_t)base, value) ||
            __builtin_add_overflow(*value, (uint64_t)d, value))
            result = CS_NUMBER_LARGE;
    }
    return result;
}

static bool has_0x(const char *text, size_t bytes)
{
    return bytes > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

cs_number cs_number_read(const char *text, size_t bytes, uint64_t *value)
{
    if (bytes > 0 && text[0] == '-')
        return cs_number_read(text + 1, bytes - 1, value) == CS_NUMBER_NONE ? CS_NUMBER_NONE
                                                                            : CS_NUMBER_NEGATIVE;
    if (has_0x(text, bytes))
        return read_digits(text + 2, bytes - 2, 16, value);
    if (bytes > 1 && text[0] == '0')
        return CS_NUMBER_NONE;
    return read_digits(text, bytes, 10, value);
}

cs_number cs_number_read_hex(const char *text, size_t bytes, uint64_t *value)
{
    size_t skip = has_0x(text, bytes) ? 2 : 0;

    return read_digits(text + skip, bytes - skip, 16, value);
}

cs_number cs_number_read_size(const char *text, uint64_t *value)
{
    static const struct {
        const char *name;
        unsigned shift;
    } units[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    size_t digits = strspn(text, "0123456789");

    if (digits > 0) {
        const char *unit = text + digits + (text[digits] == ' ');

        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
            if (strcmp(unit, units[i].name) != 0)
                continue;
            cs_number result = cs_number_read(text, digits, value);
            if (result == CS_NUMBER_OK && *value > UINT64_MAX >> units[i].shift)
                result = CS_NUMBER_LARGE;
            *value <<= units[i].shift;
            return result;
        }
    }
    return cs_number_read(text, strlen(text), value);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

cs_number cs_number_read_fraction(const char *text, cs_fraction *value)
{
    bool negative = text[0] == '-';
    const char *whole = text + negative;
    size_t whole_digits = strcspn(whole, ".");
    const char *parts = whole[whole_digits] == '.' ? whole + whole_digits + 1 : NULL;
    size_t part_digits = parts != NULL ? strlen(parts) : 0;
    uint64_t units, rest = 0;

    value->num = 0;
    value->den = 1;
    if (whole_digits > 1 && whole[0] == '0')
        return CS_NUMBER_NONE;
    cs_number result = read_digits(whole, whole_digits, 10, &units);
    if (result == CS_NUMBER_NONE ||
        (parts != NULL && (part_digits == 0 || part_digits > FRACTION_DIGITS)))
        return CS_NUMBER_NONE;
    if (parts != NULL && read_digits(parts, part_digits, 10, &rest) != CS_NUMBER_OK)
        return CS_NUMBER_NONE;
    if (negative)
        return CS_NUMBER_NEGATIVE;
    if (result == CS_NUMBER_LARGE || units >= 1000000)
        return CS_NUMBER_LARGE;

    uint64_t den = 1;
    for (size_t i = 0; i < part_digits; i++)
        den *= 10;
    uint64_t num = units * den + rest;
    uint64_t divisor = common_divisor(num, den);
    value->num = num / divisor;
    value->den = den / divisor;
    return CS_NUMBER_OK;
}

size_t cs_number_range(const char *text)
{
    const char *minus = strchr(text, '-');

    return minus != NULL ? (size_t)(minus - text) : 0;
}
