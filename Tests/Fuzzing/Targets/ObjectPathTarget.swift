import KeychainServices

@testable import SecretServiceProvider

/// Paths in calls to the Secret Service: each object has one.
enum ObjectPathTarget: FuzzTarget {
    static let name = "object-path"

    static func run(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        guard let path = ObjectPath(text) else {
            return
        }
        check(path.text == text, "an object has two paths")
        check(ObjectPath(path.text) == path, "a path is not read back")
    }
}
