// SPDX-License-Identifier: Apache-2.0
/* What was given of a format's options. */
#include "base/number.h"
#include "formats/format.h"

const char *cs_format_text(const cs_format_print *print, const cs_format_option *option)
{
    for (size_t i = 0; i < print->nr_given; i++)
        if (print->given[i].option == option)
            return print->given[i].text;
    return NULL;
}

uint64_t cs_format_number(const cs_format_print *print, const cs_format_option *option,
                          uint64_t otherwise)
{
    const char *text = cs_format_text(print, option);
    uint64_t value;

    return text != NULL && cs_number_of(text, UINT64_MAX, &value) ? value : otherwise;
}
