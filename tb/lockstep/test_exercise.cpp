// SPDX-License-Identifier: Apache-2.0
// What a comparison looked at (lockstep/exercise.h): nothing passes by not looking.
#include <gtest/gtest.h>

#include "forked.hpp"

static const char kDie[] = "pmcu: {clusters: 1, slots: 2}\n"
                           "workloads: [{name: w, cpus: all, segments: [{events: []}]}]\n"
                           "software: {kind: script}\n";

static Outcome compare(const std::string &script, const std::string &more = "")
{
    return compare_forked("name: looked\n" + std::string(kDie) + more + "script:\n" + script, ".");
}

static const char kPmcu[] = "  - read: {at: pmcu.FSM_STATUS}\n";
static const char kCore0[] = "  - read: {at: 0x20000e00}\n";
static const char kCore1[] = "  - read: {at: 0x20010e00}\n";

TEST(Exercise, AUnitThatDidNothingIsNotEqual)
{
    EXPECT_EQ(compare(std::string(kPmcu) + kCore0).report.what, CS_COMPARE_IDLE);
    EXPECT_EQ(compare(std::string(kCore0) + kCore1).report.what, CS_COMPARE_IDLE);
    EXPECT_EQ(compare(std::string(kPmcu) + kCore0 + kCore1).report.what, CS_COMPARE_EQUAL);
}

TEST(Exercise, WhatIsIdleOnPurposeIsNamed)
{
    const std::string script = std::string(kPmcu) + kCore0;

    EXPECT_EQ(compare(script, "compare: {idle: [core 1]}\n").report.what, CS_COMPARE_EQUAL);
    EXPECT_EQ(compare(script, "compare: {idle: [core]}\n").report.what, CS_COMPARE_EQUAL);
    EXPECT_EQ(compare(kPmcu, "compare: {idle: [core 1]}\n").report.what, CS_COMPARE_IDLE);
    EXPECT_EQ(compare(kPmcu, "compare: {idle: [all]}\n").report.what, CS_COMPARE_EQUAL);
}

TEST(Exercise, ANameThatMeansNothingIsAnError)
{
    const Outcome unknown = compare(kPmcu, "compare: {idle: [core 7]}\n");
    const Outcome busy = compare(kPmcu, "compare: {idle: [pmcu]}\n");

    EXPECT_EQ(unknown.status, CS_ERR_SCENARIO);
    EXPECT_NE(std::string(unknown.text).find("no part 'core 7'"), std::string::npos)
        << unknown.text;
    EXPECT_EQ(busy.status, CS_ERR_SCENARIO);
    EXPECT_NE(std::string(busy.text).find("'pmcu' is not idle"), std::string::npos) << busy.text;
}

TEST(Exercise, ThereMustBeHardware)
{
    const Outcome outcome = compare_forked("name: nothing\n"
                                           "software: {kind: script}\n"
                                           "pmcu: {dies: 1, clusters: 1, slots: 1}\n"
                                           "script: [{read: {at: 0x80000000}}]\n",
                                           ".");

    EXPECT_NE(outcome.report.what, CS_COMPARE_EQUAL);
}
