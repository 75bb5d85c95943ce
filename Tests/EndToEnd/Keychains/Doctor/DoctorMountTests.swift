import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard doctor` where the file system is what is wrong.
@Suite(.needs(.git, .mounts), .timeLimit(.minutes(10)))
struct DoctorMountTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.set("x", secret: "s")
    }

    /// What doctor says before and after a script has mended what another one has broken, on a small
    /// file system of its own.
    private func doctor(
        breaking: String, mending: String
    ) async throws -> (before: [UInt8], after: [UInt8]) {
        try await home.shell(
            """
            exec unshare --mount --propagation private sh -euc "$2" sh "$1"
            """, home.path,
            """
            H=$LANYARD_HOME
            cp -a "$H/data" "$1/kept"
            mount -t tmpfs -o size=2m,mode=700 lanyard-test "$H/data"
            cp -a "$1/kept/." "$H/data"
            \(breaking)
            lanyard doctor --json >"$1/before" || :
            \(mending)
            lanyard doctor --json >"$1/after" || :
            """)
        return (try home.read("\(home.path)/before"), try home.read("\(home.path)/after"))
    }

    private func codes(_ answer: [UInt8]) throws -> [JSONText] {
        try JSONText(answer).members["findings"]?.elements.compactMap { $0.members["code"] } ?? []
    }

    @Test func aFullDiskIsNamed() async throws {
        let answers = try await doctor(
            breaking: "dd if=/dev/zero of=\"$H/data/filler\" bs=64k 2>/dev/null || :",
            mending: "rm \"$H/data/filler\"")
        #expect(try codes(answers.before).contains("disk-full"))
        #expect(try !codes(answers.after).contains("disk-full"))
    }

    @Test func aReadOnlyFileSystemIsNamed() async throws {
        let answers = try await doctor(
            breaking: "mount -o remount,ro \"$H/data\"",
            mending: "mount -o remount,rw \"$H/data\"")
        #expect(try codes(answers.before).contains("place-read-only"))
        #expect(try !codes(answers.after).contains("place-read-only"))
    }

    /// The only one of these that no command mends: what counts is that locks work there.
    @Test(.needs(.remoteFolders)) func aNetworkFileSystemIsNamed() async throws {
        let answer = try await RemoteFolder.doctor(home, hasLocks: true)
        #expect(try codes(answer).contains("network-file-system"))
        #expect(try !codes(answer).contains("locks-refused"))
    }

    @Test(.needs(.remoteFolders)) func refusedLocksAreNamed() async throws {
        let answer = try await RemoteFolder.doctor(home, hasLocks: false)
        #expect(try codes(answer).contains("locks-refused"))
        // The variable that is set decides.
        let text = String(decoding: answer, as: UTF8.self)
        #expect(text.contains("choose another folder with LANYARD_HOME"), "\(text)")
    }
}
