internal import KeychainServices
internal import StrictJSON

/// A message of NuGet's plugin protocol, with what we need of its payload.
struct PluginMessage: Equatable {
    /// The number of the request, as the sender wrote it.
    var id: ByteString = ""
    /// Such as `Request`.
    var type: ByteString = ""
    /// Such as `Handshake`.
    var method: ByteString = ""
    /// The version of the protocol that the sender speaks.
    var version: ByteString?
    /// The oldest version that it still speaks.
    var oldestVersion: ByteString?
    /// The address that needs a login.
    var uri: ByteString?
    /// Whether the last login failed.
    var isRetry = false
    /// Whether the question is about one package source.
    var isOfSource = false
    /// What came of a request.
    var responseCode: ByteString?

    /// Reads a line. A password in it is not copied.
    ///
    /// - Throws: ``Status/decode`` for anything but a message.
    init(_ line: borrowing Secret) throws(KeychainError) {
        var message = PluginMessage()
        try JSONReader.readObject(line) { name, reader throws(KeychainError) in
            switch name {
            case "RequestId": message.id = try reader.readText()
            case "Type": message.type = try reader.readText()
            case "Method": message.method = try reader.readText()
            case "Payload":
                if try !reader.readNull() {
                    try message.readPayload(&reader)
                }
            default: break
            }
        }
        guard !message.id.isEmpty, !message.type.isEmpty, !message.method.isEmpty else {
            throw KeychainError(.decode, "the message has no RequestId, Type or Method")
        }
        self = message
    }

    private init() {}

    private mutating func readPayload(_ reader: inout JSONReader) throws(KeychainError) {
        var message = self
        try reader.readObject { name, reader throws(KeychainError) in
            guard try !reader.readNull() else {
                return
            }
            switch name {
            case "ProtocolVersion": message.version = try reader.readText()
            case "MinimumProtocolVersion": message.oldestVersion = try reader.readText()
            case "Uri": message.uri = try reader.readText()
            case "IsRetry": message.isRetry = try reader.readBool()
            case "PackageSourceRepository", "ServiceIndex": message.isOfSource = true
            case "ResponseCode": message.responseCode = try reader.readText()
            default: break
            }
        }
        self = message
    }

    /// Returns a message, one line of JSON.
    static func write(
        id: ByteString, type: ByteString, method: ByteString,
        payload: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Secret {
        try JSONWriter.writeObject { writer throws(KeychainError) in
            try writer.member("RequestId", id)
            try writer.member("Type", type)
            try writer.member("Method", method)
            try writer.member(object: "Payload", payload)
        }
    }
}
