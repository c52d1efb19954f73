// SPDX-License-Identifier: Apache-2.0
// The options of every format: its own, then those of what may be in it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "formats/formats.h"

namespace
{

std::vector<const cs_format_option *> own(const cs_format *format)
{
    std::vector<const cs_format_option *> options;

    for (size_t i = 0; format->options != nullptr && format->options[i] != nullptr; i++)
        options.push_back(format->options[i]);
    return options;
}

std::vector<const cs_format *> all()
{
    std::vector<const cs_format *> formats;

    for (size_t i = 0; cs_format_at(i) != nullptr; i++)
        formats.push_back(cs_format_at(i));
    return formats;
}

} // namespace

TEST(FormatOptions, ThoseOfAuxDataStandBehindItsOwn)
{
    unsigned carriers = 0;

    for (const cs_format *format : all()) {
        std::vector<const cs_format_option *> expected = own(format), found;

        carriers += format->carries_aux;
        for (const cs_format *inner : all())
            if (format->carries_aux && inner->aux_pmu != nullptr)
                for (const cs_format_option *option : own(inner))
                    expected.push_back(option);
        for (size_t i = 0; cs_format_option_at(format, i) != nullptr; i++)
            found.push_back(cs_format_option_at(format, i));
        EXPECT_EQ(found, expected) << format->name;
        for (size_t beyond = 0; beyond < 8; beyond++)
            EXPECT_EQ(cs_format_option_at(format, expected.size() + beyond), nullptr)
                << format->name;
        for (const cs_format_option *option : expected)
            EXPECT_TRUE(cs_format_takes(format, option)) << format->name << " " << option->name;
    }
    EXPECT_GT(carriers, 0u);
}
