import KeychainServices
import SealedStore
import Testing

@testable import LanyardDiagnosis

@Suite("doctor's advice about a keychain that fails")
struct KeychainsCheckTests {
    /// Returns the finding's code and advice.
    private func finding(_ error: KeychainError) -> (code: FindingCode, advice: String)? {
        let keychain = SealedKeychain(
            name: "login",
            location: KeychainLocation(file: "/x/login.keychain", stateFolder: "/y", name: "login"),
            isInUse: true, isFirst: true)
        let finding = KeychainsCheck.finding(of: error, keychain)
        guard case .advice(let advice) = finding.remedy else {
            return nil
        }
        return (finding.code, advice.full)
    }

    @Test(
        "restoring a backup would overwrite an intact file",
        arguments: [nil, "use the keychain once where its folder is writable"])
    func intact(hint: String?) throws {
        let found = try #require(finding(KeychainError(.io, "too many open files", hint: hint)))
        #expect(found.code == .keychainUnreadable)
        #expect(found.advice == hint ?? "remove this cause; the file itself may have no fault")
    }

    @Test("a file that is no longer a keychain needs a backup")
    func damaged() throws {
        let found = try #require(finding(KeychainError(.invalidKeychain, "not a keychain")))
        #expect(found.code == .keychainWrongFormat)
        #expect(
            found.advice
                == "restore it from a backup: lanyard restore FILE; or forget it: lanyard keychain delete login"
        )
    }
}
