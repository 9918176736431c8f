/* Messages of the cuda target: finding the driver, the GPU and the compiler (targets/cuda), limits of a
 * launch, its libraries: E410 to E469, where gpu.h has the others.  See errs.h. */
ERR(cuda_no_library, "E410", Lerror, "the NVIDIA driver was not found", "未找到 NVIDIA 驱动",
    "looked for libcuda.so.1 in {4}", "已在以下位置查找 libcuda.so.1：{4}",
    "install the driver of your GPU (Debian, Ubuntu: apt-get install nvidia-driver; a container: docker run --gpus all; WSL: the Windows driver), or run on the cpu: -t cpu",
    "请安装 GPU 驱动（Debian、Ubuntu：apt-get install nvidia-driver；容器：docker run --gpus all；WSL：安装 Windows 驱动），或在 CPU 上运行：-t cpu")
ERR(cuda_old_library, "E411", Lerror, "the NVIDIA driver is too old", "NVIDIA 驱动版本过旧",
    "it supports CUDA {5}; {6} is needed (for {4})", "它支持 CUDA {5}，需要 {6}（用于 {4}）",
    "update the driver: any from version 450 on will do", "请更新驱动：450 及以后的版本均可")
ERR(cuda_no_device, "E412", Lerror, "the NVIDIA driver sees no GPU", "NVIDIA 驱动未检测到 GPU", "{3}", "{3}",
    "see what nvidia-smi says; a container needs --gpus all, and CUDA_VISIBLE_DEVICES may hide GPUs",
    "请查看 nvidia-smi 的输出；容器需要 --gpus all，CUDA_VISIBLE_DEVICES 也可能隐藏 GPU")
ERR(cuda_stub, "E413", Lerror, "{2} is not a driver", "{2} 不是驱动", "it is the toolkit's stub, made for linking only", "它是工具包中仅供链接使用的桩库",
    "take the folder `stubs` out of LD_LIBRARY_PATH, and install the driver of your GPU", "请从 LD_LIBRARY_PATH 中去掉 `stubs` 目录，并安装 GPU 驱动")
ERR(cuda_mismatch, "E414", Lerror, "the NVIDIA driver's library and its kernel module are of different versions",
    "NVIDIA 驱动的库与内核模块版本不一致", "{2}", "{2}",
    "restart the machine after an update of the driver; in a container, take its own copies of libcuda out of the way",
    "更新驱动后请重启机器；在容器中，请移走其自带的 libcuda")
ERR(cuda_init, "E415", Lerror, "the NVIDIA driver could not be started", "无法启动 NVIDIA 驱动",
    "{2} says {3} ({4})", "{2} 返回 {3}（{4}）",
    "see what nvidia-smi and dmesg say", "请查看 nvidia-smi 和 dmesg 的输出")
ERR(cuda_no_ordinal, "E416", Lerror, "there is no GPU {2}", "没有编号为 {2} 的 GPU", "the driver sees {3}, counted from 0", "驱动检测到 {3} 个，从 0 开始编号",
    "name another one: -device=0", "请指定另一个：-device=0")
ERR(cuda_busy, "E417", Lerror, "the GPU {2} cannot be used now", "GPU {2} 目前无法使用",
    "{3}, compute mode {4}", "{3}，计算模式为 {4}",
    "end the process that has it (nvidia-smi names it), or let several share it: nvidia-smi -c DEFAULT",
    "请结束占用它的进程（可用 nvidia-smi 查看），或允许多个进程共用：nvidia-smi -c DEFAULT")
ERR(cuda_old_chip, "E418", Lerror, "the GPU {2} is too old", "GPU {2} 过旧", "its compute capability is {3}; 7.5 (Turing) or later is needed", "其计算能力为 {3}，需要 7.5（Turing）或更高",
    "run on the cpu: -t cpu", "请在 CPU 上运行：-t cpu")
