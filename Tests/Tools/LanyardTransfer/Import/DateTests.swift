import Foundation
import LanyardTransfer
import KeychainServices
import TestSupport
import Testing

/// The dates that other programs have written.
@Suite struct DateTests {
    private func dates(_ created: String, _ changed: String) throws -> [Int64?] {
        let entries = try read(
            CSVFile(),
            "title,password,created,last modified\nx,pw,\"\(created)\",\"\(changed)\"\n")
        let attributes = try #require(entries.first?.login?.attributes)
        return [attributes.creationDate, attributes.modificationDate].map {
            $0?.secondsSinceEpoch
        }
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1),
            ("0001-01-01T00:00:00Z", -62_135_596_800), ("2000-02-29T12:00:00", 951_825_600),
            ("2024-01-31T12:00:00.999Z", 1_706_702_400), ("20240131120000Z", 1_706_702_400),
            ("2024-01-31T12:00:00+01:00", 1_706_698_800),
            ("2024-01-31T12:00:00-0530", 1_706_722_200), ("1706702400999", 1_706_702_400),
            ("9999-12-31T23:59:60Z", 253_402_300_800),
        ] as [(String, Int64)])
    func areRead(text: String, seconds: Int64) throws {
        #expect(try dates(text, text) == [seconds, seconds])
    }

    @Test(
        arguments: [
            "", "x", "-", "2024", "2024-01-31", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z",
            "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-04-31T00:00:00Z",
            "2024-01-00T00:00:00Z", "2024-01-31T24:00:00Z", "2024-01-31T12:60:00Z",
            "2024-01-31T12:00:61Z", "2024-01-31T12:00Z", "2024-01-31T12:00:00ZZ",
            "2024-01-31T12:00:00+25:00", "2024-01-31T12:00:00+1", "0000-01-01T00:00:00Z",
            "+024-01-31T12:00:00Z", "31.1.2024", "-1706702400999", "1706702400999000",
            "Jan 31, 2024",
        ])
    func whatIsNoneIsLeftOut(text: String) throws {
        #expect(try dates(text, "2024-01-31T12:00:00Z") == [nil, 1_706_702_400])
    }

    @Test func areThoseOfTheCalendar() throws {
        let calendar = ISO8601DateFormatter()
        var random = SeededRandom()
        for _ in 0..<500 {
            // Foundation has the Julian calendar before 1582.
            let seconds = Int64(random.number(below: 260_000_000_000)) - 10_000_000_000
            let text = calendar.string(from: Date(timeIntervalSince1970: Double(seconds)))
            #expect(try dates(text, text) == [seconds, seconds])
        }
    }
}
