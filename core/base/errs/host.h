/* Messages of host calls: tl, tensors, files, arguments of a launch: E200 to E299.  See errs.h. */
/* tensors (lua/seam/tensor.c, lua/tl/tensor.lua) */
ERR(tensor_dtype, "E200", Lerror, "unknown dtype `{1}`", "未知的数据类型 `{1}`", "", "",
    "use bool, int4 to int64, uint4 to uint64, float16, bfloat16, float32, float64, tfloat32, float8_e4m3fn or float8_e5m2",
    "可用的有 bool、int4 到 int64、uint4 到 uint64、float16、bfloat16、float32、float64、tfloat32、float8_e4m3fn 和 float8_e5m2")
ERR(tensor_shape, "E201", Lerror, "not a shape: {1}", "不是合法的形状：{1}", "", "",
    "give {0|a table of up to 8 extents, {1024, 512},|a tuple of up to 8 extents, (1024, 512),} or one number", "请给出{0|至多 8 个长度组成的表，如 {1024, 512}，|至多 8 个长度组成的元组，如 (1024, 512)，}或一个数")
ERR(tensor_index, "E202", Lerror, "index {1} is out of range", "下标 {1} 越界",
    "dimension {2} has extent {3}: valid indices are {4}", "第 {2} 维的长度为 {3}，可用的下标是 {4}",
    "indices count from 0; negative ones count from the end", "下标从 0 开始，负数从末尾数起")
ERR(tensor_rank, "E203", Lerror, "too many indices", "下标太多",
    "its shape is {2}, {1} {1|dimension|dimensions}, but {3} indices were given", "张量有 {1} 维，形状 {2}，却给了 {3} 个下标",
    "leave out indices from the right to get a view", "可以省略右边的下标，得到一个视图")
ERR(tensor_kind, "E204", Lerror, "{1} cannot index a tensor", "{1} 不能作张量的下标", "", "",
    "use an integer, a slice lo:hi, or a list of them", "请用整数、切片 lo:hi，或由它们组成的列表")
ERR(tensor_traced, "E327", Lerror, "a value of the kernel cannot index a tensor of the host", "内核中的值不能作主机张量的下标",
    "it is known only when the kernel runs", "该值在内核运行时才知道", "make the tensor a parameter of the kernel", "请让此张量成为内核的参数")
ERR(tensor_broadcast, "E205", Lerror, "shapes do not agree", "形状不一致",
    "{1} and {2} do not broadcast: extents from the right must be equal or 1",
    "{1} 与 {2} 不能广播：从右往左，各维长度须相等或为 1",
    "reshape one of them, or give it a dimension of 1", "请改变其中一个的形状，或给它加上长度为 1 的维")
ERR(tensor_ragged, "E206", Lerror, "{0|the table is not rectangular|the list is not rectangular}", "{0|表的各行长度不同|列表的各行长度不同}",
    "entry {1} has {2}, the first one at its level has {3}", "第 {1} 项为 {2}，同层的第一项为 {3}",
    "make all rows the same length", "请使各行长度相同")
ERR(tensor_reshape, "E207", Lerror, "cannot reshape", "不能改成这个形状",
    "{1} has {2} elements, {3} has {4}", "{1} 有 {2} 个元素，而 {3} 有 {4} 个",
    "choose a shape with the same number of elements; one extent may be -1", "请选元素个数相同的形状，其中一个长度可写 -1")
ERR(tensor_view, "E208", Lerror, "this shape needs a copy", "这个形状需要复制",
    "{1} with strides {2} cannot be seen as {3}", "形状 {1}、步长 {2} 的张量不能看作 {3}",
    "use reshape, which copies when it must, or contiguous() first", "请用 reshape（必要时复制），或先调用 contiguous()")
ERR(tensor_axis, "E209", Lerror, "dimension {1} does not exist", "没有第 {1} 维",
    "the tensor has {2} {2|dimension|dimensions}: valid ones are {3}", "张量有 {2} 维，可用的是 {3}",
    "dimensions count from 0; -1 is the last", "维从 0 开始计数；-1 表示最后一维")
ERR(tensor_memory, "E210", Lerror, "not enough memory for a tensor", "没有足够的内存存放张量",
    "{1} {2} needs {3}", "{1} {2} 需要 {3}",
    "make it smaller, or drop tensors that are no longer used", "请缩小张量，或释放不再使用的张量")
ERR(tensor_value, "E211", Lerror, "{1} is not a number", "{1} 不是数",
    "elements of a tensor are numbers or booleans", "张量的元素是数或布尔值", "", "")
ERR(tensor_range, "E923", Lerror, "{1} is out of the range of {2}", "{1} 超出 {2} 的范围",
    "{2} holds {3} to {4}", "{2} 的范围为 {3} 到 {4}",
    "take a number that fits, or a tensor of a wider dtype", "请用范围内的数，或用更宽 dtype 的张量")
ERR(tensor_field, "E212", Lerror, "a tensor has no `{1}`", "张量没有 `{1}`", "", "",
    "did you mean `{2}`?", "您是否想写 `{2}`？")
ERR(tensor_arg, "E213", Lerror, "wrong argument", "参数不对",
    "`{1}` must be {2}, got {3}", "`{1}` 应为 {2}，得到的是 {3}", "", "")
ERR(tensor_target, "E214", Lerror, "unknown target or dtype `{1}`", "未知的目标或数据类型 `{1}`", "", "",
    "use a target ({2}) or a dtype", "可用目标（{2}）或数据类型")
ERR(tensor_option, "E215", Lerror, "{1} takes no option {2}", "{1} 没有选项 {2}",
    "it takes {3}", "可用的选项：{3}", "", "")
ERR(tensor_empty, "E216", Lerror, "`{1}` of an empty tensor", "对空张量求 `{1}`", "the tensor has shape {2}", "张量的形状是 {2}", "", "")
ERR(tensor_item, "E217", Lerror, "not a single element", "不是单个元素",
    "the tensor has shape {1}, {2} elements", "张量的形状是 {1}，有 {2} 个元素",
    "give one index for each dimension", "请给每一维一个下标")
ERR(tensor_convert, "E218", Lerror, "no dtype holds both {1} and {2}", "没有能同时容纳 {1} 和 {2} 的数据类型", "", "",
    "convert one of them first, {0|x:to(\"float32\")|x.to(torch.float32)}", "请先转换其中一个，如 {0|x:to(\"float32\")|x.to(torch.float32)}")
/* files (core/tensor/npy.c) */
ERR(npy_open, "E220", Lerror, "cannot open {1}", "无法打开 {1}", "{2}", "{2}", "", "")
ERR(npy_format, "E221", Lerror, "{1} is not a readable .npy file", "{1} 不是可读的 .npy 文件",
    "its header is wrong at byte {2}", "文件头在第 {2} 字节处有误",
    "write it again with {0|tl.save or numpy|numpy}.save", "请{0|用 tl.save 或 numpy|用 numpy}.save 重新写出")
