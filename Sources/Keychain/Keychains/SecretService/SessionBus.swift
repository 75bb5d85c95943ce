internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem

/// The user's message bus, which the Secret Service is on.
package enum SessionBus {
    /// The address that identifies this bus; nil without a bus, and nothing is started to find out.
    ///
    /// The corresponding section of the D-Bus specification is "Well-known Message Bus Instances".
    package static var address: String? {
        if let address = try? Environment.value("DBUS_SESSION_BUS_ADDRESS") {
            return address
        }
        guard let folder = try? Environment.value("XDG_RUNTIME_DIR"), folder.hasPrefix("/"),
            let status = try? SystemCalls.status(at: "\(folder)/bus"), status.kind == .socket
        else {
            return nil
        }
        return "unix:path=\(folder)/bus"
    }
}
