import Foundation
import Glibc
import Testing

/// Without the right machine key the keychain stays shut, and as it is.
@Suite(.timeLimit(.minutes(10)))
struct MachineKeyTests {
    let home: ScratchHome
    let request = "protocol=https\nhost=example.com\nusername=ada\n"
    let secret = "distinctive-secret"

    init() async throws {
        home = try ScratchHome()
        try await home.store("\(request)password=\(secret)\n")
    }

    private func expectRefused(
        _ message: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try Snapshot(home.lanyard)
        for operation in ["get", "store", "erase"] {
            let input = operation == "get" ? request : "\(request)password=\(secret)\n"
            let outcome = try await home.helper(operation, input: input)
            expectRefusal(outcome, message, secret: secret, sourceLocation: sourceLocation)
        }
        let after = try Snapshot(home.lanyard)
        #expect(after.differences(from: before) == [], sourceLocation: sourceLocation)
    }

    @Test(arguments: [0, 1, 16, 31, 33, 64, 1 << 20])
    func ofTheWrongLengthIsRefused(_ count: Int) async throws {
        #expect(truncate(home.machineKey, count) == 0)
        try await expectRefused("it is not 32 bytes long")
    }

    @Test func ofAnotherKeychainIsRefused() async throws {
        let other = try ScratchHome()
        try await other.store("\(request)password=\(secret)\n")
        try Data(try other.read(other.machineKey)).write(to: URL(filePath: home.machineKey))
        chmod(home.machineKey, 0o600)
        try await expectRefused("machine key")
    }

    @Test func withAFlippedBitIsRefused() async throws {
        var bytes = try home.read(home.machineKey)
        bytes[31] ^= 1
        try Data(bytes).write(to: URL(filePath: home.machineKey))
        chmod(home.machineKey, 0o600)
        try await expectRefused("machine key")
    }

    @Test func thatIsMissingIsNotMadeAnew() async throws {
        #expect(unlink(home.machineKey) == 0)
        try await expectRefused("machine-key' is missing")
    }

    @Test func whoseFolderIsMissingIsNotMadeAnew() async throws {
        try FileManager.default.removeItem(atPath: home.state)
        try await expectRefused("machine-key' is missing")
    }

    private static let form = "lanyard machine key\n\u{0}\u{1}"
    private static let moved = "\u{0}\u{0}\u{0}\u{5}moved"
    private static let sealed = "\u{0}\u{0}\u{0}\u{7}systemd"

    /// lanyard(1) lists how a command ends that can't read it.
    @Test(arguments: [
        ("too short", 93), ("lanyard machine key\n", 93), (form, 93), (form + moved, 93),
        (form + sealed + "id", 93), (form + moved + "\u{0}\u{0}\u{0}\u{1}x", 93),
        ("lanyard machine key\n\u{0}\u{2}", 34), (form + "\u{0}\u{0}\u{0}\u{1}x", 34),
        (form + moved + "\u{0}\u{0}\u{0}\u{5}/none", 51),
    ])
    func endsWithAListedStatus(content: String, status: Int32) async throws {
        try Data(content.utf8).write(to: URL(filePath: home.machineKey))
        chmod(home.machineKey, 0o600)
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let page = try String(
            contentsOf: folder.appending(path: "../../../man/lanyard.1"), encoding: .utf8)
        let listed = page.matches(of: /\n\.It (\d+) Pq err/).compactMap { Int32($0.1) }
        for arguments in [["get", "https://example.com"], ["list"], ["verify"], ["unlock"]] {
            let outcome = try await home.command("lanyard", arguments).run()
            #expect(outcome.status == status && listed.contains(status), "\(outcome)")
            #expect(outcome.errorText.contains("the machine key '"), "\(outcome)")
        }
    }

    @Test func servesEveryKeychainThatIsMade() async throws {
        let before = try home.read(home.machineKey)
        try await home.succeeds("lanyard", "keychain", "delete", "--yes", "login")
        try await home.expectGet(request, "")
        try await home.store("\(request)password=\(secret)\n")
        #expect(try home.read(home.machineKey) == before)
        try await home.expectGet(request, "username=ada\npassword=\(secret)\n")
    }
}
