// SPDX-License-Identifier: Apache-2.0
// CTF that we write and read: texts and names up to the longest, and what is refused because our reader
// does not take it, or takes it for something else.
#include "ctf_trace.hpp"
#include "formats/timeline/timeline_reading.hpp"

using namespace ctf_trace;

namespace
{

const std::string kText(CS_CTF_TEXT_BYTES, 't'), kName(CS_CTF_IDENTIFIER_BYTES, 'n');

// Tables in which each text is given.
struct Tables {
    std::string event = "e", label = "l", fact = "f", fact_name = "fact", field = "x",
                instance = "cpu_id", clock = "bus";

    void create(cs_status expected, const std::string &text)
    {
        const cs_field_label labels[] = {{1, label.c_str()}};
        const cs_field fields[] = {{field.c_str(), CS_FIELD_ENUM, 8, labels, 1}};
        const cs_ctf_event_class events[] = {{event.c_str(), fields, 1}};
        const cs_ctf_stream_class classes[] = {{instance.c_str(), events, 1}};
        const cs_ctf_fact facts[] = {{fact_name.c_str(), fact.c_str(), 0}};
        cs_ctf_config c = config();

        c.clock_name = clock.c_str();
        c.facts = facts;
        c.nr_facts = 1;
        c.classes = classes;
        c.nr_classes = 1;
        Trace t(c);
        EXPECT_EQ(t.status, expected) << text << ": " << t.diag.text;
        EXPECT_EQ(std::string(t.diag.text), text);
        EXPECT_EQ(t.folder.has("trace"), expected == CS_OK);
        if (t.status == CS_OK)
            read_back(t);
    }

    void read_back(Trace &t) const
    {
        const cs_field_value value = {1};
        cs_ctf_stream *stream = t.open(0, 7, "s");

        ASSERT_EQ(cs_ctf_label(stream, kText.c_str(), &t.diag), CS_OK);
        EXPECT_EQ(cs_ctf_label(stream, (kText + "x").c_str(), &t.diag), CS_ERR_RANGE);
        EXPECT_STREQ(t.diag.text, "a text of 1024 bytes, expected at most 1023");
        ASSERT_EQ(cs_ctf_put(stream, 0, 5, &value), CS_OK);
        ASSERT_EQ(t.close(), CS_OK) << t.diag.text;
        const timeline_reading::Reading reading = timeline_reading::read_ctf(t.path);
        ASSERT_EQ(reading.status, CS_OK) << reading.error;
        EXPECT_EQ(reading.rows, (timeline_reading::Rows{"5 " + event + "|" + instance + "=" +
                                                        kText + "|" + field + "=" + label}));
    }
};

} // namespace

TEST(CtfLimits, TheLongestIsRead)
{
    Tables t;

    t.event = t.label = t.fact = kText;
    t.fact_name = t.field = t.instance = t.clock = kName;
    t.create(CS_OK, "");
}

TEST(CtfLimits, LongerIsRefused)
{
    const struct {
        std::string Tables::*what;
        const char *text;
    } cases[] = {
        {&Tables::event, "a text of 1024 bytes, expected at most 1023"},
        {&Tables::label, "a text of 1024 bytes, expected at most 1023"},
        {&Tables::fact, "a text of 1024 bytes, expected at most 1023"},
        {&Tables::fact_name, "the name of a fact is not an identifier, or a word of TSDL"},
        {&Tables::field, "the name of a field is not an identifier of at most 255 bytes"},
        {&Tables::instance,
         "the name of a stream's number is not an identifier, or a word of TSDL"},
        {&Tables::clock, "the clock's name is not an identifier, or a word of TSDL"},
    };

    for (const auto &c : cases) {
        const bool is_text = std::string(c.text).rfind("a text", 0) == 0;
        Tables t;

        t.*c.what = is_text ? kText + "x" : kName + "x";
        t.create(CS_ERR_RANGE, c.text);
    }
}

// Readers would take them for the packet's own, whose underscore they take off.
TEST(CtfLimits, NamesOfThePacketAreRefused)
{
    const std::string text = "a stream's number is called as a field of the packet";

    for (const char *name :
         {"packet_size", "content_size", "timestamp_begin", "timestamp_end", "packet_seq_num"}) {
        Tables t;

        t.instance = name;
        t.create(CS_ERR_RANGE, text);
        t.instance = std::string("_") + name;
        t.create(CS_ERR_RANGE, text);
    }
    for (const char *name : {"packet_sizes", "magic", "uuid", "stream_id", "id", "timestamp"}) {
        Tables t;

        t.instance = name;
        t.create(CS_OK, "");
    }
}

TEST(CtfLimits, EventsHaveAnEnd)
{
    const std::string text(CS_CTF_EVENT_BYTES - 1, 'x'); // and its 0
    const cs_field field = {"text", CS_FIELD_TEXT, 0, nullptr, 0};
    const cs_ctf_event_class event = {"e", &field, 1};
    const cs_ctf_stream_class kind = {"cpu_id", &event, 1};
    cs_ctf_config c = config();
    c.classes = &kind;
    c.nr_classes = 1;
    Trace t(c);
    cs_ctf_stream *stream = t.open(0, 0, "s");
    const std::string too_long = text + "x";
    const cs_field_value values[] = {{.text = text.c_str()}, {.text = too_long.c_str()}};

    EXPECT_EQ(cs_ctf_put(stream, 0, 1, &values[1]), CS_ERR_RANGE);
    EXPECT_EQ(cs_ctf_put(stream, 0, 1, &values[0]), CS_OK);
    ASSERT_EQ(t.close(), CS_OK);
    const timeline_reading::Reading reading = timeline_reading::read_ctf(t.path);
    EXPECT_EQ(reading.status, CS_OK) << reading.error;
    EXPECT_EQ(reading.rows, (timeline_reading::Rows{"1 e|cpu_id=0|text=" + text}));
}

// Control characters stand in the metadata as C would escape them, and are shown as '?'.
TEST(CtfLimits, TextsOfAllCharactersAreRead)
{
    std::string all, shown;

    for (int c = 1; c < 0x80; c++) {
        all += static_cast<char>(c);
        shown += c < 0x20 || c == 0x7f ? '?' : static_cast<char>(c);
    }
    const cs_field_label labels[] = {{1, all.c_str()}};
    const cs_field fields[] = {{"x", CS_FIELD_ENUM, 8, labels, 1}};
    const cs_ctf_event_class events[] = {{all.c_str(), fields, 1}};
    const cs_ctf_stream_class classes[] = {{"cpu_id", events, 1}};
    const cs_field_value value = {1};
    cs_ctf_config c = config();
    c.classes = classes;
    c.nr_classes = 1;
    Trace t(c);

    ASSERT_EQ(cs_ctf_put(t.open(0, 0, "s"), 0, 1, &value), CS_OK);
    ASSERT_EQ(t.close(), CS_OK);
    const timeline_reading::Reading reading = timeline_reading::read_ctf(t.path);
    EXPECT_EQ(reading.status, CS_OK) << reading.error;
    EXPECT_EQ(reading.rows, (timeline_reading::Rows{"1 " + shown + "|cpu_id=0|x=" + shown}));
}
