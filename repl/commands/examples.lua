-- commands/examples.lua: examples of commands that give none in their own row.  They
-- are typed after the prelude of the examples; the tests type them.

return {
  quit = ":quit", time = ":time k(a, b)", target = ":target cpu", lang = ":lang zh",
  limit = ":limit 5", vars = ":vars", ir = ":ir k thread", passes = ":passes k", src = ":src k",
  versions = ":versions f", diff = ":diff f@1 f@2", revert = ":revert f@1", edit = ":edit f",
  load = ":load quickstart", reload = ":reload", watch = ":watch kernel.lua",
  save = ":save session.lua", layout = ":layout k Cl", owner = ":owner k Cl 5 9",
  set = ":set color none", history = ":history 5", reset = ":reset", explain = ":explain E140",
  ["!"] = ":!ls", trace = ":trace k", peek = ":peek k Cl", tour = ":tour", bank = ":bank k",
  plot = ":plot k", error = ":error", check = ":check k", bench = ":bench k",
}
