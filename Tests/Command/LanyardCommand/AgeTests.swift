import KeychainServices
import Testing

@testable import LanyardCommand

@Suite("time passed and time left")
struct AgeTests {
    private static let now = Timestamp(secondsSinceEpoch: 1_795_262_400)

    private static let durations: [(Int64, String)] = [
        (0, "0 s"), (59, "59 s"), (60, "1 min"), (3_599, "59 min"), (3_600, "1 h"),
        (86_399, "23 h"), (86_400, "1 d"), (30 * 86_400, "30 d"), (31 * 86_400, "1 mo"),
        (365 * 86_400, "11 mo"), (366 * 86_400, "1 y"), (50 * 31_556_952, "50 y"),
    ]

    @Test("in the largest unit", arguments: durations)
    func age(seconds: Int64, text: String) {
        let now = AgeTests.now.secondsSinceEpoch
        #expect(Timestamp(secondsSinceEpoch: now - seconds).age(at: AgeTests.now) == text)
    }

    @Test(
        "the time left, of which a little may have passed",
        arguments: [
            (0, "0 s"), (56, "56 s"), (57, "1 min"), (60, "1 min"), (116, "1 min"), (117, "2 min"),
            (3_420, "1 h"), (3_419, "57 min"), (82_079, "22 h"), (82_080, "1 d"), (86_400, "1 d"),
            (5 * 86_400 - 60, "5 d"), (5 * 86_400 - 7_200, "4 d"), (5 * 86_400, "5 d"),
            (366 * 86_400, "1 y"), (50 * 31_556_952, "50 y"),
        ] as [(Int64, String)])
    func timeLeft(seconds: Int64, text: String) {
        let end = Timestamp(secondsSinceEpoch: AgeTests.now.secondsSinceEpoch + seconds)
        #expect(end.expiry(at: AgeTests.now) == "in \(text)")
    }

    @Test("a past date is expired")
    func expired() {
        for seconds: Int64 in [1, 86_400, 1_795_262_400] {
            let moment = Timestamp(secondsSinceEpoch: AgeTests.now.secondsSinceEpoch - seconds)
            #expect(moment.expiry(at: AgeTests.now) == "expired")
        }
    }

    @Test("impossible times")
    func extremes() {
        let first = Timestamp(secondsSinceEpoch: .min)
        let last = Timestamp(secondsSinceEpoch: .max)
        #expect(last.age(at: AgeTests.now) == "0 s")
        #expect(first.age(at: last) == "292277024626 y")
        #expect(first.expiry(at: last) == "expired")
        #expect(last.expiry(at: first) == "in 292277024626 y")
        #expect(last.age(at: first) == "0 s")
    }
}
