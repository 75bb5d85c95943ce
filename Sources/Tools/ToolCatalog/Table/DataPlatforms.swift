internal import PlainTextFormats

// Platforms for data: warehouses and streams.
extension ToolProfile {
    static let dataPlatforms: [ToolProfile] = [
        ToolProfile(
            "confluent",
            variables: [
                .requiredAccount("CONFLUENT_CLOUD_EMAIL"), .secret("CONFLUENT_CLOUD_PASSWORD"),
                .part("CONFLUENT_CLOUD_ORGANIZATION_ID", "organization"),
            ],
            signIn: "https://confluent.cloud",
            sources: [
                "https://docs.confluent.io/confluent-cli/current/command-reference/confluent_login.html"
            ]),
        ToolProfile(
            "databricks",
            variables: [.secret("DATABRICKS_TOKEN"), .part("DATABRICKS_HOST", "host")],
            plainText: [
                SecretFile(
                    ".databrickscfg", .ini,
                    [.secret(["*", "token"]), .part("host", ["*", "host"])]),
                SecretFile(
                    ".databricks/token-cache.json", .json,
                    [
                        .otherSecret(["tokens", "*", "access_token"], .session),
                        .otherSecret(["tokens", "*", "refresh_token"], .session),
                    ]),
            ],
            moves: [
                FileMove(".databrickscfg", variables: ["DATABRICKS_CONFIG_FILE"]),
                FileMove(".", variables: ["DATABRICKS_BUNDLE_ROOT"]),
            ],
            scope: ToolScope(
                .name, "profile", options: ["--profile", "-p"],
                variables: ["DATABRICKS_CONFIG_PROFILE"],
                active: bundle("profile")
                    + [.init(".databrickscfg", .ini, ["__settings__", "default_profile"])],
                fallback: "DEFAULT"),
            address: ServerAddress(
                "host", options: ["--host"], variables: ["DATABRICKS_HOST"],
                entries: bundle("host")),
            signIn: "https://docs.databricks.com/dev-tools/auth.html",
            sources: [
                "databricks/cli/README.md", "databricks/cli/libs/auth/storage/filestore.go",
                "databricks/cli/bundle/config/filename.go", "databricks/cli/cmd/root/bundle.go",
                "1Password/shell-plugins/plugins/databricks/personal_access_token.go",
            ]),
        ToolProfile(
            // A password of a connection in a file beats the variable.
            "snow",
            variables: [
                .account("SNOWFLAKE_USER"), .secret("SNOWFLAKE_PASSWORD"),
                .part("SNOWFLAKE_ACCOUNT", "account-name"),
            ],
            plainText: [".snowflake", ".config/snowflake"].flatMap { folder in
                [
                    SecretFile(
                        "\(folder)/config.toml", .toml,
                        [
                            .secret(["connections", "*", "password"]),
                            .account(["connections", "*", "user"]),
                            .part("account-name", ["connections", "*", "account"]),
                        ]),
                    SecretFile(
                        "\(folder)/connections.toml", .toml,
                        [
                            .secret(["*", "password"]), .account(["*", "user"]),
                            .part("account-name", ["*", "account"]),
                        ]),
                ]
            },
            moves: [
                FileMove(
                    ".snowflake/config.toml", ".config/snowflake/config.toml",
                    options: ["--config-file"]),
                FileMove(".snowflake", ".config/snowflake", variables: ["SNOWFLAKE_HOME"]),
            ],
            scope: ToolScope(
                .name, "connection", options: ["--connection", "--environment", "-c"],
                variables: ["SNOWFLAKE_DEFAULT_CONNECTION_NAME"],
                active: [
                    .init(".snowflake/config.toml", .toml, ["default_connection_name"]),
                    .init(".config/snowflake/config.toml", .toml, ["default_connection_name"]),
                ], fallback: "default"),
            address: ServerAddress(
                "account-name", options: ["--account", "--accountname", "--host"],
                variables: [
                    "SNOWFLAKE_CONNECTIONS_*_ACCOUNT", "SNOWFLAKE_CONNECTIONS_*_HOST",
                    "SNOWFLAKE_ACCOUNT", "SNOWFLAKE_HOST",
                ]),
            accountNames: ["SNOWFLAKE_CONNECTIONS_*_USER"],
            signIn: "https://docs.snowflake.com/en/user-guide/admin-user-management",
            sources: [
                "https://docs.snowflake.com/en/developer-guide/snowflake-cli/connecting/configure-connections",
                "snowflakedb/snowflake-cli/src/snowflake/cli/_app/snow_connector.py",
            ]),
        ToolProfile(
            "snowsql",
            variables: [
                .account("SNOWSQL_USER"), .secret("SNOWSQL_PWD"),
                .part("SNOWSQL_ACCOUNT", "account-name"),
            ],
            plainText: [
                SecretFile(
                    ".snowsql/config", .ini,
                    [
                        .account(["connections", "username"]),
                        .secret(["connections", "password"]),
                        .part("account-name", ["connections", "accountname"]),
                        .account(["connections.*", "username"]),
                        .secret(["connections.*", "password"]),
                        .part("account-name", ["connections.*", "accountname"]),
                    ])
            ],
            moves: [FileMove(".snowsql/config", options: ["--config"])],
            scope: ToolScope(
                .name, "connection", options: ["--connection", "-c"], fallback: "default"),
            address: ServerAddress(
                "account-name", options: ["--accountname", "-a", "--host", "-h"],
                variables: ["SNOWSQL_ACCOUNT"]),
            accountNames: ["-u"],
            signIn: "https://docs.snowflake.com/en/user-guide/admin-user-management",
            sources: [
                "https://docs.snowflake.com/en/user-guide/snowsql-start",
                "1Password/shell-plugins/plugins/snowflake/login_details.go",
            ]),
        ToolProfile(
            "td",
            variables: [
                .secret("TD_API_KEY"), .secret("TREASURE_DATA_API_KEY"),
                .part("TREASURE_DATA_API_SERVER", "endpoint"),
            ],
            plainText: [
                SecretFile(
                    ".td/td.conf", .ini,
                    [
                        .secret(["account", "apikey"]), .account(["account", "user"]),
                        .part("endpoint", ["account", "endpoint"]),
                    ], quotes: "")
            ],
            moves: [
                FileMove(
                    ".td/td.conf", options: ["--config", "-c"],
                    variables: ["TREASURE_DATA_CONFIG_PATH", "TD_CONFIG_PATH"])
            ],
            address: ServerAddress(
                "endpoint", options: ["--endpoint", "-e"],
                variables: ["TREASURE_DATA_API_SERVER", "TD_API_SERVER"],
                usual: "https://api.treasuredata.com"),
            rivals: [["--apikey"], ["-k"]],
            syntax: OptionSyntax(abbreviating: ["td"]),
            signIn: "https://console.treasuredata.com/app/mp/ak",
            sources: [
                "treasure-data/td/lib/td/config.rb", "treasure-data/td/lib/td/command/runner.rb",
                "1Password/shell-plugins/plugins/treasuredata/api_key.go",
            ]),
    ]

    /// Where a bundle, a project of databricks, has a setting of its workspace: in the target, else for all of them.
    private static func bundle(_ setting: PlainTextKey.Step) -> [ToolScope.ActiveEntry] {
        let target = ToolScope.ActiveEntry.Section(
            options: ["--target", "-t"], variables: ["DATABRICKS_BUNDLE_ENV"],
            flag: ["targets", "*", "default"])
        return ["databricks.yml", "databricks.yaml", "bundle.yml", "bundle.yaml"].flatMap { name in
            [
                .init(
                    "./\(name)", .yaml, ["targets", "*", "workspace", setting], section: target),
                .init("./\(name)", .yaml, ["workspace", setting]),
            ]
        }
    }
}
