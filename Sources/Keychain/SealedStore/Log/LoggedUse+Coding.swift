internal import KeychainServices

// The stored form of an entry, before encryption. It always has the same size: the file reveals nothing
// about the names in it, and the last entry is found without reading those before it.
extension LoggedUse {
    /// The size of the stored form in bytes.
    static let encodedSize = 472
    /// The size of what identifies an entry's predecessor.
    static let linkSize = 24

    private static let moreFlag: UInt8 = 1
    /// The number of bytes for all texts together.
    private static let roomForTexts = encodedSize - 60
    private static let ellipsis = Array("…".utf8)

    /// Returns the stored form.
    ///
    /// - Parameter link: Identifies the entry before this one.
    func encoded(after link: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(capacity: LoggedUse.encodedSize)
        writer.raw(link)
        writer.number(time.secondsSinceEpoch)
        writer.number(action.rawValue)
        writer.number(hasMore ? LoggedUse.moreFlag : 0)
        writer.number(itemClass.rawValue.rawValue)
        writer.number(program.process)
        writer.number(requester.process)
        for text in shortenedTexts() {
            writer.number(UInt16(text.count))
            writer.raw(text)
        }
        writer.raw(
            Array(repeating: 0, count: LoggedUse.encodedSize - writer.bytes.count))
        return writer.bytes
    }

    /// Reads the stored form.
    ///
    /// - Throws: ``Status/decode`` for anything that ``encoded(after:)`` does not write.
    static func decode(
        _ bytes: [UInt8]
    ) throws(KeychainError) -> (link: [UInt8], use: LoggedUse) {
        guard bytes.count == encodedSize else {
            throw KeychainError(.decode)
        }
        var reader = ByteReader(bytes)
        let link = try reader.raw(linkSize)
        let time = Timestamp(secondsSinceEpoch: try reader.number())
        let action = Action(rawValue: try reader.number())
        let flags = try reader.number(UInt8.self)
        let itemClass = ItemClass(
            rawValue: FourCharacterCode(rawValue: try reader.number()))
        let processes = [try reader.number(Int32.self), try reader.number(Int32.self)]
        var texts: [ByteString] = []
        for _ in 0..<7 {
            texts.append(ByteString(try reader.raw(Int(reader.number(UInt16.self)))))
        }
        let padding = try reader.raw(bytes.count - reader.position)
        guard let action, flags & ~moreFlag == 0, padding.allSatisfy({ $0 == 0 }) else {
            throw KeychainError(.decode)
        }
        let use = LoggedUse(
            time: time, action: action, itemClass: itemClass, name: texts[0], account: texts[1],
            accessGroup: texts[2],
            program: Program(path: texts[3], process: processes[0], unit: texts[4]),
            requester: Program(path: texts[5], process: processes[1], unit: texts[6]),
            hasMore: flags != 0)
        return (link, use)
    }

    /// Returns the texts, the longest ones shortened until all fit.
    private func shortenedTexts() -> [[UInt8]] {
        let texts = [
            name, account, accessGroup, program.path, program.unit, requester.path, requester.unit,
        ].map { $0.bytes }
        var limit = texts.map { $0.count }.max() ?? 0
        while texts.reduce(0, { $0 + min($1.count, limit) }) > LoggedUse.roomForTexts {
            limit -= 1
        }
        return texts.map { LoggedUse.shortened($0, to: limit) }
    }

    /// Cuts the beginning of a path and the end of any other text, between characters.
    private static func shortened(_ text: [UInt8], to limit: Int) -> [UInt8] {
        guard text.count > limit else {
            return text
        }
        let count = max(0, limit - ellipsis.count)
        guard text.first == UInt8(ascii: "/") else {
            var end = count
            while end > 0, text[end].continuesCharacter {
                end -= 1
            }
            return text[..<end] + ellipsis
        }
        return ellipsis + text.suffix(count).drop(while: { $0.continuesCharacter })
    }
}

extension UInt8 {
    /// Whether it is not the first byte of a character in UTF-8.
    fileprivate var continuesCharacter: Bool { self & 0xC0 == 0x80 }
}
