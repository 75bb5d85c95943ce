public import Foundation
public import KeychainServices

extension Secret {
    /// A secret of data's bytes. The data itself is not wiped.
    public init(_ data: Data) {
        self.init(copying: data.span)
    }
}

extension ByteString {
    /// A byte string of data's bytes.
    public init(_ data: Data) {
        self.init(Array(data))
    }
}

extension Data {
    /// A secret's bytes. They are not wiped: they stay in memory for as long as the system likes.
    public init(_ secret: borrowing Secret) {
        self = secret.withBytes { Data(ByteString(copying: $0).bytes) }
    }

    /// A byte string's bytes.
    public init(_ text: ByteString) {
        self.init(text.bytes)
    }
}
