import TestSupport
import KeychainServices
import LinuxSystem
import Testing

@testable import Keychains

/// What is remembered of a Secret Service for a minute.
@Suite struct ProbeFailureCacheTests {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test(arguments: [
        (Status.notAvailable, true), (.noSuchKeychain, true), (.databaseLocked, false),
        (.interactionNotAllowed, false), (.io, false),
    ])
    func onlyOneThatIsGoneIsRemembered(_ status: Status, _ isRemembered: Bool) {
        let memory = ProbeFailureCache(in: folder.path, bus: "unix:path=/bus", collection: "")
        memory.rememberIfGone(
            KeychainError(status, "why"), since: SystemCalls.monotonicMilliseconds())
        let now = SystemCalls.now()
        #expect(
            memory.failure(now: now, isBack: { false })?.status == (isRemembered ? status : nil))
        let later = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + 62)
        #expect(memory.failure(now: later, isBack: { false }) == nil)
    }

    @Test func anotherBusOrCollectionIsAnother() {
        let memory = ProbeFailureCache(in: folder.path, bus: "unix:path=/bus", collection: "")
        memory.rememberIfGone(
            KeychainError(.notAvailable, "why"), since: SystemCalls.monotonicMilliseconds())
        let now = SystemCalls.now()
        for (bus, collection) in [("unix:path=/bus2", ""), ("unix:path=/bus", "collection=x")] {
            let other = ProbeFailureCache(in: folder.path, bus: bus, collection: collection)
            #expect(other.failure(now: now, isBack: { false }) == nil)
        }
        memory.forget()
        #expect(memory.failure(now: now, isBack: { false }) == nil)
    }

    /// One that came back, not one that hung.
    @Test func oneThatIsBackIsAskedAgain() {
        let memory = ProbeFailureCache(in: folder.path, bus: "unix:path=/bus", collection: "")
        let now = SystemCalls.monotonicMilliseconds()
        for (status, start, isAskedAgain) in [
            (Status.notAvailable, now, true), (.notAvailable, now - 10_000, false),
            (.noSuchKeychain, now, false),
        ] {
            memory.rememberIfGone(KeychainError(status, "why"), since: start)
            let failure = memory.failure(now: SystemCalls.now(), isBack: { true })
            #expect((failure == nil) == isAskedAgain, "\(status)")
        }
    }
}
