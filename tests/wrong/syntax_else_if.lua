local x = 1
if x == 1 then
  print(1)
else if x == 2 then
  print(2)
end
