local f = function(A: T.Tensor({4}, T.float32))
end
