import Foundation
import Glibc
import Testing

/// Something that a test needs and not every machine has. A test without it is skipped, and a line
/// says so.
struct Need: Sendable {
    private let lack: Lack

    /// - Parameter missing: Why the test is skipped.
    init(missing: String, _ isThere: @escaping @Sendable () async throws -> Bool) {
        self.init(missing: missing, because: { try await isThere() ? nil : "" })
    }

    /// - Parameters:
    ///   - missing: Why the test is skipped.
    ///   - reason: Tries it, and says what went wrong, nil if nothing did.
    init(missing: String, because reason: @escaping @Sendable () async throws -> String?) {
        lack = Lack {
            do {
                return try await reason().map { $0.isEmpty ? missing : "\(missing): \($0)" }
            } catch is Programs.Missing {
                // No reason to skip anything: the test itself says so, and fails.
                return nil
            } catch {
                return missing
            }
        }
    }

    /// Why the test is skipped, nil if it is not.
    var reasonToSkip: String? {
        get async { await lack.reason.value }
    }

    /// Looked for once, and only when a test that is to run needs it: those that are left out are
    /// asked for their needs too.
    private actor Lack {
        private let look: @Sendable () async -> String?
        private(set) lazy var reason = Task { [look] in await look() }

        init(_ look: @escaping @Sendable () async -> String?) {
            self.look = look
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs the test only where all of this is there.
    static func needs(
        _ needs: Need..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .enabled("something is missing for it", sourceLocation: sourceLocation) {
            for need in needs {
                if let reason = await need.reasonToSkip {
                    print("skipped: \(sourceLocation.fileName):\(sourceLocation.line): \(reason)")
                    return false
                }
            }
            return true
        }
    }
}

extension Need {
    /// What a Secret Service on a bus of its own takes.
    static let privateBus = Need(missing: "dbus-daemon or secret-tool is missing") {
        ["dbus-daemon", "secret-tool"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
        }
    }

    /// Whether the programs run under a sanitizer.
    static let isSanitized = ProcessInfo.processInfo.environment.keys.contains {
        $0.hasSuffix("SAN_OPTIONS")
    }

    /// Memory, address space and files that are the program's own alone.
    static let unsanitized = Need(missing: "what a sanitizer takes would be counted, too") {
        !isSanitized
    }

    /// Signals that end a program by themselves.
    static let ownSignals = Need(missing: "a sanitizer takes fatal signals itself") { !isSanitized }

    static let root = Need(missing: "this is not root") { geteuid() == 0 }

    static let mounts = Need(missing: "mounting is not permitted here") {
        try await succeeds(
            "unshare", "-m", "--propagation", "private", "mount", "-t", "tmpfs", "x", "/mnt")
    }

    static let tracing = Need(missing: "there is no strace, or tracing is not permitted here") {
        try await succeeds("strace", "-o", "/dev/null", "true")
    }

    /// What the programs show no one else: strace finds no path in their memory, /proc no descriptor.
    static let secretsOfProcesses = Need(missing: "only root may look into the programs") {
        geteuid() == 0
    }

    /// A stop at a system call, with the registers as one kind of processor has them.
    static let debuggerStops = Need(missing: "tracing is not permitted, or this is no x86-64") {
        #if arch(x86_64)
        try await succeeds("strace", "-o", "/dev/null", "true")
        #else
        false
        #endif
    }

    static let lighttpd = Need(missing: "there is no lighttpd") {
        try await succeeds("lighttpd", "-v")
    }

    static let openssl = Need(missing: "there is no openssl or no ssh-keygen") {
        try await succeeds("sh", "-c", "openssl version; command -v ssh-keygen")
    }

    static let tls = Need(missing: "there is no openssl, or lighttpd has no mod_openssl") {
        let home = try ScratchHome()
        let configuration = try home.write(
            """
            server.document-root = "/"
            server.modules = ("mod_openssl")
            """, to: "lighttpd.conf")
        let hasOpenSSL = try await succeeds("openssl", "version")
        let hasModule = try await succeeds("lighttpd", "-tt", "-f", configuration)
        return hasOpenSSL && hasModule
    }

    static let git = Need(missing: "git is older than 2.32, which GIT_CONFIG_GLOBAL came with") {
        let version = try await ScratchHome().succeeds("git", "version").outputText
        guard let found = version.firstMatch(of: /git version (\d+)\.(\d+)/),
            let major = Int(found.1), let minor = Int(found.2)
        else {
            return false
        }
        return (major, minor) >= (2, 32)
    }

    static let loopback6 = Need(missing: "there is no IPv6 loopback address") {
        let addresses = try String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)
        return addresses.contains("00000000000000000000000000000001 ")
    }

    static let sqlite = Need(missing: "there is no sqlite3") {
        try await succeeds("sqlite3", "-version")
    }

    static let plugin = Need(missing: "the plugin for the Secret Service was not built") {
        Programs.hasPlugin
    }

    static let pythonTOML = Need(missing: "there is no Python with tomllib") {
        try await succeeds("python3", "-c", "import tomllib")
    }

    static let pythonYAML = Need(missing: "there is no python3-yaml") {
        try await succeeds("python3", "-c", "import yaml")
    }

    static let python = Need(missing: "there is no python3") {
        try await succeeds("python3", "-c", "import pty, termios")
    }

    /// One that other users can run, too.
    static let systemPython = Need(missing: "there is no /usr/bin/python3") {
        try await succeeds("/usr/bin/python3", "-c", "import ctypes; ctypes.CDLL(None).renameat2")
    }

    static let flock = Need(missing: "there is no flock of util-linux") {
        try await succeeds("flock", "--version")
    }

    static let prlimit = Need(missing: "there is no prlimit of util-linux") {
        try await succeeds("prlimit", "--fsize=4096", "true")
    }

    static let keyrings = Need(
        missing: "there is no keyctl, or the kernel keeps no keys here"
    ) {
        try await succeeds(
            "keyctl", "session", "-", "sh", "-c",
            "keyctl unlink \"$(keyctl add user lanyard-probe x @u)\" @u")
    }

    static let userNamespaces = Need(missing: "users may not make user namespaces") {
        try await succeeds("unshare", "-U", "-r", "true")
    }

    static let pinentryCurses = Need(missing: "there is no pinentry-curses") {
        try await succeeds("pinentry-curses", "--version")
    }

    static let tmux = Need(missing: "there is no tmux") {
        try await succeeds("tmux", "-V")
    }

    static let mandoc = Need(missing: "there is no mandoc") {
        try await succeeds("sh", "-c", "command -v mandoc")
    }

    static let man = Need(missing: "there is no man with groff") {
        try await succeeds("sh", "-c", "command -v man && command -v groff")
    }

    static let binutils = Need(missing: "there is no readelf") {
        try await succeeds("readelf", "--version")
    }

    static let gcc = Need(missing: "there is no gcc") {
        try await succeeds("gcc", "--version")
    }

    static let file = Need(missing: "there is no file(1)") {
        try await succeeds("file", "--version")
    }

    /// A debug build says nothing about how the programs are delivered.
    static let releaseBuild = Need(missing: "the programs are a debug build") {
        !(try Programs.folder().hasSuffix("/debug"))
    }

    static let anotherUser = Need(missing: "no program can be run as another user here") {
        let home = try ScratchHome()
        let helper = try home.copyOfHelper()
        return try await home.command("setpriv", AnotherUser.arguments + [helper, "--version"])
            .run().status == 0
    }

    static func succeeds(_ program: String, _ arguments: String...) async throws -> Bool {
        let home = try ScratchHome()
        // Some programs make the folder again if it is gone.
        defer { withExtendedLifetime(home) {} }
        return try await home.command(program, arguments).run().status == 0
    }
}

extension Need {
    static let dbus = Need(missing: "there is no D-Bus") {
        try await succeeds("dbus-daemon", "--version")
    }

    static let gnomeKeyring = Need(missing: "there is no gnome-keyring or no D-Bus") {
        let hasKeyring = try await succeeds("gnome-keyring-daemon", "--version")
        let hasBus = try await succeeds("dbus-daemon", "--version")
        return hasKeyring && hasBus
    }

    static let keePassXC = Need(missing: "there is no KeePassXC, or no Xvfb to show it") {
        try await succeeds("sh", "-c", "command -v keepassxc keepassxc-cli Xvfb dbus-send")
    }

    static let gcrPrompter = Need(
        missing: "there is no gcr-prompter, no Xvfb or no xdotool to answer it"
    ) {
        try await succeeds(
            "sh", "-c", "test -x /usr/libexec/gcr-prompter && command -v Xvfb && command -v xdotool"
        )
    }
}
