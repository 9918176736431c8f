# The sources of an exported folder are C without warnings; its header is C++, too.
. lib/nvrtc.sh
for d in /usr/local/cuda /usr/local/cuda-* /usr; do
    [ -f "$d/include/cuda.h" ] && CUDA=$d && break
done
[ -n "$CUDA" ] || { echo "no cuda.h"; exit 77; }
"$MOONTILE" --lang en lib/bundle.lua "$TMP" >/dev/null 2>&1
for k in gemm scale; do
    for f in $k main; do
        ${CC:-cc} -std=c11 -Wall -Wextra -Werror -I"$CUDA/include" -c -o "$TMP/$f.o" "$TMP/$k/$f.c" &&
            echo "$k: $f.c"
    done
    printf '#include "%s.h"\nint main() { return 0; }\n' $k >"$TMP/$k/user.cc"
    command -v c++ >/dev/null || continue
    c++ -Wall -Wextra -I"$CUDA/include" -c -o "$TMP/user.o" "$TMP/$k/user.cc"
done
