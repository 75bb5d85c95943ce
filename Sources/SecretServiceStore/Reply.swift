#if SecretService
internal import CGIO
internal import KeychainServices

/// The answer to something that was sent, once it is there.
@safe  // Safe: it has a reference to the value, until it hands that over.
final class Reply {
    private var value: OpaquePointer?
    private var error: KeychainError?
    private(set) var isThere = false
    private let onAnswer: () -> Void

    /// - Parameter onAnswer: Called when it is there, and not where nobody could be asked.
    init(onAnswer: @escaping () -> Void = {}) {
        self.onAnswer = onAnswer
    }

    deinit {
        // Safe: the reference is ours, and nothing comes after.
        if let value = unsafe value {
            unsafe g_variant_unref(value)
        }
    }

    /// The answer, to be taken once.
    ///
    /// - Throws: What the call failed with.
    func take() throws(KeychainError) -> Variant {
        if let error {
            throw error
        }
        // Safe: the reference goes to the new value.
        guard let value = unsafe value else {
            throw KeychainError(.io, "the Secret Service gave no answer")
        }
        unsafe self.value = nil
        return unsafe Variant(taking: value)
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
        // Safe: GLib hands over the answer or the error, and calls back once with what `userData`
        // gave it.
        var error: UnsafeMutablePointer<GError>?
        let value = unsafe g_dbus_connection_call_finish(OpaquePointer(source), result, &error)
        unsafe from(data).finish(value, error)
    }

    /// What the callback is given: it keeps the reply until then.
    var userData: UnsafeMutableRawPointer {
        // Safe: a reference for the callback, which gives it back.
        unsafe Unmanaged.passRetained(self).toOpaque()
    }

    private static func from(_ data: UnsafeMutableRawPointer?) -> Reply {
        // Safe: from `userData`, whose reference ends here.
        unsafe Unmanaged<Reply>.fromOpaque(data!).takeRetainedValue()
    }

    private func finish(_ value: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?) {
        // Safe: GLib has handed the value over, or the error.
        unsafe self.value = value
        self.error = unsafe error.map { unsafe KeychainError(taking: $0) }
        isThere = true
        if self.error?.status != .notAvailable {
            onAnswer()
        }
    }
}
#endif
