local co = coroutine.wrap(function()
  local t = nil
  t.x = 1
end)
co()
