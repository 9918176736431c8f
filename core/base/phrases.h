/* Words that fill the holes of messages, where the code that raises a message has only English
 * ones: PHRASE(id of the message, en, zh).
 * `%` stands for any text, which comes to the same place of the other language.  A phrase of one
 * word belongs to one message, so that no name of a user's is taken for it.  `none`: any message.
 * Numbers, names, units, formulas and what a system or a compiler says stay as they are. */

/* Memory: bytes and the limit, where nobody knows them */
PHRASE(memory, "more", "更多")
PHRASE(memory, "reached", "已达到")
PHRASE(device_full, "more", "更多")

/* What drivers say */
PHRASE(none, "success, but with an impossible result", "成功，但给出的结果不可能")

/* What orders accesses */
PHRASE(order_mended, "fence", "栅栏")
PHRASE(order_mended, "barrier", "屏障")
PHRASE(order_open, "fence", "栅栏")
PHRASE(order_open, "barrier", "屏障")

/* Why a function is no layout (fit.c) */
PHRASE(none, "an offset is negative or beyond 2^31", "偏移为负，或超过 2^31")
PHRASE(none, "a thread lies outside of the block", "线程号超出块的范围")
PHRASE(none, "a register number is negative or too large", "寄存器编号为负或过大")
PHRASE(none, "the copies of an element are placed unlike those of the first", "某个元素各副本的位置关系与第一个元素不同")
PHRASE(none, "the copies do not follow bits of the thread", "副本不是按线程号的二进制位分布")
PHRASE(none, "two elements are in one place", "两个元素位于同一位置")
PHRASE(none, "lanes are not bits of an index", "通道号不是由下标的二进制位组成")
PHRASE(none, "it has too many pieces", "它由太多片段组成")
PHRASE(none, "places run backwards along an index", "位置沿某个下标递减")
PHRASE(none, "an index moves thread and register at once", "同一个下标同时改变线程和寄存器")
PHRASE(none, "it is not a sum of modes with one XOR", "它不是若干 mode 之和再加一次 XOR")
PHRASE(none, "it is not a sum of modes", "它不是若干 mode 之和")
PHRASE(none, "the first element is not in thread 0, register 0", "第一个元素不在线程 0 的寄存器 0")
PHRASE(none, "the first element is not at offset 0", "第一个元素不在偏移 0 处")
PHRASE(none, "it has too many elements", "它的元素过多")
PHRASE(none, "out of memory", "内存不足")

/* What is wrong with a layout (layout.c) */
PHRASE(none, "a mode without dimension, axis, extent or stride", "有的 mode 缺少维、轴、范围或步长")
PHRASE(none, "the modes are not in order", "mode 没有按次序排列")
PHRASE(none, "the modes do not tile their dimension", "mode 没有铺满所属的维")
PHRASE(none, "a dimension is too large", "某一维过大")
PHRASE(none, "a dimension is larger than its modes reach", "某一维大于其 mode 所及")
PHRASE(none, "two modes of an axis collide", "同一轴上的两个 mode 互相重叠")
PHRASE(none, "an axis is too long", "某个轴过长")
PHRASE(none, "a mode of lanes is not a power of two", "通道的某个 mode 不是二的幂")
PHRASE(none, "the modes of lanes leave gaps", "通道的 mode 之间有空缺")
PHRASE(none, "the modes of warps leave gaps", "线程束的 mode 之间有空缺")
PHRASE(none, "the modes do not fill the lanes of a warp", "mode 没有填满一个线程束的通道")
PHRASE(none, "too many dimensions or modes", "维或 mode 过多")
PHRASE(none, "a broadcast mode without axis, extent or stride", "有的广播 mode 缺少轴、范围或步长")
PHRASE(none, "offsets and threads in one layout", "一个布局中既有偏移又有线程")
PHRASE(none, "an XOR that is not its own inverse", "XOR 不是自身的逆")
PHRASE(none, "an XOR without offsets", "XOR 没有可作用的偏移")

/* What a layout's text lacks, what a product is not (layout_viz, lua/layout) */
PHRASE(epilogue_direct, "% x %, % warps", "% x %，% 个线程束")
PHRASE(ref_arg, "at least %-D", "至少 % 维")
PHRASE(ref_arg, "a divisor of %", "% 的约数")
PHRASE(ref_arg, "uint8 or int8", "uint8 或 int8")
PHRASE(ref_arg, "\"%\" or \"%\"", "\"%\" 或 \"%\"")
PHRASE(ref_arg, "number", "数值")
PHRASE(vs_gemm, "no T.gemm", "没有 T.gemm")
PHRASE(vs_gemm, "several T.gemm", "有多个 T.gemm")

/* How a compiler or the judge's process ended */
PHRASE(gpu_compiler_broken, "signal %", "信号 %")
PHRASE(gpu_compiler_broken, "exit %, % bytes", "退出状态 %，% 字节")
PHRASE(judge_trouble, "no answer, exit status %", "没有回答，退出状态 %")
PHRASE(judge_trouble, "no answer", "没有回答")

/* What an argument of tl has to be (lua/seam/tensor_make.c) */
PHRASE(tensor_arg, "other than 0", "不为 0 的数")