ERR(cuda_wrong_arch, "E419", Lerror, "code for {2} does not run on this GPU", "{2} 的代码无法在此 GPU 上运行", "{3} has compute capability {4}", "{3} 的计算能力为 {4}",
    "leave out -arch, or use -build to compile without running", "请去掉 -arch，或用 -build 只编译不运行")
ERR(cuda_no_compiler, "E420", Lerror, "NVRTC, the compiler library of CUDA, was not found", "未找到 CUDA 的编译库 NVRTC",
    "looked for libnvrtc in {3}", "已在以下位置查找 libnvrtc：{3}",
    "install the CUDA toolkit {6} or only this part of it (pip install nvidia-cuda-nvrtc-cu{6}; conda install cuda-nvrtc), or point CUDA_HOME or MOONTILE_NVRTC_LIB to it",
    "请安装 CUDA 工具包 {6}，或仅安装这一部分（pip install nvidia-cuda-nvrtc-cu{6}；conda install cuda-nvrtc），也可用 CUDA_HOME 或 MOONTILE_NVRTC_LIB 指定")
ERR(cuda_compiler_broken, "E421", Lerror, "the compiler {2} does not work", "编译器 {2} 无法工作", "it fails with {4}", "它以 {4} 失败",
    "install all of it: libnvrtc-builtins belongs next to libnvrtc", "请完整安装：libnvrtc-builtins 应与 libnvrtc 位于同一目录")
ERR(cuda_newer_code, "E423", Lerror, "the NVIDIA driver is older than the compiler", "NVIDIA 驱动比编译器旧",
    "it supports CUDA {2} and cannot load what {3} makes ({4})", "它支持 CUDA {2}，无法加载 {3} 生成的代码（{4}）",
    "update the driver, or install NVRTC of CUDA {2} and set MOONTILE_NVRTC_LIB to it", "请更新驱动，或安装 CUDA {2} 的 NVRTC 并用 MOONTILE_NVRTC_LIB 指定")
ERR(cuda_threads, "E426", Lerror, "the kernel `{1}` has too many threads for its registers", "内核 `{1}` 的线程数相对于其寄存器用量过多",
    "{2} threads per block; with {5} registers each, {3} are possible", "每个线程块 {2} 个线程；每个线程用 {5} 个寄存器时最多 {3} 个",
    "use fewer threads, or smaller fragments", "请减少线程数，或使用更小的片段")
ERR(cuda_cluster, "E429", Lerror, "the clusters of the kernel `{1}` do not fit", "内核 `{1}` 的线程块簇无法容纳",
    "grid ({2}), cluster ({3})", "网格为 ({2})，簇为 ({3})", "the grid must be a multiple of the cluster in each dimension, and a cluster has 8 blocks at most", "网格的每一维须为簇的整数倍，一个簇最多 8 个线程块")
ERR(cuda_map_stride, "E431", Lerror, "the rows of the argument `{3}` of the kernel `{1}` cannot be copied by TMA", "内核 `{1}` 的参数 `{3}` 的行无法用 TMA 复制",
    "argument {2}: dimension {4} moves by {5} bytes, which must be a multiple of 16", "第 {2} 个参数：第 {4} 维的步长为 {5} 字节，须为 16 的整数倍",
    "pad the rows to a multiple of 16 bytes, or write {0|disable_tma = true|disable_tma=True} at the copy", "请把行填充到 16 字节的整数倍，或在该 copy 处写 {0|disable_tma = true|disable_tma=True}")
ERR(cuda_map_extent, "E432", Lerror, "the argument `{3}` of the kernel `{1}` is too large for TMA", "内核 `{1}` 的参数 `{3}` 对 TMA 来说过大",
    "argument {2}: dimension {4} has {5} elements, 1 to 4294967296 are possible", "第 {2} 个参数：第 {4} 维有 {5} 个元素，允许 1 到 4294967296 个",
    "write {0|disable_tma = true|disable_tma=True} at the copy", "请在该 copy 处写 {0|disable_tma = true|disable_tma=True}")
