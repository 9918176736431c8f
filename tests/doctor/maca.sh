# moontile doctor on stand-ins of the MACA and HIP run-times: honest ones, and ones whose
# lanes, limits and copies are others than assumed.
. lib/examine.sh
d maca
d hip
lang=zh d maca STANDIN_MMA=all STANDIN_THREADS=512
d maca STANDIN_MMA="=16x16x16f16=" STANDIN_SHARED=49152 STANDIN_WRONG="ballot shuffle async"
d maca STANDIN_FORM=extra | grep launches
