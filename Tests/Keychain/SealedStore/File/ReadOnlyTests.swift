import Foundation
import KeychainServices
import Testing

@testable import SealedStore

@Suite("Read-only places") struct ReadOnlyTests {
    @Test(.enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func readingWorksAndAddingIsRefused() async throws {
        let scratch = try ScratchKeychain.withItem()
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            MountNamespace.enter()
            MountNamespace.makeReadOnly(folder)
            let before = try scratch.files()
            #expect(scratch.reading() == nil)
            #expect(scratch.verified() == 1)
            let error = scratch.adding()
            #expect(error?.status == .readOnly)
            #expect(
                error?.reason
                    == "can't write the keychain '\(scratch.location.file)': Read-only file system")
            let query = Query(.internetPassword, internetPassword("a.example"))
            #expect(throws: KeychainError(.readOnly)) { try scratch.open().delete(query) }
            #expect(try scratch.files() == before)
        }
    }

    @Test(.enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func makingIsRefused() async throws {
        let scratch = try ScratchKeychain(make: false)
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            MountNamespace.enter()
            MountNamespace.makeReadOnly(folder)
            #expect(throws: KeychainError(.readOnly)) {
                _ = try SealedStore.openOrMake(at: scratch.location)
            }
            #expect(throws: KeychainError(.noSuchKeychain)) { _ = try scratch.openStore() }
        }
    }

    /// The state folder alone: the anchor can't follow, and need not.
    @Test(.enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func aReadOnlyStateFolderDoesNotHinder() async throws {
        let scratch = try ScratchKeychain.withItem()
        try scratch.setAnchor(generation: 0)
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            MountNamespace.enter()
            MountNamespace.makeReadOnly(scratch.stateFolder)
            #expect(scratch.reading() == nil)
            #expect(scratch.adding() == nil)
            #expect(scratch.verified() == 2)
        }
    }

    /// A change that was interrupted can't be undone there: the error says so, and where it can.
    @Test(.enabled(if: MountNamespace.isPermitted, MountNamespace.reason))
    func anInterruptedChangeIsAClearError() async throws {
        let scratch = try ScratchKeychain.withItem()
        try await InterruptedChange.leave(in: scratch)
        await #expect(processExitsWith: .success) { [folder = scratch.folder as String] in
            let scratch = ScratchKeychain(adopting: folder)
            MountNamespace.enter()
            MountNamespace.makeReadOnly(folder)
            let before = try scratch.files()
            let error = scratch.reading()
            #expect(error?.status == .readOnly)
            #expect(error?.reason.contains("interrupted") == true)
            #expect(error?.hint != nil)
            #expect(try scratch.files() == before)
        }
        #expect(scratch.reading() == nil)
    }
}
