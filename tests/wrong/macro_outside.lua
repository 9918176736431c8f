local add = T.macro(function(tile)
  for i in T.Parallel(128) do
    tile[i] = tile[i] + 1
  end
end)
add(tl.zeros({128}))
