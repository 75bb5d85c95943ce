import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// cargo-credential-lanyard gives real cargo the token of a registry that requires one for everything.
@Suite(.needs(.cargo, .python), .timeLimit(.minutes(10)))
struct CargoTests {
    private static let token = "cargo-token-bilby"
    private static let othersToken = "cargo-token-quoll"

    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        let dependency = "bilby = { version = \"1\", registry = \"work\" }"
        for (name, dependencies) in [("bilby", ""), ("user", dependency)] {
            let source = "\(home.path)/home/\(name)/src"
            try FileManager.default.createDirectory(
                atPath: source, withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: "\(source)/lib.rs"))
            _ = try home.write(
                """
                [package]
                name = "\(name)"
                version = "1.0.0"
                edition = "2021"
                description = "a test"
                license = "MIT"
                [dependencies]
                \(dependencies)

                """, to: "home/\(name)/Cargo.toml")
        }
    }

    private func cargo(
        _ arguments: [String], crate: String, input: String = "",
        variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await home.command(
            "sh", ["-c", "cd \"$HOME/$0\" && exec setsid --wait cargo \"$@\"", crate] + arguments,
            input: Array(input.utf8),
            variables: ScratchHome.cargoVariables(home).merging(variables) { _, own in own }
        ).run()
    }

    private func withRegistry(
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let tokens = [CargoTests.token, CargoTests.othersToken]
        try await ScriptedServer(script: CargoTests.registry, arguments: tokens)
            .serve(home) { [home] port in
                let origin = "sparse+http://127.0.0.1:\(port)"
                let index = "\(origin)/index/"
                try FileManager.default.createDirectory(
                    atPath: "\(home.path)/home/cargo", withIntermediateDirectories: true)
                _ = try home.write(
                    """
                    [registries.work]
                    index = "\(index)"
                    credential-provider = "cargo-credential-lanyard"
                    [registries.other]
                    index = "\(origin)/other/index/"
                    credential-provider = "cargo-credential-lanyard"

                    """, to: "home/cargo/config.toml")
                try await body(index)
            }
    }

    private func expectRefusal(
        _ outcome: Outcome, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            outcome.status == 101 && outcome.errorText.contains(reason), "\(outcome)",
            sourceLocation: sourceLocation)
        #expect(
            !outcome.errorText.contains("bilby-token"), "\(outcome)", sourceLocation: sourceLocation
        )
    }

    @Test func loginPublishFetchAndLogout() async throws {
        try await withRegistry { index in
            let publish = ["publish", "--registry", "work", "--no-verify", "--allow-dirty"]
            func published() async throws -> Outcome { try await cargo(publish, crate: "bilby") }
            expectRefusal(try await published(), "no token found for `work`")
            let login = try await cargo(
                ["login", "--registry", "work"], crate: "bilby", input: "\(CargoTests.token)\n")
            #expect(login.status == 0, "\(login)")
            let publication = try await published()
            #expect(publication.status == 0, "\(publication)")
            let fetched = try await cargo(["fetch"], crate: "user")
            #expect(
                fetched.status == 0 && fetched.errorText.contains("Downloaded bilby"), "\(fetched)")
            let url = String(index.dropFirst("sparse+".count))
            let stored = try await home.lanyard("get", "--group", "cargo", url)
            expectAnswer(stored, "\(CargoTests.token)\n")
            #expect(home.files(containing: CargoTests.token) == [])
            let logout = try await cargo(["logout", "--registry", "work"], crate: "bilby")
            #expect(logout.status == 0, "\(logout)")
            expectRefusal(try await published(), "no token found for `work`")
            let again = try await cargo(["logout", "--registry", "work"], crate: "bilby")
            #expect(
                again.status == 0 && again.errorText.contains("not currently logged in"), "\(again)"
            )
        }
    }

    /// Two registries of one host.
    @Test func eachRegistryHasItsToken() async throws {
        try await withRegistry { _ in
            func cargo(_ arguments: String..., registry: String, input: String = "") async throws
                -> Outcome
            {
                try await self.cargo(
                    arguments + ["--registry", registry], crate: "bilby", input: input)
            }
            func published(_ registry: String) async throws -> Outcome {
                try await cargo("publish", "--no-verify", "--allow-dirty", registry: registry)
            }
            let tokens = ["work": CargoTests.token, "other": CargoTests.othersToken]
            for (registry, token) in tokens {
                let login = try await cargo("login", registry: registry, input: "\(token)\n")
                #expect(login.status == 0, "\(login)")
            }
            let first = try await published("work")
            #expect(first.status == 0, "\(first)")
            let logout = try await cargo("logout", registry: "work")
            #expect(logout.status == 0, "\(logout)")
            let second = try await published("other")
            #expect(second.status == 0, "\(second)")
            expectRefusal(try await published("work"), "no token found for `work`")
        }
    }

    @Test func aWrongToken() async throws {
        try await withRegistry { index in
            try await home.set("--for", "cargo", index, secret: "wrong-bilby-token")
            expectRefusal(try await cargo(["fetch"], crate: "user"), "401")
            try await home.set("--for", "cargo", index, secret: CargoTests.token)
            expectRefusal(
                try await cargo(["fetch"], crate: "user"), "no matching package named `bilby` found"
            )
        }
    }

    /// cargo names crates.io by an address of its own.
    @Test func theTokenOfCratesIO() async throws {
        try await home.set("--for", "cargo", "crates.io", secret: CargoTests.token)
        let variables = ["CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS": "cargo-credential-lanyard"]
        for isThere in [true, false] {
            let logout = try await cargo(["logout"], crate: "bilby", variables: variables)
            #expect(logout.status == 0, "\(logout)")
            #expect(
                logout.errorText.contains("not currently logged in") == !isThere, "\(logout)")
        }
    }

    @Test func whileLocked() async throws {
        try await withRegistry { index in
            try await home.set("--for", "cargo", index, secret: CargoTests.token)
            try await home.setPassphrase()
            let outcome = try await cargo(["fetch"], crate: "user")
            expectRefusal(outcome, "lanyard: error: the keychain 'login' is locked")
            #expect(outcome.errorText.contains("lanyard: hint: lanyard unlock"), "\(outcome)")
        }
    }

    private static let registry = """
        token, others = arguments
        crates = {}
        class Handler(Base):
            def registry(self):
                return "/other" if self.path.startswith("/other/") else ""
            def isKnown(self):
                return self.headers.get("Authorization") == (others if self.registry() else token)
            def do_GET(self):
                if not self.isKnown():
                    return self.reply(401, WWW_Authenticate='Cargo login_url="https://registry.example/me"')
                place = origin + self.registry()
                if self.path.endswith("/index/config.json"):
                    return self.reply(200, json.dumps(
                        {"dl": place + "/dl/{crate}", "api": place, "auth-required": True}).encode())
                name = self.registry(), self.path.split("/")[-1]
                if name not in crates:
                    return self.reply(404)
                line, package = crates[name]
                self.reply(200, package if "/dl/" in self.path else line)
            def do_PUT(self):
                body = self.body()
                if not self.isKnown():
                    return self.reply(403)
                length = int.from_bytes(body[:4], "little")
                described, package = json.loads(body[4:4 + length]), body[8 + length:]
                crates[self.registry(), described["name"]] = json.dumps(
                    {"name": described["name"], "vers": described["vers"], "deps": [], "features": {},
                     "cksum": hashlib.sha256(package).hexdigest(), "yanked": False}).encode(), package
                self.reply(200, b"{}")
        """
}

extension ScratchHome {
    /// What cargo needs to stay in this home; rustup's toolchains are the machine's.
    static func cargoVariables(_ home: ScratchHome) -> [String: String?] {
        let ownHome = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_dir) } ?? ""
        return [
            "CARGO_HOME": "\(home.path)/home/cargo", "RUSTUP_HOME": "\(ownHome)/.rustup",
        ]
    }
}

extension Need {
    fileprivate static let cargo = Need(missing: "there is no cargo 1.74 or later") {
        let home = try ScratchHome()
        let outcome = try await home.command(
            "cargo", ["--version"], variables: ScratchHome.cargoVariables(home)
        ).run()
        guard let found = outcome.outputText.firstMatch(of: /cargo 1\.(\d+)\./) else {
            return false
        }
        return Int(found.1).map { $0 >= 74 } ?? false
    }
}
