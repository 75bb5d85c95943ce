import Foundation
import KeychainServices
import LinuxSystem

@testable import KeychainPlugin

/// What a helper sends to a plugin: lines of requests, to a keychain in memory. Every line that is
/// answered is answered with JSON, and nothing is answered that was not asked.
enum PluginServerTarget: FuzzTarget {
    static let name = "plugin-server"

    private static let requests = MemoryFile()
    private static let answers = MemoryFile()

    static func run(_ input: [UInt8]) {
        requests.write(input)
        answers.write([])
        let server = PluginServer(
            kind: "memory", input: requests.descriptor, output: answers.descriptor,
            transactions: true
        ) { _, _ throws(KeychainError) in
            ServedMemory()
        }
        server.run()
        let lines = answers.read().split(separator: 0x0A, omittingEmptySubsequences: false)
        check(lines.last?.isEmpty == true, "the last answer is not a whole line")
        for line in lines.dropLast() {
            checkForm(line)
        }
        let asked = input.split(separator: 0x0A, omittingEmptySubsequences: false).count
        // A prompt may be announced before each answer.
        check(lines.count - 1 <= 2 * asked, "there are more answers than requests")
    }

    private static func checkForm(_ line: ArraySlice<UInt8>) {
        let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        check(object?["id"] is NSNumber, "an answer has no id")
        check(
            ["result", "error", "prompting"].count { object?[$0] != nil } == 1,
            "an answer is not one of a result, an error and a question")
    }
}

/// A keychain in memory that prompts before it unlocks.
private final class ServedMemory: ServedKeychain {
    private let items = InMemoryStore { Timestamp(secondsSinceEpoch: 1) }
    private var isLocked = false
    private var call: PluginCall?

    func begin(_ call: PluginCall) {
        self.call = call
    }

    func status() throws(KeychainError) -> PluginStatus {
        PluginStatus(isLocked: isLocked, canPrompt: true, place: "memory", outlastsReboot: false)
    }

    func unlock() throws(KeychainError) {
        guard isLocked else {
            return
        }
        guard let call, call.isPromptAllowed else {
            throw KeychainError(.interactionNotAllowed)
        }
        call.promptBegins()
        isLocked = false
    }

    func lock() throws(KeychainError) {
        isLocked = true
    }

    func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        try items.add(itemClass, attributes, secret: secret, context: context)
    }

    func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        if query.returns.contains(.data) {
            try unlock()
        }
        try items.forEachMatch(query, body)
    }

    func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        try items.update(query, changes, secret: secret)
    }

    func delete(_ query: Query) throws(KeychainError) -> Int {
        try items.delete(query)
    }

    func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        try items.transaction(body)
    }
}
