/* Messages of memory for a run, the host's and that of devices with their own
 * (core/device/session_memory.c).  Codes of run.h.  See errs.h. */
ERR(device_memory, "E310", Lerror, "not enough memory to run the kernel `{1}`", "内存不足，无法运行内核 `{1}`",
    "its tiles and workspaces need {2}", "其分块与工作区需要 {2}",
    "make its shared tiles and fragments smaller, or use fewer threads (-threads=N)",
    "请缩小共享分块与片段，或减少线程数（-threads=N）")
ERR(worker_memory, "E311", Lerror, "the worker could not map the tensors of the kernel `{1}`",
    "工作进程无法映射内核 `{1}` 的张量", "{2}", "{2}", "free memory, or use smaller tensors", "请释放内存，或使用更小的张量")
ERR(device_full, "E332", Lerror, "no memory on the device for the kernel `{1}`", "设备内存不足，无法运行内核 `{1}`",
    "{2} asked for, {3} free of {4}", "需要 {2}，{4} 中尚余 {3}",
    "use smaller tensors, or drop those that are no longer used: {0|x = nil|del x}", "请用较小的张量，或释放不再使用的张量：{0|x = nil|del x}")
