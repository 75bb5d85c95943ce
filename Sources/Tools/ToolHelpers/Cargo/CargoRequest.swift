package import KeychainServices
internal import StrictJSON

/// What cargo asks for, one line of JSON.
///
/// The corresponding type of cargo-credential is CredentialRequest.
package struct CargoRequest: ~Copyable {
    /// For example `get`.
    package private(set) var kind: ByteString = ""
    /// The address of the registry's index.
    package private(set) var index: ByteString = ""
    /// The token to store at a login; nil if the user is to be asked for it.
    package private(set) var token: Secret?
    /// The page on which the user finds a token; nil if the registry names none.
    package private(set) var loginURL: ByteString?
    /// Whether the configuration of cargo has arguments for the helper.
    package private(set) var hasArguments = false

    /// The version of the protocol.
    private static let version: Int64 = 1

    /// The largest request in bytes.
    private static let sizeLimit = 1 << 20

    private init() {}

    /// Reads a request.
    ///
    /// - Throws: ``Status/decode`` for anything else; ``Status/wrongVersion`` for another version.
    package init(_ line: borrowing Secret) throws(KeychainError) {
        var request = CargoRequest()
        var version: Int64?
        do throws(KeychainError) {
            try JSONReader.readObject(line, limit: CargoRequest.sizeLimit) {
                name, reader throws(KeychainError) in
                if name == "v" {
                    version = try reader.readInteger()
                } else {
                    try request.read(name, &reader)
                }
            }
        } catch {
            throw KeychainError(.decode, "cargo's request is invalid: \(error.reason)")
        }
        guard version == CargoRequest.version else {
            throw KeychainError(
                .wrongVersion, "cargo asks with an unknown version of the protocol")
        }
        self = request
    }

    private mutating func read(
        _ name: ByteString, _ reader: inout JSONReader
    ) throws(KeychainError) {
        guard try !reader.readNull() else {
            return
        }
        switch name {
        case "kind": kind = try reader.readText()
        case "token": token = try reader.readSecret()
        case "login-url": loginURL = try reader.readText()
        case "registry": index = try CargoRequest.readIndex(&reader)
        case "args":
            var count = 0
            try reader.readArray { _ in count += 1 }
            hasArguments = count > 0
        default: break
        }
    }

    private static func readIndex(
        _ reader: inout JSONReader
    ) throws(KeychainError) -> ByteString {
        var index: ByteString = ""
        try reader.readObject { name, reader throws(KeychainError) in
            if name == "index-url" {
                index = try reader.readText()
            }
        }
        return index
    }
}
