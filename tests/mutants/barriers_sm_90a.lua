-- Each barrier of each example on sm_90a is needed.
dofile "lib/barriers.lua" "sm_90a"
