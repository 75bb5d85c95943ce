import Foundation
import Testing
@testable import EndToEndRig

/// A user sets git up with programs in `~/.local/bin`, and the crontab fetches at night.
@Suite(.needs(.git, .lighttpd), .timeLimit(.minutes(10)))
struct CronTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.shell(
            """
            mkdir -p "$HOME/.local/bin"
            for name in lanyard git-credential-lanyard docker-credential-lanyard; do
                ln -s "$(command -v $name)" "$HOME/.local/bin/"
            done
            """)
    }

    /// A command that the person types.
    private func types(
        _ script: String, _ arguments: String..., variables: [String: String?] = [:]
    ) async throws -> Outcome {
        var all = home.ownHome.merging(variables) { $1 }
        all["PATH"] = "\(home.path)/home/.local/bin:/usr/bin:/bin"
        return try await home.command("sh", ["-euc", script, "sh"] + arguments, variables: all)
            .run()
    }

    /// A line of the crontab: crontab(5) says what is in its environment.
    private func job(_ script: String, _ arguments: String...) async throws -> Outcome {
        let environment = [
            "-i", "HOME=\(home.path)/home", "LOGNAME=ada", "SHELL=/bin/sh", "PATH=/usr/bin:/bin",
            "GIT_CONFIG_NOSYSTEM=1",
        ]
        return try await home.command(
            "setsid", ["-w", "env"] + environment + ["/bin/sh", "-c", script, "sh"] + arguments
        ).run()
    }

    @Test func aJobFetches() async throws {
        try await GitServer.serve(home) { server in
            let request = "protocol=http\nhost=\(server.host)\nusername=ada\npassword=right\n"
            let setUp = try await types(
                "lanyard setup git; printf '%s\\n' \"$1\" | git credential approve; git clone -q \"$2\" ~/notes",
                request, server.url())
            #expect(setUp.status == 0, "\(setUp)")
            #expect(
                setUp.outputText.contains(
                    "+    helper = \(home.path)/home/.local/bin/git-credential-lanyard\n"),
                "\(setUp)")
            try await home.aColleagueWrites(in: server.repository())
            let fetched = try await job("cd ~/notes && git fetch -q && git rev-parse origin/main")
            expectAnswer(fetched, try await home.commit("main", in: server.repository()))
            let doctor = try await types("exec lanyard doctor --json")
            #expect(!String(decoding: doctor.output, as: UTF8.self).contains("\"git looks for"))

            // An older setup named the helper, which is not where cron looks.
            _ = try await types("git config --global credential.helper lanyard")
            let failed = try await job("cd ~/notes && git fetch -q")
            #expect(failed.status != 0, "\(failed)")
            let found = try await types("lanyard doctor || :")
            #expect(
                found.outputText.contains(
                    """
                    note      git looks for git-credential-lanyard on PATH [helper-not-in-jobs]
                              cron, systemd and SSH set a short PATH, and the tool asks again there
                              fix: lanyard setup git

                    """), "\(found)")
            _ = try await types("lanyard setup git")
            expectAnswer(try await job("cd ~/notes && git fetch -q"), "")
        }
    }

    /// With a passphrase the night's job fails at once and says why; what the user unlocks is unlocked for
    /// jobs too.
    @Test(.needs(.keyrings)) func aJobNeedsTheKeychainUnlocked() async throws {
        _ = try home.write("a passphrase", to: "passphrase")
        let fill = "printf 'protocol=https\\nhost=a.example\\n\\n' | git credential fill"
        let setUp = try await types(
            """
            lanyard setup git
            printf 'protocol=https\\nhost=a.example\\nusername=ada\\npassword=pw\\n' | git credential approve
            lanyard passphrase set --yes --new-passphrase-file "$1"
            lanyard lock --all
            """, "\(home.path)/passphrase")
        #expect(setUp.status == 0, "\(setUp)")
        let locked = try await job(fill)
        #expect(locked.status != 0 && locked.output.isEmpty, "\(locked)")
        #expect(locked.errorText.contains("lanyard: hint: lanyard unlock\n"), "\(locked)")
        let unlocked = try await types(
            "lanyard unlock", variables: ["LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase"])
        #expect(unlocked.status == 0, "\(unlocked)")
        let answer = try await job(fill)
        _ = try await types("lanyard lock --all")
        #expect(answer.outputText.hasSuffix("username=ada\npassword=pw\n"), "\(answer)")
    }
}
