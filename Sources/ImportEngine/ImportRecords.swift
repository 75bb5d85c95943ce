package import ItemImport
package import KeychainServices
internal import LinuxSystem

/// Entries on their way from the thread that reads them to the one that uses them.
///
/// Sendable, as what both threads change is changed under the lock.
package final class ImportRecords: @unchecked Sendable {
    private let monitor = Monitor()
    /// Those that are read. Under the lock.
    private var pieces: [[ImportRecord]] = []
    /// Under the lock.
    private var isWhole = false
    /// Under the lock.
    private var isCancelled = false
    /// What kept the rest from being read. Under the lock.
    private var error: KeychainError?
    /// Those of which the next one is used.
    private var piece: [ImportRecord] = []
    /// How many of them were used.
    private var used = 0

    /// How many entries go at once.
    private static let pieceSize = 128
    /// How many pieces are read ahead: few, so that the processor's cache still has them when they are
    /// sealed.
    static let lead = 6

    /// Puts in what a closure reads, until there is no more or nobody wants it.
    ///
    /// - Parameter lead: How many pieces wait at most to be used.
    func fill(
        ahead lead: Int,
        _ read: ((ImportRecord) throws(KeychainError) -> Void) throws(KeychainError) -> Void
    ) {
        var piece: [ImportRecord] = []
        var failure: KeychainError?
        do throws(KeychainError) {
            try read { record throws(KeychainError) in
                piece.append(record)
                if piece.count == ImportRecords.pieceSize {
                    guard append(piece, ahead: lead) else {
                        throw KeychainError(.userCanceled)
                    }
                    piece = []
                    piece.reserveCapacity(ImportRecords.pieceSize)
                }
            }
        } catch {
            failure = error
        }
        _ = append(piece, ahead: lead)
        monitor.locked {
            error = failure
            isWhole = true
        }
    }

    private func append(_ piece: [ImportRecord], ahead lead: Int) -> Bool {
        monitor.locked(when: { pieces.count < lead || isCancelled }) {
            pieces.append(piece)
            return !isCancelled
        }
    }

    /// The next entry, nil at the end.
    ///
    /// - Throws: What keeps the rest from being read, again each time.
    package func next() throws(KeychainError) -> ImportRecord? {
        while used == piece.count {
            guard let next = nextPiece() else {
                if let error = monitor.locked({ self.error }) {
                    throw error
                }
                return nil
            }
            piece = next
            used = 0
        }
        used += 1
        return piece[used - 1]
    }

    private func nextPiece() -> [ImportRecord]? {
        monitor.locked(when: { isWhole || !pieces.isEmpty }) {
            pieces.isEmpty ? nil : pieces.removeFirst()
        }
    }

    /// Lets the reading end.
    func cancel() {
        monitor.locked { isCancelled = true }
    }
}
