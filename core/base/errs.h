/* Every message of moontile, once, in both languages.
 * ERR(id, code, level, title en, title zh, label en, label zh, help en, help zh)
 * {1} .. {6} are the arguments, {0|x:to(d)|x.to(d)} is code for who writes Lua and for who writes Python.  The title says what is wrong in a few lower-
 * case words without a full stop; the label stands beside the carets and gives
 * the values and the limit; the help says one thing to do.  "" leaves it out.
 * Codes: E0xx language and text, E1xx kernels, E2xx host calls, E3xx running,
 * E4xx environment, E500 checks of a kernel, E530 layouts and lowering (errors
 * and notes), E600 what the simulator finds, E650 host calls again, E780 puzzles, E860 solutions that are judged, E9xx bugs of ours, E1050 to E1149 what Python
 * programs raise.  Numbers are never reused.
 * Groups live in errs/, one a subject.  Who speaks of E_x includes "err/GROUP.h", which the build
 * makes of the group's ids, with Holes_E_x, the highest {n} in x's texts: it changes when a row
 * comes or goes or takes another number of arguments, not with a text. */
#ifndef ERRS
#define ERRS(group)
#endif
ERRS(base)
#include "errs/base.h"
ERRS(lang)
#include "errs/lang.h"
ERRS(ir)
#include "errs/ir.h"
ERRS(kernel)
#include "errs/kernel.h"
ERRS(check)
#include "errs/check.h"
ERRS(host)
#include "errs/host.h"
ERRS(hostops)
#include "errs/hostops.h"
ERRS(autograd)
#include "errs/autograd.h"
ERRS(run)
#include "errs/run.h"
ERRS(launch)
#include "errs/launch.h"
ERRS(room)
#include "errs/room.h"
ERRS(build)
#include "errs/build.h"
ERRS(target)
#include "errs/target.h"
ERRS(lower)
#include "errs/lower.h"
ERRS(layouts)
#include "errs/layouts.h"
ERRS(pipes)
#include "errs/pipes.h"
ERRS(order)
#include "errs/order.h"
ERRS(sim)
#include "errs/sim.h"
ERRS(puzzles)
#include "errs/puzzles.h"
ERRS(judge)
#include "errs/judge.h"
ERRS(serve)
#include "errs/serve.h"
ERRS(server)
#include "errs/server.h"
ERRS(cuda)
#include "errs/cuda.h"
ERRS(gpu)
#include "errs/gpu.h"
ERRS(remote)
#include "errs/remote.h"
ERRS(python_run)
#include "errs/python_run.h"
ERRS(dialect)
#include "errs/dialect.h"
ERRS(python_scope)
#include "errs/python_scope.h"
ERRS(python_kernel)
#include "errs/python_kernel.h"
ERRS(python_convert)
#include "errs/python_convert.h"
ERRS(python)
#include "errs/python.h"
ERRS(packs)
#include "errs/packs.h"
ERRS(doctor)
#include "errs/doctor.h"
