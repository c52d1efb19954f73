// SPDX-License-Identifier: Apache-2.0
// The list of parts as it stands: what parts.h and part.h promise of every row.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "results/parts.h"

TEST(Parts, EachHasANameOfItsOwnAndCanBeOpened)
{
    std::set<std::string> names;

    for (const cs_part *part : cs_parts) {
        EXPECT_TRUE(names.insert(part->name).second) << part->name;
        EXPECT_NE(part->open, nullptr) << part->name;
        EXPECT_EQ(part->probes != 0, part->probe != nullptr) << part->name;
    }
}

TEST(Parts, WhoHasAPlaceInAViewHasSomethingToTell)
{
    for (const cs_part *part : cs_parts) {
        EXPECT_EQ(part->place[CS_PART_FIGURES] != 0, part->figures != nullptr) << part->name;
        EXPECT_EQ(part->place[CS_PART_TEXT] != 0, part->text != nullptr) << part->name;
        EXPECT_EQ(part->place[CS_PART_JSON] != 0, part->json != nullptr) << part->name;
        EXPECT_EQ(part->place[CS_PART_WAYS] != 0, part->ways != nullptr) << part->name;
    }
}

TEST(Parts, AViewGoesByPlacesAndNoTwoPartsShareOne)
{
    for (unsigned view = 0; view < CS_PART_VIEWS; view++) {
        cs_part_number order[CS_NR_PARTS];
        const size_t count = cs_parts_of_view(static_cast<cs_part_view>(view), order);
        const auto with_place =
            std::count_if(std::begin(cs_parts), std::end(cs_parts),
                          [view](const cs_part *part) { return part->place[view] != 0; });

        EXPECT_EQ(count, static_cast<size_t>(with_place));
        for (size_t i = 1; i < count; i++)
            EXPECT_LT(cs_parts[order[i - 1]]->place[view], cs_parts[order[i]]->place[view])
                << cs_parts[order[i]]->name;
    }
}

TEST(Parts, NoTwoPartsHaveTheSameTableOrKindOfImages)
{
    std::set<std::string> tables, formats;

    for (const cs_part *part : cs_parts) {
        for (auto table = part->tables; table != nullptr && *table != nullptr; table++)
            EXPECT_TRUE(tables.insert((*table)->create).second) << (*table)->create;
        for (auto image = part->images; image != nullptr && *image != nullptr; image++)
            EXPECT_TRUE(formats.insert((*image)->format).second) << (*image)->format;
    }
    unsigned kinds = 0;
    while (cs_image_format(kinds) != nullptr)
        EXPECT_EQ(formats.count(cs_image_format(kinds++)), 1u);
    EXPECT_EQ(kinds, formats.size());
}
