import Testing

@testable import LanyardPrompting

@Suite("Progress bar") struct ProgressBarTests {
    @Test(
        "as much as there is room for",
        arguments: [
            (80, "importing [############------------------] 4000 of 10000"),
            (56, "importing [###########-----------------] 4000 of 10000"),
            (33, "importing [##---] 4000 of 10000"),
            (32, "importing 4000 of 10000"),
            (25, "importing 4000 of 10000"),
            (24, "4000 of 10000"),
            (15, "4000 of 10000"),
            (14, "40%"),
            (5, "40%"),
            (4, ""),
            (1, ""),
        ])
    func fits(_ columns: Int, _ line: String) {
        #expect(ProgressBar.line("importing", 4000, of: 10_000, columns: columns) == line)
    }

    /// Some terminals begin a new line at the last column.
    @Test("never at the last column, and its parts stay where they are")
    func staysInItsLine() {
        for columns in 1...200 {
            var starts: Set<Int?> = []
            for done in 0...1234 {
                let line = ProgressBar.line("reading back", done, of: 1234, columns: columns)
                #expect(line.utf8.count < columns || line.isEmpty)
                starts.insert(line.firstIndex(of: "]")?.utf16Offset(in: line))
            }
            #expect(starts.count == 1)
        }
    }
}
