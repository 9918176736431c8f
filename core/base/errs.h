/* Every message of moontile, once, in both languages.
 * ERR(id, code, level, title en, title zh, label en, label zh, help en, help zh)
 * {1} .. {6} are the arguments.  The title says what is wrong in a few lower-
 * case words without a full stop; the label stands beside the carets and gives
 * the values and the limit; the help says one thing to do.  "" leaves it out.
 * Codes: E0xx language and text, E1xx kernels, E2xx host calls, E3xx running,
 * E4xx environment, E500 checks of a kernel, E530 layouts and lowering (errors
 * and notes), E600 what the simulator finds, E650 host calls again, E780 puzzles, E860 solutions that are judged, E9xx bugs of ours.  Numbers are never reused.
 * Groups live in the files below, one a subject, so that they stay readable. */
ERR(memory, "E900", Lerror, "out of memory", "内存不足",
    "{1} bytes were needed, the limit is {2}", "所需字节数：{1}；上限：{2}",
    "make the program smaller, or close other programs", "请缩小程序，或关闭其他程序")
ERR(bug, "E999", Lerror, "a bug in moontile, not in your program", "这是 moontile 的缺陷，与您的程序无关",
    "{1}", "{1}",
    "please report it with the program that shows it", "请附上能重现问题的程序并报告给我们")
#include "errs_lang.h"
#include "errs_ir.h"
#include "errs_kernel.h"
#include "errs_check.h"
#include "errs_host.h"
#include "errs_run.h"
#include "errs_lower.h"
#include "errs_sim.h"
#include "errs_puzzles.h"
#include "errs_judge.h"
#include "errs_serve.h"
#include "errs_wave.h"
#include "errs_remote.h"
#include "errs_dialect.h"
#include "errs_packs.h"
#include "errs_doctor.h"
