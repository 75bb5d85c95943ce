import KeychainServices

@testable import GitCredential

/// A series of git's calls, each a request with a line `op=get`, `op=store` or `op=erase` in it, on a
/// keychain with a victim's login: only its own host gets it, and nothing but a
/// request for that host changes it.
enum GitHelperTarget: FuzzTarget {
    static let name = "git-helper"

    private static let password = Array("the-password-of-alice".utf8)
    private static let host = Array("victim.example".utf8)

    static func run(_ input: [UInt8]) {
        // Who has the password already can store it for any host.
        guard !input.holds(password) else {
            return
        }
        let keychain = Keychain(
            InMemoryStore { Timestamp(secondsSinceEpoch: 1) }, accessGroups: .all())
        let helper = GitCredentialHelper(
            keychain: keychain, now: Timestamp(secondsSinceEpoch: 2_000_000_000)
        ) { text in
            text.array().reduce(into: [UInt8](repeating: 0, count: 32)) {
                $0[Int($1) % 32] &+= $1
            }
        }
        attempt { () throws(KeychainError) in try helper.store(victim()) }
        check(answer(of: helper).holds(password), "the login is not kept")
        var isMeant = false
        for text in requests(input).prefix(8) {
            isMeant = call(helper, text, isMeant: isMeant) || isMeant
            check(isMeant || answer(of: helper).holds(password), "a login was changed unasked")
        }
    }

    /// - Returns: Whether the victim's host was meant, whose login may then change.
    private static func call(
        _ helper: GitCredentialHelper, _ text: [UInt8], isMeant: Bool
    ) -> Bool {
        guard
            let request = attempt({ () throws(KeychainError) in
                Request(try GitCredentialRequest(parsing: Secret(copying: text.span)))
            })
        else {
            return false
        }
        // A host in capitals means the same one.
        let requested = request.value.host?.lowercasedASCII.bytes
        let isForVictim = requested.map { $0 == host } ?? true
        if text.holds(Array("op=store".utf8)) {
            attempt { () throws(KeychainError) in try helper.store(request.value) }
        } else if text.holds(Array("op=erase".utf8)) {
            attempt { () throws(KeychainError) in try helper.erase(request.value) }
        } else {
            checkForm(
                attempt { () throws(KeychainError) in try helper.get(request.value).array() } ?? [])
            if !isMeant, requested != host {
                let answer = attempt { () throws(KeychainError) in
                    try helper.get(request.value).array()
                }
                check(answer?.holds(password) != true, "a login is given to another host")
            }
        }
        return isForVictim
    }

    /// What git will read of an answer.
    private static func checkForm(_ answer: [UInt8]) {
        let lines = answer.split(separator: 0x0A, omittingEmptySubsequences: false)
        check(lines.last?.isEmpty == true, "the last line of an answer does not end")
        for line in lines.dropLast() {
            check(
                line.firstIndex(of: UInt8(ascii: "=")) ?? line.startIndex > line.startIndex
                    && !line.contains(0x0D) && !line.contains(0x00),
                "git could not read a line of an answer")
        }
    }

    private static func requests(_ input: [UInt8]) -> [[UInt8]] {
        var requests: [[UInt8]] = [[]]
        for line in input.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.isEmpty {
                requests.append([])
            } else {
                requests[requests.count - 1] += line + [0x0A]
            }
        }
        return requests
    }

    private static func victim() throws(KeychainError) -> GitCredentialRequest {
        var text = SecretBuilder()
        text.append("protocol=https\nhost=victim.example\nusername=alice\npassword=")
        text.append(password.span)
        return try GitCredentialRequest(parsing: text.finish())
    }

    private static func answer(of helper: GitCredentialHelper) -> [UInt8] {
        attempt { () throws(KeychainError) in
            try helper.get(
                GitCredentialRequest(
                    parsing: Secret("protocol=https\nhost=victim.example\nusername=alice\n"))
            ).array()
        } ?? []
    }

    /// A request in a place where only what can be copied may stand.
    private final class Request {
        let value: GitCredentialRequest

        init(_ value: consuming GitCredentialRequest) {
            self.value = value
        }
    }
}
