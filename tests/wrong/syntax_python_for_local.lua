for i in T.Serial(4):
  local x = i
end
