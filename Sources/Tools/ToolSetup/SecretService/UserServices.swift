internal import KeychainServices
internal import LinuxSystem

/// The user's systemd, which starts services at login.
package struct UserServices: Sendable {
    /// The unit of Lanyard's Secret Service.
    package static let unit = "lanyard-secret-service.service"

    private let environment: SetupEnvironment

    /// Whether systemd manages this machine, and systemctl(1) means something. The corresponding function is sd_booted.
    package static var isPossible: Bool {
        (try? PrivatePlace.exists("/run/systemd/system")) == true
    }

    /// Finds the user's systemd; nil if it does not manage this session.
    ///
    /// systemctl(1) reaches it through this socket. A system that was started by systemd, but a session that
    /// was not, for example of su, does not have one.
    package init?(_ environment: SetupEnvironment) {
        guard let runtime = environment.value("XDG_RUNTIME_DIR"),
            (try? PrivatePlace.exists("\(runtime)/systemd/private")) == true,
            environment.finds("systemctl")
        else {
            return nil
        }
        self.environment = environment
    }

    /// Returns the folder of the user's own units.
    static func folder(_ environment: SetupEnvironment) throws(KeychainError) -> String {
        "\(try environment.configurations())/systemd/user"
    }

    /// Returns the program in the unit that the user has, or has enabled; nil without one.
    package static func installedUnit(_ environment: SetupEnvironment) -> String? {
        guard let folder = try? folder(environment),
            let bytes = ["\(folder)/\(unit)", "\(folder)/default.target.wants/\(unit)"]
                .compactMap({ (try? TargetFile($0))?.bytes }).first
        else {
            return nil
        }
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .first { $0.hasPrefix("ExecStart=") }
        return line.flatMap { $0.dropFirst("ExecStart=".count).split(separator: " ").first }
            .map { String($0) }
    }

    /// Returns whether the unit runs.
    package func isActive() -> Bool {
        let answer = try? ForeignProgram("systemctl", environment)
            .run(["--user", "is-active", "--quiet", UserServices.unit])
        return answer?.succeeded == true
    }

    /// Reads the units again, and restarts the unit with a verb of systemctl's.
    ///
    /// - Throws: ``Status/notAvailable``.
    func reload(then verb: String?) throws(KeychainError) {
        try succeed(["daemon-reload"])
        if let verb {
            try succeed([verb, UserServices.unit])
        }
    }

    /// Stops the unit, whose file is gone, and reads the units again.
    ///
    /// - Throws: ``Status/notAvailable``.
    func stop() throws(KeychainError) {
        _ = try run(["stop", UserServices.unit])
        try succeed(["daemon-reload"])
    }

    private func succeed(_ arguments: [String]) throws(KeychainError) {
        let answer = try run(arguments)
        guard answer.succeeded else {
            let words = answer.firstComplaint.map { ": \($0)" } ?? ""
            throw KeychainError(
                .notAvailable,
                "the files are done, but systemctl --user \(arguments.joined(separator: " ")) failed\(words)",
                hint: "systemctl --user status \(UserServices.unit)")
        }
    }

    private func run(_ arguments: [String]) throws(KeychainError) -> ForeignProgram.Answer {
        // Starting waits until the service has its name.
        try ForeignProgram("systemctl", environment, timeLimit: 30_000)
            .run(["--user"] + arguments)
    }
}
