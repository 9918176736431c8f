/* Messages of kernels: types, shapes, scopes, bounds, races, T's arguments: E100 to E199.  See errs.h. */
ERR(div_zero, "E100", Lerror, "division by zero", "除以零",
    "the right side of `{1}` is 0", "`{1}` 的右操作数为 0",
    "divide by a value that cannot be 0", "请使用不可能为 0 的除数")
ERR(int_div, "E101", Lerror, "`/` between two integers is ambiguous", "两个整数之间的 `/` 含义不明确",
    "both sides are integers ({1} and {2})", "两侧均为整数（{1} 与 {2}）",
    "write `//` for the floor of the quotient, or cast one side: T.float32(x) / y",
    "取整请写 `//`；需要小数结果请先转换一侧：T.float32(x) / y")
ERR(int_only, "E102", Lerror, "`{1}` needs integers", "`{1}` 只能用于整数",
    "the operands are {2} and {3}", "操作数类型为 {2} 和 {3}",
    "cast to an integer type first, or use T.reinterpret to work on the bits",
    "请先转换为整数类型，或用 T.reinterpret 按位处理")
ERR(shift, "E103", Lerror, "shift by {1} is out of range", "移位量 {1} 超出范围",
    "{2} has {3} bits", "{2} 只有 {3} 位",
    "shift by less than {3}, or cast to a wider type first", "移位量必须小于 {3}，或先转换为更宽的类型")
ERR(reinterpret, "E104", Lerror, "T.reinterpret needs types of equal width", "T.reinterpret 要求两种类型位宽相同",
    "{1} has {2} bits, {3} has {4}", "{1} 为 {2} 位，{3} 为 {4} 位",
    "use T.cast to convert the value instead", "若要转换数值，请使用 T.cast")
ERR(rank, "E105", Lerror, "wrong number of indices for `{1}`", "`{1}` 的下标个数不对",
    "it has {2} {2|dimension|dimensions}, got {3} {3|index|indices}", "它有 {2} 维，却给了 {3} 个下标",
    "give one index for each dimension, or a slice `lo:hi`", "请为每一维给出一个下标，或使用切片 `lo:hi`")
ERR(index_type, "E106", Lerror, "an index of `{1}` is not an integer", "`{1}` 的下标不是整数",
    "index {2} has type {3}", "第 {2} 个下标的类型是 {3}",
    "cast it: T.int32(x)", "请转换：T.int32(x)")
ERR(intr_args, "E107", Lerror, "wrong number of arguments for T.{1}", "T.{1} 的参数个数不对",
    "it takes {2}, got {3}", "需要 {2} 个，得到 {3} 个", "see its signature with `T.{1}?`", "可用 `T.{1}?` 查看签名")
ERR(no_value, "E108", Lerror, "T.{1} returns no value", "T.{1} 没有返回值",
    "it is a statement", "它是一条语句", "write it on a line of its own", "请单独写成一行")
ERR(shape_type, "E109", Lerror, "a dimension of `{1}` is not an integer", "`{1}` 的某一维不是整数",
    "dimension {2} has type {3}", "第 {2} 维的类型是 {3}",
    "give an integer, a T.const or a T.dynamic symbol", "请给出整数、T.const 或 T.dynamic 符号")
ERR(shape_static, "E110", Lerror, "the shape of `{1}` must be known when the kernel is compiled", "`{1}` 的形状必须在编译时已知",
    "dimension {2} is a run-time value; {3} tiles have fixed sizes", "第 {2} 维是运行时的值；{3} 缓冲区的大小必须固定",
    "use a compile-time number such as a block size", "请使用编译时的数值，例如分块大小")
ERR(shape_value, "E111", Lerror, "a dimension of `{1}` is too small", "`{1}` 的某一维太小",
    "dimension {2} is {3}", "第 {2} 维为 {3}", "every dimension of a tile is at least 1", "分块的每一维至少为 1")
ERR(shape_size, "E112", Lerror, "`{1}` is too large", "`{1}` 太大",
    "it has more than 2^40 elements", "元素个数超过 2^40", "check the order of magnitude of its shape", "请检查形状的数量级")
ERR(ndim, "E113", Lerror, "`{1}` has an unsupported number of dimensions", "`{1}` 的维数不受支持",
    "{2} dimensions, the limit is {3}", "{2} 维，上限为 {3}", "merge dimensions that are used together", "请合并总是一起使用的维")
ERR(view, "E114", Lerror, "a view of `{1}` must keep its number of bits", "`{1}` 的视图必须保持总位数不变",
    "{2} {3} cannot be seen as {4} {5}", "{2} {3} 不能视为 {4} {5}",
    "choose a shape with the same number of elements (times the width of the type)", "请选择元素个数（乘以类型位宽）相同的形状")
ERR(outside_kernel, "E115", Lerror, "`{1}` is outside a kernel", "`{1}` 位于内核之外",
    "there is no open T.Kernel here", "此处没有打开的 T.Kernel",
    "move it into the block of T.Kernel", "请移到 T.Kernel 的块内")
ERR(nesting, "E116", Lerror, "blocks are nested too deeply", "代码块嵌套过深",
    "this one is inside {2} others, the limit is {1}", "此块位于 {2} 层之内，上限为 {1}", "write the inner loops as one with more indices: T.grid, T.Parallel", "请用 T.grid 或 T.Parallel 把内层循环合成一个")
ERR(launch_nested, "E117", Lerror, "T.Kernel inside another T.Kernel", "T.Kernel 嵌套在另一个 T.Kernel 之中",
    "a kernel cannot launch a kernel", "内核中不能再启动内核",
    "{0|close the first loop with `end` before it|end the block of the first one before it}", "{0|请先用 `end` 结束前一个循环|请先结束前一个的块}")
ERR(grid_dims, "E118", Lerror, "T.Kernel takes 1 to 3 grid dimensions", "T.Kernel 的网格只能有 1 到 3 维",
    "got {1}", "得到 {1}", "fold further dimensions into one and split it with // and %", "请把多余的维合并为一维，再用 // 和 % 拆开")
ERR(thread_dims, "E119", Lerror, "threads takes 1 to 3 numbers", "threads 只能有 1 到 3 个数",
    "got {1}", "得到 {1}", "for example {0|threads = 128, or {32, 4}|threads=128, or (32, 4)}", "例如 {0|threads = 128，或 {32, 4}|threads=128，或 (32, 4)}")
ERR(threads, "E120", Lerror, "threads must be positive", "threads 必须为正数",
    "got {1}", "得到 {1}", "use a multiple of 32, such as 128", "请用 32 的倍数，例如 128")