ERR(cuda_map_box, "E433", Lerror, "a box of `{3}` in the kernel `{1}` cannot be copied by TMA", "内核 `{1}` 中 `{3}` 的一个块无法用 TMA 复制",
    "argument {2}: {5} elements in dimension {4}", "第 {2} 个参数：第 {4} 维 {5} 个元素",
    "at most 256 elements per dimension, the innermost a multiple of 16 bytes and no wider than its swizzle: use smaller tiles", "每维最多 256 个元素，最内维须为 16 字节的整数倍且不宽于其 swizzle：请使用更小的分块")
ERR(cuda_map, "E434", Lerror, "the driver refused the tensor map of `{3}` of the kernel `{1}`", "驱动拒绝了内核 `{1}` 的 `{3}` 的张量映射",
    "argument {2}: {4}", "第 {2} 个参数：{4}", "write {0|disable_tma = true|disable_tma=True} at the copy", "请在该 copy 处写 {0|disable_tma = true|disable_tma=True}")
ERR(cuda_no_tool, "E437", Lerror, "there is no disassembler", "没有反汇编器", "looked for nvdisasm and cuobjdump on PATH and in {2}", "已在 PATH 和 {2} 中查找 nvdisasm 与 cuobjdump",
    "install the CUDA toolkit or its part cuda-nvdisasm (conda install cuda-nvdisasm), or look at the PTX: {0|k:show_ptx()|k.show_ptx()}", "请安装 CUDA 工具包或其中的 cuda-nvdisasm（conda install cuda-nvdisasm），或查看 PTX：{0|k:show_ptx()|k.show_ptx()}")
ERR(cuda_resources, "E445", Lerror, "the GPU has too few resources for a block of the kernel `{1}`", "GPU 资源不足，无法容纳内核 `{1}` 的一个线程块",
    "{2} threads, {3} registers each, {4} bytes of shared memory", "{2} 个线程，每个 {3} 个寄存器，{4} 字节共享内存", "use fewer threads, smaller fragments or smaller tiles", "请减少线程数，或使用更小的片段或分块")
ERR(cuda_failed, "E446", Lerror, "the NVIDIA driver refused a call for the kernel `{1}`", "NVIDIA 驱动拒绝了为内核 `{1}` 进行的调用", "{2} says {3} ({4})", "{2} 返回 {3}（{4}）",
    "see what nvidia-smi and dmesg say", "请查看 nvidia-smi 和 dmesg 的输出")
ERR(cuda_lost, "E447", Lerror, "the GPU is gone", "GPU 已不可用", "{2} says {3} ({4})", "{2} 返回 {3}（{4}）", "see what nvidia-smi and dmesg say", "请查看 nvidia-smi 和 dmesg 的输出")
ERR(cublas_none, "E460", Lerror, "cuBLAS was not found", "未找到 cuBLAS",
    "looked for {2} in {3}", "已在以下位置查找 {2}：{3}",
    "install it (pip install nvidia-cublas-cu{4}; conda install libcublas), or set MOONTILE_CUBLASLT_LIB to the file",
    "请安装它（pip install nvidia-cublas-cu{4}；conda install libcublas），或用 MOONTILE_CUBLASLT_LIB 指定该文件")
ERR(cublas_failed, "E461", Lerror, "cuBLAS refused a call", "cuBLAS 拒绝了一次调用", "{2} says {3}", "{2} 返回 {3}", "", "")
ERR(cublas_form, "E462", Lerror, "cuBLAS has no such matrix product", "cuBLAS 不支持这种矩阵乘法", "{2}", "{2}",
    "8-bit operands must be K-major: A is [M, K], B is [N, K]", "8 位操作数必须以 K 为最内维：A 为 [M, K]，B 为 [N, K]")
ERR(cuda_tool, "E438", Lerror, "{2} does not work", "{2} 无法工作", "it says: {3}", "它输出：{3}",
    "install all of the CUDA toolkit, or look at the PTX: {0|k:show_ptx()|k.show_ptx()}", "请完整安装 CUDA 工具包，或查看 PTX：{0|k:show_ptx()|k.show_ptx()}")