ERR(npy_dtype, "E222", Lerror, "{1} holds elements of an unknown type", "{1} 的元素类型未知",
    "no dtype matches descr {2}", "这里没有与描述 {2} 对应的数据类型",
    "convert it in NumPy first: numpy.save(path, a.astype(\"float32\"))", "请先在 NumPy 中转换：numpy.save(path, a.astype(\"float32\"))")
ERR(npy_short, "E223", Lerror, "{1} is truncated", "{1} 不完整",
    "shape {2} {3} needs {4} bytes, the file has {5}", "形状 {2} 的 {3} 需要 {4} 字节，文件只有 {5} 字节",
    "copy or write the file again", "请重新复制或写出该文件")
ERR(npy_raw, "E224", Lerror, "{1} does not say what its bytes mean", "{1} 没有说明字节的含义",
    "descr {2} fits several dtypes", "描述 {2} 对应多种数据类型",
    "name it: {0|tl.load(path, {dtype = \"float8_e4m3fn\"})|tl.load(path, dtype=\"float8_e4m3fn\")}", "请指明类型：{0|tl.load(path, {dtype = \"float8_e4m3fn\"})|tl.load(path, dtype=\"float8_e4m3fn\")}")
ERR(npy_write, "E225", Lerror, "cannot write {1}", "无法写入 {1}", "{2}", "{2}", "", "")
ERR(npz_format, "E226", Lerror, "{1} is not a readable .npz file", "{1} 不是可读的 .npz 文件",
    "it is not a zip archive, or its directory is damaged", "它不是 zip 归档，或目录已损坏",
    "write it again with {0|tl.save or numpy|numpy}.savez", "请{0|用 tl.save 或 numpy|用 numpy}.savez 重新写出")
ERR(npz_name, "E227", Lerror, "cannot save under the name {1}", "不能用名称 {1} 保存", "", "",
    "{0|a .npz file takes a table of tensors with|a .npz file takes tensors with} names of letters, digits, _ . and -",
    ".npz 文件需要一个张量表，名称由字母、数字、_ . 和 - 组成")
ERR(npz_entry, "E228", Lerror, "entry {2} of {1} is damaged", "{1} 中的条目 {2} 已损坏", "", "",
    "write it again with {0|tl.save or numpy|numpy}.savez", "请{0|用 tl.save 或 numpy|用 numpy}.savez 重新写出")
/* comparing (core/tensor/compare.c, lua/tl/testing.lua) */
ERR(close_values, "E240", Lerror, "the tensors differ", "两个张量不同",
    "at {1}: got {2}, wanted {3}", "在 {1}：得到 {2}，应为 {3}", "", "")
ERR(close_shape, "E241", Lerror, "the tensors have different shapes", "两个张量形状不同",
    "got {1}, wanted {2}", "得到 {1}，应为 {2}", "", "")
ERR(close_count, "E242", Lnote, "{1} of {2} elements differ ({3} %) with rtol {4} and atol {5}",
    "{2} 个元素中有 {1} 个不同（{3} %），rtol {4}，atol {5}", "", "", "", "")
ERR(close_worst, "E243", Lnote, "greatest absolute difference {1} at {2}, greatest relative difference {3} at {4}",
    "最大绝对误差 {1}，在 {2}；最大相对误差 {3}，在 {4}", "", "", "", "")
ERR(close_map, "E244", Lnote, "each character below stands for {1} elements, `.` all good, `x` some bad:\n{2}",
    "下面每个字符代表 {1} 个元素，`.` 全对，`x` 有错：\n{2}", "", "", "", "")
ERR(close_zeros, "E245", Lnote, "the whole result is zero: was it written at all?",
    "结果全部为零：真的写入了吗？", "", "", "", "")
ERR(close_nan, "E246", Lnote, "NaN elements: {1}", "NaN 元素：{1} 个", "", "", "", "")
ERR(close_transposed, "E247", Lnote, "the result is the transpose of what was wanted",
    "结果是应得结果的转置", "", "", "", "")
ERR(close_lastcol, "E248", Lnote, "only the last column of every tile of {1} columns is wrong: look at the loop's bound",
    "只有每块 {1} 列的最后一列有错：请检查循环上限", "", "", "", "")
ERR(close_lastrow, "E249", Lnote, "only the last row of every tile of {1} rows is wrong: look at the loop's bound",
    "只有每块 {1} 行的最后一行有错：请检查循环上限", "", "", "", "")
ERR(close_firstblock, "E250", Lnote, "only the first block, {1}, is right: look at the block indices",
    "只有第一块 {1} 是对的：请检查块下标", "", "", "", "")
ERR(close_everyrow, "E251", Lnote, "only rows {1}, {2}, ... of every {3} are wrong",
    "只有每 {3} 行中的第 {1}、{2}…… 行有错", "", "", "", "")
ERR(close_everycol, "E252", Lnote, "only columns {1}, {2}, ... of every {3} are wrong",
    "只有每 {3} 列中的第 {1}、{2}…… 列有错", "", "", "", "")
ERR(close_tail, "E253", Lnote, "only elements from {1} on in dimension {2} are wrong: look at the partial tile",
    "只有第 {2} 维中从 {1} 起的元素有错：请检查不完整的块", "", "", "", "")
ERR(close_scaled, "E254", Lnote, "the result is what was wanted times {1}", "结果是应得结果的 {1} 倍", "", "", "", "")
/* reference operators (lua/tl/ref.lua) */
ERR(ref_shape, "E260", Lerror, "shapes do not agree in tl.ref.{1}", "tl.ref.{1} 的形状不一致", "{2}", "{2}", "", "")
ERR(ref_arg, "E261", Lerror, "wrong argument of tl.ref.{1}", "tl.ref.{1} 的参数不对",
    "{2} must be {3}, got {4}", "{2} 应为 {3}，得到的是 {4}", "", "")
/* tl.jit, tl.compile and calls of kernels (lua/tl/jit.lua, lua/tl/kernel.lua) */
ERR(call_count, "E262", Lerror, "wrong number of arguments for kernel `{1}`", "内核 `{1}` 的参数个数不对", "expected {2}, got {3}", "应为 {2} 个，得到 {3} 个",
    "call it as {4}", "调用方式：{4}")
ERR(pointer_dead, "E1214", Lerror, "argument `{2}` of kernel `{1}`: no tensor lives at address {3}", "内核 `{1}` 的参数 `{2}`：地址 {3} 处没有存活的张量",
    "an address is what t.data_ptr() of a tensor said that is still there", "地址应来自仍存在的张量的 t.data_ptr()",
    "keep the tensor in a variable, and take data_ptr() of the tensor itself", "请用变量保留该张量，并对张量本身调用 data_ptr()")
ERR(pointer_short, "E1215", Lerror, "argument `{2}` of kernel `{1}` points to too few elements", "内核 `{1}` 的参数 `{2}` 所指元素不足",
    "T.make_tensor's shape ({3}) has {4}, the tensor {5}", "T.make_tensor 的形状 ({3}) 有 {4} 个，张量有 {5} 个", "give it a tensor of that shape", "请给出该形状的张量")
