internal import PlainTextFormats

// Language models, agents that write code, and machine learning.
extension ToolProfile {
    static let models: [ToolProfile] = [
        ToolProfile(
            "aider",
            variables: [
                .secret("OPENAI_API_KEY"), .part("ANTHROPIC_API_KEY", "anthropic"),
                .part("GEMINI_API_KEY", "gemini"), .part("OPENROUTER_API_KEY", "openrouter"),
                .part("DEEPSEEK_API_KEY", "deepseek"),
            ],
            signIn: "https://platform.openai.com/api-keys",
            sources: ["Aider-AI/aider/aider/website/docs/config/api-keys.md"]),
        ToolProfile(
            "claude", variables: [.secret("ANTHROPIC_API_KEY")],
            plainText: [
                SecretFile(
                    ".claude/.credentials.json", .json,
                    [
                        .otherSecret(["claudeAiOauth", "accessToken"], .session),
                        .otherSecret(["claudeAiOauth", "refreshToken"], .session),
                    ])
            ],
            moves: [FileMove(".claude", variables: ["CLAUDE_CONFIG_DIR"])],
            signIn: "https://console.anthropic.com/settings/keys",
            sources: [
                "https://docs.anthropic.com/en/docs/claude-code/settings",
                "https://docs.anthropic.com/en/docs/claude-code/iam",
            ]),
        ToolProfile(
            "cline", variables: [.secret("CLINE_API_KEY")],
            signIn: "https://app.cline.bot",
            sources: [
                "https://docs.cline.bot/api/authentication",
                "1Password/shell-plugins/plugins/cline/api_key.go",
            ]),
        ToolProfile(
            // `codex exec` signs in with its own variable.
            "codex", variables: [.secret("OPENAI_API_KEY"), .secret("CODEX_API_KEY")],
            plainText: [
                SecretFile(
                    ".codex/auth.json", .json,
                    [
                        .secret(["OPENAI_API_KEY"]),
                        .otherSecret(["tokens", "access_token"], .session),
                        .otherSecret(["tokens", "refresh_token"], .session),
                        .otherSecret(["personal_access_token"]),
                    ])
            ],
            moves: [FileMove(".codex", variables: ["CODEX_HOME"])],
            signIn: "https://platform.openai.com/api-keys",
            sources: [
                "openai/codex/docs/authentication.md",
                "openai/codex/codex-rs/login/src/auth/manager.rs",
                "openai/codex/codex-rs/login/src/auth/storage.rs",
                "1Password/shell-plugins/plugins/openai/codex.go",
            ]),
        ToolProfile(
            "cohere", programs: [], variables: [.secret("CO_API_KEY")],
            signIn: "https://dashboard.cohere.com/api-keys",
            sources: ["cohere-ai/cohere-python/README.md"]),
        ToolProfile(
            "copilot", variables: [.secret("COPILOT_GITHUB_TOKEN")],
            plainText: [
                SecretFile(
                    ".copilot/config.json", .json,
                    [.secret(["copilot_tokens", "*"]), .secret(["*", "*", "token"])])
            ],
            moves: [FileMove(".copilot", options: ["--config-dir"], variables: ["COPILOT_HOME"])],
            scope: ToolScope(
                .name, "user",
                active: [
                    .init(
                        ".copilot/config.json", .json, ["last_logged_in_user", "host"],
                        ["last_logged_in_user", "login"])
                ]),
            signIn: "https://github.com/settings/personal-access-tokens/new",
            sources: [
                "https://docs.github.com/en/copilot/how-tos/copilot-cli/set-up-copilot-cli/authenticate-copilot-cli"
            ]),
        ToolProfile(
            "crush",
            variables: [
                .secret("ANTHROPIC_API_KEY"), .part("OPENAI_API_KEY", "openai"),
                .part("GEMINI_API_KEY", "gemini"), .part("GROQ_API_KEY", "groq"),
                .part("OPENROUTER_API_KEY", "openrouter"),
            ],
            plainText: [
                SecretFile(
                    ".local/share/crush/crush.json", .json,
                    [
                        .secret(["providers", "anthropic", "api_key"]),
                        .otherSecret(["providers", "*", "api_key"]),
                    ])
            ],
            signIn: "https://console.anthropic.com/settings/keys",
            sources: [
                "charmbracelet/crush/README.md", "charmbracelet/crush/internal/config/load.go",
            ]),
        ToolProfile(
            "cursor", programs: ["agent", "cursor-agent"], variables: [.secret("CURSOR_API_KEY")],
            signIn: "https://cursor.com/dashboard",
            sources: ["https://cursor.com/docs/cli/reference/authentication"]),
        ToolProfile(
            "deepseek", programs: [], variables: [.secret("DEEPSEEK_API_KEY")],
            signIn: "https://platform.deepseek.com/api_keys",
            sources: ["https://api-docs.deepseek.com/"]),
        ToolProfile(
            "gemini", variables: [.secret("GEMINI_API_KEY")],
            plainText: [
                SecretFile(".gemini/.env", .ini, [.secret(["GEMINI_API_KEY"])]),
                SecretFile(
                    ".gemini/oauth_creds.json", .json,
                    [
                        .otherSecret(["access_token"], .session),
                        .otherSecret(["refresh_token"], .session),
                    ]),
            ],
            signIn: "https://aistudio.google.com/app/apikey",
            sources: ["google-gemini/gemini-cli/docs/get-started/authentication.mdx"]),
        ToolProfile(
            "groq", programs: [], variables: [.secret("GROQ_API_KEY")],
            signIn: "https://console.groq.com/keys",
            sources: ["groq/groq-python/README.md"]),
        ToolProfile(
            "hf", programs: ["hf", "huggingface-cli"], variables: [.secret("HF_TOKEN")],
            plainText: [
                .singleLine(".cache/huggingface/token"),
                SecretFile(
                    ".cache/huggingface/stored_tokens", .ini, [.secret(["*", "hf_token"])],
                    quotes: ""),
            ],
            moves: [
                FileMove(".cache/huggingface/token", variables: ["HF_TOKEN_PATH"]),
                FileMove(".cache/huggingface", variables: ["HF_HOME"]),
            ],
            scope: ToolScope(.name, "token", fallback: "active"),
            address: ServerAddress(
                "endpoint", variables: ["HF_ENDPOINT"], usual: "https://huggingface.co"),
            signIn: "https://huggingface.co/settings/tokens",
            sources: [
                "https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables",
                "huggingface/huggingface_hub/src/huggingface_hub/constants.py",
            ]),
        ToolProfile(
            "junie", variables: [.secret("JUNIE_API_KEY")],
            signIn: "https://junie.jetbrains.com/cli",
            sources: ["https://junie.jetbrains.com/docs/environment-variables.html"]),
        ToolProfile(
            "kaggle", variables: [.secret("KAGGLE_API_TOKEN")],
            plainText: [
                .singleLine(".kaggle/access_token"),
                SecretFile(
                    ".kaggle/credentials.json", .json,
                    [
                        .otherSecret(["access_token"], .session),
                        .otherSecret(["refresh_token"], .session),
                    ]),
            ],
            moves: [FileMove(".kaggle", variables: ["KAGGLE_CONFIG_DIR"])],
            signIn: "https://www.kaggle.com/settings/api",
            sources: [
                "Kaggle/kaggle-cli/docs/configuration.md",
                "Kaggle/kaggle-cli/src/kaggle/api/kaggle_api_extended.py",
                "Kaggle/kagglesdk/kagglesdk/kaggle_env.py",
            ]),
        ToolProfile(
            // Keys of before the tokens; a token in a file beats them, too.
            "kaggle-key", programs: [],
            variables: [.secret("KAGGLE_KEY"), .requiredAccount("KAGGLE_USERNAME")],
            plainText: [".kaggle/kaggle.json", ".config/kaggle/kaggle.json"].map {
                SecretFile($0, .json, [.secret(["key"]), .account(["username"])])
            },
            moves: [FileMove(".kaggle", ".config/kaggle", variables: ["KAGGLE_CONFIG_DIR"])],
            rivals: [["KAGGLE_API_TOKEN"]],
            signIn: "https://www.kaggle.com/settings/api",
            sources: [
                "Kaggle/kaggle-cli/docs/configuration.md",
                "Kaggle/kaggle-cli/src/kaggle/api/kaggle_api_extended.py",
            ]),
        ToolProfile(
            "kimi", variables: [.secret("KIMI_API_KEY")],
            plainText: [".kimi", ".kimi-code"].map { folder in
                SecretFile(
                    "\(folder)/credentials/*.json", .json,
                    [
                        .otherSecret(["access_token"], .session),
                        .otherSecret(["refresh_token"], .session),
                    ])
            },
            signIn: "https://platform.moonshot.ai/console/api-keys",
            sources: [
                "https://moonshotai.github.io/kimi-cli/en/configuration/env-vars.html",
                "MoonshotAI/kimi-cli/src/kimi_cli/share.py",
                "https://moonshotai.github.io/kimi-code/en/configuration/env-vars.html",
            ]),
        ToolProfile(
            "kiro", programs: ["kiro-cli"], variables: [.secret("KIRO_API_KEY")],
            signIn: "https://app.kiro.dev",
            sources: ["https://kiro.dev/docs/cli/authentication/"]),
        ToolProfile(
            // A key in the file beats the variable.
            "llm", variables: [.secret("OPENAI_API_KEY")],
            plainText: [
                SecretFile(".config/io.datasette.llm/keys.json", .json, [.secret(["openai"])])
            ],
            moves: [FileMove(".config/io.datasette.llm", variables: ["LLM_USER_PATH"])],
            signIn: "https://platform.openai.com/api-keys",
            sources: ["simonw/llm/docs/setup.md", "simonw/llm/llm/__init__.py"]),
        ToolProfile(
            "mistral", programs: ["vibe"], variables: [.secret("MISTRAL_API_KEY")],
            plainText: [SecretFile(".vibe/.env", .ini, [.secret(["MISTRAL_API_KEY"])])],
            moves: [FileMove(".vibe", variables: ["VIBE_HOME"])],
            signIn: "https://console.mistral.ai/api-keys",
            sources: ["mistralai/client-python/README.md", "mistralai/mistral-vibe/README.md"]),
        ToolProfile(
            "modal",
            variables: [.requiredAccount("MODAL_TOKEN_ID"), .secret("MODAL_TOKEN_SECRET")],
            plainText: [
                SecretFile(
                    ".modal.toml", .toml,
                    [
                        .account(["*", "token_id"]), .secret(["*", "token_secret"]),
                        .part("url", ["*", "server_url"]),
                    ])
            ],
            moves: [FileMove(".modal.toml", variables: ["MODAL_CONFIG_PATH"])],
            scope: ToolScope(
                .name, "profile", variables: ["MODAL_PROFILE"],
                active: [.init(".modal.toml", .toml, ["*", "active"], naming: .flaggedSection)],
                fallback: "default"),
            address: ServerAddress(
                "url", variables: ["MODAL_SERVER_URL"], usual: "https://api.modal.com"),
            signIn: "https://modal.com/settings/tokens",
            sources: ["modal-labs/modal-client/go/config.go"]),
        ToolProfile(
            "openai", variables: [.secret("OPENAI_API_KEY")],
            signIn: "https://platform.openai.com/api-keys",
            sources: ["openai/openai-python/README.md"]),
        ToolProfile(
            "opencode", variables: [.secret("OPENCODE_API_KEY")],
            plainText: [
                SecretFile(
                    ".local/share/opencode/auth.json", .json,
                    [
                        .secret(["opencode", "key"]), .otherSecret(["*", "key"]),
                        .otherSecret(["*", "token"]), .otherSecret(["*", "access"], .session),
                        .otherSecret(["*", "refresh"], .session),
                    ])
            ],
            signIn: "https://opencode.ai/auth",
            sources: [
                "https://opencode.ai/docs/providers/",
                "anomalyco/opencode/packages/opencode/src/auth/index.ts",
                "1Password/shell-plugins/plugins/opencode/api_key.go",
            ]),
        ToolProfile(
            "openrouter", programs: [], variables: [.secret("OPENROUTER_API_KEY")],
            signIn: "https://openrouter.ai/settings/keys",
            sources: ["OpenRouterTeam/typescript-sdk/README.md"]),
        ToolProfile(
            "replicate", variables: [.secret("REPLICATE_API_TOKEN")],
            plainText: [
                SecretFile(".config/replicate/hosts", .yaml, [.secret(["*", "token"])])
            ],
            scope: ToolScope(
                .host, "host", variables: ["REPLICATE_BASE_URL"], fallback: "api.replicate.com"),
            signIn: "https://replicate.com/account/api-tokens",
            sources: ["replicate/cli/README.md", "replicate/cli/internal/config/auth.go"]),
        ToolProfile(
            "runpodctl", variables: [.secret("RUNPOD_API_KEY")],
            plainText: [SecretFile(".runpod/config.toml", .toml, [.secret(["apikey"])])],
            signIn: "https://www.runpod.io/console/user/settings",
            sources: ["runpod/runpodctl/docs/runpodctl.md", "runpod/runpodctl/cmd/root.go"]),
        ToolProfile(
            "wandb", variables: [.secret("WANDB_API_KEY")],
            plainText: [
                SecretFile(".netrc", .netrc, [.secret(["api.wandb.ai", "password"])])
            ],
            moves: [
                FileMove(".netrc", variables: ["NETRC"]),
                FileMove(".config/wandb", variables: ["WANDB_CONFIG_DIR"], obeysFolders: false),
                FileMove(".", variables: ["WANDB_DIR"]),
            ],
            scope: ToolScope(
                .host, "host", options: ["--host"], variables: ["WANDB_BASE_URL"],
                active: [
                    "./.wandb/settings", "./wandb/settings", ".config/wandb/settings",
                ].map { .init($0, .ini, ["default", "base_url"]) }, fallback: "api.wandb.ai"),
            signIn: "https://wandb.ai/settings",
            sources: [
                "https://docs.wandb.ai/guides/track/environment-variables/",
                "wandb/wandb/wandb/old/settings.py",
            ]),
    ]
}
