internal import KeychainServices

/// References as the protocol writes them: the item's id in 32 hexadecimal digits.
extension ItemID {
    var text: ByteString { ByteString(Hexadecimal.encode(bytes)) }

    /// The id that is written so, nil if it is none.
    init?(text: ByteString) {
        guard text.bytes.count == 32, let bytes = Hexadecimal.decode(text.bytes) else {
            return nil
        }
        self.init(bytes)
    }
}
