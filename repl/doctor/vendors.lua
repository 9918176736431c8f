-- doctor/vendors.lua: what doctor knows of the makers of cards, by target.  What the run-time knows
-- of them is in C, the GpuVendor of each target.
--
--   card       the maker, for people
--   nodes      files that the driver makes; one outside of /dev/dri says that a card is there
--   visible    the variable that hides devices
--   library    of the driver: env, the variable that names it; package, of fixes.lua; at, its places;
--              also: other folders that it needs, %s the one above its own
--   compiler   at run time: env, the variable that names it; package, of the offline one
--   offline    the offline compiler: env, the variable that names it; at, its places

return {
  cuda = {
    card = "NVIDIA",
    nodes = {"/dev/nvidiactl", "/dev/nvidia[0-9]*", "/dev/nvidia-uvm", "/dev/dxg"},
    visible = "CUDA_VISIBLE_DEVICES",
    library = {env = "MOONTILE_CUDA_LIB", package = "nvidia"},
    compiler = {env = "MOONTILE_NVRTC_LIB"},
  },
  hip = {
    card = "AMD",
    nodes = {"/dev/kfd", "/dev/dri/renderD*"},
    visible = "HIP_VISIBLE_DEVICES",
    library = {env = "MOONTILE_HIP_LIB", package = "hip", at = {"/opt/rocm/lib/libamdhip64.so",
      "/opt/rocm-[0-9]*/lib/libamdhip64.so", "/opt/dtk/lib/libgalaxyhip.so", "/opt/dtk/hip/lib/libgalaxyhip.so"}},
    compiler = {env = "MOONTILE_HIPRTC_LIB", package = "hipcc"},
  },
  maca = {
    card = "MetaX",
    nodes = {"/dev/mxcd", "/dev/dri/renderD*"},
    visible = "MACA_VISIBLE_DEVICES",
    library = {env = "MOONTILE_MACA_LIB", at = {"/opt/maca/lib/libmcruntime.so", "/opt/maca-[0-9]*/lib/libmcruntime.so"},
      also = {"%s/mxgpu_llvm/lib", "/opt/mxdriver/lib"}},
    compiler = {env = "MOONTILE_MACA_LIB"},
    offline = {env = "MOONTILE_MXCC", at = {"/opt/maca/mxgpu_llvm/bin/mxcc", "/opt/maca-[0-9]*/mxgpu_llvm/bin/mxcc"}},
  },
}
