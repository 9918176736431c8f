# What is assumed of an element of a fragment outside of T.Parallel makes no code: the text is the same without it.
cd lib
for assumes in true false; do
    sed "s/ASSUMES/$assumes/" assume_fragment.lua > ../../../build/test/assume_fragment.lua
    ../../../build/moontile compile --emit cuda -t "cuda -arch=sm_80" -o ../../../build/test/assume_$assumes ../../../build/test/assume_fragment.lua
done
diff ../../../build/test/assume_true/k.cu ../../../build/test/assume_false/k.cu && echo the same
# The simulator looks, in the thread that has it.
sed 's/ASSUMES/true/; s/-100/1/' assume_fragment.lua > ../../../build/test/assume_fragment.lua
../../../build/moontile -t "sim -arch=sm_80" ../../../build/test/assume_fragment.lua 2>&1 | sed 's/^[^ ]*assume_fragment/assume_fragment/'
