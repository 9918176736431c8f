local x = 1
if x = 2 then
  print(x)
end
