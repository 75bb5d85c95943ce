internal import Glibc

/// The two ends of a pipe, closed on exec. The corresponding C function is `pipe`.
package struct Pipe: ~Copyable {
    package let readEnd: Descriptor
    package let writeEnd: Descriptor

    package init() throws(SystemCallError) {
        var ends: [Int32] = [-1, -1]
        // Safe: `pipe` writes two numbers, and the array has two.
        _ = try SystemCalls.perform("pipe") { unsafe pipe(&ends) }
        for end in ends {
            SystemCalls.closeOnExec(end)
        }
        readEnd = Descriptor(owning: ends[0])
        writeEnd = Descriptor(owning: ends[1])
    }

    /// Returns the end to read from, and closes the other one.
    package consuming func keepingReadEnd() -> Descriptor { readEnd }

    /// Returns the end to write to, and closes the other one.
    package consuming func keepingWriteEnd() -> Descriptor { writeEnd }
}
