-- Layouts of what has no fixed extents, of none, and of too many elements.
local makes = {
  "T.make_swizzled_layout(X)", "T.make_wgmma_swizzled_layout(X)", "T.make_full_bank_swizzled_layout(X)",
  "T.make_half_bank_swizzled_layout(X)", "T.make_quarter_bank_swizzled_layout(X)", "T.make_linear_layout(X)",
  "T.make_fully_replicated_layout_fragment(X, 128)", "T.make_fully_replicated_layout_fragment(X, 0)",
  "T.Layout(X.shape, function(...) return {...} end)", "T.Fragment(X.shape, {forward_thread_fn = function(i) return i end})",
  "T.Fragment(X.shape, {forward_thread_fn = function() return 0 end, replicate = 0})",
  "T.Fragment(X.shape, {forward_thread_fn = function() end})",
}

local function try(shape, text)
  local ok, e = pcall(assert(load([[return T.prim_func(function(A)
    local N = T.dynamic "N"
    A: T.Tensor(]] .. shape .. [[, T.float16)
    for _ in T.Kernel(1, {threads = 128}) do
      local X = A
      local l = ]] .. text .. [[ l:modes()
    end
  end)]], "=K")))
  print(shape, text)
  if not ok then print("", (tostring(e):gsub("\nhelp.*", ""):gsub("^K:6: ", ""))) end
end

for _, shape in ipairs {"{N, 64}", "{}", "{64}"} do
  for _, text in ipairs(makes) do try(shape, text) end
end
for _, text in ipairs {"{}", "{0}", "{1 << 40, 1 << 40}", "{1 << 16, 1 << 15}", "{3, 1 << 62}"} do
  try("{4}", "T.Layout(" .. text .. ", function(...) return {...} end)")
end
