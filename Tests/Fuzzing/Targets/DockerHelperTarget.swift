import Foundation
import KeychainServices

@testable import DockerCredential

/// A series of docker's calls, each a line `get URL`, `erase URL`, `list` or `store OBJECT`, on a
/// keychain with a victim's login: only its own registry gets it, and what is
/// answered is JSON.
enum DockerHelperTarget: FuzzTarget {
    static let name = "docker-helper"

    private static let password = Array("the-password-of-alice".utf8)

    static func run(_ input: [UInt8]) {
        // Who has the password already can store it for any registry.
        guard !input.holds(password) else {
            return
        }
        let keychain = Keychain(
            InMemoryStore { Timestamp(secondsSinceEpoch: 1) }, accessGroups: .all())
        let helper = DockerCredentialHelper(keychain: keychain) { _ in }
        let victim =
            #"{"ServerURL":"https://victim.example","Username":"alice","Secret":"the-password-of-alice"}"#
        attempt { () throws(KeychainError) in try helper.store(Secret(victim)) }
        for line in input.split(separator: 0x0A).prefix(8) {
            call(helper, Array(line))
        }
    }

    private static func call(_ helper: DockerCredentialHelper, _ line: [UInt8]) {
        let words = line.split(separator: 0x20, maxSplits: 1)
        let text = words.count > 1 ? Array(words[1]) : []
        switch words.first.map({ String(decoding: $0, as: UTF8.self) }) {
        case "get": get(helper, text)
        case "erase": attempt { () throws(KeychainError) in try helper.erase(secret(text)) }
        case "store": attempt { () throws(KeychainError) in try helper.store(secret(text)) }
        default: list(helper)
        }
    }

    private static func get(_ helper: DockerCredentialHelper, _ url: [UInt8]) {
        guard
            let answer = attempt({ () throws(KeychainError) in
                try helper.get(secret(url)).array()
            })
        else {
            return
        }
        let object = try? JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any]
        check(object?.count == 3, "an answer is no JSON object of three members")
        check(answer.filter { $0 == 0x0A }.count == 1, "an answer is not one line")
        if (object?["Secret"] as? String).map({ Array($0.utf8) }) == password {
            check(isVictims(url), "a login is given to another registry")
        }
    }

    /// Whether a URL means the registry whose login it is, by rules of its own: https or no scheme, its
    /// name in any letter case, its port or none, any path.
    private static func isVictims(_ url: [UInt8]) -> Bool {
        var rest = String(decoding: url, as: UTF8.self).lowercased()
            .trimmingCharacters(in: CharacterSet(charactersIn: " \t\n\u{0B}\u{0C}\r"))[...]
        rest = rest.hasPrefix("https://") ? rest.dropFirst("https://".count) : rest
        guard rest.hasPrefix("victim.example") else {
            return false
        }
        rest = rest.dropFirst("victim.example".count)
        rest = rest.hasPrefix(":443") ? rest.dropFirst(":443".count) : rest
        return rest.isEmpty || rest.hasPrefix("/")
    }

    private static func list(_ helper: DockerCredentialHelper) {
        final class Output {
            var bytes: [UInt8] = []
        }
        let output = Output()
        attempt { () throws(KeychainError) in
            try helper.list { piece in output.bytes += piece.array() }
        }
        let object = try? JSONSerialization.jsonObject(with: Data(output.bytes)) as? [String: Any]
        check(object != nil, "the list is no JSON object")
    }

    private static func secret(_ bytes: [UInt8]) -> Secret { Secret(copying: bytes.span) }
}
