import KeychainServices

@testable import ToolHelpers

/// A prompt that an askpass program is given, in which servers and repositories have their say: one that is
/// written anew from what was understood is understood the same.
enum AskpassPromptTarget: FuzzTarget {
    static let name = "askpass-prompt"

    static func run(_ input: [UInt8]) {
        // An argument is a text.
        let text = String(decoding: input.filter { $0 != 0 }, as: UTF8.self)
        let prompt = AskpassPrompt(text)
        // With escapes a username can become longer than a prompt may be.
        guard let written = written(prompt), written.count <= 4_096 else {
            return
        }
        check(
            AskpassPrompt(String(decoding: written, as: UTF8.self)) == prompt,
            "a prompt that is written anew means something else")
    }

    private static func written(_ prompt: AskpassPrompt) -> [UInt8]? {
        switch prompt {
        case .keyPassphrase(let path, let isRetry):
            check(isPrintable(path), "a path has a control character")
            return isRetry
                ? "Bad passphrase, try again for " + path.bytes + " (will confirm each use): "
                : "Enter passphrase for key '" + path.bytes + "': "
        case .hostPassword(let user, let host):
            check(host == host.lowercasedASCII && isHost(host), "a host is no host's name")
            check(!user.isEmpty && isPrintable(user), "a user is no user's name")
            return [] + user.bytes + "@" + host.bytes + "'s password: "
        case .gitUsername(let url): return "Username for '" + written(url) + "': "
        case .gitPassword(let url): return "Password for '" + written(url) + "': "
        case .sudoPassword(let user): return "[sudo] password for " + user.bytes + ": "
        case .unknownSudo, .question, .consent, .notice, .unknown: return nil
        }
    }

    private static func written(_ url: PromptURL) -> [UInt8] {
        check(isHost(url.host), "a host is no host's name")
        let username = url.username.map { name in
            Array(name.bytes.map { "%\(Hexadecimal.encode([$0]))" }.joined().utf8) + "@"
        }
        let path = url.path.map { [UInt8(ascii: "/")] + $0.bytes }
        return url.protocol.bytes + "://" + (username ?? []) + url.host.bytes + (path ?? [])
    }

    private static func isPrintable(_ text: ByteString) -> Bool {
        !text.bytes.contains { $0 < 0x20 || $0 == 0x7F }
    }

    private static func isHost(_ text: ByteString) -> Bool {
        !text.isEmpty && !text.bytes.contains { "@/ '?#\\".utf8.contains($0) }
    }
}

extension [UInt8] {
    fileprivate static func + (left: [UInt8], right: StaticString) -> [UInt8] {
        left + right.bytes
    }

    fileprivate static func + (left: StaticString, right: [UInt8]) -> [UInt8] {
        left.bytes + right
    }
}
