-- generate.lua: random plain Lua programs that end and print what they did.
--
--     local text = dofile("lib/generate.lua")(seed, size)
--
-- Every program is right: names are declared, loops are bounded, and a failing
-- operation is caught and printed.

return function(seed, size)
  local state = seed * 2654435761 & 0x7fffffff
  local function rnd(n)
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return (state >> 8) % n + 1
  end
  local function pick(list) return list[rnd(#list)] end

  local out, depth, loops, uid, left = {}, 0, 0, 0, size
  local scopes = { {} } -- names in scope; {name, const}
  local vararg = true

  local function emit(s)
    local blanks = pick { " ", "\n", "\n  ", " ;", " --[[c]] ", " -- c\n" }
    out[#out + 1] = s .. blanks
  end
  local function fresh(prefix)
    uid = uid + 1
    return prefix .. uid
  end
  local function declare(name, const) table.insert(scopes[#scopes], { name, const }) end
  local function names(assignable)
    local list = {}
    for _, s in ipairs(scopes) do
      for _, v in ipairs(s) do
        if not (assignable and v[2]) then
          list[#list + 1] = v[1]
        end
      end
    end
    return list
  end

  local expr

  local function literal()
    return pick { "0", "1", "2", "-3", "7", "2.5", "1e2", "0x1F", "nil", "true", "false", '"s"', "'10'",
      "[[long]]", '"a\\n\\x41\\u{20AC}"', "{}", "{1, 2, k = 3}", "10//3", "(-1)" }
  end

  local function name()
    local list = names()
    if #list == 0 or rnd(8) == 1 then
      return pick { "g1", "g2", "undefined" }
    end
    return pick(list)
  end

  local binary = { "+", "-", "*", "/", "//", "%", "..", "<", "<=", ">", ">=", "==", "~=", "and", "or",
    "&", "|", "~", "<<", ">>", "==", "and", "or", "<", "and", "or" }

  function expr(d)
    local k = d > 3 and rnd(4) or rnd(14)
    if k <= 2 then
      return literal()
    elseif k <= 4 then
      return name()
    elseif k <= 9 then
      return expr(d + 1) .. " " .. pick(binary) .. " " .. expr(d + 1)
    elseif k == 10 then
      return pick { "not ", "- ", "#", "~", "not not " } .. expr(d + 1)
    elseif k == 11 then
      return "(" .. expr(d + 1) .. ")"
    elseif k == 12 then
      return "id(" .. expr(d + 1) .. (rnd(2) == 1 and ", " .. expr(d + 1) or "") .. ")"
    elseif k == 13 and vararg then
      return pick { "(...)", "select('#', ...)", "#{...}", "(select(2, ...))" }
    end
    return "({" .. expr(d + 1) .. ", x = " .. expr(d + 1) .. "})" .. pick { ".x", "[1]", '["x"]' }
  end

  -- A value that cannot fail, for whatever it is.
  local function safe()
    return "try(function(...) return " .. expr(0) .. " end" .. (vararg and ", ..." or "") .. ")"
  end

  local function condition()
    return pick { safe(), name() .. " == " .. literal(), "not " .. name(), name(),
      name() .. " ~= nil and " .. name(), safe() .. " or " .. safe(), "id(" .. safe() .. ") == " .. literal() }
  end

  local block, statement

  local function scoped(f)
    scopes[#scopes + 1] = {}
    depth = depth + 1
    f()
    depth = depth - 1
    scopes[#scopes] = nil
  end

  local function body(n)
    scoped(function()
      for _ = 1, n or rnd(3) do
        statement()
      end
    end)
  end

  local function loop_body()
    loops = loops + 1
    local label = rnd(3) == 1 and fresh "continue"
    scoped(function()
      emit "do"
      body()
      if label then
        emit("if " .. condition() .. " then goto " .. label .. " end")
      end
      if rnd(3) == 1 then
        emit("if " .. condition() .. " then " .. pick { "break", "print('leaves') break" } .. " end")
      end
      body()
      emit "end"
      if label then
        emit("::" .. label .. "::")
      end
    end)
    loops = loops - 1
  end

  local function call_function()
    local f, old, oldloops = fresh "f", vararg, loops
    local form = rnd(3)
    vararg = rnd(2) == 1
    local params = vararg and "p, q, ..." or "p, q"
    emit((form == 1 and "local function " .. f or form == 2 and "local " .. f .. " = function" or "function " .. f)
      .. "(" .. params .. ")")
    loops = 0
    scoped(function()
      declare "p"
      declare "q"
      body()
      emit("if " .. condition() .. " then return " .. safe() .. " end")
      body()
      emit("return " .. pick { safe(), safe() .. ", " .. safe(), "", "p, q", "id(p)" })
      emit "end"
    end)
    vararg, loops = old, oldloops
    emit("print('" .. f .. "', pcall(" .. f .. ", " .. safe() .. ", " .. literal() .. ", 3, 4))")
  end

  local kinds = {
    function()
      local a = fresh "v"
      emit("local " .. a .. pick { "", " <const>" } .. " = " .. safe())
      declare(a, true)
    end,
    function()
      local a, b = fresh "v", fresh "v"
      emit("local " .. a .. ", " .. b .. " = " .. pick { safe() .. ", " .. safe(), "id(" .. safe() .. ", 2)", literal() })
      declare(a)
      declare(b)
    end,
    function()
      local list = names(true)
      emit((#list > 0 and pick(list) or "g1") .. " = " .. safe())
    end,
    function()
      local list = names(true)
      local a, b = #list > 0 and pick(list) or "g1", "g2"
      emit(a .. ", " .. b .. " = " .. pick { b .. ", " .. a, safe() .. ", " .. name(), "id(1, 2)" })
    end,
    function() emit("print('" .. fresh "at" .. "', " .. safe() .. ", " .. name() .. ")") end,
    function()
      emit("if " .. condition() .. " then")
      body()
      for _ = 1, rnd(3) - 1 do
        emit("elseif " .. condition() .. " then")
        body()
      end
      if rnd(2) == 1 then
        emit "else"
        body()
      end
      emit "end"
    end,
    function()
      local c = fresh "w"
      emit("local " .. c .. " = 0 while " .. c .. " < " .. rnd(4) .. " do " .. c .. " = " .. c .. " + 1")
      loop_body()
      emit "end"
    end,
    function()
      local c = fresh "w"
      emit("local " .. c .. " = 0 repeat " .. c .. " = " .. c .. " + 1 local done = " .. c .. " > " .. rnd(3))
      body()
      emit "until done"
    end,
    function()
      local i = fresh "i"
      emit("for " .. i .. " = " .. pick { "1, 3", "3, 1, -1", "1.0, 2", "id(1), 3", "1, id(2), 1", "id(2), 0, id(-1)" } .. " do")
      scoped(function()
        declare(i)
        loop_body()
      end)
      emit "end"
    end,
    function()
      local i, v = fresh "i", fresh "v"
      emit("for " .. i .. ", " .. v .. " in " .. pick { "ipairs {4, 5, 6}", "next, {7}", "pairs({8})", "id(next, {9})" } .. " do")
      scoped(function()
        declare(i, true)
        declare(v)
        loop_body()
      end)
      emit "end"
    end,
    function()
      emit "do"
      body()
      emit "end"
    end,
    function()
      local t, k = fresh "t", literal()
      emit("local " .. t .. " = {" .. safe() .. ", " .. safe() .. "; n = " .. safe() .. "}")
      emit(t .. ".n, " .. t .. "[1] = " .. t .. "[1], " .. t .. ".n")
      emit("print(#" .. t .. " >= 0, " .. t .. ".n, " .. t .. "[ " .. (k == "nil" and "1" or k) .. " ])")
      declare(t)
    end,
    call_function,
  }

  function statement()
    left = left - 1
    if left < 0 or depth > 7 then
      emit("print(" .. name() .. ")")
    else
      pick(kinds)()
    end
  end

  out[1] = "local function id(...) return ... end\n" ..
    "local function try(f, ...) local r = table.pack(pcall(f, ...))\n" ..
    "  if r[1] then return table.unpack(r, 2, r.n) end\n" ..
    "  return (r[2]:gsub('^[^:]*:', '')) end\n"
  while left > 0 do
    statement()
  end
  emit("return " .. pick { safe(), "1, 2", "..." })
  return table.concat(out)
end
