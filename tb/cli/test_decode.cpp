#include <sstream>

#include "cli/shell.hpp"
#include "support/database.hpp"
#include "support/json_flat.hpp"

using namespace cs_test;

namespace
{

using Rows = std::vector<std::string>;

struct Decode : Command {
    void SetUp() override
    {
        Command::SetUp();
        simulate("out");
    }
    std::string decode(const std::string &options)
    {
        const Outcome o = run("decode --slots 2 " + options + " out/samples.aux");

        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(o.err, "");
        return o.out;
    }
    // "sample|subsample|cpu|count" of every value in the order of decode; 2 groups a sample.
    Rows values()
    {
        return Database(temp.file("out/truth.sqlite"))
            .ask("SELECT subsample / 2, subsample % 2, cpu, value FROM sample "
                 "ORDER BY subsample, cpu, position");
    }
    // The names of the events likewise; the padding of the last group has a number only.
    Rows names()
    {
        return Database(temp.file("out/truth.sqlite"))
            .ask("SELECT coalesce(e.name, printf('0x%04x', s.event)) FROM sample s "
                 "LEFT JOIN event e ON e.number = s.event AND e.cycle_counter = (s.position = 8) "
                 "ORDER BY subsample, cpu, position");
    }
};

} // namespace

static Rows split(const std::string &text, char separator)
{
    Rows parts;
    std::istringstream in(text);

    for (std::string part; std::getline(in, part, separator);)
        parts.push_back(part);
    return parts;
}

TEST_F(Decode, CsvIsWhatTheDatabaseSays)
{
    const Rows lines = split(decode("--format csv"), '\n');
    const Rows expected = values();
    const Rows event = names();

    ASSERT_EQ(expected.size(), 8u * 9 * 4);
    ASSERT_EQ(lines.size(), expected.size() + 1);
    EXPECT_EQ(lines[0], "sample,subsample,cpu,cid1,cid2,event,count");
    for (size_t i = 0; i < expected.size(); i++) {
        const Rows cells = split(lines[i + 1], ',');

        ASSERT_EQ(cells.size(), 7u) << lines[i + 1];
        EXPECT_EQ(cells[0] + "|" + cells[1] + "|" + cells[2] + "|" + cells[6], expected[i]);
        EXPECT_EQ(cells[5], event[i]);
    }
}

TEST_F(Decode, JsonIsWhatTheDatabaseSays)
{
    temp.write("d.json", decode("-f json"));
    auto json = json_flat(temp.file("d.json"));
    const Rows expected = values();
    const Rows event = names();

    ASSERT_EQ(json.size(), expected.size() * 7);
    for (size_t i = 0; i < expected.size(); i++) {
        const std::string at = std::to_string(i) + ".";

        EXPECT_EQ(json[at + "sample"] + "|" + json[at + "subsample"] + "|" + json[at + "cpu"] +
                      "|" + json[at + "count"],
                  expected[i]);
        EXPECT_EQ(json[at + "event"], event[i]);
    }
}

TEST_F(Decode, TextIsWhatTheDatabaseSays)
{
    const Rows expected = values();
    size_t at = 0;

    for (const std::string &line : split(decode(""), '\n')) {
        std::istringstream in(line);
        Rows words;

        for (std::string word; in >> word;)
            words.push_back(word);
        if (words.empty() || words[0] == "sample")
            continue;
        ASSERT_EQ(words.size(), 5u + 9) << line;
        for (size_t i = 5; i < words.size(); i++, at++) {
            ASSERT_LT(at, expected.size());
            EXPECT_EQ(words[0] + "|" + words[1] + "|" + words[2] + "|" + words[i], expected[at]);
        }
    }
    EXPECT_EQ(at, expected.size());
}

TEST_F(Decode, ContextsAreThoseOfTheWindows)
{
    Database db(temp.file("out/truth.sqlite"));
    const Rows lines = split(decode("--format csv"), '\n');

    for (const std::string &row :
         db.ask("SELECT subsample / 2, subsample % 2, cpu, cid1, cid2 FROM window")) {
        std::string start = row + ",";
        size_t found = 0;

        for (char &c : start)
            c = c == '|' ? ',' : c;
        for (const std::string &line : lines)
            found += line.compare(0, start.size(), start) == 0;
        EXPECT_EQ(found, 9u) << row;
    }
    EXPECT_EQ(db.number("SELECT count(*) FROM window WHERE cid1 NOT IN (0x101, 0x102)"), 0);
}

TEST_F(Decode, SeveralBuffersReadAsOne)
{
    // A buffer holds a few samples; the rest of it is a gap.
    const Outcome o =
        run("run -o many --set driver.nr_sample=40 --set driver.aux_buffer_bytes=4096 "
            "small.yaml");

    ASSERT_EQ(o.status, 0) << o.err;
    Database db(temp.file("many/truth.sqlite"));
    const Outcome csv = run("decode --slots 2 -f csv many/samples.aux");
    ASSERT_EQ(csv.status, 0) << csv.err;
    const Rows lines = split(csv.out, '\n');
    const Rows expected = db.ask("SELECT value FROM sample ORDER BY subsample, cpu, position");
    ASSERT_EQ(lines.size(), expected.size() + 1);
    for (size_t i = 0; i < expected.size(); i++)
        ASSERT_EQ(split(lines[i + 1], ',')[6], expected[i]) << "value " << i;
}
