import Foundation
import KeychainServices
import TestSupport
import Testing
import ToolCatalog

@testable import LanyardCommand

/// Options and variables that a profile doesn't know, and that name another server, another secret or another file.
@Suite struct UnknownServerTests {
    private static let profiles = ToolProfile.all.filter {
        $0.signIn != nil && !$0.hasAllItems && $0.scope?.kind != .folder
    }.map(\.name)

    /// A home with an item that the program gets without being asked for anything.
    private func home(_ name: String) throws -> (ProfileHome, program: String) {
        let home = try ProfileHome(name)
        let account: ByteString? = home.profile.needsAccount ? "a" : nil
        try home.set(ByteString(name), account, secret: "s-first")
        for part in home.profile.requiredParts {
            try home.set(ByteString("\(name)/\(part)"), account, secret: "x")
        }
        return (home, home.profile.programs.first ?? "program")
    }

    /// Whether a profile knows a name.
    private func knows(_ profile: ToolProfile, _ name: String) -> Bool {
        (profile.scope?.names ?? []).contains(name)
            || profile.addresses.contains { ($0.options + $0.variables).contains(name) }
            || profile.rivals.joined().contains(name)
    }

    @Test(arguments: profiles)
    func servers(name: String) throws {
        let (home, program) = try home(name)
        #expect(try home.secret([program]) == "s-first")
        let variables = home.profile.variables.filter { $0.value == .secret }.compactMap { own in
            own.name.split(separator: "_").count > 1
                ? own.name.split(separator: "_").first.map { "\($0)_API_URL" } : nil
        }
        let options = ["--api-url", "--base-url", "--server", "--endpoint"].filter {
            !knows(home.profile, $0)
        }
        let other = "https://evil.example/v1"
        for option in options {
            #expect(try home.secret([program, "x", option, other]) == nil, "\(option)")
            #expect(try home.secret([program, "\(option)=\(other)"]) == nil, "\(option)")
            #expect(try home.secret([program, "--", option, other]) == "s-first")
            #expect(try home.secret([program, option, "http://localhost:80"]) == "s-first")
            #expect(try home.secret([program, option, "lan"]) == "s-first")
        }
        for variable in variables where !knows(home.profile, variable) {
            #expect(try home.secret([program], [variable: other]) == nil, "\(variable)")
        }
        guard !home.profile.addresses.contains(where: { $0.part == "server" }) else {
            return
        }
        try home.set(ByteString("\(name)/server"), secret: "https://evil.example")
        for option in options {
            #expect(try home.secret([program, option, other]) == "s-first", "\(option)")
        }
    }

    /// The vendor's own server is no other one.
    @Test(
        arguments: [
            ("vercel", ["--api", "https://api.vercel.com"], [:]),
            ("flyctl", [], ["FLY_API_BASE_URL": "https://api.fly.io"]),
            ("semgrep", [], ["SEMGREP_URL": "https://semgrep.dev"]),
            ("wandb", ["--base-url", "https://api.wandb.ai"], [:]),
        ] as [(String, [String], [String: String])])
    func vendors(name: String, words: [String], variables: [String: String]) throws {
        let home = try ProfileHome(name)
        let scope = home.profile.scope?.fallback.map { "@\($0)" } ?? ""
        try home.set(ByteString(name + scope), secret: "s-first")
        let program = try #require(home.profile.programs.first)
        let signIn = try #require(home.profile.signIn)
        if signIn.contains("://") {
            #expect(try home.secret([program] + words, variables) == "s-first")
        }
        let others = words.map { $0.contains("://") ? "https://evil.example" : $0 }
        let all = variables.mapValues { _ in "https://evil.example" }
        #expect(try home.secret([program] + others, all) == nil)
    }

    /// The host is what comes before all of these, however programs read them.
    @Test(arguments: ["?", "#", "/", "\\", ":x"])
    func hostsBeforeAnAt(mark: String) throws {
        let home = try ProfileHome("wandb")
        try home.set("wandb", secret: "s-first")
        let address = mark == ":x" ? "https://api.wandb.ai:x@evil.example" : nil
        let other = address ?? "https://evil.example\(mark)@api.wandb.ai"
        #expect(try home.secret(["wandb", "--base-url", other]) == nil)
    }

