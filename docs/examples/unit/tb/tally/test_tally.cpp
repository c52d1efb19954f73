// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/tally/tally.h"

TEST(Tally, CountsItsEventUntilItIsCleared)
{
    cs_event_source events = {};
    cs_tally tally;
    uint64_t value;

    events.sum = [](void *, uint32_t event, uint32_t, cs_cycle from, cs_cycle to) {
        return event * (to - from); // event n happens n times in each cycle
    };
    cs_tally_init(&tally, &events);
    cs_tally_write(&tally, 10, 0, false, 0x30001); // it acts at 11
    cs_tally_read(&tally, 21, 8, true, &value);
    EXPECT_EQ(value, 30u);
    cs_tally_write(&tally, 30, 8, true, 1); // cycle 30 is lost
    cs_tally_read(&tally, 32, 8, true, &value);
    EXPECT_EQ(value, 3u);
    EXPECT_TRUE(cs_tally_read(&tally, 33, 4, true, &value));
}
