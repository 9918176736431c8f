# Passes that cannot run on a text: unknown ones, others than the next, plans that are missing or do
# not fit, in both languages.
wrong() { # which; text on standard input
  cat >"$TMP/t.ir"
  echo "-- $1"
  for lang in en zh; do
    (cd "$TMP" && "$MOONTILE" --lang "$lang" --ir-lower "$1" --ir-check t.ir 2>&1 >/dev/null) || :
  done
}
shift_after() { # pass
  cat <<END
kernel shift(A, B) -> B machine sm_80 after $1
  buffer A: global float32[128]
  buffer B: global float32[128]
  launch bx in 1 threads tid in 128 shared=512 do
    alloc s: shared float32[128] at=0
    s[tid] = A[tid]
    B[tid] = s[127 - tid]
  end
end
END
}
shift_after alloc_shared | wrong sm_80:=nosuch
shift_after nosuch | wrong sm_80:=sync
shift_after alloc_shared | wrong sm_80:=fences
shift_after alloc_shared | wrong sm_80:..parallel
shift_after alloc_shared | wrong sm_90a:=sync
shift_after unroll | wrong sm_80:=unroll
shift_after alloc_shared | sed 's/ at=0//' | wrong sm_80:=sync
shift_after alloc_shared | sed 's/at=0/at=256/' | wrong sm_80:=sync
shift_after layouts | wrong sm_80:=layouts

held() { # lines of plans
  cat <<END
kernel twice(A, B) -> B machine sm_80 after reduce
  buffer A: global float32[512]
  buffer B: global float32[512]
  launch bx in 1 threads tid in 128 do
    alloc r: fragment float32[512]
    alloc r.2: local float32[4] map="[512] lane(0/4:32*1) warp(0/128:4*1) reg(0/1:4*1)"
    $1
    $2
    for i in parallel(512) do
      r[i] = A[i]*2.0
    end
  end
end
END
}
map='"[512] lane(0/4:32*1) warp(0/128:4*1) reg(0/1:4*1)"'
held "" "plan loop map=$map" | wrong sm_80:=parallel
held "plan buffer r strength=free regs=r.2" "" | wrong sm_80:=parallel
held "plan buffer r strength=free regs=A" "plan loop map=$map" | wrong sm_80:=parallel
held "plan buffer r strength=free regs=r.2" 'plan loop map="[256] lane(0/4:32*1) warp(0/128:2*1) reg(0/1:4*1)"' |
  wrong sm_80:=parallel
held "plan buffer r strength=free regs=r.2" "plan copy how=async" | wrong sm_80:=parallel
held "plan buffer r strength=free regs=r.2" "plan gemm mma=\"wgmma.m64n8k16.f32.f16\"" | wrong sm_80:=parallel
held "plan buffer r strength=free regs=r.2" "plan loop pam=$map" | wrong sm_80:=parallel
held "plan buffer r strength=free regs=r.2" "plan lop map=$map" | wrong sm_80:=parallel
held "plan var tid tod=1" "" | wrong sm_80:=parallel
held "" "" | sed 's/ machine sm_80 after reduce//; s/^ *$/    plan launch keep=1/' | wrong sm_80