ERR(threads_many, "E121", Lerror, "too many threads in a block", "每个块的线程太多",
    "{1} threads, the limit is {2}", "{1} 个线程，上限为 {2}", "use fewer threads and more blocks", "请减少线程、增加块数")
ERR(grid_type, "E122", Lerror, "a grid dimension of T.Kernel is not an integer", "T.Kernel 的某一网格维不是整数",
    "dimension {1} has type {2}", "第 {1} 维的类型是 {2}", "use T.ceildiv(size, block)", "请使用 T.ceildiv(size, block)")
ERR(grid_value, "E123", Lerror, "a grid dimension of T.Kernel is out of range", "T.Kernel 的某一网格维超出范围",
    "dimension {1} is {2}", "第 {1} 维为 {2}", "it must be from 1 to 2^31 - 1", "取值应在 1 到 2^31 - 1 之间")
ERR(grid_reads, "E582", Lerror, "a grid dimension of T.Kernel is read from memory", "T.Kernel 的某一网格维取自内存",
    "dimension {1}; the grid is made before the kernel runs", "第 {1} 维；网格在内核运行之前确定",
    "pass it as a parameter (n: T.int32), or make the grid large enough and test inside: {0|if bx < count[0] then|if bx < count[0]:}", "请把它作为参数传入（n: T.int32），或取足够大的网格并在内核中判断：{0|if bx < count[0] then|if bx < count[0]:}")
ERR(loop_dims, "E124", Lerror, "wrong number of extents for a {1} loop", "{1} 循环的范围个数不对",
    "got {2}, the limit is {3}", "得到 {2} 个，上限为 {3}", "give one extent for each index", "请为每个下标给出一个范围")
ERR(loop_step, "E125", Lerror, "the step of a loop is 0", "循环的步长为 0", "", "", "use a step other than 0", "请使用非零步长")
ERR(loop_type, "E126", Lerror, "a bound of the {1} loop is not an integer", "{1} 循环的边界不是整数",
    "it is {2}", "其类型是 {2}", "use integers, for example T.ceildiv(n, 32)", "请使用整数，例如 T.ceildiv(n, 32)")
ERR(while_true, "E127", Lerror, "this while loop never ends", "这个 while 循环永远不会结束",
    "its condition is always true", "其条件恒为真",
    "use a variable from T.alloc_var in the condition and change it in the loop", "请在条件中使用 T.alloc_var 变量，并在循环中修改它")
ERR(jump_outside, "E128", Lerror, "`{1}` outside a loop of the kernel", "`{1}` 不在内核的循环之内",
    "", "", "use T.serial, T.unroll or a numeric for", "请用 T.serial、T.unroll 或数值 for 循环")
ERR(jump_parallel, "E129", Lerror, "`{1}` inside {2}", "`{1}` 位于 {2} 之内",
    "its iterations have no order, so there is no rest to skip", "其各次迭代没有先后次序，无法提前离开",
    "use `if`, or a T.serial loop", "请改用 `if`，或 T.serial 循环")
ERR(atomic_scope, "E130", Lerror, "atomics work on global and shared memory only", "原子操作只能用于全局和共享内存",
    "`{1}` lives in {2} memory", "`{1}` 位于 {2} 内存", "each thread owns its registers: a plain store is enough", "寄存器由各线程独占：直接赋值即可")
ERR(atomic_type, "E131", Lerror, "the atomic operation {1} does not take this type", "原子操作 {1} 不支持该类型",
    "`{2}` is {3}", "`{2}` 的类型是 {3}", "use int32, float16, bfloat16, float32 or float64 (integers from int8 on for bit operations)",
    "请使用 int32、float16、bfloat16、float32 或 float64（位操作用 int8 及以上的整数）")
ERR(copy_rank, "E132", Lerror, "`{3}` has too few dimensions for this copy", "`{3}` 的维数不足以容纳这次复制",
    "`{1}` has extents {2}, `{3}` has {4} {4|dimension|dimensions}", "`{1}` 的范围是 {2}，`{3}` 只有 {4} 维",
    "slice `{1}` so that its leading extents are 1", "请对 `{1}` 切片，使前面各维的范围为 1")
ERR(copy_extent, "E133", Lerror, "the two sides differ in extent", "两侧的范围不一致",
    "`{1}` is {2}, `{3}` is {4}", "`{1}` 为 {2}，`{3}` 为 {4}",
    "make the tiles equal, or copy a slice: X[lo:hi, :]", "请使两侧大小一致，或复制切片：X[lo:hi, :]")
ERR(extent_static, "E134", Lerror, "a tile's extent must be known when the kernel is compiled", "分块的范围必须在编译时已知",
    "{1}: dimension {3} of `{2}` is a run-time value", "{1}：`{2}` 的第 {3} 维是运行时的值",
    "use a fixed tile; out-of-range elements read as 0 and are not written", "请使用固定大小的分块；越界元素读作 0，且不会写出")
ERR(extent_value, "E135", Lerror, "an empty slice of `{1}`", "`{1}` 的切片为空",
    "dimension {2} is {3}:{4}, which {5|ends before it begins|holds nothing}", "第 {2} 维为 {3}:{4}，{5|终点在起点之前|其中没有元素}",
    "a slice lo:hi needs hi > lo", "切片 lo:hi 要求 hi > lo")
ERR(extent_large, "E136", Lerror, "a slice is larger than `{1}`", "切片大于 `{1}`",
    "dimension {2}: the slice takes {3}, `{1}` has {4}", "第 {2} 维：切片为 {3}，`{1}` 只有 {4}",
    "make the slice or the tile fit", "请调整切片或分块的大小")
ERR(op_scope, "E137", Lerror, "{1} cannot work on `{2}` where it lives", "{1} 不能用于 `{2}` 所在的内存",
    "`{2}` is in {3} memory; it must be one of: {4}", "`{2}` 位于 {3} 内存；应为：{4}",
    "stage it: allocate such a tile and T.copy into it first", "请先分配这样的分块，再用 T.copy 复制进去")
ERR(gemm_rank, "E138", Lerror, "operand {1} of T.gemm needs two dimensions", "T.gemm 的操作数 {1} 需要两维",
    "`{2}` has {3} {3|dimension|dimensions}", "`{2}` 为 {3} 维", "for a vector use a tile of one row: (1, K)", "向量请用单行分块：(1, K)")
ERR(gemm_leading, "E139", Lerror, "leading dimensions of a T.gemm operand must be 1", "T.gemm 操作数的前导维必须为 1",
    "`{1}` is {2}", "`{1}` 为 {2}", "slice it: X[i, :, :]", "请切片：X[i, :, :]")
