import KeychainServices
import LinuxSystem
import TestSupport
import PlainTextScan
import Testing
import ToolCatalog
import ToolSetup

@testable import LanyardCommand

/// That secrets for programs and texts leave no copy of themselves in memory.
@Suite struct WipedMemoryTests {
    private let word = OwnMemory.Pattern.randomWord()

    /// Returns a keychain with an item whose secret is the word.
    private func makeKeychain() throws -> Keychain {
        let keychain = Keychain(
            InMemoryStore { Timestamp(secondsSinceEpoch: 0) }, accessGroups: .all())
        var secret = SecretBuilder()
        word.forEachByte(of: "SECRET") { secret.append($0) }
        var attributes = ItemAttributes()
        attributes.account = "ada"
        attributes.service = "psql"
        try keychain.add(.genericPassword, attributes, secret: secret.finish())
        return keychain
    }

    private func text(_ text: String) throws -> (ScratchFolder, path: String) {
        let folder = try ScratchFolder()
        word.write(text, to: "\(folder.path)/text")
        return (folder, "\(folder.path)/text")
    }

    @Test func environmentFile() throws {
        do {
            let (folder, path) = try text(
                String(repeating: "A=SECRET # c\n", count: 40)
                    + "B=\"\\\"SECRET\"\nC='SECRET'\nD=\"{{ lanyard:psql }} SECRET\"\n")
            let files = try EnvironmentFiles([path], except: [])
            let secrets = GrantedSecrets()
            try secrets.add(files, SecretLookup(in: makeKeychain(), group: nil))
            var program = ProgramReplacement("/bin/true", [])
            secrets.hand(to: &program)
            #expect(OwnMemory.count(word) > 0)
            withExtendedLifetime(folder) {}
        }
        #expect(OwnMemory.count(word) == 0)
    }

    @Test func template() throws {
        do {
            let (folder, path) = try text("a {{ lanyard:psql/ada }}\nSECRET {{ b }}\n")
            let template = try ReferenceText.parsing(path) { bytes throws(KeychainError) in
                try SecretTemplate(bytes, hasAssignments: true)
            }
            let result = try SecretLookup(in: makeKeychain(), group: nil).value(of: template)
            let count = result.count
            #expect(count > 2 * word.count)
            #expect(OwnMemory.count(word) > 0)
            withExtendedLifetime(folder) {}
        }
        #expect(OwnMemory.count(word) == 0)
    }

    /// Its file has a template.
    @Test func profile() throws {
        do {
            let profile = try #require(ToolProfile(program: "psql"))
            #expect(!profile.files.isEmpty)
            let secrets = GrantedSecrets()
            try secrets.add(
                ProfileGrant(profile, account: nil), SecretLookup(in: makeKeychain(), group: nil),
                for: ["psql"])
            var program = ProgramReplacement("/bin/true", [])
            secrets.hand(to: &program)
        }
        #expect(OwnMemory.count(word) == 0)
    }

    /// A repository's variables stand for the current folder.
    @Test func stagedFiles() throws {
        do {
            let folder = try ScratchFolder()
            let environment = SetupEnvironment(
                variables: [
                    "PATH": "/usr/bin:/bin", "HOME": folder.path, "GIT_CONFIG_NOSYSTEM": "1",
                    "GIT_DIR": "\(folder.path)/.git", "GIT_WORK_TREE": folder.path,
                ], stateFolder: folder.path)
            // Longer than what is in memory next.
            word.write(String(repeating: "SECRET\n", count: 40), to: "\(folder.path)/text")
            for arguments in [["init", "-q"], ["add", "text"]] {
                let answer = try ForeignProgram("git", environment).run(arguments)
                #expect(answer.succeeded, "\(answer.complaint)")
            }
            var secrets = SearchedSecrets()
            var secret = SecretBuilder()
            word.forEachByte(of: "SECRET") { secret.append($0) }
            #expect(secrets.add(secret.finish(), account: nil, item: 0) == nil)
            var counts = ScanCounts()
            let found = try StagedFiles(environment).scan(secrets.finish(), &counts)
            #expect(found.map(\.line) == Array(1...40))
        }
        #expect(OwnMemory.count(word) == 0)
    }
}
