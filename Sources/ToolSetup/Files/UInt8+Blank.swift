extension UInt8 {
    /// Whether it is a space, a tab or a line end.
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