ERR(gemm_k, "E140", Lerror, "shapes do not agree in T.gemm", "T.gemm 的形状不一致",
    "A is {1}, B is {2}: inner dimensions {3} and {4} differ", "A 为 {1}，B 为 {2}：内维 {3} 与 {4} 不同",
    "A must have as many columns as B has rows", "A 的列数必须等于 B 的行数")
ERR(gemm_k_trans, "E141", Lerror, "shapes do not agree in T.gemm", "T.gemm 的形状不一致",
    "A is {1}, B is {2}: inner dimensions {3} and {4} differ", "A 为 {1}，B 为 {2}：内维 {3} 与 {4} 不同",
    "pass {0|transpose_B = {5}|transpose_B={5}}: then they fit", "加上 {0|transpose_B = {5}|transpose_B={5}} 即可匹配")
ERR(gemm_c, "E142", Lerror, "the accumulator of T.gemm has the wrong shape", "T.gemm 的累加器形状不对",
    "`{1}` is {2}, the product is {3}", "`{1}` 为 {2}，乘积为 {3}",
    "A is {4}, B is {5}: allocate C as {3}", "A 为 {4}，B 为 {5}：请把 C 分配为 {3}")
ERR(gemm_policy, "E143", Lerror, "unknown policy for T.gemm", "未知的 T.gemm 策略",
    "got {1}", "得到 {1}", "use T.GemmWarpPolicy.Square, FullRow or FullCol", "请使用 T.GemmWarpPolicy.Square、FullRow 或 FullCol")
ERR(gemm_kpack, "E144", Lerror, "k_pack must be 1 or 2", "k_pack 只能为 1 或 2", "got {1}", "得到 {1}", "leave it out unless the target is hip", "除 hip 目标外请省略它")
ERR(gemm_mixed, "E145", Lerror, "T.gemm needs operands of one type", "T.gemm 的两个操作数类型必须相同",
    "`{1}` is {2}, `{3}` is {4}", "`{1}` 为 {2}，`{3}` 为 {4}",
    "copy one of them into a tile of the other's type first: T.copy converts", "请先把其中一个复制到另一类型的分块：T.copy 会转换类型")
ERR(gemm_accum, "E146", Lerror, "the accumulator of T.gemm has an unsuitable type", "T.gemm 的累加器类型不合适",
    "`{1}` is {2}, the operands are {3}", "`{1}` 为 {2}，操作数为 {3}",
    "accumulate in {4}", "请用 {4} 累加")
ERR(dim_range, "E147", Lerror, "{1}: no such dimension", "{1}：没有这一维",
    "dim is {2}, `{3}` has {4} {4|dimension|dimensions}", "dim 为 {2}，而 `{3}` 只有 {4} 维",
    "dimensions count from 0; -1 is the last", "维从 0 开始计数；-1 表示最后一维")
ERR(reduce_shape, "E148", Lerror, "the result of {1} has the wrong shape", "{1} 的结果形状不对",
    "{2} reduced over dimension {3} does not give `{4}` {5}", "{2} 沿第 {3} 维归约后不是 `{4}` {5}",
    "the result is the input without that dimension, or with 1 there", "结果应为去掉该维（或该维为 1）的输入形状")
ERR(reduce_bits, "E149", Lerror, "{1} needs integers", "{1} 只能用于整数",
    "`{2}` is {3}", "`{2}` 的类型是 {3}", "use {0|T.view(buffer, nil, \"int32\")|T.view(buffer, dtype=\"int32\")} to work on the bits", "按位处理请用 {0|T.view(buffer, nil, \"int32\")|T.view(buffer, dtype=\"int32\")}")
ERR(reduce_batch, "E150", Lerror, "{1}: batch must be at least 1", "{1}：batch 至少为 1", "got {2}", "得到 {2}", "leave it out", "请省略它")
ERR(gemm_sp_shape, "E984", Lerror, "shapes do not agree in T.gemm_sp", "T.gemm_sp 的形状不一致",
    "{1} is {2}, and {3} is {4} where {5} would fit", "{1} 为 {2}，而 {3} 为 {4}，应为 {5}",
    "A_sparse is M x K/2, E has 4 bits for each group of A's row, B is K x N",
    "A_sparse 为 M x K/2，E 为 A 每行的每组保存 4 位，B 为 K x N")
ERR(transpose_rank, "E151", Lerror, "T.transpose needs two dimensions on both sides", "T.transpose 两侧都需要两维",
    "`{1}` has {2} {2|dimension|dimensions}, `{3}` has {4}", "`{1}` 为 {2} 维，`{3}` 为 {4} 维", "use a 2-D tile", "请使用二维分块")
ERR(transpose_shape, "E152", Lerror, "shapes do not fit T.transpose", "形状不适合 T.transpose",
    "`{1}` is {2}, `{3}` is {4}", "`{1}` 为 {2}，`{3}` 为 {4}", "the last two extents must be swapped", "最后两维的范围必须互换")
/* T and the tracer (lua/ir*.c, lua/T) */
ERR(slice_value, "E165", Lerror, "a slice of `{1}` is not a value", "`{1}` 的切片不是一个值",
    "it has many elements", "它包含多个元素",
    "use T.copy or T.Parallel for many elements, or index one of them", "处理多个元素请用 T.copy 或 T.Parallel，或只取其中一个元素")
ERR(buffer_value, "E166", Lerror, "the whole buffer `{1}` is not a value", "整个缓冲区 `{1}` 不是一个值",
    "number of dimensions: {2}", "维数：{2}",
    "take its elements inside T.Parallel: {1}[i] in one dimension, {1}[i, j] in two",
    "请在 T.Parallel 内取元素：一维写 {1}[i]，二维写 {1}[i, j]")
ERR(not_value, "E167", Lerror, "{1} cannot be part of a kernel's expression", "{1} 不能出现在内核的表达式中",
    "", "", "use a number, a boolean, an element of a buffer or an expression of these",
    "请使用数值、布尔值、缓冲区元素，或由它们组成的表达式")
ERR(other_kernel, "E168", Lerror, "a value of one kernel is used in another", "在一个内核中使用了另一个内核的值",
    "it was made in `{1}`, this is `{2}`", "它产生于 `{1}`，此处是 `{2}`",
    "pass it as a parameter, or compute it here", "请作为参数传入，或在此处重新计算")
ERR(index_value, "E169", Lerror, "{1} cannot be an index", "{1} 不能用作下标",
    "", "", "use an integer, an expression or a slice lo:hi", "请使用整数、表达式或切片 lo:hi")
