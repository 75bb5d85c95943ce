/// The settings of the examples in the pages of `lanyard` and its commands.
extension ManExampleSetting {
    static let overview = [
        Self(
            page: "lanyard.1", mark: "lanyard setup\n",
            way: .terminal([.sees("make these changes? [Y/n] "), .types("y\n")]), before: gitLogin,
            after: "grep -q example.com \"$OUTPUT\"", needs: [.python, .git]),
        Self(
            page: "lanyard.1", mark: "lanyard set backup\n", way: .terminal(typesSecret),
            after: "grep -q hunter2 \"$OUTPUT\"", needs: [.python]),
        Self(
            page: "lanyard.1", mark: "lanyard help import",
            after: "grep -q '^USAGE: lanyard import' \"$OUTPUT\""),
        Self(page: "lanyard-names.7", mark: "https://ada@example.com", before: gitLogin),
        Self(
            page: "lanyard-names.7", mark: "localhost:5000",
            before: """
                printf '{"ServerURL":"localhost:5000","Username":"ada","Secret":"hunter2"}' |
                    docker-credential-lanyard store
                """,
            after: "[ \"$(cat \"$OUTPUT\")\" = hunter2 ]"),
        Self(
            page: "lanyard-version.1", mark: "lanyard version",
            after: "grep -q '^lanyard [0-9]' \"$OUTPUT\""),
    ]

