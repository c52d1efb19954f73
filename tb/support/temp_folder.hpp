// SPDX-License-Identifier: Apache-2.0
// A folder of a test's own, gone with the test.
#ifndef CS_TB_SUPPORT_TEMP_FOLDER_HPP
#define CS_TB_SUPPORT_TEMP_FOLDER_HPP

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

namespace cs_test
{

class TempFolder
{
  public:
    TempFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "countersink-XXXXXX").string();

        if (mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("cannot make " + name);
        path_ = name;
    }
    TempFolder(const TempFolder &) = delete;
    TempFolder &operator=(const TempFolder &) = delete;
    ~TempFolder()
    {
        std::error_code ignored;

        std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path &path() const
    {
        return path_;
    }
    std::string file(const std::string &name) const
    {
        return (path_ / name).string();
    }
    bool has(const std::string &name) const
    {
        return std::filesystem::exists(path_ / name);
    }

    // Every file and folder below, hidden ones too, as paths from here.
    std::set<std::string> tree(const std::string &below = ".") const
    {
        std::set<std::string> result;

        for (const auto &entry : std::filesystem::recursive_directory_iterator(path_ / below))
            result.insert(entry.path().lexically_relative(path_ / below).string());
        return result;
    }

    std::string write(const std::string &name, const std::string &text) const
    {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return file(name);
    }
    std::string read(const std::string &name) const
    {
        std::ifstream in(path_ / name, std::ios::binary);
        std::ostringstream text;

        text << in.rdbuf();
        return text.str();
    }

  private:
    std::filesystem::path path_;
};

} // namespace cs_test

#endif
