import LanyardSecrets
import Testing

@testable import StrictJSON

@Suite("Reading")
struct ReaderTests {
    private func read<Result>(
        _ text: String, limit: Int = 1_000, names: JSONReader.Names = .exact,
        _ body: (inout JSONReader) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try JSONReader.read(Array(text.utf8).span, limit: limit, names: names, body)
    }

    @Test("members in the order of the text; what is not read is skipped")
    func members() throws {
        var names: [ByteString] = []
        var number: Int64?
        try read(#"{"x":[1,{"y":"}"}],"n" : 7 ,"z":"\"","f":-1.5e3}"#) {
            reader throws(KeychainError) in
            try reader.readObject { name, reader throws(KeychainError) in
                names.append(name)
                if name == "n" {
                    number = try reader.readInteger()
                }
            }
        }
        #expect(names == ["x", "n", "z", "f"])
        #expect(number == 7)
    }

    @Test("a text that is one object, and nothing else")
    func object() throws {
        var number: Int64?
        try JSONReader.readObject(Secret(#"{"n":7}"#)) { name, reader throws(KeychainError) in
            number = name == "n" ? try reader.readInteger() : nil
        }
        #expect(number == 7)
        for (text, status) in [("[]", .decode), ("{}{}", .decode), ("{   }", .dataTooLarge)]
            as [(String, Status)]
        {
            #expect(throws: KeychainError(status)) {
                try JSONReader.readObject(Secret(text), limit: 4) { _, _ in }
            }
        }
    }

    @Test("the start and the end of a value")
    func offset() throws {
        var offsets: [Int] = []
        try read(#" { "x" : [1, {}] , "y":"é" } "#) { reader throws(KeychainError) in
            offsets.append(reader.offset)
            try reader.readObject { _, reader throws(KeychainError) in
                offsets.append(reader.offset)
                try reader.skip()
                offsets.append(reader.offset)
            }
            offsets.append(reader.offset)
        }
        #expect(offsets == [1, 9, 16, 23, 27, 29])
    }

