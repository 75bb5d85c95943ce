internal import KeychainServices
internal import LinuxSystem

/// New ids for many items, each a random distance above the one before, so that it goes to the end of
/// their index.
struct AscendingIDs {
    private var random = RandomReserve()
    /// The first 64 bits of the last one; the other 64 are random numbers of their own.
    private var high: UInt64?

    /// A distance has so many bits less than 64: the ids of a million items go round once at most.
    private static let roundBits: UInt64 = 20

    /// A new id.
    ///
    /// - Throws: ``Status/io`` where the system gives no random numbers.
    mutating func next() throws(KeychainError) -> ItemID {
        try random.reserve(16)
        let number = random.takeNumber()
        let high = high.map { $0 &+ number >> AscendingIDs.roundBits } ?? number
        self.high = high
        return ItemID(high: high, low: random.takeNumber())
    }
}
