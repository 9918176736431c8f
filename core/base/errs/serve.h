/* Messages of `moontile serve`: E875 to E893, E830 to E832.  See errs.h.  Those of a running kernel
 * have its name as {1}, as all of run.h. */
/* {1} what is wrong */
ERR(serve_request, "E875", Lerror, "the server cannot read this request", "服务器无法读取该请求", "{1}", "{1}", "", "")
/* the numbers of this file are all taken: one of remote.h's */
ERR(serve_name, "E851", Lerror, "a name in this program has characters that are not allowed in names", "该程序中有名称含有名称不需要的字符", "quotes, backslashes, comment marks and control characters are refused",
    "不接受引号、反斜杠、注释标记和控制字符", "", "")
ERR(serve_token, "E876", Lerror, "the server does not know this token", "服务器不认识该令牌", "", "",
    "ask whoever runs the server for one (`moontile serve token NAME`); put it into MOONTILE_TOKEN or a file named by MOONTILE_TOKEN_FILE",
    "请向服务器管理者索取令牌（`moontile serve token 名称`），存入 MOONTILE_TOKEN，或存入 MOONTILE_TOKEN_FILE 指定的文件")
ERR(serve_forbidden, "E877", Lerror, "this token may not do that", "该令牌无此权限", "", "",
    "a token made with `moontile serve token NAME --teacher` may", "用 `moontile serve token 名称 --teacher` 生成的令牌可以")
ERR(serve_origin, "E878", Lerror, "the server takes no requests from web pages", "服务器不接受网页发出的请求", "{1}", "{1}", "", "")
ERR(serve_path, "E879", Lerror, "the server has no such path", "服务器没有该路径", "", "",
    "client and server may be of different versions", "客户端与服务器的版本可能不同")
/* {1} quota, {2} asked for, {3} the limit */
ERR(serve_quota, "E880", Lerror, "more than the server allows: {1}", "超出服务器的限额：{1}", "{2} asked for, the limit is {3}",
    "需要 {2}，上限为 {3}", "use less of it; the limit is the server's, and whoever runs it can raise it (--{1})",
    "请减少用量；此限额由服务器设定，其管理者可以调高（--{1}）")
/* {1} letters of its id, {2} why, {3} seconds */
ERR(serve_session_gone, "E881", Lerror, "the session is no longer there", "会话已不存在", "{1}: {2} {3}", "{1}：{2} {3}",
    "open a new one", "请重新打开会话")
/* {1} tensor or kernel, {2} its number */
ERR(serve_unknown, "E882", Lerror, "the session has no {1} {2}", "会话中没有 {1} {2}", "", "", "", "")
ERR(serve_method, "E883", Lerror, "the path does not take this method", "该路径不支持此方法", "it takes {1}", "支持 {1}", "", "")
ERR(serve_contents, "E884", Lerror, "a tensor arrived with different contents than announced", "张量到达的内容与声明的不符", "", "",
    "send it again; if it happens again, the connection or the memory is damaged", "请重新发送；若再次出现，则连接或内存有故障")
/* {1} asked for, {2} bytes of the tensor */
ERR(serve_range, "E885", Lerror, "a request reaches beyond its tensor", "请求超出了张量的范围", "{1} of {2} bytes", "{1}，共 {2} 字节", "", "")
ERR(serve_rate, "E886", Lerror, "too many requests", "请求过于频繁", "the server takes {1} a second", "服务器每秒接受 {1} 个", "wait a moment", "请稍候")
ERR(serve_trouble, "E887", Lerror, "the server is in trouble", "服务器出现问题", "{1}", "{1}",
    "its log says more", "详情见服务器日志")
ERR(serve_stopping, "E888", Lerror, "the server is shutting down", "服务器正在关闭", "", "", "try again later", "请稍后再试")
ERR(serve_full, "E889", Lerror, "the server cannot take another session", "服务器的会话数已满",
    "{1} of all clients are open", "所有客户端共打开了 {1} 个",
    "try again later; the limit is the server's, and whoever runs it can raise it (--sessions-all)",
    "请稍后再试；此限额由服务器设定，其管理者可以调高（--sessions-all）")
/* {1} the kernel, {2} number of the argument; 1: {3} the kind, {4} the range, {5} a dimension,
 * {6} the offset */
ERR(serve_argument, "E890", Lerror, "argument {2} of the kernel `{1}` does not fit", "内核 `{1}` 的第 {2} 个参数不符",
    "{3|it is of another kind|}{4|it is out of range|}{5|a dimension cannot be negative|}{6|its offset is not a multiple of the element size|}",
    "{3|类别不符|}{4|超出范围|}{5|维度不能为负|}{6|偏移量不是元素大小的整数倍|}", "", "")
/* {1} the kernel, {2} seconds */
ERR(serve_late, "E891", Lerror, "`{1}` took longer than the server allows", "`{1}` 的用时超出服务器的限额", "{2} s", "{2} 秒",
    "look for a loop that never ends, or give it less work; the limit is the server's",
    "请检查是否有永不结束的循环，或减少工作量；此限额由服务器设定")
/* {1} bytes */
ERR(serve_process, "E830", Lerror, "more memory is needed than the server allows", "所需内存超出服务器的限额",
    "{1} for each process of a session, besides its tensors", "会话的每个进程 {1}，张量除外",
    "make the sizes or the program smaller; the limit is the server's (--process)", "请减小尺寸或缩小程序；此限额由服务器设定（--process）")
/* {1} the part of the sandbox */
ERR(serve_sandbox, "E832", Lerror, "this server's machine cannot sandbox kernels on its CPU", "该服务器的机器无法为 CPU 上运行的内核提供沙箱",
    "{1} is missing there", "缺少 {1}", "use another target; whoever runs the server can allow it anyway (--sandbox 0)",
    "请使用其他目标；服务器管理者也可以照样开放（--sandbox 0）")
/* {1} how much of what */
ERR(serve_cc, "E831", Lerror, "the C compiler needs more for this kernel than the server allows", "C 编译器处理该内核所需超出服务器的限额",
    "{1}", "{1}", "make the kernel smaller: fewer statements, less of it unrolled; the limit is the server's", "请缩小内核：减少语句或展开；此限额由服务器设定")
/* {1} the kernel, {2} tensors, {3} bytes */
ERR(serve_lost, "E892", Lerror, "the server's worker ended before the kernel `{1}` was started", "在内核 `{1}` 启动之前，服务器的工作进程已结束",
    "with it the newest contents of {2} {2|tensor|tensors} ({3})", "{2} 个张量（{3}）的最新内容随之丢失", "", "")
/* {1} the kernel */
ERR(serve_died, "E893", Lerror, "the server's process of this session ended while it was working on `{1}`", "在处理 `{1}` 时，服务器上该会话的进程已结束", "", "",
    "open a new session; if it happens again with this kernel, please report it", "请重新打开会话；若该内核总是如此，请报告给我们")
ERR(serve_extern, "E966", Lerror, "a server compiles no C of its clients'", "服务器不编译客户端自己的 C 代码",
    "the kernel uses T.import_source or T.call_extern", "内核使用了 T.import_source 或 T.call_extern",
    "run it on a machine of your own, or write it with T", "请在自己的机器上运行，或改用 T 书写")
