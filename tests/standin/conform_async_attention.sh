# Attention with asynchronous copies.
. lib/standin.sh
use std
. lib/conform.sh
conform attention "maca -async=on" 2
