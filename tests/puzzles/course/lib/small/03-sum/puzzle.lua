return {
  name = "sum", title = {en = "Sum", zh = "求和"}, level = "easy", minutes = 5,
  teaches = {en = "one thing", zh = "一件事"}, names = {"T.Parallel"},
  parts = {
    {
      name = "sum", 
      inputs = {{name = "A", shape = {"N"}, dtype = "float32"}},
      outputs = {{name = "B", shape = {"N"}, dtype = "float32"}},
      visible = {{N = 40}, {N = 1}},
      hidden = {N = {1, 90}},
      reference = function(x) return {B = ref.add(x.A, ref.add(x.A, 1))} end,
      precision = {acc = "float32", steps = function() return 1 end},
    },
  },
}
