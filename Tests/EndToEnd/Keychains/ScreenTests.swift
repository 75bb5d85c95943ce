import Foundation
import Testing
@testable import EndToEndRig
import TestSupport

/// What users see on the first day, in the order of that day. The screens are kept in Screens, where
/// they can be read; `LANYARD_KEEP_SCREENS=1` has them written anew.
@Suite(.needs(.git, .python, .keyrings), .timeLimit(.minutes(10)))
final class ScreenTests {
    let home: ScratchHome
    /// The home folder on the screens: its path is as long as `/home/ada`, so lines break as they do there.
    private let folder: String

    init() throws {
        home = try ScratchHome()
        let name = "abcdefghijklmnopqrstuvwxyz0123456789"
        folder = "/tmp/" + String((0..<4).map { _ in name.randomElement() ?? "x" })
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test func theFirstDay() async throws {
        try await fill()
        try await expect("status-empty", "lanyard status")
        try await expect("list-empty", "lanyard list")
        try await expect("setup-dry-run", "lanyard setup --dry-run")
        try await expect(
            "setup", "lanyard setup",
            [
                .sees("[Y/n] "), .types("y\n"), .sees("remove the plain text? [Y/n] "),
                .types("y\n"),
            ])
        try await expect("setup-again", "lanyard setup --yes")
        try await expect("import-dry-run", "lanyard import csv passwords.csv --dry-run")
        try await expect("import", "lanyard import csv passwords.csv")
        try await expect("import-again", "lanyard import csv passwords.csv")
        try await expect("list", "lanyard list")
        try await expect("list-narrow", "lanyard list", columns: 48, isOfAges: true)
        try await expect("list-pipe", "lanyard list | cat")
        try await expect("status", "lanyard status")
        try await expect("status-narrow", "lanyard status", columns: 48)
        try await expect("doctor", "lanyard doctor")
        try await expect("doctor-narrow", "lanyard doctor", columns: 48)
        try await expect("setup-undo", "lanyard setup --undo")
        try await expect("doctor-warnings", "lanyard doctor")
        try await expect(
            "doctor-errors",
            "chmod 755 .local/share/lanyard; lanyard doctor; chmod 700 .local/share/lanyard")
    }

    @Test func aPassphraseAndARecoveryKey() async throws {
        try await fill()
        let new = "new passphrase for the keychain 'login': "
        let again = "new passphrase again: "
        let asked = "passphrase for the keychain 'login': "
        try await expect("recovery-key-create", "lanyard recovery-key create")
        try await expect("recovery-key-create-again", "lanyard recovery-key create")
        try await expect("recovery-key-remove", "lanyard recovery-key remove")
        try await expect(
            "passphrase-set", "lanyard passphrase set",
            [
                .asked(new), .types("short\n"), .asked(new), .types("correct horse\n"),
                .asked(again), .types("correct horse\n"), .sees("[Y/n] "), .types("y\n"),
            ])
        try await expect("passphrase-set-again", "lanyard passphrase set")
        try await expect("status-unlocked", "lanyard status")
        try await expect("lock", "lanyard lock --all")
        try await expect("status-locked", "lanyard status")
        try await expect("doctor-locked", "lanyard doctor | grep -v '^ok' | head -3")
        try await expect("unlock-pipe", "setsid -w lanyard unlock </dev/null 2>&1 | cat")
        try await expect(
            "unlock", "lanyard unlock",
            [
                .asked(asked), .types("wrong horse\n"), .asked(asked),
                .types("correct horse\n"),
            ])
        _ = try await dialogue(columns: 80).run("lanyard lock --all")
    }

    @Test(.needs(.openssl)) func certificatesAndKeys() async throws {
        try await fill()
        let made = try await MadeCertificates(home)
        try await home.shell("cd \"$1\" && cp ada.p12 id_plain \"$2\"", made.folder, folder)
        try await expect("certificate-list-empty", "lanyard certificate list")
        try await expect(
            "certificate-import", "lanyard certificate import ada.p12",
            [.asked("passphrase of '/tmp/"), .types("p12-password\n")])
        try await expect(
            "certificate-import-wrong", "lanyard certificate import ada.p12",
            (1...3).flatMap { _ in [.asked("passphrase of '/tmp/"), .types("p12\n")] })
        try await expect("certificate-list", "lanyard certificate list")
        try await expect("certificate-list-narrow", "lanyard certificate list", columns: 48)
        try await expect("certificate-list-pipe", "lanyard certificate list | cat")
        try await expect("certificate-show", "lanyard certificate show \"Ada's\"")
        try await expect("identity-list", "lanyard identity list")
        try await expect("key-import", "lanyard key import id_plain")
        try await expect("key-list", "lanyard key list")
        try await expect("key-list-narrow", "lanyard key list", columns: 48)
        try await expect("key-list-pipe", "lanyard key list | cat")
        try await expect("key-show", "lanyard key show ada@laptop")
        try await expect("key-export", "lanyard key export --plain-text ada@laptop out")
        try await expect(
            "certificate-remove", "lanyard certificate remove --key \"Ada's\"",
            [.sees("[y/N] "), .types("y\n")])
        try await expect(
            "key-remove", "lanyard key remove ada@laptop", [.sees("[y/N] "), .types("y\n")])
        try await expect("certificate-help", "lanyard certificate --help")
        try await expect("certificate-import-help", "lanyard certificate import --help")
        try await expect("key-help", "lanyard key --help")
    }

    @Test(arguments: [
        ("lanyard get nothing", "\u{1B}[31mlanyard: error:\u{1B}[0m item 'nothing' not found"),
        ("lanyard import csv passwords.csv", "\u{1B}[33mlanyard: warning:\u{1B}[0m line 5"),
        ("lanyard doctor", "\u{1B}[33mwarning\u{1B}[0m   "),
        ("lanyard doctor", "\u{1B}[32mok\u{1B}[0m        "),
    ])
    func coloursAreForTerminalsThatHaveThem(command: String, shown: String) async throws {
        try await fill()
        let coloured = try await dialogue(columns: 80, ["NO_COLOR": nil]).run(
            "cd \"$HOME\" && \(command)")
        #expect(coloured.shown.contains(shown), "\(coloured)")
        for change in ["NO_COLOR=1", "TERM=dumb", "TERM="] {
            let plain = try await dialogue(columns: 80, ["NO_COLOR": nil]).run(
                "cd \"$HOME\" && \(change) \(command)")
            #expect(!plain.shown.contains("\u{1B}"), "\(change): \(plain)")
        }
        let piped = try await dialogue(columns: 80, ["NO_COLOR": nil]).run(
            "cd \"$HOME\" && \(command) 2>&1 | cat")
        #expect(!piped.shown.contains("\u{1B}"), "\(piped)")
    }

    /// Of the tools git alone is there, as on a server that is new.
    private func fill() async throws {
        let tools = "git sh stty cat chmod grep head setsid"
        _ = try await home.shell(
            #"mkdir "$1/bin"; for tool in $2; do ln -s "$(command -v "$tool")" "$1/bin/"; done"#,
            folder, tools)
        try write(
            """
            https://ada:hunter2-1@git.example.com
            https://ada:hunter2-1@git.example.com
            https://bob:hunter2%403@git.example.com:8443/team/notes.git
            not a login

            """, to: ".git-credentials")
        try write(
            """
            name,url,username,password,note
            Bank,https://bank.example.com/login,ada,hunter2-4,
            Mail,https://mail.example.com,ada@example.com,hunter2-5,the old one
            Mail,https://mail.example.com,ada@example.com,hunter2-6,
            Nothing,https://nothing.example.com,ada,,

            """, to: "passwords.csv")
    }

    private func write(_ text: String, to name: String) throws {
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private func dialogue(
        columns: Int, _ variables: [String: String?] = [:]
    ) throws -> Dialogue {
        Dialogue(
            home: home,
            variables: [
                "HOME": folder, "PATH": "\(folder)/bin:\(try Programs.folder())",
                "LANYARD_HOME": nil, "GIT_CONFIG_GLOBAL": nil, "NO_COLOR": "1", "TERM": "xterm",
                "COLUMNS": "\(columns)", "DBUS_SESSION_BUS_ADDRESS": nil,
            ].merging(variables) { $1 })
    }

    /// Runs a command at a terminal, and compares what is on it in the end with what is kept.
    private func expect(
        _ name: String, _ command: String, _ steps: [Dialogue.Step] = [], columns: Int = 80,
        isOfAges: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var session: Dialogue.Session
        var (wide, after) = (0, columns)
        // An age may become longer meanwhile.
        repeat {
            wide = isOfAges ? try await columnsOfAList(columns) : columns
            session = try await dialogue(columns: wide).run(
                "cd \"$HOME\" && \(command)", steps: steps)
            after = isOfAges ? try await columnsOfAList(columns) : columns
        } while after != wide
        let shown =
            "$ \(command)\n" + (try asOfAnybody(session.shown)) + "status \(session.status)\n"
        #expect(!shown.contains("hunter2"), sourceLocation: sourceLocation)
        let file = URL(filePath: "\(Repository.path)/Tests/EndToEnd/Screens/\(name).txt")
        if ProcessInfo.processInfo.environment["LANYARD_KEEP_SCREENS"] != nil {
            try Data(shown.utf8).write(to: file)
        }
        let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(shown == kept, sourceLocation: sourceLocation)
    }

    /// The width at which a list cuts the same as one of new items at `columns`: on a busy machine the ages are
    /// longer.
    private func columnsOfAList(_ columns: Int) async throws -> Int {
        let list = try await dialogue(columns: 80).run("lanyard list").shown
        let ages = list.matches(of: /[0-9]+ (s|min)\b/).map(\.output.0.count)
        return columns + (ages.max() ?? 0) - "AGE".count
    }

    private static let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopq"

    /// Without what differs from one machine and one minute to the next.
    private func asOfAnybody(_ shown: String) throws -> String {
        shown.replacing("\r\n", with: "\n")
            .replacing(folder, with: "/home/ada")
            .replacing(try Programs.folder(), with: "/usr/local/bin")
            // The programs' real path has another length.
            .replacing(/helper =\n +/, with: "helper = ")
            .replacing(/\/\n +git-credential-lanyard/, with: "/git-credential-lanyard")
            .replacing(/git [0-9]+\.[0-9.]+/, with: "git 2.N")
            .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "2027-01-31T12:00:00Z")
            .replacing(/[0-9]+ (s|min)( ago)?\b/, with: "now")
            // Fingerprints and keys are as long as these.
            .replacing(/\b([0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{16})\b/) { match in
                String(repeating: "0123456789abcdef", count: 4).prefix(match.output.0.count)
            }
            .replacing(
                /SHA256:[A-Za-z0-9+\/]{3}…[A-Za-z0-9+\/]{9}/, with: "SHA256:ABC…ijklmnopq"
            )
            .replacing(/SHA256:[A-Za-z0-9+\/]{43}/, with: "SHA256:\(Self.digits)")
            .replacing(
                /ssh-ed25519 [A-Za-z0-9+\/]{68}/,
                with: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI\(Self.digits)"
            )
            .replacing(/locks in [0-9][^\n]*/, with: "locks in 8 h")
            .replacing(
                /[0-9A-Z]{4}(-[0-9A-Z]{4}){8}/,
                with: "AAAA-BBBB-CCCC-DDDD-EEEE-FFFF-GGGG-HHHH-JJJJ"
            )
            // An older git is worth a remark.
            .replacing(/, [0-9] remarks? \(--verbose\)/, with: "")
            .replacing(/[0-9] notes?/, with: "notes")
    }
}
