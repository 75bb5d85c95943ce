import LanyardSecrets
import Synchronization
import Testing

@testable import StrictJSON

@Suite("Writing")
struct WriterTests {
    private func text(_ value: Value) throws(KeychainError) -> String {
        String(decoding: try value.written, as: UTF8.self)
    }

    @Test(
        "values, with no white space but the line feed at the end",
        arguments: [
            (.null, "null"), (.bool(true), "true"), (.bool(false), "false"), (.integer(0), "0"),
            (.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"),
            (.string(""), "\"\""), (.array([]), "[]"), (.object([]), "{}"),
            (.array([.integer(1), .integer(2), .null]), "[1,2,null]"),
            (.array([.array([]), .array([.array([])]), .object([])]), "[[],[[]],{}]"),
            (.object(["b": .integer(1), "a": .integer(2)]), #"{"b":1,"a":2}"#),
            (
                .object(["a": .array([.object(["b": .null]), .object([])]), "c": .string("d")]),
                #"{"a":[{"b":null},{}],"c":"d"}"#
            ),
            (.object(["\"\n": .bool(true)]), #"{"\"\n":true}"#),
        ] as [(Value, String)])
    func values(value: Value, expected: String) throws {
        #expect(try text(value) == expected + "\n")
    }

    @Test(
        "escaped and plain characters",
        arguments: [
            ("\"", #"\""#), ("\\", #"\\"#), ("/", "/"), ("<>&'", "<>&'"),
            ("\u{08}\t\n\u{0C}\r", #"\b\t\n\f\r"#), ("\0", #"\u0000"#), ("\u{01}", #"\u0001"#),
            ("\u{0B}\u{1F}", #"\u000b\u001f"#), ("\u{1B}[31m", #"\u001b[31m"#), (" ", " "),
            ("~\u{7F}\u{80}", #"~\u007f\u0080"#), ("\u{9B}\u{9F}\u{A0}", "\\u009b\\u009f\u{A0}"),
            ("é\u{BF}", "é\u{BF}"), ("€", "€"), ("😀", "😀"),
            ("\u{2028}\u{FEFF}\u{FFFF}", "\u{2028}\u{FEFF}\u{FFFF}"),
            ("a\"b\\c\nd", #"a\"b\\c\nd"#),
        ])
    func escapes(string: String, written: String) throws {
        #expect(try text(.string(ByteString(string))) == "\"\(written)\"\n")
        let secret = try JSONWriter.write { writer throws(KeychainError) in
            try writer.write(Secret(string))
        }
        #expect(secret.text == "\"\(written)\"\n")
    }

    @Test("members of every kind")
    func members() throws {
        let written = try JSONWriter.writeObject { writer throws(KeychainError) in
            try writer.member("a", "x" as ByteString)
            try writer.member("b", Secret("y\""))
            try writer.member("c", 3)
            try writer.member("d", true)
            try writer.member("e", ["x", "y"])
            try writer.member(object: "f") { writer throws(KeychainError) in
                try writer.member("g", false)
            }
            try writer.member(array: "h", of: [1, 2]) { writer, number throws(KeychainError) in
                try writer.write(number)
            }
        }
        #expect(
            written.text
                == #"{"a":"x","b":"y\"","c":3,"d":true,"e":["x","y"],"f":{"g":false},"h":[1,2]}"#
                + "\n")
    }

    @Test(
        "text that is not UTF-8 is refused, or replaced where the caller wants that",
        arguments: [
            ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0xC3], "\u{FFFD}"),
            ([0xE2, 0x82], "\u{FFFD}\u{FFFD}"),
            ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xC3, 0x22], "\u{FFFD}\\\""),
            ([0xC2, 0x0A, 0xF0, 0x9F, 0x98, 0x80, 0x80], "\u{FFFD}\\n😀\u{FFFD}"),
        ] as [([UInt8], String)])
    func notUTF8(bytes: [UInt8], replaced: String) throws {
        #expect(throws: KeychainError(.decode)) {
            _ = try JSONWriter.write { writer throws(KeychainError) in
                try writer.write(ByteString(bytes))
            }
        }
        #expect(throws: KeychainError(.decode)) {
            _ = try JSONWriter.write { writer throws(KeychainError) in
                try writer.writeObject { writer throws(KeychainError) in
                    try writer.member(ByteString(bytes), "" as ByteString)
                }
            }
        }
        let written = try JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
            try writer.write(ByteString(bytes))
        }
        #expect(written.text == "\"\(replaced)\"\n")
    }

    @Test("in pieces, none of them long, that together are the same text")
    func pieces() throws {
        let value = Value.array(
            (0..<10_000).map { number in
                .object(["name": .string(ByteString("item \(number)")), "number": .integer(number)])
            })
        let pieces = Mutex<[[UInt8]]>([])
        try JSONWriter.write(to: { piece in pieces.withLock { $0.append(piece.bytes) } }) {
            writer throws(KeychainError) in
            try value.write(&writer)
        }
        let written = pieces.withLock(\.self)
        #expect(try written.flatMap(\.self) == value.written)
        #expect(written.count > 10)
        #expect(written.allSatisfy { $0.count <= JSONWriter.pieceSize + 100 })
    }

    @Test("a short text is one piece; where the output fails, writing ends")
    func output() throws {
        let pieces = Mutex<[String]>([])
        try JSONWriter.write(to: { piece in pieces.withLock { $0.append(piece.text) } }) {
            writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in try writer.write(1) }
        }
        #expect(pieces.withLock(\.self) == ["[1]\n"])
        let elements = Mutex(0)
        #expect(throws: KeychainError(.diskFull)) {
            try JSONWriter.write(to: { _ throws(KeychainError) in throw KeychainError(.diskFull) })
            {
                writer throws(KeychainError) in
                try writer.writeArray { writer throws(KeychainError) in
                    for number in 0..<100_000 {
                        try writer.write(Int64(number))
                        elements.withLock { $0 += 1 }
                    }
                }
            }
        }
        #expect(elements.withLock(\.self) < 20_000)
    }

    @Test("writing invalid JSON ends the program")
    func misuse() async {
        await #expect(processExitsWith: .failure) {
            _ = try JSONWriter.write { _ in }
        }
        await #expect(processExitsWith: .failure) {
            _ = try JSONWriter.write { writer throws(KeychainError) in
                try writer.writeNull()
                try writer.writeNull()
            }
        }
        await #expect(processExitsWith: .failure) {
            _ = try JSONWriter.write { writer throws(KeychainError) in
                try writer.writeObject { writer throws(KeychainError) in try writer.writeNull() }
            }
        }
        await #expect(processExitsWith: .failure) {
            _ = try JSONWriter.write { writer throws(KeychainError) in
                try writer.writeArray { writer throws(KeychainError) in
                    try writer.member("a", "b" as ByteString)
                }
            }
        }
        await #expect(processExitsWith: .failure) {
            _ = try JSONWriter.write { writer throws(KeychainError) in
                try writer.writeObject { writer throws(KeychainError) in
                    try writer.member("a") { _ in }
                }
            }
        }
    }
}