ERR(slice_step, "E170", Lerror, "slices have step 1 only", "切片的步长只能为 1", "the step is {1}", "步长为 {1}",
    "index with a multiple inside T.Parallel: A[i * {1}]", "请在 T.Parallel 内用倍数作下标：A[i * {1}]")
ERR(index_scalar, "E171", Lerror, "a scalar cannot be indexed", "标量不能取下标", "this is one {1} value", "这是一个 {1} 值",
    "index the buffer that it came from", "请对它所来自的缓冲区取下标")
ERR(no_field, "E172", Lerror, "there is no field `{1}` here", "这里没有字段 `{1}`", "the fields are {2}", "可用字段为 {2}", "", "")
ERR(set_field, "E173", Lerror, "the field `{1}` of `{2}` cannot be set", "不能设置 `{2}` 的字段 `{1}`", "", "",
    "assign to an element: {2}[i] = value", "请给元素赋值：{2}[i] = value")
ERR(plain_condition, "E174", Lerror, "{0|a function that is no kernel or macro cannot decide a run-time condition|Python cannot decide a run-time condition here}", "{0|既非内核也非宏的函数无法判断运行时条件|Python 无法在此判断运行时条件}",
    "the values are known only when the kernel runs", "这些值在内核运行时才知道",
    "{0|wrap the function in T.macro, or use T.if_then_else|compare with ==, join with `and` or `or` instead of in, any(), all() or bool(); above a function of your own write @T.macro}",
    "{0|请用 T.macro 包装该函数，或使用 T.if_then_else|请用 == 比较，用 `and` 或 `or` 连接，不要用 in、any()、all() 或 bool()；您自己的函数请在上方写 @T.macro}")
ERR(plain_math, "E924", Lerror, "{0|`math.{1}` of Lua cannot|`math.{1}` cannot} compute a value that is known only at run time", "{0|Lua 的 `math.{1}` 不能|`math.{1}` 不能}计算运行时才知道的值",
    "argument {2} is {3}", "第 {2} 个参数是 {3}", "write `{4}`", "请写 `{4}`")
ERR(spread_count, "E925", Lerror, "`{1}` does not give that many values", "`{1}` 没有这么多值",
    "it gives {2}, there are {3} names", "它给出 {2} 个，名称有 {3} 个",
    "take as many names as T.Kernel has dimensions", "名称个数请与 T.Kernel 的维数一致")
ERR(jit_plain, "E736", Lerror, "this function was not read as a kernel", "这个函数没有作为内核读取",
    "tl.jit, T.prim_func or T.macro gets it in a way that the text around it does not show: its `for`, `if` and `=` are plain Lua", "它传给 tl.jit、T.prim_func 或 T.macro 的途径在上下文中看不出来：其中的 `for`、`if` 和 `=` 是普通 Lua 的",
    "write `tl.jit(function(...)`, or tl.jit(NAME) with the function's own name, in this file", "请在本文件中写 `tl.jit(function(...)`，或用函数自己的名字写 tl.jit(名字)")
ERR(not_buffer, "E175", Lerror, "expected a buffer, got {1}", "应为缓冲区，得到 {1}", "", "",
    "give a tensor parameter or a buffer from T.alloc_*", "请给出张量参数，或由 T.alloc_* 得到的缓冲区")
ERR(not_region, "E176", Lerror, "T.{1} works on buffers, elements and slices", "T.{1} 用于缓冲区、元素和切片",
    "got {2}", "得到 {2}", "write X, X[i, j] or X[lo:hi, :]", "请写 X、X[i, j] 或 X[lo:hi, :]")
ERR(safe_value, "E177", Lerror, "the safe value of `{1}` must be a number", "`{1}` 的安全值必须是数值", "", "",
    "for example {0|T.annotate_safe_value{[{1}] = 0}|T.annotate_safe_value({{1}: 0})}", "例如 {0|T.annotate_safe_value{[{1}] = 0}|T.annotate_safe_value({{1}: 0})}")
ERR(safe_again, "E722", Lerror, "`{1}` already has another safe value", "`{1}` 已有另一个安全值",
    "a tensor has one per kernel", "一个张量在一个内核中只能有一个安全值",
    "choose between values where they are read: T.if_then_else(i < n, {1}[i], value)",
    "请在读取处选择取值：T.if_then_else(i < n, {1}[i], value)")
ERR(t_unknown, "E178", Lerror, "T has no `{1}`", "T 中没有 `{1}`", "", "", "check the spelling; T has the names of TileLang's language module",
    "请检查拼写；T 中的名称与 TileLang 的 language 模块相同")
ERR(t_near, "E179", Lerror, "T has no `{1}`", "T 中没有 `{1}`", "", "", "did you mean T.{2}?", "您是否想写 T.{2}？")
ERR(t_later, "E180", Lerror, "T.{1} is not available yet", "T.{1} 尚不可用", "TileLang has it, moontile does not have it yet",
    "TileLang 有此名称，moontile 尚未提供", "", "")
ERR(t_later_use, "E181", Lerror, "T.{1} is not available yet", "T.{1} 尚不可用",
    "TileLang has it, moontile does not have it yet", "TileLang 有此名称，moontile 尚未提供",
    "use {2} instead", "请改用 {2}")
ERR(t_blackwell, "E985", Lerror, "T.{1} is of Blackwell alone", "T.{1} 仅 Blackwell 可用",
    "no target here makes code for sm_100 and later", "此处没有目标为 sm_100 及更新的机器生成代码",
    "on machines before it use {2}", "在更早的机器上请改用 {2}")
ERR(arg_many, "E182", Lerror, "too many arguments for {1}", "{1} 的参数过多", "it takes {2} by position, got {3}",
    "按位置最多 {2} 个，得到 {3} 个", "signature: {4}", "签名：{4}")
ERR(arg_missing, "E183", Lerror, "{1}: argument `{2}` is missing", "{1}：缺少参数 `{2}`", "", "", "signature: {3}", "签名：{3}")
ERR(arg_unknown, "E184", Lerror, "{1} has no argument `{2}`", "{1} 没有参数 `{2}`", "", "", "signature: {3}", "签名：{3}")
ERR(arg_near, "E185", Lerror, "{1} has no argument `{2}`", "{1} 没有参数 `{2}`", "did you mean `{3}`?", "您是否想写 `{3}`？",
    "signature: {4}", "签名：{4}")
ERR(arg_type, "E186", Lerror, "{1}: argument `{2}` is of the wrong kind", "{1}：参数 `{2}` 的种类不对",
    "expected {3}, got {4}", "应为 {3}，得到 {4}", "signature: {5}", "签名：{5}")
