import Foundation
import KeychainServices
import TestSupport
import Testing
import ToolCatalog

@testable import LanyardCommand

/// A program that reads another configuration file gets the secret that is active there.
@Suite struct MovedFileTests {
    /// A way to name another file: arguments and a variable.
    struct Way {
        let words: [String]
        let variables: [String: String]
        /// The file.
        let place: String
    }

    /// The ways by which a profile's program gets a file elsewhere, and the place that each means.
    static func ways(
        _ profile: ToolProfile, _ path: String, in folder: String
    ) -> [Way] {
        var ways: [Way] = []
        for move in profile.moves {
            guard let start = move.paths.first(where: { path == $0 || path.hasPrefix("\($0)/") })
            else {
                continue
            }
            let place = "\(folder)/moved\(ways.count)"
            let file = place + path.dropFirst(start.count)
            for option in move.options {
                ways.append(Way(words: [option, place], variables: [:], place: file))
                ways.append(Way(words: ["\(option)=\(place)"], variables: [:], place: file))
            }
            for variable in move.variables {
                ways.append(Way(words: [], variables: [variable: place], place: file))
            }
        }
        if path.hasPrefix(".config/") {
            let place = "\(folder)/xdg"
            ways.append(
                Way(
                    words: [], variables: ["XDG_CONFIG_HOME": place],
                    place: place + path.dropFirst(".config".count)))
        }
        return ways
    }

    /// The files of profiles with one that names the active entry, and the path of that.
    private static let files = ProfileScopeTests.files.compactMap { file in
        let profile = ToolProfile.all.first { $0.name == file.profile }
        let path = file.other?.path ?? profile?.plainText[file.number].path
        let text = Array((file.other?.text ?? file.text).utf8)
        let isNamed = profile?.scope?.active.contains { entry in
            entry.path == path && entry.naming != .onlySection && entry.name(in: text.span) != nil
        }
        return isNamed == true ? (file, path ?? "") : nil
    }

    @Test func allProfilesWithAnActiveEntryAreHere() {
        let all = ToolProfile.all.filter { profile in
            profile.scope?.active.contains { entry in
                entry.naming != .onlySection && !entry.path.hasPrefix("./")
            } ?? false
        }
        // Its file has one entry.
        let others: Set = ["circleci", "sentry-cli", "snyk", "sourcegraph", "wandb", "yarn"]
        #expect(Set(all.map(\.name)) == others.union(Self.files.map(\.0.profile)))
    }

