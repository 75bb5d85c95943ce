internal import PlainTextFormats

// Logs, metrics, traces and alerts.
extension ToolProfile {
    static let observability: [ToolProfile] = [
        ToolProfile(
            "axiom",
            variables: [
                .secret("AXIOM_TOKEN"), .account("AXIOM_ORG_ID"), .part("AXIOM_URL", "url"),
            ],
            plainText: [
                SecretFile(
                    ".axiom.toml", .toml,
                    [
                        .secret(["deployments", "*", "token"]),
                        .account(["deployments", "*", "org_id"]),
                        .part("url", ["deployments", "*", "url"]),
                    ])
            ],
            moves: [FileMove(".axiom.toml", options: ["--config", "-C"])],
            scope: ToolScope(
                .name, "deployment", options: ["--deployment", "-D"],
                variables: ["AXIOM_DEPLOYMENT"],
                active: [.init(".axiom.toml", .toml, ["active_deployment"])]),
            address: ServerAddress("url", variables: ["AXIOM_URL"]),
            signIn: "https://app.axiom.co/settings/profile",
            sources: ["https://axiom.co/docs/reference/cli"]),
        ToolProfile(
            "datadog", programs: ["datadog-ci", "dog"],
            variables: [
                .secret("DD_API_KEY"), .secret("DATADOG_API_KEY"), .part("DD_APP_KEY", "app-key"),
                .part("DATADOG_APP_KEY", "app-key"),
            ],
            plainText: [
                SecretFile(
                    ".dogrc", .ini,
                    [
                        .secret(["*", "apikey"]), .part("app-key", ["*", "appkey"]),
                        .part("host", ["*", "api_host"]),
                    ], quotes: "")
            ],
            address: ServerAddress(
                "host", options: ["--api_host"], variables: ["DATADOG_HOST"],
                usual: "https://api.datadoghq.com"),
            signIn: "https://app.datadoghq.com/organization-settings/api-keys",
            sources: [
                "DataDog/datadog-ci/packages/base/src/commands/dsyms/README.md",
                "https://docs.datadoghq.com/account_management/api-app-keys/",
                "1Password/shell-plugins/plugins/datadog/api_key.go",
            ]),
        ToolProfile(
            "grafanactl", variables: [.secret("GRAFANA_TOKEN"), .part("GRAFANA_SERVER", "server")],
            plainText: [
                SecretFile(
                    ".config/grafanactl/config.yaml", .yaml,
                    [
                        .secret(["contexts", "*", "grafana", "token"]),
                        .part("server", ["contexts", "*", "grafana", "server"]),
                    ])
            ],
            moves: [
                FileMove(
                    ".config/grafanactl/config.yaml", options: ["--config"],
                    variables: ["GRAFANACTL_CONFIG"])
            ],
            scope: ToolScope(
                .name, "context", options: ["--context"],
                active: [.init(".config/grafanactl/config.yaml", .yaml, ["current-context"])],
                fallback: "default"),
            address: ServerAddress("server", variables: ["GRAFANA_SERVER"]),
            signIn: "https://grafana.com/docs/grafana/latest/administration/service-accounts/",
            sources: [
                "grafana/grafanactl/docs/reference/environment-variables/index.md",
                "grafana/grafanactl/docs/configuration.md",
            ]),
        ToolProfile(
            "honeymarker", variables: [.secret("HONEYCOMB_API_KEY")],
            signIn: "https://ui.honeycomb.io/account",
            sources: ["honeycombio/honeymarker/README.md"]),
        ToolProfile(
            "lacework",
            variables: [
                .requiredAccount("LW_API_KEY"), .secret("LW_API_SECRET"),
                .part("LW_ACCOUNT", "account-name"),
            ],
            plainText: [
                SecretFile(
                    ".lacework.toml", .toml,
                    [
                        .account(["*", "api_key"]), .secret(["*", "api_secret"]),
                        .part("account-name", ["*", "account"]),
                    ])
            ],
            scope: ToolScope(
                .name, "profile", options: ["--profile", "-p"], variables: ["LW_PROFILE"],
                fallback: "default"),
            address: ServerAddress(
                "account-name", options: ["--account", "-a"], variables: ["LW_ACCOUNT"]),
            signIn: "https://docs.lacework.com/console/api-access-keys",
            sources: [
                "https://docs.lacework.com/cli/",
                "1Password/shell-plugins/plugins/lacework/api_key.go",
            ]),
        ToolProfile(
            "newrelic",
            variables: [
                .secret("NEW_RELIC_API_KEY"), .account("NEW_RELIC_ACCOUNT_ID"),
                .part("NEW_RELIC_LICENSE_KEY", "license-key"),
            ],
            plainText: [
                SecretFile(
                    ".newrelic/credentials.json", .json,
                    [
                        .secret(["*", "apiKey"]), .part("license-key", ["*", "licenseKey"]),
                    ])
            ],
            scope: ToolScope(
                .name, "profile", options: ["--profile"], variables: ["NEW_RELIC_PROFILE"],
                active: [.init(".newrelic/default-profile.json", .singleLine, [])],
                fallback: "default"),
            signIn: "https://one.newrelic.com/api-keys",
            sources: ["newrelic/newrelic-cli/internal/config/config.go"]),
        ToolProfile(
            "ohdear", programs: ["ohdear", "ohdear-cli"], variables: [.secret("OHDEAR_API_TOKEN")],
            plainText: [SecretFile(".ohdear/config.json", .json, [.secret(["token"])])],
            signIn: "https://ohdear.app/user/api-tokens",
            sources: [
                "ohdearapp/ohdear-cli/README.md",
                "ohdearapp/ohdear-cli/app/Services/CredentialStore.php",
            ]),
        ToolProfile(
            "sentry-cli",
            variables: [.secret("SENTRY_AUTH_TOKEN"), .account("SENTRY_ORG")],
            plainText: [".sentryclirc", ".config/sentry/sentrycli.ini"].map {
                SecretFile($0, .ini, [.secret(["auth", "token"])])
            },
            moves: [FileMove(properties, variables: ["SENTRY_PROPERTIES"])],
            scope: ToolScope(
                .host, "host", options: ["--url"], variables: ["SENTRY_URL"],
                aliases: [".sentry.io": "sentry.io"],
                active: [.init(properties, .properties, ["defaults.url"])]
                    + ["./.sentryclirc", ".sentryclirc", ".config/sentry/sentrycli.ini"].map {
                        .init($0, .ini, ["defaults", "url"])
                    }, fallback: "sentry.io"),
            signIn: "https://sentry.io/settings/account/api/auth-tokens/",
            sources: [
                "getsentry/sentry-cli/src/constants.rs",
                "https://docs.sentry.io/product/cli/configuration/",
                "getsentry/sentry-cli/src/config.rs",
            ]),
    ]

    /// The file that a variable names for sentry-cli; it has no usual place.
    private static let properties = ".config/sentry/sentry.properties"
}
