internal import PlainTextFormats

// Databases.
extension ToolProfile {
    static let databases: [ToolProfile] = [
        ToolProfile(
            "atlas",
            variables: [
                .requiredAccount("MONGODB_ATLAS_PUBLIC_API_KEY"),
                .secret("MONGODB_ATLAS_PRIVATE_API_KEY"),
                .part("MONGODB_ATLAS_OPS_MANAGER_URL", "url"),
            ],
            plainText: [
                SecretFile(
                    ".config/atlascli/config.toml", .toml,
                    [
                        .account(["*", "public_api_key"]), .secret(["*", "private_api_key"]),
                        .part("url", ["*", "ops_manager_url"]),
                        .otherSecret(["*", "client_secret"]),
                        .otherSecret(["*", "access_token"], .session),
                        .otherSecret(["*", "refresh_token"], .session),
                    ])
            ],
            scope: ToolScope(
                .name, "profile", options: ["--profile", "-P"],
                variables: ["MONGODB_ATLAS_PROFILE"], fallback: "default"),
            address: ServerAddress(
                "url", variables: ["MONGODB_ATLAS_OPS_MANAGER_URL"],
                usual: "https://cloud.mongodb.com/"),
            signIn: "https://www.mongodb.com/docs/atlas/configure-api-access/",
            sources: [
                "https://www.mongodb.com/docs/atlas/cli/stable/",
                "mongodb/atlas-cli-core/config/profile.go",
                "1Password/shell-plugins/plugins/atlas/apikey.go",
            ]),
        ToolProfile(
            "crash", variables: [.secret("CRATEPW")],
            scope: ToolScope(
                .host, "host", options: ["--hosts"], port: .init("4200"), fallback: "localhost"),
            accountNames: ["--username", "-U"],
            signIn: "https://console.cratedb.cloud/account/settings",
            sources: [
                "https://crate.io/docs/crate/crash/en/latest/run.html#environment-variables"
            ]),
        ToolProfile(
            "influx",
            variables: [
                .secret("INFLUX_TOKEN"), .part("INFLUX_HOST", "host"), .part("INFLUX_ORG", "org"),
            ],
            plainText: [
                SecretFile(
                    ".influxdbv2/configs", .toml,
                    [
                        .secret(["*", "token"]), .part("host", ["*", "url"]),
                        .part("org", ["*", "org"]),
                    ])
            ],
            moves: [
                FileMove(
                    ".influxdbv2/configs", options: ["--configs-path"],
                    variables: ["INFLUX_CONFIGS_PATH"])
            ],
            scope: ToolScope(
                .name, "configuration", options: ["--active-config", "-c"],
                variables: ["INFLUX_ACTIVE_CONFIG"],
                active: [
                    .init(".influxdbv2/configs", .toml, ["*", "active"], naming: .flaggedSection)
                ],
                fallback: "default"),
            address: ServerAddress("host", options: ["--host"], variables: ["INFLUX_HOST"]),
            rivals: [["-t"]],
            signIn: "influx auth create",
            sources: [
                "https://docs.influxdata.com/influxdb/cloud/reference/cli/influx/config/",
                "1Password/shell-plugins/plugins/influxdb/database_credentials.go",
            ]),
        ToolProfile(
            // A password in .my.cnf beats that in our file.
            "mysql", programs: ["mysql", "mysqldump", "mysqladmin", "mariadb"],
            files: [
                File(
                    .argument("--defaults-extra-file={}"),
                    [.text("[client]\npassword=\""), .secret, .text("\"\n")],
                    quoting: .optionFile,
                    rivals: ["--no-defaults", "--defaults-file", "--defaults-extra-file"])
            ],
            plainText: [
                SecretFile(
                    ".my.cnf", .ini,
                    [
                        .secret(["*", "password"]), .account(["*", "user"]),
                        // Of logins with several factors.
                        .otherSecret(["*", "password1"]), .otherSecret(["*", "password2"]),
                        .otherSecret(["*", "password3"]),
                        .part("host", ["*", "host"]), .part("port", ["*", "port"]),
                        .part("socket", ["*", "socket"]),
                    ])
            ],
            scope: ToolScope(
                .group, "group", options: ["--defaults-group-suffix"],
                variables: ["MYSQL_GROUP_SUFFIX"]),
            // A socket is one of this machine.
            address: ServerAddress(
                "host", options: ["--host", "-h", "--dns-srv-name"], variables: ["MYSQL_HOST"],
                usual: "localhost", nextTo: "socket"),
            ServerAddress("port", options: ["--port", "-P"], variables: ["MYSQL_TCP_PORT"]),
            ServerAddress("socket", options: ["--socket", "-S"], variables: ["MYSQL_UNIX_PORT"]),
            rivals: [["-p"], ["--password"]],
            syntax: OptionSyntax(
                flags: "AabBCdEFfGHIjKkLlNnQqRsUVvWXxYy", valued: "Dp",
                valuedOf: [
                    "mysql": "e", "mariadb": "e", "mysqldump": "Trw", "mysqladmin": "ci",
                ],
                abbreviating: ["mysql", "mysqldump", "mysqladmin", "mariadb"]),
            accountNames: ["--user", "-u"],
            signIn: "https://dev.mysql.com/doc/refman/en/set-password.html",
            sources: [
                "https://dev.mysql.com/doc/refman/8.4/en/option-file-options.html",
                "https://mariadb.com/kb/en/configuring-mariadb-with-option-files/",
            ]),
        ToolProfile(
            "neonctl", programs: ["neonctl", "neon"], variables: [.secret("NEON_API_KEY")],
            plainText: [
                SecretFile(
                    ".config/neonctl/credentials.json", .json, [.secret(["access_token"])]),
                SecretFile(".config/neon/credentials.json", .json, [.secret(["access_token"])]),
            ],
            signIn: "https://console.neon.tech/app/settings/api-keys",
            sources: ["https://neon.com/docs/cli/auth", "https://neon.com/docs/cli/login"]),
        ToolProfile(
            "pscale",
            variables: [
                .requiredAccount("PLANETSCALE_SERVICE_TOKEN_ID"),
                .secret("PLANETSCALE_SERVICE_TOKEN"),
            ],
            plainText: [
                // A session's token, not one of a service.
                SecretFile(".config/planetscale/access-token", .singleLine, [.otherSecret([])]),
                SecretFile(
                    ".config/planetscale/pscale.yml", .yaml,
                    [.account(["service-token-id"]), .secret(["service-token"])]),
            ],
            signIn: "pscale service-token create",
            sources: [
                "planetscale/cli/README.md", "planetscale/cli/internal/config/config.go",
                "planetscale/cli/internal/cmd/root.go",
            ]),
        ToolProfile(
            "psql",
            programs: [
                "psql", "pg_dump", "pg_dumpall", "pg_restore", "createdb", "dropdb", "pgcli",
            ],
            variables: [.account("PGUSER")],
            files: [
                File(
                    .variable("PGPASSFILE"), [.scope, .text(":"), .secret, .text("\n")],
                    quoting: .pgpass, frame: File.Frame(head: "", tail: ""))
            ],
            plainText: [
                SecretFile(
                    ".pgpass", .pgpass,
                    [
                        .secret(["password"]), .account(["user"]), .scope(["host"]),
                        .scope(["port"]), .scope(["database"]),
                    ])
            ],
            moves: [FileMove(".pgpass", variables: ["PGPASSFILE"])],
            scope: ToolScope(.server, "server"),
            rivals: [["PGPASSWORD"]],
            signIn: "https://www.postgresql.org/docs/current/sql-alterrole.html",
            sources: [
                "https://www.postgresql.org/docs/current/libpq-envars.html",
                "https://www.postgresql.org/docs/current/libpq-pgpass.html",
            ]),
        ToolProfile(
            "qcloud",
            variables: [
                .secret("QDRANT_CLOUD_API_KEY"), .account("QDRANT_CLOUD_ACCOUNT_ID"),
                .part("QDRANT_CLOUD_ENDPOINT", "endpoint"),
            ],
            plainText: [
                SecretFile(
                    ".config/qcloud/config.yaml", .yaml,
                    [
                        .secret(["contexts", "*", "api_key"]),
                        .account(["contexts", "*", "account_id"]),
                        .part("endpoint", ["contexts", "*", "endpoint"]),
                        .scope(["contexts", "*", "name"]),
                    ])
            ],
            moves: [
                FileMove(
                    ".config/qcloud/config.yaml", options: ["--config", "-c"],
                    variables: ["QDRANT_CLOUD_CONFIG"])
            ],
            scope: ToolScope(
                .name, "context", options: ["--context"], variables: ["QDRANT_CLOUD_CONTEXT"],
                active: [.init(".config/qcloud/config.yaml", .yaml, ["current_context"])]),
            address: ServerAddress(
                "endpoint", options: ["--endpoint"], variables: ["QDRANT_CLOUD_ENDPOINT"]),
            signIn: "https://cloud.qdrant.io",
            sources: [
                "qdrant/qcloud-cli/README.md",
                "qdrant/qcloud-cli/internal/state/config/config.go",
            ]),
        ToolProfile(
            "redis-cli", programs: ["redis-cli", "valkey-cli"],
            variables: [.secret("REDISCLI_AUTH")],
            scope: ToolScope(
                .host, "host", options: ["-h", "-u", "--cluster *"],
                port: .init("6379", options: ["-p"], sockets: ["-s"]), fallback: "127.0.0.1"),
            rivals: [["-a"], ["--pass"], ["--askpass"]], accountNames: ["--user"],
            signIn: "https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/",
            sources: ["https://redis.io/docs/latest/develop/tools/cli/"]),
        ToolProfile(
            "rediscloud", programs: [],
            variables: [
                .requiredAccount("REDISCLOUD_ACCESS_KEY"), .secret("REDISCLOUD_SECRET_KEY"),
            ],
            signIn: "https://app.redislabs.com/#/access-management/api-keys",
            sources: ["https://docs.redis.com/latest/rc/api/get-started/manage-api-keys/"]),
        ToolProfile(
            "supabase", variables: [.secret("SUPABASE_ACCESS_TOKEN")],
            plainText: [.singleLine(".supabase/access-token")],
            // A profile is the vendor's own server, or another one.
            scope: ToolScope(
                .name, "profile", options: ["--profile"], variables: ["SUPABASE_PROFILE"],
                fallback: "supabase"),
            signIn: "https://supabase.com/dashboard/account/tokens",
            sources: ["supabase/cli/apps/cli-go/internal/utils/access_token.go"]),
        ToolProfile(
            "turso", variables: [.secret("TURSO_API_TOKEN")],
            plainText: [
                SecretFile(
                    ".config/turso/settings.json", .json,
                    [.secret(["token"]), .part("url", ["baseURL"])])
            ],
            moves: [
                FileMove(
                    ".config/turso", options: ["--config-path"], variables: ["TURSO_CONFIG_FOLDER"])
            ],
            address: ServerAddress(
                "url", variables: ["TURSO_API_BASEURL"], usual: "https://api.turso.tech"),
            signIn: "turso auth api-tokens mint lanyard",
            sources: [
                "tursodatabase/turso-cli/internal/cmd/db.go",
                "tursodatabase/turso-cli/internal/settings/settings.go",
            ]),
        ToolProfile(
            "upstash", variables: [.requiredAccount("UPSTASH_EMAIL"), .secret("UPSTASH_API_KEY")],
            plainText: [
                SecretFile(
                    ".config/upstash/config.json", .json,
                    [.secret(["api_key"]), .account(["email"])]),
                SecretFile(
                    ".upstash.json", .json, [.secret(["apiKey"]), .account(["email"])]),
            ],
            signIn: "https://console.upstash.com/account/api",
            sources: [
                "upstash/cli/README.md", "upstash/cli/src/config.ts",
                "1Password/shell-plugins/plugins/upstash/api_key.go",
            ]),
        ToolProfile(
            "vsql", variables: [.account("VSQL_USER"), .secret("VSQL_PASSWORD")],
            scope: ToolScope(
                .host, "host", options: ["--host", "-h"], variables: ["VSQL_HOST"],
                port: .init("5433", options: ["--port", "-p"], variables: ["VSQL_PORT"]),
                fallback: "localhost"),
            accountNames: ["-U"],
            signIn: "https://docs.vertica.com/latest/en/admin/managing-users-and-privileges/",
            sources: ["1Password/shell-plugins/plugins/vertica/database_credentials.go"]),
        ToolProfile(
            "ysqlsh", variables: [.account("PGUSER")],
            files: [
                File(
                    .variable("PGPASSFILE"), [.scope, .text(":"), .secret, .text("\n")],
                    quoting: .pgpass, frame: File.Frame(head: "", tail: ""))
            ],
            scope: ToolScope(.server, "server"),
            rivals: [["PGPASSWORD"]],
            signIn: "https://cloud.yugabyte.com/clusters",
            sources: ["https://docs.yugabyte.com/preview/admin/ysqlsh/"]),
    ]
}