    static let items = [
        Self(
            page: "lanyard-set.1", mark: "lanyard set backup\n", way: .terminal(typesSecret),
            before: program(
                "restic", "[ \"$1\" = --password-command ] && [ \"$(sh -c \"$2\")\" = hunter2 ]"),
            after: "[ \"$(lanyard get backup)\" = hunter2 ]", needs: [.python]),
        Self(
            page: "lanyard-set.1", mark: "make-token |",
            before: program("make-token", "echo token"),
            after: "[ \"$(lanyard get https://example.com/api ada)\" = token ]"),
        Self(
            page: "lanyard-set.1", mark: "--expires 90d", way: .terminal(typesSecret),
            after: """
                printf 'protocol=https\\nhost=git.example.com\\n\\n' | git-credential-lanyard get |
                    grep -q '^password_expiry_utc='
                """, needs: [.python]),
        Self(
            page: "lanyard-set.1", mark: "--trust", way: .terminal(typesSecret),
            after: """
                printf 'protocol=https\\nhost=git.example.com\\n\\n' | git-credential-lanyard get |
                    grep -qx password=hunter2
                ! lanyard get https://git.example.com
                """, needs: [.python]),
        Self(
            page: "lanyard-get.1", mark: "|| exit",
            before: "printf s | lanyard set backup --stdin"),
        Self(page: "lanyard-get.1", mark: "--group git", before: gitLogin),
        Self(
            page: "lanyard-list.1", mark: "lanyard list --server example.com",
            before: "\(gitLogin)printf s | lanyard set https://example.org --stdin",
            after: """
                [ "$(grep -c example.org "$OUTPUT")" = 1 ]
                [ "$(grep -c example.com "$OUTPUT")" = 2 ]
                """),
        Self(
            page: "lanyard-code.1", mark: "lanyard code",
            way: .terminal([.asked("key for "), .types("GEZDGNBVGY3TQOJQ\n")]),
            needs: [.python]),
        Self(
            page: "lanyard-scan.1", mark: "pre-commit", before: "git init -q notes",
            after: """
                cd notes
                printf 'Tr0ub4dor&3' | lanyard set backup --stdin
                git config user.name Ada
                git config user.email ada@example.com
                printf 'Tr0ub4dor&3' >token
                git add token
                ! git commit -qm token
                git reset -q token
                git commit -qm nothing --allow-empty
                """),
        Self(
            page: "lanyard-find.1", mark: "lanyard find ada", before: gitLogin,
            after: "grep -q example.com \"$OUTPUT\""),
        Self(
            page: "lanyard-remove.1", mark: "--group git", before: gitLogin,
            after: "! lanyard get https://example.com"),
        Self(
            page: "lanyard-remove.1", mark: "--all",
            before: "\(gitLogin)printf s | lanyard set https://bob@example.com --stdin",
            after: "[ -z \"$(lanyard list)\" ]"),
        Self(
            page: "lanyard-rename.1", mark: "stripe/prod",
            before: "printf s | lanyard set stripe live --stdin",
            after: "[ \"$(lanyard get stripe prod)\" = s ]"),
        Self(
            page: "lanyard-rename.1", mark: "--to restic",
            before: "printf s | lanyard set backup --stdin",
            after: "[ \"$(lanyard get restic)\" = s ]"
        ),
        Self(
            page: "lanyard-rename.1", mark: "--to https://code.example.com",
            before: "printf s | lanyard set --stdin --for git https://git.example.com ada",
            after: "[ \"$(lanyard get --group git https://code.example.com ada)\" = s ]"),
        Self(
            page: "lanyard-edit.1", mark: "--comment",
            before: "printf s | lanyard set backup --stdin",
            after: "lanyard list --json | grep -q '\"comment\":\"\"'"),
        Self(
            page: "lanyard-edit.1", mark: "live --default",
            before: """
                printf hunter2 | lanyard set stripe live --stdin
                printf other | lanyard set stripe test --stdin
                """, after: "[ \"$(lanyard get stripe)\" = hunter2 ]"),
        Self(
            page: "lanyard-generate.1", mark: "--symbols",
            after: "[ \"$(wc -c <\"$OUTPUT\")\" = 25 ]"),
        Self(
            page: "lanyard-exec.1", mark: "lanyard exec --netrc",
            before: """
                printf hunter2 | lanyard set https://ada@example.com --stdin
                printf hunter2 | lanyard set database ada --stdin
                printf hunter2 | lanyard set backup --stdin

                """
                    + program(
                        "curl",
                        "[ \"$1\" = --netrc-file ] && grep -qx \"password hunter2\" \"$2\"")
                    + program("psql", "[ \"$PGPASSWORD\" = hunter2 ]")
                    + program("restic", "[ \"$(cat \"$RESTIC_PASSWORD_FILE\")\" = hunter2 ]")),
        Self(
            page: "lanyard-exec.1", mark: "--env-file .env",
            before: "printf hunter2 | lanyard set stripe live --stdin"),
        Self(
            page: "lanyard-run.1", mark: "lanyard set stripe live", way: .terminal(typesSecret),
            before: program("stripe", "[ \"$STRIPE_API_KEY $1\" = \"hunter2 customers\" ]"),
            needs: [.python]),
        Self(
            page: "lanyard-run.1", mark: "--account test",
            before: """
                printf hunter2 | lanyard set stripe test --stdin
                printf other | lanyard set stripe live --stdin

                """ + program("stripe", "[ \"$STRIPE_API_KEY $1\" = \"hunter2 customers\" ]")),
        Self(
            page: "lanyard-run.1", mark: "live --default",
            before: """
                printf other | lanyard set stripe test --stdin
                printf hunter2 | lanyard set stripe live --stdin

                """ + program("stripe", "[ \"$STRIPE_API_KEY $1\" = \"hunter2 customers\" ]")),
        Self(
            page: "lanyard-inject.1", mark: "--output app.conf",
            before: "printf hunter2 | lanyard set database ada --stdin",
            after: "grep -qx 'password = hunter2' app.conf"),
        Self(
            page: "lanyard-inject.1", mark: "| cat",
            before: "printf hunter2 | lanyard set database ada --stdin"),
        Self(
            page: "lanyard-profile.1", mark: "profile show stripe",
            after: "grep -q STRIPE_API_KEY \"$OUTPUT\""),
        Self(
            page: "lanyard-setup.1", mark: "lanyard setup stripe",
            before: "printf hunter2 | lanyard set stripe --stdin\n"
                + program("stripe", "[ \"$STRIPE_API_KEY $1\" = \"hunter2 customers\" ]")),
    ]

    /// A PKCS #12 file without a password, `client.p12`, of a certificate `ada` with its key.
    private static let clientCertificate = """
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 \
            -subj /CN=ada -keyout key.pem -out certificate.pem 2>/dev/null
        openssl pkcs12 -export -inkey key.pem -in certificate.pem -passout pass: -out client.p12

        """