ERR(pointer_shared, "E1216", Lerror, "argument `{2}` of kernel `{1}`: a tensor that is written stands at two places", "内核 `{1}` 的参数 `{2}`：被写入的张量出现在两处",
    "it shares memory with `{3}`", "它与 `{3}` 共用内存", "write to a tensor of its own", "请写入单独的张量")
ERR(call_kind, "E263", Lerror, "argument `{2}` of kernel `{1}` is of the wrong kind", "内核 `{1}` 的参数 `{2}` 种类不对",
    "expected {3}, got {4}", "应为 {3}，得到 {4}",
    "the annotation of `{2}` says what it takes", "`{2}` 的标注说明了它接受什么")
ERR(call_range, "E920", Lerror, "argument `{2}` of kernel `{1}` is out of range", "内核 `{1}` 的参数 `{2}` 超出范围",
    "{3} holds {4} to {5}, got {6}", "{3} 的范围为 {4} 到 {5}，得到 {6}",
    "declare `{2}` with a wider type, or pass a number that fits", "请为 `{2}` 声明更宽的类型，或传入范围内的数")
ERR(grid_negative, "E921", Lerror, "the grid of kernel `{1}` has a negative number of blocks", "内核 `{1}` 的网格块数为负",
    "dimension {2}: `{3}` is {4}", "第 {2} 维：`{3}` 为 {4}",
    "0 blocks do nothing: T.max(n, 0), or look at the sizes that are passed", "块数为 0 时什么也不做：可写 T.max(n, 0)，或检查传入的尺寸")
ERR(dim_beyond, "E906", Lerror, "`{2}` is {3}, which kernel `{1}` does not accept", "`{2}` 的值为 {3}，内核 `{1}` 不接受",
    "a size of 32 bits may be at most {4}: index arithmetic reaches as far as a tile beyond it", "32 位的尺寸至多为 {4}：下标运算最多会超出它一个分块",
    "split the tensor along that dimension", "请沿该维度拆分张量")
ERR(assume_argument, "E929", Lerror, "the arguments of kernel `{1}` do not fit its `T.assume`", "内核 `{1}` 的参数不符合其中的 `T.assume`",
    "line {2} assumes `{3}`, which is false here", "第 {2} 行假定 `{3}`，在此不成立",
    "pass what fits, or correct the assumption", "请传入相符的参数，或改正这个假定")
ERR(call_dtype, "E264", Lerror, "argument `{2}` of kernel `{1}` has the wrong dtype", "内核 `{1}` 的参数 `{2}` 的 dtype 不对",
    "expected {3}, got {4}", "应为 {3}，得到 {4}", "convert it: {0|{2}:to(\"{3}\")|{2}.to(torch.{3})}", "请转换它：{0|{2}:to(\"{3}\")|{2}.to(torch.{3})}")
ERR(call_rank, "E265", Lerror, "argument `{2}` of kernel `{1}` has the wrong number of dimensions", "内核 `{1}` 的参数 `{2}` 维数不对",
    "expected {3}, got {4}", "应为 {3} 维，得到 {4} 维",
    "reshape it: {0|{2}:reshape{...}|{2}.reshape(...)}", "请改变其形状：{0|{2}:reshape{...}|{2}.reshape(...)}")
ERR(call_shape, "E266", Lerror, "argument `{2}` of kernel `{1}` has the wrong shape", "内核 `{1}` 的参数 `{2}` 形状不对",
    "dimension {3}: expected {4}, got {5}", "第 {3} 维：应为 {4}，得到 {5}",
    "pass a tensor of that shape, or change the annotation of `{2}`", "请传入该形状的张量，或修改 `{2}` 的标注")
ERR(call_compact, "E267", Lerror, "argument `{2}` of kernel `{1}` is not contiguous", "内核 `{1}` 的参数 `{2}` 不连续",
    "its strides are {3}", "其步长为 {3}", "pass {0|{2}:contiguous()|{2}.contiguous()}, or declare it as T.StridedTensor",
    "请传入 {0|{2}:contiguous()|{2}.contiguous()}，或声明为 T.StridedTensor")
ERR(call_stride, "E268", Lerror, "argument `{2}` of kernel `{1}` has the wrong strides", "内核 `{1}` 的参数 `{2}` 步长不对",
    "dimension {3}: expected {4}, got {5}", "第 {3} 维：应为 {4}，得到 {5}",
    "pass {0|{2}:contiguous()|{2}.contiguous()}, or a tensor of those strides", "请传入 {0|{2}:contiguous()|{2}.contiguous()}，或步长相符的张量")
ERR(call_symbol, "E269", Lerror, "kernel `{1}`: `{2}` cannot have two values", "内核 `{1}`：`{2}` 不能有两个值",
    "`{3}` makes it {4}, `{5}` makes it {6}", "由 `{3}` 得 {4}，由 `{5}` 得 {6}",
    "make the two agree, and check the order of the arguments", "请使两者一致，并检查参数的顺序")
ERR(const_value, "E270", Lerror, "no value for the constant `{1}`", "常量 `{1}` 没有值", "", "",
    "give the tensor that has it as a dimension, or name it: {0|{{1} = ...}|{1}=...}", "请传入以它为维的张量，或按名称给出：{0|{{1} = ...}|{1}=...}")
ERR(jit_unknown, "E271", Lerror, "`{2}` is neither a parameter nor a constant of `{1}`", "`{2}` 既不是 `{1}` 的参数也不是其常量",
    "did you mean `{3}`?", "您是否想写 `{3}`？", "valid names are {4}", "可用名称为 {4}")
ERR(jit_missing, "E272", Lerror, "missing argument `{2}` of `{1}`", "缺少 `{1}` 的参数 `{2}`", "", "",
    "call it as {3}", "调用方式：{3}")
ERR(jit_twice, "E273", Lerror, "argument `{2}` of `{1}` is given twice", "`{1}` 的参数 `{2}` 重复给出",
    "by position and by name", "既按位置又按名称", "remove one of them", "请去掉其中一个")
ERR(jit_many, "E274", Lerror, "too many arguments for `{1}`", "`{1}` 的参数过多", "it takes {2}, got {3}", "需要 {2} 个，得到 {3} 个",
    "call it as {4}", "调用方式：{4}")
ERR(jit_key, "E275", Lerror, "argument `{2}` of `{1}` cannot be a compile-time value", "`{1}` 的参数 `{2}` 不能作为编译时的值",
    "it is {3}", "它是 {3}", "use a number, {0|string, boolean or a table of these|str, bool or a tuple of these}; tensors need `{2}: T.Tensor(...)`",
    "请使用数值、字符串、布尔值或{0|由它们组成的表；张量|由它们组成的元组；张量}需要标注 `{2}: T.Tensor(...)`")
ERR(out_idx, "E276", Lerror, "out_idx is out of range", "out_idx 超出范围", "{1}, the kernel has {2} tensor {2|parameter|parameters} (0 to {3})",
    "{1}，内核有 {2} 个张量参数（0 到 {3}）", "negative numbers count from the end: -1 is the last", "负数从末尾数起：-1 为最后一个")
