import KeychainServices
import StoreConformance
import ToolHelpers

/// A call of a tool's helper: the first byte chooses the tool, the first line has the arguments, the rest is standard
/// input.
enum ToolHelperTarget: FuzzTarget {
    static let name = "tool-helper"

    private static let secret: [UInt8] = Array("hunter2-hunter2".utf8)

    static func run(_ input: [UInt8]) {
        let tools = ToolFormat.all.filter { $0.protocolHelper != nil }
        guard let first = input.first, let helper = tools[Int(first) % tools.count].protocolHelper
        else {
            return
        }
        let line = input.dropFirst().prefix { $0 != 0x0A }
        let arguments = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        let session = ScriptedSession(
            tools[Int(first) % tools.count].helper, arguments, in: Keychain(inMemoryFor: helper))
        session.input = Array(input.dropFirst(line.count + 2))
        _ = attempt { () throws(KeychainError) in try helper.run(session) }
        // What was stored is not in messages.
        check(
            !session.notes.contains { Array($0.utf8).holds(secret) }, "a note contains a secret")
    }
}
