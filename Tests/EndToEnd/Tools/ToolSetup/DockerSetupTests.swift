import KeychainServices
import Testing

@testable import ToolSetup

@Suite("setting docker up")
struct DockerSetupTests {
    private static let file = ".docker/config.json"

    @Test(
        "odd configurations: setup adds one value, undo leaves every byte",
        arguments: oddDockerConfigs)
    func oddConfiguration(config: DockerConfigCase) async throws {
        let home = try SetupHome()
        if let text = config.text {
            try home.write(DockerSetupTests.file, Array(text.utf8), mode: 0o640)
        }
        let before = try home.tree()
        for _ in 0..<2 {
            let plan = try home.setUp(.docker)
            #expect(plan.isEmpty == (config.text == config.then))
            #expect(try home.read(DockerSetupTests.file) == config.then)
            #expect(try home.mode(DockerSetupTests.file) == (config.text == nil ? 0o600 : 0o640))
            try await expectSameBesides(home, config)
            if !plan.isEmpty {
                try home.undo(.docker)
            }
            #expect(try home.tree() == before)
        }
    }

    /// Python reads the same in both, but for `credsStore`.
    private func expectSameBesides(_ home: SetupHome, _ config: DockerConfigCase) async throws {
        let script = """
            import json, sys
            def read(text):
                pairs = json.loads(text, object_pairs_hook=list) if text.strip() else []
                return [p for p in pairs if p[0].lower() != "credsstore"], \\
                       [p[1] for p in pairs if p[0].lower() == "credsstore"]
            before, after = sys.stdin.read().split("\\0")
            assert read(before)[0] == read(after)[0], "something else has changed"
            assert read(after)[1] == ["lanyard"], "credsStore is not lanyard"
            """
        let result = try await home.run(
            "python3", ["-c", script],
            input: "\(config.text ?? "")\0\(try home.read(DockerSetupTests.file))")
        #expect(result.succeeded, "\(result.errors)")
    }

    @Test(
        "logins that a file lacks are added, in its style",
        arguments: [
            ("", "{\"auths\": {\"a\": {\"auth\":\"YQ==\"}}}"),
            ("{ }", "{\"auths\": {\"a\": {\"auth\":\"YQ==\"}}}"),
            (
                "{\n\t\"x\": 1\n}",
                "{\n\t\"x\": 1,\n\t\"auths\": {\"a\": {\"auth\":\"YQ==\"}}\n}"
            ),
            ("{\"auths\":{}}", "{\"auths\":{\"a\": {\"auth\":\"YQ==\"}}}"),
            ("{\"auths\": null}", "{\"auths\": {\"a\": {\"auth\":\"YQ==\"}}}"),
            ("{\"auths\":{\"a\": { }}}", "{\"auths\":{\"a\": {\"auth\":\"YQ==\"}}}"),
            (
                "{\"Auths\":{\n\"b\": {\"auth\":\"Yg==\"}\n}}",
                "{\"Auths\":{\n\"b\": {\"auth\":\"Yg==\"},\n\"a\": {\"auth\":\"YQ==\"}\n}}"
            ),
            ("{\"auths\":{\"a\":{\"auth\":\"bmV3\"}}}", nil),
        ])
    func merging(text: String, merged: String?) throws {
        let other = try DockerConfigText(
            FileBytes("{\"auths\":{\"a\": {\"auth\":\"YQ==\"},\"c\":{}}}"), path: "")
        let result = try DockerConfigText(FileBytes(text), path: "").merging(other, path: "")
        #expect(String(decoding: result.bytes, as: UTF8.self) == merged ?? text)
        #expect(result.others == (merged == nil ? ["a"] : []))
    }

    @Test("anything but a JSON object is refused and left alone", arguments: brokenDockerConfigs)
    func broken(text: String) throws {
        let home = try SetupHome()
        try home.write(DockerSetupTests.file, text)
        let before = try home.tree()
        let error = failure { _ = try home.setup(.docker).plan() }
        #expect(error?.status == .decode)
        #expect(error?.reason.contains("hunter2") == false)
        #expect(try home.tree() == before)
    }

    @Test("the error names the line")
    func line() throws {
        let home = try SetupHome()
        try home.write(DockerSetupTests.file, "{\n\"a\": 1,\n\"b\": hunter2\n}")
        let error = failure { _ = try home.setup(.docker).plan() }
        let path = home.path(DockerSetupTests.file)
        #expect(error?.reason == "'\(path)' is not a JSON object: line 3 is invalid")
    }

