import KeychainServices
import TestSupport
import Testing
import ToolSetup

@testable import LanyardDiagnosis

/// That checks leave no copy of a password in git's configuration in memory.
@Suite struct WipedDiagnosisMemoryTests {
    private let word = OwnMemory.Pattern.randomWord()

    @Test func configuration() throws {
        do {
            let folder = try ScratchFolder()
            let variables = [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "GIT_DIR": "/dev/null",
                "GIT_CONFIG_NOSYSTEM": "1",
            ]
            word.write(
                """
                [remote "a"]
                    url = https://ada:SECRET@a.example/b
                [http]
                    extraHeader = "Authorization: Basic SECRET"
                [credential]
                    helper = "!f() { echo password=SECRET; }; f"

                """, to: "\(folder.path)/.gitconfig")
            let configuration = try GitConfiguration(
                SetupEnvironment(variables: variables, stateFolder: folder.path))
            #expect(OwnMemory.count(word) > 0)
            let remotes = configuration.remotes
            #expect(remotes.map(\.url) == ["https://ada@a.example/b"])
            #expect(remotes.map(\.hasPassword) == [true])
            let helper = try #require(configuration.inForce.first)
            #expect(helper.helper.name == "!f() …")
            #expect(helper.helper.program == nil)
            #expect(!helper.helper.isLanyard && !configuration.isSetUp)
            #expect(configuration.unset(helper) == nil)
        }
        #expect(OwnMemory.count(word) == 0)
    }
}
