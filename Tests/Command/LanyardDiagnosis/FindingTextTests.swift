import Testing

@testable import LanyardDiagnosis

@Suite("a finding in a report for others")
struct FindingTextTests {
    private let home = "/home/quokka"

    @Test("names, hosts and foreign words are left out")
    func names() {
        let text: FindingText =
            "'\(name: "bilby")' for \(host: "a.example"): \(said: "no \"x\""), \(3) times"
        #expect(text.full == "'bilby' for a.example: no \"x\", 3 times")
        #expect(text.redacted(home: home) == "'NAME' for HOST: …, 3 times")
    }

    @Test(
        "only the common part of a path stays",
        arguments: [
            ("/home/quokka", "~"), ("/home/quokka/.gitconfig", "~/.gitconfig"),
            (
                "/home/quokka/.local/share/lanyard/login.keychain",
                "~/.local/share/lanyard/login.keychain"
            ),
            ("/home/quokka/.local/share/lanyard/acme.keychain", "~/…"),
            ("/home/quokka/secret-project/.git/config", "~/…"),
            ("/home/quokkas/.gitconfig", "/…"), ("/srv/quokka/x", "/…"),
            ("/etc/gitconfig", "/etc/gitconfig"), ("/dev/null", "/dev/null"),
            (".git/config", "/…"),
        ])
    func paths(path: String, shown: String) {
        let text: FindingText = "\(path: path) \(quoted: path)"
        #expect(text.full == "\(path) '\(path)'")
        #expect(text.redacted(home: home) == "\(shown) \(shown)")
        #expect(!text.redacted(home: nil).contains("quokka"))
    }

    @Test("arguments are single words to a shell")
    func arguments() {
        let text: FindingText =
            "remove \(hostArgument: "https://a.example") \(nameArgument: "it's")"
        #expect(text.full == "remove 'https://a.example' 'it'\\''s'")
        #expect(text.redacted(home: nil) == "remove HOST NAME")
    }
}
