#if SecretService
import Foundation
import TestSupport
import Testing

extension DesktopSession {
    /// The folder of the user's data, where the bus looks for programs that it starts.
    var data: String { "\(service.folder)/data" }
    /// How the bus starts the Secret Service.
    var activationFile: String { "\(data)/dbus-1/services/org.freedesktop.secrets.service" }
    /// The user's units.
    var units: String { "\(service.folder)/config/systemd/user" }

    /// The environment of a setup: that of the bus, and of what it starts.
    var setupVariables: [String: String?] {
        variables.merging([
            "HOME": "\(service.folder)/home", "LANYARD_HOME": nil,
            "XDG_DATA_HOME": data, "XDG_CONFIG_HOME": "\(service.folder)/config",
            "PATH": "\(home.path)/bin:\((try? home.environment()["PATH"]) ?? "")",
        ]) { $1 }
    }

    /// Runs `lanyard setup secret-service`.
    func setup(_ arguments: String...) async throws -> Outcome {
        try await home.command(
            "lanyard", ["setup", "secret-service"] + arguments, variables: setupVariables
        ).run()
    }

    /// The findings of doctor about the Secret Service.
    func findings(variables: [String: String?] = [:]) async throws -> [Doctor.Finding] {
        let outcome = try await home.command(
            "lanyard", ["doctor", "--json"],
            // Without git and docker there is less to check.
            variables: setupVariables.merging([
                "PATH": "\(home.path)/bin:\(try Programs.folder())"
            ]) { $1 }.merging(variables) { $1 }
        ).run()
        return try Doctor(outcome).findings.filter { $0.code.hasPrefix("secret-service-") }
    }

    /// Stores a secret with secret-tool, and looks it up.
    func storesAndFinds(_ secret: String) async throws {
        try await expect(
            "secret-tool", "store", "--label=x", "service", "example", "account", "ada",
            input: secret)
        try await expect(
            "secret-tool", "lookup", "service", "example", "account", "ada", answer: secret)
    }

    /// The accounts of the items in Lanyard's keychains.
    func accounts() async throws -> [String] {
        let outcome = try await home.command(
            "lanyard", ["list", "--json", "--keychain", "login"], variables: setupVariables
        ).run()
        try #require(outcome.status == 0, "\(outcome)")
        return try JSONText(outcome.output).elements.compactMap {
            guard case .string(let account)? = $0.members["account"] else {
                return nil
            }
            return account
        }.sorted()
    }

    /// Writes a file by which the bus starts a program.
    func writeActivation(of program: String, to path: String? = nil) throws {
        let path = path ?? activationFile
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try "[D-BUS Service]\nName=org.freedesktop.secrets\nExec=\(program)\n"
            .write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Adds a script as systemctl, because systemd does not run here, and lets it manage the session.
    ///
    /// It notes its arguments, starts and stops the unit's program, and waits for its name as systemd does.
    func addScriptedSystemd() throws {
        for folder in ["\(home.path)/bin", "\(service.folder)/run/systemd/private"] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        }
        _ = try home.write(
            """
            #!/bin/sh
            PATH=/usr/bin:/bin
            pid='\(home.path)/systemd.pid'
            echo "$*" >>'\(home.path)/systemctl.log'
            alive() { kill -0 "$(cat "$pid" 2>/dev/null)" 2>/dev/null; }
            owned() {
                dbus-send --session --print-reply --dest=org.freedesktop.DBus / \\
                    org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets | grep -q "boolean $1"
            }
            case $2 in
            is-active) [ -f "$pid" ] && alive ;;
            stop) alive && kill "$(cat "$pid")" && rm "$pid" && until owned false; do sleep 0.02; done ;;
            restart)
                program=$(sed -n 's/^ExecStart=//p' '\(units)/lanyard-secret-service.service')
                setsid $program >/dev/null 2>&1 </dev/null &
                echo $! >"$pid"
                until owned true; do alive || exit 1; sleep 0.02; done ;;
            esac

            """, to: "bin/systemctl", mode: 0o700)
    }

    /// What systemctl was called with.
    func systemctlCalls() throws -> [String] {
        let log = try home.text("systemctl.log")
        return log.split(separator: "\n").map(String.init)
    }
}
#endif
