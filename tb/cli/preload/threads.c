// SPDX-License-Identifier: Apache-2.0
/* To be preloaded: a system that starts no thread, as where a container has a limit of processes. */
#include <errno.h>
#include <pthread.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    (void)thread;
    (void)attributes;
    (void)start;
    (void)argument;
    return EAGAIN;
}
