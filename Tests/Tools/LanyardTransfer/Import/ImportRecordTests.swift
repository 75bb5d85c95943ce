import LanyardTransfer
import Testing

@Suite struct ImportRecordTests {
    @Test func anEntryKnowsItsPlace() {
        let record = ImportRecord(place: "line 3", range: 10..<20, content: .shadowed(isSame: true))
        #expect(record.place == "line 3")
        #expect(record.ranges == [10..<20])
        #expect(
            ImportRecord(line: 12, range: nil, content: .shadowed(isSame: true)).place == "line 12")
    }
}
