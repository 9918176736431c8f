local function check(n)
  if n > 3 then
    error("n is too large: " .. n)
  end
end
check(4)
