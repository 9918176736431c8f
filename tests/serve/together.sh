# One tensor where a kernel declares two: what a client sends need not come from our front end,
# so that the server finds out itself which kernels work in place.
. ./lib/serve.sh
kernel() {
  printf 'kernel %s(A, B)\nbuffer A: global int32[16]\nbuffer B: global int32[16]\nlaunch bx in 1 threads 32 do\nfor i in parallel(15) do\nB[%s] = A[i]\nend\nend\nend\n' \
    "$1" "$2" >"$TMP/$1.ir"
  r POST "$S/kernels?name=$1" --data-binary "@$TMP/$1.ir" | cut -c 1-40
}
launch() { r POST "$S/launch" -d "{\"kernel\": $1, \"args\": [{\"t\": 1}, {\"t\": 1, \"at\": $2}]}" | sed 's/\[1[^]]*\]/../; s/"message": {.*//'; }
start
for target in cpu sim; do
  open $target
  r POST "$S/tensors" -d '{"bytes": 256}' >/dev/null
  kernel same i
  kernel shift 'i + 1'
  for k in 1 2; do for at in 0 32 64; do echo "kernel $k, B at $at"; launch $k $at; done; done
done
stop
