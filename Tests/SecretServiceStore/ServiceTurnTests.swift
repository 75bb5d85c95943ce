#if SecretService
import Glibc
import Keychain
import Testing

@testable import LinuxSystem
@testable import SecretServiceStore

/// Who may do something while somebody else has a turn.
@Suite("A turn at the Secret Service") struct ServiceTurnTests {
    /// A folder of its owner's alone, and another process's descriptor of it.
    private final class Folder {
        let path: String
        private let descriptor: Int32

        init() throws {
            var template = Array("/tmp/lanyard-turn-XXXXXX".utf8CString)
            path = try #require(mkdtemp(&template).map { String(cString: $0) })
            descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }

        deinit {
            close(descriptor)
            rmdir(path)
        }

        /// Whether another one may read or change something now. It does not keep its turn.
        func isFree(for kind: ServiceTurn.Kind) throws -> Bool {
            defer { flock(descriptor, LOCK_UN) }
            return try take(kind)
        }

        func take(_ kind: ServiceTurn.Kind) throws -> Bool {
            try SystemCalls.lock(descriptor, isShared: kind == .reading)
        }
    }

    @Test func othersReadWhileOneReads() throws {
        let folder = try Folder()
        do {
            let turn = ServiceTurn(.reading, in: folder.path, timeLimit: 500)
            defer { extendLifetime(turn) }
            #expect(try folder.isFree(for: .reading))
            #expect(try !folder.isFree(for: .changing))
        }
        #expect(try folder.isFree(for: .changing))
    }

    @Test func nobodyReadsWhileOneChanges() throws {
        let folder = try Folder()
        do {
            let turn = ServiceTurn(.changing, in: folder.path, timeLimit: 500)
            defer { extendLifetime(turn) }
            #expect(try !folder.isFree(for: .reading))
            #expect(try !folder.isFree(for: .changing))
        }
        #expect(try folder.isFree(for: .changing))
    }

    @Test(arguments: [ServiceTurn.Kind.reading, .changing])
    func aTurnThatDoesNotEndIsNotWaitedForAnyLonger(_ kind: ServiceTurn.Kind) throws {
        let folder = try Folder()
        #expect(try folder.take(.changing))
        let start = SystemCalls.monotonicMilliseconds()
        let turn = ServiceTurn(kind, in: folder.path, timeLimit: 500)
        #expect(SystemCalls.monotonicMilliseconds() - start >= 500)
        extendLifetime(turn)
    }
}
#endif
