import KeychainServices
import Testing

@testable import LanyardCommand

@Suite("when a password expires, as users write it")
struct ExpiryTests {
    private static let now = Timestamp(secondsSinceEpoch: 1_800_000_000)

    @Test(
        arguments: [
            ("90d", 1_800_000_000 + 90 * 86_400), ("12h", 1_800_043_200), ("45", 1_800_000_045),
            ("2027-01-31", 1_801_353_600), ("2027-01-31T12:00:00Z", 1_801_396_800),
            ("2028-02-29", 1_835_395_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] as [(String, Int64)])
    func times(text: String, seconds: Int64) throws {
        let expiry = try Timestamp(expiry: text, now: Self.now)
        #expect(expiry.secondsSinceEpoch == seconds)
    }

    @Test(
        arguments: [
            "", "never", "0d", "tomorrow", "-1d", "1y", "2027-1-31", "2027-02-30", "2027-13-01",
            "2027-00-10", "2027-01-31T24:00:00Z", "2027-01-31T12:60:00Z", "2027-01-31T12:00:00",
            "2027-01-31 12:00:00", "1970-01-01", "2027-01-15T07:59:59Z", "٢٠٢٧-٠١-٣١",
        ])
    func refused(text: String) {
        #expect(throws: KeychainError(.param)) {
            try Timestamp(expiry: text, now: Self.now)
        }
    }
}
