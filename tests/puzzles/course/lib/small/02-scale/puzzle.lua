return {
  name = "scale", title = {en = "Scale", zh = "缩放"}, level = "easy", minutes = 5,
  teaches = {en = "one thing", zh = "一件事"}, names = {"T.Parallel"},
  parts = {
    {
      name = "double", given = true, title = {en = "times two", zh = "乘二"},
      inputs = {{name = "A", shape = {"N"}, dtype = "float32"}},
      outputs = {{name = "B", shape = {"N"}, dtype = "float32"}},
      visible = {{N = 40}, {N = 1}},
      hidden = {N = {1, 90}},
      reference = function(x) return {B = ref.add(x.A, x.A)} end,
      precision = {acc = "float32", steps = function() return 1 end},
    },
    {
      name = "triple", title = {en = "times three", zh = "乘三"},
      inputs = {{name = "A", shape = {"N"}, dtype = "float32"}},
      outputs = {{name = "B", shape = {"N"}, dtype = "float32"}},
      visible = {{N = 40}, {N = 1}},
      hidden = {N = {1, 90}},
      reference = function(x) return {B = ref.add(ref.add(x.A, x.A), x.A)} end,
      precision = {acc = "float32", steps = function() return 1 end},
    },
    {
      name = "fourfold", title = {en = "times four", zh = "乘四"},
      inputs = {{name = "A", shape = {"N"}, dtype = "float32"}},
      outputs = {{name = "B", shape = {"N"}, dtype = "float32"}},
      visible = {{N = 40}, {N = 1}},
      hidden = {N = {1, 90}},
      reference = function(x) return {B = ref.add(ref.add(x.A, x.A), ref.add(x.A, x.A))} end,
      precision = {acc = "float32", steps = function() return 1 end},
    },
  },
}
