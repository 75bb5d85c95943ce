#if SecretService
import Glibc
import KeychainServices
import Testing

@testable import LinuxSystem
@testable import SecretServiceStore

/// Who may do what while another program has its turn.
@Suite("A turn at the Secret Service") struct ServiceLockTests {
    /// A folder of its owner's alone.
    private final class Folder {
        let path: String

        init() throws {
            var template = Array("/tmp/lanyard-turn-XXXXXX".utf8CString)
            path = try #require(mkdtemp(&template).map { String(cString: $0) })
        }

        deinit {
            unlink("\(path)/lanyard/secret-service.lock")
            rmdir("\(path)/lanyard")
            rmdir(path)
        }

        /// Whether another one gets this turn. It does not keep it.
        func isFree(for kind: ServiceLock.Kind) -> Bool {
            ServiceLock(kind, in: path, timeLimit: 200).isTaken
        }

        func whileTaken(_ kind: ServiceLock.Kind, _ body: () throws -> Void) rethrows {
            let turn = ServiceLock(kind, in: path, timeLimit: 500)
            defer { extendLifetime(turn) }
            try body()
        }
    }

    private func identity(_ server: ByteString) -> ItemIdentity {
        ItemIdentity(.internetPassword, .git(server))
    }

    @Test func useGoesOnBesideUse() throws {
        let folder = try Folder()
        // Who only reads makes no file.
        folder.whileTaken(.using) {
            #expect(access("\(folder.path)/lanyard", F_OK) == -1)
        }
        folder.whileTaken(.adding(identity("a.example"))) {
            #expect(folder.isFree(for: .using))
            #expect(folder.isFree(for: .adding(identity("b.example"))))
            #expect(!folder.isFree(for: .adding(identity("a.example"))))
            #expect(!folder.isFree(for: .deleting))
        }
        #expect(folder.isFree(for: .deleting))
        #expect(folder.isFree(for: .adding(identity("a.example"))))
    }

    @Test func unusedWhileOneDeletes() throws {
        let folder = try Folder()
        folder.whileTaken(.deleting) {
            #expect(!folder.isFree(for: .using))
            #expect(!folder.isFree(for: .adding(identity("a.example"))))
            #expect(!folder.isFree(for: .deleting))
        }
        #expect(folder.isFree(for: .using))
    }

    @Test func withoutAFolderNothingWaits() {
        let start = SystemCalls.monotonicMilliseconds()
        for folder in [nil, "/nonexistent"] {
            let turn = ServiceLock(.deleting, in: folder, timeLimit: 5_000)
            extendLifetime(turn)
        }
        #expect(SystemCalls.monotonicMilliseconds() - start < 5_000)
    }
}
#endif
