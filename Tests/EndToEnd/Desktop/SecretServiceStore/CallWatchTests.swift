#if SecretService
import KeychainServices
import Testing

@testable import LinuxSystem
@testable import SecretServiceStore

/// How long a call of the Secret Service may take.
@Suite("Waiting for the Secret Service") struct CallWatchTests {
    /// Waits for what never comes.
    ///
    /// - Returns: How many milliseconds, and how it ended.
    private func wait(
        limit: Int64, silence: Int64, delayOfBusyMachine: Int64 = 1_000_000,
        _ begin: (CallWatch) -> Void = { _ in }
    ) -> (time: Int64, status: Status?) {
        let watch = CallWatch(delayOfBusyMachine: delayOfBusyMachine)
        defer { watch.stop() }
        let start = SystemCalls.monotonicMilliseconds()
        var status: Status?
        do throws(KeychainError) {
            try watch.run(limit: limit, silence: silence) { () throws(KeychainError) in
                begin(watch)
                while !watch.isOver {
                    SystemCalls.sleep(milliseconds: 1)
                }
                throw watch.failure
            }
        } catch {
            status = error.status
        }
        return (SystemCalls.monotonicMilliseconds() - start, status)
    }

    @Test func silenceIsItsEnd() {
        let silent = wait(limit: 60_000, silence: 50)
        #expect(silent.status == .notAvailable)
        #expect((50..<30_000).contains(silent.time))
    }

    @Test func whereTheMachineIsBusySilenceMeansNothing() {
        let silent = wait(limit: 300, silence: 50, delayOfBusyMachine: -1)
        #expect(silent.status == .notAvailable)
        #expect(silent.time >= 300)
    }

    // These say so within the silence, for which a busy machine may need some time.

    @Test func oneThatAnswersIsWaitedFor() {
        let busy = wait(limit: 1600, silence: 1500) { $0.hear() }
        #expect(busy.status == .databaseLocked)
        #expect(busy.time >= 1600)
    }

    @Test func oneThatIsBeingStartedIsWaitedFor() {
        let starting = wait(limit: 1600, silence: 1500) { $0.allowSilence() }
        #expect(starting.status == .notAvailable)
        #expect(starting.time >= 1600)
    }

    @Test func aPersonIsWaitedFor() {
        let asked = wait(limit: 1500, silence: 1500) { $0.restart(limit: 1600) }
        #expect(asked.status == .databaseLocked)
        #expect(asked.time >= 1600)
    }

    @Test func theNextCallHasItsOwnTime() throws {
        let watch = CallWatch()
        defer { watch.stop() }
        for limit in [20, 40] as [Int64] {
            try watch.run(limit: limit, silence: limit) {
                while !watch.isOver {
                    SystemCalls.sleep(milliseconds: 1)
                }
            }
            try watch.run(limit: 60_000, silence: 60_000) {
                SystemCalls.sleep(milliseconds: 50)
                #expect(!watch.isOver)
            }
        }
    }
}
#endif
