import Foundation
import KeychainServices
import LinuxSystem
import Testing

@testable import KeychainPlugin
import TestSupport

@Suite("lanyard-plugin(7) is right")
struct ManPageTests {
    private let page: String

    init() throws {
        page = try Repository.text("man/lanyard-plugin.7")
    }

    /// What the helper writes in the example, and how many lines the plugin writes.
    private func transcript() -> (requests: [String], answers: Int) {
        let start = page.range(of: "\n> {\"id\"")!.lowerBound
        let end = page[start...].range(of: "\n.Ed")!.lowerBound
        var lines: [String] = []
        for line in page[start..<end].split(separator: "\n") {
            if line.hasPrefix("> ") || line.hasPrefix("< ") {
                lines.append(String(line))
            } else {
                lines[lines.count - 1] += line.drop { $0 == " " }
            }
        }
        let requests = lines.filter { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) }
        return (requests, lines.count - requests.count)
    }

    @Test("the example can be played") func example() throws {
        let (requests, count) = transcript()
        #expect(requests.count == 8)
        var lines = Lines()
        requests.forEach { lines.send($0) }
        let answers = lines.answers()
        #expect(answers.count == count)
        #expect(!answers.contains { $0.contains("error") })
    }

    @Test("the page describes every method") func methods() {
        for method in PluginMethod.allCases {
            #expect(page.contains("\n.It Cm \(method.rawValue)\n"))
        }
    }

    @Test("the page says what every attribute is, and which classes have it") func attributes() {
        let classes: [(ItemClass, String)] = [
            (.genericPassword, "genp"), (.internetPassword, "inet"), (.certificate, "cert"),
            (.key, "keys"),
        ]
        for row in Attribute.table where row.attribute != .trustedApplications {
            let names = classes.filter { row.classes.contains($0.0) }.map(\.1)
            let line = page.split(separator: "\n").first { $0.hasPrefix(".It \(row.name) Ta ") }
            let cells = (line ?? "").split(separator: " Ta", omittingEmptySubsequences: false)
            #expect(cells.count == 3, "\(row.name)")
            let found = classes.map(\.1).filter { cells.last?.contains($0) == true }
            #expect(found == (names.count == classes.count ? [] : names), "\(row.name)")
        }
    }

    @Test("the sizes are the real ones") func sizes() {
        #expect(page.contains("\(LineChannel.lineLimit) bytes"))
        #expect(page.contains("at most \(Keychain.secretLimit) (2 MiB)"))
    }
}
