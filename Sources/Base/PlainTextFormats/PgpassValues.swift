internal import LanyardSecrets

/// Reads lines of fields between colons: host, port, database, user and password. A path has only the
/// name of the field; that of a line with fewer fields is empty, and a user `*` is left out. A backslash before a character
/// makes that a part of the field. Of a line with more fields, the last ones are all in that of the password.
enum PgpassValues {
    static func read(_ text: Span<UInt8>) -> [PlainTextValue] {
        var values: [PlainTextValue] = []
        var scanner = LineScanner()
        while let line = scanner.next(in: text) {
            guard let first = text.withoutBlanks(line.range).first, text[first] != UInt8(ascii: "#")
            else {
                continue
            }
            // Blanks belong to the host and to the password: libpq only takes away all carriage returns at the end.
            var last = line.range.upperBound
            while text[last - 1] == UInt8(ascii: "\r") {
                last -= 1
            }
            let content = line.range.lowerBound..<last
            var starts = [content.lowerBound]
            var index = content.lowerBound
            let end = content.upperBound
            while index < end {
                switch text[index] {
                case UInt8(ascii: "\\"): index += 1
                case UInt8(ascii: ":") where starts.count < 5: starts.append(index + 1)
                default: break
                }
                index += 1
            }
            guard starts.count == 5, starts[4] < end else {
                // No field: an empty password is none, and another line may have one in another form.
                if starts.count != 5 {
                    values.append(
                        PlainTextValue(
                            path: [""], range: content, line: line.number, parent: line.number,
                            isVerbatim: false, removal: line.whole))
                }
                continue
            }
            func add(_ name: String, _ range: Range<Int>) {
                let bytes = text.extracting(range)
                values.append(
                    PlainTextValue(
                        path: [name], range: range, line: line.number, parent: line.number,
                        isVerbatim: !bytes.contains(UInt8(ascii: "\\"))
                            && !bytes.contains(UInt8(ascii: ":")),
                        removal: line.whole))
            }
            for (index, name) in ["host", "port", "database"].enumerated() {
                add(name, starts[index]..<starts[index + 1] - 1)
            }
            let user = starts[3]..<starts[4] - 1
            if !text.extracting(user).equals("*") {
                add("user", user)
            }
            add("password", starts[4]..<end)
        }
        return values
    }
}

extension Span where Element == UInt8 {
    /// A field of .pgpass without its escapes; nil for several fields. libpq ignores those behind the password, and the
    /// user may have meant them: a password with colons, or an address as the host.
    var pgpassCharacters: Secret? {
        var field = SecretBuilder(capacity: count)
        var index = 0
        while index < count {
            if self[index] == UInt8(ascii: ":") {
                return nil
            }
            if self[index] == UInt8(ascii: "\\"), index + 1 < count {
                index += 1
            }
            field.append(extracting(index..<index + 1))
            index += 1
        }
        return field.finish()
    }
}
