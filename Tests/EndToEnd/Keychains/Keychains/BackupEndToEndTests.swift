import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// `lanyard backup`: what it makes can be put back, whatever went on meanwhile.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct BackupEndToEndTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// Stores item after item until a file is there, and writes down each that was acknowledged.
    private static let writer = """
        number=0
        while [ ! -e "$1/stop" ]; do
            number=$((number + 1))
            printf 'protocol=https\\nhost=%s-%s.example\\nusername=ada\\npassword=pw-%s-%s\\n' \
                "$2" "$number" "$2" "$number" | git-credential-lanyard store
            echo "$2-$number.example" >>"$1/acknowledged-$2"
        done
        """

    private func acknowledged(_ folder: String) throws -> Set<String> {
        var hosts: Set<String> = []
        for number in 1...8 {
            let file = "\(folder)/acknowledged-\(number)"
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            // A line that is not whole yet is none.
            let lines = text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
            hosts.formUnion(lines.map(String.init))
        }
        return hosts
    }

    /// Each is sound and holds everything that was acknowledged before it began.
    @Test func whileEightProcessesWrite() async throws {
        let folder = "\(home.path)/backups"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try await home.set("first", secret: "s")
        var configuration = ""
        for number in 1...20 {
            configuration += "[keychain \"b\(number)\"]\n\tfile = \(folder)/\(number)\n"
        }
        try FileManager.default.createDirectory(
            atPath: "\(home.lanyard)/config", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data(configuration.utf8).write(
            to: URL(filePath: "\(home.lanyard)/config/config"))
        let home = home
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for number in 1...8 {
                let writer = try home.command(
                    "sh", ["-euc", Self.writer, "sh", folder, String(number)])
                group.addTask { try await writer.run() }
            }
            var before: [Set<String>] = []
            for number in 1...20 {
                before.append(try acknowledged(folder))
                expectBackup(try await home.lanyard("backup", "\(folder)/\(number)"))
            }
            try Data().write(to: URL(filePath: "\(folder)/stop"))
            for try await outcome in group {
                expectAnswer(outcome, "")
            }
            for (number, hosts) in zip(1...20, before) {
                let verifying = try await home.lanyard("verify", "--file", "\(folder)/\(number)")
                #expect(verifying.status == 0, "\(verifying)")
                try await home.succeeds("lanyard", "keychain", "accept-restore", "b\(number)")
                let list = try await home.json("list", "--json", "--keychain", "b\(number)")
                let kept = Set(
                    list.elements.compactMap { item -> String? in
                        guard case .string(let server) = item.members["server"] else {
                            return nil
                        }
                        return server
                    })
                #expect(hosts.subtracting(kept).isEmpty)
                #expect(kept.count == list.elements.count - 1)
            }
            print(
                "backups while 8 processes wrote: \(before.map(\.count)) acknowledged before each")
            #expect(before[19].count > before[0].count)
        }
    }

    /// Whoever needs a copy may have lost the machine.
    @Test func itSaysWhatOpensIt() async throws {
        try await home.set("x", secret: "s")
        let bound = try await home.lanyard("backup", "\(home.path)/bound")
        #expect(
            bound.errorText == """
                lanyard: warning: the copy opens on this machine alone, with its machine key
                lanyard: hint: lanyard recovery-key create, and then make the copy again

                """)
        // A passphrase that is not portable changes nothing.
        try await home.setPassphrase("one")
        expectBackup(try await home.lanyard("backup", "\(home.path)/locked"))
        #expect(try await home.lanyardUnlocked("recovery-key", "create").status == 0)
        expectAnswer(try await home.lanyard("backup", "\(home.path)/recoverable"), "")
        let portable = try ScratchHome()
        try await portable.set("x", secret: "s")
        let file = try portable.write("a passphrase", to: "new")
        #expect(
            try await portable.lanyard(
                "passphrase", "set", "--portable", "--new-passphrase-file", file
            ).status == 0)
        expectAnswer(try await portable.lanyard("backup", "\(portable.path)/copy"), "")
        // The hint names the keychain that was copied.
        #expect(try await portable.lanyard("keychain", "create", "work").status == 0)
        let work = try await portable.lanyard(
            "backup", "--keychain", "work", "\(portable.path)/work")
        #expect(work.errorText.contains("recovery-key create --keychain work, "), "\(work)")
    }

    /// `lanyard backup - | ssh HOST` would make an empty backup.
    @Test func isNeverOnStandardOutput() async throws {
        try await home.set("x", secret: "old")
        let refused = try await home.lanyard("backup", "-")
        #expect(refused.status == 64 && refused.output.isEmpty, "\(refused)")
        #expect(
            refused.errorText == """
                lanyard: error: a copy needs a file: it can't go to standard output
                lanyard: hint: lanyard backup FILE makes one to send; ./- is a file named '-'

                """, "\(refused)")
    }

    /// As lanyard-restore(1) says: moved away, copied, accepted.
    @Test func isPutBackHere() async throws {
        try await home.set("x", secret: "old")
        try await home.setPassphrase("first")
        expectBackup(try await home.lanyard("backup", "\(home.path)/backup"))
        let setting = try await home.lanyardUnlocked("set", "--stdin", "x", input: "new")
        expectAnswer(setting, "")
        let file = try home.write("second\n", to: "second")
        let changing = try await home.lanyardUnlocked(
            "passphrase", "change", "--yes", "--new-passphrase-file", file)
        expectAnswer(changing, "")
        try await home.shell(
            """
            mv "$1" "$1.before"
            install -m 600 "$2" "$1"
            """, home.keychain, "\(home.path)/backup")
        let refused = try await home.lanyardUnlocked("get", "x")
        #expect(refused.status == 93, "\(refused)")
        #expect(
            refused.errorText.contains("lanyard keychain accept-restore"), "\(refused)")
        expectAnswer(
            try await home.lanyard("keychain", "accept-restore"),
            "the keychain 'login' was accepted as it is\n")
        expectAnswer(try await home.lanyardUnlocked("get", "x"), "old\n")
        expectAnswer(try await home.lanyardUnlocked("verify"), "1 item, no damage found\n")
    }

    /// On another machine, with the recovery key: no machine key, no passphrase.
    @Test func isPutBackElsewhere() async throws {
        try await home.set("x", secret: "the secret")
        let recoveryKey = try await home.succeeds("lanyard", "recovery-key", "create").outputText
        expectAnswer(try await home.lanyard("backup", "\(home.path)/backup"), "")
        let other = try ScratchHome()
        _ = try other.write(recoveryKey, to: "passphrase")
        try await other.shell(
            """
            mkdir -m 700 "$LANYARD_HOME" "$LANYARD_HOME/data"
            install -m 600 "$1" "$LANYARD_HOME/data/login.keychain"
            """, "\(home.path)/backup")
        #expect(try await other.lanyard("get", "x").status == 36)
        #expect(try await other.lanyard("verify").status == 36)
        try await other.forgettingKeys {
            expectAnswer(try await other.lanyardUnlocked("unlock"), "")
            expectAnswer(try await other.lanyard("get", "x"), "the secret\n")
            expectAnswer(try await other.lanyard("verify"), "1 item, no damage found\n")
        }
    }

    @Test func whatIsThereIsNotOverwritten() async throws {
        try await home.set("x", secret: "s")
        let file = try home.write("precious\n", to: "file")
        let refused = try await home.lanyard("backup", file)
        #expect(refused.status == 48)
        #expect(
            refused.errorText == "lanyard: error: '\(file)' already exists\n"
                + "lanyard: hint: --replace replaces an earlier copy of the same keychain\n")
        let replacing = try await home.lanyard("backup", "--replace", file)
        #expect(replacing.status == 64)
        #expect(try home.read(file) == Array("precious\n".utf8))
        try await home.succeeds("lanyard", "keychain", "create", "work")
        let work = "\(home.data)/work.keychain"
        let onto = try await home.lanyard("backup", "--replace", work)
        #expect(onto.errorText == "lanyard: error: '\(work)' is the keychain 'work'\n")
    }

    @Test func aRelativePathIsFromHere() async throws {
        try await home.set("x", secret: "s")
        try await home.shell(
            "cd \"$1\"; lanyard backup copy; lanyard verify --file copy", home.path)
        #expect(try home.read("\(home.path)/copy") == home.read(home.keychain))
        for path in ["", "/", "..", "x/"] {
            #expect(try await home.lanyard("backup", path).status == 64)
        }
        let empty = try ScratchHome()
        #expect(try await empty.lanyard("backup", "\(empty.path)/x").status == 50)
    }

    /// The copy is made, and a message says so.
    @Test(.needs(.sqlite)) func aDamagedKeychainIsSaid() async throws {
        try await home.set("x", secret: "s")
        try await home.succeeds(
            "sqlite3", home.keychain, "UPDATE item SET secret = substr(secret, 1, 24)")
        let outcome = try await home.lanyard("backup", "\(home.path)/copy")
        #expect(outcome.status == 93)
        #expect(
            outcome.errorText == """
                lanyard: error: the copy was made, but the keychain is damaged
                lanyard: hint: lanyard verify

                """)
        #expect(try home.read("\(home.path)/copy") == home.read(home.keychain))
    }
}