ERR(arg_value, "E187", Lerror, "{1}: argument `{2}` has a wrong value", "{1}：参数 `{2}` 的取值不对",
    "expected {3}, got {4}", "应为 {3}，得到 {4}", "", "")
ERR(arg_twice, "E188", Lerror, "{1}: argument `{2}` is given twice", "{1}：参数 `{2}` 重复给出",
    "{0|by position and in the last table|by position and by name}", "既按位置给出，{0|又在最后的表中给出|又按名称给出}", "remove one of them", "请去掉其中一个")
ERR(dtype_unknown, "E189", Lerror, "unknown dtype {1}", "未知的 dtype {1}", "the nearest is {2}", "最接近的是 {2}",
    "the dtypes are {3}", "可用的 dtype 为 {3}")
ERR(dtype_later, "E190", Lerror, "dtype {1} is not available yet", "dtype {1} 尚不可用", "", "", "the dtypes are {2}", "可用的 dtype 为 {2}")
ERR(not_tracing, "E191", Lerror, "{1} has no meaning outside a kernel function", "{1} 在内核函数之外没有意义", "", "",
    "call it inside {0|a function given to tl.jit or T.prim_func|a function below @tilelang.jit or @T.prim_func}", "请在{0|传给 tl.jit 或 T.prim_func 的函数|@tilelang.jit 或 @T.prim_func 之下的函数}中调用")
ERR(loop_names, "E192", Lerror, "wrong number of loop variables for {1}", "{1} 的循环变量个数不对", "it gives {2}, the loop names {3}", "它给出 {2} 个，循环却命名了 {3} 个",
    "write one name for each: for i, j in ...", "请为每个下标写一个名称：for i, j in ...")
ERR(const_place, "E193", Lerror, "T.const works only in {0|a function given to tl.jit|a function below @tilelang.jit}", "T.const 只能用于{0|传给 tl.jit 的函数|@tilelang.jit 之下的函数}", "", "",
    "in T.prim_func {0|use Lua numbers of the enclosing function|use numbers of the enclosing function}, or T.dynamic", "在 T.prim_func 中请使用外层函数的数值，或 T.dynamic")
ERR(const_unused, "E194", Lerror, "the constant `{1}` is not a dimension of any tensor", "常量 `{1}` 不是任何张量的维",
    "its value is found from the shapes of the arguments", "它的值要从参数的形状中得到",
    "use it alone as a dimension: {0|T.Tensor({{1}, ...})|T.Tensor(({1}, ...), dtype)}, or name it in the call: {0|{{1} = ...}|{1}=...}", "请让它单独作为一维：{0|T.Tensor({{1}, ...})|T.Tensor(({1}, ...), dtype)}，或在调用中按名称给出：{0|{{1} = ...}|{1}=...}")
ERR(annotate_name, "E195", Lerror, "`{1}` is not a parameter of this function", "`{1}` 不是此函数的参数", "", "",
    "annotations give types to parameters; use T.alloc_* or T.empty for new buffers", "类型标注用于参数；新缓冲区请用 T.alloc_* 或 T.empty")
ERR(annotate_type, "E196", Lerror, "`{1}` is not annotated with a type", "`{1}` 的标注不是类型", "got {2}", "得到 {2}",
    "write {1}: T.Tensor(shape, dtype), or {1}: T.float32 for a scalar", "请写 {1}: T.Tensor(shape, dtype)，标量写 {1}: T.float32")
ERR(param_untyped, "E197", Lerror, "parameter `{1}` has no type", "参数 `{1}` 没有类型", "", "",
    "write {1}: T.Tensor(shape, dtype) at the start of the function", "请在函数开头写 {1}: T.Tensor(shape, dtype)")
ERR(empty_kept, "E198", Lerror, "not all tensors from T.empty are returned", "并非所有 T.empty 张量都被返回",
    "`{1}` is not", "`{1}` 未返回", "add it to the `return` of the function", "请把它加入函数的 `return`")
ERR(return_other, "E199", Lerror, "a kernel returns tensors from T.empty only", "内核只能返回由 T.empty 得到的张量",
    "result {1} is {2}", "第 {1} 个结果是 {2}", "write the result into a T.empty tensor and return that", "请把结果写入 T.empty 张量并返回它")
ERR(layout_kind, "E160", Lerror, "`{1}` needs another kind of layout", "`{1}` 需要另一种布局", "expected {2}, got {3}", "应为 {2}，得到 {3}",
    "fragments take a T.Fragment, other buffers a T.Layout or a function", "片段需要 T.Fragment，其他缓冲区需要 T.Layout 或函数")
ERR(layout_injective, "E161", Lerror, "the layout of `{1}` puts two elements in one place", "`{1}` 的布局把两个元素放在同一位置",
    "elements {2} and {3}", "元素 {2} 与 {3}", "every element needs a place of its own", "每个元素必须有各自的位置")
ERR(swizzle_panel, "E162", Lerror, "`{1}` of T.use_swizzle is out of range", "T.use_swizzle 的 `{1}` 超出范围", "got {2}", "得到 {2}",
    "use a positive number of panels, such as 10", "请使用正的 panel 数，例如 10")
ERR(expr_large, "E527", Lerror, "an expression has grown too large", "表达式过大",
    "it has {3} operations in {4} levels, the limits are {1} and {2}", "共 {3} 个运算、{4} 层，上限为 {1} 和 {2}",
    "{0|split it: local s = T.alloc_var(T.float32, 0)|split it: s = T.alloc_var(T.float32, 0)}, then s = one part, s = s + the next; or a T.reduce_* of a tile",
    "{0|请拆开：local s = T.alloc_var(T.float32, 0)|请拆开：s = T.alloc_var(T.float32, 0)}，再写 s = 一部分、s = s + 下一部分；或对分块用 T.reduce_*")
ERR(stage_iter, "E163", Lerror, "{1} cannot be iterated over", "不能遍历 {1}", "", "",
    "write for i in T.serial(n), for i in T.Parallel(n){0|, or for i = 0, n - 1|, or for i in range(n)}",
    "请写 for i in T.serial(n)、for i in T.Parallel(n){0|，或 for i = 0, n - 1|，或 for i in range(n)}")
ERR(too_long, "E164", Lerror, "the kernel became too large while it was traced", "内核在追踪过程中变得过大",
    "there are more than {1} statements", "语句已超过 {1} 条",
    "{0|Lua's own loops are unrolled|Python's own loops are unrolled}: use T.serial for long ones, and make sure that this one ends",
    "{0|Lua 自身的循环会被展开|Python 自身的循环会被展开}：较长的循环请用 T.serial，并确认此循环会结束")
