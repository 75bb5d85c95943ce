import KeychainServices
import TestSupport
import Testing

@testable import ToolSetup

/// That a setup and its undo leave no copy of a file's secrets in memory.
@Suite struct WipedSetupFileTests {
    struct Sample: CustomTestStringConvertible {
        let tool: Tool
        let names: [String]
        let file: String
        let text: String

        init(_ tool: Tool, _ names: [String], _ file: String, _ text: String) {
            self.tool = tool
            self.names = names
            self.file = file
            self.text = text
        }

        var testDescription: String { file }
    }

    private let word = OwnMemory.Pattern.randomWord()

    private func makeHome(_ file: String, _ text: String) throws -> SetupHome {
        let home = try SetupHome()
        for name in ["aws-credential", "pnpm-token", "cargo-credential", "kubectl-credential"] {
            try home.script("\(name)-lanyard", "exit 1")
        }
        try home.write(file, "")
        word.write(text, to: home.path(file))
        return home
    }

    @Test(arguments: [
        Sample(
            .docker, [], ".docker/config.json", #"{"auths": {"a.example": {"auth": "SECRET"}}}"#),
        Sample(.aws, ["default"], ".aws/config", "[default]\naws_secret_access_key = SECRET\n"),
        Sample(.pnpm, ["https://r.example"], ".npmrc", "//r.example/:_authToken=SECRET\n"),
        Sample(
            .git, [], ".gitconfig",
            """
            [http "https://a.example"]
                extraHeader = "Authorization: Bearer SECRET"
            [remote "a"]
                url = https://ada:SECRET@a.example

            """),
        Sample(.cargo, [], ".cargo/config.toml", "[registry]\ntoken = \"SECRET\"\n"),
    ])
    func setup(sample: Sample) throws {
        do {
            let home = try makeHome(sample.file, sample.text)
            let setup = ToolSetup(sample.tool, home.environment, names: sample.names)
            let plan = try setup.plan()
            #expect(!plan.changes.isEmpty)
            // The search finds what is there.
            #expect(OwnMemory.count(word) > 0)
            try setup.apply(plan)
            try setup.apply(setup.undoPlan())
        }
        #expect(OwnMemory.count(word) == 0)
    }

    @Test func kubectl() throws {
        do {
            let home = try makeHome(
                ".kube/config",
                """
                clusters:
                - cluster:
                    server: https://a.example:6443
                  name: one
                contexts:
                - context:
                    cluster: one
                    user: ada
                  name: ada@one
                current-context: ada@one
                users:
                - name: ada
                  user:
                    token: SECRET
                - name: bob
                  user: {token: SECRET}

                """)
            let keychain = Keychain(
                InMemoryStore { Timestamp(secondsSinceEpoch: 0) }, accessGroups: .all())
            let kubectl = KubectlSetup([], home.environment)
            let setup = home.setup(.kubectl)
            let plan = try setup.plan()
            #expect(try kubectl.plainLogins().count == 1)
            try kubectl.keepOriginal(for: plan, in: keychain)
            try setup.apply(plan)
            #expect(OwnMemory.count(word) > 0)
            let files = MovedFiles(in: keychain, home.environment)
            for file in try files.all() {
                let restored = RestoredFile(file, original: try files.original(file))
                #expect(try SetupCopies(home.environment).restore(restored))
            }
            try setup.apply(setup.undoPlan())
        }
        #expect(OwnMemory.count(word) == 0)
    }

    /// Logins are counted.
    @Test(arguments: [
        (".netrc", "machine a.example login ada password SECRET\n"),
        (".git-credentials", "https://ada:SECRET@a.example\n"),
    ])
    func leftover(file: String, text: String) throws {
        do {
            let home = try makeHome(file, text)
            let found = PlainTextLeftover.all(home.environment)
            #expect(found.map(\.logins) == [1])
        }
        #expect(OwnMemory.count(word) == 0)
    }
}
