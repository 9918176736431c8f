if true
  print(1)
end
