internal import PlainTextFormats

// Clouds: machines, storage and networks.
extension ToolProfile {
    static let clouds: [ToolProfile] = [
        ToolProfile(
            "akamai",
            files: [
                File(
                    .argument("--edgerc={}"),
                    [
                        .text("["), .scope, .text("]\nclient_secret = "), .secret,
                        .text("\nclient_token = "), .part("client-token"),
                        .text("\naccess_token = "), .part("access-token"),
                        .text("\nhost = "), .part("host"), .text("\n"),
                    ], quoting: .line, optionalParts: ["account-key": "account_key = "],
                    rivals: ["--edgerc", "-e"])
            ],
            plainText: [
                SecretFile(
                    ".edgerc", .ini,
                    [
                        .secret(["*", "client_secret"]),
                        .part("client-token", ["*", "client_token"]),
                        .part("access-token", ["*", "access_token"]), .part("host", ["*", "host"]),
                        .part("account-key", ["*", "account_key"]),
                    ])
            ],
            moves: [
                FileMove(".edgerc", options: ["--edgerc", "-e"], variables: ["AKAMAI_EDGERC"])
            ],
            scope: ToolScope(
                .name, "section", options: ["--section", "-s"],
                variables: ["AKAMAI_EDGERC_SECTION"], fallback: "default"),
            address: ServerAddress("host"),
            signIn: "https://control.akamai.com/apps/identity-management/#/tabs/users/list",
            sources: [
                "https://techdocs.akamai.com/developer/docs/set-up-authentication-credentials",
                "1Password/shell-plugins/plugins/akamai/api_client_credentials.go",
            ]),
        ToolProfile(
            "aws", programs: ["aws", "cdk", "eksctl", "sam"],
            variables: [
                .requiredAccount("AWS_ACCESS_KEY_ID"), .secret("AWS_SECRET_ACCESS_KEY"),
                .part("AWS_SESSION_TOKEN", "session-token"),
            ],
            plainText: AWSTool.plainText + [
                SecretFile(
                    ".aws/sso/cache/*.json", .json,
                    [
                        .otherSecret(["accessToken"], .session),
                        .otherSecret(["refreshToken"], .session),
                        .otherSecret(["clientSecret"], .session),
                    ]),
                SecretFile(
                    ".aws/login/cache/*.json", .json,
                    [
                        .otherSecret(["accessToken", "secretAccessKey"], .session),
                        .otherSecret(["refreshToken"], .session),
                        .otherSecret(["dpopKey"], .session),
                    ]),
            ],
            moves: AWSTool.moves,
            scope: ToolScope(
                .name, "profile", options: ["--profile"], programOptions: ["eksctl": ["-p"]],
                variables: ["AWS_PROFILE", "AWS_DEFAULT_PROFILE"], fallback: "default"),
            // Requests are signed: the server never sees the key.
            address: ServerAddress(
                "endpoint", options: ["--endpoint-url"], variables: ["AWS_ENDPOINT_URL"]),
            signIn: "https://console.aws.amazon.com/iam",
            sources: [
                "https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html",
                "https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html",
            ]),
        ToolProfile(
            "azure", programs: [],
            variables: [
                .requiredAccount("AZURE_CLIENT_ID"), .secret("AZURE_CLIENT_SECRET"),
                .requiredPart("AZURE_TENANT_ID", "tenant"),
            ],
            plainText: [
                SecretFile(
                    ".azure/service_principal_entries.json", .json,
                    [
                        .account(["*", "client_id"]), .secret(["*", "client_secret"]),
                        .part("tenant", ["*", "tenant"]),
                    ]),
                SecretFile(
                    ".azure/msal_token_cache.json", .json,
                    [
                        .otherSecret(["RefreshToken", "*", "secret"], .session),
                        .otherSecret(["AccessToken", "*", "secret"], .session),
                    ]),
            ],
            moves: [FileMove(".azure", variables: ["AZURE_CONFIG_DIR"])],
            signIn: "az ad sp create-for-rbac",
            sources: [
                "https://learn.microsoft.com/python/api/azure-identity/azure.identity.environmentcredential"
            ]),
        ToolProfile(
            "b2",
            variables: [
                .requiredAccount("B2_APPLICATION_KEY_ID"), .secret("B2_APPLICATION_KEY"),
            ],
            signIn: "https://secure.backblaze.com/app_keys.htm",
            sources: ["Backblaze/B2_Command_Line_Tool/b2/_internal/console_tool.py"]),
        ToolProfile(
            "civo", variables: [.secret("CIVO_TOKEN")],
            plainText: [
                SecretFile(
                    ".civo.json", .json,
                    [.secret(["apikeys", "*"]), .part("url", ["meta", "url"])])
            ],
            moves: [
                FileMove(
                    ".civo.json", options: ["--config"], variables: ["CIVO_CONFIG", "CIVOCONFIG"])
            ],
            scope: ToolScope(
                .name, "key", active: [.init(".civo.json", .json, ["meta", "current_apikey"])]),
            address: ServerAddress(
                "url", variables: ["CIVO_API_URL"], usual: "https://api.civo.com"),
            signIn: "https://dashboard.civo.com/security",
            sources: [
                "https://www.civo.com/docs/overview/civo-cli", "civo/cli/config/config.go",
                "1Password/shell-plugins/plugins/civo/api_key.go",
            ]),
        ToolProfile(
            // It ignores the variable in any other context.
            "doctl",
            variables: [
                .secret("DIGITALOCEAN_ACCESS_TOKEN"), .text("DIGITALOCEAN_CONTEXT", "default"),
            ],
            plainText: [
                SecretFile(
                    ".config/doctl/config.yaml", .yaml,
                    [
                        .secret(["access-token"], scope: "default"),
                        .secret(["auth-contexts", "*"]), .part("url", ["api-url"]),
                    ])
            ],
            moves: [
                FileMove(
                    ".config/doctl/config.yaml", options: ["--config", "-c"],
                    variables: ["DIGITALOCEAN_CONFIG"])
            ],
            scope: ToolScope(
                .caselessName, "context", options: ["--context"],
                variables: ["DIGITALOCEAN_CONTEXT"],
                active: [.init(".config/doctl/config.yaml", .yaml, ["context"])],
                fallback: "default"),
            address: ServerAddress(
                "url", options: ["--api-url", "-u"], variables: ["DIGITALOCEAN_API_URL"],
                usual: "https://api.digitalocean.com"),
            rivals: [["-t"]],
            signIn: "https://cloud.digitalocean.com/account/api/tokens",
            sources: [
                "digitalocean/doctl/README.md", "digitalocean/doctl/commands/command_config.go",
                "digitalocean/doctl/commands/doit.go",
                "1Password/shell-plugins/plugins/digitalocean/personal_access_token.go",
            ]),
        ToolProfile(
            "exoscale", programs: ["exo"],
            variables: [
                .requiredAccount("EXOSCALE_API_KEY"), .secret("EXOSCALE_API_SECRET"),
                .part("EXOSCALE_API_ENDPOINT", "endpoint"),
                .part("EXOSCALE_API_ENVIRONMENT", "environment"),
            ],
            plainText: [".config/exoscale/exoscale.toml", ".exoscale/exoscale.toml"].map {
                SecretFile(
                    $0, .toml,
                    [
                        .account(["accounts", "*", "key"]), .secret(["accounts", "*", "secret"]),
                        .scope(["accounts", "*", "name"]),
                        .part("endpoint", ["accounts", "*", "endpoint"]),
                        .part("environment", ["accounts", "*", "environment"]),
                    ])
            },
            moves: [
                FileMove(
                    ".config/exoscale/exoscale.toml", ".exoscale/exoscale.toml",
                    options: ["--config", "-C"], variables: ["EXOSCALE_CONFIG"])
            ],
            scope: ToolScope(
                .name, "account", options: ["--use-account", "-A"], variables: ["EXOSCALE_ACCOUNT"],
                active: [
                    .init(".config/exoscale/exoscale.toml", .toml, ["defaultaccount"]),
                    .init(".exoscale/exoscale.toml", .toml, ["defaultaccount"]),
                ]),
            address: ServerAddress(
                "endpoint", variables: ["EXOSCALE_API_ENDPOINT"],
                usual: "https://api.exoscale.com/v1"),
            ServerAddress("environment", variables: ["EXOSCALE_API_ENVIRONMENT"], usual: "api"),
            signIn: "https://portal.exoscale.com/iam/keys",
            sources: [
                "exoscale/cli/cmd/config_resolution.go", "exoscale/cli/cmd/root.go",
                "exoscale/cli/README.md",
            ]),
        ToolProfile(
            "google", programs: [],
            files: [File(.variable("GOOGLE_APPLICATION_CREDENTIALS"), [.secret])],
            signIn: "https://console.cloud.google.com/iam-admin/serviceaccounts",
            sources: [
                "https://cloud.google.com/docs/authentication/application-default-credentials"
            ]),
        ToolProfile(
            "hcloud",
            variables: [.secret("HCLOUD_TOKEN"), .part("HCLOUD_ENDPOINT", "endpoint")],
            plainText: [
                SecretFile(
                    ".config/hcloud/cli.toml", .toml,
                    [
                        .secret(["contexts", "*", "token"]), .scope(["contexts", "*", "name"]),
                        .part("endpoint", ["contexts", "*", "preferences", "endpoint"]),
                        .part("endpoint", ["preferences", "endpoint"]),
                    ])
            ],
            moves: [
                FileMove(
                    ".config/hcloud/cli.toml", options: ["--config"], variables: ["HCLOUD_CONFIG"])
            ],
            scope: ToolScope(
                .name, "context", options: ["--context"], variables: ["HCLOUD_CONTEXT"],
                active: [.init(".config/hcloud/cli.toml", .toml, ["active_context"])]),
            address: ServerAddress(
                "endpoint", options: ["--endpoint"], variables: ["HCLOUD_ENDPOINT"],
                usual: "https://api.hetzner.cloud/v1"),
            signIn: "https://console.hetzner.cloud/projects",
            sources: [
                "hetznercloud/cli/docs/reference/configuration.md",
                "hetznercloud/cli/internal/state/config/context.go",
            ]),
        ToolProfile(
            "ionosctl", variables: [.secret("IONOS_TOKEN")],
            plainText: [
                SecretFile(
                    ".config/ionosctl/config.yaml", .yaml,
                    [
                        .secret(["profiles", "*", "credentials", "token"]),
                        .scope(["profiles", "*", "name"]),
                        .otherSecret(["profiles", "*", "credentials", "password"]),
                        .otherSecret(["profiles", "*", "credentials", "s3SecretKey"]),
                    ]),
                SecretFile(
                    ".config/ionosctl/config.json", .json,
                    [.secret(["userdata.token"]), .otherSecret(["userdata.password"])]),
            ],
            moves: [
                FileMove(
                    ".config/ionosctl/config.yaml", options: ["--config", "-c"],
                    variables: ["IONOS_CONFIG_FILE"])
            ],
            scope: ToolScope(
                .name, "profile", variables: ["IONOS_CURRENT_PROFILE"],
                active: [.init(".config/ionosctl/config.yaml", .yaml, ["currentProfile"])],
                fallback: "user"),
            signIn: "ionosctl token generate",
            sources: [
                "ionos-cloud/ionosctl/README.md",
                "ionos-cloud/ionosctl/internal/config/migrate_from_json.go",
                "ionos-cloud/sdk-go-bundle/shared/fileconfiguration/fileconfiguration.go",
            ]),
        ToolProfile(
            "linode-cli", programs: ["linode-cli", "linode", "lin"],
            variables: [.secret("LINODE_CLI_TOKEN")],
            plainText: [".linode-cli", ".config/linode-cli"].map {
                SecretFile(
                    $0, .ini, [.secret(["*", "token"]), .part("host", ["*", "api_host"])],
                    quotes: "")
            },
            moves: [
                FileMove(".linode-cli", ".config/linode-cli", variables: ["LINODE_CLI_CONFIG"])
            ],
            scope: ToolScope(
                .name, "user", options: ["--as-user"],
                active: [
                    .init(".linode-cli", .ini, ["DEFAULT", "default-user"]),
                    .init(".config/linode-cli", .ini, ["DEFAULT", "default-user"]),
                ]),
            address: ServerAddress(
                "host", variables: ["LINODE_CLI_API_HOST"], usual: "api.linode.com"),
            signIn: "https://cloud.linode.com/profile/tokens",
            sources: [
                "linode/linode-cli/linodecli/configuration/helpers.py",
                "linode/linode-cli/wiki/Configuration.md",
                "1Password/shell-plugins/plugins/linode/personal_access_token.go",
            ]),
        ToolProfile(
            "ovhcloud",
            variables: [
                .requiredAccount("OVH_APPLICATION_KEY"), .secret("OVH_APPLICATION_SECRET"),
                .requiredPart("OVH_CONSUMER_KEY", "consumer-key"),
                .scope("OVH_ENDPOINT", else: .part("endpoint")),
            ],
            plainText: [
                SecretFile(
                    ".ovh.conf", .ini,
                    [
                        .account(["*", "application_key"]), .secret(["*", "application_secret"]),
                        .part("consumer-key", ["*", "consumer_key"]),
                        .otherSecret(["*", "client_secret"]),
                    ])
            ],
            scope: ToolScope(
                .name, "endpoint", variables: ["OVH_ENDPOINT"],
                active: [
                    .init("./ovh.conf", .ini, ["default", "endpoint"]),
                    .init(".ovh.conf", .ini, ["default", "endpoint"]),
                ], fallback: "ovh-eu"),
            address: ServerAddress("endpoint", variables: ["OVH_ENDPOINT"]),
            signIn: "https://api.ovh.com/createToken/",
            sources: ["ovh/ovhcloud-cli/README.md", "ovh/ovhcloud-cli/doc/authentication.md"]),
        ToolProfile(
            // A key in .s3cfg beats the variables.
            "s3cmd",
            variables: [
                .requiredAccount("AWS_ACCESS_KEY_ID"), .secret("AWS_SECRET_ACCESS_KEY"),
                .part("AWS_SESSION_TOKEN", "session-token"),
            ],
            plainText: [
                SecretFile(
                    ".s3cfg", .ini,
                    [
                        .account(["default", "access_key"]), .secret(["default", "secret_key"]),
                        .part("session-token", ["default", "access_token"]),
                        .otherSecret(["default", "gpg_passphrase"]),
                        .part("host", ["default", "host_base"]),
                    ], quotes: "\"", losesAccount: true)
            ],
            moves: [FileMove(".s3cfg", options: ["--config", "-c"], variables: ["S3CMD_CONFIG"])],
            address: ServerAddress("host", options: ["--host"], usual: "s3.amazonaws.com"),
            rivals: [["--access_key"], ["--secret_key"], ["--access_token"]],
            syntax: OptionSyntax(abbreviating: ["s3cmd"]),
            signIn: "https://console.aws.amazon.com/iam",
            sources: ["s3tools/s3cmd/S3/Config.py"]),
        ToolProfile(
            "scw",
            variables: [
                .requiredAccount("SCW_ACCESS_KEY"), .secret("SCW_SECRET_KEY"),
                .part("SCW_DEFAULT_ORGANIZATION_ID", "organization"),
                .part("SCW_DEFAULT_PROJECT_ID", "project"), .part("SCW_API_URL", "url"),
            ],
            plainText: [
                SecretFile(
                    ".config/scw/config.yaml", .yaml,
                    [
                        .account(["access_key"]), .secret(["secret_key"], scope: "default"),
                        .account(["profiles", "*", "access_key"]),
                        .secret(["profiles", "*", "secret_key"]),
                        .part("url", ["api_url"]), .part("url", ["profiles", "*", "api_url"]),
                    ])
            ],
            moves: [
                FileMove(
                    ".config/scw/config.yaml", options: ["--config", "-c"],
                    variables: ["SCW_CONFIG_PATH"])
            ],
            scope: ToolScope(
                .name, "profile", options: ["--profile", "-p"], variables: ["SCW_PROFILE"],
                active: [.init(".config/scw/config.yaml", .yaml, ["active_profile"])],
                fallback: "default"),
            address: ServerAddress(
                "url", variables: ["SCW_API_URL"], usual: "https://api.scaleway.com"),
            signIn: "https://console.scaleway.com/iam/api-keys",
            sources: ["scaleway/scaleway-cli/docs/commands/config.md"]),
        ToolProfile(
            "upcloud", programs: ["upctl"],
            // A token beats a user name with a password.
            variables: [.secret("UPCLOUD_TOKEN")],
            plainText: [
                SecretFile(
                    ".config/upctl.yaml", .yaml,
                    [.secret(["token"]), .otherSecret(["password"])])
            ],
            signIn: "upctl account token create",
            sources: [
                "https://upcloudltd.github.io/upcloud-cli/",
                "UpCloudLtd/upcloud-cli/internal/config/config.go",
            ]),
        ToolProfile(
            // A token in the file beats them, too.
            "upcloud-password", programs: [],
            variables: [.requiredAccount("UPCLOUD_USERNAME"), .secret("UPCLOUD_PASSWORD")],
            plainText: [
                SecretFile(
                    ".config/upctl.yaml", .yaml,
                    [.account(["username"]), .secret(["password"]), .otherSecret(["token"])])
            ],
            rivals: [["UPCLOUD_TOKEN"]],
            signIn: "https://hub.upcloud.com/people/accounts",
            sources: [
                "https://upcloudltd.github.io/upcloud-cli/",
                "UpCloudLtd/upcloud-cli/internal/config/config.go",
                "1Password/shell-plugins/plugins/upcloud/user_login.go",
            ]),
        ToolProfile(
            "vultr-cli", variables: [.secret("VULTR_API_KEY")],
            plainText: [".config/vultr-cli.yaml", ".vultr-cli.yaml"].map {
                SecretFile($0, .yaml, [.secret(["api-key"])])
            },
            moves: [FileMove(".config/vultr-cli.yaml", ".vultr-cli.yaml", options: ["--config"])],
            signIn: "https://my.vultr.com/settings/#settingsapi",
            sources: ["vultr/vultr-cli/README.md", "vultr/vultr-cli/cmd/root.go"]),
    ]
}
