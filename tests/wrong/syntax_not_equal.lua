if 1 != 2 then
  print(1)
end
