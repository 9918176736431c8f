-- let_ways.lua: lets that name lets before them, so that the ways from the last to the first
-- double with each: as indices, regions, conditions and ends of loops, of all blocks, rounds
-- and values of memory.  Whoever follows lets looks at each once; and computes the same.
local Depth, Rounds = 40, 4

-- two lets a step, of those before, as the IR has them and as Lua computes them
local forms = {
  {"one", "(P + P // 3) % 1009", "Q",
    function(p, q) return (p + p // 3) % 1009, q end},
  {"two", "(P + Q) % 1013", "(P * 3 - Q + 2000) % 1009",
    function(p, q) return (p + q) % 1013, (p * 3 - q + 2000) % 1009 end},
  {"chosen", "select(P % 7 < 3, P + K, Q // 2)", "(P // 2 + Q) % 1021",
    function(p, q, k) return p % 7 < 3 and p + k or q // 2, (p // 2 + q) % 1021 end},
  {"bits", "(P ^ (Q >> 1)) % 1024", "(Q + P % 5) % 1019",
    function(p, q) return (p ~ (q >> 1)) % 1024, (q + p % 5) % 1019 end},
}

local sources = {
  {"blocks", "bx", function(b, r) return b end},
  {"rounds", "r", function(b, r) return r end},
  {"both", "bx * 8 + r", function(b, r) return b * 8 + r end},
  {"memory", "A[r + 1]", function(b, r) return r + 1 end},
}

local places = {
  {"index", "W[bx, V, tx] = A[tx] + r\ncall sync_threads(-1, -1)\nC[bx, r, tx] = W[bx, V, 63 - tx]",
    function(v, r, t) return 63 - t + r end},
  {"region", "copy B[V:+64] -> S\nC[bx, r, tx] = S[63 - tx]",
    function(v, r, t) return v + 63 - t end},
  {"condition", "if V % 3 > 0 then\nS[tx] = V + tx\nelse\nS[tx] = tx\nend\nC[bx, r, tx] = S[63 - tx]",
    function(v, r, t) return v % 3 > 0 and v + 63 - t or 63 - t end},
  {"end of a loop", "for q in serial(V % 3 + 1) do\nS[tx] = q + tx\nC[bx, r, tx] = S[63 - tx]\nend",
    function(v, r, t) return v % 3 + 63 - t end},
  {"parallel", "for j in parallel(64) do\nS[(j + V) % 64] = j\nend\nC[bx, r, tx] = S[tx]",
    function(v, r, t) return (t - v) % 64 end},
}

local function text(form, source, place, loop)
  local t = {("let p0 = %s\nlet q0 = p0 + 1"):format(source[2])}
  for k = 1, Depth do
    local to = {P = "p" .. k - 1, Q = "q" .. k - 1, K = tostring(k)}
    for i, name in ipairs {"p", "q"} do
      t[#t + 1] = ("let %s%d = %s"):format(name, k, (form[1 + i]:gsub("[PQK]", to)))
    end
  end
  return ([[
kernel k(A, B, W, C)
  buffer A: global int32[64]
  buffer B: global int32[2048]
  buffer W: global int32[3, 2048, 64]
  buffer C: global int32[3, 4, 64]
  launch bx in 3 threads tx in 64 do
%s    for r in %s(%d) do
%s
%s
    end
  end
end
]]):format(place[2]:find "S%[" and "alloc S: shared int32[64]\n" or "", loop, Rounds, table.concat(t, "\n"), (place[2]:gsub("%f[%w]V%f[%W]", "p" .. Depth)))
end

local function wanted(form, source, place)
  local t = {}
  for b = 0, 2 do
    for r = 0, Rounds - 1 do
      local p = source[3](b, r)
      local q = p + 1
      for k = 1, Depth do p, q = form[4](p, q, k) end
      for i = 0, 63 do t[#t + 1] = place[3](p, r, i) end
    end
  end
  return tl.from_table(t, "int32"):reshape {3, 4, 64}
end

local function run(form, source, place, loop, target)
  local c = tl.zeros({3, 4, 64}, "int32")
  local k = tl.from_ir(text(form, source, place, loop), {target = target})
  k(tl.arange(64, "int32"), tl.arange(2048, "int32"), tl.zeros({3, 2048, 64}, "int32"), c)
  tl.testing.assert_close(c, wanted(form, source, place), {rtol = 0, atol = 0})
end

for _, place in ipairs(places) do
  for _, source in ipairs(sources) do
    for i, form in ipairs(forms) do
      run(form, source, place, "serial", "sim -arch=sm_80")
      run(form, source, place, "unroll", "sim -arch=sm_90a")
      run(form, source, place, "serial", i % 2 == 0 and "sim -arch=gfx942" or "sim -arch=c500")
      if i == 1 + #source[1] % 2 then -- gcc takes its time
        run(form, source, place, "serial", "cpu")
      end
    end
  end
  print(place[1])
end
