for i = 1, 4 do
  x = 1 if i > 2 else 0
end
