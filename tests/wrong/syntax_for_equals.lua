for i = ipairs({1, 2}) do
  print(i)
end
