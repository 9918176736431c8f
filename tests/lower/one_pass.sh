# One pass alone, on texts small enough to be read.  Copy one of them to test a pass: its first line
# says for which machine and behind which pass the program stands; `--ir-lower MACHINE:..PASS` prints
# such a text of any kernel.
pass() { # which; text on standard input
  cat >"$TMP/t.ir"
  echo "-- $1"
  (cd "$TMP" && "$MOONTILE" --ir-lower "$1" --ir-check t.ir 2>&1)
}

# Threads read what others wrote.
pass sm_80:=sync <<'END'
kernel shift(A, B) -> B machine sm_80 after alloc_shared
  buffer A: global float32[128]
  buffer B: global float32[128]
  launch bx in 1 threads tid in 128 shared=512 do
    alloc s: shared float32[128] at=0
    s[tid] = A[tid]
    B[tid] = s[127 - tid]
  end
end
END

# Two buffers whose lives do not overlap share bytes.  async=1: TMA touches t, which aligns it.
pass sm_80:=alloc_shared <<'END'
kernel places(A, B) -> B machine sm_80 after unused
  buffer A: global float32[2, 1024]
  buffer B: global float32[2, 1024]
  launch bx in 1 threads tid in 1024 do
    alloc s: shared float32[1024] map="[1024] off(0/1:1024*1)"
    alloc t: shared float32[1024] map="[1024] off(0/1:1024*1)"
    plan buffer t async=1
    s[tid] = A[0, tid]
    B[0, tid] = s[1023 - tid]
    t[tid] = A[1, tid]
    B[1, tid] = t[1023 - tid]
  end
end
END

# A parallel loop whose layout is given: four iterations to a thread, as one vector.
pass sm_80:=parallel <<'END'
kernel twice(A, B) -> B machine sm_80 after reduce
  buffer A: global float32[512]
  buffer B: global float32[512]
  launch bx in 1 threads tid in 128 do
    alloc r: fragment float32[512]
    alloc r.2: local float32[4] map="[512] lane(0/4:32*1) warp(0/128:4*1) reg(0/1:4*1)"
    plan buffer r strength=free regs=r.2
    plan loop map="[512] lane(0/4:32*1) warp(0/128:4*1) reg(0/1:4*1)" vec=4
    for i in parallel(512) do
      r[i] = A[i]*2.0
    end
    plan loop map="[512] lane(0/4:32*1) warp(0/128:4*1) reg(0/1:4*1)" vec=4
    for i in parallel(512) do
      B[i] = r[i]
    end
  end
end
END

# From there to the end.
pass sm_80:parallel.. <<'END'
kernel ones(B) -> B machine sm_80 after reduce
  buffer B: global float32[512]
  launch bx in 1 threads tid in 128 do
    for i in parallel(512) do
      B[i] = 1.0
    end
  end
end
END

# What a pass decides about a product and a copy, and what it leaves for later ones.
pass sm_80:flatten..select <<'END'
kernel product(A, B, C) -> C
  buffer A: global float16[64, 32]
  buffer B: global float16[32, 64]
  buffer C: global float32[64, 64]
  launch bx in 1 threads 128 do
    alloc As: shared float16[64, 32]
    alloc Bs: shared float16[32, 64]
    alloc Cl: fragment float32[64, 64]
    copy A -> As
    copy B -> Bs
    gemm As, Bs -> Cl clear_accum=1
    copy Cl -> C
  end
end
END
