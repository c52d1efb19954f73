/* Several CPUs that take turns, and a plugin that is to know whose turn it is: what QEMU's interface for
 * plugins does not give. Debian's QEMU has modules, so it shows all of its functions. */
#ifndef CS_GUEST_IMC_PLUGIN_TURNS_H
#define CS_GUEST_IMC_PLUGIN_TURNS_H

#include <stdbool.h>

/* The CPU is there. False: this QEMU is another. */
bool turns_know(unsigned cpu);

/* A QEMU whose CPUs take turns makes a plugin's code as if there was one CPU, that which the code was
 * made on; not for CPUs of which it is told that they are parallel. From here.. */
void turns_make(void);
/* .. to here they are: code of the guest's own would be other code. */
void turns_made(void);

/* The CPU's turn ends with the block that it executes. */
void turns_end(unsigned cpu);

#endif
