import KeychainServices

@testable import GitCredential

/// What git sends: the parser beside another one that is written with nothing but arrays, and the
/// forms in which parts of a request are kept.
enum GitRequestTarget: FuzzTarget {
    static let name = "git-request"

    static func run(_ input: [UInt8]) {
        let request: GitCredentialRequest
        do throws(KeychainError) {
            request = try GitCredentialRequest(parsing: Secret(copying: input.span))
        } catch {
            check(error)
            check(PlainRequest(input) == nil, "a request is refused that is none to refuse")
            return
        }
        guard let plain = PlainRequest(input) else {
            fail("a request is accepted that is to be refused")
        }
        check(plain.text == fields(request), "a field is not the last one of its key")
        check(plain.states == request.states.map(\.bytes), "the states are others")
        check(request.capabilities == plain.capabilities, "the capabilities are others")
        for value in plain.text {
            check(
                !(value ?? []).contains { [0x00, 0x0A, 0x0D].contains($0) },
                "an accepted field contains a line break or a NUL")
        }
        checkHost(request)
        checkKept(request.loginToKeep())
    }

    private static func fields(_ request: borrowing GitCredentialRequest) -> [[UInt8]?] {
        [
            request.protocol?.bytes, request.host?.bytes, request.path?.bytes,
            request.username?.bytes, bytes(request.login.password),
            bytes(request.login.refreshToken), request.login.authtype?.bytes,
            bytes(request.login.credential),
        ]
    }

    /// Two hosts must never be one server and port.
    private static func checkHost(_ request: borrowing GitCredentialRequest) {
        guard let host = request.host else {
            return
        }
        let parts = HostAndPort(host)
        let joined =
            parts.server.bytes + (parts.port == 0 ? [] : Array(":\(parts.port)".utf8))
        check(joined == host.bytes, "server and port are not the host")
    }

    /// What is kept is read back as it was.
    private static func checkKept(_ login: borrowing Login) {
        let text = login.text()
        let read = Login(text: text)
        check(read.text().isEqual(to: text), "a login is kept as another one")
        guard login.password != nil || login.credential != nil else {
            return
        }
        check(read.isEqual(to: login), "a login is read as another one")
    }

    private static func bytes(_ secret: borrowing Secret?) -> [UInt8]? {
        switch secret {
        case .some(let secret): secret.array()
        case .none: nil
        }
    }
}

/// A request, read as simply as can be.
private struct PlainRequest {
    static let keys = [
        "protocol", "host", "path", "username", "password", "oauth_refresh_token", "authtype",
        "credential",
    ].map { Array($0.utf8) }

    /// The values of the keys above, in their order.
    var text: [[UInt8]?] = keys.map { _ in nil }
    var states: [[UInt8]] = []
    var capabilities: Capabilities = []

    init?(_ input: [UInt8]) {
        for line in input.split(separator: 0x0A, omittingEmptySubsequences: false) {
            guard !line.isEmpty else {
                return
            }
            guard !line.contains(0x0D), !line.contains(0x00),
                let end = line.firstIndex(of: UInt8(ascii: "=")), end > line.startIndex
            else {
                return nil
            }
            let key = Array(line[..<end])
            if let place = PlainRequest.keys[..<4].firstIndex(of: key), text[place] != nil {
                return nil
            }
            set(key, Array(line[(end + 1)...]))
        }
    }

    private mutating func set(_ key: [UInt8], _ value: [UInt8]) {
        if let index = PlainRequest.keys.firstIndex(of: key) {
            text[index] = value
        } else if key.elementsEqual("state[]".utf8) {
            if value.isEmpty {
                states = []
            } else if value.starts(with: "lanyard:".utf8) {
                states.append(value)
            }
        } else if key.elementsEqual("capability[]".utf8) {
            switch String(decoding: value, as: UTF8.self) {
            case "": capabilities = []
            case "authtype": capabilities.insert(.authtype)
            case "state": capabilities.insert(.state)
            default: break
            }
        }
    }
}