    /// A site of datadog is a domain, and its keys are for that one.
    @Test func sitesOfDatadog() throws {
        let home = try ProfileHome("datadog")
        try home.add("[Connection]\napikey = s-first\napi_host = https://api.datadoghq.eu\n")
        for (site, secret) in [("datadoghq.eu", "s-first"), ("us5.datadoghq.com", nil)] {
            for variable in ["DD_SITE", "DATADOG_SITE"] {
                #expect(try home.secret(["datadog-ci"], [variable: site]) == secret, "\(site)")
            }
        }
    }

    @Test(arguments: profiles)
    func ownSecrets(name: String) throws {
        let (home, program) = try home(name)
        for option in ["--token", "--api-key", "--access-token"]
        where !knows(home.profile, option) {
            #expect(try home.given([program, "x", option, "own"]) == nil, "\(option)")
            #expect(try home.given([program, "\(option)=own"]) == nil, "\(option)")
        }
    }

    /// Files with the secret `$`, of profiles whose program has one; the number says which of the profile's.
    private static let files: [(name: String, text: String, number: Int)] = [
        ("composer", #"{"bearer":{"a.example":"$"}}"#, 0),
        ("datadog", "[Connection]\napikey = $\nappkey = a\n", 0), ("hf", "$\n", 0),
        ("flyctl", "access_token: $\n", 0), ("kaggle", "$\n", 0),
        ("koyeb", "token: $\n", 0), ("ngrok", "agent:\n  authtoken: $\n", 0),
        ("pscale", "service-token-id: a\nservice-token: $\n", 1),
        ("s3cmd", "[default]\naccess_key = a\nsecret_key = $\n", 0), ("upcloud", "token: $\n", 0),
        ("vercel", #"{"token":"$"}"#, 0), ("vultr-cli", "api-key: $\n", 0),
    ]

    /// A program that reads another file has the secret in that.
    @Test(arguments: files)
    func otherFiles(name: String, text: String, number: Int) throws {
        let home = try ProfileHome(name)
        let file = home.profile.plainText[number]
        try home.add(text.replacing("$", with: "s-first"), number: number)
        let program = try #require(home.profile.programs.first)
        var ways = MovedFileTests.ways(home.profile, file.path, in: home.folder.path)
            .filter { !$0.variables.keys.contains("XDG_CONFIG_HOME") }
        if !ways.contains(where: { !$0.words.isEmpty }) {
            let place = "\(home.folder.path)/other"
            ways.append(.init(words: ["--config", place], variables: [:], place: place))
        }
        for way in ways {
            #expect(try home.secret([program, "x"] + way.words, way.variables) == "s-first")
            let place = String(way.place.dropFirst(home.folder.path.count + 1))
            for (secret, given) in [("own", nil), ("s-first", "s-first")] as [(_, String?)] {
                try home.write(text.replacing("$", with: secret), to: place)
                #expect(
                    try home.secret([program, "x"] + way.words, way.variables) == given, "\(way)")
            }
            try FileManager.default.removeItem(atPath: way.place)
        }
    }

    /// A key of stripe has a mode and an end.
    @Test func keysOfStripe() throws {
        let home = try ProfileHome("stripe")
        try home.add(
            "[default]\ntest_mode_api_key = \"s-first\"\ntest_mode_key_expires_at = \"2999-01-01\"\n"
                + "live_mode_api_key = \"s-second\"\n"
                + "[old]\ntest_mode_api_key = \"s-bob\"\ntest_mode_key_expires_at = \"2020-01-01\"\n"
        )
        #expect(throws: KeychainError(.param)) { try home.secret(["stripe", "customers"]) }
        #expect(try home.secret(["stripe", "customers", "--live"]) == "s-second")
        #expect(try home.secret(["stripe", "customers"], account: "test") == "s-first")
        let own = try ProfileHome("stripe")
        try own.set("stripe", "live", secret: "s-first")
        try own.set("stripe", "test", secret: "s-second")
        #expect(try own.secret(["stripe", "customers", "--live"]) == "s-first")
        let error = #expect(throws: KeychainError.self) {
            try home.secret(["stripe", "-p", "old", "customers"])
        }
        #expect(error?.status == .itemNotFound)
        #expect(error?.reason == "the secret for stripe has expired, on 2020-01-01")
    }
}
