internal import KeychainServices

struct PromptText {
    private let bytes: [UInt8]

    /// Limits a path's length: PATH_MAX. Nothing else is longer.
    private static let limit = 4096

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns the text between a given start and end; nil if it is empty, longer than a path, or contains
    /// a control character.
    func between(_ start: StaticString, _ end: StaticString) -> ArraySlice<UInt8>? {
        let length = bytes.count - start.utf8CodeUnitCount - end.utf8CodeUnitCount
        guard (1...PromptText.limit).contains(length), isAt(0, start),
            isAt(start.utf8CodeUnitCount + length, end)
        else {
            return nil
        }
        let between = bytes[start.utf8CodeUnitCount...].prefix(length)
        return between.contains { $0 < 0x20 || $0 == 0x7F } ? nil : between
    }

    func contains(_ text: StaticString) -> Bool {
        let last = bytes.count - text.utf8CodeUnitCount
        return last >= 0 && (0...last).contains { isAt($0, text) }
    }

    private func isAt(_ index: Int, _ text: StaticString) -> Bool {
        (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == text.byte(at: $0) }
    }
}

extension ArraySlice<UInt8> {
    /// Whether it is only a host's name or address, perhaps with a port.
    var isHostName: Bool {
        !isEmpty && allSatisfy { $0.isLetterOrDigit || "-._:[]%".utf8.contains($0) }
    }
}