ERR(out_idx_twice, "E277", Lerror, "out_idx names a parameter twice", "out_idx 重复指定同一个参数", "parameter {1}", "参数 {1}", "", "")
ERR(out_idx_scalar, "E278", Lerror, "out_idx names a parameter that is not a tensor", "out_idx 指定的参数不是张量", "parameter `{1}`", "参数 `{1}`", "", "")
ERR(out_idx_eager, "E279", Lerror, "out_idx is for the lazy style only", "out_idx 只能用于惰性风格", "this function returns its T.empty tensors",
    "此函数直接返回 T.empty 张量", "leave out_idx out", "请去掉 out_idx")
ERR(out_idx_conflict, "E280", Lerror, "out_idx cannot be combined with returned T.empty tensors", "out_idx 与返回的 T.empty 张量不能同时使用",
    "", "", "use one or the other", "请只用其中一种")
ERR(compile_what, "E281", Lerror, "{0|tl.compile|tilelang.compile} takes a T.prim_func", "{0|tl.compile|tilelang.compile} 需要 T.prim_func", "got {1}", "得到 {1}",
    "{0|wrap the function in T.prim_func|write @T.prim_func above the function}", "{0|请用 T.prim_func 包装该函数|请在函数上方写 @T.prim_func}")
ERR(no_kernel, "E282", Lerror, "`{1}` launches no kernel", "`{1}` 没有启动内核", "", "",
    "open one with T.Kernel: what runs on the device stands in its block", "请用 T.Kernel 启动：在设备上运行的语句都写在它的代码块中")
ERR(host_later, "E284", Lerror, "{1} is not available yet", "{1} 尚不可用", "", "", "", "")
ERR(option_unknown, "E285", Lerror, "{1} has no option `{2}`", "{1} 没有选项 `{2}`", "", "", "the options are {3}", "可用选项为 {3}")
ERR(tune_empty, "E286", Lerror, "no configurations to tune", "没有可供调优的配置", "", "", "give {0|configs = {{BM = 64}, {BM = 128}}|configs=[{\"BM\": 64}, {\"BM\": 128}]}",
    "请给出 {0|configs = {{BM = 64}, {BM = 128}}|configs=[{\"BM\": 64}, {\"BM\": 128}]}")
ERR(option_near, "E295", Lerror, "{1} has no option `{2}`", "{1} 没有选项 `{2}`", "did you mean `{4}`?", "您是否想写 `{4}`？",
    "the options are {3}", "可用选项为 {3}")
ERR(tune_none, "E287", Lerror, "no configuration of `{1}` works", "`{1}` 没有可用的配置", "{2} {2|was|were} tried", "已尝试 {2} 个", "", "")
ERR(tune_kept, "E986", Lwarning, "the result of tuning `{1}` is not kept", "`{1}` 的调优结果未能保存", "{2}", "{2}",
    "the next run searches again; {0|cache = false|cache=False} keeps no result, MOONTILE_CACHE_DIR names another folder",
    "下次运行将重新搜索；{0|cache = false|cache=False} 不保存结果，MOONTILE_CACHE_DIR 可指定另一个文件夹")
ERR(tune_first, "E299", Lnote, "the first one failed here: {1}", "第一个在此处失败：{1}", "{2}", "{2}", "", "")
ERR(bench_symbols, "E288", Lerror, "the shapes of `{1}` are not known", "`{1}` 的形状未知", "`{2}` is a run-time dimension", "`{2}` 是运行时的维",
    "give input_tensors, or {0|dynamic_symbolic_constraints = {{2} = 1024}|dynamic_symbolic_constraints={\"{2}\": 1024}}", "请给出 input_tensors，或 {0|dynamic_symbolic_constraints = {{2} = 1024}|dynamic_symbolic_constraints={\"{2}\": 1024}}")
ERR(bench_scalar, "E289", Lerror, "no value for the scalar `{2}` of `{1}`", "`{1}` 的标量 `{2}` 没有值", "", "",
    "give {0|input_tensors = {...}|input_tensors=[...]} with all arguments", "请用 {0|input_tensors = {...}|input_tensors=[...]} 给出全部参数")
ERR(mode_value, "E290", Lerror, "{1}: unknown {2} `{3}`", "{1}：未知的 {2} `{3}`", "expected {4}", "应为 {4}", "", "")
ERR(tl_near, "E291", Lerror, "tl has no `{1}`", "tl 中没有 `{1}`", "", "", "{0|did you mean tl.{2}?|did you mean tilelang.{2}?}", "{0|您是否想写 tl.{2}？|您是否想写 tilelang.{2}？}")
ERR(emit_none, "E298", Lerror, "{1} neither compiles nor calls a kernel", "{1} 既不编译也不调用内核", "", "",
    "call the kernel once, or {0|tl.compile|tilelang.compile} it, in the file", "请在文件中调用一次内核，或用 {0|tl.compile|tilelang.compile} 编译它")
ERR(jit_nil, "E292", Lnote, "the parameter `{1}` of `{2}` has no value", "`{2}` 的参数 `{1}` 没有值", "", "", "", "")
ERR(ref_memory, "E255", Lerror, "not enough memory for float64 copies of the tensors", "没有足够的内存存放张量的 float64 副本", "", "",
    "use smaller tensors, or drop those that are no longer used", "请用较小的张量，或释放不再使用的张量")
ERR(host_later_use, "E293", Lerror, "{1} is not available yet", "{1} 尚不可用", "", "", "use {2} instead", "请改用 {2}")
ERR(target_later, "E294", Lerror, "target `{1}` is not available yet", "目标 `{1}` 尚不可用", "", "",
    "use target = \"cpu\", which runs everywhere", "请使用 target = \"cpu\"，它在任何机器上都能运行")
ERR(tl_unknown, "E296", Lerror, "tl has no `{1}`", "tl 中没有 `{1}`", "", "",
    "{0|type `tl.` and|type `tilelang.` and} press Tab at the prompt: it lists all names", "在提示符下{0|输入 `tl.` 并|输入 `tilelang.` 并}按 Tab 键，可列出所有名称")
ERR(jit_strange, "E297", Lerror, "`{2}` is neither a parameter nor a constant of `{1}`", "`{2}` 既不是 `{1}` 的参数也不是其常量",
    "", "", "valid names are {3}", "可用名称为 {3}")
ERR(jit_close, "E259", Lnote, "`{1}` was given: did you mean `{2}`?", "给出的是 `{1}`：您是否想写 `{2}`？", "", "", "", "")
ERR(tensor_order, "E229", Lerror, "tensors cannot be compared with < <= > >=", "张量不能用 < <= > >= 比较", "", "",
    "compare element by element: {0|a:lt(b), a:le(b), a:gt(b), a:ge(b)|a.lt(b), a.le(b), a.gt(b), a.ge(b)}", "逐元素比较：{0|a:lt(b)、a:le(b)、a:gt(b)、a:ge(b)|a.lt(b)、a.le(b)、a.gt(b)、a.ge(b)}")
ERR(tensor_nofield, "E219", Lerror, "a tensor has no `{1}`", "张量没有 `{1}`", "", "", "it has {2}", "它有 {2}")
/* E650 to E699: explain, check. */
ERR(card_unknown, "E650", Lerror, "unknown card `{1}`", "没有名为 `{1}` 的显卡",
    "known cards: {2}", "已知的显卡：{2}", "name one of them, or leave `card` out", "请从中选一个，或不写 `card`")