ERR(out_of_scope, "E153", Lerror, "`{1}` is used outside the block that gives it a value", "在赋值 `{1}` 的代码块之外使用了它",
    "it has no value here", "它在此处没有值",
    "keep what is needed later in a T.alloc_var or a buffer", "后面还需要的值请保存到 T.alloc_var 或缓冲区")
ERR(buffer_call, "E154", Lerror, "`{1}` is a buffer, not a function", "`{1}` 是缓冲区，不是函数", "", "",
    "index it with brackets: {1}[i]", "请用方括号取元素：{1}[i]")
ERR(buffer_len, "E155", Lerror, "`{0|#{1}|len({1})}` is not defined: `{1}` is a buffer", "无法求 `{0|#{1}|len({1})}`：`{1}` 是缓冲区", "", "",
    "its sizes are in {1}.shape: {1}.shape[{0|1|0}] is the first", "各维大小在 {1}.shape 中：{1}.shape[{0|1|0}] 为第一维")
ERR(arg_choice, "E156", Lerror, "{1}: argument `{2}` has a wrong value", "{1}：参数 `{2}` 的取值不对",
    "expected {3}, got {4}", "应为 {3}，得到 {4}", "did you mean \"{5}\"?", "您是否想写 \"{5}\"？")
/* Roles, barriers, copies that are waited for (band B) */
ERR(role_range, "E230", Lerror, "no such group of threads", "没有这样的线程组",
    "threads {1}..{2} of a block of {3}", "线程 {1}..{2}，而块中有 {3} 个",
    "groups are whole warps of the block: give T.Kernel more threads, or name a group that it has",
    "线程组由块中完整的 warp 组成：请为 T.Kernel 增加线程，或使用已有的组")
ERR(role_nested, "E231", Lerror, "T.ws inside another T.ws", "T.ws 嵌套在另一个 T.ws 之中",
    "its threads already have their role", "其中的线程已有各自的任务",
    "put the two one after the other", "请把两者先后排列")
ERR(sync_differs, "E834", Lwarning, "{1} under a condition that may differ between threads", "{1} 位于可能因线程而异的条件之下",
    "all threads must get here, but `{2}` on line {3} is not known to be the same in all of them", "第 {3} 行的 `{2}` 无法确定对所有线程相同，而所有线程都必须到达",
    "move it out of the condition{4|, or let the condition select {5|whole adjacent warps (tx < 128)|one warp (tx < {6})}|}; the simulator (-t sim) tells whether all threads get here",
    "请移出该条件{4|，或让条件选出{5|连续的完整 warp（如 tx < 128）|一个 warp（如 tx < {6}）}|}；模拟器（-t sim）可以判断是否所有线程都到达")
/* {4} "1": all lanes are named, and {2} on line {3} says who comes; else {5} is the mask of thread {3} */
ERR(warp_mask, "E824", Lwarning, "{4|only part of a warp may execute {1}|the mask of {1} leaves out lanes that execute it}", "{4|可能只有线程束的一部分执行 {1}|{1} 的掩码不含执行它的通道}",
    "{4|all lanes of a warp must get here, but `{2}` on line {3} is not known to be the same in them|thread {3} gets here, its mask is {5}}",
    "{4|线程束的所有通道都必须到达，但第 {3} 行的 `{2}` 无法确定在其中都相同|线程 {3} 会到达，而其掩码为 {5}}",
    "{4|move it out of the condition, or name only those lanes in its mask ({0|mask = T.ballot_sync(c)|mask=T.ballot_sync(c)} taken before `if c`)|leave the mask out, or let only the lanes get here that it names}; the simulator (-t sim) tells whether masks are right",
    "{4|请移出该条件，或在掩码中只指定这些通道（在 `if c` 之前取 {0|mask = T.ballot_sync(c)|mask=T.ballot_sync(c)}）|请省略掩码，或只让掩码指定的通道到达}；模拟器（-t sim）可以判断掩码是否正确")
/* {1} the call, {2} the thread, {3} a lane, {4} its mask */
ERR(warp_mask_other, "E940", Lwarning, "the mask of {1} names a lane that does not take part", "{1} 的掩码包含未参与的通道",
    "thread {2} names lane {3}, which {5|does not get here|gives another mask}; its mask is {4}", "线程 {2} 指定了通道 {3}，而它{5|不会到达|给出的是另一个掩码}；该线程的掩码为 {4}",
    "name the lanes that come together, and no others: {0|mask = 0xFFFF|mask=0xFFFF} for the first 16, {0|mask = T.ballot_sync(c)|mask=T.ballot_sync(c)} taken before `if c`",
    "请只指定一同到达的通道：前 16 个为 {0|mask = 0xFFFF|mask=0xFFFF}，或在 `if c` 之前取 {0|mask = T.ballot_sync(c)|mask=T.ballot_sync(c)}")
ERR(warp_mask_lane, "E941", Lwarning, "{1} takes a value from a lane that {5|does not get here|its mask does not name}", "{1} 从{5|不会到达的|掩码未指定的}通道取值",
    "thread {2} asks lane {3}; its mask is {4}", "线程 {2} 请求通道 {3}；其掩码为 {4}",
    "let the lanes that are asked get here, and name them in the mask; `width` keeps a shuffle within groups of so many lanes",
    "请让被请求的通道也到达，并在掩码中指定它们；`width` 可把 shuffle 限制在若干通道的组内")
ERR(shuffle_width, "E829", Lerror, "{1} asks for groups of {2} lanes", "{1} 要求 {2} 条通道为一组",
    "groups are of 1, 2, 4 lanes and so on, up to the {3} that a warp of {4} has", "每组的通道数须为 1、2、4 等 2 的幂，且不超过 {4} 上 warp 的 {3} 条通道",
    "give `width` a power of 2, or leave it out: 32; for other groups, select the lane by hand: T.shfl_sync(v, lane)", "请让 `width` 为 2 的幂，或省略：默认为 32；其他分组请自行选择通道：T.shfl_sync(v, lane)")
ERR(group_sizes, "E833", Lwarning, "T.get_warp_group_idx() and T.ws count groups of different sizes", "T.get_warp_group_idx() 与 T.ws 的组大小不同",
    "on {2}, T.get_warp_group_idx() counts groups of {1} threads, T.ws groups of {3}", "在 {2} 上每组 {1} 个线程；T.ws 每组 {3} 个",
    "T.get_warp_group_idx(32, 4) counts groups of 128 threads on every machine", "T.get_warp_group_idx(32, 4) 在任何机器上都以 128 个线程为一组")
