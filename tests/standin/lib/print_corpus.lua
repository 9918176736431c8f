-- print_corpus.lua TARGET FOLDER EXT: the corpus as files of a folder; what the machine
-- refuses is said.
local target, folder, ext = arg[1], arg[2], arg[3]
dofile "lib/corpus.lua" (target, function(name, text, why)
  if not text then
    print(("%s: %s is refused: %s"):format(target, name, why))
    return
  end
  local f = assert(io.open(("%s/%s.%s"):format(folder, name, ext), "w"))
  f:write(text)
  f:close()
end)
