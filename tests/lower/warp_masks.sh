# What is said of the masks in lib/warp_masks.lua, for warps of 32 and of 64 lanes.
"$MOONTILE" lib/warp_masks.lua 2>&1 | grep -v -e '^help: ' -e E522
