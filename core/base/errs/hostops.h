/* Operators of host programs (lua/tl/host/, lua/seam/host.c): E970 to E982, E997, E998.  See errs.h. */
ERR(ops_arg, "E970", Lerror, "wrong argument of {1}", "{1} 的参数不对",
    "`{2}` must be {3}, got {4}", "`{2}` 应为 {3}，得到的是 {4}", "", "")
ERR(ops_shape, "E971", Lerror, "shapes do not agree in {1}", "{1} 的形状不一致", "{2}", "{2}", "{3}", "{3}")
ERR(ops_mask, "E972", Lerror, "the mask does not fit", "掩码的形状不符",
    "the mask has shape {1}, the dimensions that it stands for {2}", "掩码的形状是 {1}，它所对应的各维是 {2}",
    "give a bool tensor of the same extents, or expand it: {0|mask:expand(shape)|mask.expand(shape)}", "请给出大小相同的 bool 张量，或先扩展：{0|mask:expand(shape)|mask.expand(shape)}")
ERR(ops_place, "E973", Lerror, "index {2} is out of range in {1}", "{1} 中的下标 {2} 越界",
    "dimension {3} has extent {4}", "第 {3} 维的长度为 {4}", "indices count from 0", "下标从 0 开始")
ERR(ops_dtype, "E974", Lerror, "{1} does not take {2}", "{1} 不接受 {2}", "{3}", "{3}",
    "convert first, {0|x:to(\"{4}\")|x.to(torch.{4})}", "请先转换，如 {0|x:to(\"{4}\")|x.to(torch.{4})}")
ERR(ops_result, "E975", Lerror, "{1} cannot keep its result", "{1} 无法存放其结果",
    "the result is {2}, the tensor {3}", "结果为 {2}，张量为 {3}",
    "take the form that gives a new tensor, or convert the tensor first", "请用返回新张量的形式，或先转换该张量")
ERR(ops_pattern, "E976", Lerror, "{1} cannot read its pattern", "{1} 无法解析其模式", "`{2}`: {3}", "`{2}`：{3}", "", "")
ERR(ops_power, "E977", Lerror, "an integer to a negative power", "整数的负数次方",
    "{1} tensors hold no fractions", "{1} 张量不能存放分数", "convert first, {0|x:to(\"float32\")|x.to(torch.float32)}", "请先转换，如 {0|x:to(\"float32\")|x.to(torch.float32)}")
ERR(close_torch, "E978", Lnote, "{1}", "{1}", "", "", "", "")
ERR(unseen_value, "E980", Lerror, "a value that is not computed here decides", "此处需要的值没有计算出来",
    "a {2} tensor of shape {1}: kernels are compiled and not run, and what depends on their results, or on much work, has no values",
    "形状为 {1} 的 {2} 张量：此处只编译而不运行内核，依赖其结果或需要大量计算的张量没有值",
    "run the file: moontile FILE", "请运行该文件：moontile FILE")
ERR(close_dtype, "E981", Lerror, "the tensors have different dtypes", "两个张量的 dtype 不同",
    "got {1}, wanted {2}", "得到 {1}，应为 {2}", "convert one of them, {0|x:to(\"{2}\")|x.to(torch.{2})}", "请转换其中之一，如 {0|x:to(\"{2}\")|x.to(torch.{2})}")
ERR(close_results, "E982", Lerror, "the kernel and its reference give different numbers of results",
    "内核与参考函数的结果个数不同", "the kernel gives {1}, the reference {2}", "内核给出 {1} 个，参考函数给出 {2} 个", "", "")
ERR(unseen_rest, "E997", Lnote, "the rest of the file is left out: a value that is not computed here decides what it does",
    "已略去文件的其余部分：其走向取决于没有计算出来的值", "{1}", "{1}", "run the file for it: moontile FILE", "请运行该文件：moontile FILE")
ERR(close_few, "E998", Lnote, "{1} of {2} elements differ: max_mismatched_ratio {3} lets the comparison hold",
    "{2} 个元素中有 {1} 个不同：在 max_mismatched_ratio {3} 的允许范围内，视为一致",
    "the greatest difference is {4}", "最大的差为 {4}", "", "")
