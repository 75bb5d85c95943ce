#if SecretService
internal import CGIO
internal import KeychainServices

/// The end of a question that the service shows a person.
final class PromptCompletion {
    /// What arrives through C.
    @safe  // Safe: it has a reference to the parameters, until `deinit`.
    private final class Signal {
        var parameters: OpaquePointer?

        deinit {
            // Safe: the reference is ours, and nothing comes after.
            if let parameters = unsafe parameters {
                unsafe g_variant_unref(parameters)
            }
        }
    }

    private let bus: Bus
    private let signal = Signal()
    private let subscription: guint

    /// Listens from now on. The question is to be shown after that.
    init(_ prompt: String, _ bus: Bus) throws(KeychainError) {
        let owner = try bus.owner()
        self.bus = bus
        // Safe: the signal lives until the subscription has ended, which the last closure is told
        // of; the parameters are kept by a reference of their own.
        subscription = unsafe g_dbus_connection_signal_subscribe(
            bus.connection, owner, "org.freedesktop.Secret.Prompt", "Completed", prompt, nil,
            G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, parameters, data in
                let signal = unsafe Unmanaged<Signal>.fromOpaque(data!).takeUnretainedValue()
                if unsafe signal.parameters == nil, let parameters = unsafe parameters {
                    unsafe signal.parameters = g_variant_ref(parameters)
                }
            }, unsafe Unmanaged.passRetained(signal).toOpaque(),
            { unsafe Unmanaged<Signal>.fromOpaque($0!).release() })
    }

    deinit {
        // Safe: the bus keeps the connection.
        unsafe g_dbus_connection_signal_unsubscribe(bus.connection, subscription)
    }

    /// Waits for the end.
    ///
    /// - Throws: ``Status/userCanceled`` if the person dismissed the question.
    func wait() throws(KeychainError) -> Variant {
        // Safe: the signal keeps a reference, and the value takes another one.
        try bus.loop.wait { unsafe signal.parameters != nil }
        guard let pointer = unsafe signal.parameters else {
            throw KeychainError(.userCanceled)
        }
        let parameters = unsafe Variant(taking: g_variant_ref(pointer))
        guard parameters.count == 2, !parameters.child(0).isTrue else {
            throw KeychainError(.userCanceled, "the question of the Secret Service was dismissed")
        }
        return parameters.child(1).content
    }
}
#endif
