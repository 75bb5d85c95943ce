internal import Glibc

/// The part of the heap from which a thread of its own allocates.
package enum ThreadHeap {
    /// Grows it for about as many bytes as the thread is going to allocate, at once: the C library does so
    /// page by page else, with a system call for each that the other threads wait for.
    package static func grow(by size: Int) {
        // Below what is mapped by itself; together less than the 64 MB that such a heap may have.
        let block = 120_000
        let count = min(size, 60 << 20) / block
        // Safe: nobody else has the blocks, and each is freed once, the last one first: behind it nothing
        // is given back to the system but the memory itself.
        var blocks: [UnsafeMutableRawPointer?] = unsafe []
        unsafe blocks.reserveCapacity(count)
        for _ in 0..<count {
            unsafe blocks.append(malloc(block))
        }
        while let block = unsafe blocks.popLast() {
            unsafe free(block)
        }
    }
}
