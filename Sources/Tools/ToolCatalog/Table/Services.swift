internal import PlainTextFormats

// Payments, mail, messages, and everything else.
extension ToolProfile {
    static let services: [ToolProfile] = [
        ToolProfile(
            "algolia",
            variables: [
                .requiredAccount("ALGOLIA_APPLICATION_ID"), .secret("ALGOLIA_API_KEY"),
            ],
            plainText: [
                SecretFile(
                    ".config/algolia/config.toml", .toml,
                    [
                        .account(["*", "application_id"]), .secret(["*", "api_key"]),
                        .otherSecret(["*", "admin_api_key"]),
                    ])
            ],
            scope: ToolScope(
                .name, "profile", options: ["--profile", "-p"],
                active: [
                    .init(
                        ".config/algolia/config.toml", .toml, ["*", "default"],
                        naming: .flaggedSection)
                ], fallback: "default"),
            signIn: "https://dashboard.algolia.com/account/api-keys",
            sources: [
                "algolia/cli/pkg/config/config.go", "algolia/cli/pkg/config/profile.go",
            ]),
        ToolProfile(
            "ansible-galaxy",
            files: [
                File(
                    .variable("ANSIBLE_GALAXY_TOKEN_PATH"),
                    [.text("token: "), .secret, .text("\n")], quoting: .line)
            ],
            plainText: [SecretFile(".ansible/galaxy_token", .yaml, [.secret(["token"])])],
            signIn: "https://galaxy.ansible.com/ui/token/",
            sources: [
                "https://docs.ansible.com/ansible/latest/reference_appendices/config.html#galaxy-token-path",
                "ansible/ansible/lib/ansible/galaxy/token.py",
            ]),
        ToolProfile(
            "ansible-vault", programs: ["ansible", "ansible-playbook", "ansible-vault"],
            files: [
                File(
                    .variable("ANSIBLE_VAULT_PASSWORD_FILE"), [.secret, .text("\n")],
                    quoting: .line)
            ],
            signIn: nil,
            sources: [
                "https://docs.ansible.com/ansible/latest/reference_appendices/config.html#default-vault-password-file"
            ]),
        ToolProfile(
            "binance", programs: ["binance-cli"],
            variables: [.requiredAccount("BINANCE_API_KEY"), .secret("BINANCE_API_SECRET")],
            signIn: "https://www.binance.com/en/my/settings/api-management",
            sources: ["https://github.com/binance/binance-cli"]),
        ToolProfile(
            "borg", variables: [.secret("BORG_PASSPHRASE")],
            signIn: nil,
            sources: ["borgbackup/borg/docs/usage/general/environment.rst.inc"]),
        ToolProfile(
            "crowdin",
            variables: [.secret("CROWDIN_PERSONAL_TOKEN"), .part("CROWDIN_PROJECT_ID", "project")],
            signIn: "https://crowdin.com/settings#api-key",
            sources: [
                "https://developer.crowdin.com/configuration-file/#api-credentials-from-environment-variables"
            ]),
        ToolProfile(
            "descope",
            variables: [
                .requiredAccount("DESCOPE_PROJECT_ID"), .secret("DESCOPE_MANAGEMENT_KEY"),
            ],
            signIn: "https://app.descope.com/settings/company/managementkeys",
            sources: ["https://docs.descope.com/cli/descope"]),
        ToolProfile(
            "okta",
            variables: [.secret("OKTA_CLIENT_TOKEN"), .part("OKTA_CLIENT_ORGURL", "org-url")],
            plainText: [
                SecretFile(
                    ".okta/okta.yaml", .yaml,
                    [
                        .secret(["okta", "client", "token"]),
                        .part("org-url", ["okta", "client", "orgUrl"]),
                    ])
            ],
            address: ServerAddress("org-url", variables: ["OKTA_CLIENT_ORGURL"]),
            signIn: "okta login",
            sources: ["1Password/shell-plugins/plugins/okta/api_token.go"]),
        ToolProfile(
            "rclone", variables: [.secret("RCLONE_CONFIG_PASS")],
            signIn: nil,
            sources: ["rclone/rclone/docs/content/docs.md"]),
        ToolProfile(
            "rdme",
            variables: [.secret("RDME_API_KEY"), .account("RDME_EMAIL")],
            plainText: [
                SecretFile(
                    ".config/configstore/rdme-production.json", .json,
                    [.secret(["apiKey"]), .account(["email"])])
            ],
            signIn: "https://docs.readme.com/main/reference/intro/authentication",
            sources: [
                "https://docs.readme.com/main/docs/rdme",
                "1Password/shell-plugins/plugins/readme/api_key.go",
            ]),
        ToolProfile(
            "resend", variables: [.secret("RESEND_API_KEY")],
            plainText: [
                SecretFile(
                    ".config/resend/credentials.json", .json,
                    [.secret(["profiles", "*", "api_key"]), .secret(["api_key"])])
            ],
            scope: ToolScope(
                .name, "profile", options: ["--profile", "-p"], variables: ["RESEND_PROFILE"],
                active: [.init(".config/resend/credentials.json", .json, ["active_profile"])],
                fallback: "default"),
            signIn: "https://resend.com/api-keys",
            sources: ["resend/resend-cli/README.md", "resend/resend-cli/src/lib/config.ts"]),
        ToolProfile(
            "restic", files: [File(.variable("RESTIC_PASSWORD_FILE"), [.secret])],
            // It refuses the variable next to the command.
            rivals: [
                ["RESTIC_PASSWORD_COMMAND"], ["--password-command"], ["--password-file"], ["-p"],
            ],
            signIn: nil,
            sources: ["restic/restic/doc/075_scripting.rst"]),
        ToolProfile(
            "stripe", variables: [.secret("STRIPE_API_KEY")],
            plainText: [
                SecretFile(
                    ".config/stripe/config.toml", .toml,
                    [
                        .secret(["*", "test_mode_api_key"], label: "test"),
                        .secret(["*", "live_mode_api_key"], label: "live"),
                        .part(endPart, ["*", "test_mode_key_expires_at"], label: "test"),
                        .part(endPart, ["*", "live_mode_key_expires_at"], label: "live"),
                        // From version 2 of the file on.
                        .secret(["profiles", "*", "test_mode_api_key"], label: "test"),
                        .secret(["profiles", "*", "live_mode_api_key"], label: "live"),
                        .part(
                            endPart, ["profiles", "*", "test_mode_key_expires_at"], label: "test"),
                        .part(
                            endPart, ["profiles", "*", "live_mode_key_expires_at"], label: "live"),
                    ]),
                // Where it finds no Secret Service.
                SecretFile(
                    ".config/stripe/credentials.json", .json,
                    [
                        .secret(["*.live_mode_api_key"], label: "live"),
                        .otherSecret(["uat"], .session),
                        .otherSecret(["oauth_refresh_token"], .session),
                    ]),
            ],
            moves: [FileMove(".config/stripe/config.toml", options: ["--config"])],
            scope: ToolScope(
                .caselessName, "project", options: ["--project-name", "-p"],
                accounts: ["--live": "live"], fallback: "default"),
            signIn: "https://dashboard.stripe.com/apikeys",
            sources: [
                "https://docs.stripe.com/stripe-cli/keys",
                "stripe/stripe-cli/pkg/config/profile.go",
                "stripe/stripe-cli/pkg/keyring/keyring.go",
                "1Password/shell-plugins/plugins/stripe/secret_key.go",
            ]),
        ToolProfile(
            "twilio",
            variables: [
                .requiredAccount("TWILIO_API_KEY"), .secret("TWILIO_API_SECRET"),
                .requiredPart("TWILIO_ACCOUNT_SID", "account-sid"),
            ],
            plainText: [
                SecretFile(
                    ".twilio-cli/config.json", .json,
                    [
                        .account(["profiles", "*", "apiKey"]),
                        .secret(["profiles", "*", "apiSecret"]),
                        .part("account-sid", ["profiles", "*", "accountSid"]),
                    ])
            ],
            scope: ToolScope(
                .name, "profile", options: ["--profile", "-p"], variables: ["TWILIO_PROFILE"],
                active: ["activeProfile", "activeProject"].map {
                    .init(".twilio-cli/config.json", .json, [.named($0)])
                }),
            address: ServerAddress(
                "account-sid", options: ["--account-sid"], variables: ["TWILIO_ACCOUNT_SID"]),
            signIn: "https://www.twilio.com/console/project/api-keys",
            sources: [
                "twilio/twilio-cli/docs/general_usage.md", "twilio/twilio-cli/ARCHITECTURE.md",
                "twilio/twilio-cli-core/src/services/config.js",
            ]),
        ToolProfile(
            "zapier", variables: [.secret("ZAPIER_DEPLOY_KEY")],
            plainText: [SecretFile(".zapierrc", .json, [.secret(["deployKey"])])],
            signIn: "https://developer.zapier.com/partner-settings/deploy-keys/",
            sources: [
                "https://platform.zapier.com/cli_docs/docs",
                "1Password/shell-plugins/plugins/zapier/deploy_key.go",
            ]),
        ToolProfile(
            "zcli",
            variables: [
                .requiredAccount("ZENDESK_EMAIL"), .secret("ZENDESK_API_TOKEN"),
                .requiredPart("ZENDESK_SUBDOMAIN", "subdomain"),
            ],
            address: ServerAddress("subdomain", variables: ["ZENDESK_SUBDOMAIN"]),
            signIn: "https://developer.zendesk.com/api-reference/introduction/security-and-auth/",
            sources: [
                "https://developer.zendesk.com/documentation/apps/getting-started/using-zcli/",
                "1Password/shell-plugins/plugins/zendesk/api_token.go",
            ]),
    ]
}