ERR(target_threads, "E651", Lerror, "the target {1} has no threads to look at", "目标 {1} 没有可供分析的线程",
    "layouts, bank conflicts and registers belong to GPUs", "布局、bank 冲突和寄存器是 GPU 才有的概念",
    "name a machine: {0|{target = \"sim -arch=sm_80\"}|target=\"sim -arch=sm_80\"}", "请指定一种机器：{0|{target = \"sim -arch=sm_80\"}|target=\"sim -arch=sm_80\"}")
ERR(check_guard, "E652", Lerror, "`{1}` writes outside an output", "`{1}` 写到了输出张量之外",
    "element {2}, counted from its first", "从首元素数起的第 {2} 个元素", "compare the indices with the shape", "请对照形状检查下标")
ERR(check_cpu, "E653", Lnote, "this is `{1}`, run by {2}; the cpu target is the reference", "这是 `{1}`，由 {2} 运行；以 cpu 目标为参照", "", "", "", "")
ERR(check_order, "E659", Lnote, "this is `{1}`, run by {2}; the result changes with the order of its threads", "这是 `{1}`，由 {2} 运行；线程顺序不同时结果不同", "", "", "", "")
ERR(check_ref, "E660", Lnote, "this is `{1}`, run by {2}; `ref` is the reference", "这是 `{1}`，由 {2} 运行；以 `ref` 为参照", "", "", "", "")
ERR(check_large, "E654", Lerror, "`{1}` is too large to simulate at this size", "`{1}` 在此大小下过大，无法模拟",
    "{2} elements, the limit is {3}", "共 {2} 个元素，上限为 {3}", "give smaller sizes: {0|k:check{sizes = {{M = 64}}}|k.check(sizes=[{\"M\": 64}])}", "请给出较小的大小：{0|k:check{sizes = {{M = 64}}}|k.check(sizes=[{\"M\": 64}])}")
ERR(check_late, "E922", Lerror, "`{1}` did not finish at {2}, which is no larger", "`{1}` 在不更大的 {2} 处没有完成",
    "it was stopped after {3} s", "它在 {3} 秒后被停止", "give sizes that finish: {0|k:check{sizes = {{M = 64}}}|k.check(sizes=[{\"M\": 64}])}, or a longer `:limit`", "请给出能完成的大小：{0|k:check{sizes = {{M = 64}}}|k.check(sizes=[{\"M\": 64}])}，或加大 `:limit`")
ERR(check_none, "E655", Lerror, "no size of `{1}` could be checked", "`{1}` 没有任何可检查的大小",
    "", "", "give sizes: {0|k:check{sizes = {{M = 64}}}|k.check(sizes=[{\"M\": 64}])}", "请给出大小：{0|k:check{sizes = {{M = 64}}}|k.check(sizes=[{\"M\": 64}])}")
ERR(check_writer, "E656", Lnote, "{1} was written here", "{1} 在此写入", "last by thread {2} of block {3}", "最后由块 {3} 的线程 {2} 写入", "", "")
ERR(check_nobody, "E657", Lnote, "nobody wrote {1}", "没有线程写过 {1}", "", "", "", "")
ERR(check_refs, "E658", Lerror, "ref of `{1}` does not return its {2} {2|output|outputs}", "`{1}` 的 ref 没有返回全部 {2} 个输出",
    "value {3} is {4}", "第 {3} 个值是 {4}", "return tensors in the order of the kernel's outputs", "请按内核输出的顺序返回张量")
/* E670 to E679: after a fault on a device (tl/fault.lua), export. */
ERR(fault_found, "E670", Lnote, "the simulator ran `{1}` again with {2} and reports what is wrong", "模拟器用 {2} 重新运行了 `{1}`，指出问题所在", "", "", "", "")
ERR(stuck_open, "E692", Lnote, "this `{1}` has no fixed number of iterations", "这个 `{1}` 没有固定的轮数", "{2}", "{2}", "", "")
ERR(stuck_long, "E693", Lnote, "its loop with the most iterations: {1}", "其中轮数最多的循环：共 {1} 轮", "", "", "", "")
ERR(fault_clean, "E671", Lnote, "the simulator ran `{1}` again with {2} and found nothing wrong", "模拟器用 {2} 重新运行了 `{1}`，没有发现问题", "", "",
    "try `{0|k:check()|k.check()}`, which checks more sizes; if that is clean too, please report it to us with {0|k:export(\"dir\")|k.export(\"dir\")}", "请试 `{0|k:check()|k.check()}`，它会检查更多大小；若仍无问题，请用 {0|k:export(\"dir\")|k.export(\"dir\")} 导出并报告给我们")
ERR(fault_slow, "E672", Lnote, "the simulator did not reach the fault of `{1}` within {2} s", "模拟器在 {2} 秒内没有运行到 `{1}` 的出错处", "", "",
    "{0|k:check{sizes = {{..}}}|k.check(sizes=[{..}])} checks small sizes", "用 {0|k:check{sizes = {{..}}}|k.check(sizes=[{..}])} 检查较小的大小")
ERR(fault_at, "E459", Lnote, "block {1} was here by then", "当时块 {1} 运行到此处", "", "", "", "")
ERR(stuck_in, "E725", Lnote, "in the simulator, with {1}, block {2} was in this `{3}` after {4} s", "在模拟器中用 {1} 运行 {4} 秒后，块 {2} 处于这个 `{3}` 中", "{5}", "{5}", "", "")
ERR(stuck_at, "E726", Lnote, "in the simulator, with {1}, block {2} was here after {3} s", "在模拟器中用 {1} 运行 {3} 秒后，块 {2} 运行到此处", "", "", "", "")
ERR(fault_sizes, "E727", Lnote, "the simulator is looking for the line, with smaller sizes of `{1}`", "模拟器正在查找出错的行：`{1}` 的较小尺寸", "", "", "", "")
ERR(export_none, "E673", Lerror, "the target {1} has nothing to export", "目标 {1} 没有可导出的内容", "", "", "{0|k:retarget(\"cuda\"):export(dir)|k.retarget(\"cuda\").export(dir)}", "{0|k:retarget(\"cuda\"):export(dir)|k.retarget(\"cuda\").export(dir)}")
ERR(export_dir, "E674", Lerror, "`{1}` cannot be written", "无法写入 `{1}`", "{2}", "{2}", "", "")
ERR(export_there, "E758", Lerror, "`{1}` already exists and was not written by an export", "`{1}` 已经存在，且不是由导出写成的", "nothing was written", "没有写入任何文件",
    "export to a separate folder, or move the file away", "请导出到单独的文件夹，或移走该文件")
ERR(export_missing, "E675", Lwarning, "{1} {1|statement|statements} of `{2}` {1|has|have} no counterpart in TileLang", "`{2}` 中有 {1} 条语句在 TileLang 中没有对应写法",
    "marked in {3}", "已在 {3} 中标出", "", "")
