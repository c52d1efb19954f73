/* What the plugin tells of a guest: lines of a text file, each a letter and numbers in hexadecimal.
 *
 *   S session cycle address             LDBAR was written with TRACE: a session begins
 *   R number session cycle tb ip pid mode address    the engine has written a record
 *   D number                            the driver has read it, and taken it
 *   A number cycle address value..      an engine has posted: added those values to memory from there
 *   B domain address                    a table of counters is there (cs_imc_domain)
 *   W address bytes                     it has written there: counters are 0
 *   M role cycle address count          the driver has read (bridge_role); count: what a counter
 *                                       would have said there that had always counted
 *   N name                              what the guest puts out begins
 *   P pid process cycle                 a program of ours said which process its PID register is
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
#define CS_GUEST_CALL_PROCESS 2u /* r4: the process; 0: it ends */
#define CS_GUEST_CALL_NAME 3u    /* r4: name of what is put from here on */

/* HOMER of chip 0, in QEMU's powernv9; and a word in it by which it is known, with its complement
 * behind it. */
#define CS_GUEST_HOMER UINT64_C(0x203ffd800000)
#define CS_GUEST_HOMER_BYTES UINT64_C(0x400000)
#define CS_GUEST_HOMER_MARK_AT 0x1bff00u
#define CS_GUEST_HOMER_MARK UINT64_C(0x6b6e697372656b63)

/* The nest's window in it. */
#define CS_GUEST_NEST (CS_GUEST_HOMER + 0x180000)

#endif
