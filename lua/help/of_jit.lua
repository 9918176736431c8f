-- help/of_jit.lua: what functions of tl.jit and programs of T.prim_func offer.

local Jit = require("moontile.tl.jit").Jit
local Prim = require("moontile.T.func").Prim

return {
  {
    kind = "jit", var = "f", methods = Jit, internal = {resolve = true},
    {"compile", "{M =, BM =, ..}", sig = "f:compile{NAME = VALUE, ..}",
      en = "the kernel for given values, without tensors and without running it",
      zh = "给出取值，得到内核；不需要张量，也不运行",
      more = {
        en = "Names are compile-time parameters and the constants of T.const.  Values may also "
          .. "be given as in a call, including tensors.",
        zh = "名称为编译期参数与 T.const 的常量。也可以像调用那样按位置给出，包括张量。",
      },
      example = "k = f:compile {M = 64, N = 64, K = 64, BM = 32, BN = 32, BK = 32}",
      see = {"tl.jit", "jit.last", "jit:par_compile"}},
    {"tune", "(..., {budget =, space =, ..})",
      en = "the fastest kernel for these arguments", zh = "在给定参数下最快的内核",
      more = {
        en = "The last table holds compile-time values and the options of k:tune; tensors "
          .. "before it "
          .. "are the inputs of the trials.",
        zh = "最后一个表给出编译期参数与 k:tune 的选项；前面的张量作为试验的输入。",
      },
      example = "best = f:tune(a, b, {BM = 32, BN = 32, BK = 32, budget = '2s', cache = false,\n" ..
        "  space = {BM = {32, 64}}})",
      see = {"kernel:tune", "tl.autotune"}},
    {"par_compile", "(configs, {ignore_error =})", en = "the kernels of a list of argument tables",
      zh = "对一组参数表逐一编译，返回内核列表",
      more = {en = "With ignore_error, a failed one is false in the list.",
        zh = "ignore_error：编译失败处为 false。"},
      example = "ks = f:par_compile {{M = 64, N = 64, K = 64, BM = 32, BN = 32, BK = 32}}",
      see = {"jit:compile"}},
    {"get_kernel_source", "{..}", sig = "f:get_kernel_source{NAME = VALUE, ..}",
      en = "the source of the kernel for given values", zh = "给定取值时内核的源代码",
      example = "print(#f:get_kernel_source {M = 64, N = 64, K = 64, BM = 32, BN = 32, BK = 32})",
      see = {"kernel:get_kernel_source"}},
    {"get_tir", "{..}", sig = "f:get_tir{NAME = VALUE, ..}",
      en = "the tile program for given values, as text", zh = "给定取值时的分块程序（文本）",
      example = "print(f:get_tir {M = 64, N = 64, K = 64, BM = 32, BN = 32, BK = 32})",
      see = {"kernel:ir"}},
    {"last", field = true, en = "the kernel of the last call or compilation",
      zh = "最近一次调用或编译得到的内核", example = "print(f.last)", see = {"jit:compile"}},
    {"params", field = true, en = "names of the function's parameters", zh = "函数的参数名",
      example = "print(table.concat(f.params, ' '))"},
  },
  {
    kind = "prim_func", var = "p", methods = Prim,
    {"script", "()", en = "the tile program as text", zh = "分块程序的文本",
      example = [[
p = T.prim_func(function(X)
  X: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do T.fill(X, 1) end
end)
print(p:script())]], see = {"T.prim_func", "tl.compile"}},
  },
}
