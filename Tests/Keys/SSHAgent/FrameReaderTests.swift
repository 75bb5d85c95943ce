import KeychainServices
import Testing

@testable import SSHAgent

@Suite struct FrameReaderTests {
    /// Feeds a reader as a connection would, in pieces of a size, and returns the messages.
    private func messages(_ bytes: [UInt8], pieces: Int) throws(KeychainError) -> [[UInt8]] {
        var reader = FrameReader()
        var messages: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(min(pieces, reader.wanted)))
            rest.removeFirst(piece.count)
            switch try reader.add(piece.span) {
            case .some(let message): messages.append(message.array())
            case .none: break
            }
        }
        return messages
    }

    @Test(arguments: [1, 2, 3, 4, 5, 7, 100, 1 << 20])
    func messagesArriveInPieces(of size: Int) throws {
        let large = [UInt8](repeating: 3, count: FrameReader.limit)
        let sent: [[UInt8]] = size < 5 ? [[1], [2, 2, 2]] : [[1], [2, 2, 2], large, [4]]
        let bytes = sent.flatMap { FrameReader.frame(Secret(copying: $0.span)).array() }
        #expect(try messages(bytes, pieces: size) == sent)
    }

    @Test(
        arguments: [
            [0, 0, 0, 0], [0, 4, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0],
        ] as [[UInt8]])
    func impossibleLengthEndsTheConnection(_ header: [UInt8]) {
        #expect(throws: KeychainError(.param)) { try messages(header, pieces: 4) }
    }

    @Test func unfinishedMessageIsSeen() throws {
        var reader = FrameReader()
        var isInside: [Bool] = []
        for byte in [0, 0, 0, 1, 11] as [UInt8] {
            isInside.append(reader.isInsideMessage)
            _ = try reader.add([byte].span)
        }
        isInside.append(reader.isInsideMessage)
        #expect(isInside == [false, true, true, true, true, false])
    }

    @Test func nothingOfTheNextMessageIsRead() throws {
        var reader = FrameReader()
        var wanted = [reader.wanted]
        for piece in [[0], [0, 0, 2], [11], [12]] as [[UInt8]] {
            _ = try reader.add(piece.span)
            wanted.append(reader.wanted)
        }
        #expect(wanted == [4, 3, 2, 1, 4])
    }
}