ERR(range_data, "E236", Lerror, "{1} under a condition that differs between threads", "{1} 位于各线程结果不同的条件之下",
    "`{2}` on line {3} is not known to be the same in all threads, and does not select a range of them", "第 {3} 行的 `{2}` 无法确定对所有线程相同，也不是一段连续的线程",
    "let it depend on the thread alone (tx < 128) or use T.ws; one thread's value for all of them goes through shared memory ({0|if tx == 0 then h[0] = v end; if h[0] > 0 then ..|if tx == 0: h[0] = v, then if h[0] > 0: ..})", "请让条件只取决于线程（如 tx < 128），或使用 T.ws；一个线程的值要供全体使用，请经共享内存传递（{0|if tx == 0 then h[0] = v end; if h[0] > 0 then ..|if tx == 0: h[0] = v, then if h[0] > 0: ..}）")
ERR(range_gaps, "E237", Lerror, "the threads that reach {1} are not contiguous", "执行 {1} 的线程并不连续",
    "`{2}` on line {3} selects some of the threads {4}", "第 {3} 行的 `{2}` 只选出线程 {4} 中的一部分",
    "a tile operation is spread over adjacent threads: select one range of threads (tx < 128), or use T.ws", "分块操作分配给相邻的线程：请选择一段连续的线程（如 tx < 128），或使用 T.ws")
/* {2}, {3}: is it made of the thread's index; is it known outside of the loop?  {4}: one thread */
ERR(parallel_place, "E775", Lerror, "an index in T.Parallel depends on the thread", "T.Parallel 中写入的位置取决于线程",
    "`{1}` differs between threads, and T.Parallel itself chooses which thread runs an iteration", "`{1}` 因线程而异，而每次迭代由哪个线程执行由 T.Parallel 决定",
    "{2|use the loop's indices instead of the thread's; put what each thread does by itself in a serial loop (for j in T.serial(64))|{3|let one thread pass it on through shared memory: {0|if {4} then h[0] = {1} end|if {4}: h[0] = {1}}, and use h[0] here|it combines lanes, not iterations: reduce a tile before the loop (T.reduce_sum and the like)}}", "{2|请用循环下标代替线程下标；若每个线程各做一份，请用串行循环（for j in T.serial(64)）|{3|由一个线程经共享内存传给其余线程：{0|if {4} then h[0] = {1} end|if {4}: h[0] = {1}}，此处改用 h[0]|它归约的是各通道而非各次迭代：请在循环之前归约分块（T.reduce_sum 等）}}")
ERR(parallel_value, "E776", Lerror, "a value in T.Parallel depends on the thread", "T.Parallel 中写入的值取决于线程",
    "`{1}` differs between threads, and T.Parallel itself chooses which thread runs an iteration", "`{1}` 因线程而异，而每次迭代由哪个线程执行由 T.Parallel 决定",
    "{2|use the loop's indices instead of the thread's; put what each thread does by itself in a serial loop (for j in T.serial(64))|{3|let one thread pass it on through shared memory: {0|if {4} then h[0] = {1} end|if {4}: h[0] = {1}}, and use h[0] here|it combines lanes, not iterations: reduce a tile before the loop (T.reduce_sum and the like)}}", "{2|请用循环下标代替线程下标；若每个线程各做一份，请用串行循环（for j in T.serial(64)）|{3|由一个线程经共享内存传给其余线程：{0|if {4} then h[0] = {1} end|if {4}: h[0] = {1}}，此处改用 h[0]|它归约的是各通道而非各次迭代：请在循环之前归约分块（T.reduce_sum 等）}}")
ERR(parallel_condition, "E777", Lerror, "a condition in T.Parallel depends on the thread", "T.Parallel 中的条件取决于线程",
    "`{1}` differs between threads: iterations that T.Parallel gives to other threads are skipped", "`{1}` 因线程而异：T.Parallel 分配给其余线程的迭代不会执行",
    "{2|use the loop's indices instead of the thread's; to use a range of threads, put the condition around T.Parallel ({0|if tx < 128 then for ..|if tx < 128: for ..})|{3|let one thread pass it on through shared memory: {0|if {4} then h[0] = {1} end|if {4}: h[0] = {1}}, and use h[0] here|it combines lanes, not iterations: reduce a tile before the loop (T.reduce_sum and the like)}}", "{2|请用循环下标代替线程下标；一段线程的条件放在 T.Parallel 之外（{0|if tx < 128 then for ..|if tx < 128: for ..}），循环便只分配给这些线程|{3|由一个线程经共享内存传给其余线程：{0|if {4} then h[0] = {1} end|if {4}: h[0] = {1}}，此处改用 h[0]|它归约的是各通道而非各次迭代：请在循环之前归约分块（T.reduce_sum 等）}}")
ERR(tile_thread, "E778", Lerror, "an argument of {1} depends on the thread", "{1} 由所有线程共同完成，其参数却取决于线程",
    "`{2}` differs between threads, and {1} itself chooses which thread handles an element", "`{2}` 因线程而异，而每个元素由哪个线程处理由 {1} 决定",
    "{3|if each thread has a part of its own, use T.copy between global memory and shared memory or T.alloc_local, or a serial loop; otherwise give all threads the same|{4|let one thread pass it on through shared memory: {0|if {5} then h[0] = {2} end|if {5}: h[0] = {2}}, and use h[0] here|it combines lanes, not iterations: reduce a tile before the loop (T.reduce_sum and the like)}}", "{3|若每个线程各做一份，请在全局内存与共享内存或 T.alloc_local 之间使用 T.copy，或用串行循环；否则请让所有线程的参数相同|{4|由一个线程经共享内存传给其余线程：{0|if {5} then h[0] = {2} end|if {5}: h[0] = {2}}，此处改用 h[0]|它归约的是各通道而非各次迭代：请在循环之前归约分块（T.reduce_sum 等）}}")
ERR(range_part, "E238", Lerror, "{1} needs whole warps", "{1} 需要完整的 warp",
    "the condition on line {3} lets threads {2} in; warps of {4} have {5} threads", "第 {3} 行的条件只放行线程 {2}；{4} 的 warp 有 {5} 个线程",
    "let the range begin and end at a multiple of {5}, or use T.ws", "请让线程范围的起止均为 {5} 的倍数，或使用 T.ws")
