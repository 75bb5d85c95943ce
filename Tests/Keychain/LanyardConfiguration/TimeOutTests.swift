import TestSupport
import Foundation
import KeychainServices
import Testing

@testable import LanyardConfiguration

@Suite("durations")
struct TimeOutTests {
    @Test(
        "with a unit or in seconds",
        arguments: [
            ("8h", 28800), ("30m", 1800), ("90s", 90), ("2d", 172_800), ("45", 45), ("1", 1),
            ("007m", 420), ("2147483647", 2_147_483_647), ("24855d", 2_147_472_000),
        ] as [(String, UInt32)])
    func seconds(text: String, seconds: UInt32) throws {
        #expect(try TimeOut(parsing: text) == .seconds(seconds))
    }

    @Test func never() throws {
        #expect(try TimeOut(parsing: "never") == .never)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "0", "0s", "00h", "-1", "+1", "1.5h", "1,5h", "8 h", " 8h", "8h ", "h", "8H", "8hh",
            "8w", "8h30m", "Never", "ever", "٣s", "1_0", "0x10", "1e3", "2147483648", "4294967296",
            "24856d", "99999999999999999999d", "715828d", "8h\n",
        ])
    func refused(text: String) {
        let error = #expect(throws: KeychainError.self) { try TimeOut(parsing: text) }
        #expect(error?.status == .param)
        #expect(error?.hint == "for example 8h, 30m, 90s or never")
    }

    @Test(
        "lanyard.autolock",
        arguments: [("", nil), ("\tautolock = 30m\n", "30m"), ("\tautolock = never\n", "never")]
            as [(String, String?)])
    func configured(lines: String, value: String?) throws {
        let home = try Home("[lanyard]\n\(lines)")
        let configuration = try Configuration(places: home.places)
        #expect(try configuration.autolock() == TimeOut(parsing: value ?? "8h"))
        let setting = configuration.settings.first { $0.name == "lanyard.autolock" }
        #expect(setting?.value == value ?? "8h")
        #expect(setting?.origin == (value == nil ? "default" : "\(home.file):2"))
        #expect(configuration.unknownSettings.isEmpty)
    }

    @Test(
        "a value that is not a time is reported with its place", arguments: [" = 0", " = soon", ""])
    func misconfigured(rest: String) throws {
        let home = try Home("[lanyard]\n\n\tautolock\(rest)\n")
        let configuration = try Configuration(places: home.places)
        let error = #expect(throws: KeychainError.self) { try configuration.autolock() }
        #expect(error?.status == .param)
        #expect(error?.reason == "lanyard.autolock is not a duration (\(home.file):3)")
        #expect(error?.hint == "for example 8h, 30m, 90s or never")
    }
}

/// A home folder with a configuration.
private final class Home {
    let places: Places
    let file: String
    private let folder: ScratchFolder

    init(_ configuration: String) throws {
        folder = try ScratchFolder()
        places = Places(home: folder.path)
        file = "\(places.configuration)/config"
        try FileManager.default.createDirectory(
            atPath: places.configuration, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try Data(configuration.utf8).write(to: URL(filePath: file))
    }
}
