#if SecretService
internal import CGLib
internal import KeychainServices

/// A call that waits for its answer. The corresponding type is GDBusMethodInvocation.
@safe  // Safe: the invocation is ours until it is answered, which happens once.
struct MethodCall {
    /// The unique name of the client.
    let sender: String
    let path: String
    /// The last part of the interface's name, for example `Collection`.
    let interface: Substring
    let method: String
    let arguments: BusValue
    private let invocation: OpaquePointer

    @unsafe  // Safe: the caller hands the invocation over.
    init(_ invocation: OpaquePointer) {
        // Safe: as the caller promises; the texts live as long as the invocation, and are copied.
        unsafe self.invocation = invocation
        sender =
            unsafe g_dbus_method_invocation_get_sender(invocation)
            .map { unsafe String(cString: $0) } ?? ""
        unsafe path = String(cString: g_dbus_method_invocation_get_object_path(invocation))
        let name = unsafe String(cString: g_dbus_method_invocation_get_interface_name(invocation))
        interface = lastPart(of: name)
        unsafe method = String(cString: g_dbus_method_invocation_get_method_name(invocation))
        unsafe arguments = BusValue(
            sharing: g_dbus_method_invocation_get_parameters(invocation))
    }

    /// Answers with values.
    func answer(_ values: BusValue...) {
        let answer = BusValue.tuple(values)
        // Safe: the invocation is handed over to GLib, which makes its own reference to the answer.
        unsafe g_dbus_method_invocation_return_value(invocation, answer.pointer)
    }

    /// Answers with an error.
    func fail(_ error: BusError) {
        // Safe: the invocation is handed over to GLib, which copies the texts.
        unsafe g_dbus_method_invocation_return_dbus_error(invocation, error.name, error.text)
    }
}

/// Returns what follows the last dot of an interface's name.
func lastPart(of name: String) -> Substring {
    name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
}
#endif
