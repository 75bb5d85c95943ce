import Foundation
import KeychainServices
import Testing

@testable import LanyardConfiguration

@Suite("profiles in the configuration") struct ProfileSectionTests {
    private let home = FileManager.default.temporaryDirectory
        .appending(path: "lanyard-\(UUID().uuidString)").path

    private func configuration(_ text: String) throws -> Configuration {
        try Configuration(places: Places(home: home), proposed: Array(text.utf8), "")
    }

    @Test func sections() throws {
        let configuration = try configuration(
            """
            [profile "intranet"]
            program = intra
            variable = INTRA_TOKEN
            variable = INTRA_USER=account
            [profile "other"]
            variable = OTHER=signing-key
            [profile "intranet"]
            program = intra2
            """)
        #expect(
            try configuration.programProfiles() == [
                Configuration.ProgramProfile(
                    name: "intranet", programs: ["intra", "intra2"],
                    variables: [
                        .init(name: "INTRA_TOKEN", value: "secret"),
                        .init(name: "INTRA_USER", value: "account"),
                    ]),
                Configuration.ProgramProfile(
                    name: "other", programs: ["other"],
                    variables: [.init(name: "OTHER", value: "signing-key")]),
            ])
        #expect(configuration.mistakes.isEmpty && configuration.unknownSettings.isEmpty)
        let names = configuration.settings.map(\.name)
        #expect(names.count { $0 == "profile.intranet.variable" } == 2)
    }

    @Test(arguments: [
        "[profile \"x\"]\nprogram = x\n", "[profile \"x\"]\nvariable =\n",
        "[profile \"x\"]\nvariable = 1A\n", "[profile \"x\"]\nvariable = A-B\n",
        "[profile \"x\"]\nvariable = A=b c\n", "[profile \"x\"]\nvariable = A=\n",
        "[profile \"x\"]\nvariable = A\nvariable = A=account\n",
        "[profile \"x\"]\nprogram = /usr/bin/x\nvariable = A\n",
        "[profile \"x y\"]\nvariable = A\n", "[profile \"-x\"]\nvariable = A\n",
    ])
    func mistakes(_ text: String) throws {
        let configuration = try configuration(text)
        #expect(throws: KeychainError(.param)) { try configuration.programProfiles() }
        #expect(configuration.mistakes.map(\.status) == [.param])
    }

    @Test func unknownKeys() throws {
        let configuration = try configuration(
            "[profile]\nprogram = x\n[profile \"x\"]\nvariable = A\nfile = B\n")
        #expect(
            configuration.unknownSettings.map(\.name) == ["profile.program", "profile.x.file"])
    }
}
