-- Where variables are declared: by their first assignment, if all that speak of them is in its block.
local function choose(c)
  local x; if c then
    x = 1
  else
    x = 2 end
  return x
end

local function apart(n)
  for i = 0, n - 1 do
    local at = i * 2
    print(at) end
  for i = 0, n - 1 do
    local at = i * 3
    print(at)
  end
end
local function carried(n)
  local last; for i = 0, n - 1 do
    if i == 0 then
      last = 10 end
    print(last)
    last = i
  end
end
local function shadow(print_, local_)
  local table_ = local_
  local end_ = {table_}
  for _, not_ in ipairs(end_) do
    print(not_, print_)
  end
end
local function late()
  return helper() + offset
end

function helper()
  return 1
end

offset = 2
print(choose(true), choose(false), late())
apart(2)
carried(3)
shadow(5, 6)
