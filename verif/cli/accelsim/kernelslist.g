MemcpyHtoD,0x00007f2a20000000,4096
kernel-1.traceg
kernel-2.traceg
MemcpyHtoD,0x00007f2a20001000,64
kernel-3.traceg
