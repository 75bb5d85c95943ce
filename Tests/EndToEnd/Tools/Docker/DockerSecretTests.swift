import Foundation
import Testing
@testable import EndToEndRig

/// Whatever JSON can carry comes back.
@Suite(.timeLimit(.minutes(10)))
struct DockerSecretTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private struct Login: Codable {
        var ServerURL = "example.com"
        var Username = "ada"
        var Secret: String
    }

    /// 1 MiB with every kind of character: all that UTF-8 has two or three bytes for, one for each
    /// 64 of the others, and NUL.
    private static let secret: String = {
        var bytes: [UInt8] = []
        let scalars = Array(0..<0x1_0000) + Array(stride(from: 0x1_003F, to: 0x11_0000, by: 64))
        for scalar in scalars.compactMap(Unicode.Scalar.init) {
            bytes += UTF8.encode(scalar).map(Array.init) ?? []
        }
        bytes += Array(repeating: UInt8(ascii: "x"), count: (1 << 20) - bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }()

    /// All of it escaped, as few programs do but any may.
    private static var escaped: String {
        let units = secret.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return #"{"ServerURL":"example.com","Username":"ada","Secret":"\#(units.joined())"}"#
    }

    @Test func ofOneMebibyteWithEveryKindOfCharacter() async throws {
        #expect(Self.secret.utf8.count == 1 << 20)
        let plain = String(
            decoding: try JSONEncoder().encode(Login(Secret: Self.secret)), as: UTF8.self)
        try await home.storeForDocker(plain)
        let before = try Snapshot(home.lanyard)
        let outcome = try await home.dockerHelper("get", input: "example.com")
        expectAnswer(outcome, outcome.outputText)
        // Nothing before or after it but a newline.
        #expect(outcome.output.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(outcome.output.last == UInt8(ascii: "\n"))
        let login = try JSONDecoder().decode(Login.self, from: Data(outcome.output))
        #expect(login.ServerURL == "example.com")
        #expect(login.Username == "ada")
        #expect(login.Secret.utf8.elementsEqual(Self.secret.utf8))

        // The same, spelled in another way, is no change; nor is what was answered.
        try await home.storeForDocker(Self.escaped)
        try await home.storeForDocker(outcome.outputText)
        #expect(try Snapshot(home.lanyard).differences(from: before) == [])
    }

    /// 1 MiB takes 6 MiB then.
    @Test func inWhichAllIsEscaped() async throws {
        let secret = String(repeating: #"\u0001"#, count: 1 << 20)
        let login = #"{"ServerURL":"example.com","Username":"ada","Secret":"\#(secret)"}"# + "\n"
        try await home.storeForDocker(login)
        let outcome = try await home.dockerHelper("get", input: "example.com")
        #expect(outcome.status == 0)
        #expect(outcome.outputText == login)
    }
}
