/* Messages that every part of core may need. */
ERR(memory, "E900", Lerror, "out of memory", "内存不足",
    "{1} bytes were needed, the limit is {2}", "所需字节数：{1}；上限：{2}",
    "make the program smaller, or close other programs", "请缩小程序，或关闭其他程序")
ERR(bug, "E999", Lerror, "a bug in moontile, not in your program", "这是 moontile 的缺陷，与您的程序无关",
    "{1}", "{1}",
    "please report it with the program that shows it", "请附上能重现问题的程序并报告给我们")
ERR(build_interrupted, "E302", Lerror, "compiling was interrupted", "编译被中断", "", "", "", "")
