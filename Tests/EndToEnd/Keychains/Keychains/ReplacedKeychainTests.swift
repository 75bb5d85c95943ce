import Foundation
import Testing
@testable import EndToEndRig

/// A keychain that disappeared is not made anew, and another one in its place is not taken for it.
@Suite(.timeLimit(.minutes(10)))
struct ReplacedKeychainTests {
    let home: ScratchHome
    private let request = "protocol=https\nhost=example.com\n"

    init() async throws {
        home = try ScratchHome()
        try await home.store("\(request)username=ada\npassword=distinctive-secret\n")
    }

    @Test func oneThatDisappearedIsNamed() async throws {
        try await home.shell("mv \"$1\" \"$HOME/away\"", home.keychain)
        let before = try Snapshot(home.lanyard)
        let said = "the keychain file '\(home.keychain)' has disappeared"
        for outcome in [
            try await home.lanyard("set", "x", "--stdin", input: "secret"),
            try await home.lanyard("get", "x"), try await home.lanyard("status"),
            try await home.helper("store", input: "\(request)username=bob\npassword=new\n"),
            try await home.helper("get", input: request),
        ] {
            #expect(outcome.status != 0, "\(outcome)")
            #expect(outcome.errorText.contains(said), "\(outcome)")
        }
        let doctor = try await home.lanyard("doctor")
        #expect(doctor.outputText.contains("is gone"), "\(doctor)")
        #expect(try Snapshot(home.lanyard).differences(from: before) == [])
        try await home.shell("mv \"$HOME/away\" \"$1\"", home.keychain)
        try await home.expectGet(request, "username=ada\npassword=distinctive-secret\n")
    }

    @Test func oneThatIsGivenUpIsMadeAnew() async throws {
        try await home.shell("rm \"$1\"", home.keychain)
        let asked = try await home.lanyard("keychain", "delete", "login")
        #expect(asked.errorText.contains("lanyard keychain delete --yes login"), "\(asked)")
        expectAnswer(try await home.lanyard("keychain", "delete", "--yes", "login"), "")
        try await home.store("\(request)username=bob\npassword=new\n")
        try await home.expectGet(request, "username=bob\npassword=new\n")
    }

    /// Copied over the one with a passphrase it would take that away.
    @Test func anotherOneInItsPlaceIsRefused() async throws {
        expectAnswer(try await home.lanyard("keychain", "create", "work"), "")
        try await home.shell("cp \"$1/work.keychain\" \"$1/login.keychain\"", home.data)
        let before = try Snapshot(home.lanyard)
        for outcome in [
            try await home.helper("get", input: request),
            try await home.helper("store", input: "\(request)username=eve\npassword=stolen\n"),
        ] {
            #expect(outcome.status == 1, "\(outcome)")
            #expect(outcome.errorText.contains("not the keychain last used"), "\(outcome)")
            #expect(outcome.errorText.contains("lanyard keychain accept-restore"), "\(outcome)")
        }
        #expect(try Snapshot(home.lanyard).differences(from: before) == [])
        expectAnswer(
            try await home.lanyard("keychain", "accept-restore"),
            "the keychain 'login' was accepted as it is\n")
        try await home.expectGet(request, "")
    }
}
