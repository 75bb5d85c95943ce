import Foundation
import KeychainServices
import TestSupport
import Testing

@testable import LanyardConfiguration
@testable import LanyardDiagnosis

@Suite("folders that can't be used")
struct PlacesCheckTests {
    private let folder: ScratchFolder
    private let home: String

    init() throws {
        folder = try ScratchFolder()
        home = "\(folder.path)/home"
    }

    private var findings: [(what: String, remedy: String)] {
        PlacesCheck.unusable(Places(home: "\(home)/lanyard")).map { finding in
            #expect(finding.code == .placeUnusable && finding.severity == .error)
            guard case .advice(let text) = finding.remedy else {
                return (finding.what.full, "")
            }
            return (finding.what.full, text.full)
        }
    }

    @Test("missing folders can be made")
    func missing() throws {
        #expect(findings.isEmpty)
        try FileManager.default.createDirectory(
            atPath: "\(home)/lanyard/data", withIntermediateDirectories: true)
        #expect(findings.isEmpty)
    }

    @Test(
        "the home folder is a file, or a link to nothing",
        arguments: [true, false])
    func notAFolder(isFile: Bool) throws {
        if isFile {
            _ = try folder.write("home", "".utf8)
        } else {
            try FileManager.default.createSymbolicLink(
                atPath: home, withDestinationPath: "\(folder.path)/gone")
        }
        #expect(
            findings.map(\.what) == [
                "can't make the folder '\(home)/lanyard/data': '\(home)' is not a folder"
            ])
        #expect(findings.map(\.remedy) == ["set LANYARD_HOME to a folder of your own"])
    }

    @Test("another user's link leads to it", .enabled(if: geteuid() == 0))
    func linkOfAnotherUser() throws {
        let real = "\(folder.path)/real"
        try FileManager.default.createDirectory(
            atPath: "\(real)/lanyard/data", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: home, withDestinationPath: real)
        #expect(findings.isEmpty)
        lchown(home, 12345, 12345)
        #expect(
            findings.first?.what == "another user's symbolic link leads to '\(home)/lanyard/data'")
    }
}