/* bench, tune */
ERR(vs_target, "E661", Lerror, "`{1}` runs on {2}, where there is no `{3}` to compare with", "`{1}` 运行于 {2}，那里没有可供对比的 `{3}`", "", "",
    "give another kernel or a function: {0|k:bench{vs = f}|k.bench(vs=f)}", "请给出另一个内核或函数：{0|k:bench{vs = f}|k.bench(vs=f)}")
ERR(vs_gemm, "E662", Lerror, "it is not clear which matrix product `{1}` is", "无法判断 `{1}` 是哪一种矩阵乘法", "{2}", "{2}",
    "specify it: {0|vs = {\"gemm\", m = 1024, n = 1024, k = 1024, a = \"float16\", tb = true}|vs={1: \"gemm\", \"m\": 1024, \"n\": 1024, \"k\": 1024, \"a\": \"float16\", \"tb\": True}}",
    "请明确写出：{0|vs = {\"gemm\", m = 1024, n = 1024, k = 1024, a = \"float16\", tb = true}|vs={1: \"gemm\", \"m\": 1024, \"n\": 1024, \"k\": 1024, \"a\": \"float16\", \"tb\": True}}")
ERR(tune_fit, "E663", Lerror, "{1} does not fit the machine", "{1} 超出机器的限制", "{2} bytes of shared memory, the limit is {3}; {4} threads", "共享内存 {2} 字节，上限为 {3}；{4} 个线程", "", "")
ERR(tune_tensors, "E664", Lerror, "{1} changes the tensors", "{1} 改变了张量", "{2} instead of {3}", "成为 {2}，原为 {3}",
    "tune only what does not change the problem", "只应调优不改变问题本身的参数")
ERR(tune_results, "E665", Lerror, "{1} returns no tensor of the right shape as result {2}", "{1} 的第 {2} 个结果不是形状正确的张量", "", "", "", "")
ERR(tune_reference, "E979", Lerror, "ref_prog does not return what the kernel gives", "ref_prog 的返回值与内核的结果不对应",
    "the kernel gives {1} {1|tensor|tensors}; result {2} of ref_prog is {3}", "内核给出 {1} 个张量；ref_prog 的第 {2} 个结果为 {3}",
    "return one tensor for each result of the kernel; where it writes to its arguments, write to them or return them",
    "请为内核的每个结果返回一个张量；若内核写入其参数，请写入或返回这些参数")
ERR(tune_differs, "E666", Lerror, "{1} computes something different from the first configuration", "{1} 的结果与第一个配置不同",
    "at {2}: {3} instead of {4}; {5} % of the elements differ", "在 {2} 处为 {3}，应为 {4}；{5} % 的元素不同", "", "")
ERR(tune_wrong, "E667", Lerror, "{1} computes something different from ref_prog", "{1} 的结果与 ref_prog 不同",
    "at {2}: {3} instead of {4}; {5} % of the elements differ", "在 {2} 处为 {3}，应为 {4}；{5} % 的元素不同", "", "")
ERR(tune_budget, "E668", Lerror, "`{1}` is not a budget", "`{1}` 不是有效的时间预算", "", "", "give seconds or a string: budget = \"20s\"", "请写秒数或文本：budget = \"20s\"")
ERR(tune_large, "E669", Lerror, "the space of `{1}` is too large", "`{1}` 的搜索空间过大", "more than 4096 configurations", "超过 4096 种配置",
    "give fewer values, or a list of configurations", "请减少取值，或给出配置列表")
ERR(tune_jit, "E698", Lerror, "`{1}` has no parameters to tune", "`{1}` 没有可调优的参数", "it was not made by a tl.jit function", "它不是由 tl.jit 函数生成的",
    "tune a kernel of a tl.jit function: {0|f:compile{BM = 64}:tune{}|f.compile(BM=64).tune()}", "请对 tl.jit 函数的内核调优：{0|f:compile{BM = 64}:tune{}|f.compile(BM=64).tune()}")
/* figures (layout_viz/) */
ERR(viz_type, "E680", Lerror, "`{1}` of {2} is {4}", "{2} 的 `{1}` 是{4}", "{3} was expected", "此处应为{3}", "", "")
ERR(viz_field, "E681", Lerror, "{2} has no field `{1}`", "{2} 没有字段 `{1}`", "", "", "its fields are {3}", "它的字段有 {3}")
ERR(viz_length, "E682", Lerror, "`{1}` of {2} has {3} {3|entry|entries}", "{2} 的 `{1}` 有 {3} 项",
    "{4} {4|is|are} needed", "需要 {4} 项", "", "")
ERR(viz_range, "E683", Lerror, "`{1}` of {2} is {3}", "{2} 的 `{1}` 为 {3}", "it must be from {4} to {5}", "可用的范围是 {4} 到 {5}", "", "")
ERR(viz_choice, "E684", Lerror, "`{1}` of {2} is \"{3}\"", "{2} 的 `{1}` 为 \"{3}\"", "", "", "it is one of {4}", "可选的有 {4}")
ERR(viz_large, "E685", Lerror, "{2} is too large", "{2} 过大", "`{1}` has {3} entries; the limit is {4}", "`{1}` 有 {3} 项，上限为 {4}", "", "")
ERR(viz_missing, "E686", Lerror, "`{1}` of {2} is missing", "{2} 缺少 `{1}`", "", "", "", "")
ERR(viz_finite, "E687", Lerror, "`{1}` of {2} is {3}, which cannot be drawn", "{2} 的 `{1}` 为 {3}，无法绘制", "", "",
    "leave the entry out, or put it into words", "请去掉这一项，或用文字说明")
ERR(viz_log, "E688", Lerror, "`{1}` of {2} is {3} on a logarithmic axis", "{2} 的 `{1}` 为 {3}，却在对数轴上", "", "",
    "only numbers above 0 can be shown there", "对数轴上只有大于 0 的数")
ERR(viz_format, "E689", Lerror, "`format` and `values` of {1} do not agree", "{1} 的 `format` 与 `values` 不一致",
    "\"{2}\" takes {3} {3|list|lists}, `values` has {4}", "\"{2}\" 需要 {3} 个列表，`values` 有 {4} 个",
    "each %d takes the next list of integers", "每个 %d 依次取一个整数列表")
/* plot (layout_viz/plot.lua and its builders) */
ERR(plot_kind, "E740", Lerror, "plot cannot draw {1}", "plot 无法绘制 {1}", "", "", "it draws {2}", "可以绘制：{2}")
ERR(plot_what, "E741", Lerror, "there is no figure `{1}` of {2}", "{2} 没有名为 `{1}` 的图", "", "", "its figures are {3}", "可用的有 {3}")
ERR(plot_what_near, "E742", Lerror, "there is no figure `{1}`", "没有名为 `{1}` 的图", "did you mean `{2}`?", "您是否想写 `{2}`？",
    "available: {3}", "可用的有 {3}")
ERR(plot_jit, "E743", Lerror, "`{1}` has no kernel yet", "`{1}` 还没有内核", "", "",
    "call it once, or compile it: {0|plot({1}:compile{M = 1024})|plot({1}.compile(M=1024))}", "请先调用一次，或编译它：{0|plot({1}:compile{M = 1024})|plot({1}.compile(M=1024))}")
