#if SecretService
internal import CGIO
internal import Keychain

/// The answer to something that was sent, once it is there.
final class Reply {
    private var value: OpaquePointer?
    private var error: KeychainError?
    private(set) var isThere = false

    deinit {
        if let value {
            g_variant_unref(value)
        }
    }

    /// The answer, to be taken once.
    ///
    /// - Throws: What the call failed with.
    func take() throws(KeychainError) -> Variant {
        if let error {
            throw error
        }
        guard let value else {
            throw KeychainError(.io, "the Secret Service gave no answer")
        }
        self.value = nil
        return Variant(taking: value)
    }

    /// What the call failed with, nil if it did not.
    ///
    /// - Throws: Nothing yet: for answers in which there is nothing.
    func check() throws(KeychainError) {
        if let error {
            throw error
        }
    }

    /// What a call of GIO is given, to be called when its answer is there.
    static let callback: GAsyncReadyCallback = { source, result, data in
        var error: UnsafeMutablePointer<GError>?
        let value = g_dbus_connection_call_finish(OpaquePointer(source), result, &error)
        from(data).finish(value, error)
    }

    /// What the callback is given: it keeps the reply until then.
    var userData: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    private static func from(_ data: UnsafeMutableRawPointer?) -> Reply {
        Unmanaged<Reply>.fromOpaque(data!).takeRetainedValue()
    }

    private func finish(_ value: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?) {
        self.value = value
        self.error = error.map { KeychainError(taking: $0) }
        isThere = true
    }
}
#endif
