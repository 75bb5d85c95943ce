/// References in the protocol: the item's id as 32 hexadecimal digits.
extension ItemID {
    package var text: ByteString { ByteString(Hexadecimal.encode(bytes)) }

    /// Creates an id from its digits, nil if they are invalid.
    package init?(text: ByteString) {
        guard text.bytes.count == 32, let bytes = Hexadecimal.decode(text.bytes) else {
            return nil
        }
        self.init(bytes)
    }
}