/* What the text of a kernel has too many of (parse.c) */
PHRASE(ir_limit, "bytes of a name or text", "一个名称或文本的字节数")
PHRASE(ir_limit, "bytes of text", "文本的字节数")
PHRASE(ir_limit, "names in a list", "一个列表中的名称数")
PHRASE(ir_limit, "expressions in a list", "一个列表中的表达式数")
PHRASE(ir_limit, "parameters or results", "参数或结果的个数")
PHRASE(ir_limit, "parentheses and signs inside of each other", "嵌套的括号与符号数")
PHRASE(ir_limit, "dimensions of the threads", "线程的维数")
PHRASE(op_box, "% bytes", "% 字节")
PHRASE(op_box, "%-D", "% 维")

/* The server: what is not there, why a session ended */
PHRASE(serve_unknown, "tensor", "张量")
PHRASE(serve_unknown, "kernel", "内核")
PHRASE(serve_trouble, "no file", "无法建立文件")
PHRASE(serve_session_gone, "crashed", "已崩溃")
PHRASE(serve_session_gone, "revoked", "令牌已撤销")
PHRASE(serve_session_gone, "idle", "闲置过久")
PHRASE(serve_session_gone, "away", "客户端离开过久")
PHRASE(serve_session_gone, "replaced", "已由新会话取代")
PHRASE(serve_session_gone, "closed", "已关闭")
PHRASE(serve_session_gone, "late", "超过时限")
PHRASE(serve_session_gone, "stopped", "服务器已停止")
PHRASE(serve_session_gone, "unknown", "不认识")

/* What a client's request is not */
PHRASE(serve_request, "there are two % lines", "有两行 %")
PHRASE(serve_request, "Content-Length is not a number", "Content-Length 不是数")
PHRASE(serve_request, "Transfer-Encoding is not chunked", "Transfer-Encoding 不是 chunked")
PHRASE(serve_request, "a header line appears twice", "头部有一行出现了两次")
PHRASE(serve_request, "a header line has no valid name", "头部有一行的名称不合规")
PHRASE(serve_request, "a header line has control characters", "头部有一行含控制字符")
PHRASE(serve_request, "Content-Length and Transfer-Encoding are both present", "Content-Length 与 Transfer-Encoding 同时出现")
PHRASE(serve_request, "there is no such name after the ?", "? 之后的名称不存在")
PHRASE(serve_request, "a name after the ? appears twice, or has no value", "? 之后有名称出现两次，或没有值")
PHRASE(serve_request, "a number after the ? is not valid", "? 之后的数无法读取")
PHRASE(serve_request, "Content-Encoding is deflate, or nothing", "Content-Encoding 只能是 deflate，或不写")
PHRASE(serve_request, "bytes is missing", "缺少 bytes")
PHRASE(serve_request, "bytes is not Content-Length", "bytes 与 Content-Length 不符")
PHRASE(serve_request, "the body is longer than it was announced", "正文比所声明的长")
PHRASE(serve_request, "the body is shorter than it was announced", "正文比所声明的短")
PHRASE(serve_request, "the body cannot be unpacked", "正文无法解压")
PHRASE(serve_request, "a part has \"bytes\", or \"data\" in base64", "每一部分应有 \"bytes\"，或 base64 的 \"data\"")
PHRASE(serve_request, "more than % bytes come as payload", "随行的字节超过 %")
PHRASE(serve_request, "more than % parts travel along", "随行的部分超过 %")
PHRASE(serve_request, "it is not an object", "不是 JSON 对象")
PHRASE(serve_request, "it is nested more than % deep", "嵌套超过 % 层")
PHRASE(serve_request, "there is no \"%\"", "没有名为 \"%\" 的成员")
PHRASE(serve_request, "\"%\" is missing", "缺少 \"%\"")
PHRASE(serve_request, "\"%\" is not a number from 0", "\"%\" 不是从 0 起的数")
PHRASE(serve_request, "\"%\" is not true or false", "\"%\" 不是 true 或 false")
PHRASE(serve_request, "\"%\" is not an array", "\"%\" 不是数组")
PHRASE(serve_request, "\"%\" is not a text", "\"%\" 不是文本")
PHRASE(serve_request, "\"target\" or \"client\" is too long or not plain", "\"target\" 或 \"client\" 过长，或含不允许的字符")
PHRASE(serve_request, "\"bytes\" is 0", "\"bytes\" 为 0")
PHRASE(serve_request, "\"hash\" is not 32 hex digits", "\"hash\" 不是 32 位十六进制数")
PHRASE(serve_request, "\"kernels\" are numbers", "\"kernels\" 应为数的列表")
PHRASE(serve_request, "a set has a list of arguments for each kernel", "每一组都应有各内核的参数列表")
PHRASE(serve_request, "arguments are an array of at most %", "参数应为至多 % 个的数组")
PHRASE(serve_request, "an argument is none of {\"t\", \"at\"}, {\"i\"}, {\"f\"}", "有的参数不是 {\"t\", \"at\"}、{\"i\"} 或 {\"f\"}")
PHRASE(serve_request, "1 to 64 kernels, 1 to 4096 lists of arguments, rounds and batch from 1", "内核 1 到 64 个，参数列表 1 到 4096 个，rounds 与 batch 从 1 起")
PHRASE(serve_request, "name is not 1 to 128 bytes long, or has control characters", "name 的长度不在 1 到 128 字节之内，或含控制字符")
PHRASE(serve_request, "what is missing, or is not a word", "缺少 what，或它不是一个单词")
PHRASE(serve_request, "a thread program, for a target without threads", "这是线程程序，而目标没有线程")

/* Why a copy is no TMA copy (select_copy.c) */
PHRASE(none, "`%`: `%` in index % may differ between threads", "`%`：`%` 位于第 % 维下标中，可能因线程而异")
