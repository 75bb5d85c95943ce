internal import PlainTextFormats

// Forges, continuous integration, and checks of source code.
extension ToolProfile {
    static let forges: [ToolProfile] = [
        ToolProfile(
            "argocd",
            variables: [.secret("ARGOCD_AUTH_TOKEN"), .part("ARGOCD_SERVER", "server")],
            plainText: [
                PlainTextFile(
                    ".config/argocd/config", .yaml,
                    [.secret(["users", "*", "auth-token"]), .account(["users", "*", "name"])])
            ],
            signIn: "argocd account generate-token",
            sources: [
                "https://argo-cd.readthedocs.io/en/stable/user-guide/environment-variables/",
                "1Password/shell-plugins/plugins/argocd/auth_token.go",
            ]),
        ToolProfile(
            "buildkite", programs: ["bk"],
            variables: [
                .secret("BUILDKITE_API_TOKEN"), .account("BUILDKITE_ORGANIZATION_SLUG"),
            ],
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
            "circleci", variables: [.secret("CIRCLECI_CLI_TOKEN"), .secret("CIRCLE_TOKEN")],
            plainText: [PlainTextFile(".circleci/cli.yml", .yaml, [.secret(["token"])])],
            signIn: "https://app.circleci.com/settings/user/tokens",
            sources: [
                "https://circleci.com/docs/local-cli/", "CircleCI-Public/circleci-cli/CLAUDE.md",
                "1Password/shell-plugins/plugins/circleci/personal_api_token.go",
            ]),
        ToolProfile(
            "codecov", programs: ["codecov", "codecovcli"], variables: [.secret("CODECOV_TOKEN")],
            signIn: "https://app.codecov.io",
            sources: ["codecov/codecov-cli/README.md"]),
        ToolProfile(
            "depot", variables: [.secret("DEPOT_TOKEN")],
            signIn: "https://depot.dev",
            sources: ["depot/cli/pkg/cmd/buildctl/dial-stdio.go"]),
        ToolProfile(
            "fossa", variables: [.secret("FOSSA_API_KEY")],
            signIn: "https://app.fossa.com/account/settings/integrations/api_tokens",
            sources: ["fossas/fossa-cli/README.md"]),
        ToolProfile(
            "ggshield", variables: [.secret("GITGUARDIAN_API_KEY")],
            plainText: [
                PlainTextFile(
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
            "gh", variables: [.secret("GH_TOKEN")],
            plainText: [
                PlainTextFile(
                    ".config/gh/hosts.yml", .yaml,
                    [
                        .secret(["github.com", "oauth_token"]), .account(["*", "user"]),
                        .secret(["github.com", "users", "*", "oauth_token"]),
                        .otherSecret(["*", "oauth_token"]),
                        .otherSecret(["*", "users", "*", "oauth_token"]),
                    ])
            ],
            signIn: "https://github.com/settings/tokens",
            sources: [
                "https://cli.github.com/manual/gh_help_environment",
                "cli/cli/internal/config/config.go",
            ]),
        ToolProfile(
            "glab", variables: [.secret("GITLAB_TOKEN"), .part("GITLAB_HOST", "host")],
            plainText: [
                PlainTextFile(
                    ".config/glab-cli/config.yml", .yaml,
                    [
                        .secret(["hosts", "gitlab.com", "token"]),
                        .account(["hosts", "*", "user"]),
                        .otherSecret(["hosts", "*", "token"]),
                    ])
            ],
            signIn: "https://gitlab.com/-/profile/personal_access_tokens",
            sources: [
                "https://docs.gitlab.com/cli/",
                "1Password/shell-plugins/plugins/gitlab/personal_access_token.go",
            ]),
        ToolProfile(
            "infracost", variables: [.secret("INFRACOST_API_KEY")],
            plainText: [
                PlainTextFile(".config/infracost/credentials.yml", .yaml, [.secret(["api_key"])])
            ],
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
            "localstack", variables: [.secret("LOCALSTACK_AUTH_TOKEN")],
            plainText: [
                PlainTextFile(
                    ".localstack/auth.json", .json, [.secret(["LOCALSTACK_AUTH_TOKEN"])])
            ],
            signIn: "https://app.localstack.cloud/workspace/auth-token",
            sources: ["https://docs.localstack.cloud/getting-started/auth-token/"]),
        ToolProfile(
            "octopus",
            variables: [
                .secret("OCTOPUS_API_KEY"), .part("OCTOPUS_URL", "url"),
                .part("OCTOPUS_SPACE", "space"),
            ],
            plainText: [
                PlainTextFile(
                    ".config/octopus/cli_config.json", .json,
                    [.secret(["apikey"]), .part("url", ["url"]), .part("space", ["space"])])
            ],
            signIn: "https://octopus.com/docs/octopus-rest-api/how-to-create-an-api-key",
            sources: [
                "https://octopus.com/docs/octopus-rest-api/cli",
                "1Password/shell-plugins/plugins/octopus/api_key.go",
            ]),
        ToolProfile(
            "semgrep", variables: [.secret("SEMGREP_APP_TOKEN")],
            plainText: [PlainTextFile(".semgrep/settings.yml", .yaml, [.secret(["api_token"])])],
            signIn: "semgrep login",
            sources: [
                "semgrep/semgrep/cli/src/semgrep/env.py",
                "semgrep/semgrep/src/osemgrep/configuring/Semgrep_settings.mli",
            ]),
        ToolProfile(
            "snyk", variables: [.secret("SNYK_TOKEN")],
            plainText: [PlainTextFile(".config/configstore/snyk.json", .json, [.secret(["api"])])],
            signIn: "https://app.snyk.io/account",
            sources: [
                "https://docs.snyk.io/snyk-api-info/authentication-for-api",
                "1Password/shell-plugins/plugins/snyk/api_token.go",
            ]),
        ToolProfile(
            "sourcegraph", programs: ["src"],
            variables: [.secret("SRC_ACCESS_TOKEN"), .part("SRC_ENDPOINT", "endpoint")],
            signIn: "https://sourcegraph.com/user/settings/tokens",
            sources: ["https://docs.sourcegraph.com/cli"]),
        ToolProfile(
            "travis", variables: [.secret("TRAVIS_TOKEN")],
            signIn: "travis token",
            sources: ["travis-ci/travis.rb/README.md"]),
        ToolProfile(
            "tugboat", variables: [.secret("TUGBOAT_API_TOKEN")],
            signIn: "https://dashboard.tugboatqa.com/access-tokens",
            sources: [
                "https://docs.tugboatqa.com/tugboat-cli/set-an-access-token/",
                "1Password/shell-plugins/plugins/tugboat/access_token.go",
            ]),
    ]
}