ERR(plot_file, "E744", Lerror, "cannot write {1}", "无法写入 {1}", "{2}", "{2}", "", "")
ERR(plot_page, "E745", Lerror, "there is no page {1}", "没有第 {1} 页", "the figure has {2} {2|page|pages}", "此图共 {2} 页", "", "")
ERR(plot_empty, "E746", Lerror, "nothing to plot", "没有可绘制的内容", "{1}", "{1}", "", "")
ERR(plot_shapes, "E747", Lerror, "two tensors of different shapes", "两个张量的形状不同", "the first has shape {1}, the second {2}", "前者形状为 {1}，后者为 {2}",
    "plot one of them, or make the shapes equal", "请只绘制其中一个，或使形状一致")
ERR(plot_slice, "E748", Lerror, "`{1}` is outside the tensor", "`{1}` 超出张量范围", "dimension {2} has {3} {3|index|indices}: 0 .. {4}", "第 {2} 维有 {3} 个下标：0 .. {4}", "", "")
ERR(plot_block, "E749", Lerror, "there is no block {1}", "没有线程块 {1}", "the grid is {2}", "网格为 {2}", "block indices count from 0, x first", "块下标从 0 开始，x 在前")
ERR(plot_dims, "E750", Lerror, "some sizes of `{1}` are not known", "`{1}` 的尺寸未知", "`{2}` has no value", "`{2}` 没有值",
    "give it, as in {0|plot(k, {dims = {{2} = 1024}})|plot(k, dims={\"{2}\": 1024})}", "请给出它，例如 {0|plot(k, {dims = {{2} = 1024}})|plot(k, dims={\"{2}\": 1024})}")
ERR(plot_pipeline, "E751", Lerror, "`{1}` has no pipelined loop", "`{1}` 没有流水线循环", "", "",
    "{0|T.Pipelined(n, {num_stages = 3})|T.Pipelined(n, num_stages=3)} makes one; plot({1}) shows its blocks", "用 {0|T.Pipelined(n, {num_stages = 3})|T.Pipelined(n, num_stages=3)} 创建；plot({1}) 显示线程块")
ERR(plot_shared, "E752", Lerror, "`{1}` uses no shared memory", "`{1}` 不使用共享内存", "on {2}", "目标机器 {2}", "", "")
ERR(plot_roof, "E753", Lerror, "no roofline for `{1}`", "无法绘制 `{1}` 的 roofline", "{2}", "{2}", "", "")
ERR(plot_launch, "E754", Lerror, "`{1}` has {2} {2|launch|launches}", "`{1}` 共有 {2} 次启动", "launch {3} was asked for", "要求的是第 {3} 次", "launches count from 1", "启动从 1 开始计数")
/* buffers of a kernel, and figures of layouts (tl/buffers.lua, layout_viz/) */
ERR(buffer_none, "E760", Lerror, "`{1}` has no buffer `{2}`", "`{1}` 没有缓冲区 `{2}`", "", "", "its buffers are {3}", "可用的有 {3}")
ERR(buffer_near, "E761", Lerror, "`{1}` has no buffer `{2}`", "`{1}` 没有缓冲区 `{2}`", "did you mean `{4}`?", "您是否想写 `{4}`？",
    "its buffers are {3}", "可用的有 {3}")
ERR(buffer_layout, "E762", Lerror, "`{2}` of `{1}` has no layout", "`{1}` 的 `{2}` 没有布局", "{3}", "{3}",
    "fragments, shared buffers and tensors of known sizes have one", "片段、共享内存缓冲区以及尺寸已知的张量才有布局")
ERR(plot_view, "E763", Lerror, "{1} has no view `{2}`", "{1} 没有视图 `{2}`", "", "", "its views are {3}", "可用的有 {3}")
ERR(layout_cut, "E764", Lerror, "`{1}` does not fit {2}", "`{1}` 不适用于 {2}", "it is {3}", "其值为 {3}",
    "write a number for each dimension that is fixed and \":\" for the two that are drawn: {0|slice = {0, \":\", \":\"}|slice=(0, \":\", \":\")}",
    "固定的维写数字，要画出的两维写 \":\"：{0|slice = {0, \":\", \":\"}|slice=(0, \":\", \":\")}")
ERR(owner_thread, "E765", Lerror, "{1} has no thread {2}", "{1} 没有线程 {2}", "threads are 0 .. {3}", "线程号为 0 .. {3}", "", "")
ERR(access_none, "E766", Lerror, "no lane of `{1}` touches memory {2}", "`{1}` 中没有通道访问内存（{2}）", "on {3}", "目标机器 {3}",
    "accesses are at {4}", "有访问的地方：{4}")
ERR(access_data, "E767", Lerror, "the addresses are not known before the kernel runs", "地址在内核运行之前无法得知", "{1}", "{1}",
    "they depend on data, or on sizes: give those as in {0|plot(k, {line = 7, dims = {M = 1024}})|plot(k, line=7, dims={\"M\": 1024})}",
    "它们取决于数据或尺寸：尺寸可以给出，例如 {0|plot(k, {line = 7, dims = {M = 1024}})|plot(k, line=7, dims={\"M\": 1024})}")
ERR(gemm_none, "E768", Lerror, "`{1}` has no matrix product{2}", "`{1}` {2}没有矩阵乘法", "on {3}", "目标机器 {3}",
    "{4}", "{4}")
ERR(layout_bits, "E769", Lerror, "{1} has no F2 matrix", "{1} 没有 F2 矩阵", "{2}", "{2}",
    "a matrix over bits needs modes that are powers of two; view = \"modes\" shows all others",
    "位矩阵要求所有 mode 都是二的幂；其他情形可用 view = \"modes\" 查看")
ERR(cute_shape, "E770", Lerror, "no CuTe notation for {1}", "CuTe 记法无法表示 {1}", "{2}", "{2}", "", "")
ERR(cute_tile, "E771", Lerror, "`{1}` does not reach each element of the tile exactly once", "`{1}` 没有恰好覆盖分块的每个元素一次", "{2}", "{2}",
    "a TV layout maps (thread, value) to m + M * n of the tile", "TV 布局把（线程、值）映射到分块中的 m + M * n")
ERR(viz_sign, "E690", Lerror, "`{1}` of {2} is \"{3}\"", "{2} 的 `{1}` 为 \"{3}\"", "a single printable ASCII character is needed", "需要单个可打印的 ASCII 字符", "", "")
/* looking inside (repl/, lua/tl/peek.lua) */
ERR(src_kind, "E700", Lerror, "there is no source of kind `{1}`", "没有“{1}”这种源码", "", "", "it is one of {2}", "可选的有 {2}")
ERR(src_kind_near, "E701", Lerror, "there is no source of kind `{1}`", "没有“{1}”这种源码", "it is one of {2}", "可选的有 {2}", "did you mean `{3}`?", "您是否想写 `{3}`？")
ERR(src_listing, "E702", Lerror, "no {1} of this kernel can be shown", "无法显示此内核的 {1}", "{2}", "{2}",
    "`:src k cuda` shows the source that it would be made from", "`:src k cuda` 显示据以生成它的源码")
