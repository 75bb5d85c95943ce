#if SecretService
internal import CGLib
internal import LanyardConfiguration
internal import Glibc
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting

/// A message bus for one command and what it starts: a dbus-daemon that knows no services and ends with this
/// process.
final class PrivateBus {
    /// The bus' address, for DBUS_SESSION_BUS_ADDRESS.
    var address: String { "unix:path=\(socket)" }

    private let folder: String
    private var socket: String { "\(folder)/bus" }
    private var file: String { "\(folder)/bus.conf" }
    private var daemon: Int32 = -1

    /// How long the bus may take to start, in milliseconds.
    private static let timeLimit: Int64 = 5_000

    /// Starts the bus.
    ///
    /// - Throws: ``Status/notAvailable`` if there is no dbus-daemon, or it does not start.
    init() throws(KeychainError) {
        guard let program = try programPath("dbus-daemon") else {
            throw KeychainError(
                .notAvailable, "dbus-daemon is missing",
                hint: "install the package dbus-daemon or dbus")
        }
        folder = try PrivateBus.makeFolder()
        _ = try PrivatePlace.createFile(file, Array(configuration.utf8).span)
        start(program)
        guard isListening(until: Deadline(milliseconds: PrivateBus.timeLimit)) else {
            end()
            throw PrivateBus.doesNotStart
        }
    }

    /// Connects to the bus.
    func connect() throws(KeychainError) -> ProviderConnection {
        do throws(KeychainError) {
            return try ProviderConnection(address: address)
        } catch {
            throw PrivateBus.doesNotStart
        }
    }

    /// dbus-daemon accepts connections before it looks up its user, and then ends if there is none, as in a container.
    private static var doesNotStart: KeychainError {
        // Safe: what it returns is not read.
        let hasAccount = unsafe getpwuid(SystemCalls.effectiveUser) != nil
        return KeychainError(
            .notAvailable, "dbus-daemon does not start",
            hint: hasAccount ? nil : "your user needs an account on this system")
    }

    /// Ends the bus, and removes its folder.
    func end() {
        if daemon > 0 {
            SystemCalls.endProcess(daemon)
            daemon = -1
        }
        for path in [socket, file] {
            // Safe: the path ends with NUL.
            _ = unsafe unlink(path)
        }
        // Safe: as above.
        _ = unsafe rmdir(folder)
    }

    private static func makeFolder() throws(KeychainError) -> String {
        let runtime = try Environment.value("XDG_RUNTIME_DIR")
        let parents = [runtime, "/tmp"].compactMap(\.self).filter { isUsable($0) }
        for parent in parents {
            // Safe: the copy ends with NUL; `mkdtemp` writes within it and makes a folder with the mode 0700.
            let path = unsafe strdup("\(parent)/lanyard-bus-XXXXXX")!
            defer { unsafe free(path) }
            if unsafe mkdtemp(path) != nil {
                return unsafe String(cString: path)
            }
        }
        throw KeychainError(.io, "can't make a folder for the message bus")
    }

    /// Whether a folder's path can be a part of a socket's path, which has up to 107 bytes, and of a bus' address
    /// without an escape: D-Bus specification, "Server Addresses".
    static func isUsable(_ parent: String) -> Bool {
        parent.hasPrefix("/") && "\(parent)/lanyard-bus-XXXXXX/bus".utf8.count <= 107
            && parent.utf8.allSatisfy { $0.isLetterOrDigit || "/-_.".utf8.contains($0) }
    }

    /// Every client of this user may own and call everything, as on a session's bus.
    private var configuration: String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }

    private func start(_ program: String) {
        let words = [program, "--nofork", "--nopidfile", "--nosyslog", "--config-file=\(file)"]
        // Safe: the texts live until the program has started, and are freed here; the list ends with NULL.
        let arguments = unsafe words.map { unsafe strdup($0) }
        defer { unsafe arguments.forEach { unsafe free($0) } }
        daemon = unsafe lanyard_start_ending_with_us(program, arguments + [nil])
    }

    private func isListening(until deadline: Deadline) -> Bool {
        repeat {
            if let socket = try? Descriptor(owning: SystemCalls.makeSocket()),
                (try? SystemCalls.connect(socket.number, to: self.socket)) != nil
            {
                return true
            }
            SystemCalls.sleep(milliseconds: 5)
        } while !deadline.hasPassed && !SystemCalls.hasEndedUnnoticed(daemon)
        return false
    }
}
#endif