    @Test("the plan names replaced helpers, other helpers and plain-text logins")
    func planSaysIt() throws {
        let home = try SetupHome()
        try home.write(
            DockerSetupTests.file,
            """
            {"auths":{"a":{"auth":"aHVudGVyMg=="},"b":{},"c":{"identitytoken":"hunter2"}},
             "credsStore":"desktop","credHelpers":{"gcr.io":"gcloud","x":"lanyard"}}
            """)
        let plan = try home.setup(.docker).plan()
        let path = home.path(DockerSetupTests.file)
        #expect(
            plan.changes.map(\.summary) == [
                [
                    "docker stores its logins in lanyard (credsStore)",
                    "the logins in \"desktop\" stay there, and docker no longer asks for them",
                ]
            ])
        #expect(
            plan.changes.first?.lines
                == ["-\"credsStore\": \"desktop\"", "+\"credsStore\": \"lanyard\""])
        #expect(
            plan.unusedLogins.map(\.note) == [
                "'\(path)' contains logins in plain text (2): docker ignores them next to a"
                    + " credsStore; to move them into the keychain: lanyard import docker-config"
                    + " --remove-plain-text '\(path)'"
            ])
        #expect(
            plan.notes == [
                "the login for 'gcr.io' stays with the helper 'gcloud' (credHelpers)",
                "docker is not on the PATH, but other tools read its configuration",
                "podman, skopeo and buildah are not on the PATH: nothing is set up for them",
            ])
    }

    @Test(
        "changed since, as docker does at each login",
        arguments: [
            // before the setup, now, after the undo
            (
                "{\"a\":1}", "{\n\t\"a\": 1,\n\t\"auths\": {},\n\t\"credsStore\": \"lanyard\"\n}",
                "{\n\t\"a\": 1,\n\t\"auths\": {}\n}"
            ),
            (
                "{\"credsStore\":\"desktop\"}", "{\"credsStore\": \"lanyard\", \"auths\": {}}",
                "{\"credsStore\": \"desktop\", \"auths\": {}}"
            ),
            (
                "{\"a\":1}", "{\"credsStore\": \"lanyard\", \"auths\": {}}", "{\"auths\": {}}"
            ),
            (
                "{\"a\":1}", "{\"b\": 1, \"credsStore\": \"lanyard\", \"c\": 2}",
                "{\"b\": 1, \"c\": 2}"
            ),
            ("{\"a\":1}", "{ \"credsStore\": \"lanyard\" }", "{  }"),
            // another program's now
            ("{\"a\":1}", "{\"credsStore\": \"pass\"}", "{\"credsStore\": \"pass\"}"),
            ("{\"a\":1}", "{\"a\":1}", "{\"a\":1}"),
            ("{\"a\":1}", "", ""),
            (nil, "{\"auths\":{},\"credsStore\":\"lanyard\"}", "{\"auths\":{}}"),
            (nil, "{\"credsStore\":\"lanyard\"}", nil),
        ] as [(String?, String, String?)])
    func changed(before: String?, now: String, then: String?) throws {
        let home = try SetupHome()
        if let before {
            try home.write(DockerSetupTests.file, before)
        }
        try home.setUp(.docker)
        try home.write(DockerSetupTests.file, now)
        try home.undo(.docker)
        if let then {
            #expect(try home.read(DockerSetupTests.file) == then)
        } else {
            #expect(try home.tree().isEmpty)
        }
        #expect(failure { try home.undo(.docker) }?.status == .itemNotFound)
    }

    @Test("a file that became unreadable as JSON is left alone, and so is the record")
    func becameBroken() throws {
        let home = try SetupHome()
        try home.write(DockerSetupTests.file, "{\"a\":1}")
        try home.setUp(.docker)
        try home.write(DockerSetupTests.file, "{\"a\":1,")
        #expect(failure { try home.undo(.docker) }?.status == .decode)
        #expect(try home.read(DockerSetupTests.file) == "{\"a\":1,")
        try home.write(DockerSetupTests.file, "{\"credsStore\":\"lanyard\",\"b\":1}")
        try home.undo(.docker)
        #expect(try home.read(DockerSetupTests.file) == "{\"b\":1}")
    }

    @Test("undoing a second setup leaves the first one removed by hand")
    func twice() throws {
        let home = try SetupHome()
        try home.write(DockerSetupTests.file, "{\"credsStore\":\"desktop\"}")
        try home.setUp(.docker)
        try home.write(DockerSetupTests.file, "{\"credsStore\":\"pass\"}")
        try home.setUp(.docker)
        #expect(try home.read(DockerSetupTests.file) == "{\"credsStore\":\"lanyard\"}")
        try home.undo(.docker)
        #expect(try home.read(DockerSetupTests.file) == "{\"credsStore\":\"pass\"}")
        #expect(!home.exists("../state/setup"))
    }

    @Test("DOCKER_CONFIG names the folder, which is made and removed")
    func configuredFolder() throws {
        let home = try SetupHome()
        home.variables["DOCKER_CONFIG"] = home.path("a/b")
        try home.setUp(.docker)
        #expect(try home.mode("a/b/config.json") == 0o600)
        #expect(try home.mode("a/b") == 0o700)
        home.variables["DOCKER_CONFIG"] = nil
        try home.undo(.docker)
        #expect(try home.tree().isEmpty)
    }

    @Test("copies and record are the owner's alone, and gone after the undo")
    func copies() throws {
        let home = try SetupHome()
        let secret = "{\"auths\":{\"a\":{\"auth\":\"aHVudGVyMg==\"}}}"
        try home.write(DockerSetupTests.file, secret)
        try home.setUp(.docker)
        #expect(try home.mode("../state/setup") == 0o700)
        let digest = SetupRecord.digest(FileBytes(secret))
        #expect(try home.read("../state/setup/docker-\(digest)") == secret)
        #expect(try home.mode("../state/setup/docker-\(digest)") == 0o600)
        #expect(try home.mode("../state/setup/docker") == 0o600)
        #expect(try !home.read("../state/setup/docker").contains("aHVudGVyMg"))
        try home.undo(.docker)
        #expect(!home.exists("../state/setup"))
    }
}