ERR(range_wait, "E239", Lerror, "threads {1} would have to wait for each other here", "线程 {1} 需要在此处互相等待",
    "`{5}` is also accessed on line {6}; the condition on line {2} lets only part of a warp in, and there is no barrier for that",
    "第 {6} 行也访问 `{5}`；第 {2} 行的条件只放行 warp 的一部分，对此没有可用的屏障",
    "let the range begin and end at a multiple of {4}, or end it before this line", "请让线程范围的起止均为 {4} 的倍数，或在此行之前结束该条件")
ERR(range_named, "E557", Lerror, "threads {1} would have to wait for each other here", "线程 {1} 需要在此处互相等待",
    "`{5}` is also accessed on line {6}; the condition on line {2} or T.ws leaves threads out, and {3} has no barrier for a part of the block",
    "第 {6} 行也访问 `{5}`；第 {2} 行的条件或 T.ws 排除了其他线程，而 {3} 没有只针对部分线程的屏障",
    "end the condition before this line, so that all threads wait, or let one warp ({4} threads) do it", "请在此行之前结束条件，让所有线程一起等待；或只用一个 warp（{4} 个线程）")
ERR(range_sync, "E759", Lerror, "only threads {1} reach T.sync_threads()", "T.sync_threads() 所在之处只有线程 {1} 到达",
    "the condition on line {2} or T.ws leaves threads out, and {3} has no barrier for {5|a part of a warp|a part of the block}",
    "第 {2} 行的条件或 T.ws 排除了其他线程，而 {3} 没有只针对{5|warp 的一部分|部分线程}的屏障",
    "end the condition before this line, so that all threads wait, or let it select one warp ({4} threads)", "请在此行之前结束条件，让所有线程一起等待；或让条件只选出一个 warp（{4} 个线程）")
ERR(barrier_type, "E232", Lerror, "`{1}` cannot hold barriers", "`{1}` 不能存放屏障",
    "its type is {2}; barriers are uint64", "其类型是 {2}；屏障为 uint64",
    "allocate it with T.alloc_barrier", "请用 T.alloc_barrier 分配")
ERR(barrier_value, "E233", Lerror, "`{1}` holds barriers, which have no value", "`{1}` 存放屏障，屏障没有值",
    "it cannot be read or assigned", "不能读取或赋值",
    "use T.barrier_wait, T.barrier_arrive and the other mbarrier operations", "请使用 T.barrier_wait、T.barrier_arrive 等 mbarrier 操作")
ERR(role_parallel, "E234", Lerror, "T.ws inside T.Parallel", "T.ws 位于 T.Parallel 之内",
    "T.Parallel spreads its iterations over all threads", "T.Parallel 会把各次迭代分配给所有线程",
    "put T.Parallel inside T.ws", "请把 T.Parallel 放在 T.ws 之内")
ERR(cluster_grid, "E235", Lerror, "the grid is not made of whole clusters", "网格不能划分为完整的簇",
    "dimension {1} has {2} blocks, clusters take {3}", "第 {1} 维有 {2} 块，每簇取 {3} 块",
    "round the grid up: T.ceildiv(n, {3}) * {3}, and guard the extra blocks", "请把网格向上取整：T.ceildiv(n, {3}) * {3}，并保护多出的块")
ERR(loop_value, "E258", Lerror, "{1} is a loop, and no `for` runs it", "{1} 是循环，但没有 `for` 来执行它",
    "as a condition, a value or a statement it does nothing", "用作条件、值或单独的语句时，它既不选择线程，也不执行任何操作",
    "write {0|`for {2} in {1}(...) do ... end`|`for {2} in {1}(...):`}", "请写成 {0|`for {2} in {1}(...) do ... end`|`for {2} in {1}(...):`}")
ERR(reducer_use, "E988", Lerror, "a reducer is no buffer before T.finalize_reducer", "在 T.finalize_reducer 之前，归约器不能当作缓冲区使用",
    "{1}: {2}", "{1}：{2}",
    "clear it, update its elements within T.Parallel, finalize it, then use the result", "请先清零，在 T.Parallel 内更新其元素，再调用 T.finalize_reducer，然后使用结果")
ERR(reducer_index, "E989", Lerror, "this element of a reducer cannot be updated here", "无法在此处更新归约器的这个元素",
    "{1}", "{1}",
    "index it with variables of the T.Parallel around, in their order, whose extents are numbers", "请用外层 T.Parallel 的变量按其次序作下标，且其范围须为常数")
ERR(draw_order, "E1210", Lerror, "random numbers have no order in this T.Parallel", "此 T.Parallel 中随机数没有确定的次序",
    "it has {1}: TileLang's order is not known here", "其中有{1}：此处不知道 TileLang 的次序",
    "draw one number in each assignment to global or shared memory (for a fragment: into a shared tile, then T.copy it), or in a T.serial loop of the thread",
    "请在每次写入全局或共享内存的赋值中只取一个随机数（片段请先写入共享分块，再用 T.copy 复制），或在线程自己的 T.serial 循环中取")
ERR(pointer_twice, "E1212", Lerror, "{1}: `{2}` points to two kinds of tensor", "{1}：`{2}` 指向两种张量", "its first use gave it another shape or dtype", "首次使用时的形状或 dtype 与此不同",
    "use one shape and dtype, or a parameter for each", "请使用同一形状与 dtype，或为每种各用一个参数")
ERR(pointer_stored, "E1213", Lerror, "`{1}` is a table of addresses, which a kernel does not change", "`{1}` 是地址表，内核不会修改它", "", "",
    "write to what it points to: T.make_tensor({1}[i], shape, dtype)", "请写入其所指张量：T.make_tensor({1}[i], shape, dtype)")
ERR(draw_first, "E1211", Lerror, "{1} has no generator", "{1} 没有随机数生成器", "no T.rng_init stands in front of it", "其前面没有 T.rng_init",
    "write T.rng_init(seed) first", "请先写 T.rng_init(seed)")
ERR(frame_place, "E987", Lerror, "{1} stands elsewhere", "{1} 的位置不对",
    "it comes directly within `with T.If(condition)`, once, behind {2}", "它应直接位于 `with T.If(condition)` 之内，仅一次，在 {2} 之后",
    "write T.Then first, then T.Else; or use `if`", "请先写 T.Then，再写 T.Else；或使用 `if`")
ERR(loop_called, "E157", Lerror, "{1} is a loop, but is called like a function", "{1} 是循环，却被当作函数调用",
    "it belongs after the `in` of a `for`", "它的结果只能放在 `for` 的 `in` 之后",
    "write {0|`for i in {1}(...) do ... end`|`for i in {1}(...):`}, with nothing after its arguments", "请写成 {0|`for i in {1}(...) do ... end`|`for i in {1}(...):`}，参数之后不要再写别的")
