#if SecretService
import KeychainServices
import Testing

@testable import LinuxSystem
@testable import SecretServiceStore

/// How long an answer is waited for.
@Suite("Waiting for the Secret Service") struct EventLoopTests {
    /// Waits for what never comes.
    ///
    /// - Returns: How many milliseconds, and how it ended.
    private func wait(
        limit: Int64, silence: Int64, delayOfBusyMachine: Int64 = 1_000_000,
        _ begin: @escaping (EventLoop) -> Void = { _ in }
    ) -> (time: Int64, status: Status?) {
        let loop = EventLoop()
        loop.delayOfBusyMachine = delayOfBusyMachine
        let start = SystemCalls.monotonicMilliseconds()
        var status: Status?
        do throws(KeychainError) {
            try loop.run(limit: limit, silence: silence) { () throws(KeychainError) in
                begin(loop)
                try loop.wait { false }
            }
        } catch {
            status = error.status
        }
        return (SystemCalls.monotonicMilliseconds() - start, status)
    }

    @Test func silenceIsItsEnd() {
        for begin in [{ _ in }, { $0.hearBus() }] as [(EventLoop) -> Void] {
            let silent = wait(limit: 60_000, silence: 50, begin)
            #expect(silent.status == .notAvailable)
            #expect((50..<30_000).contains(silent.time))
        }
    }

    @Test func whereTheBusIsLateSilenceMeansNothing() {
        let silent = wait(limit: 300, silence: 50, delayOfBusyMachine: -1) { $0.hearBus() }
        #expect(silent.status == .notAvailable)
        #expect(silent.time >= 300)
    }

    @Test func oneThatAnswersIsWaitedFor() {
        let busy = wait(limit: 300, silence: 50) { $0.hear() }
        #expect(busy.status == .databaseLocked)
        #expect(busy.time >= 300)
    }

    @Test func oneThatIsBeingStartedIsWaitedFor() {
        let starting = wait(limit: 300, silence: 50) { $0.allowSilence() }
        #expect(starting.status == .notAvailable)
        #expect(starting.time >= 300)
    }
}
#endif
