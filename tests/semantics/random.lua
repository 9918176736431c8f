-- Random tile programs: the cpu target against plain Lua loops, exactly.
--     SEEDS=400 FIRST=1000 SHOW=1 moontile random.lua
local check = dofile "lib/check.lua"
local generate = dofile "lib/generate.lua"

local first, count = tonumber(os.getenv "FIRST") or 1, tonumber(os.getenv "SEEDS") or 16
for seed = first, first + count - 1 do
  local p = generate(seed)
  local bad = check.failed
  local ok, why = pcall(function()
    local f = assert(load(p.text, "=seed" .. seed))()
    local C, R = f(p.A, p.B, p.BM, p.BN)
    local c, r = p.want()
    check.each("seed " .. seed, C, c)
    if R then check.each("vector of seed " .. seed, R, r) end
  end)
  if not ok then check.equal("seed " .. seed, why, "no error") end
  if check.failed > bad and os.getenv "SHOW" then print(p.text) end
end
check.done()
