-- No name of the user's is that of a helper of the printed text, whether this text has it or
-- not.  The names are read from the tables of helpers.
local tables = {
  cuda = {"targets/cuda/prelude_types.c", "targets/cuda/prelude_math.c", "targets/cuda/ptx.c"},
  hip = {"core/emit/lanes.c", "core/emit/clang.c", "targets/hip/prelude.c", "targets/hip/mfma.c"},
  maca = {"core/emit/lanes.c", "core/emit/clang.c", "targets/maca/prelude.c",
    "targets/maca/copy.c", "targets/maca/mma.c"},
}
local arch = {cuda = "sm_90a", hip = "gfx942", maca = "c500"}

local function helpers(files)
  local names, seen = {}, {}
  for _, file in ipairs(files) do
    local f = assert(io.open("../../" .. file))
    local src = f:read "a"
    local function add(pattern, head)
      for name in src:gmatch(pattern) do
        name = head .. name
        if not seen[name] then
          names[#names + 1], seen[name] = name, true
        end
      end
    end
    add('\n    {"([%a_][%w_]*)", ', "")
    add('TOINT%("([%w_]+)"', "")
    add('SHIFT%("([%w_]+)"', "shl_")
    add('SHIFT%("([%w_]+)"', "shr_")
    f:close()
  end
  return names
end

-- A kernel whose tensors have the names, a register variable too.
local function text(target, names)
  local lines = {"file 1 \"@names.lua\"", ("kernel k(%s) machine %s"):format(
    "'" .. table.concat(names, "', '") .. "'", arch[target])}
  for _, name in ipairs(names) do
    lines[#lines + 1] = ("  buffer '%s': global int32[64]"):format(name)
  end
  lines[#lines + 1] = "  launch bx in 1 threads tid in 32 shared=0 do @1"
  for i, name in ipairs(names) do
    lines[#lines + 1] = ("    let '%s.v' = tid + %d @2"):format(name, i)
    lines[#lines + 1] = ("    '%s'['%s.v'] = 1 @2"):format(name, name)
  end
  lines[#lines + 1] = "  end\nend\n"
  local k = tl.from_ir(table.concat(lines, "\n"), {target = target .. " -arch=" .. arch[target],
    name = "@kernel.lua"})
  return k:get_kernel_source()
end

for _, target in ipairs {"cuda", "hip", "maca"} do
  local files = {"core/emit/prelude.c", "core/emit/types.c", table.unpack(tables[target])}
  local names, wrong = helpers(files), {}
  for i = 1, #names, 24 do
    local part = table.move(names, i, math.min(i + 23, #names), 1, {})
    local src = text(target, part)
    for _, name in ipairs(part) do
      if src:find("[%s*]" .. name .. "[,)]") or src:find("int " .. name .. " =") then
        wrong[#wrong + 1] = name
      end
    end
  end
  print(target, #names > 40, table.concat(wrong, " "))
end
