import Testing
@testable import EndToEndRig

/// `lanyard certificate remove --key`: which private keys stay.
@Suite(.needs(.openssl), .timeLimit(.minutes(10)))
struct RemoveCertificateTests {
    let home: ScratchHome
    let made: MadeCertificates

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
    }

    @Test func aRenewedCertificateKeepsTheKey() async throws {
        try await home.shell(
            """
            cd "$1"
            openssl x509 -req -in ada.csr -CA issuer.pem -CAkey issuer.key -CAcreateserial \\
                -days 3650 -extfile ada.extensions -out renewed.pem 2>>log
            """, made.folder)
        for name in ["ada", "renewed"] {
            try await home.importCertificates(
                "--name", name, made.path("\(name).pem"), expecting: "1 certificate")
        }
        try await home.importCertificates(made.path("ada.key"), expecting: "1 key")
        #expect(try await home.listedNames("identity") == ["ada", "renewed"])
        let first = try await home.lanyardAlone(["certificate", "remove", "--key", "ada"])
        #expect(first.status == 0 && first.outputText == "", "\(first)")
        #expect(
            first.errorText
                == "lanyard: the private key stays, because another certificate needs it\n")
        #expect(try await home.listedNames("identity") == ["renewed"])
        let second = try await home.lanyardAlone(["certificate", "remove", "--key", "renewed"])
        expectAnswer(second, "")
        #expect(try await home.listedNames("certificate") == [])
        #expect(try await home.listedNames("key") == [])
    }

    @Test func otherGroupsKeepTheirs() async throws {
        try await home.shell("cd \"$1\" && cat ada.pem ada.key >one.pem", made.folder)
        for group in ["app", "shared"] {
            try await home.importCertificates(
                "--group", group, made.path("one.pem"), expecting: "1 key, 1 certificate")
        }
        let removed = try await home.lanyardAlone(
            ["certificate", "remove", "--key", "--group", "shared", MadeCertificates.user])
        expectAnswer(removed, "")
        #expect(try await home.listedNames("identity") == [MadeCertificates.user])
        #expect(try await home.listedNames("key") == [MadeCertificates.user])
    }
}
