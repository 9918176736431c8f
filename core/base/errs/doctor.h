/* Messages of `moontile doctor` and of what a device has answered: E471 to E479.  See errs.h. */
ERR(gpu_unproven, "E471", Lnote, "{1} was never probed, and could not be probed now: what is assumed about its lanes and matrix instructions is unverified",
    "{1} 从未检查过，现在也未能完成检查：对其通道与矩阵指令的假定未经证实", "", "",
    "`moontile doctor {2}` says why", "`moontile doctor {2}` 可查明原因")
ERR(gpu_probe_async, "E472", Lerror, "asynchronous copies are wrong on {2}", "{2} 上的异步复制结果有误",
    "a probe found that the copied data is not there after the wait for it", "经检查：等待结束后，复制的数据并未到达",
    "leave out -async=on, and copies go through registers; `moontile doctor {3}` shows the results", "请去掉 -async=on：改用经寄存器的复制；`moontile doctor {3}` 可列出检查结果")
ERR(gpu_probe_lanes, "E473", Lerror, "the kernel `{1}` cannot be trusted on {2}", "内核 `{1}` 在 {2} 上的结果不可信",
    "it uses {3|votes|shuffles} across lanes, which a probe of this device found to be wrong", "它使用了通道间的{3|投票|shuffle}，而对该设备的检查发现其结果有误",
    "`moontile doctor {4}` shows the results, and --report writes them to a file; -t cpu runs the kernel",
    "`moontile doctor {4}` 可列出检查结果，加 --report 可写成报告；用 -t cpu 可运行该内核")
ERR(gpu_async_unproven, "E474", Lnote, "asynchronous copies were never probed on {1}", "{1} 上的异步复制从未检查过", "", "",
    "`moontile doctor {2}` probes them", "`moontile doctor {2}` 会检查它们")
ERR(doctor_flag, "E475", Lerror, "moontile doctor does not take `{1}`", "moontile doctor 不认识 `{1}`", "", "",
    "moontile doctor [TARGET] [--report [FILE]] [--limit SECONDS] [--json]", "moontile doctor [目标] [--report [文件]] [--limit 秒数] [--json]")
ERR(doctor_write, "E476", Lerror, "the report cannot be written to {1}", "无法将报告写入 {1}", "{2}", "{2}",
    "name another file: --report FILE", "请指定其他文件：--report FILE")
