import Foundation
import Testing
@testable import EndToEndRig
import TestSupport

/// The units of systemd: what they forbid, and that the programs work within that.
@Suite(.timeLimit(.minutes(5)))
struct ServiceUnitTests {
    let home: ScratchHome
    private static let repository = Repository.path
    private static let services = ["lock", "secret-service", "ssh-agent", "team"]

    init() throws {
        home = try ScratchHome()
    }

    /// Settings that need no namespace: systemd.exec(5), systemd.service(5). From a user namespace, unlocked keys can't be
    /// reached.
    private static let harmless: Set<String> = [
        "Type", "BusName", "ExecStart", "Environment", "Restart", "RestartSec", "TimeoutStartSec",
        "UMask",
        "NoNewPrivileges", "LimitCORE", "LockPersonality", "MemoryDenyWriteExecute",
        "RestrictAddressFamilies", "SystemCallArchitectures", "SystemCallErrorNumber",
        "SystemCallFilter",
    ]

    private func lines(_ service: String) throws -> [String] {
        let text = try String(
            contentsOfFile: "\(Self.repository)/helpers/lanyard-\(service).service",
            encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    @Test(arguments: services) func forbidsWhatIsNotNeeded(_ service: String) throws {
        let lines = try lines(service)
        for setting in [
            "NoNewPrivileges=yes", "LimitCORE=0", "LockPersonality=yes",
            "MemoryDenyWriteExecute=yes", "SystemCallArchitectures=native",
            "SystemCallFilter=@system-service",
            "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
        ] {
            #expect(lines.contains(setting), "\(setting)")
        }
        let settings = lines.drop { $0 != "[Service]" }.dropFirst().prefix { !$0.hasPrefix("[") }
            .filter { !$0.hasPrefix("#") }
        for setting in settings {
            let name = String(setting.prefix { $0 != "=" })
            #expect(Self.harmless.contains(name), "\(name) may need a namespace")
        }
    }

    /// Returns a folder with the units of the programs that are tested.
    private func units() async throws -> String {
        let folder = "\(home.path)/units"
        try await home.shell(
            """
            mkdir "$2"
            for unit in "$1"/helpers/*.service "$1"/helpers/*.socket "$1"/helpers/*.timer; do
                sed "s|@PREFIX@/bin|$3|; s|@PREFIX@/libexec/lanyard|$3|" "$unit" >"$2/${unit##*/}"
            done
            """, Self.repository, folder, try Programs.folder())
        return folder
    }

    @Test(.needs(.systemdAnalyze)) func areValid() async throws {
        let folder = try await units()
        for service in Self.services {
            let outcome = try await home.command(
                "systemd-analyze",
                ["verify", "--user", "--man=no", "\(folder)/lanyard-\(service).service"]
            ).run()
            #expect(outcome.status == 0 && !outcome.errorText.contains("lanyard"), "\(outcome)")
        }
    }

    /// Runs a script beside a real `systemd --user`.
    private func run(
        _ script: String, _ arguments: String..., askpass: AskpassProgram
    ) async throws -> Outcome {
        let folder = try await units()
        var command = try home.command(
            "\(Self.repository)/Tests/Support/run/with-user-systemd",
            [folder, "sh", "-euc", script, "sh"] + arguments,
            variables: ["LANYARD_ASKPASS": askpass.path])
        command.timeLimit = .seconds(120)
        return try await command.run()
    }

    /// With keys that the kernel has unlocked, and with a question for the passphrase.
    @Test(.needs(.userSystemd, .keyrings)) func theAgentSignsAndAsks() async throws {
        let key = try await home.makeKey("ed25519")
        #expect(try await home.lanyard("key", "import", key).status == 0)
        try await home.setPassphrase()
        let askpass = try AskpassProgram(home, answers: ["the passphrase"])
        try await home.forgettingKeys {
            let outcome = try await run(
                """
                LANYARD_PASSPHRASE_FILE=$2 lanyard unlock
                systemctl --user start lanyard-ssh-agent.socket
                export SSH_AUTH_SOCK="$XDG_RUNTIME_DIR/lanyard/ssh-agent.socket"
                ssh-add -L | cut -d' ' -f1
                echo text | ssh-keygen -q -Y sign -n file -f "$1" | sed -n 1p
                process=$(systemctl --user show -P MainPID lanyard-ssh-agent.service)
                grep -E '^(NoNewPrivs|Seccomp):' "/proc/$process/status"
                ls "$3" | grep -c call- || :
                lanyard lock
                echo text | ssh-keygen -q -Y sign -n file -f "$1" | sed -n 1p
                ls "$3" | grep -c call-
                """, try home.publicKeyAlone("\(key).pub"), "\(home.path)/passphrase",
                URL(filePath: askpass.path).deletingLastPathComponent().path, askpass: askpass)
            #expect(
                outcome.outputText == """
                    ssh-ed25519
                    -----BEGIN SSH SIGNATURE-----
                    NoNewPrivs:\t1
                    Seccomp:\t2
                    0
                    -----BEGIN SSH SIGNATURE-----
                    1

                    """, "\(outcome)")
        }
    }

    #if SecretService
    /// The same for the Secret Service; the client's case unlocks and locks the keychain in both ways.
    @Test(.needs(.userSystemd, .keyrings, .dbus)) func theSecretServiceUnlocksAndAsks() async throws
    {
        try await home.set("S", "A", secret: "geheim")
        try await home.setPassphrase()
        try await home.forgetKeys()
        let askpass = try AskpassProgram(
            home, answers: ["the passphrase", "the passphrase", "yes"])
        try await home.forgettingKeys {
            let outcome = try await run(
                """
                systemctl --user start lanyard-secret-service.service
                /usr/bin/python3 -B "$1" asked
                process=$(systemctl --user show -P MainPID lanyard-secret-service.service)
                grep -E '^(NoNewPrivs|Seccomp):' "/proc/$process/status"
                """, "\(Self.repository)/Tests/EndToEnd/BusClients/watching.py", askpass: askpass)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.outputText.hasSuffix("NoNewPrivs:\t1\nSeccomp:\t2\n"), "\(outcome)")
        }
    }
    #endif
}

extension Need {
    fileprivate static let systemdAnalyze = Need(missing: "there is no systemd-analyze") {
        try await succeeds("systemd-analyze", "--version")
    }

    fileprivate static let userSystemd = Need(
        missing: "no systemd can be run here, or there is no root to mount its folders"
    ) {
        try await succeeds(
            "unshare", "-m", "sh", "-c",
            "mount -t cgroup2 x /sys/fs/cgroup && mkdir /sys/fs/cgroup/lanyard-test && rmdir /sys/fs/cgroup/lanyard-test && test -x /usr/lib/systemd/systemd && test -e /usr/lib/systemd/user/dbus.socket"
        )
    }
}
