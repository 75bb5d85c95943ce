import Foundation
import KeychainServices
import Testing

@testable import LinuxSystem
@testable import SealedStore

@Suite("Temporary file") struct TemporaryFileTests {
    /// On a file system that knows no second names.
    @Test(arguments: [EPERM, EOPNOTSUPP])
    func isMadeWithoutLinks(code: Int32) throws {
        let folder = "\(NSTemporaryDirectory())/lanyard-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/x"
        for (text, isMade) in [("first", true), ("second", false)] {
            let injection = Injection("link", 1, code)
            // What another process would find there meanwhile, at any moment.
            let observe: @Sendable (String) -> Int32? = { call in
                let found = try? String(contentsOfFile: path, encoding: .utf8)
                #expect(found == nil || found == "first", "before \(call)")
                return injection.error(call)
            }
            let result = try SystemCalls.$injectedError.withValue(observe) {
                let file = try TemporaryFile(beside: path)
                try file.append(Array(text.utf8).span)
                return try file.make()
            }
            #expect(injection.hasFailed)
            #expect(result == isMade)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "first")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["x"])
    }

    /// Where a name can't be given in one step either.
    @Test(arguments: [EINVAL, ENOSYS])
    func isMadeOverAnEmptyFile(code: Int32) throws {
        let folder = "\(NSTemporaryDirectory())/lanyard-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/x"
        for (text, isMade) in [("first", true), ("second", false)] {
            let injections = [Injection("link", 1, EPERM), Injection("renameat2", 1, code)]
            let fail: @Sendable (String) -> Int32? = { call in
                injections.compactMap { $0.error(call) }.first
            }
            let result = try SystemCalls.$injectedError.withValue(fail) {
                let file = try TemporaryFile(beside: path)
                try file.append(Array(text.utf8).span)
                return try file.make()
            }
            #expect(injections.map(\.hasFailed) == [true, true])
            #expect(result == isMade)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "first")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["x"])
    }

    /// The machine key of a process that was killed there.
    @Test func aReservedNameOfAKilledProcessIsTaken() throws {
        let folder = "\(NSTemporaryDirectory())/lanyard-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/machine-key"
        let fail: @Sendable (String) -> Int32? = { call in
            ["link": EPERM, "renameat2": EINVAL][call]
        }
        try SystemCalls.$injectedError.withValue(fail) {
            #expect(
                FileManager.default.createFile(
                    atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
            let key = try MachineKey.readOrMake(stateFolder: folder)
            #expect(try MachineKey.readOrMake(stateFolder: folder).id == key.id)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["machine-key"])
    }

    @Test func aReservedNameOfALiveProcessIsLeft() async throws {
        let folder = "\(NSTemporaryDirectory())/lanyard-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/x"
        let made = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let fail: @Sendable (String) -> Int32? = { call in
                        ["link": EPERM, "renameat2": EINVAL][call]
                    }
                    return SystemCalls.$injectedError.withValue(fail) {
                        let bytes = [UInt8(number)]
                        do {
                            let file = try TemporaryFile(beside: path)
                            try file.append(bytes.span)
                            return try file.make()
                        } catch {
                            Issue.record(error)
                            return false
                        }
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(made == 1)
    }
}
