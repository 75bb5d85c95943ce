import LanyardConfiguration
import Testing

@Suite("suggestions for a mistyped name")
struct SuggestionTests {
    private static let names = [
        "set", "get", "list", "remove", "status", "setup", "passphrase", "lanyard.default",
    ]

    @Test(
        "a letter missing, too many, wrong, or exchanged with its neighbour; or the start of one name",
        arguments: [
            ("lst", "list"), ("listt", "list"), ("lisd", "list"), ("lsit", "list"),
            ("LIST", "list"),
            ("remvoe", "remove"), ("pass", "passphrase"), ("stat", "status"), ("seet", "set"),
            ("lanyard.defualt", "lanyard.default"), ("pasphrsae", "passphrase"),
        ])
    func near(typed: String, name: String) {
        #expect(suggestion(for: typed, among: Self.names) == name)
    }

    @Test("a name that comes twice is one")
    func twice() {
        #expect(suggestion(for: "lgoin", among: ["login", "work", "login"]) == "login")
    }

    @Test(
        "nothing where no name is near, or two are",
        arguments: [
            "", "frob", "xet", "s", "l", "hunter2", String(repeating: "s", count: 9999),
        ])
    func none(typed: String) {
        #expect(suggestion(for: typed, among: Self.names) == nil)
        #expect(suggestion(for: typed, among: []) == nil)
    }
}
