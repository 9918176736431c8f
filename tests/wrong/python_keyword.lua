for bx in T.Kernel(1, threads=128) do
end
