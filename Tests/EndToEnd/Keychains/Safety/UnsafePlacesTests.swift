import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// A file or folder that is not its owner's alone, or not a file or folder at all, is refused, with
/// the command that mends it.
@Suite(.timeLimit(.minutes(10)))
struct UnsafePlacesTests {
    let home: ScratchHome
    let request = "protocol=https\nhost=example.com\nusername=ada\n"
    let secret = "distinctive-secret"

    /// What the helper keeps.
    enum Place: String, CaseIterable {
        case data
        case state
        case keychain
        case machineKey
        case anchor

        var isFolder: Bool { self == .data || self == .state }
    }

    init() async throws {
        home = try ScratchHome()
        try await home.store("\(request)password=\(secret)\n")
    }

    private func path(_ place: Place) throws -> String {
        switch place {
        case .data: home.data
        case .state: home.state
        case .keychain: home.keychain
        case .machineKey: home.machineKey
        case .anchor: home.anchor
        }
    }

    /// Expects that nothing is read or written, and returns the hint.
    private func expectRefused(
        _ message: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String? {
        let before = try Snapshot(home.path)
        var hint: String?
        for operation in ["get", "store", "erase"] {
            let input =
                operation == "get" ? request : "\(request)password=another-\(secret)\n"
            var command = try home.command(
                "git-credential-lanyard", [operation], input: Array(input.utf8))
            // A FIFO must not make us wait.
            command.timeLimit = .seconds(240)
            hint = expectRefusal(
                try await command.run(), message, secret: secret, sourceLocation: sourceLocation)
        }
        let after = try Snapshot(home.path)
        #expect(after.differences(from: before) == [], sourceLocation: sourceLocation)
        return hint
    }

    /// Expects that the hint is a command, and that after it all is well.
    private func expectMended(by hint: String?) async throws {
        try await home.shell(try #require(hint))
        try await home.expectGet(request, "username=ada\npassword=\(secret)\n")
        let after = try Snapshot(home.lanyard)
        for (name, entry) in after.entries where !name.isEmpty {
            #expect(entry.permissions == (entry.isFolder ? 0o700 : 0o600), "\(name)")
            #expect(entry.owner == geteuid())
        }
    }

    @Test(arguments: Place.allCases, [0o040, 0o020, 0o010, 0o004, 0o002, 0o001] as [mode_t])
    func openToOthers(_ place: Place, _ bit: mode_t) async throws {
        chmod(try path(place), (place.isFolder ? 0o700 : 0o600) | bit)
        let hint = try await expectRefused("is open to other users")
        try await expectMended(by: hint)
    }

    @Test(.needs(.root), arguments: Place.allCases)
    func anotherUsers(_ place: Place) async throws {
        #expect(chown(try path(place), 65534, gid_t.max) == 0)
        let hint = try await expectRefused("belongs to another user")
        try await expectMended(by: hint)
    }

    @Test(arguments: Place.allCases)
    func aSymbolicLink(_ place: Place) async throws {
        let path = try path(place)
        try FileManager.default.moveItem(atPath: path, toPath: "\(home.path)/elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: "\(home.path)/elsewhere")
        let hint = try #require(try await expectRefused("is a symbolic link"))
        // What a hint says before its command is for people.
        try await expectMended(
            by: hint.replacing("move its target here: ", with: "", maxReplacements: 1))
    }

    /// The user's own link is no place of Lanyard's.
    @Test func aLinkAsBackupStays() async throws {
        expectBackup(try await home.lanyard("backup", "\(home.path)/backup"))
        let link = "\(home.path)/link"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "\(home.path)/backup")
        let refused = try await home.lanyard("backup", "--replace", link)
        #expect(refused.status == 195, "\(refused)")
        #expect(
            refused.errorText == "lanyard: error: '\(link)' is a symbolic link\n", "\(refused)")
    }

    @Test(arguments: Place.allCases)
    func aLinkToNothing(_ place: Place) async throws {
        let path = try path(place)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: "\(home.path)/elsewhere")
        _ = try await expectRefused("is a symbolic link")
        #expect(access("\(home.path)/elsewhere", F_OK) == -1)
    }

    @Test(arguments: Place.allCases)
    func aFIFO(_ place: Place) async throws {
        let path = try path(place)
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, place.isFolder ? 0o700 : 0o600) == 0)
        _ = try await expectRefused("is not a \(place.isFolder ? "folder" : "file")")
    }

    @Test(arguments: Place.allCases)
    func theOtherKind(_ place: Place) async throws {
        let path = try path(place)
        try FileManager.default.removeItem(atPath: path)
        if place.isFolder {
            try Data().write(to: URL(filePath: path))
            chmod(path, 0o700)
        } else {
            #expect(mkdir(path, 0o600) == 0)
        }
        _ = try await expectRefused("is not a \(place.isFolder ? "folder" : "file")")
    }

    /// A journal is looked at by SQLite itself.
    @Test func aFIFOAsJournal() async throws {
        #expect(mkfifo("\(home.keychain)-journal", 0o600) == 0)
        _ = try await expectRefused("")
    }

    @Test func aSymbolicLinkAsJournal() async throws {
        let victim = try home.write("not ours\n", to: "victim")
        try FileManager.default.createSymbolicLink(
            atPath: "\(home.keychain)-journal", withDestinationPath: victim)
        _ = try await expectRefused("")
    }

    @Test func aFolderAsJournal() async throws {
        #expect(mkdir("\(home.keychain)-journal", 0o700) == 0)
        _ = try await expectRefused("")
    }

    /// The hint is one word to the shell, whatever the path is.
    @Test func aPathThatAShellWouldTakeApart() async throws {
        let folder = "\(home.path)/it's $HOME; `x` \"y\" *"
        let variables: [String: String?] = ["LANYARD_HOME": folder]
        let login = "\(request)password=\(secret)\n"
        expectAnswer(try await home.helper("store", input: login, variables: variables), "")
        chmod("\(folder)/data/login.keychain", 0o644)
        let refused = try await home.helper("get", input: request, variables: variables)
        let hint = expectRefusal(refused, "is open to other users", secret: secret)
        try await home.shell(try #require(hint))
        expectAnswer(
            try await home.helper("get", input: request, variables: variables),
            "username=ada\npassword=\(secret)\n")
    }

    @Test func aPathWithControlCharacters() async throws {
        let variables: [String: String?] = ["LANYARD_HOME": "\(home.path)/a\nb\u{1B}[31mc"]
        let login = "\(request)password=\(secret)\n"
        expectAnswer(try await home.helper("store", input: login, variables: variables), "")
        chmod("\(home.path)/a\nb\u{1B}[31mc/data/login.keychain", 0o644)
        let refused = try await home.helper("get", input: request, variables: variables)
        expectRefusal(refused, "is open to other users", secret: secret)
        #expect(!refused.error.contains(0x1B), "\(refused)")
    }
}
