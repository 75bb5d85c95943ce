#if SecretService
internal import CGIO
internal import Keychain

/// The end of a question that the service shows a person.
final class PromptCompletion {
    /// What arrives through C.
    private final class Signal {
        var parameters: OpaquePointer?

        deinit {
            if let parameters {
                g_variant_unref(parameters)
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
        subscription = g_dbus_connection_signal_subscribe(
            bus.connection, owner, "org.freedesktop.Secret.Prompt", "Completed", prompt, nil,
            G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, parameters, data in
                let signal = Unmanaged<Signal>.fromOpaque(data!).takeUnretainedValue()
                if signal.parameters == nil, let parameters {
                    signal.parameters = g_variant_ref(parameters)
                }
            }, Unmanaged.passRetained(signal).toOpaque(),
            { Unmanaged<Signal>.fromOpaque($0!).release() })
    }

    deinit {
        g_dbus_connection_signal_unsubscribe(bus.connection, subscription)
    }

    /// Waits for the end.
    ///
    /// - Throws: ``Status/userCanceled`` if the person dismissed the question.
    func wait() throws(KeychainError) -> Variant {
        try bus.loop.wait { signal.parameters != nil }
        guard let pointer = signal.parameters else {
            throw KeychainError(.userCanceled)
        }
        let parameters = Variant(taking: g_variant_ref(pointer))
        guard parameters.count == 2, !parameters.child(0).isTrue else {
            throw KeychainError(.userCanceled, "the question of the Secret Service was dismissed")
        }
        return parameters.child(1).content
    }
}
#endif
