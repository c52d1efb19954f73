#define _XOPEN_SOURCE 700
#include "base/files/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Who had the lock before may have removed the file meanwhile. */
int cs_lock_file(const char *path)
{
    for (;;) {
        const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        struct stat mine, there;

        if (fd < 0)
            return -1;
        if (flock(fd, LOCK_EX) != 0 || fstat(fd, &mine) != 0) {
            close(fd);
            return -1;
        }
        if (stat(path, &there) == 0 && there.st_dev == mine.st_dev && there.st_ino == mine.st_ino)
            return fd;
        close(fd);
    }
}
