# The conformance suite through the run-time of hip, on chips with waves of 64 lanes: attention.
. lib/standin.sh
use std
. lib/conform.sh
conform attention "hip -arch=gfx942" 1
