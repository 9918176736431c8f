-- help/of_results.lua: what profilers and results of k:bench and k:check offer.

local profiler = require "moontile.tl.profiler"

return {
  {
    kind = "profiler", var = "p", methods = profiler.Profiler,
    {"do_bench", "(warmup, rep, {..})",
      sig = "p:do_bench([warmup, rep,] {n_warmup =, n_repeat =, quantiles =, return_mode =, " ..
        "flush =, func =, input_tensors =, dynamic_symbolic_constraints =})",
      en = "milliseconds of a run: the median, with the caches flushed before each",
      zh = "一次运行的毫秒数：中位数，每次运行前清空缓存",
      more = {
        en = "warmup and rep are milliseconds, n_warmup and n_repeat counts.  return_mode: "
          .. "median, mean, min, max; quantiles = {0.2, 0.5} gives those.  func: time that "
          .. "function instead.",
        zh = "warmup 与 rep 以毫秒计，n_warmup 与 n_repeat 为次数。return_mode：median、mean、min、max；"
          .. "quantiles = {0.2, 0.5} 返回相应分位数。func：改为对该函数计时。",
      },
      example = "print(k:get_profiler():do_bench {n_warmup = 1, n_repeat = 3})",
      see = {"kernel:bench", "tl.profiler.do_bench"}},
    {"assert_allclose", "(reference, {atol = 1e-2, rtol = 1e-2, max_mismatched_ratio = 0.01, input_tensors =})",
      en = "an error unless the kernel's results match a function of the same inputs; as in TileLang one element of "
        .. "a hundred may differ, which a note says",
      zh = "内核结果与参考函数的结果不符时报错；同 TileLang，允许百分之一的元素不同，并给出提示",
      example = "k:get_profiler():assert_allclose(tl.ref.matmul)",
      see = {"tl.testing.assert_close", "kernel:check"}},
    {"assert_consistent", "(count = 10)", en = "an error unless all runs are bitwise equal",
      zh = "多次运行的结果不完全相同时报错", example = "k:get_profiler():assert_consistent(2)"},
    {"manual_assert_close", "(reference, inputs, check)",
      en = "calls check with the kernel's results and the reference's",
      zh = "以内核结果与参考结果调用 check",
      example = "k:get_profiler():manual_assert_close(tl.ref.matmul, nil, function(got, want)\n" ..
        "  print(#got, #want)\nend)"},
    {"run_once", "(f)", en = "runs the kernel, or f, once with fresh inputs",
      zh = "用新生成的输入运行一次内核或 f", example = "c = k:get_profiler():run_once()"},
    {"inputs", "(sizes, scalar)", en = "fresh arguments for the kernel, in its order",
      zh = "为内核生成一组参数，按其顺序", example = "print(#k:get_profiler():inputs())"},
  },
  {
    kind = "bench", var = "r", methods = {},
    {"ms", field = true, en = "milliseconds per run, the median; q1 and q3 are the quartiles",
      zh = "一次运行的毫秒数（中位数）；q1、q3 为四分位数",
      example = "r = k:bench {rounds = 3}   print(r.ms > 0, r.q1 <= r.q3)", see = {"kernel:bench"}},
    {"times", field = true, en = "milliseconds of all rounds", zh = "各轮的毫秒数",
      example = "print(#k:bench {rounds = 3}.times)"},
    {"ratio", field = true, en = "time of `vs` over the kernel's: above 1, the kernel is faster",
      zh = "`vs` 的时间与内核时间之比：大于 1 表示内核更快",
      example = "print(k:bench {vs = tl.ref.matmul, rounds = 3}.ratio > "
        .. "0)", see = {"kernel:bench"}},
    {"tflops", field = true, en = "arithmetic, in 1e12 operations per second",
      zh = "运算速率，单位 10^12 次/秒", example = "print(k:bench {rounds = 3}.tflops)"},
    {"tbs", field = true, en = "memory traffic, each byte counted once, in 1e12 bytes per second",
      zh = "内存流量（每个字节只计一次），单位 10^12 字节/秒",
      example = "print(k:bench {rounds = 3}.tbs)"},
  },
  {
    kind = "check", var = "r", methods = {},
    {"ok", field = true, en = "whether every size that was tried is correct",
      zh = "所有试过的尺寸是否都正确",
      example = "print(k:check().ok)", see = {"kernel:check"}},
    {"runs", field = true, en = "{size, verdict = \"ok\", \"wrong\" or \"refused\", error} for "
      .. "each size",
      zh = "每个尺寸一项：{size, verdict = \"ok\"、\"wrong\" 或 \"refused\", error}",
      example = "print(k:check().runs[1].verdict)", see = {"kernel:check"}},
  },
}
