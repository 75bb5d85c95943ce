import ItemImport
import KeychainServices
import Testing
import ToolProfiles

/// The plain-text files of programs with a profile: each secret becomes the item that `lanyard run` reads.
@Suite struct ProfileFileTests {
    private func format(_ name: String) throws -> ProfileFile {
        let profile = try #require(ToolProfile(name: name))
        return ProfileFile(profile, try #require(profile.plainText.first))
    }

    private func imported(_ name: String, _ text: String) throws -> [String] {
        try read(try format(name), text).map { entry in
            guard let login = entry.login else {
                return entry.reason ?? "shadowed"
            }
            return
                "\(login.attributes.service ?? "") \(login.attributes.account ?? "-") \(login.text)"
        }
    }

    private func rest(_ name: String, _ text: String) throws -> String {
        let ranges = Set(
            try read(try format(name), text).filter { $0.reason == nil }.compactMap(\.range)
        )
        .sorted { $0.lowerBound < $1.lowerBound }
        return try removing(ranges, from: Secret(copying: Array(text.utf8).span)).string()
    }

    /// Files as the programs write them.
    @Test(arguments: [
        (
            "gh",
            """
            github.com:
                users:
                    bob:
                        oauth_token: gho_b
                    ada:
                        oauth_token: gho_a
                oauth_token: gho_a
                user: ada
                git_protocol: https

            """, ["shadowed", "gh bob gho_b", "gh ada gho_a"]
        ),
        (
            "stripe",
            "[default]\ndevice_name = 'x'\nlive_mode_api_key = 'rk_live_1'\ntest_mode_api_key = 'rk_test_1'\n",
            ["stripe live rk_live_1", "stripe test rk_test_1"]
        ),
        (
            "hcloud",
            "active_context = \"b\"\n[[contexts]]\nname = \"a\"\ntoken = \"ta\"\n[[contexts]]\nname = \"b\"\ntoken = \"tb\"\n",
            ["hcloud b tb", "hcloud a ta"]
        ),
        (
            "doctl", "access-token: dop_1\nauth-contexts:\n  work: dop_2\ncontext: default\n",
            ["doctl work dop_2", "doctl - dop_1"]
        ),
        (
            "argocd",
            "users:\n- auth-token: jwt\n  name: argo.example\n", ["argocd argo.example jwt"]
        ),
        (
            "databricks", "[DEFAULT]\nhost = https://d.example\ntoken = dapi1\n",
            ["databricks/host - https://d.example", "databricks - dapi1"].reversed()
        ),
        ("wandb", "machine api.wandb.ai\n  login user\n  password w1\n", ["wandb - w1"]),
        ("psql", "db.example:5432:*:ada:pw\n", ["psql ada pw"]),
        ("mysql", "[client]\nuser = ada\npassword = \"p w\"\n", ["mysql ada p w"]),
        ("hf", "hf_1\n", ["hf - hf_1"]),
        ("vapor", "{\"token\": \"a\\/b\"}", ["vapor - a/b"]),
        (
            "kaggle", "{\"username\":\"ada\",\"key\":\"k1\"}", ["kaggle ada k1"]
        ),
    ])
    func secrets(name: String, text: String, items: [String]) throws {
        #expect(try imported(name, text) == items)
    }

    /// What the program could not use is no half import.
    @Test(arguments: [
        ("gh", "ghe.example:\n  oauth_token: x\n", "lanyard run can't pass it to gh"),
        ("glab", "hosts:\n  gl.example:\n    token: x\n", "lanyard run can't pass it to glab"),
        (
            "claude", "{\"claudeAiOauth\":{\"accessToken\":\"x\"}}",
            "lanyard run can't pass it to claude"
        ),
        (
            "neonctl", "{\"access_token\":\"x\",\"refresh_token\":\"y\"}",
            "it belongs to a session that neonctl renews"
        ),
        ("pscale", "x\n", "its account is not next to it"),
        ("akamai", "[default]\nclient_secret = x\n", "its client-token is not next to it"),
        (
            "koyeb", "token: |\n  x\n", "its value has escapes, comments or several lines"
        ),
    ])
    func refused(name: String, text: String, reason: String) throws {
        #expect(try imported(name, text) == [reason])
    }

    /// The rest is a file that the program reads.
    @Test func rests() throws {
        #expect(
            try rest("gh", "github.com:\n    oauth_token: x\n    user: ada\n")
                == "github.com:\n    user: ada\n")
        #expect(
            try rest("argocd", "users:\n- auth-token: jwt # c\n  name: a\n")
                == "users:\n- auth-token:\n  name: a\n")
        #expect(try rest("vapor", "{\"token\": \"x\"}") == "{\"token\": \"\"}")
        #expect(
            try rest("wandb", "machine a login b password c\nmachine api.wandb.ai\n password w\n\n")
                == "machine a login b password c\n\n")
    }
}
