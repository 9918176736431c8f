-- tl/signatures.lua: what methods and functions of the host side take, for base/accept.lua.
--
-- Only what needs to be said is here: values that a function looks at itself, such as
-- targets and shapes of tensors, have a text of their own where they are wrong.

local inputs = "list"
local which = {"shape:text which:any? o:options?", dtype = "string"}

local M = {}

M.kernel = {
  launch = {"values:list n:count alloc:function? print:function?"},
  bound = {"values:list alloc:function?"},
  time = {"values:list opts:options?", warmup = "count", times = "positive", others = "flush"},
  check = {"opts:options?", seed = "integer", sizes = "size_list", ref = "function"},
  bench = {"opts:options?", rounds = "positive", n_repeat = "positive", batch = "positive",
    n_warmup = "count", rep = "amount", warmup = "amount", inputs = inputs, input_tensors = inputs,
    sizes = "sizes", dynamic_symbolic_constraints = "sizes", scalars = "table"},
  tune = {"opts:options?", inputs = inputs, sizes = "sizes", scalars = "table", rep = "positive",
    jobs = "positive", top = "positive", rtol = "number", atol = "number",
    ref_prog = "function", max_mismatched_ratio = "number", space = "space"},
  trace = {"opts:options?", inputs = inputs, dims = "sizes", scalars = "table"},
  explain = {"opts:options?", dims = "sizes", card = "string"},
  analyze = {"opts:options?", dims = "sizes", card = "string"},
  buffers = {"opts:options?", launch = "positive"},
  layout = {"name:any? opts:options?", launch = "positive"},
}

M.compile = {"f:any opts:options", pass_configs = "table"} -- tl.jit, tl.compile and their like
M.jit = {par_compile = {"configs:tables opts:options?", others = "num_workers ignore_error"}}
M.par_compile = {"funcs:funcs opts:options?"}

M.peek = {"buffer:any opts:options?", line = "positive", inputs = inputs, seed = "integer"} -- the prompt's, too

M.profiler = {
  assert_allclose = {"reference:function opts:any? atol:number? rtol:number? ratio:number?"},
  assert_consistent = {"count:count?"},
  manual_assert_close = {"reference:function inputs:list? check:function"},
  run_once = {"f:function?"},
  inputs = {"sizes:sizes? scalar:function?"},
}

M.do_bench = {
  "opts:options?", warmup = "amount", rep = "amount", n_warmup = "count", n_repeat = "count",
  _n_warmup = "count", _n_repeat = "count", quantiles = "quantiles", input_tensors = inputs,
  dynamic_symbolic_constraints = "sizes", func = "function",
}

M.autotune = {
  "opts:options", warmup = "count", rep = "positive", timeout = "amount", rtol = "number",
  atol = "number", max_mismatched_ratio = "number", ref_prog = "function", supply_prog = "function",
  manual_check_prog = "function",
}

M.tl_layout = {
  mma = which, mfma = which, wmma = which, c500 = which,
  wgmma = {"n:any which:any? o:options?", dtype = "string"},
  swizzle = {"o:options", rows = "positive", bytes = "positive", mode = "count", dtype = "dtype", others = ""},
  padded = {"shape:shape dtype:dtype?"},
  linear = {"shape:shape"},
  parse = {"text:text"},
  cute = {"text:any o:options?", others = "tile lanes"},
  instruction = {"name:text n:positive? swapped:any?"},
}

M.ops = {
  gemm = {"a:matrix b:matrix opts:options?", out_dtype = "dtype", others = "trans_a trans_b config"},
  flash_attention = {"q:tensor4 k:tensor4 v:tensor4 opts:options?", scale = "number",
    others = "is_causal config"},
  dequant_gemm = {"x:matrix packed:tensor scale:matrix"},
  pack = {"q:matrix"},
  softmax = {"x:axes"}, rmsnorm = {"x:axes w:axes eps:number?"}, transpose = {"x:matrix"},
  sum = {"x:axes axis:integer?"}, mean = {"x:axes axis:integer?"}, max = {"x:axes axis:integer?"},
  map = {"f:function x:tensor y:tensor?"},
  add = {"x:tensor y:tensor"}, sub = {"x:tensor y:tensor"}, mul = {"x:tensor y:tensor"},
  relu = {"x:tensor"}, sigmoid = {"x:tensor"}, silu = {"x:tensor"}, gelu = {"x:tensor"},
  bias_gelu = {"x:axes b:axes"},
}

M.connect = {
  connect = {"url:any opts:options?", target = "string", token_file = "text", cacert = "text"},
}

return M