    @Test(arguments: files.indices)
    func theActiveEntryOfAnotherFile(index: Int) throws {
        let (file, path) = Self.files[index]
        let home = try ProfileHome(file.profile)
        try home.add(file.text, number: file.number)
        if let other = file.other {
            try home.write(other.text, to: other.path)
        }
        let text = Self.exchangingNames(file.other?.text ?? file.text, file)
        let program = home.profile.programs.first ?? "program"
        for way in Self.ways(home.profile, path, in: home.folder.path) {
            let place = way.place
            // Nothing is active in a missing file.
            let none = try home.secret([program] + way.words, way.variables)
            let fallback = home.profile.scope?.fallback
            #expect(none == (fallback == file.first ? "s-first" : nil), "\(way)")
            for text in [text, Self.withoutSecrets(text)] {
                try home.write(text, to: String(place.dropFirst(home.folder.path.count + 1)))
                #expect(
                    try home.secret([program] + way.words, way.variables) == "s-first",
                    "\(way) \(text)")
            }
            try FileManager.default.removeItem(atPath: place)
        }
    }

    /// The other entry is active in such a file.
    private static func exchangingNames(_ text: String, _ file: ProfileScopeTests.File) -> String {
        // Of `HOST:USER`, a file may have the two apart.
        let names = [file.first, file.second].map { name in
            name.hasPrefix("https://") ? "\"\(name.split(separator: ":").last ?? "")\"" : name
        }
        return text.replacing("s-first", with: "s-1").replacing("s-second", with: "s-2")
            .replacing(names[0], with: "\u{1}").replacing(names[1], with: names[0])
            .replacing("\u{1}", with: names[1])
    }

    /// Returns a text without the lines and members with a secret.
    static func withoutSecrets(_ text: String) -> String {
        guard text.hasPrefix("{") else {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.filter { !$0.contains("s-") }.joined(separator: "\n")
        }
        return text.replacing(/"[^"]*":"s-[^"]*",/, with: "").replacing(
            /,?"[^"]*":"s-[^"]*"/, with: "")
    }

    /// A relative path is below the working folder, and `~` the home.
    @Test func places() throws {
        let profile = try #require(ToolProfile(program: "hcloud"))
        let path = ".config/hcloud/cli.toml"
        #expect(profile.place(of: path, ["--config", "x.toml"]) { _ in nil } == "./x.toml")
        #expect(profile.place(of: path, ["--config=/x.toml"]) { _ in "/y" } == "/x.toml")
        #expect(profile.place(of: path) { $0 == "HCLOUD_CONFIG" ? "~/x" : nil } == "~/x")
        #expect(profile.place(of: path) { $0 == "XDG_CONFIG_HOME" ? "x" : nil } == nil)
        #expect(profile.places(of: path) { _ in nil } == [path])
        #expect(
            profile.places(of: path) { $0 == "XDG_CONFIG_HOME" ? "/x" : nil }
                == ["/x/hcloud/cli.toml", path])
        #expect(profile.places(of: path) { $0 == "HCLOUD_CONFIG" ? "/x" : nil } == ["/x"])
    }

    @Test func aFileOfOneEntry() throws {
        let home = try ProfileHome("sourcegraph")
        try home.add(#"{"endpoint":"https://a.example","accessToken":"s-first"}"#)
        try home.write(#"{"endpoint":"https://b.example"}"#, to: "other.json")
        let path = "\(home.folder.path)/other.json"
        #expect(try home.secret(["src", "search"]) == "s-first")
        #expect(try home.secret(["src", "-config", path]) == nil)
        #expect(try home.secret(["src", "-config=\(path)"]) == nil)
    }

    /// wandb's settings name the host, and it ignores the folders of the XDG specification.
    @Test func settingsOfWandb() throws {
        let home = try ProfileHome("wandb")
        try home.add("machine api.wandb.ai login u password s-first\n")
        let settings = "[default]\nbase_url = https://w.example\n"
        for (path, variable) in [
            ("other/settings", "WANDB_CONFIG_DIR"), ("project/wandb/settings", "WANDB_DIR"),
            ("project/.wandb/settings", "WANDB_DIR"),
        ] {
            let place = try #require(path.split(separator: "/").first)
            let variables = [variable: "\(home.folder.path)/\(place)"]
            #expect(try home.secret(["wandb", "sync"], variables) == "s-first", "\(path)")
            try home.write(settings, to: path)
            #expect(try home.secret(["wandb", "sync"], variables) == nil, "\(path)")
            try FileManager.default.removeItem(atPath: "\(home.folder.path)/\(path)")
        }
        try home.write(settings, to: ".config/wandb/settings")
        #expect(try home.secret(["wandb"], ["XDG_CONFIG_HOME": "\(home.folder.path)/xdg"]) == nil)
    }

    /// gh's only host is its usual one.
    @Test func theOnlyHost() throws {
        let home = try ProfileHome("gh")
        try home.add("ghe.example:\n    oauth_token: s-first\n    user: ada\n")
        #expect(try home.secret(["gh", "api", "x"]) == "s-first")
        try home.write("github.com:\n    user: bob\n", to: "other/hosts.yml")
        let variables = ["GH_CONFIG_DIR": "\(home.folder.path)/other"]
        #expect(try home.secret(["gh", "api", "x"], variables) == nil)
    }

    /// The token that the program itself uses.
    @Test func theActiveTokenOfHuggingFace() throws {
        let home = try ProfileHome("hf")
        try home.add("[a]\nhf_token = s-first\n[b]\nhf_token = s-second\n", number: 1)
        #expect(try home.secret(["hf", "auth", "whoami"]) == nil)
        try home.add("s-second\n", number: 0)
        #expect(try home.secret(["hf", "auth", "whoami"]) == "s-second")
        #expect(try home.secret(["hf"], account: "a") == "s-first")
    }
}
