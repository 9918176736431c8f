-- B = 2 A + i: elementwise, so that every cheat has to be in the kernel.
return {
  name = "double",
  title = {en = "Twice", zh = "两倍"},
  level = "easy",
  minutes = 1,
  teaches = {en = "nothing", zh = "无"},
  names = {"T.Parallel"},
  parts = {
    {
      name = "double",
      inputs = {{name = "A", shape = {"N"}, dtype = "float16"}},
      outputs = {{name = "B", shape = {"N"}, dtype = "float16"}},
      config = {{"BLOCK", 64}},
      visible = {{N = 64}, {N = 100}},
      hidden = {N = {2, 300}},
      reference = function(x, size)
        return {B = ref.add(ref.mul(x.A, 2), tl.arange(0, size.N):to "float64")}
      end,
      precision = {acc = "float32", steps = 2},
    },
  },
}
