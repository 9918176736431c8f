# What T.call_extern does not take.
import tilelang, torch
import tilelang.language as T

def tries(name, call, source="__device__ float sq(float a) { return a * a; }"):
    @tilelang.jit
    def f(A):
        A: T.Tensor((128,), "float32")
        B = T.empty((128,), "float32")
        with T.Kernel(1, threads=128) as bx:
            T.import_source(source)
            for i in T.serial(128):
                B[i] = call(A, i)
        return B
    try:
        print(name, f(torch.ones(128))[0])
    except Exception as e:
        print(name, e)

tries("no name:", lambda A, i: T.call_extern("float32"))
tries("no dtype:", lambda A, i: T.call_extern("float33", "sq", A[i]))
tries("a pointer:", lambda A, i: T.call_extern("float32", "sq", T.access_ptr(T.alloc_local((8,), "float32"), "r")))
tries("a text:", lambda A, i: T.call_extern("float32", "sq", "x"))
tries("handle of a value:", lambda A, i: T.call_extern("handle", "sq", A[i]))
tries("not used:", lambda A, i: (T.call_extern("float32", "sq", A[i]), 1)[1])
tries("no function:", lambda A, i: T.call_extern("float32", "cube", A[i]))
tries("not C:", lambda A, i: T.call_extern("float32", "sq", A[i]), "template <typename X> X sq(X a) { return a * a; }")
tries("right:", lambda A, i: T.call_extern("float32", "sq", A[i]) + 1)
