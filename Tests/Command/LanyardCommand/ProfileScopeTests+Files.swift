extension ProfileScopeTests {
    /// A file of two entries with the secrets `s-first` and `s-second`.
    struct File: Sendable {
        let profile: String
        /// The names of its scopes.
        let first: String
        let second: String
        let text: String
        /// Which of the profile's files it is.
        var number = 0
        /// Which one the program gets without being asked.
        var active: String? = "s-second"
        /// A file that names the active one.
        var other: (path: String, text: String)?
    }

    private static func sections(
        _ profile: String, _ values: String, active: String? = nil, end: String = "",
        first: String = "first", second: String = "default", number: Int = 0
    ) -> File {
        func section(_ name: String, _ mark: String) -> String {
            "[\(name)]\n\(values.replacing("$", with: mark))\n"
        }
        return File(
            profile: profile, first: first, second: second,
            text: section(first, "first") + section(second, "second")
                + (active.map { "\($0)\n" } ?? "") + end, number: number)
    }

    static let files: [File] = [
        sections(
            "akamai",
            "client_secret = s-$\nclient_token = t\naccess_token = a\nhost = h"),
        sections("aws", "aws_access_key_id = A$\naws_secret_access_key = s-$"),
        File(
            profile: "civo", first: "first", second: "second",
            text:
                #"{"apikeys":{"first":"s-first","second":"s-second"},"meta":{"current_apikey":"second"}}"#
        ),
        File(
            profile: "doctl", first: "first", second: "second",
            text:
                "access-token: x\nauth-contexts:\n  first: s-first\n  second: s-second\ncontext: second\n"
        ),
        File(
            profile: "exoscale", first: "first", second: "second",
            text: "defaultaccount = \"second\"\n"
                + "[[accounts]]\nname = \"first\"\nkey = \"k1\"\nsecret = \"s-first\"\n"
                + "[[accounts]]\nname = \"second\"\nkey = \"k2\"\nsecret = \"s-second\"\n"),
        File(
            profile: "hcloud", first: "first", second: "second",
            text: "active_context = \"second\"\n"
                + "[[contexts]]\nname = \"first\"\ntoken = \"s-first\"\n"
                + "[[contexts]]\nname = \"second\"\ntoken = \"s-second\"\n"),
        File(
            profile: "ionosctl", first: "first", second: "second",
            text: "currentProfile: second\nprofiles:\n"
                + "  - name: first\n    credentials:\n      token: s-first\n"
                + "  - name: second\n    credentials:\n      token: s-second\n"),
        sections(
            "linode-cli", "token = s-$", active: "[DEFAULT]\ndefault-user = second",
            second: "second"),
        sections(
            "ovhcloud", "application_key=k$\napplication_secret=s-$\nconsumer_key=c",
            active: "[default]\nendpoint=ovh-ca", first: "ovh-us", second: "ovh-ca"),
        File(
            profile: "scw", first: "first", second: "second",
            text: "active_profile: second\nprofiles:\n"
                + "  first:\n    access_key: A1\n    secret_key: s-first\n"
                + "  second:\n    access_key: A2\n    secret_key: s-second\n"),
        sections("atlas", "public_api_key = \"p$\"\nprivate_api_key = \"s-$\""),
        sections(
            "databricks", "host = https://$.example\ntoken = s-$",
            active: "[__settings__]\ndefault_profile = second", second: "second"),
        sections("databricks", "host = https://$.example\ntoken = s-$", second: "DEFAULT"),
        File(
            profile: "influx", first: "first", second: "second",
            text: "[first]\nurl = \"u\"\ntoken = \"s-first\"\n"
                + "[second]\nurl = \"u\"\ntoken = \"s-second\"\nactive = true\n"),
        File(
            profile: "qcloud", first: "first", second: "second",
            text: "current_context: second\ncontexts:\n"
                + "  - name: first\n    api_key: s-first\n  - name: second\n    api_key: s-second\n"
        ),
        File(
            profile: "snow", first: "first", second: "second",
            text: "default_connection_name = \"second\"\n"
                + "[connections.first]\nuser = \"u\"\npassword = \"s-first\"\n"
                + "[connections.second]\nuser = \"u\"\npassword = \"s-second\"\n"),
        File(
            profile: "snowsql", first: "first", second: "default",
            text: "[connections]\nusername = u\npassword = s-second\n"
                + "[connections.first]\nusername = u\npassword = s-first\n"),
        File(
            profile: "argocd", first: "first", second: "second",
            text: "current-context: second\nusers:\n"
                + "- auth-token: s-first\n  name: first\n- auth-token: s-second\n  name: second\n"),
        File(
            profile: "gem", first: "gems.example", second: "rubygems.org",
            text: "---\nhttps://gems.example: s-first\n:rubygems_api_key: s-second\n"),
        File(
            profile: "gem", first: "work", second: "rubygems.org",
            text: "---\n:work: s-first\n:rubygems_api_key: s-second\n"),
        File(
            profile: "buildkite", first: "first", second: "second",
            text: "selected_org: second\norganizations:\n"
                + "  first:\n    api_token: s-first\n  second:\n    api_token: s-second\n"),
        File(
            profile: "gh", first: "ghe.example", second: "github.com",
            text: "ghe.example:\n    oauth_token: s-first\n    user: ada\n"
                + "github.com:\n    users:\n        bob:\n            oauth_token: s-bob\n"
                + "        ada:\n            oauth_token: s-second\n    user: ada\n"),
        File(
            profile: "glab", first: "gitlab.com", second: "gl.example",
            text: "host: gl.example\nhosts:\n    gitlab.com:\n        token: s-first\n"
                + "    gl.example:\n        token: s-second\n"),
        File(
            profile: "travis", first: "api.travis-ci.com", second: "travis.example",
            text: "default_endpoint: https://travis.example/\nendpoints:\n"
                + "  https://api.travis-ci.com/:\n    access_token: s-first\n"
                + "  https://travis.example/:\n    access_token: s-second\n"),
        File(
            profile: "doppler", first: "/no-a", second: "/no-b",
            text: "scoped:\n  /no-a:\n    token: s-first\n  /no-b:\n    token: s-second\n",
            active: nil),
        File(
            profile: "fastly", first: "first", second: "second",
            text: "[auth]\ndefault = \"second\"\n[auth.tokens.first]\ntoken = \"s-first\"\n"
                + "[auth.tokens.second]\ntoken = \"s-second\"\n"),
        File(
            profile: "netlify", first: "first", second: "second",
            text:
                #"{"userId":"second","users":{"first":{"auth":{"token":"s-first"}},"second":{"auth":{"token":"s-second"}}}}"#
        ),
        File(
            profile: "pulumi", first: "api.pulumi.com", second: "p.example",
            text:
                #"{"current":"https://p.example","accessTokens":{"https://api.pulumi.com":"s-first","https://p.example":"s-second"}}"#
        ),
        File(
            profile: "copilot", first: "https://github.com:a", second: "https://github.com:b",
            text:
                #"{"copilot_tokens":{"https://github.com:a":"s-first","https://github.com:b":"s-second"},"#
                + #""last_logged_in_user":{"host":"https://github.com","login":"b"}}"#),
        File(
            profile: "modal", first: "first", second: "second",
            text: "[first]\ntoken_id = \"i\"\ntoken_secret = \"s-first\"\n"
                + "[second]\ntoken_id = \"j\"\ntoken_secret = \"s-second\"\nactive = true\n"),
        File(
            profile: "replicate", first: "r.example", second: "api.replicate.com",
            text:
                "https://r.example:\n  token: s-first\nhttps://api.replicate.com:\n  token: s-second\n"
        ),
        File(
            profile: "axiom", first: "first", second: "second",
            text: "active_deployment = \"second\"\n[deployments.first]\ntoken = \"s-first\"\n"
                + "[deployments.second]\ntoken = \"s-second\"\n"),
        File(
            profile: "grafanactl", first: "first", second: "second",
            text: "current-context: second\ncontexts:\n"
                + "  first:\n    grafana:\n      server: u\n      token: s-first\n"
                + "  second:\n    grafana:\n      server: u\n      token: s-second\n"),
        sections("lacework", "api_key = \"k$\"\napi_secret = \"s-$\"\naccount = \"a\""),
        File(
            profile: "newrelic", first: "first", second: "second",
            text: #"{"first":{"apiKey":"s-first"},"second":{"apiKey":"s-second"}}"#,
            other: (".newrelic/default-profile.json", "\"second\"")),
        File(
            profile: "algolia", first: "first", second: "second",
            text: "[first]\napplication_id = \"a\"\napi_key = \"s-first\"\n"
                + "[second]\napplication_id = \"b\"\napi_key = \"s-second\"\ndefault = true\n"),
        File(
            profile: "resend", first: "first", second: "second",
            text:
                #"{"active_profile":"second","profiles":{"first":{"api_key":"s-first"},"second":{"api_key":"s-second"}}}"#
        ),
        sections("stripe", "test_mode_api_key = \"s-$\""),
        sections("stripe", "live_mode_api_key = \"s-$\""),
        File(
            profile: "stripe", first: "first", second: "default",
            text: "config_version = 2\n[profiles.first]\ntest_mode_api_key = \"s-first\"\n"
                + "[profiles.default]\ntest_mode_api_key = \"s-second\"\n"),
        File(
            profile: "stripe", first: "first", second: "default",
            text: #"{"first.live_mode_api_key":"s-first","default.live_mode_api_key":"s-second"}"#,
            number: 1),
        File(
            profile: "twilio", first: "first", second: "second",
            text: #"{"activeProject":"second","profiles":{"#
                + #""first":{"apiKey":"a","apiSecret":"s-first","accountSid":"x"},"#
                + #""second":{"apiKey":"b","apiSecret":"s-second","accountSid":"y"}}}"#),
    ]

    /// The secrets of these files are for one host that the file does not name: it has one entry.
    static let single: [String: (scope: String, text: String)] = [
        "railway": ("Production", #"{"user":{"token":"s-first"}}"#),
        "supabase": ("supabase", "s-first\n"),
        "circleci": ("circleci.example", "host: https://circleci.example\ntoken: s-first\n"),
        "heroku": ("heroku.com", "machine api.heroku.com login u password s-first\n"),
        "pypi": ("pypi", "[pypi]\npassword = s-first\n"),
        "sentry-cli": (
            "sentry.example", "[auth]\ntoken=s-first\n[defaults]\nurl=https://sentry.example/\n"
        ),
        "snyk": (
            "https://api.eu.snyk.io", #"{"api":"s-first","endpoint":"https://api.eu.snyk.io"}"#
        ),
        "yarn": (
            "npm.example", "npmRegistryServer: \"https://npm.example\"\nnpmAuthToken: s-first\n"
        ),
        "wandb": ("https://api.wandb.ai", "machine api.wandb.ai login u password s-first\n"),
        "sourcegraph": (
            "https://sg.example", #"{"endpoint":"https://sg.example","accessToken":"s-first"}"#
        ),
    ]

    /// Profiles whose items users alone make: `NAME@HOST`.
    static let ofUsers: Set<String> = ["crash", "redis-cli", "vsql"]

    /// Profiles with arguments of their own, tested below.
    static let others: Set<String> = ["hf", "mysql", "psql", "ysqlsh"]

    /// Why a file of a profile binds its secrets to nothing that `lanyard run` would have to choose.
    static let reasons: [String: String] = [
        "azure": "only libraries use it: exec --profile NAME/ACCOUNT names the account",
        "cargo": "the variable is for crates.io alone, and no other token is imported",
        "claude": "no secret is imported", "ggshield": "no secret is imported",
        "kimi": "no secret is imported",
        "codex": "one secret", "depot": "one secret",
        "deployctl": "one secret", "flyctl": "one secret", "forge": "one secret",
        "gemini": "one secret", "ghorg": "one secret for each forge",
        "goreleaser": "one secret",
        "infracost": "one secret", "kaggle": "one secret",
        "kaggle-key": "one secret", "koyeb": "one secret", "llm": "one secret",
        "localstack": "one secret", "mistral": "one secret", "neonctl": "one secret",
        "ngrok": "one secret", "octopus": "one secret, next to its server", "ohdear": "one secret",
        "okta": "one secret, next to its server", "pscale": "one secret",
        "rdme": "one secret", "render": "one secret", "runpodctl": "one secret",
        "semgrep": "one secret",
        "td": "one secret", "tugboat": "one secret",
        "turso": "one secret", "upcloud": "one secret", "upcloud-password": "one secret",
        "upstash": "one secret", "vagrant": "one secret", "vapor": "one secret",
        "vercel": "one secret", "vultr-cli": "one secret", "wrangler": "one secret",
        "zapier": "one secret", "ansible-galaxy": "one secret", "datadog": "one section",
        "s3cmd": "one section: another file has others",
        "composer": "its whole file is the secret, with the hosts",
        "crush": "the variable is for one provider", "opencode": "the variable is for one provider",
        "maven": "mvn gets all servers, and chooses one by its ID",
        "npm": "npm's file names the registry", "poetry": "the variable is for PyPI alone",
        "vault": "the file names no server",
    ]
}
