package import ItemImport
package import Keychain
internal import LinuxSystem

extension PlainTextFile {
    /// How many bytes are worth a thread.
    private static let largeSize = 1 << 16

    /// Hands each entry of the file to a closure, in their order. Those of a large file are read in a
    /// thread of its own, ahead of what the closure does with them.
    ///
    /// - Throws: What the format and the closure throw, which sees no entry after that.
    package func read(
        as format: any ImportFormat,
        _ body: (consuming ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard bytes.count >= PlainTextFile.largeSize else {
            return try format.read(bytes, body)
        }
        let queue = RecordQueue()
        // Safe: the thread reads its bytes, which nobody changes, and has ended before this returns.
        nonisolated(unsafe) let file = self
        let thread = WorkerThread {
            queue.fill { body throws(KeychainError) in
                try unsafe format.read(file.bytes, body)
            }
        }
        guard let thread else {
            return try format.read(bytes, body)
        }
        let result = Result { () throws(KeychainError) in try queue.empty(into: body) }
        queue.cancel()
        thread.join()
        try result.get()
    }
}

/// Entries on their way from the thread that reads them to the one that uses them.
///
/// Sendable, as all is changed under the lock, and entries are one thread's after the other's.
private final class RecordQueue: @unchecked Sendable {
    /// An entry that can be taken once.
    final class Entry {
        private var record: ImportRecord?

        init(_ record: consuming ImportRecord) {
            self.record = consume record
        }

        func take() -> ImportRecord? { record.take() }
    }

    private let monitor = Monitor()
    private var pieces: [[Entry]] = []
    private var isWhole = false
    private var isCancelled = false
    private var error: KeychainError?

    /// How many entries go at once, and how many times as many wait at most: what is read while the
    /// ones before are put into a keychain.
    private static let pieceSize = 128
    private static let limit = 128

    /// Puts in what a closure reads, until there is no more or nobody wants it.
    func fill(
        _ read: (
            (consuming ImportRecord) throws(KeychainError) -> Void
        ) throws(KeychainError) -> Void
    ) {
        var piece: [Entry] = []
        var failure: KeychainError?
        do throws(KeychainError) {
            try read { record throws(KeychainError) in
                piece.append(Entry(record))
                if piece.count == RecordQueue.pieceSize {
                    guard append(piece) else {
                        throw KeychainError(.userCanceled)
                    }
                    piece = []
                }
            }
        } catch {
            failure = error
        }
        _ = append(piece)
        monitor.locked {
            error = failure
            isWhole = true
        }
    }

    private func append(_ piece: [Entry]) -> Bool {
        monitor.locked(when: { pieces.count < RecordQueue.limit || isCancelled }) {
            pieces.append(piece)
            return !isCancelled
        }
    }

    /// Takes out all that is read.
    func empty(
        into body: (consuming ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        while let piece = next() {
            for entry in piece {
                if let record = entry.take() {
                    try body(record)
                }
            }
        }
        if let error = monitor.locked({ error }) {
            throw error
        }
    }

    private func next() -> [Entry]? {
        monitor.locked(when: { isWhole || !pieces.isEmpty }) {
            pieces.isEmpty ? nil : pieces.removeFirst()
        }
    }

    /// Lets the reading end.
    func cancel() {
        monitor.locked { isCancelled = true }
    }
}
