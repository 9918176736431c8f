-- The programs of solve_notes.sh compute what the cpu target computes, as
-- every kind of machine; about layouts, so without the matrix units' own rounding.
local machines = {"sm_80", "sm_89", "sm_90a", "gfx942", "simt"}
local programs = {"diag", "serial", "slice", "shift", "odd229", "odd192", "odd3", "extents",
  "transpose", "digits", "threed", "owner", "stats", "policy", "fp8", "accs", "half", "tgemm", "annot",
  "condfrag", "scan", "small48", "redmix"}

-- Tensors for the parameters that are not returned, from the text's head.
local function inputs(text)
  local params, outs = text:match "kernel [%w_]+(%b())%s*%->%s*([^\n]*)"
  params = params or text:match "kernel [%w_]+(%b())"
  local list = {}
  for name in params:gmatch "[%w_]+" do
    if not (", " .. (outs or "") .. ","):find("%f[%w]" .. name .. "%f[%W]") then
      local dt, shape = text:match("buffer " .. name .. ": global ([%w_]+)%[([%d, ]+)%]")
      local size = {}
      for n in shape:gmatch "%d+" do
        size[#size + 1] = math.tointeger(n)
      end
      list[#list + 1] = dt:find "int" and tl.randint(-100, 100, size, dt) or tl.randn(size, dt)
    end
  end
  return list
end

-- What the kernel returns, and its parameters afterwards.
local function run(text, name, target, list)
  local copy = {}
  for i, t in ipairs(list) do
    copy[i] = t:clone()
  end
  local r = table.pack(tl.from_ir(text, {target = target, name = "=" .. name})(table.unpack(copy)))
  table.move(copy, 1, #copy, #r + 1, r)
  return r
end

tl.manual_seed(11)
for _, name in ipairs(programs) do
  local f <close> = assert(io.open("lib/solve/" .. name .. ".ir"))
  local text = f:read "a"
  local list = inputs(text)
  local want = run(text, name, "cpu", list)
  for _, m in ipairs(machines) do
    local ok, why = pcall(function()
      for i, t in ipairs(run(text, name, "sim -exact=off -arch=" .. m, list)) do
        tl.testing.assert_close(t, want[i], {rtol = 1e-4, atol = 1e-4})
      end
    end)
    if not ok then
      print(name, m, why)
    end
  end
  print(name)
end
