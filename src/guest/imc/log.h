/* What the plugin tells of a guest: lines of a text file, each a letter and numbers in hexadecimal.
 *
 *   S session cycle address             LDBAR was written with TRACE: a session begins
 *   R number session cycle tb ip pid mode address    the engine has written a record
 *   D number                            the driver has read it, and taken it
 *   P pid process                       a program of ours said which process its PID register is
 *   C pid pc count                      so often was this instruction executed while trace mode ran
 *   T pid count cycles                  sum of those, and cycles of trace mode
 *   X text                              something went wrong
 *   E instructions cycles idle          the end
 *
 * What the guest puts out is in files beside it, "out-NAME". */
#ifndef CS_GUEST_IMC_LOG_H
#define CS_GUEST_IMC_LOG_H

#define CS_GUEST_LOG "log"
#define CS_GUEST_SETTINGS "settings"
#define CS_GUEST_OUT "out-"

/* `ori 0,0,..`: a program of ours asks for something, r3 says for what. */
#define CS_GUEST_CALL 0x60005ca1u
#define CS_GUEST_CALL_PUT 1u     /* r4: bytes, r5: how many */
#define CS_GUEST_CALL_PROCESS 2u /* r4: the process */
#define CS_GUEST_CALL_NAME 3u    /* r4: name of what is put from here on */

/* The kernel's functions that read the buffers. */
#define CS_GUEST_DRIVER_NAMES                                                                      \
    {                                                                                              \
        "dump_trace_imc_data", "trace_imc_event_"                                                  \
    }

#endif
