package import ItemImport
package import KeychainServices
internal import LinuxSystem

extension PlainTextFile {
    /// How many bytes are worth a thread.
    private static let largeSize = 1 << 16
    /// About how many bytes the items take for each byte of the file.
    private static let sizeOfItems = 15

    /// Lends the entries of the file to a closure, in their order. Those of a large file are read in a
    /// thread of its own, ahead of what the closure does with them.
    ///
    /// - Throws: What the closure throws.
    package func read<Result>(
        as format: any ImportFormat,
        _ body: (ImportRecords) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let records = ImportRecords()
        // Safe: a thread reads its bytes, which nobody changes, and has ended before this returns.
        nonisolated(unsafe) let file = self
        let thread =
            bytes.count < PlainTextFile.largeSize
            ? nil
            : WorkerThread {
                unsafe ThreadHeap.grow(by: file.bytes.count * PlainTextFile.sizeOfItems)
                records.fill(ahead: ImportRecords.lead) { body throws(KeychainError) in
                    try unsafe format.read(file.bytes, body)
                }
            }
        if thread == nil {
            records.fill(ahead: .max) { body throws(KeychainError) in
                try format.read(bytes, body)
            }
        }
        let result = Swift.Result { () throws(KeychainError) in try body(records) }
        records.cancel()
        thread?.join()
        return try result.get()
    }
}
