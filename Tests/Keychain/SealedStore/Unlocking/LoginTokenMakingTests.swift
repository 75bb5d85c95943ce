import Foundation
import KeychainServices
import Testing

@testable import LinuxSystem

@Suite("Login token, made by several or in part") struct LoginTokenMakingTests {
    @Test(arguments: ["open", "fstat", "read", "write", "link", "getrandom", "fsync"])
    func eachCallFailing(_ call: String) throws {
        for number in 1...50 {
            let login = try ScratchLogin()
            let injection = Injection(call, number, EIO)
            var token: [UInt8]?
            let error = SystemCalls.$injectedError.withValue(injection.error) {
                keychainError { token = try login.making() }
            }
            guard injection.hasFailed else {
                #expect(number > 1, "there is no call of this name")
                #expect(token != nil)
                return
            }
            #expect(error?.status == .io)
            let left = try login.names()
            #expect(left.allSatisfy { $0 == "lanyard-token" })
            #expect(try login.making()?.count == 32)
        }
        Issue.record("there is no end to the calls")
    }

    @Test func allWhoMakeOneAtOnceHaveTheSame() throws {
        for _ in 0..<20 {
            let login = try ScratchLogin()
            let tokens = Tokens()
            let ended = DispatchGroup()
            for _ in 0..<8 {
                ended.enter()
                Thread.detachNewThread {
                    tokens.append(try? login.making())
                    ended.leave()
                }
            }
            ended.wait()
            #expect(tokens.all.count == 8)
            #expect(Set(tokens.all) == [try login.reading()])
            #expect(try login.names() == ["lanyard-token"])
        }
    }

    /// Another process makes one after we saw that there was none.
    @Test(arguments: ["getrandom", "link"]) func theFasterOnesIsTaken(_ call: String) throws {
        let login = try ScratchLogin()
        let injection = Injection(call, 1, 0)
        let token = try SystemCalls.$injectedError.withValue({ name in
            if injection.error(name) != nil {
                makeFile(login.file, Data(0..<32))
            }
            return nil
        }) {
            try login.making()
        }
        #expect(token == Array(0..<32))
        #expect(try login.reading() == Array(0..<32))
    }

    private final class Tokens: @unchecked Sendable {
        private let lock = NSLock()
        private var tokens: [[UInt8]?] = []

        var all: [[UInt8]?] { lock.withLock { tokens } }

        func append(_ token: [UInt8]?) {
            lock.withLock { tokens.append(token) }
        }
    }
}
