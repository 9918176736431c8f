for i = 1, 2 do
  // a comment
  print(i)
end
