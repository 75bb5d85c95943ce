#if SecretService
import Foundation
import KeychainServices
import TestSupport
import Testing

@testable import SecretServiceStore

@Suite("a Secret Service that is killed loses nothing")
struct KilledServiceTests {
    @Test func whileItIsWritten() throws {
        let service = try PrivateSecretService()
        let query = Query(.internetPassword, .git("example.com"))
        let moving = Query(.internetPassword, .git("moving", account: nil))
        let first = Keychain(service.makeStore(), accessGroups: .all())
        try first.add(.internetPassword, .git("example.com"), secret: Secret("0"))
        try first.add(.internetPassword, .git("moving", account: "0"), secret: Secret("moves"))
        var last: String? = "0"
        for round in 1...40 {
            let keychain = Keychain(service.makeStore(), accessGroups: .all())
            let killer = Thread {
                Thread.sleep(forTimeInterval: Double.random(in: 0.001...0.04))
                service.killDaemon()
            }
            killer.start()
            var stored: Set<String> = []
            for step in 0..<10_000 {
                do throws(KeychainError) {
                    let text = "\(round).\(step)"
                    stored.insert(text)
                    try keychain.update(query, secret: Secret(text))
                    last = text
                    var account = ItemAttributes()
                    account.account = ByteString(text)
                    try keychain.update(moving, account)
                    try keychain.add(
                        .internetPassword, .git(ByteString(text)), secret: Secret(text))
                } catch {
                    #expect(
                        [.notAvailable, .io, .noSuchKeychain].contains(error.status), "\(error)")
                    break
                }
            }
            while !killer.isFinished {
                Thread.sleep(forTimeInterval: 0.01)
            }
            try service.start(.unlocked)
            let after = Keychain(service.makeStore(), accessGroups: .all())
            let secrets = try after.found(query.attributes).map(\.secret)
            #expect(secrets.count == 1)
            #expect(secrets.first == last || stored.contains(secrets.first ?? ""))
            last = secrets.first
            let moved = try after.found(moving.attributes)
            #expect((1...2).contains(moved.count))
            #expect(moved.map(\.secret).allSatisfy { $0 == "moves" }, "\(moved.map(\.secret))")
            if moved.count == 2 {
                var older = Query(.internetPassword, .git("moving", account: nil))
                older.attributes.account = moved[1].attributes.account
                try after.delete(older)
            }
        }
    }
}
#endif
