public import Foundation
public import KeychainServices

extension Secret {
    /// Creates a secret from data, which is not wiped.
    public init(_ data: Data) {
        self.init(copying: data.span)
    }
}

extension ByteString {
    /// Creates a byte string from data.
    public init(_ data: Data) {
        self.init(Array(data))
    }
}

extension Data {
    /// Creates data from a secret's bytes. They are not wiped and may stay in memory.
    public init(_ secret: borrowing Secret) {
        self = secret.withBytes { Data(ByteString(copying: $0).bytes) }
    }

    /// Creates data from a byte string.
    public init(_ text: ByteString) {
        self.init(text.bytes)
    }
}
