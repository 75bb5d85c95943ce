import Foundation
import KeychainServices
import Testing

@testable import KeychainPlugin

@Suite("lanyard-plugin(7) is right")
struct ManPageTests {
    private let page: String

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        page = try String(
            contentsOf: root.appendingPathComponent("man/lanyard-plugin.7"), encoding: .utf8)
    }

    /// What the helper writes in the example, and how many lines the plugin writes.
    private func transcript() -> (requests: [String], answers: Int) {
        let start = page.range(of: "\n> {")!.lowerBound
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

    @Test("the sizes are the real ones") func sizes() {
        #expect(page.contains("\(LineChannel.lineLimit) bytes"))
        #expect(page.contains("at most \(Keychain.secretLimit) (2 MiB)"))
    }
}
