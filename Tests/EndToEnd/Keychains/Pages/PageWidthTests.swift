import Foundation
import Testing
@testable import EndToEndRig
import TestSupport

/// `man` shows each page in a window of 80 columns, without a word of groff's.
@Suite(.needs(.man), .timeLimit(.minutes(5)))
struct PageWidthTests {
    private static let pages = URL(filePath: "\(Repository.path)/man")

    @Test func nothingIsTooWide() async throws {
        let home = try ScratchHome()
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.pages.path).sorted()
        #expect(names.count > 50)
        for name in names {
            let outcome = try await home.command(
                "man", ["--warnings", "-l", "\(Self.pages.path)/\(name)"],
                variables: ["MANWIDTH": "80", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"]
            ).run()
            #expect(outcome.status == 0 && outcome.errorText == "", "\(name): \(outcome.errorText)")
        }
    }
}