ERR(src_line, "E703", Lerror, "line {1} produced no code", "第 {1} 行没有生成任何代码", "lines of `{2}` that did: {3}", "`{2}` 中生成了代码的行：{3}", "", "")
ERR(peek_global, "E704", Lerror, "`{1}` is a tensor, not a tile", "`{1}` 是张量，不是分块", "", "",
    "its values are in the argument, or in what the kernel returns; the tiles are {2}", "它的值就在参数或内核的返回值中；分块有 {2}")
ERR(peek_kind, "E705", Lerror, "`{1}` holds no values", "`{1}` 不存放数值", "it is a barrier", "它是屏障", "the tiles are {2}", "分块有 {2}")
ERR(peek_write, "E706", Lerror, "nothing in `{1}` writes `{2}`", "`{1}` 中没有语句写入 `{2}`", "", "",
    "say where: {0|k:peek(\"{2}\", {line = 14})|k.peek(\"{2}\", line=14)}", "请指明位置：{0|k:peek(\"{2}\", {line = 14})|k.peek(\"{2}\", line=14)}")
ERR(peek_line, "E707", Lerror, "`{1}` has no statement at line {2}", "`{1}` 在第 {2} 行没有语句", "it has some at {3}", "有语句的行：{3}", "", "")
ERR(peek_loop, "E708", Lerror, "no loop around `{1}` for iteration {2}", "`{1}` 外没有可取第 {2} 次迭代的循环",
    "the statement that writes it is in no sequential loop", "写入它的语句不在有次序的循环中",
    "leave `iteration` out, or name a line of the loop: line = N", "请去掉 `iteration`，或指明循环中的一行：line = N")
ERR(peek_loop_where, "E709", Lerror, "the loop of `{2}` does not enclose what is shown of `{1}`", "`{2}` 的循环不在所查看的 `{1}` 之外", "", "",
    "name a line of that loop: line = N", "请指明该循环中的一行：line = N")
ERR(peek_parallel, "E710", Lerror, "`{1}` does not name a point of a run", "`{1}` 不能确定运行中的位置",
    "it is not the variable of a sequential loop around `{2}`: iterations of T.Parallel have no order", "它不是 `{2}` 外有次序的循环的变量：T.Parallel 的迭代没有次序",
    "use the variable of a T.Pipelined, T.serial or T.unroll, or an index of the tile: rows, cols",
    "请使用 T.Pipelined、T.serial 或 T.unroll 的变量，或用 rows、cols 选取分块的下标")
ERR(peek_scope, "E711", Lerror, "`{1}` does not exist at line {2}", "`{1}` 在第 {2} 行并不存在", "it is created at line {3}, in another block", "它在第 {3} 行的另一个代码块中创建", "", "")
ERR(peek_block, "E712", Lerror, "there is no block {1}", "没有线程块 {1}", "the grid has {2}", "网格为 {2}", "{0|block = {0, 1}: x|block=(0, 1): x} first, counted from 0", "{0|block = {0, 1}：x|block=(0, 1)：x} 在前，从 0 开始")
ERR(peek_iteration, "E713", Lerror, "the loop at line {3} has no iteration {1} = {2}", "第 {3} 行的循环没有 {1} = {2} 这次迭代",
    "`{1}` goes from {4} to {5}{6}", "`{1}` 从 {4} 到 {5}{6}", "", "")
ERR(peek_empty, "E714", Lerror, "the loop at line {2} does not run", "第 {2} 行的循环不会执行", "`{1}` has no value in this block", "在该块中 `{1}` 没有值", "", "")
ERR(peek_unknown, "E715", Lerror, "how often the loop at line {2} runs is not known in advance", "第 {2} 行循环的次数事先未知", "", "",
    "give the value of its variable: {0|iteration = {{1} = 3}|iteration={\"{1}\": 3}}", "请给出其变量的值：{0|iteration = {{1} = 3}|iteration={\"{1}\": 3}}")
ERR(peek_never, "E716", Lerror, "block {3} never reached line {2}{4}", "块 {3} {4}没有到达第 {2} 行", "so `{1}` was not seen there", "因此没有得到 `{1}` 的值",
    "a condition around it may not have held", "它外面的条件可能不成立")
ERR(peek_range, "E717", Lerror, "`{3}` has no {1} {2}", "`{3}` 没有 {1} {2}", "they go from 0 to {4}", "范围是 0 到 {4}", "write {1} = {from, to}, both included", "请写 {1} = {起, 止}，两端都包含在内")
ERR(plot_view_near, "E772", Lerror, "{1} has no view `{2}`", "{1} 没有视图 `{2}`", "did you mean `{4}`?", "您是否想写 `{4}`？",
    "its views are {3}", "可用的有 {3}")
ERR(plot_kernel, "E755", Lerror, "{2} has no kernel `{1}`", "{2} 中没有内核 `{1}`", "", "", "its kernels are {3}", "其中有 {3}")
ERR(peek_loop_none, "E718", Lerror, "no loop of `{2}` around `{1}`", "`{1}` 外没有变量为 `{2}` 的循环", "the loops around it are those of {3}", "它外面的循环变量有 {3}", "", "")
ERR(peek_loop_near, "E719", Lerror, "no loop of `{2}` around `{1}`", "`{1}` 外没有变量为 `{2}` 的循环", "the loops around it are those of {3}", "它外面的循环变量有 {3}",
    "did you mean `{4}`?", "您是否想写 `{4}`？")
/* k:trace: {1} the kernel, {2} the dimension */
ERR(trace_symbols, "E697", Lerror, "the shapes of `{1}` are not known", "`{1}` 的形状未知", "`{2}` is a run-time dimension", "`{2}` 是运行时的维",
    "call the kernel once, or give {0|inputs = {...} or dims = {{2} = 1024}|inputs=[...] or dims={\"{2}\": 1024}}", "请先调用一次内核，或给出 {0|inputs = {...}、dims = {{2} = 1024}|inputs=[...]、dims={\"{2}\": 1024}}")
/* a kernel's method on a tl.jit function: {1} the function, {2} the method */
ERR(jit_method, "E773", Lerror, "`{1}` {0|is a function of tl.jit:|is a function of tilelang.jit:} `{2}` is a method of its kernels", "`{1}` {0|是 tl.jit 函数：|是 tilelang.jit 函数：}`{2}` 是其内核的方法", "", "",
    "{0|{1}:compile{...}:{2}()|{1}.compile(...).{2}()}, or {0|{1}.last:{2}()|{1}.last.{2}()} of the kernel that ran last", "{0|{1}:compile{...}:{2}()|{1}.compile(...).{2}()}，或对最近运行的内核用 {0|{1}.last:{2}()|{1}.last.{2}()}")
/* a size that nobody declared (lua/stage/strict.lua) */
ERR(global_size, "E774", Lerror, "there is no `{1}`", "没有 `{1}`", "", "",
    "a size that comes from the arguments must be declared first: local {1} = T.const \"{1}\"",
    "随参数而定的尺寸需要先声明：local {1} = T.const \"{1}\"")
