internal import KeychainServices
internal import LinuxSystem

/// A file by which the session bus starts a program as the Secret Service: a service file of D-Bus.
///
/// The corresponding section of the D-Bus specification is "Message Bus Starting Services".
package struct ActivationFile: Sendable {
    /// The name of the Secret Service on the bus.
    static let busName = "org.freedesktop.secrets"
    /// The second name of Lanyard's. If the bus can start it, the Secret Service is Lanyard's: its own commands see that
    /// without starting it.
    static let nameOfLanyard = "org.lanyard.SecretService"

    /// Its path.
    package let path: String
    /// The program's path, empty if it names none.
    package let program: String
    /// Whether it is in a folder of the user's.
    package let isOfUser: Bool

    /// Returns every one, the one in force first. Of several in a folder the bus takes one that is named by
    /// no rule.
    package static func all(_ environment: SetupEnvironment) -> [ActivationFile] {
        let own = environment.ownServiceFolders
        return (own + environment.systemServiceFolders).flatMap { folder in
            FolderListing.names(folder).filter { $0.hasSuffix(".service") }
                .sorted { isUsual($0) && !isUsual($1) || isUsual($0) == isUsual($1) && $0 < $1 }
                .compactMap { read("\(folder)/\($0)", isOfUser: own.contains(folder)) }
        }
    }

    private static func isUsual(_ name: String) -> Bool { name == "\(busName).service" }

    private static func read(_ path: String, isOfUser: Bool) -> ActivationFile? {
        guard let bytes = (try? TargetFile(path))?.bytes, let command = command(bytes) else {
            return nil
        }
        return ActivationFile(
            path: path, program: ShellWords.split(command.utf8).first ?? "", isOfUser: isOfUser)
    }

    /// Returns the command in a file for the Secret Service; nil if it is for another name.
    private static func command(_ bytes: FileBytes) -> String? {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        func value(_ key: String) -> String? {
            for line in lines {
                let parts = line.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0].trimmed == key {
                    return parts[1].trimmed
                }
            }
            return nil
        }
        return value("Name") == busName ? value("Exec") ?? "" : nil
    }

    /// The program's name.
    package var name: String { program.lastPathComponent }

    /// Whether it starts Lanyard's.
    package var isLanyards: Bool { name == SecretServiceSetup.program }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).trimmingSuffix(\.isWhitespace))
    }
}

extension String {
    /// The name after the last slash.
    package var lastPathComponent: String {
        split(separator: "/").last.map { String($0) } ?? self
    }
}

extension SetupEnvironment {
    /// The folder of the user's data: XDG_DATA_HOME, else `.local/share` in the home folder.
    func userData() throws(KeychainError) -> String {
        if let folder = value("XDG_DATA_HOME"), folder.hasPrefix("/") {
            return folder
        }
        return "\(try home())/.local/share"
    }

    /// The user's folders with service files, in the bus' order.
    fileprivate var ownServiceFolders: [String] {
        [value("XDG_RUNTIME_DIR"), try? userData()].compactMap(\.self)
            .map { "\($0)/dbus-1/services" }
    }

    /// The system's folders with service files, in the bus' order.
    fileprivate var systemServiceFolders: [String] {
        var folders = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share")
            .split(separator: ":").map { String($0) }
        if !folders.contains("/usr/share") {
            folders.append("/usr/share")
        }
        return folders.map { "\($0)/dbus-1/services" }
    }

    /// Whether there is a session bus; nothing is started to find out.
    package var hasSessionBus: Bool {
        if value("DBUS_SESSION_BUS_ADDRESS") != nil {
            return true
        }
        let status = value("XDG_RUNTIME_DIR").flatMap { try? SystemCalls.status(at: "\($0)/bus") }
        return status?.kind == .socket
    }
}
