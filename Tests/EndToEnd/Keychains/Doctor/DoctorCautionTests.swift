import Foundation
import Testing
@testable import EndToEndRig

/// What `lanyard doctor` leaves alone, and does not complain about.
@Suite(.needs(.git, .python), .timeLimit(.minutes(10)))
struct DoctorCautionTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.setToolsUp()
    }

    private func doctor(
        _ variables: [String: String?] = [:], after script: String = ":"
    ) async throws -> Doctor {
        try Doctor(
            try await home.inRepository(
                "H=$LANYARD_HOME; { \(script)\n } >/dev/null && exec lanyard doctor --json",
                home.path,
                variables: variables))
    }

    /// A repository may come from anybody.
    @Test(arguments: ["", "export GIT_DIR=\"$PWD/.git\" GIT_WORK_TREE=\"$PWD\" && cd /"])
    func noHelperOfARepositoryIsRun(place: String) async throws {
        let marker = "\(home.path)/ran"
        let doctor = try await doctor(
            after: """
                git config credential.helper '!touch "\(marker)"; false'
                git config --add credential.https://a.example.helper '!touch "\(marker)"; false'
                git config core.askPass 'touch "\(marker)"'
                git config include.path included
                printf '[credential]\\nhelper = "!touch \(marker); false"\\n' >.git/included
                \(place.isEmpty ? ":" : place)
                """)
        #expect(!FileManager.default.fileExists(atPath: marker), "\(doctor)")
        // git itself does run it.
        _ = try await home.inRepository(
            "printf 'protocol=https\\nhost=x.example\\n\\n' | git credential fill")
        #expect(FileManager.default.fileExists(atPath: marker))
    }

    /// As `mkdir` makes it with the usual umask, and as the manual says.
    @Test func othersMayLookIntoTheConfiguration() async throws {
        let doctor = try await doctor(
            after: """
                umask 022; mkdir "$H/config"
                git config --file "$H/config/config" lanyard.autolock 10h
                lanyard keychain default login
                """)
        #expect(doctor.codes == [], "\(doctor)")
    }

    /// As managers of dot files make them.
    @Test func theConfigurationMayBeALink() async throws {
        let doctor = try await doctor(
            after: """
                mkdir "$1/dots"; echo '[lanyard]' >"$1/dots/config"; ln -s "$1/dots" "$H/config"
                """)
        #expect(doctor.codes == [], "\(doctor)")
        let open = try await self.doctor(after: "chmod 666 \"$1/dots/config\"")
        #expect(open.codes.contains("file-open-to-others"), "\(open)")
    }

    @Test func aCommentIsNoLogin() async throws {
        let doctor = try await doctor(
            after:
                "printf '# https://ada:hunter2@c.example\\n\\n# mine\\n' >\"$HOME/.git-credentials\""
        )
        #expect(doctor.codes == [], "\(doctor)")
    }

    /// There is no configuration that could be corrected.
    @Test func aVariableThatNamesNothingIsToldOfOnce() async throws {
        let doctor = try await doctor(["LANYARD_KEYCHAIN": "gone"])
        // That git gets no answer then is what follows from it.
        #expect(doctor.codes == ["variable-points-nowhere", "git-helper-fails"], "\(doctor)")
    }

    /// git gets its logins then, although `lanyard status` says that the keychain is locked.
    @Test(.needs(.keyrings)) func aPassphraseFileThatWorksIsEnough() async throws {
        try await home.forgettingKeys {
            let doctor = try await doctor(
                ["LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase"],
                after: """
                    echo passphrase >"$1/passphrase"
                    lanyard passphrase set --yes --new-passphrase-file "$1/passphrase" 2>&1
                    """)
            // The passphrase has replaced the recovery key, which status reports, too.
            #expect(doctor.codes == ["no-recovery-key"], "\(doctor)")
            #expect(try await home.lockState() == "locked")
        }
    }

    /// They pass nothing, and find nothing.
    @Test func checksOfGitNeedGit() async throws {
        let outcome = try await home.inRepository(
            """
            mkdir "$1/bin" && ln -s "$(command -v lanyard)" "$1/bin/lanyard"
            PATH=$1/bin exec lanyard doctor --verbose
            """, home.path)
        #expect(outcome.outputText.contains("; clock; "), "\(outcome)")
        for check in ["git's configuration", "git's helpers", "git's answers", "git's accounts"] {
            #expect(!outcome.outputText.contains(check), "\(outcome)")
        }
    }

    /// podman reads this file, too.
    @Test func dockersHelpersAreTriedWithoutDocker() async throws {
        let outcome = try await home.inRepository(
            """
            mkdir "$1/bin" && ln -s "$(command -v lanyard)" "$1/bin/lanyard"
            printf '#!/bin/sh\necho no session bus\nexit 1\n' >"$1/bin/docker-credential-broken"
            chmod 755 "$1/bin/docker-credential-broken"
            echo '{"credHelpers":{"c.example":"broken"}}' >"$HOME/.docker/config.json"
            PATH=$1/bin exec lanyard doctor --json
            """, home.path)
        let doctor = try Doctor(outcome)
        #expect(doctor.codes.contains("docker-helper-fails"), "\(doctor)")
        #expect(!doctor.codes.contains("docker-not-set-up"), "\(doctor)")
    }

    @Test func aConfigurationThatGitDoesNotReadIsToldOfOnce() async throws {
        let doctor = try await doctor(["GIT_CONFIG_GLOBAL": "/dev/null"])
        #expect(doctor.codes == ["git-global-hidden"], "\(doctor)")
    }

    /// What a typing error names is not made, and what was meant is named.
    @Test func aTypingErrorIsToldOfOnce() async throws {
        let doctor = try await doctor(
            after: """
                lanyard keychain create work
                mkdir -p -m 700 "$H/config"
                printf '[lanyard]\\n\\tdefault = wrok\\n\\tdefualt = work\\n' >"$H/config/config"
                """)
        let expected = ["configuration-unknown-setting", "keychain-missing", "no-recovery-key"]
        #expect(doctor.codes == expected, "\(doctor)")
        let texts = doctor.findings.map(\.what)
        #expect(texts.contains { $0.hasSuffix("did you mean 'lanyard.default'?") }, "\(doctor)")
        #expect(texts.contains { $0.hasSuffix("did you mean 'work'?") }, "\(doctor)")
        #expect(!doctor.findings.contains { $0.command?.contains("wrok") == true }, "\(doctor)")
    }

    @Test func aTypingErrorInGitsConfigurationIsNamed() async throws {
        let doctor = try await doctor(after: "git config --global credential.helper lanyrad")
        #expect(doctor.codes == ["git-not-set-up", "git-helper-missing"], "\(doctor)")
        #expect(
            doctor.findings.contains {
                $0.what.contains("git's helper 'lanyrad' is missing; did you mean 'lanyard'?")
            },
            "\(doctor)")
    }

    /// A link may lead anywhere, and a setting name anything: a file of the system's stays as it is.
    @Test func filesOfTheSystemAreNotToBeChanged() async throws {
        for outcome in [
            try await home.lanyard(
                "get", "x", variables: ["LANYARD_PASSPHRASE_FILE": "/etc/passwd"]),
            try await home.inRepository(
                """
                mkdir -m 700 "$LANYARD_HOME/config"
                git config --file "$LANYARD_HOME/config/config" keychain.work.file /etc/passwd
                lanyard list --keychain work; lanyard doctor; lanyard status
                """),
        ] {
            let told = outcome.outputText + outcome.errorText
            #expect(!told.contains("chmod") && !told.contains("chown"), "\(outcome)")
        }
    }

    /// To an ordinary user `/etc` is another user's folder.
    @Test(.needs(.root, .anotherUser)) func norGivenToAnOrdinaryUser() async throws {
        let programs = try home.copiesOfPrograms(["lanyard"])
        let folder = try home.folderOfAnotherUser()
        let outcome = try await home.command(
            "setpriv",
            AnotherUser.arguments + [
                "sh", "-c",
                """
                mkdir -m 700 "$LANYARD_HOME/config"
                printf '[keychain "work"]\n\tfile = /etc/passwd\n' >"$LANYARD_HOME/config/config"
                "$0" list --keychain work; "$0" doctor
                """, "\(programs)/lanyard",
            ], variables: ["LANYARD_HOME": folder, "HOME": folder]
        ).run()
        let told = outcome.outputText + outcome.errorText
        #expect(told.contains("the folder '/etc' belongs to another user"), "\(outcome)")
        #expect(!told.contains("chmod") && !told.contains("chown"), "\(outcome)")
    }

    /// Of two accounts git is given the one that was stored last.
    @Test func theAccountThatIsAnsweredIsNamed() async throws {
        let script = """
            printf 'protocol=https\\nhost=a.example\\nusername=bob\\npassword=pw\\n' |
                git-credential-lanyard store
            """
        let answer = try await home.inRepository(
            "\(script); printf 'protocol=https\\nhost=a.example\\n\\n' | git credential fill")
        #expect(answer.outputText.contains("username=bob\n"), "\(answer)")
        let somewhere = try await doctor()
        #expect(somewhere.codes == ["git-several-accounts"], "\(somewhere)")
        #expect(
            somewhere.findings.contains { $0.what.hasSuffix("git gets 'bob'") },
            "\(somewhere)")
        for script in [
            "git remote add o https://ada@a.example/x.git",
            "git remote remove o; git config --global credential.https://a.example.username ada",
        ] {
            let named = try await doctor(after: script)
            #expect(named.codes == [], "\(named)")
        }
    }

    /// Root in another user's home, as with `sudo`: what is theirs stays theirs.
    @Test(.needs(.root, .anotherUser)) func whatIsAnothersStaysTheirs() async throws {
        let theirs = try home.folder("theirs", of: AnotherUser.id)
        for folder in [".local", ".local/share", ".local/share/lanyard"] {
            _ = try home.folder("theirs/\(folder)", of: AnotherUser.id)
        }
        let doctor = try await doctor(["LANYARD_HOME": nil, "HOME": theirs])
        #expect(doctor.codes.contains("wrong-owner"), "\(doctor)")
        #expect(doctor.commands("wrong-owner") == [], "\(doctor)")
    }
}
