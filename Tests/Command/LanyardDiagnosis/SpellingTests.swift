import Testing

@testable import LanyardDiagnosis

@Suite("suggestions for an unknown name")
struct SpellingTests {
    @Test(
        arguments: [
            ("lanyrad", "lanyard"), ("lanyad", "lanyard"), ("Lanyards", "lanyard"),
            ("lanyard", nil), ("libsecret", nil), ("cache", nil), ("store", nil), ("", nil),
            ("l", nil),
        ] as [(String, String?)])
    func helper(name: String, meant: String?) {
        #expect(Spelling.nearest(to: name, in: ["lanyard"]) == meant)
    }

    @Test func theNearestCounts() {
        let names = ["lanyard.default", "lanyard.fallback", "lanyard.timeout"]
        #expect(Spelling.nearest(to: "lanyard.defualt", in: names) == "lanyard.default")
        #expect(Spelling.nearest(to: "lanyard.timeuot", in: names) == "lanyard.timeout")
        #expect(Spelling.nearest(to: "lanyard.colour", in: names) == nil)
    }
}
