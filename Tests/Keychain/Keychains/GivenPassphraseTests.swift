import LanyardConfiguration
import TestSupport
import Foundation
import Glibc
import KeychainServices
import SealedStore
import Testing

@testable import Keychains

@Suite("a passphrase that a program is given", .timeLimit(.minutes(5)))
struct GivenPassphraseTests {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test func fromSystemd() async throws {
        _ = try folder.write("lanyard.passphrase", "systemd\n".utf8)
        _ = try folder.write("file", "file\n".utf8)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            setenv("LANYARD_HOME", "\(path)/home", 1)
            setenv("CREDENTIALS_DIRECTORY", path, 1)
            setenv("LANYARD_PASSPHRASE_FILE", "\(path)/file", 1)
            try expectGiven("systemd", from: "CREDENTIALS_DIRECTORY")
        }
    }

    @Test func fromAFile() async throws {
        _ = try folder.write("file", "file\n".utf8)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            setenv("LANYARD_HOME", "\(path)/home", 1)
            setenv("LANYARD_PASSPHRASE_FILE", "\(path)/file", 1)
            for credentials in [path, "\(path)/none", "\(path)/file", ""] {
                setenv("CREDENTIALS_DIRECTORY", credentials, 1)
                try expectGiven("file", from: "LANYARD_PASSPHRASE_FILE")
            }
        }
    }

    /// One program may need it more than once, and for several keychains.
    @Test func aPipeServesSeveralTimes() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            setenv("LANYARD_HOME", "\(path)/home", 1)
            unsetenv("CREDENTIALS_DIRECTORY")
            let pipe = try TestDescriptor(piping: "piped\n")
            setenv("LANYARD_PASSPHRASE_FILE", "\(pipe.number)", 1)
            let unlocker = KeychainUnlocker(name: "login", configuration: try Configuration())
            for _ in 0..<3 {
                try expectGiven("piped", from: "LANYARD_PASSPHRASE_FILE", unlocker)
                try expectGiven("piped", from: "LANYARD_PASSPHRASE_FILE")
            }
        }
    }

    /// Services run for long.
    @Test func aFileIsReadAnew() async throws {
        _ = try folder.write("file", "file\n".utf8)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            setenv("LANYARD_HOME", "\(path)/home", 1)
            unsetenv("CREDENTIALS_DIRECTORY")
            setenv("LANYARD_PASSPHRASE_FILE", "\(path)/file", 1)
            let unlocker = KeychainUnlocker(name: "login", configuration: try Configuration())
            try expectGiven("file", from: "LANYARD_PASSPHRASE_FILE", unlocker)
            try "new".write(toFile: "\(path)/file", atomically: true, encoding: .utf8)
            try expectGiven("new", from: "LANYARD_PASSPHRASE_FILE", unlocker)
        }
    }

    @Test func nothingIsGiven() async throws {
        await #expect(processExitsWith: .success) {
            unsetenv("CREDENTIALS_DIRECTORY")
            setenv("LANYARD_PASSPHRASE_FILE", "", 1)
            let isNothing = try GivenPassphrase.file() == nil
            #expect(isNothing)
        }
    }

    /// What was meant to be used must not be passed over in silence.
    @Test func aCredentialThatCannotBeRead() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/lanyard.passphrase", withDestinationPath: "nowhere")
        _ = try folder.write("file", "file\n".utf8)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            setenv("LANYARD_PASSPHRASE_FILE", "\(path)/file", 1)
            setenv("CREDENTIALS_DIRECTORY", path, 1)
            let error = #expect(throws: KeychainError.self) {
                _ = try GivenPassphrase.file()?.read()
            }
            #expect(error?.status == .authFailed)
            #expect(error?.reason.contains("CREDENTIALS_DIRECTORY") == true)
        }
    }
}

/// - Parameter unlocker: nil for a new one.
private func expectGiven(
    _ text: String, from origin: String, _ unlocker: KeychainUnlocker? = nil
) throws {
    let unlocker = try unlocker ?? KeychainUnlocker(name: "login", configuration: Configuration())
    switch try unlocker.givenPassphrase() {
    case .some(let given):
        let isSame = given.secret.isEqual(to: Secret(text))
        #expect(isSame)
        let found = given.origin
        #expect(found == origin)
    case .none: Issue.record("nothing is given")
    }
}
