import KeychainServices

@testable import ToolCatalog

/// Texts with references to secrets, and the references: no other byte of a text changes, and a reference
/// that is written anew is the same one.
enum SecretTemplateTarget: FuzzTarget {
    static let name = "secret-template"

    static func run(_ input: [UInt8]) {
        checkReference(String(decoding: input, as: UTF8.self))
        for hasAssignments in [false, true] {
            let template = attempt { () throws(KeychainError) in
                try SecretTemplate(FileBytes(input), hasAssignments: hasAssignments)
            }
            checkPieces(template?.pieces ?? [], of: input)
        }
    }

    private static func checkPieces(_ pieces: [SecretTemplate.Piece], of input: [UInt8]) {
        guard !pieces.isEmpty else {
            return
        }
        var rest = input[...]
        for piece in pieces {
            switch piece {
            case .text(let text):
                check(!text.isEmpty, "a piece is empty")
                check(rest.starts(with: text), "the text has changed")
                rest = rest.dropFirst(text.count)
            case .reference(let reference):
                check(!reference.name.isEmpty, "a reference has no name")
                guard rest.starts(with: Array("{{".utf8)) else {
                    // The value of a line.
                    let text = Array(reference.text.utf8)
                    check(rest.starts(with: text), "a reference has no start")
                    rest = rest.dropFirst(text.count)
                    continue
                }
                guard let end = end(of: rest) else {
                    fail("a reference has no end")
                }
                rest = rest[end...]
            }
        }
        check(rest.isEmpty, "a text has lost its end")
    }

    /// Returns the index after the first `}}`.
    private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.dropLast().first {
            bytes[$0] == UInt8(ascii: "}") && bytes[$0 + 1] == UInt8(ascii: "}")
        }.map { $0 + 2 }
    }

    private static func checkReference(_ text: String) {
        let found = attempt { () throws(KeychainError) in try SecretReference(text) }
        guard let reference = found else {
            return
        }
        check(!reference.name.isEmpty, "a reference has no name")
        check(reference.account?.isEmpty != true, "a reference has an empty account")
        guard !reference.name.contains("://") else {
            return
        }
        let account = reference.account.map { "/\(encoded($0))" } ?? ""
        let part = reference.isAccount ? "#account" : ""
        let written = "\(SecretReference.scheme)\(encoded(reference.name))\(account)\(part)"
        let again = attempt { () throws(KeychainError) in try SecretReference(written) }
        // A part is in the name then.
        check(
            again?.name == reference.name && again?.account == reference.account
                && again?.isAccount == reference.isAccount,
            "a reference that is written anew is another one")
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return "%\(digits.utf8.count < 2 ? "0" : "")\(digits)"
        }.joined()
    }
}
