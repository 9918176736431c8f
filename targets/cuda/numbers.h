/* targets/cuda/numbers.h: numbers of the CUDA driver's interface. */
#ifndef MOONTILE_CUDA_NUMBERS_H
#define MOONTILE_CUDA_NUMBERS_H

enum { /* CUresult */
    CUok = 0, CUinvalid_value = 1, CUout_of_memory = 2, CUstub_library = 34,
    CUdevice_unavailable = 46, CUno_device = 100, CUinvalid_device = 101,
    CUinvalid_image = 200, CUno_binary = 209, CUecc = 214, CUinvalid_ptx = 218,
    CUnvlink = 220, CUno_jit = 221, CUunsupported_ptx = 222, CUcontained = 226,
    CUoperating_system = 304, CUinvalid_handle = 400, CUnot_found = 500, CUillegal_address = 700,
    CUout_of_resources = 701, CUlaunch_timeout = 702, CUcontext_destroyed = 709, CUassert = 710,
    CUhardware_stack = 714, CUillegal_instruction = 715, CUmisaligned = 716,
    CUaddress_space = 717, CUinvalid_pc = 718, CUlaunch_failed = 719,
    CUcooperative_too_large = 720, CUnot_supported = 801, CUsystem_not_ready = 802,
    CUdriver_mismatch = 803, CUmps_failed = 805, CUmps_last = 810, CUcluster_size = 912,
    CUunknown = 999
};

enum { /* cuDeviceGetAttribute */
    CUDmax_threads = 1, CUDmax_grid_x = 5, CUDmax_grid_y = 6, CUDmax_grid_z = 7,
    CUDclock_khz = 13, CUDsms = 16, CUDcompute_mode = 20, CUDecc = 32,
    CUDl2 = 38, CUDmajor = 75, CUDminor = 76,
    CUDshared_sm = 81, CUDregs_sm = 82, CUDshared_optin = 97
};
enum { /* cuFuncGetAttribute, cuFuncSetAttribute */
    CUFmax_threads = 0, CUFshared = 1, CUFconst = 2, CUFlocal = 3, CUFregs = 4,
    CUFmax_dynamic_shared = 8, CUFnonportable_cluster = 14
};

#endif
