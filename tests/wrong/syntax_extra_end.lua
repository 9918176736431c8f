local x = 1
end
print(x)
