import Testing

@testable import LanyardConfiguration

@Suite("the folders in use")
struct PlacesTests {
    /// Some containers run with `HOME=/`.
    @Test("slashes at the end of the home folder don't count")
    func slashes() throws {
        #expect(try Places(userHome: "/home/ada//") == Places(userHome: "/home/ada"))
        #expect(try !Places(userHome: "/").data.hasPrefix("//"))
    }
}
