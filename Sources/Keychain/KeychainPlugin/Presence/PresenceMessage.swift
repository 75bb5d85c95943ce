internal import LinuxSystem
package import LanyardSecrets
internal import StrictJSON

/// One line between Lanyard and a presence program, in either direction. The man page lanyard-plugin(7) describes
/// which members go together.
package struct PresenceMessage: ~Copyable {
    /// What to do: `check`, `enroll` or `prove`.
    package enum Method: String {
        case check
        case enroll
        case prove
    }

    /// The version of the protocol.
    package static let version: Int64 = 1

    // Of a request.
    package var version: Int64?
    package var method: Method?
    package var timeout: Int64?
    package var enrollments: [[UInt8]] = []
    // Of an answer.
    package var message: String?
    package var index: Int64?
    package var enrollment: [UInt8]?
    package var name: String?
    package var secret: Secret?
    package var error: KeychainError?

    package init() {}
}

extension PresenceMessage {
    /// Its line, with a line feed.
    package borrowing func line() throws(KeychainError) -> Secret {
        try JSONWriter.writeObject { writer throws(KeychainError) in
            try members(&writer)
        }
    }

    private borrowing func members(_ writer: inout JSONWriter) throws(KeychainError) {
        if let method {
            try writer.member("method", ByteString(method.rawValue))
        }
        for (name, number) in [("version", version), ("timeout", timeout), ("index", index)] {
            if let number {
                try writer.member(ByteString(name), number)
            }
        }
        if !enrollments.isEmpty {
            try writer.member(array: "enrollments", of: enrollments) {
                writer, enrollment throws(KeychainError) in
                try writer.write(Base64.encode(enrollment.span))
            }
        }
        for (name, text) in [("message", message), ("name", name)] {
            if let text {
                try writer.member(ByteString(name), ByteString(text))
            }
        }
        if let enrollment {
            try writer.member("enrollment", Base64.encode(enrollment.span))
        }
        switch secret {
        case .some(let secret):
            try writer.member("secret", secret.withBytes { Base64.encode($0) })
        case .none: break
        }
        if let error {
            try writer.member(error)
        }
    }

    /// Reads a line.
    ///
    /// - Throws: ``Status/decode``.
    package init(_ line: borrowing Secret) throws(KeychainError) {
        var message = PresenceMessage()
        try JSONReader.readObject(line, limit: LineChannel.lineLimit) {
            name, reader throws(KeychainError) in
            try message.read(name, &reader)
        }
        self = message
    }

    private mutating func read(
        _ name: ByteString, _ reader: inout JSONReader
    ) throws(KeychainError) {
        switch name {
        case "version": version = try reader.readInteger()
        case "method": method = Method(rawValue: try reader.readText().description)
        case "timeout": timeout = try reader.readInteger()
        case "index": index = try reader.readInteger()
        case "message": message = try reader.readWords()
        case "name": self.name = try reader.readWords()
        case "enrollment": enrollment = try reader.readBase64Bytes()
        case "enrollments":
            var enrollments: [[UInt8]] = []
            try reader.readArray { reader throws(KeychainError) in
                enrollments.append(try reader.readBase64Bytes())
            }
            self.enrollments = enrollments
        case "secret": secret = try reader.readBase64Secret()
        case "error": error = try reader.readError()
        default: break
        }
    }
}
