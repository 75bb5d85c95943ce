internal import PlainTextFormats

// Forges, continuous integration, and checks of source code.
extension ToolProfile {
    static let forges: [ToolProfile] = [
        ToolProfile(
            "argocd",
            variables: [.secret("ARGOCD_AUTH_TOKEN"), .part("ARGOCD_SERVER", "server")],
            plainText: argocdFiles.map {
                SecretFile(
                    $0, .yaml,
                    [.secret(["users", "*", "auth-token"]), .scope(["users", "*", "name"])])
            },
            moves: [
                FileMove(".config/argocd/config", ".argocd/config", options: ["--config"]),
                FileMove(".config/argocd", ".argocd", variables: ["ARGOCD_CONFIG_DIR"]),
            ],
            scope: ToolScope(
                .name, "context", options: ["--argocd-context"],
                server: .init(
                    options: ["--server"], variables: ["ARGOCD_SERVER"],
                    entries: argocdFiles.map {
                        .init($0, .yaml, ["contexts", "*", "server"], naming: .besides("name"))
                    },
                    itemEntries: argocdFiles.map {
                        .init($0, .yaml, ["contexts", "*", "server"], naming: .besides("user"))
                    }),
                active: argocdFiles.map { .init($0, .yaml, ["current-context"]) },
                meaning: argocdFiles.flatMap { path in
                    ["name", "server"].map { key in
                        .init(path, .yaml, ["contexts", "*", "user"], naming: .besides(key))
                    }
                }),
            address: ServerAddress("server", options: ["--server"], variables: ["ARGOCD_SERVER"]),
            argumentsVariable: "ARGOCD_OPTS",
            signIn: "argocd account generate-token",
            sources: [
                "https://argo-cd.readthedocs.io/en/stable/user-guide/environment-variables/",
                "argoproj/argo-cd/util/localconfig/localconfig.go",
                "1Password/shell-plugins/plugins/argocd/auth_token.go",
            ]),
        ToolProfile(
            "buildkite", programs: ["bk"],
            variables: [
                .secret("BUILDKITE_API_TOKEN"),
                .scope("BUILDKITE_ORGANIZATION_SLUG", else: .account),
            ],
            plainText: [
                SecretFile(
                    ".config/bk.yaml", .yaml, [.secret(["organizations", "*", "api_token"])])
            ],
            scope: ToolScope(
                .name, "organization", options: ["--org"],
                variables: ["BUILDKITE_ORGANIZATION_SLUG"],
                active: [
                    .init("./.bk.yaml", .yaml, ["selected_org"]),
                    .init(".config/bk.yaml", .yaml, ["selected_org"]),
                ]),
            signIn: "https://buildkite.com/user/api-access-tokens",
            sources: ["buildkite/cli/internal/config/config.go"]),
        ToolProfile(
            "cachix",
            variables: [.secret("CACHIX_AUTH_TOKEN"), .part("CACHIX_SIGNING_KEY", "signing-key")],
            signIn: "https://app.cachix.org/personal-auth-tokens",
            sources: [
                "https://docs.cachix.org/getting-started#authenticating",
                "cachix/cachix/cachix/src/Cachix/Client/Command/Push.hs",
            ]),
        ToolProfile(
            // Version 1 has the first variable and file.
            "circleci", variables: [.secret("CIRCLE_TOKEN"), .secret("CIRCLECI_CLI_TOKEN")],
            plainText: [".config/circleci/config.yml", ".circleci/cli.yml"].map {
                SecretFile($0, .yaml, [.secret(["token"])])
            },
            scope: ToolScope(
                .host, "host", options: ["--host"], variables: ["CIRCLECI_CLI_HOST"],
                active: [".config/circleci/config.yml", ".circleci/cli.yml"].map {
                    .init($0, .yaml, ["host"])
                }, fallback: "circleci.com"),
            signIn: "https://app.circleci.com/settings/user/tokens",
            sources: [
                "https://circleci.com/docs/local-cli/",
                "CircleCI-Public/circleci-cli/internal/config/config.go",
                "1Password/shell-plugins/plugins/circleci/personal_api_token.go",
            ]),
        ToolProfile(
            "codecov", programs: ["codecov", "codecovcli"], variables: [.secret("CODECOV_TOKEN")],
            signIn: "https://app.codecov.io",
            sources: ["codecov/codecov-cli/README.md"]),
        ToolProfile(
            "depot", variables: [.secret("DEPOT_TOKEN")],
            plainText: [SecretFile(".config/depot/depot.yaml", .yaml, [.secret(["api_token"])])],
            signIn: "https://depot.dev",
            sources: [
                "depot/cli/pkg/cmd/buildctl/dial-stdio.go", "depot/cli/pkg/config/config.go",
            ]),
        ToolProfile(
            "fossa", variables: [.secret("FOSSA_API_KEY")],
            signIn: "https://app.fossa.com/account/settings/integrations/api_tokens",
            sources: ["fossas/fossa-cli/README.md"]),
        ToolProfile(
            "ggshield", variables: [.secret("GITGUARDIAN_API_KEY")],
            plainText: [
                SecretFile(
                    ".config/ggshield/auth_config.yaml", .yaml,
                    // ggshield ends with an error if an account in it has no token.
                    [.otherSecret(["instances", "*", "accounts", "*", "token"], .session)])
            ],
            signIn: "ggshield auth login",
            sources: [
                "GitGuardian/ggshield/ggshield/core/config/config.py",
                "GitGuardian/ggshield/ggshield/core/config/auth_config.py",
            ]),
        ToolProfile(
            // GH_TOKEN is for github.com and ghe.com alone.
            "gh",
            variables: [
                Variable("GH_TOKEN", .secret, scopes: .among(["github.com", ".ghe.com"])),
                Variable(
                    "GH_ENTERPRISE_TOKEN", .part("enterprise-token"), isOptional: true,
                    scoped: .secret, scopes: .besides(["github.com", ".ghe.com"])),
                // It asks no other host of which it has no login in its file.
                Variable(
                    "GH_HOST", .part("host"), isOptional: true, scoped: .scope,
                    scopes: .besides(["github.com"])),
            ],
            plainText: [
                SecretFile(
                    ".config/gh/hosts.yml", .yaml,
                    [
                        .secret(["*", "oauth_token"]), .account(["*", "user"]),
                        .secret(["*", "users", "*", "oauth_token"]),
                    ])
            ],
            moves: [FileMove(".config/gh", variables: ["GH_CONFIG_DIR"])],
            scope: ToolScope(
                .host, "host", options: ["--hostname", "-h", "--repo", "-R"],
                variables: ["GH_REPO", "GH_HOST"],
                arguments: .init(notOf: settings, texts: texts, repositoriesOf: ["repo"]),
                aliases: [".github.com": "github.com"],
                active: [
                    .init(".config/gh/hosts.yml", .yaml, ["*", "user"], naming: .onlySection)
                ],
                activeAccount: .init(".config/gh/hosts.yml", .yaml, ["*", "user"]),
                repositories: .ofOwners, fallback: "github.com"),
            syntax: OptionSyntax(valued: "XHFqtLb"),
            signIn: "https://github.com/settings/tokens",
            sources: [
                "https://cli.github.com/manual/gh_help_environment",
                "cli/cli/internal/config/config.go",
            ]),
        ToolProfile(
            // Its own variables come before its file. A token of another forge is a part.
            "ghorg",
            variables: [
                .secret("GHORG_GITHUB_TOKEN"), .part("GHORG_GITLAB_TOKEN", "gitlab"),
                .part("GHORG_GITEA_TOKEN", "gitea"),
                .part("GHORG_BITBUCKET_API_TOKEN", "bitbucket"),
            ],
            plainText: [
                SecretFile(
                    ".config/ghorg/conf.yaml", .yaml,
                    [
                        .secret(["GHORG_GITHUB_TOKEN"]),
                        .part("gitlab", ["GHORG_GITLAB_TOKEN"]),
                        .part("gitea", ["GHORG_GITEA_TOKEN"]),
                        .part("bitbucket", ["GHORG_BITBUCKET_API_TOKEN"]),
                    ])
            ],
            moves: [
                FileMove(
                    ".config/ghorg/conf.yaml", options: ["--config"], variables: ["GHORG_CONFIG"])
            ],
            signIn: "https://github.com/settings/tokens",
            sources: ["gabrie30/ghorg/cmd/root.go", "gabrie30/ghorg/sample-conf.yaml"]),
        ToolProfile(
            "glab",
            variables: [.secret("GITLAB_TOKEN"), .scope("GITLAB_HOST", else: .part("host"))],
            plainText: [
                SecretFile(
                    ".config/glab-cli/config.yml", .yaml,
                    [
                        .secret(["hosts", "*", "token"]), .account(["hosts", "*", "user"]),
                    ])
            ],
            moves: [FileMove(".config/glab-cli", variables: ["GLAB_CONFIG_DIR"])],
            scope: ToolScope(
                .host, "host", options: ["--hostname", "-h", "--repo", "-R"],
                variables: ["GITLAB_HOST", "GITLAB_URI", "GL_HOST"],
                arguments: .init(
                    notOf: settings, texts: texts, repositoriesOf: ["repo", "project"]),
                aliases: [".gitlab.com": "gitlab.com"],
                active: [.init(".config/glab-cli/config.yml", .yaml, ["host"])],
                repositories: .ofGroups, fallback: "gitlab.com"),
            address: ServerAddress(
                "host", options: ["--hostname"],
                variables: ["GITLAB_HOST", "GITLAB_URI", "GL_HOST"]),
            signIn: "https://gitlab.com/-/profile/personal_access_tokens",
            sources: [
                "https://docs.gitlab.com/cli/",
                "1Password/shell-plugins/plugins/gitlab/personal_access_token.go",
            ]),
        ToolProfile(
            "goreleaser", variables: [.secret("GITHUB_TOKEN")],
            plainText: [.singleLine(".config/goreleaser/github_token")],
            moves: [FileMove(".config/goreleaser", obeysFolders: false)],
            signIn: "https://github.com/settings/tokens",
            sources: [
                "https://goreleaser.com/customization/publish/scm/github",
                "https://goreleaser.com/errors/multiple-tokens",
            ]),
        ToolProfile(
            "infracost",
            variables: [
                .secret("INFRACOST_API_KEY"), .part("INFRACOST_PRICING_API_ENDPOINT", "endpoint"),
            ],
            plainText: [
                SecretFile(
                    ".config/infracost/credentials.yml", .yaml,
                    [.secret(["api_key"]), .part("endpoint", ["pricing_api_endpoint"])])
            ],
            address: ServerAddress(
                "endpoint", variables: ["INFRACOST_PRICING_API_ENDPOINT"],
                usual: "https://pricing.api.infracost.io"),
            signIn: "infracost auth login",
            sources: [
                "infracost/infracost/cmd/infracost/main.go",
                "infracost/infracost/internal/config/credentials.go",
            ]),
        ToolProfile(
            "jira", variables: [.secret("JIRA_API_TOKEN")],
            signIn: "https://id.atlassian.com/manage-profile/security/api-tokens",
            sources: ["ankitpokhrel/jira-cli/README.md"]),
        ToolProfile(
            "linear", variables: [.secret("LINEAR_API_KEY")],
            signIn: "https://linear.app/settings/account/security",
            sources: ["schpet/linear-cli/docs/authentication.md"]),
        ToolProfile(
            "localstack", programs: ["localstack", "lstk"],
            variables: [.secret("LOCALSTACK_AUTH_TOKEN")],
            plainText: [
                .singleLine(".config/lstk/auth-token"),
                SecretFile(
                    ".localstack/auth.json", .json, [.secret(["LOCALSTACK_AUTH_TOKEN"])]),
            ],
            signIn: "https://app.localstack.cloud/workspace/auth-token",
            sources: [
                "https://docs.localstack.cloud/getting-started/auth-token/",
                "localstack/lstk/internal/auth/file_token_storage.go",
            ]),
        ToolProfile(
            "octopus",
            variables: [
                .secret("OCTOPUS_API_KEY"), .part("OCTOPUS_URL", "url"),
                .part("OCTOPUS_SPACE", "space"),
            ],
            plainText: [
                SecretFile(
                    ".config/octopus/cli_config.json", .json,
                    [.secret(["apikey"]), .part("url", ["url"]), .part("space", ["space"])])
            ],
            address: ServerAddress("url", variables: ["OCTOPUS_URL"]),
            signIn: "https://octopus.com/docs/octopus-rest-api/how-to-create-an-api-key",
            sources: [
                "https://octopus.com/docs/octopus-rest-api/cli",
                "1Password/shell-plugins/plugins/octopus/api_key.go",
            ]),
        ToolProfile(
            "semgrep", variables: [.secret("SEMGREP_APP_TOKEN")],
            plainText: [".semgrep/settings.yml", ".config/.semgrep/settings.yml"].map {
                SecretFile($0, .yaml, [.secret(["api_token"])])
            },
            moves: [
                FileMove(
                    ".semgrep/settings.yml", ".config/.semgrep/settings.yml",
                    variables: ["SEMGREP_SETTINGS_FILE"])
            ],
            signIn: "semgrep login",
            sources: [
                "semgrep/semgrep/cli/src/semgrep/env.py",
                "semgrep/semgrep/src/osemgrep/configuring/Semgrep_settings.mli",
            ]),
        ToolProfile(
            "snyk", variables: [.secret("SNYK_TOKEN")],
            plainText: [
                SecretFile(
                    ".config/configstore/snyk.json", .json,
                    [
                        .secret(["api"]), .otherSecret(["INTERNAL_OAUTH_TOKEN_STORAGE"], .session),
                    ])
            ],
            scope: ToolScope(
                .host, "host", variables: ["SNYK_API", "SNYK_CFG_ENDPOINT"],
                aliases: ["app.snyk.io": "api.snyk.io", "snyk.io": "api.snyk.io"],
                active: [.init(".config/configstore/snyk.json", .json, ["endpoint"])],
                fallback: "api.snyk.io"),
            rivals: [["SNYK_OAUTH_TOKEN"], ["SNYK_DOCKER_TOKEN"]],
            signIn: "https://app.snyk.io/account",
            sources: [
                "snyk/cli/src/lib/api-token.ts",
                "snyk/go-application-framework/pkg/auth/oauth2authenticator.go",
                "https://docs.snyk.io/snyk-api-info/authentication-for-api",
                "1Password/shell-plugins/plugins/snyk/api_token.go",
            ]),
        ToolProfile(
            "sourcegraph", programs: ["src"],
            variables: [
                .secret("SRC_ACCESS_TOKEN"), .scope("SRC_ENDPOINT", else: .part("endpoint")),
            ],
            plainText: [
                SecretFile(
                    "src-config.json", .json,
                    [.secret(["accessToken"]), .scope(["endpoint"])])
            ],
            moves: [FileMove("src-config.json", options: ["-config", "--config"])],
            scope: ToolScope(
                .name, "endpoint", options: ["-endpoint", "--endpoint"],
                variables: ["SRC_ENDPOINT"],
                active: [.init("src-config.json", .json, ["endpoint"])],
                fallback: "https://sourcegraph.com"),
            address: ServerAddress(
                "endpoint", options: ["-endpoint", "--endpoint"], variables: ["SRC_ENDPOINT"]),
            signIn: "https://sourcegraph.com/user/settings/tokens",
            sources: [
                "https://docs.sourcegraph.com/cli", "sourcegraph/src-cli/cmd/src/main.go",
            ]),
        ToolProfile(
            "travis", variables: [.secret("TRAVIS_TOKEN")],
            plainText: [
                SecretFile(
                    ".travis/config.yml", .yaml, [.secret(["endpoints", "*", "access_token"])])
            ],
            moves: [FileMove(".travis", variables: ["TRAVIS_CONFIG_PATH"])],
            scope: ToolScope(
                .host, "host", options: ["--api-endpoint", "-e"],
                flags: [
                    .init("--org", means: "api.travis-ci.org"),
                    .init("--com", "--pro", means: "api.travis-ci.com"),
                    .init("--staging", means: "api-staging.travis-ci.com"),
                    .init(
                        "--enterprise", "-X", means: "enterprise",
                        entry: .init(".travis/config.yml", .yaml, ["enterprise", "*"])),
                ], variables: ["TRAVIS_ENDPOINT"],
                active: [
                    .init(
                        ".travis/config.yml", .yaml, ["repos", "*", "endpoint"],
                        section: .init(
                            options: ["--repo", "-r", "--store-repo", "-R"],
                            gitSetting: ["travis", "slug"], notOf: travisCommands)),
                    .init(".travis/config.yml", .yaml, ["default_endpoint"]),
                ],
                fallback: "api.travis-ci.com"),
            signIn: "travis token",
            sources: [
                "travis-ci/travis.rb/README.md", "travis-ci/travis.rb/lib/travis/cli/command.rb",
                "travis-ci/travis.rb/lib/travis/cli/api_command.rb",
                "travis-ci/travis.rb/lib/travis/cli/repo_command.rb",
            ]),
        ToolProfile(
            "tugboat", variables: [.secret("TUGBOAT_API_TOKEN")],
            plainText: [SecretFile(".tugboat.yml", .yaml, [.secret(["token"])])],
            signIn: "https://dashboard.tugboatqa.com/access-tokens",
            sources: [
                "https://docs.tugboatqa.com/tugboat-cli/set-an-access-token/",
                "1Password/shell-plugins/plugins/tugboat/access_token.go",
            ]),
    ]

    /// The older folder comes first if it exists.
    private static let argocdFiles = [".argocd/config", ".config/argocd/config"]

    /// Commands of travis that are for no repository, or for several.
    private static let travisCommands = [
        "accounts", "console", "endpoint", "help", "login", "logout", "monitor", "raw", "report",
        "repos", "sync", "token", "version", "whoami",
    ]

    /// Commands whose arguments may be any text.
    private static let settings = ["alias", "config", "secret", "variable"]

    /// Options whose values are prose.
    private static let texts = [
        "--body", "-b", "--comment", "-c", "--description", "-d", "--homepage", "--message", "-m",
        "--notes", "-n", "--search", "-S", "--subject", "--title", "-t",
    ]
}
