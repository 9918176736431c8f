# Two machines: network namespaces with a cable between them.  The one with the device
# serves, with TLS and a token; the other one has nothing but moontile, and runs the puzzles.
command -v openssl >/dev/null && command -v ip >/dev/null && command -v nsenter >/dev/null &&
    unshare -Urnm true 2>/dev/null || { echo "no openssl, ip or network namespaces"; exit 77; }
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$TMP/key.pem" \
    -out "$TMP/cert.pem" -days 2 -subj /CN=card -addext subjectAltName=IP:10.77.0.1 \
    2>/dev/null || { echo "no openssl that makes certificates"; exit 77; }
"$MOONTILE" --lang en serve token ann --token-file "$TMP/tokens" >"$TMP/ann" 2>/dev/null
tail -n 1 "$TMP/ann" >"$TMP/token"
cat >"$TMP/desk.sh" <<'END'
# In the namespace of the machine without a card.
cd "$TMP" || exit
remote() { "$MOONTILE" --lang en --connect https://10.77.0.1:8411 --cacert "$TMP/cert.pem" --token-file "$TMP/token" "$@"; }
echo "== an address where nobody listens"
"$MOONTILE" --lang en --connect https://10.77.0.2:8411 -e 'print(1)' 2>&1 | sed 's/after [0-9]* ms/after N ms/' | head -n 1
echo "== a kernel"
remote -e 'print(tl.ops.softmax(tl.zeros({2, 4}, "float32")))'
echo "== puzzles"
remote puzzles init night >/dev/null && cd night || exit
for p in 03-outer-add 05-row-sum 08-matmul; do
    cp "$TREE/puzzles/$p/solution.lua" "$p.lua"
    remote puzzles run "$p" 2>&1 | sed -n 1p
done
END
TREE=$(cd ../.. && pwd)
export TREE TMP MOONTILE
unshare -Urnm sh -c '
    ip link set lo up
    unshare -n sleep 1000 &
    DESK=$!
    n=0
    while [ "$(readlink /proc/$DESK/ns/net)" = "$(readlink /proc/self/ns/net)" ] && [ $n -lt 6000 ]; do
        n=$((n + 1))
        sleep 0.01
    done
    ip link add card type veth peer name desk netns $DESK
    ip addr add 10.77.0.1/24 dev card && ip link set card up
    nsenter -t $DESK -n sh -c "ip link set lo up; ip addr add 10.77.0.2/24 dev desk; ip link set desk up"
    : >"$TMP/out"
    "$MOONTILE" --lang en serve --bind 10.77.0.1 --port 8411 --cert "$TMP/cert.pem" --key "$TMP/key.pem" \
        --token-file "$TMP/tokens" --log "$TMP/log" >"$TMP/out" 2>&1 &
    CARD=$!
    n=0
    until grep -q "listening on" "$TMP/out" || [ $n -gt 15000 ]; do
        n=$((n + 1))
        sleep 0.02
    done
    sed "s/^/card: /" "$TMP/out"
    nsenter -t $DESK -n sh "$TMP/desk.sh"
    kill $CARD $DESK
    wait $CARD
'
echo "== the log of the machine with the card"
grep -q '"client": "ann".*"what": "launch".*"outcome": "ok"' "$TMP/log" && echo "ann ran kernels"
