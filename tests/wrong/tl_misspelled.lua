local a = tl.rand_n({4})
