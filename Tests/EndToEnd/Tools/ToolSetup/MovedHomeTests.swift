import Foundation
import KeychainServices
import Testing

@testable import ToolSetup

@Suite("undoing a setup after its files have moved")
struct MovedHomeTests {
    private let home: SetupHome

    init() throws {
        home = try SetupHome()
        try home.write(".gitconfig", "[user]\n\tname = ada\n")
    }

    /// The environment of a home folder with lanyard's records in their usual place.
    private func environment(_ folder: String) -> SetupEnvironment {
        var variables = home.variables
        variables["HOME"] = folder
        var environment = SetupEnvironment(
            variables: variables, stateFolder: "\(folder)/.local/state/lanyard")
        environment.jobFolders = home.jobFolders
        return environment
    }

    private func setUp(_ tool: Tool, _ environment: SetupEnvironment) throws {
        let setup = ToolSetup(tool, environment)
        try setup.apply(try setup.plan())
    }

    private func undo(_ tool: Tool, _ environment: SetupEnvironment) throws {
        let setup = ToolSetup(tool, environment)
        try setup.apply(try setup.undoPlan())
    }

    private func move(_ path: String, to other: String) throws {
        try FileManager.default.createDirectory(
            atPath: (other as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: path, toPath: other)
    }

    @Test("the home folder has moved: everything there is undone")
    func movedHome() throws {
        let first = environment(home.path(""))
        let before = try home.tree()
        for folder in ["\(home.folder)/home", "\(home.folder)/a b/home"] {
            try setUp(.git, environment("\(home.folder)/home"))
            try setUp(.docker, environment("\(home.folder)/home"))
            if folder != "\(home.folder)/home" {
                try move("\(home.folder)/home", to: folder)
            }
            try undo(.docker, environment(folder))
            try undo(.git, environment(folder))
            if folder != "\(home.folder)/home" {
                try move(folder, to: "\(home.folder)/home")
            }
            try FileManager.default.removeItem(atPath: home.path(".local"))
            #expect(try home.tree() == before)
        }
        #expect(failure { try undo(.git, first) }?.status == .itemNotFound)
    }

    /// The record stays for an undo after the file has moved back.
    @Test("the file has moved, and git uses lanyard")
    func movedFile() throws {
        let before = try home.tree()
        try home.setUp(.git)
        try move(home.path(".gitconfig"), to: home.path(".config/git/config"))
        for _ in 0..<2 {
            let error = failure { try home.undo(.git) }
            #expect(
                error?.reason
                    == "'\(home.path(".gitconfig"))' holds nothing of the setup, but git uses lanyard"
            )
            #expect(error?.hint == "git config --show-origin --get-all credential.helper")
        }
        try move(home.path(".config/git/config"), to: home.path(".gitconfig"))
        try FileManager.default.removeItem(atPath: home.path(".config"))
        try home.undo(.git)
        #expect(try home.tree() == before)
    }

    @Test("a file with logins is looked for in the home folder that it moved with")
    func movedLogins() throws {
        let keychain = Keychain(
            InMemoryStore { Timestamp(secondsSinceEpoch: 0) }, accessGroups: .all())
        func keep(_ path: String, _ environment: SetupEnvironment) throws {
            try MovedFiles(in: keychain, environment).keep(
                path, .leftover(.gitCredentials), original: Secret(copying: Array(path.utf8).span),
                rest: nil)
        }
        func moved(_ environment: SetupEnvironment) throws -> [String] {
            try MovedFiles(in: keychain, environment).all().map(\.path).sorted()
        }
        let (ada, ben) = ("\(home.folder)/ada", "\(home.folder)/ben")
        try keep("\(ada)/.git-credentials", environment(ada))
        try keep("/srv/credentials", environment(ada))
        try move(ada, to: ben)
        #expect(
            try moved(environment(ben)) == ["/srv/credentials", "\(ben)/.git-credentials"].sorted())
        // Records in another folder don't move with it.
        home.variables["HOME"] = "/home/ada"
        try keep("/home/ada/.netrc", home.environment)
        home.variables["HOME"] = "/home/ben"
        #expect(try moved(home.environment) == ["/home/ada/.netrc"])
    }

    /// It may be another machine's, or made to have a file written here.
    @Test("an item that this machine did not make is none of its files")
    func madeElsewhere() throws {
        let keychain = Keychain(
            InMemoryStore { Timestamp(secondsSinceEpoch: 0) }, accessGroups: .all())
        let files = MovedFiles(in: keychain, home.environment)
        try files.keep(
            home.path(".netrc"), .leftover(.netrc), original: Secret("one"), rest: nil)
        var query = Query(.genericPassword)
        query.attributes.accessGroup = MovedFiles.accessGroup
        let found = try #require(try keychain.attributes(of: query).first)
        for other in [" none", " none 00000000000000000000000000000000"] {
            var attributes = found
            attributes.service = ByteString("~/.profile\(other.count)")
            attributes.comment = ByteString(home.path(".profile"))
            let digest = found.generic?.description.split(separator: " ").first ?? ""
            attributes.generic = ByteString(digest + other)
            try keychain.add(.genericPassword, attributes, secret: Secret("two"))
        }
        #expect(try files.all().map(\.path) == [home.path(".netrc")])
        try files.forget(try #require(files.all().first))
        #expect(try files.all().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: home.environment.folder))
    }
}
