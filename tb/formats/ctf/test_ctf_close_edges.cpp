// SPDX-License-Identifier: Apache-2.0
// CTF traces: what the system tells only when a file is closed, as full disks far away do.
#include "ctf_trace.hpp"

#include <cerrno>
#include <cstdio>

#include <dlfcn.h>

// Sanitizers have an fclose of their own.
#ifndef __SANITIZE_ADDRESS__

namespace
{

// Of the files to come the one that `fails` numbers (from 1) is not closed well; 0: none is counted.
unsigned fails = 0, closed = 0;

} // namespace

extern "C" int fclose(FILE *file)
{
    static const auto real = reinterpret_cast<int (*)(FILE *)>(dlsym(RTLD_NEXT, "fclose"));
    const int result = real(file);

    if (fails == 0 || ++closed != fails)
        return result;
    errno = EIO;
    return EOF;
}

namespace
{

using namespace ctf_trace;
using namespace cs_test;

TEST(CtfClose, FilesThatAreNotClosedWellAreTold)
{
    const char *const files[] = {"metadata", "b", "a"}; // in the order in which they are closed
    const cs_ctf_config c = config();
    const auto value = values(1, "text");

    for (unsigned nr = 1; nr <= 4; nr++) {
        TempFolder folder;
        const std::string path = folder.file("trace");
        cs_ctf *trace = reinterpret_cast<cs_ctf *>(&folder);
        cs_ctf_stream *stream = nullptr;
        cs_diag diag = {};

        closed = 0;
        fails = nr;
        cs_status status = cs_ctf_create(path.c_str(), &c, &trace, &diag);
        if (status == CS_OK) {
            for (const char *name : {"a", "b"}) {
                EXPECT_EQ(cs_ctf_open(trace, 0, 0, name, &stream, &diag), CS_OK);
                EXPECT_EQ(cs_ctf_put(stream, 0, 5, value.data()), CS_OK);
            }
            status = cs_ctf_close(trace, &diag);
        } else {
            EXPECT_EQ(trace, nullptr);
            EXPECT_FALSE(folder.has("trace")) << "what was made goes";
        }
        fails = 0;
        EXPECT_EQ(status == CS_OK, nr == 4) << nr;
        if (nr == 4)
            continue;
        EXPECT_EQ(status, CS_ERR_IO);
        EXPECT_STREQ(diag.text, "cannot write: Input/output error");
        EXPECT_EQ(diag.where, path + "/" + files[nr - 1]);
    }
}

} // namespace

#endif
