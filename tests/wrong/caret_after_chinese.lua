local x = "矩阵乘法" .. tl.zeros2({4})