    static let certificates = [
        Self(
            page: "lanyard-exec.1", mark: "--cert-dir",
            before: clientCertificate + "lanyard certificate import client.p12\n"
                + program(
                    "skopeo",
                    "[ \"$2\" = --cert-dir ] && cat \"$3/client.cert\" \"$3/client.key\""),
            after: "[ \"$(grep -c ^-----BEGIN \"$OUTPUT\")\" = 2 ]"),
        Self(
            page: "lanyard-certificate.1", mark: "client.p12",
            before: clientCertificate
                + program(
                    "curl",
                    "[ \"$1\" = --cert ] && [ \"$(grep -c ^-----BEGIN \"$2\")\" = 2 ]"),
            after: "lanyard identity list | grep -q ^ada"),
        Self(
            page: "lanyard-identity.1", mark: "lanyard identity list",
            before: "\(clientCertificate)lanyard certificate import client.p12",
            after: "grep -q ^ada \"$OUTPUT\""),
        Self(
            page: "lanyard-key.1", mark: "lanyard key import",
            before: """
                mkdir -m 700 .ssh
                ssh-keygen -q -t ed25519 -N '' -C ada -f .ssh/id_ed25519
                """,
            after: "[ \"$(lanyard key show ada)\" = \"$(cat .ssh/id_ed25519.pub)\" ]"),
        Self(
            page: "kubectl-credential-lanyard.1", mark: "ada.p12",
            before: clientCertificate + "mv client.p12 ada.p12\n"
                + program(
                    "kubectl", "[ \"$2\" = set-credentials ] && kubectl-credential-lanyard \"$3\""),
            after: "grep -q clientKeyData \"$OUTPUT\""),
        Self(
            page: "nuget-plugin-lanyard.1", mark: "lanyard set", way: .terminal(typesSecret),
            before: program("dotnet", "[ \"$1\" = restore ]"),
            after: "[ \"$(lanyard get --group nuget https://nuget.example.com ada)\" = hunter2 ]",
            needs: [.python]),
        Self(
            page: "gcloud-credential-lanyard.1", mark: "lanyard set",
            after: "grep -q '\"success\":true,.*\"id_token\":\"hunter2\"' \"$OUTPUT\""),
    ]

    static let setup = [
        Self(
            page: "lanyard-setup.1", mark: "--dry-run",
            way: .terminal([.sees("make these changes? [Y/n] "), .types("y\n")]),
            after: "grep -q 'git works' \"$OUTPUT\"", needs: [.python, .git]),
        Self(
            page: "lanyard-setup.1", mark: "--undo", before: "lanyard setup --yes",
            after: "! git config --global credential.helper", needs: [.git]),
        Self(
            page: "lanyard-doctor.1", mark: "cd notes",
            before: "git init -q notes; lanyard setup --yes", needs: [.git]),
        Self(
            page: "lanyard-doctor.1", mark: "--report", before: "lanyard setup --yes",
            after: "[ -s report.txt ]", needs: [.git]),
        Self(
            page: "lanyard-import.1", mark: "lanyard import git-credentials --dry-run",
            before: """
                echo 'https://ada:hunter2@example.com' >"$HOME/.git-credentials"
                mkdir -p "$HOME/.docker"
                echo '{"auths":{"registry.example.com":{"auth":"dTpz"}}}' >"$HOME/.docker/config.json"
                """,
            after: """
                [ ! -e "$HOME/.git-credentials" ]
                ! grep -q dTpz "$HOME/.docker/config.json"
                [ "$(lanyard get https://example.com ada)" = hunter2 ]
                """),
        Self(
            page: "lanyard-import.1", mark: "passwords.kdbx",
            way: .elsewhere("EndToEnd/Tools/Import/ImportVaultsTests.swift", "keepassxc-cli export")
        ),
        Self(
            page: "lanyard-get.1", mark: "model_providers",
            way: .elsewhere(
                "EndToEnd/Tools/Helpers/CodexTests.swift",
                #"args = ["get", "--timeout", "2s", "codex"]"#)),
        Self(
            page: "lanyard-import.1", mark: "passwords.csv",
            before: """
                printf '%s\\n' name,url,username,password \\
                    example.com,https://example.com/,ada,hunter2 >passwords.csv
                """,
            after: """
                ! grep hunter2 passwords.csv
                [ "$(lanyard get https://example.com ada)" = hunter2 ]
                """),
        Self(
            page: "lanyard-export.1", mark: "lanyard export logins.export",
            way: .terminal([
                .asked("passphrase for the export: "), .types("a passphrase\n"),
                .asked("passphrase again: "), .types("a passphrase\n"),
                .asked("passphrase of the export: "), .types("a passphrase\n"),
            ]),
            before: "printf hunter2 | lanyard set x --stdin\n"
                + program("scp", "[ \"$*\" = \"logins.export elsewhere:\" ]")
                + program(
                    "ssh",
                    "[ \"$1 $2\" = \"-t elsewhere\" ] && shift 2 && LANYARD_HOME=$HOME/$1 \"$@\""),
            after: "[ \"$(LANYARD_HOME=$HOME/lanyard lanyard get x)\" = hunter2 ]",
            needs: [.python]),
    ]
}
