import Foundation
import KeychainServices

@testable import DockerCredential

/// What docker sends: the object of a store, beside Foundation's reader of JSON.
enum DockerRequestTarget: FuzzTarget {
    static let name = "docker-request"

    static func run(_ input: [UInt8]) {
        let request: StoreRequest
        do throws(KeychainError) {
            request = try StoreRequest(parsing: Secret(copying: input.span))
        } catch {
            check(error)
            return
        }
        check(!request.url.text.isEmpty, "a login is kept for no server")
        check(!request.username.isEmpty, "a login is stored without an account")
        check(request.url.text.bytes.count <= RegistryURL.limit, "a URL is too long")
        guard
            let object = try? JSONSerialization.jsonObject(with: Data(input)) as? [String: Any]
        else {
            return check(input.mayHoldHugeNumber, "what is no JSON object is accepted")
        }
        // Foundation drops a byte order mark behind an escape.
        guard !input.holds([0xEF, 0xBB, 0xBF]) else {
            return
        }
        let members = Dictionary(
            object.map { (ByteString($0.key).lowercasedASCII, $0.value) },
            uniquingKeysWith: { first, _ in first })
        check(
            (members["secret"] as? String ?? "").utf8.elementsEqual(request.secret.array()),
            "the password is another one")
        check(
            (members["username"] as? String).map { ByteString($0) } == request.username,
            "the user is another one")
    }
}
