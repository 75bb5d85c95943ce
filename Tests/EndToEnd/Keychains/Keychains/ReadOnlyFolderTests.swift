import Testing
@testable import EndToEndRig

/// Where nothing can be written, logins are still found.
@Suite(.needs(.root, .mounts), .timeLimit(.minutes(10)))
struct ReadOnlyFolderTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test func getWorksAndChangesAreRefused() async throws {
        let request = "protocol=https\nhost=example.com\nusername=ada\n"
        try await home.store("\(request)password=distinctive-secret\n")
        let before = try Snapshot(home.lanyard)
        let ada = request.replacing("\n", with: "\\n")
        try await home.mountedSteps(
            """
            mount --bind "$LANYARD_HOME" "$LANYARD_HOME"
            mount -o remount,bind,ro "$LANYARD_HOME"
            ! touch "$LANYARD_HOME/x" 2>/dev/null
            step get get '\(ada)'
            step same store '\(ada)password=distinctive-secret\\n'
            step nothing erase 'protocol=https\\nhost=example.org\\n'
            step changed store '\(ada)password=another-distinctive-secret\\n'
            step new store 'protocol=https\\nhost=example.org\\npassword=distinctive-secret\\n'
            step erased erase '\(ada)'
            """)
        expectAnswer(try home.step("get"), "username=ada\npassword=distinctive-secret\n")
        expectAnswer(try home.step("same"), "")
        expectAnswer(try home.step("nothing"), "")
        for name in ["changed", "new", "erased"] {
            expectRefusal(
                try home.step(name),
                "can't write the keychain '\(home.keychain)': Read-only file system",
                secret: "distinctive-secret")
        }
        #expect(try Snapshot(home.lanyard).differences(from: before) == [])
    }

    /// Only copies of the keys that were made while it was unlocked still open it.
    @Test(.needs(.keyrings)) func lockingWorksAndSaysWhatItLacks() async throws {
        try await home.set("backup", secret: "distinctive-secret")
        let never = try await lock()
        #expect(
            never.hasPrefix("0 lanyard: hint: the keychain 'login' has no passphrase"), "\(never)")
        try await home.setPassphrase("one")
        try await home.forgettingKeys {
            try await home.unlock()
            let locked = try await lock()
            #expect(
                locked.hasPrefix(
                    "52 lanyard: error: the keychain 'login' is locked, but copies of its keys still open it: can't write "
                ), "\(locked)")
            #expect(try await home.lockState() == "locked")
        }
    }

    /// Returns the status and the message of `lanyard lock` where nothing can be written.
    private func lock() async throws -> String {
        try await home.shell(
            "exec unshare --mount --propagation private sh -euc \"$2\" sh \"$1\"", home.path,
            """
            mount --bind "$LANYARD_HOME" "$LANYARD_HOME"
            mount -o remount,bind,ro "$LANYARD_HOME"
            status=0
            lanyard lock 2>"$1/message" || status=$?
            echo "$status $(cat "$1/message")" >"$1/outcome"
            """)
        return String(decoding: try home.read("\(home.path)/outcome"), as: UTF8.self)
    }

    @Test func aKeychainThatIsNotThereCannotBeMade() async throws {
        try await home.mountedSteps(
            """
            mkdir -m 700 "$LANYARD_HOME"
            mount --bind "$LANYARD_HOME" "$LANYARD_HOME"
            mount -o remount,bind,ro "$LANYARD_HOME"
            step get get 'protocol=https\\nhost=example.com\\n'
            step store store 'protocol=https\\nhost=example.com\\npassword=distinctive-secret\\n'
            """)
        expectAnswer(try home.step("get"), "")
        expectRefusal(
            try home.step("store"), "Read-only file system", secret: "distinctive-secret")
    }

    private let request = "protocol=https\nhost=example.com\nusername=ada\n"

    /// Stores a login, and leaves a change that was cut off after part of it was written, kept from the hand of SQLite.
    private func interruptChange() async throws {
        try await home.store("\(request)password=distinctive-secret\n")
        try await home.shell(
            """
            cd "$1"
            sqlite3 login.keychain <<'END'
            PRAGMA cache_size = 1;
            BEGIN IMMEDIATE;
            UPDATE item SET class = class + 1;
            CREATE TABLE filler (a);
            INSERT INTO filler SELECT randomblob(3000) FROM generate_series(1, 50);
            .shell cp -p login.keychain-journal kept-journal; cp -p login.keychain kept-keychain
            ROLLBACK;
            END
            mv kept-journal login.keychain-journal
            mv kept-keychain login.keychain
            chmod 600 login.keychain-journal login.keychain
            """, home.data)
    }

    /// An interrupted change has to be undone before anything is read, and that takes writing.
    @Test(.needs(.sqlite)) func anInterruptedChangeIsAClearError() async throws {
        try await interruptChange()
        let ada = request.replacing("\n", with: "\\n")
        try await home.mountedSteps(
            """
            mount --bind "$LANYARD_HOME" "$LANYARD_HOME"
            mount -o remount,bind,ro "$LANYARD_HOME"
            step get get '\(ada)'
            """)
        expectRefusal(
            try home.step("get"), "an interrupted change of the keychain '\(home.keychain)'",
            secret: "distinctive-secret")
        // Where it can be written, it is undone.
        try await home.expectGet(request, "username=ada\npassword=distinctive-secret\n")
        #expect(try Snapshot(home.data).contents.keys.sorted() == ["login.keychain"])
    }

    /// The journal can be played back, but not deleted.
    @Test(.needs(.sqlite, .anotherUser)) func anInterruptedChangeWhereNothingCanBeDeleted()
        async throws
    {
        try await interruptChange()
        let programs = try home.copiesOfPrograms([Executable.git.name])
        let folder = try home.folderOfAnotherUser()
        try await home.shell(
            """
            cp -a "$1" "$2/copy"
            chown -R "$3" "$2/copy"
            chmod 500 "$2/copy/data"
            """, home.lanyard, folder, "\(AnotherUser.id)")
        let outcome = try await home.command(
            "setpriv", AnotherUser.arguments + ["\(programs)/\(Executable.git.name)", "get"],
            input: Array(request.utf8), variables: ["LANYARD_HOME": "\(folder)/copy"]
        ).run()
        expectRefusal(
            outcome, "an interrupted change of the keychain '\(folder)/copy/data/login.keychain'",
            secret: "distinctive-secret")
    }
}
