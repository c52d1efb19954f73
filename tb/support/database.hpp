// SPDX-License-Identifier: Apache-2.0
// Questions to an SQLite file, answered as text: one string a row, columns joined by '|'.
#ifndef CS_TB_SUPPORT_DATABASE_HPP
#define CS_TB_SUPPORT_DATABASE_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <sqlite3.h>

namespace cs_test
{

class Database
{
  public:
    explicit Database(const std::string &path)
    {
        if (sqlite3_open_v2(path.c_str(), &db_, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) {
            sqlite3_close(db_);
            throw std::runtime_error("cannot open " + path);
        }
    }
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;
    ~Database()
    {
        sqlite3_close(db_);
    }

    std::vector<std::string> ask(const std::string &sql) const
    {
        std::vector<std::string> rows;
        sqlite3_stmt *statement = nullptr;

        if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
            throw std::runtime_error(sql + ": " + sqlite3_errmsg(db_));
        while (sqlite3_step(statement) == SQLITE_ROW) {
            std::string row;

            for (int i = 0; i < sqlite3_column_count(statement); i++) {
                const unsigned char *text = sqlite3_column_text(statement, i);

                row += (i == 0 ? "" : "|");
                row += text == nullptr ? "NULL" : reinterpret_cast<const char *>(text);
            }
            rows.push_back(row);
        }
        sqlite3_finalize(statement);
        return rows;
    }
    std::string one(const std::string &sql) const
    {
        const auto rows = ask(sql);

        return rows.size() == 1 ? rows[0] : "(" + std::to_string(rows.size()) + " rows)";
    }
    double real(const std::string &sql) const
    {
        return std::stod(one(sql));
    }
    int64_t number(const std::string &sql) const
    {
        return std::stoll(one(sql));
    }

  private:
    sqlite3 *db_ = nullptr;
};

} // namespace cs_test

#endif
