import Foundation
import Testing
@testable import EndToEndRig

/// Where there is no room the change is refused, and what was there stays.
@Suite(.timeLimit(.minutes(10)))
struct FullDiskTests {
    let home: ScratchHome
    static let secret = "distinctive-secret"
    static let ada = "protocol=https\nhost=example.com\nusername=ada\n"
    static let bob = "protocol=https\nhost=example.com\nusername=bob\n"

    init() throws {
        home = try ScratchHome()
    }

    @Test(.needs(.root, .mounts)) func aFullFileSystem() async throws {
        let ada = Self.ada.replacing("\n", with: "\\n")
        let bob = Self.bob.replacing("\n", with: "\\n")
        try await home.mountedSteps(
            """
            mkdir -m 700 "$LANYARD_HOME"
            mount -t tmpfs -o size=128k,mode=700 lanyard-test "$LANYARD_HOME"
            step first store '\(ada)password=\(Self.secret)\\n'
            keep before
            # As full as it gets.
            cat /dev/zero >"$LANYARD_HOME/filler" 2>/dev/null || :
            step full store '\(bob)password=\(Self.secret)\\n'
            step changed store '\(ada)password=another-\(Self.secret)\\n'
            step erased erase '\(ada)'
            step get get '\(ada)'
            step same store '\(ada)password=\(Self.secret)\\n'
            rm "$LANYARD_HOME/filler"
            keep after
            mount -o remount,size=1m "$LANYARD_HOME"
            step later store '\(bob)password=\(Self.secret)\\n'
            step both get '\(bob)'
            """)
        expectAnswer(try home.step("first"), "")
        for name in ["full", "changed", "erased"] {
            expectRefusal(
                try home.step(name),
                "can't write the keychain '\(home.keychain)': the disk is full",
                secret: Self.secret)
        }
        expectAnswer(try home.step("get"), "username=ada\npassword=\(Self.secret)\n")
        expectAnswer(try home.step("same"), "")
        #expect(try home.kept("after").contentDifferences(from: home.kept("before")) == [])
        expectAnswer(try home.step("later"), "")
        expectAnswer(try home.step("both"), "username=bob\npassword=\(Self.secret)\n")
    }

    @Test(
        .needs(.root, .mounts),
        arguments: ["size=4k", "size=24k", "size=40k", "size=64k", "nr_inodes=3", "nr_inodes=6"])
    func aFullFileSystemOnTheFirstUse(_ room: String) async throws {
        let ada = Self.ada.replacing("\n", with: "\\n")
        try await home.mountedSteps(
            """
            mkdir -m 700 "$LANYARD_HOME"
            mount -t tmpfs -o \(room),mode=700 lanyard-test "$LANYARD_HOME"
            step full store '\(ada)password=\(Self.secret)\\n'
            keep after
            mount -o remount,size=1m,nr_inodes=100 "$LANYARD_HOME"
            step later store '\(ada)password=\(Self.secret)\\n'
            step get get '\(ada)'
            """)
        let message = "the disk is full"
        expectRefusal(try home.step("full"), message, secret: Self.secret)
        let left = try home.kept("after").contents.keys
        #expect(!left.contains { $0.contains(".new-") || $0.hasSuffix("-journal") }, "\(left)")
        expectAnswer(try home.step("later"), "")
        expectAnswer(try home.step("get"), "username=ada\npassword=\(Self.secret)\n")
    }

    @Test(
        .needs(.unsanitized, .prlimit),
        arguments: [0, 1024, 4096, 8192, 20480, 24576, 32768, 36863])
    func aLimitOnTheSizeOfFiles(_ limit: Int) async throws {
        try await home.store("\(Self.ada)password=\(Self.secret)\n")
        let before = try Snapshot(home.lanyard)
        let limited = try await home.command(
            "prlimit", ["--fsize=\(limit)", "git-credential-lanyard", "store"],
            input: Array("\(Self.bob)password=\(Self.secret)\n".utf8)
        ).run()
        expectRefusal(limited, "", secret: Self.secret)
        let saysWhy = ["the disk is full", "File too large"].contains(
            where: limited.errorText.contains)
        #expect(saysWhy, "\(limited)")
        if limit % 4096 == 0 {
            #expect(try Snapshot(home.lanyard).contentDifferences(from: before) == [])
        }
        // A page that was cut in two can't be put back within the limit; the journal stays for it.
        try await home.expectGet(Self.ada, "username=ada\npassword=\(Self.secret)\n")
        try await home.expectGet(Self.bob, "")
        #expect(try Snapshot(home.lanyard).contentDifferences(from: before) == [])
    }

    @Test(.needs(.unsanitized, .prlimit), arguments: [0, 16, 4096, 36863])
    func aLimitOnTheSizeOfFilesOnTheFirstUse(_ limit: Int) async throws {
        let login = "\(Self.ada)password=\(Self.secret)\n"
        let limited = try await home.command(
            "prlimit", ["--fsize=\(limit)", "git-credential-lanyard", "store"],
            input: Array(login.utf8)
        ).run()
        expectRefusal(limited, "File too large", secret: Self.secret)
        #expect(!(try Snapshot(home.lanyard).entries.keys.contains { $0.contains(".new-") }))
        try await home.store(login)
        try await home.expectGet(Self.ada, "username=ada\npassword=\(Self.secret)\n")
    }
}
