internal import PlainTextFormats

// Registries of packages.
extension ToolProfile {
    static let packages: [ToolProfile] = [
        ToolProfile(
            "brew", variables: [.secret("HOMEBREW_GITHUB_API_TOKEN")],
            signIn: "https://github.com/settings/tokens",
            sources: ["https://docs.brew.sh/Manpage#environment"]),
        ToolProfile(
            "cargo", variables: [.secret("CARGO_REGISTRY_TOKEN")],
            plainText: Array(CargoTool.plainText.suffix(1)), moves: CargoTool.moves,
            signIn: "https://crates.io/settings/tokens",
            sources: ["https://doc.rust-lang.org/cargo/reference/config.html#credentials"]),
        ToolProfile(
            "composer", variables: [.secret("COMPOSER_AUTH")],
            plainText: [
                SecretFile(".config/composer/auth.json", .json, composerKeys, isWhole: true),
                SecretFile(".composer/auth.json", .json, composerKeys, isWhole: true),
            ],
            moves: [FileMove(".config/composer", ".composer", variables: ["COMPOSER_HOME"])],
            signIn: "https://getcomposer.org/doc/articles/authentication-for-private-packages.md",
            sources: [
                "composer/composer/doc/articles/authentication-for-private-packages.md",
                "composer/composer/doc/03-cli.md",
            ]),
        ToolProfile(
            "gem", variables: [.secret("GEM_HOST_API_KEY")],
            // It reads the second one only without the first.
            plainText: [".gem/credentials", ".local/share/gem/credentials"].map {
                SecretFile(
                    $0, .yaml, [.secret([":rubygems_api_key"]), .secret([":*"]), .secret(["*"])])
            },
            scope: ToolScope(
                .host, "host", options: ["--key", "-k"],
                server: .init(
                    options: ["--host"], variables: ["RUBYGEMS_HOST"], entries: [], itemEntries: []),
                fallback: "rubygems.org"),
            syntax: OptionSyntax(abbreviating: ["gem"]),
            signIn: "https://rubygems.org/profile/api_keys",
            sources: [
                "rubygems/guides/api-key-scopes.md",
                "rubygems/rubygems/lib/rubygems/config_file.rb",
            ]),
        ToolProfile(
            "hex", programs: [], variables: [.secret("HEX_API_KEY")],
            signIn: "https://hex.pm/dashboard/keys",
            sources: ["hexpm/hex/lib/mix/tasks/hex.config.ex"]),
        ToolProfile(
            "maven", programs: ["mvn"],
            files: [
                File(
                    .argument("--global-settings={}"),
                    [
                        .text("<server><id>"), .account, .text("</id><username>"),
                        .part("username"), .text("</username><password>"), .secret,
                        .text("</password></server>"),
                    ], quoting: .xml,
                    frame: File.Frame(
                        head: "<settings><servers>",
                        tail: "</servers>\(httpBlocker)</settings>\n"),
                    rivals: ["--global-settings", "-gs"])
            ],
            plainText: [
                SecretFile(
                    ".m2/settings.xml", .xml,
                    [
                        .account(["settings", "servers", "server", "id"]),
                        .part("username", ["settings", "servers", "server", "username"]),
                        .secret(["settings", "servers", "server", "password"]),
                        .otherSecret(["settings", "servers", "server", "passphrase"]),
                        .otherSecret(["settings", "proxies", "proxy", "password"]),
                    ], encryption: mavenMasterPassword, variables: .braces),
                SecretFile(
                    ".m2/settings-security.xml", .xml,
                    [.otherSecret(["settingsSecurity", "master"], .encrypted)],
                    encryption: mavenMasterPassword),
            ], accountWord: "ID",
            signIn: "https://central.sonatype.com/usertoken",
            sources: [
                "https://maven.apache.org/settings.html",
                "https://maven.apache.org/guides/mini/guide-encryption.html",
            ]),
        ToolProfile(
            "nixpkgs-review", variables: [.secret("GITHUB_TOKEN")],
            signIn: "https://github.com/settings/tokens",
            sources: ["Mic92/nixpkgs-review/nixpkgs_review/cli/__init__.py"]),
        ToolProfile(
            "npm", programs: ["npm", "npx"],
            files: [
                // Not the user's configuration, which has further settings.
                File(
                    .variable("NPM_CONFIG_GLOBALCONFIG"),
                    [.text("//registry.npmjs.org/:_authToken="), .secret, .text("\n")],
                    quoting: .line)
            ],
            plainText: [
                SecretFile(".npmrc", .ini, [.secret(["*:_authToken"])], variables: .braces)
            ],
            moves: NpmTool.moves,
            signIn: "https://www.npmjs.com/settings/~/tokens",
            sources: [
                "https://docs.npmjs.com/cli/v11/using-npm/config#globalconfig",
                "https://docs.npmjs.com/cli/v11/configuring-npm/npmrc#auth-related-configuration",
            ]),
        ToolProfile(
            "poetry", variables: [.secret("POETRY_PYPI_TOKEN_PYPI")],
            plainText: [
                SecretFile(
                    ".config/pypoetry/auth.toml", .toml,
                    [.secret(["pypi-token", "pypi"]), .otherSecret(["pypi-token", "*"])])
            ],
            moves: [FileMove(".config/pypoetry", variables: ["POETRY_CONFIG_DIR"])],
            signIn: "https://pypi.org/manage/account/#api-tokens",
            sources: [
                "python-poetry/poetry/docs/configuration.md",
                "python-poetry/poetry/docs/repositories.md",
            ]),
        ToolProfile(
            "pypi", programs: ["twine", "flit", "hatch", "maturin"],
            variables: [
                user("TWINE_USERNAME"), .secret("TWINE_PASSWORD"),
                user("FLIT_USERNAME"), .secret("FLIT_PASSWORD"),
                user("HATCH_INDEX_USER"), .secret("HATCH_INDEX_AUTH"),
                .secret("MATURIN_PYPI_TOKEN"), .secret("UV_PUBLISH_TOKEN"),
            ],
            plainText: [
                SecretFile(
                    ".pypirc", .ini,
                    [
                        .secret(["server-login", "password"], scope: "pypi"),
                        .secret(["*", "password"]), .account(["*", "username"]),
                        .scope(["*", "repository"]),
                    ], quotes: "")
            ],
            moves: [FileMove(".pypirc", options: ["--config-file", "--pypirc"])],
            scope: ToolScope(
                .name, "repository",
                options: ["--repository", "--repository-url", "--repo", "--publish-url", "-r"],
                variables: [
                    "TWINE_REPOSITORY", "TWINE_REPOSITORY_URL", "FLIT_INDEX_URL",
                    "HATCH_INDEX_REPO", "MATURIN_REPOSITORY", "MATURIN_REPOSITORY_URL",
                    "UV_PUBLISH_URL",
                ],
                aliases: [
                    "main": "pypi", "https://upload.pypi.org/legacy": "pypi",
                    "https://test.pypi.org/legacy": "testpypi",
                ],
                meaning: [
                    .init(
                        ".pypirc", .ini, ["*", "repository"],
                        programs: ["twine", "flit", "maturin"])
                ], fallback: "pypi"),
            rivals: [["--username"], ["-u"], ["--password"], ["-p"]],
            syntax: OptionSyntax(flags: "s", abbreviating: ["twine", "flit"]),
            signIn: "https://pypi.org/manage/account/#api-tokens",
            sources: [
                "pypa/twine/docs/index.rst", "PyO3/maturin/guide/src/environment-variables.md",
                "astral-sh/uv/crates/uv-static/src/env_vars.rs",
                "1Password/shell-plugins/plugins/pypi/api_token.go",
            ]),
        ToolProfile(
            "yarn", variables: [.secret("YARN_NPM_AUTH_TOKEN")],
            plainText: [
                SecretFile(
                    ".yarnrc.yml", .yaml,
                    [
                        .secret(["npmAuthToken"]),
                        .otherSecret(["npmRegistries", "*", "npmAuthToken"]),
                        .otherSecret(["npmScopes", "*", "npmAuthToken"]),
                    ], variables: .braces)
            ],
            scope: ToolScope(
                .host, "registry", variables: ["YARN_NPM_REGISTRY_SERVER"],
                aliases: ["registry.npmjs.org": "registry.yarnpkg.com"],
                active: ["./.yarnrc.yml", ".yarnrc.yml"].map {
                    .init($0, .yaml, ["npmRegistryServer"])
                }, fallback: "registry.yarnpkg.com"),
            signIn: "https://www.npmjs.com/settings/~/tokens",
            sources: [
                "https://yarnpkg.com/configuration/yarnrc",
                "yarnpkg/berry/packages/docusaurus/static/configuration/yarnrc.json",
            ]),
    ]

    private static let composerKeys: [PlainTextKey] = [
        .secret(["http-basic", "*", "password"]), .secret(["github-oauth", "*"]),
        .secret(["gitlab-token", "*"]), .secret(["gitlab-token", "*", "token"]),
        .secret(["gitlab-oauth", "*"]), .secret(["bearer", "*"]),
        .secret(["bitbucket-oauth", "*", "consumer-secret"]),
        .secret(["forgejo-token", "*", "token"]),
    ]

    /// A section of .pypirc has its own user.
    private static func user(_ name: String) -> Variable {
        Variable(name, .text("__token__"), scoped: .account)
    }

    private static let mavenMasterPassword = "the master password in settings-security.xml"

    /// The mirror in Maven's own global settings, which a file of ours replaces.
    private static let httpBlocker = """
        <mirrors><mirror><id>maven-default-http-blocker</id><mirrorOf>external:http:*</mirrorOf>\
        <url>http://0.0.0.0/</url><blocked>true</blocked></mirror></mirrors>
        """
}
