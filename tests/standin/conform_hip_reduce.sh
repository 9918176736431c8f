# The conformance suite through the run-time of hip, on chips with waves of 64 lanes: reductions.
. lib/standin.sh
use std
. lib/conform.sh
conform reduce "hip -arch=gfx942" 2
