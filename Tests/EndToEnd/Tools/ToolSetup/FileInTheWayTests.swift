import Foundation
import KeychainServices
import Testing

@testable import ToolSetup
import LinuxSystem

@Suite("files that are in the way, and links")
struct FileInTheWayTests {
    private static let file = ".docker/config.json"
    private let home: SetupHome

    init() throws {
        home = try SetupHome()
        try home.write(FileInTheWayTests.file, "{\"a\":1}")
    }

    /// Expects that a setup fails and nothing is changed, not even the state folder made.
    private func expectRefused(
        _ status: Status, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try home.tree()
        let error = failure({ try home.setUp(.docker) }, sourceLocation: sourceLocation)
        #expect(error?.status == status, sourceLocation: sourceLocation)
        #expect(
            error?.reason.contains(words) == true, "\(error as Any)", sourceLocation: sourceLocation
        )
        #expect(try home.tree() == before, sourceLocation: sourceLocation)
        #expect(!home.exists("../state"), sourceLocation: sourceLocation)
    }

    private func attributes(_ name: String, _ attributes: [FileAttributeKey: Any]) throws {
        try FileManager.default.setAttributes(attributes, ofItemAtPath: home.path(name))
    }

    @Test("a read-only file")
    func readOnlyFile() async throws {
        try attributes(FileInTheWayTests.file, [.posixPermissions: 0o444])
        try expectRefused(.writePermissions, "is read-only")
    }

    @Test("a read-only folder")
    func readOnlyFolder() async throws {
        try attributes(".docker", [.posixPermissions: 0o555])
        try expectRefused(.writePermissions, "is read-only")
        try attributes(".docker", [.posixPermissions: 0o755])
    }

    @Test(
        "another user's file",
        .enabled(if: SystemCalls.effectiveUser == 0, "only root can give files away"))
    func foreignFile() async throws {
        try attributes(FileInTheWayTests.file, [.ownerAccountID: 12345])
        try expectRefused(.writePermissions, "belongs to another user")
    }

    @Test(
        "sudo makes no file in its user's folder", .enabled(if: SystemCalls.effectiveUser == 0),
        arguments: [".docker", ".docker/missing"])
    func folderOfSudosUser(folder: String) async throws {
        try FileManager.default.removeItem(atPath: home.path(FileInTheWayTests.file))
        try attributes(".docker", [.ownerAccountID: 12345])
        let path = "\(home.path(folder))/config.json"
        await #expect(processExitsWith: .success) { [path = path as String] in
            setenv("SUDO_UID", "12345", 1)
            let error = failure { try TargetFile(path).checkReplaceable(.secret) }
            #expect(error?.status == .writePermissions)
            #expect(
                error?.reason
                    == "can't make '\(path)' as root: it would be in another user's folder")
            setenv("SUDO_UID", "12346", 1)
            try TargetFile(path).checkReplaceable(.secret)
        }
    }

    @Test("a place that a variable leads to")
    func placeOfAVariable() throws {
        for (variable, value, tool) in [
            ("DOCKER_CONFIG", "\(home.folder)/no/docker", Tool.docker),
            ("GIT_CONFIG_GLOBAL", "\(home.folder)/no/gitconfig", .git),
        ] {
            home.variables[variable] = value
            let file = tool == .git ? value : "\(value)/config.json"
            SystemCalls.$injectedError.withValue({ $0 == "faccessat" ? EACCES : nil }) {
                let error = failure { try home.setUp(tool) }
                #expect(
                    error?.reason.hasPrefix(
                        "can't make '\(file)': can't write in the folder '\(home.folder)'")
                        == true, "\(error as Any)")
                #expect(
                    error?.hint
                        == "\(variable) leads there: set it to a place that you can write, or unset it"
                )
            }
        }
    }

    @Test("a file system that is mounted read-only", arguments: ["file", "folder"])
    func readOnlyFileSystem(what: String) async throws {
        if what == "folder" {
            try FileManager.default.removeItem(atPath: home.path(FileInTheWayTests.file))
        }
        try SystemCalls.$injectedError.withValue({ call in
            call == "faccessat" ? EROFS : nil
        }) {
            try expectRefused(.readOnly, "can't write")
        }
    }

    @Test("a folder or a pipe in the file's place", arguments: [0, 1])
    func notAFile(kind: Int) async throws {
        try FileManager.default.removeItem(atPath: home.path(FileInTheWayTests.file))
        if kind == 0 {
            try FileManager.default.createDirectory(
                atPath: home.path(FileInTheWayTests.file), withIntermediateDirectories: false)
        } else {
            mkfifo(home.path(FileInTheWayTests.file), 0o600)
        }
        try expectRefused(
            .writePermissions, kind == 0 ? "is a folder, not a file" : "is not a valid file name")
    }

    @Test("a file in the folder's place")
    func folderIsAFile() async throws {
        try FileManager.default.removeItem(atPath: home.path(".docker"))
        try home.write(".docker", "")
        try expectRefused(.writePermissions, "is not a valid file name")
    }

    @Test("a link that leads to itself")
    func endlessLink() async throws {
        try FileManager.default.removeItem(atPath: home.path(FileInTheWayTests.file))
        try FileManager.default.createSymbolicLink(
            atPath: home.path(FileInTheWayTests.file), withDestinationPath: "config.json")
        try expectRefused(.io, "too many symbolic links")
    }

    @Test("a file that is too long")
    func tooLong() async throws {
        try home.write(FileInTheWayTests.file, [UInt8](repeating: 0x20, count: 16 << 20 + 1))
        try expectRefused(.dataTooLarge, "longer than 16 MiB")
    }

    @Test("a link stays a link, and its target keeps mode and group", arguments: [true, false])
    func link(isRelative: Bool) throws {
        try home.write("dotfiles/docker.json", Array("{\"a\":1}".utf8), mode: 0o640)
        if SystemCalls.effectiveUser == 0 {
            try attributes("dotfiles/docker.json", [.groupOwnerAccountID: 12345])
        }
        try FileManager.default.removeItem(atPath: home.path(FileInTheWayTests.file))
        try FileManager.default.createSymbolicLink(
            atPath: home.path(".docker/hop"),
            withDestinationPath: isRelative
                ? "../dotfiles/docker.json" : home.path("dotfiles/docker.json"))
        try FileManager.default.createSymbolicLink(
            atPath: home.path(FileInTheWayTests.file), withDestinationPath: "hop")
        let before = try home.tree()
        let group =
            try FileManager.default.attributesOfItem(
                atPath: home.path("dotfiles/docker.json"))[.groupOwnerAccountID] as? Int
        try home.setUp(.docker)
        var during = try home.tree()
        #expect(try home.read("dotfiles/docker.json") == "{\"a\":1,\"credsStore\":\"lanyard\"}")
        #expect(try home.mode("dotfiles/docker.json") == 0o640)
        let groupThen =
            try FileManager.default.attributesOfItem(
                atPath: home.path("dotfiles/docker.json"))[.groupOwnerAccountID] as? Int
        #expect(groupThen == group)
        during["dotfiles/docker.json"] = before["dotfiles/docker.json"]
        #expect(during == before)
        try home.undo(.docker)
        #expect(try home.tree() == before)
    }

    /// git also gives the file its own group then.
    @Test(
        "a file of a group that the user is not in",
        .enabled(if: SystemCalls.effectiveUser == 0, "only root can give files away"),
        arguments: [(0o664, 0o644), (0o660, 0o600), (0o600, 0o600)])
    func foreignGroup(mode: Int, then: Int) throws {
        try attributes(
            FileInTheWayTests.file, [.groupOwnerAccountID: 12345, .posixPermissions: mode])
        try SystemCalls.$injectedError.withValue({ $0 == "fchown" ? EPERM : nil }) {
            try home.setUp(.docker)
        }
        #expect(try home.read(FileInTheWayTests.file).contains("lanyard"))
        #expect(try home.mode(FileInTheWayTests.file) == then)
    }

    @Test("a dangling link gets its file, and loses it again")
    func danglingLink() throws {
        try FileManager.default.removeItem(atPath: home.path(FileInTheWayTests.file))
        try FileManager.default.createSymbolicLink(
            atPath: home.path(FileInTheWayTests.file), withDestinationPath: "../new/docker.json")
        let before = try home.tree()
        try home.setUp(.docker)
        #expect(home.exists("new/docker.json"))
        try home.undo(.docker)
        #expect(try home.tree() == before)
    }
}