    @Test(
        "skipped text is checked too",
        arguments: [
            #"{"x":[1,{"y":"\q"}]}"#, #"{"x":{"a":1,"a":2}}"#, #"{"x":01}"#, #"{"x":"\ud800"}"#,
            #"{"x":[1,]}"#, #"{"x":nul}"#, #"{"x"}"#,
        ])
    func skippedIsChecked(text: String) {
        #expect(throws: KeychainError(.decode)) {
            try read(text) { reader throws(KeychainError) in
                try reader.readObject { _, _ in }
            }
        }
    }

    @Test("unread text is checked too")
    func nothingRead() throws {
        #expect(try read("[1]") { _ in 5 } == 5)
        #expect(throws: KeychainError(.decode)) { try read("[1") { _ in 5 } }
        #expect(throws: KeychainError(.decode)) { try read("") { _ in 5 } }
    }

    @Test("ignoring case in names covers ASCII only")
    func ignoringCase() throws {
        func names(_ text: String) throws(KeychainError) -> [ByteString] {
            var names: [ByteString] = []
            try read(text, names: .ignoringCase) { reader throws(KeychainError) in
                try reader.readObject { name, _ in names.append(name) }
            }
            return names
        }
        #expect(try names(#"{"ServerURL":1,"É":2,"\u0041b":3}"#) == ["serverurl", "É", "ab"])
        #expect(try names(#"{"É":1,"é":2}"#) == ["É", "é"])
        #expect(try names(#"{"ſ":1,"s":2,"\u212a":3,"k":4}"#).count == 4)
        for text in [
            #"{"a":1,"A":2}"#, #"{"Secret":1,"sECRET":2}"#, #"{"x":{"a":1,"A":2}}"#,
            #"{"a":1,"\u0041":2}"#,
        ] {
            #expect(throws: KeychainError(.decode)) { try names(text) }
        }
    }

    @Test(
        "a value of another kind is reported with its place",
        arguments: [
            ("1", "expected a string"), ("[]", "expected a string"),
            ("null", "expected a string"), ("{}", "expected a string"),
        ])
    func notAString(value: String, told: String) {
        let text = "{\"a\": \(value)}"
        for isSecret in [true, false] {
            let reason = reason { () throws(KeychainError) in
                try read(text) { reader throws(KeychainError) in
                    try reader.readObject { _, reader throws(KeychainError) in
                        if isSecret {
                            _ = try reader.readSecret()
                        } else {
                            _ = try reader.readText()
                        }
                    }
                }
            }
            #expect(reason == "unexpected JSON at byte 6: \(told)")
        }
    }

    @Test("every kind differs from every other")
    func kinds() throws {
        let texts = ["{}", "[]", "\"\"", "0", "-1", "true", "false", "null"]
        let kinds: [JSONKind] = [.object, .array, .string, .number, .number, .bool, .bool, .null]
        for (text, expected) in zip(texts, kinds) {
            let kind = try read(text) { reader throws(KeychainError) in try reader.kind }
            #expect(kind == expected)
            func accepts(_ body: (inout JSONReader) throws(KeychainError) -> Void) -> Bool {
                reason { () throws(KeychainError) in try read(text, body) } == nil
            }
            #expect(
                accepts { r throws(KeychainError) in try r.readObject { _, _ in } }
                    == (kind == .object))
            #expect(
                accepts { r throws(KeychainError) in try r.readArray { _ in } } == (kind == .array))
            #expect(
                accepts { r throws(KeychainError) in _ = try r.readText() } == (kind == .string))
            #expect(
                accepts { r throws(KeychainError) in _ = try r.readInteger() } == (kind == .number))
            #expect(accepts { r throws(KeychainError) in _ = try r.readBool() } == (kind == .bool))
            #expect(
                try read(text) { r throws(KeychainError) in try r.readNull() } == (kind == .null))
        }
        #expect(try read("true") { r throws(KeychainError) in try r.readBool() })
        #expect(try !read("false") { r throws(KeychainError) in try r.readBool() })
    }

    @Test("a number that is not a 64-bit integer is reported with its place, and can be skipped")
    func notAnInteger() throws {
        for text in ["1.0", "1e2", "9223372036854775808", "-9223372036854775809"] {
            let told = reason { () throws(KeychainError) in
                _ = try read(" \(text)") { r throws(KeychainError) in try r.readInteger() }
            }
            #expect(told == "unexpected JSON at byte 1: expected a 64-bit integer")
        }
    }

    @Test("a closure that reads two values for one, or from an empty place, fails")
    func readTooMuch() {
        #expect(throws: KeychainError(.decode)) {
            try read("[1,2]") { reader throws(KeychainError) in
                try reader.readArray { reader throws(KeychainError) in
                    _ = try reader.readInteger()
                    _ = try reader.readInteger()
                }
            }
        }
        #expect(throws: KeychainError(.decode)) {
            try read("1") { reader throws(KeychainError) in
                _ = try reader.readInteger()
                _ = try reader.kind
            }
        }
    }

    @Test("the closure's errors come through")
    func errorsComeThrough() {
        #expect(throws: KeychainError(.userCanceled)) {
            try read("[1,2]") { reader throws(KeychainError) in
                try reader.readArray { _ throws(KeychainError) in
                    throw KeychainError(.userCanceled)
                }
            }
        }
    }

    @Test("the caller's limit")
    func limit() throws {
        _ = try read("[1,2]", limit: 5) { _ in 0 }
        let told = reason { () throws(KeychainError) in
            _ = try read("[1,2]", limit: 4) { _ in 0 }
        }
        #expect(told == "the JSON text is longer than 4 bytes")
        #expect(throws: KeychainError(.dataTooLarge)) { try read("[1,2]", limit: 4) { _ in 0 } }
    }

    @Test("100,000 members, and a name and a string of 1 MiB")
    func large() throws {
        let members = (0..<100_000).map { "\"\($0)\":\($0)" }.joined(separator: ",")
        var count = 0
        try read("{\(members)}", limit: .max) { reader throws(KeychainError) in
            try reader.readObject { _, reader throws(KeychainError) in
                #expect(try reader.readInteger() == Int64(count))
                count += 1
            }
        }
        #expect(count == 100_000)
        let long = String(repeating: "\\u0000", count: 1 << 20)
        try read("{\"\(long)\":\"\(long)\"}", limit: .max) { reader throws(KeychainError) in
            try reader.readObject { name, reader throws(KeychainError) in
                #expect(name.bytes == [UInt8](repeating: 0, count: 1 << 20))
                #expect(try reader.readSecret().bytes == name.bytes)
            }
        }
    }
}
