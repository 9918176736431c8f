# Kernels at the prompt: results, the time limit, Ctrl-C; the session lives on.
. lib/terminal.sh
HEIGHT=50 start -i lib/kernels.lua
wait_for '1>'
keys 'double(ones)' Enter; wait_for '2>'
keys ':limit 0.3' Enter; wait_for '0.3 s'
keys 'spin(zero)' Enter; wait_for '3>'
keys ':limit 0' Enter; wait_for '0 s'
keys 'print("first" .. "ly") spin(zero)' Enter; wait_for 'firstly'; sleep 0.5
keys C-c; wait_for '4>'
keys 'ones, zero, double(ones)' Enter; wait_for '5>'
keys 'print("then" .. "ce") for i = 1, 1e9 do pcall(spin, zero) end' Enter; wait_for 'thence'; sleep 0.5
keys C-c; wait_for '6>'
keys 'print("last" .. "ly") while true do pcall(function() while true do end end) end' Enter; wait_for 'lastly'; sleep 0.3
keys C-c; wait_for '7>'
keys C-d; wait_for icanon
screen
