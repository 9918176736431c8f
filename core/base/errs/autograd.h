/* Derivatives (lua/tl/host/autograd.lua).  The titles are PyTorch's words, in lower case.  See errs.h. */
ERR(grad_leaf, "E936", Lerror, "a leaf Variable that requires grad is being used in an in-place operation",
    "需要梯度的叶子张量被就地修改", "", "",
    "give a new tensor, or write within no_grad", "请得到新的张量，或在 no_grad 中修改")
ERR(grad_missing, "E937", Lerror, "autograd has no derivative of {1} here", "autograd 在这里没有 {1} 的导数", "", "",
    "write it with other operators or as a torch.autograd.Function, or detach() what needs no gradient",
    "请用其他算子或 torch.autograd.Function 写出，或对不需要梯度的部分用 detach()")
ERR(grad_none, "E938", Lerror, "element {1} of tensors does not require grad and does not have a grad_fn",
    "第 {1} 个张量不需要梯度，也没有 grad_fn", "", "",
    "call requires_grad_() on an input before what is computed of it", "请先对输入调用 requires_grad_()，再计算")
ERR(grad_freed, "E943", Lerror,
    "trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)",
    "对同一计算图第二次反向传播，而其中保存的值已经释放", "", "", "the first time with retain_graph=True", "请在第一次反向传播时用 retain_graph=True")
ERR(grad_scalar, "E944", Lerror, "grad can be implicitly created only for scalar outputs", "只有标量结果才能省略 gradient",
    "the result has shape {1}", "结果的形状是 {1}",
    "reduce it first, or give backward() a gradient of its shape", "请先归约，或给 backward() 同形状的 gradient")
ERR(grad_changed, "E945", Lerror,
    "one of the variables needed for gradient computation has been modified by an inplace operation: {1}",
    "求导所需的张量 {1} 已被就地修改", "{2} needs what it was", "{2} 需要它原来的值",
    "write the change so that it gives a new tensor", "请改为得到新张量的写法")
ERR(grad_float, "E946", Lerror, "only Tensors of floating point and complex dtype can require gradients",
    "只有浮点张量可以需要梯度", "the dtype is {1}", "dtype 是 {1}", "convert first, {0|x:to(\"float32\")|x.to(torch.float32)}", "请先转换，如 {0|x:to(\"float32\")|x.to(torch.float32)}")
ERR(grad_alias, "E947", Lerror, "{1}: the tensor's memory was changed through another tensor that has a derivative",
    "{1}：张量的内存已通过另一个带有计算历史的张量修改", "shape {2}: its own history does not have that change", "形状 {2}：它自身的计算历史中没有这次修改",
    "use the tensor that was changed, or write the change so that it gives a new tensor", "请使用被修改的那个张量，或改为得到新张量的写法")
ERR(grad_shape, "E948", Lerror, "{1} returned an invalid gradient: got {2} but expected shape compatible with {3}",
    "{1} 给出的梯度形状 {2} 与 {3} 不符", "", "", "", "")
ERR(grad_twice, "E949", Lerror, "create_graph=True: derivatives of derivatives are not available here",
    "create_graph=True：这里没有高阶导数", "", "", "compute the second derivative as differences of the first", "请用一阶导数的差求二阶导数")
ERR(grad_mismatch, "E959", Lerror, "mismatch in shape: grad_output has a shape of {1} and output has a shape of {2}",
    "gradient 的形状是 {1}，结果的形状是 {2}", "", "", "", "")
ERR(grad_input, "E960", Lerror, "one of the differentiated Tensors does not require grad", "待求导的张量中有一个不需要梯度",
    "input {1}", "第 {1} 个输入", "call requires_grad_() on it before what is computed of it", "请先对它调用 requires_grad_()，再计算")
ERR(grad_unused, "E961", Lerror, "one of the differentiated Tensors appears to not have been used in the graph",
    "待求导的张量中有一个未参与计算", "input {1}", "第 {1} 个输入", "set allow_unused=True if this is the desired behavior",
    "若本意如此，请设 allow_unused=True")
ERR(grad_nonleaf, "E962", Lerror, "you can only change requires_grad flags of leaf variables",
    "只有叶子张量可以改变 requires_grad", "", "", "use detach() for a tensor without a history", "请用 detach() 得到不带计算历史的张量")
ERR(grad_numpy, "E963", Lerror, "can't call numpy() on Tensor that requires grad", "需要梯度的张量不能调用 numpy()", "", "",
    "use tensor.detach().numpy() instead", "请改用 tensor.detach().numpy()")
