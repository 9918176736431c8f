# The conformance suite through the run-time of hip, on chips with waves of 64 lanes: element by
# element.
. lib/standin.sh
use std
. lib/conform.sh
conform elementwise "hip -arch=gfx942" 3
