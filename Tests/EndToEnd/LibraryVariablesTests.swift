import Testing

/// Variables that libraries read by which the programs are linked.
@Suite(.needs(.releaseBuild), .timeLimit(.minutes(5)))
struct LibraryVariablesTests {
    @Test(arguments: ["NETTLE_FAT_VERBOSE", "NETTLE_FAT_OVERRIDE"], ["", "1", "none"])
    func aHelperIsSilentAndAnswers(_ variable: String, _ value: String) async throws {
        let home = try ScratchHome()
        let login = "protocol=https\nhost=example.com\nusername=ada\n"
        for (operation, input, answer) in [
            ("store", login + "password=s3cret\n\n", ""),
            ("get", login + "\n", "username=ada\npassword=s3cret\n"),
        ] {
            let outcome = try await home.command(
                "git-credential-lanyard", [operation], input: Array(input.utf8),
                variables: [variable: value]
            ).run()
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.outputText == answer, "\(outcome)")
            #expect(outcome.errorText == "", "\(outcome)")
        }
        let status = try await home.command(
            "lanyard", ["list"], variables: [variable: value]
        ).run()
        #expect(status.status == 0 && status.errorText == "", "\(status)")
    }
}
