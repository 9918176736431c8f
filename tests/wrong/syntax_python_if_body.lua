local v = {1}
if #v:
  v[1] = 2
end
