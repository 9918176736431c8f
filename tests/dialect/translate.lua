-- The plain Lua that the reader writes, where it is to be read: small inputs,
-- each followed by its translation.
local dialect = require "moontile.dialect"

local function show(text, all)
  local out, diag = dialect.translate(text, "=input", all)
  print("   " .. text:gsub("\n", "\n   "))
  if not out then
    print(tostring(diag))
  elseif out == text then
    print "=> unchanged"
  else
    out = out:gsub("^local __stage <const> = __stage; ?", "")
    print("=> " .. out:gsub("\n", "\n   "))
  end
  print()
end

local function staged(text) show("K.jit(function(a, b, c, i, n)\n" .. text .. "\nend)") end

-- everywhere
show "x = A[i]"
show "x = A[i, j]"
show "A[i, j] = B[j, i][k, l]"
show "x = A[f(), g()]"
show "x = A[ [[s]], {1}]"
show "local function f(...) return A[1, ...] end"
show "x = A[lo:hi]"
show "x = A[:, j]"
show "x = A[lo:, :hi, :]"
show "x = A[i * 4:(i + 1) * 4, f(x)]"
show "x = A[a:b(c)]"
show "x = A[a:b 's', a:b {}]"
show "x = A[a:b, c:d.e]"
show "x = A[0:n]"
show "x = A[(a):b]"
show "x += 1"
show "x -= y * 2"
show "x *= a or b"
show "x /= 2 y //= 3 z %= 4"
show "x &= 1 x |= 2 x <<= 3 x >>= 4"
show "t.x += 1"
show "t[i] += 1"
show "t[i + 1] += 1"
show "f().x += g()"
show "f(a)[g()] *= 2"
show "A[i, j] += B[j, i]"
show "A[i:j] += 1"
show "a.b.c -= 1"
show "t[\n  i\n] += 1 -- lines stay"
show "x += 1\n(f or g)()"
show "A: T.Tensor({M, K}, T.float16)"
show "scale: T.float32"
show "A: tensor"
show "obj:method(1)"
show "obj:method 's'"

-- staged functions
show "f = function(a) return a < 1 end"
show "K.jit(function(a) return a < 1 end)"
show "T.prim_func(function(a) return a < 1 end)"
show "K.x.macro(function(a) return a < 1 end)"
show "jit(function(a) return a < 1 end)"
show "local jit = K.jit jit(function(a) return a < 1 end)"
show "K.jit { x = 1 }(function(a) return a < 1 end)"
show "K.autotune { x = 1 }(K.jit(function(a) return a < 1 end))"
show "K.jit(wrap(function(a) return a < 1 end), { f = function(a) return a > 1 end })"
show "local function f(a) return a < 1 end\nk = K.jit(f)"
show "local f, g = function(a) return a < 1 end, function(a) return a < 1 end\nk = K.jit(g, {})"
show "local function f(a) return a < 1 end\nk = K.jit { x = 1 }(f)"
show "k = K.jit(f) function f(a) return a < 1 end"
show "K.jit(function(a) return function(b) return a < b end end)"

staged "local x = a"
staged "local x <const>, y = f()"
staged "local x, y = 1, 'two'"
staged "local x <close> = f()"
staged "local x = function() return a end"
staged "x = a == 1 and a ~= 'one' and a ~= nil and not b"
staged "x = 1 < 2"
staged "if a == nil then b = 1 end"
staged "if a < b then f() elseif c then g() else h() end"
staged "if(a)then f()else(g)()end"
staged "if a then return b end return a <= b"
staged "while a < b do f() end"
staged "while a < b do if c then break end end"
staged "while true do f() break end"
staged "repeat local d = f() until d >= a"
staged "for k = 1, 10 do f(k) end"
staged "for k = 0, n do f(k) end"
staged "for k = n, 0, -1 do if k == a then break end end"
staged "for k, v in pairs(t) do f(k) end"
staged "for k in T.serial(n) do\n  if k == a then goto continue end\n  f(k)\n  ::continue::\nend"
staged "for k in T.serial(n) do\n  while f() do goto out end\n  ::out:: f(k)\nend"
staged "x = a"
staged "a = b"
staged "if c then a = b end"
staged "local s = 0 for k = 0, n do s += k do s = 1 end end"
staged "local function g() n = n + 1 end"
staged "a, b = b, a"
staged "t.x, a, y = 1, b, f()"
staged "t[1], t[2] = t[2], t[1]"
staged "t[1], t[2] = 0, 1"
staged "x = a or 1"
staged "x = a < b and a or b"
staged "x = a < b and f() or c > b and g() or h()"
staged "x = (a < b and 1) or 2"
staged "x = f() and g() and h()"
show "K.jit(function(...) return ... and select('#', ...) or f(...) end)"
show "K.macro(function(x, y, z) y: T.Ref return x end)"
show "K.macro(function(x, y) for i in T.serial(x) do x = y end end)"
show "K.jit(function(A, B, s)\n  A: T.Tensor({4}, T.float32)\n  local n = 3\n  s: T.float32\n  B[0] = s\nend)"
show("local x = a < 3\n(f or g)()", true)
show "#!/usr/bin/env moontile\nx += 1"
