import Foundation
import Testing

/// OpenSSH's server, started anew for each connection, with a configuration, keys and a runtime folder of
/// its own.
struct SSHServer: Sendable {
    private let home: ScratchHome
    private let folder: String
    private let hasPasswords: Bool

    /// - Parameters:
    ///   - keys: The public keys' files of those who may log in.
    ///   - passwords: Of further users, who are there for this server alone.
    init(
        _ home: ScratchHome, keys: [String], passwords: [String: String] = [:]
    ) async throws {
        self.home = home
        hasPasswords = !passwords.isEmpty
        folder = "\(home.path)/sshd-\(UUID().uuidString)"
        let name = String(folder.dropFirst(home.path.count + 1))
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        for type in ["ed25519", "ecdsa"] {
            try await home.succeeds(
                "ssh-keygen", "-q", "-t", type, "-N", "", "-f", "\(folder)/host-\(type)")
        }
        let allowed = try keys.map { String(decoding: try home.read($0), as: UTF8.self) }
        _ = try home.write(allowed.joined(), to: "\(name)/authorized")
        let hosts = try ["ed25519", "ecdsa"].map { type in
            "test " + String(decoding: try home.read("\(folder)/host-\(type).pub"), as: UTF8.self)
        }
        _ = try home.write(hosts.joined(), to: "\(name)/known")
        _ = try home.write(
            """
            HostKey \(folder)/host-ed25519
            HostKey \(folder)/host-ecdsa
            AuthorizedKeysFile \(folder)/authorized
            StrictModes no
            UsePAM no
            PasswordAuthentication \(hasPasswords ? "yes" : "no")
            KbdInteractiveAuthentication no
            PermitRootLogin prohibit-password
            AllowAgentForwarding yes
            PermitUserRC no
            PrintLastLog no
            PidFile none

            """, to: "\(name)/sshd_config")
        // Its folder below /run is compiled in.
        _ = try home.write(
            """
            #!/bin/sh
            exec unshare -m --propagation private sh -c '
                mount -t tmpfs x /run && mkdir /run/sshd
                [ ! -e "$3" ] || mount --bind "$3" /etc
                exec /usr/sbin/sshd -i -e -f "$1" 2>>"$2"
            ' sh '\(folder)/sshd_config' '\(folder)/log' '\(folder)/etc'

            """, to: "\(name)/connect", mode: 0o700)
        if hasPasswords {
            _ = try await home.copyOfEtc("\(name)/etc", adding: passwords)
        }
    }

    /// What the servers said.
    func log() -> String {
        (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
    }

    /// ssh's options for this server.
    ///
    /// - Parameter key: The public key's file that it has to use; nil for those of the agent.
    func options(key: String? = nil) -> [String] {
        let identity = key.map { ["-o", "IdentitiesOnly=yes", "-i", $0] } ?? []
        return [
            "-F", "none", "-o", "BatchMode=\(hasPasswords ? "no" : "yes")",
            "-o", "ProxyCommand=\(folder)/connect", "-o", "UserKnownHostsFile=\(folder)/known",
            "-o", "GlobalKnownHostsFile=none", "-o", "HostKeyAlias=test",
            "-o", "StrictHostKeyChecking=yes", "-o", "IdentityAgent=SSH_AUTH_SOCK",
        ] + identity
    }

    /// Logs in with an agent, and runs a command there.
    func run(
        _ command: String, through agent: RunningAgent, key: String? = nil,
        _ options: String...
    ) async throws -> Outcome {
        try await home.command(
            "ssh", self.options(key: key) + options + ["root@test", command],
            variables: ["SSH_AUTH_SOCK": agent.socket]
        ).run()
    }
}

extension Need {
    /// sshd, with rights to log users in and to give it a folder below /run.
    static let sshServer = Need(missing: "there is no sshd, or mounting is not permitted here") {
        let home = try ScratchHome()
        let outcome = try await home.command(
            "unshare",
            ["-m", "sh", "-c", "mount -t tmpfs x /run && test -x /usr/sbin/sshd && id -u"]
        ).run()
        return outcome.outputText == "0\n"
    }
}
