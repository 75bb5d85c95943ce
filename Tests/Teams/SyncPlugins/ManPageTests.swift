import Foundation
import LinuxSystem
import TestSupport
import LanyardSecrets
import SyncEngine
import Testing

@testable import SyncPlugins

@Suite("lanyard-sync-plugin(7) is right") struct SyncManPageTests {
    private let page: String
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        page = try Repository.text("man/lanyard-sync-plugin.7")
    }

    /// The lines of the example, each with its mark.
    private var transcript: [String] {
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
        return lines.map { $0.replacing("/srv/team", with: scratch.path) }
    }

    @Test("the example can be played, and has these answers") func example() throws {
        let socket = try SocketPair()
        let theirs = dup(socket.theirs.number)
        Thread.detachNewThread {
            SyncPluginServer<ServedFolder>(LineChannel(input: theirs, output: theirs)).run()
        }
        let channel = LineChannel(input: socket.ours.number, output: socket.ours.number)
        let deadline = Deadline(milliseconds: 10_000)
        for line in transcript {
            let text = line.dropFirst(2)
            if line.hasPrefix("> ") {
                try channel.write(Secret("\(text)\n"), until: deadline)
            } else {
                let answer = try channel.readLine(until: deadline)?.withBytes {
                    ByteString(copying: $0).bytes
                }
                #expect(try members(answer ?? []) == members(Array(text.utf8)))
            }
        }
    }

    private func members(_ line: [UInt8]) throws -> NSDictionary? {
        try JSONSerialization.jsonObject(with: Data(line)) as? NSDictionary
    }

    @Test("the page describes every method") func methods() {
        for method in SyncPluginMethod.allCases {
            #expect(page.contains("\n.It Cm \(method.rawValue)\n"))
        }
    }

    @Test("the sizes are the real ones") func sizes() {
        #expect(page.contains("at most \(LineChannel.lineLimit) bytes"))
        #expect(page.contains("at most \(SyncPluginProtocol.contentLimit) bytes"))
    }
}
