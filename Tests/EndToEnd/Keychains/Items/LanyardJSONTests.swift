import Foundation
import Testing
@testable import EndToEndRig

/// The stable form of `--json`, member by member.
@Suite(.timeLimit(.minutes(10)))
struct LanyardJSONTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// The argument parser writes it by Foundation, of which the linker leaves something out.
    @Test func descriptionOfTheCommands() async throws {
        let outcome = try await home.succeeds("lanyard", "--experimental-dump-help")
        let command = try JSONText(outcome.output).members["command"]
        #expect(command?.members["commandName"] == "lanyard")
        let names = command?.members["subcommands"]?.elements.map { $0.members["commandName"] }
        #expect(names?.prefix(2) == ["set", "get"])
    }

    @Test func everyAttributeOfAnInternetPassword() async throws {
        try await home.set(
            "https://ada@example.com:8443/a%20b", "--label", "L \"q\"", "--comment", "ü\n\u{1}",
            "--description", "D", "--creator", "cr", "--type", "type", "--security-domain", "realm",
            "--authentication-type", "dflt", "--accessible", "ck", "--invisible", "--negative",
            "--synchronizable", "--group", "g", "--yes", secret: "s\"\\\u{7F}\n\n")
        var item: [String: JSONText] = [
            "class": "internet-password", "name": "https://example.com:8443/a%20b", "group": "g",
            "account": "ada", "protocol": "htps", "server": "example.com", "port": 8443,
            "path": "a b", "securityDomain": "realm", "authenticationType": "dflt",
            "label": "L \"q\"", "description": "D", "comment": "ü\n\u{1}", "creator": "cr  ",
            "type": "type", "accessible": "ck", "invisible": true, "negative": true,
            "synchronizable": true, "keychain": "login",
        ]
        let list = try await home.json("list", "--all", "--json")
        #expect(list.withoutDates == .array([.object(item)]))
        // A negative item answers nothing.
        expectAnswer(
            try await home.lanyard("edit", "https://example.com:8443", "--no-negative"), "")
        item["negative"] = nil
        let got = try await home.json("get", "https://example.com:8443", "--json")
        item["secret"] = "s\"\\\u{7F}\n"
        #expect(got.withoutDates == .object(item))
        for member in ["created", "changed"] {
            guard case .string(let text) = got.members[member] else {
                Issue.record("no \(member)")
                continue
            }
            let date = try Date(text, strategy: .iso8601)
            #expect(abs(date.timeIntervalSinceNow) < 600)
        }
    }

    @Test func everyAttributeOfAGenericPassword() async throws {
        try await home.set("my wi-fi", secret: "s")
        let list = try await home.json("list", "--json")
        #expect(
            list.withoutDates == [
                [
                    "class": "generic-password", "name": "my wi-fi", "group": "login",
                    "service": "my wi-fi", "accessible": "ak", "keychain": "login",
                ]
            ])
    }

    @Test func aSecretThatIsNotTextIsBase64() async throws {
        let bytes: [UInt8] = [0, 0xFF, 10, 10]
        let set = try await home.command("lanyard", ["set", "x", "--stdin"], input: bytes).run()
        expectAnswer(set, "")
        let got = try await home.json("get", "x", "--json")
        #expect(got.members["secretBase64"] == "AP8K")
        #expect(got.members["secret"] == nil)
    }

    @Test func status() async throws {
        let absent: [String: JSONText] = [
            "name": "login", "kind": "sealed", "path": .string(home.keychain),
            "place": .string(home.keychain), "state": "absent", "locks_in": nil, "items": 0,
            "recovery_key": false, "outlasts_reboot": true, "in_use": true, "position": 2,
            "default": true, "reason": nil, "groups": [], "items_always_readable": 0,
            "items_after_first_unlock": 0, "items_this_device_only": 0, "portable": nil,
            "security_keys": [],
        ]
        let secretService: [String: JSONText] = [
            "name": "secret-service", "kind": "secret-service", "path": nil, "place": nil,
            "state": "unusable", "locks_in": nil, "items": nil, "recovery_key": nil,
            "outlasts_reboot": nil, "in_use": false, "position": 1, "default": false,
            "reason": "there is no session bus here", "groups": nil,
            "items_always_readable": nil, "items_after_first_unlock": nil,
            "items_this_device_only": nil, "portable": nil, "security_keys": nil,
        ]
        #expect(
            try await home.json("status", "--json")
                == .array([.object(absent), .object(secretService)]))
        try await home.set("x", secret: "s")
        var there = absent
        there["state"] = "no-passphrase"
        there["items"] = 1
        there["groups"] = [["group": "login", "items": 1]]
        #expect(
            try await home.json("status", "--json")
                == .array([.object(there), .object(secretService)]))
    }

    @Test func configuration() async throws {
        try await home.succeeds(
            "lanyard", "keychain", "create", "w", "--file", "\(home.data)/odd \"name\"")
        let file = "\(home.lanyard)/config/config"
        #expect(
            try await home.json("config", "--json") == [
                ["name": "lanyard.searchList", "value": "secret-service login", "from": "default"],
                ["name": "lanyard.accessible", "value": "ak", "from": "default"],
                ["name": "lanyard.autolock", "value": "8h", "from": "default"],
                ["name": "lanyard.timeout", "value": "5s", "from": "default"],
                ["name": "lanyard.log", "value": "false", "from": "default"],
                ["name": "keychain.w.kind", "value": "sealed", "from": "default"],
                [
                    "name": "keychain.w.file", "value": .string("\(home.data)/odd \"name\""),
                    "from": .string("\(file):2"),
                ],
            ])
        #expect(
            try await home.json("keychain", "list", "--json") == [
                [
                    "name": "w", "kind": "sealed", "path": .string("\(home.data)/odd \"name\""),
                    "default": false,
                ]
            ])
    }
}
