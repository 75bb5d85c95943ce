internal import KeychainServices
internal import LinuxSystem
internal import StrictJSON

/// A helper's request, as a plugin reads it. The plugin does not trust the helper: each method
/// looks for the members it needs.
final class PluginRequest {
    /// An invalid request.
    struct Refusal: Error {
        /// The request's number, 0 if it has none.
        let id: Int64
        let error: KeychainError
    }

    let id: Int64
    /// Nil for a method unknown to this version.
    private(set) var method: PluginMethod?
    private(set) var isPromptAllowed = false
    private(set) var timeLimit: Int64 = 5000

    private(set) var versions: [Int64]?
    private(set) var keychain: String?
    private(set) var settings: [(name: String, value: String)] = []
    private(set) var itemClass: ItemClass?
    private(set) var attributes = ItemAttributes()
    private(set) var keepsDates = false
    private(set) var query: Query?
    private(set) var changes = ItemAttributes()
    private(set) var secret: Secret?
    private(set) var returnsSecret = false
    private(set) var count = PluginProtocol.batchCount
    private(set) var walk: Int64?

    init(_ line: borrowing Secret) throws(Refusal) {
        do throws(KeychainError) {
            id = try PluginRequest.readID(line)
        } catch {
            throw Refusal(id: 0, error: error.asParameter)
        }
        do throws(KeychainError) {
            try JSONReader.readObject(line, limit: LineChannel.lineLimit) {
                name, reader throws(KeychainError) in
                try readMember(name, &reader)
            }
            guard timeLimit > 0, count > 0 else {
                throw KeychainError(.param, "a limit must be more than 0")
            }
        } catch {
            throw Refusal(id: id, error: error.asParameter)
        }
    }

    /// Reads the number alone, anywhere in the line, because even a refusal needs it.
    private static func readID(_ line: borrowing Secret) throws(KeychainError) -> Int64 {
        var id: Int64?
        try JSONReader.readObject(line, limit: LineChannel.lineLimit) {
            name, reader throws(KeychainError) in
            if name == "id" {
                id = try reader.readInteger()
            }
        }
        return try required(id, "id")
    }

    private func readMember(
        _ name: ByteString, _ reader: inout JSONReader
    ) throws(KeychainError) {
        switch name {
        case "method": method = PluginMethod(rawValue: try reader.readText().description)
        case "prompt": isPromptAllowed = try reader.readBool()
        case "timeout": timeLimit = try reader.readInteger()
        case "versions":
            var versions: [Int64] = []
            try reader.readArray { reader throws(KeychainError) in
                versions.append(try reader.readInteger())
            }
            self.versions = versions
        case "keychain": keychain = try reader.readText().description
        case "settings":
            try reader.readObject { name, reader throws(KeychainError) in
                settings.append((name.description, try reader.readText().description))
            }
        case "class": itemClass = ItemClass(rawValue: try reader.readCode())
        case "attributes": attributes = try reader.readAttributes()
        case "keepDates": keepsDates = try reader.readBool()
        case "query": query = try reader.readQuery()
        case "changes": changes = try reader.readAttributes()
        case "secret": secret = try reader.readBase64()
        case "returnSecret": returnsSecret = try reader.readBool()
        case "count": count = try reader.readNumber()
        case "walk": walk = try reader.readInteger()
        default: break
        }
    }

    /// Takes the secret out, if there is one.
    func takeSecret() -> Secret? {
        secret.take()
    }
}

extension KeychainError {
    /// The error as one of the request's parameters, because the sender is at fault.
    fileprivate var asParameter: KeychainError {
        status == .decode ? KeychainError(.param, reason, hint: hint) : self
    }
}
