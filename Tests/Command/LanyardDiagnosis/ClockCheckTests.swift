import KeychainServices
import Testing

@testable import LanyardDiagnosis

@Suite("the check of the clock")
struct ClockCheckTests {
    private let now = Timestamp(secondsSinceEpoch: 1_800_000_000)

    private func codes(_ now: Timestamp, _ newest: Timestamp?) -> [FindingCode] {
        [ClockCheck.finding(now: now, newest: newest)].compactMap { $0?.code }
    }

    @Test("a clock from before this version is wrong, whatever the items say")
    func beforeRelease() {
        let early = Timestamp(
            secondsSinceEpoch: ClockCheck.released.secondsSinceEpoch - 1)
        #expect(codes(early, nil) == [.clockWrong])
        #expect(codes(early, now) == [.clockWrong])
        #expect(codes(ClockCheck.released, nil).isEmpty)
    }

    @Test("an item from the future is reported, but not from a clock slightly ahead")
    func future() {
        #expect(codes(now, Timestamp(secondsSinceEpoch: 1_800_100_000)) == [.itemsFromTheFuture])
        #expect(codes(now, Timestamp(secondsSinceEpoch: 1_800_080_000)).isEmpty)
        #expect(codes(now, Timestamp(secondsSinceEpoch: 1)).isEmpty)
        #expect(codes(now, nil).isEmpty)
    }
}
