# moontile doctor on stand-ins of the MACA and HIP run-times: honest ones, and ones whose
# lanes, limits and copies are others than assumed.
. lib/examine.sh
d maca
d hip
lang=zh d maca FAKE_WAVE_MMA=all FAKE_WAVE_THREADS=512
d maca FAKE_WAVE_MMA="=16x16x16f16=" FAKE_WAVE_SHARED=49152 FAKE_WAVE_WRONG="ballot shuffle async"
d maca FAKE_WAVE_FORM=extra | grep launches
