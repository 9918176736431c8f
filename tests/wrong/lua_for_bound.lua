for i = 1, "ten" do
  print(i)
end
