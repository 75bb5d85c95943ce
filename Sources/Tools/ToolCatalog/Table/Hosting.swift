internal import PlainTextFormats

// Hosting of programs and sites, and what manages machines and secrets.
extension ToolProfile {
    static let hosting: [ToolProfile] = [
        ToolProfile(
            "cloudflared", variables: [.secret("TUNNEL_TOKEN")],
            signIn: "https://one.dash.cloudflare.com",
            sources: ["cloudflare/cloudflared/cmd/cloudflared/tunnel/subcommands.go"]),
        ToolProfile(
            "deployctl", variables: [.secret("DENO_DEPLOY_TOKEN")],
            plainText: [
                SecretFile(".deno/deployctl/credentials.json", .json, [.secret(["token"])])
            ],
            signIn: "https://dash.deno.com/account#access-tokens",
            sources: [
                "denoland/deployctl/src/args.ts", "denoland/deployctl/src/utils/info.ts",
                "denoland/deployctl/src/utils/token_storage/fs.ts",
            ]),
        ToolProfile(
            "doppler",
            variables: [.secret("DOPPLER_TOKEN"), .part("DOPPLER_API_HOST", "host")],
            plainText: [
                SecretFile(
                    ".doppler/.doppler.yaml", .yaml,
                    [
                        .secret(["scoped", "*", "token"]),
                        .part("host", ["scoped", "*", "api-host"]),
                    ])
            ],
            moves: [
                FileMove(".doppler", options: ["--config-dir"], variables: ["DOPPLER_CONFIG_DIR"]),
                FileMove(".doppler/.doppler.yaml", options: ["--configuration"]),
            ],
            scope: ToolScope(.folder, "folder", options: ["--scope"]),
            address: ServerAddress(
                "host", options: ["--api-host"], variables: ["DOPPLER_API_HOST"]),
            rivals: [["-t"]],
            signIn: "https://dashboard.doppler.com/",
            sources: [
                "https://docs.doppler.com/docs/cli",
                "1Password/shell-plugins/plugins/doppler/personal_access_token.go",
            ]),
        ToolProfile(
            "eas", programs: ["eas", "expo"], variables: [.secret("EXPO_TOKEN")],
            signIn: "https://expo.dev/settings/access-tokens",
            sources: ["https://docs.expo.dev/accounts/programmatic-access/"]),
        ToolProfile(
            "fastly", variables: [.secret("FASTLY_API_TOKEN")],
            plainText: [
                SecretFile(
                    ".config/fastly/config.toml", .toml,
                    [
                        .secret(["auth", "tokens", "*", "token"]),
                        .account(["auth", "tokens", "*", "email"]),
                        .secret(["profile", "*", "token"]), .account(["profile", "*", "email"]),
                        .part("endpoint", ["fastly", "api_endpoint"]),
                    ])
            ],
            scope: ToolScope(
                .name, "token", options: ["--profile", "-o"],
                active: [
                    .init("./fastly.toml", .toml, ["profile"]),
                    .init(".config/fastly/config.toml", .toml, ["auth", "default"]),
                    .init(
                        ".config/fastly/config.toml", .toml, ["profile", "*", "default"],
                        naming: .flaggedSection),
                ]),
            address: ServerAddress(
                "endpoint", options: ["--api", "--endpoint"], variables: ["FASTLY_API_ENDPOINT"],
                usual: "https://api.fastly.com"),
            // It looks only among its own for a name.
            rivals: [["-t"]],
            signIn: "https://manage.fastly.com/account/personal/tokens",
            sources: [
                "https://developer.fastly.com/reference/cli/",
                "fastly/cli/pkg/config/auth.go",
                "1Password/shell-plugins/plugins/fastly/api_token.go",
            ]),
        ToolProfile(
            "flyctl", programs: ["flyctl", "fly"], variables: [.secret("FLY_ACCESS_TOKEN")],
            plainText: [SecretFile(".fly/config.yml", .yaml, [.secret(["access_token"])])],
            moves: [FileMove(".fly", variables: ["FLY_CONFIG_DIR"])],
            rivals: [["-t"]],
            syntax: OptionSyntax(valued: "acefimnoqrsv"),
            signIn: "https://fly.io/user/personal_access_tokens",
            sources: [
                "superfly/flyctl/internal/config/config.go",
                "superfly/flyctl/internal/config/file.go",
            ]),
        ToolProfile(
            "forge", variables: [.secret("FORGE_API_TOKEN")],
            plainText: [SecretFile(".laravel-forge/config.json", .json, [.secret(["token"])])],
            signIn: "https://forge.laravel.com/user-profile/api",
            sources: [
                "https://forge.laravel.com/docs/1.0/cli.html",
                "1Password/shell-plugins/plugins/laravelforge/api_token.go",
            ]),
        ToolProfile(
            "heroku", variables: [.secret("HEROKU_API_KEY")],
            plainText: [
                SecretFile(
                    ".netrc", .netrc,
                    [
                        .secret(["api.heroku.com", "password"]),
                        .account(["api.heroku.com", "login"]),
                    ])
            ],
            moves: [FileMove(".netrc", variables: ["NETRC"])],
            scope: ToolScope(.host, "host", variables: ["HEROKU_HOST"], fallback: "heroku.com"),
            signIn: "https://dashboard.heroku.com/account",
            sources: ["https://devcenter.heroku.com/articles/authentication"]),
        ToolProfile(
            "koyeb", variables: [.secret("KOYEB_TOKEN")],
            plainText: [
                SecretFile(".koyeb.yaml", .yaml, [.secret(["token"]), .part("url", ["url"])])
            ],
            moves: [FileMove(".koyeb.yaml", options: ["--config", "-c"])],
            address: ServerAddress(
                "url", options: ["--url"], variables: ["KOYEB_URL"], usual: "https://app.koyeb.com"),
            signIn: "https://app.koyeb.com/user/settings/api/",
            sources: ["koyeb/koyeb-cli/pkg/koyeb/koyeb.go"]),
        ToolProfile(
            "netlify", programs: ["netlify", "ntl"], variables: [.secret("NETLIFY_AUTH_TOKEN")],
            plainText: [
                SecretFile(
                    ".config/netlify/config.json", .json,
                    [.secret(["users", "*", "auth", "token"])])
            ],
            scope: ToolScope(
                .name, "user", active: [.init(".config/netlify/config.json", .json, ["userId"])]),
            rivals: [["--auth"]],
            signIn: "https://app.netlify.com/user/applications",
            sources: [
                "https://docs.netlify.com/api-and-cli-guides/cli-guides/get-started-with-cli",
                "netlify/cli/src/utils/command-helpers.ts",
            ]),
        ToolProfile(
            "ngrok",
            variables: [.secret("NGROK_AUTHTOKEN"), .part("NGROK_API_KEY", "api-key")],
            plainText: [
                SecretFile(
                    ".config/ngrok/ngrok.yml", .yaml,
                    [
                        .secret(["authtoken"]), .part("api-key", ["api_key"]),
                        .secret(["agent", "authtoken"]), .part("api-key", ["agent", "api_key"]),
                        .part("server", ["server_addr"]),
                        .part("server", ["agent", "connect_url"]),
                    ])
            ],
            moves: [FileMove(".config/ngrok/ngrok.yml", options: ["--config"])],
            address: ServerAddress("server", usual: "connect.ngrok-agent.com:443"),
            rivals: [["--authtoken"]],
            signIn: "https://dashboard.ngrok.com/get-started/your-authtoken",
            sources: [
                "https://ngrok.com/docs/agent/config/v3/",
                "1Password/shell-plugins/plugins/ngrok/credentials.go",
            ]),
        ToolProfile(
            // It stores the variable's token in its file, too.
            "pulumi",
            variables: [.secret("PULUMI_ACCESS_TOKEN"), .part("PULUMI_BACKEND_URL", "backend")],
            plainText: [
                SecretFile(
                    ".pulumi/credentials.json", .json,
                    [
                        .secret(["accounts", "*", "accessToken"]), .secret(["accessTokens", "*"]),
                        .account(["accounts", "*", "username"]),
                    ])
            ],
            moves: [
                FileMove(".pulumi", variables: ["PULUMI_CREDENTIALS_PATH", "PULUMI_HOME"]),
                FileMove(".", options: ["--cwd", "-C"]),
            ],
            scope: ToolScope(
                .host, "host", options: ["--cloud-url"], variables: ["PULUMI_BACKEND_URL"],
                arguments: .init(of: ["login"]),
                active: [
                    .init("./Pulumi.yaml", .yaml, ["backend", "url"]),
                    .init(".pulumi/credentials.json", .json, ["current"]),
                ],
                fallback: "api.pulumi.com"),
            address: ServerAddress(
                "backend", options: ["--cloud-url"], variables: ["PULUMI_BACKEND_URL"]),
            signIn: "https://app.pulumi.com/account/tokens",
            sources: [
                "https://www.pulumi.com/docs/reference/cli/environment-variables/",
                "pulumi/pulumi/pkg/backend/httpstate/backend.go",
                "1Password/shell-plugins/plugins/pulumi/pulumi_access_token.go",
            ]),
        ToolProfile(
            "railway", variables: [.secret("RAILWAY_API_TOKEN")],
            plainText: [("", "production"), ("-staging", "staging"), ("-dev", "dev")].map {
                SecretFile(
                    ".railway/config\($0).json", .json,
                    [
                        .secret(["user", "token"], scope: $1),
                        .secret(["user", "accessToken"], scope: $1),
                    ])
            },
            scope: ToolScope(
                .caselessName, "environment", variables: ["RAILWAY_ENV"],
                aliases: ["develop": "dev"], fallback: "production"),
            signIn: "https://railway.com/account/tokens",
            sources: ["railwayapp/cli/src/consts.rs", "railwayapp/cli/src/config.rs"]),
        ToolProfile(
            "render", variables: [.secret("RENDER_API_KEY")],
            plainText: [
                SecretFile(
                    ".render/cli.yaml", .yaml,
                    [.secret(["api", "key"]), .part("host", ["api", "host"])])
            ],
            moves: [FileMove(".render/cli.yaml", variables: ["RENDER_CLI_CONFIG_PATH"])],
            address: ServerAddress(
                "host", variables: ["RENDER_HOST"], usual: "https://api.render.com/v1/"),
            signIn: "https://dashboard.render.com/settings#api-keys",
            sources: ["render-oss/cli/pkg/cfg/cfg.go", "render-oss/cli/pkg/config/config.go"]),
        ToolProfile(
            "vagrant", variables: [.secret("VAGRANT_CLOUD_TOKEN")],
            plainText: [.singleLine(".vagrant.d/data/vagrant_login_token")],
            moves: [FileMove(".vagrant.d", variables: ["VAGRANT_HOME"])],
            signIn: "vagrant cloud auth login",
            sources: ["hashicorp/vagrant/plugins/commands/cloud/client/client.rb"]),
        ToolProfile(
            "vapor", variables: [.secret("VAPOR_API_TOKEN")],
            plainText: [SecretFile(".laravel-vapor/config.json", .json, [.secret(["token"])])],
            signIn: "https://vapor.laravel.com/app/account/api-tokens",
            sources: [
                "https://docs.vapor.build/1.0/introduction.html",
                "1Password/shell-plugins/plugins/laravelvapor/api_token.go",
            ]),
        ToolProfile(
            "vault",
            variables: [
                .secret("VAULT_TOKEN"), .part("VAULT_ADDR", "address"),
                .part("VAULT_NAMESPACE", "namespace"),
            ],
            plainText: VaultTool.plainText,
            address: ServerAddress(
                "address", options: ["-agent-address", "-address", "--address"],
                variables: ["VAULT_AGENT_ADDR", "VAULT_ADDR"]),
            signIn: "vault login",
            sources: ["https://developer.hashicorp.com/vault/docs/commands"]),
        ToolProfile(
            "vercel", programs: ["vercel", "vc"], variables: [.secret("VERCEL_TOKEN")],
            plainText: [
                SecretFile(
                    ".local/share/com.vercel.cli/auth.json", .json, [.secret(["token"])]),
                SecretFile(".config/com.vercel.cli/auth.json", .json, [.secret(["token"])]),
            ],
            moves: [
                FileMove(
                    ".local/share/com.vercel.cli", ".config/com.vercel.cli",
                    options: ["--global-config", "-Q"])
            ],
            rivals: [["-t"]],
            signIn: "https://vercel.com/account/tokens",
            sources: [
                "vercel/vercel/packages/cli/src/index.ts",
                "vercel/vercel/packages/cli/src/util/config/files.ts",
                "1Password/shell-plugins/plugins/vercel/api_token.go",
            ]),
        ToolProfile(
            "wrangler",
            variables: [
                .secret("CLOUDFLARE_API_TOKEN"), .account("CLOUDFLARE_ACCOUNT_ID"),
            ],
            // It reads the second one only without the first folder.
            plainText: [".wrangler", ".config/.wrangler"].map { folder in
                SecretFile(
                    "\(folder)/config/default.toml", .toml,
                    [
                        .secret(["api_token"]), .otherSecret(["oauth_token"], .session),
                        .otherSecret(["refresh_token"], .session),
                    ])
            },
            rivals: [["CLOUDFLARE_API_KEY", "CLOUDFLARE_EMAIL"]],
            signIn: "https://dash.cloudflare.com/profile/api-tokens",
            sources: [
                "https://developers.cloudflare.com/workers/wrangler/system-environment-variables/",
                "cloudflare/workers-sdk/packages/workers-auth/src/credentials.ts",
                "cloudflare/workers-sdk/packages/workers-auth/src/config-file/auth.ts",
            ]),
    ]
}
