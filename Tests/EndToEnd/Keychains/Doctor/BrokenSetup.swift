import Testing
@testable import EndToEndRig

/// A set-up that was whole and is broken in one way, with the code by which `lanyard doctor` has to name
/// the cause.
struct BrokenSetup: Sendable, CustomTestStringConvertible {
    let name: String
    let code: String
    /// What breaks it, `$1` being the scratch folder, `$H` LANYARD_HOME.
    var breaking = ":"
    /// What breaks it in the environment, with SCRATCH for the scratch folder.
    var variables: [String: String?] = [:]
    /// What mends it where doctor can't give a command that works here; nil for that command.
    var mending: String?
    /// Whether it takes the kernel's keyring.
    var needsKeyring = false

    var testDescription: String { name }

    static let ofGit: [BrokenSetup] = [
        BrokenSetup(
            name: "git knows no helper", code: "git-not-set-up", breaking: ": >\"$1/gitconfig\""),
        BrokenSetup(
            name: "the repository makes git forget all helpers", code: "git-helper-reset",
            breaking: "git config credential.helper ''"),
        BrokenSetup(
            name: "the environment makes git forget all helpers", code: "git-helper-reset",
            variables: [
                "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "credential.helper",
                "GIT_CONFIG_VALUE_0": "",
            ]),
        BrokenSetup(
            name: "the user's own file makes git forget it", code: "git-helper-reset",
            breaking: "printf '[credential]\\n\\thelper =\\n' >>\"$1/gitconfig\""),
        BrokenSetup(
            name: "another helper is asked first", code: "git-other-helper-first",
            breaking:
                "printf '[credential]\\nhelper = cache\\nhelper = lanyard\\n' >\"$1/gitconfig\"",
            mending: "lanyard setup git"),
        BrokenSetup(
            name: "git stores its logins in plain text", code: "git-not-set-up",
            breaking: """
                printf '[credential]\nhelper = store\n' >"$1/gitconfig"
                printf '# mine\nhttps://ada:hunter2@c.example\n' >"$HOME/.git-credentials"
                """),
        BrokenSetup(
            name: "git writes plain text too", code: "git-plain-text-helper",
            breaking: """
                git config --global --add credential.helper store
                echo https://ada:hunter2@c.example >"$HOME/.git-credentials"
                """),
        BrokenSetup(
            name: "the repository has git write plain text too", code: "git-plain-text-helper",
            breaking: """
                git config credential.helper 'store --file="'"$1"'/logins"'
                echo https://ada:hunter2@c.example >"$1/logins"
                """),
        BrokenSetup(
            name: "a helper is misspelt", code: "git-helper-missing",
            breaking: "git config --global --add credential.helper lanyrad"),
        BrokenSetup(
            name: "a helper is not installed", code: "git-helper-missing",
            breaking: "git config --global --add credential.helper 'nowhere --x'",
            mending: "git config --global --unset-all credential.helper nowhere"),
        BrokenSetup(
            name: "jobs of cron don't find the helper", code: "helper-not-in-jobs",
            breaking: "git config --global credential.helper lanyard"),
        BrokenSetup(
            name: "the helper is no longer where git looks", code: "helper-not-found",
            breaking: "git config --global credential.helper /nowhere/git-credential-lanyard"),
        BrokenSetup(
            name: "each repository needs a login of its own", code: "git-use-http-path",
            breaking: "git config --global credential.useHttpPath true",
            mending: "git config --global --unset-all credential.useHttpPath"),
        BrokenSetup(
            name: "a host has two accounts", code: "git-several-accounts",
            breaking: """
                printf 'protocol=https\nhost=a.example\nusername=bob\npassword=pw\n' |
                    git-credential-lanyard store
                git remote add origin https://a.example/notes.git
                """,
            mending: "git remote set-url origin https://ada@a.example/notes.git"),
        BrokenSetup(
            name: "a remote names an account that has no login", code: "git-unknown-account",
            breaking: "git remote add origin https://eve@a.example/notes.git",
            mending: "git remote set-url origin https://ada@a.example/notes.git"),
        BrokenSetup(
            name: "git does not read its user's file", code: "git-global-hidden",
            variables: ["GIT_CONFIG_GLOBAL": "/dev/null"]),
        BrokenSetup(
            name: "git can't read its configuration", code: "git-configuration-unreadable",
            breaking: "echo '[broken' >>\"$1/gitconfig\"",
            mending: "printf '[credential]\\nhelper = lanyard\\n' >\"$SCRATCH/gitconfig\""),
        BrokenSetup(
            name: "a helper answers for every host", code: "git-helper-answers-anything",
            breaking: """
                git config --global --add credential.helper \
                    '!f() { echo username=x; echo password=y; }; f'
                """,
            mending: "git config --global --unset-all credential.helper echo"),
        BrokenSetup(
            name: "lanyard's helper fails", code: "git-helper-fails",
            breaking: """
                git config --global credential.helper lanyard
                mkdir "$1/first"
                printf '#!/bin/sh\\necho "lanyard: error: out of order" >&2\\nexit 1\\n' \
                    >"$1/first/git-credential-lanyard"
                chmod 755 "$1/first/git-credential-lanyard"
                """,
            variables: ["PATH": "SCRATCH/first:PATH"], mending: "rm -r \"$SCRATCH/first\""),
        BrokenSetup(
            name: "git asks no helper for a remote", code: "git-helper-for-remote",
            breaking: """
                git config --global 'credential.https://*.example.helper' ''
                git remote add origin https://ada@b.example/notes.git
                """),
        BrokenSetup(
            name: "a helper for some URLs", code: "git-helper-for-url",
            breaking: "git config --global credential.https://a.example.helper other",
            mending: "git config --global --unset credential.https://a.example.helper"),
        BrokenSetup(
            name: "a login has expired", code: "git-login-expired",
            breaking: """
                wait=3
                request="$(printf 'protocol=https\\nhost=b.example\\nusername=%s' "it's me")"
                until lanyard list --group git | grep -q b.example; do
                    wait=$((wait * 2))
                    printf '%s\\npassword=pw\\npassword_expiry_utc=%s\\n' \
                        "$request" "$(($(date +%s) + wait))" | git-credential-lanyard store
                done
                sleep $((wait + 1))
                """,
            mending: "lanyard remove --group git https://b.example \"it's me\""),
        BrokenSetup(
            name: "a certificate has expired", code: "certificate-expired",
            breaking: """
                openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
                    -subj /CN=ada -keyout "$1/key.pem" -out "$1/ada.csr" 2>/dev/null
                openssl x509 -req -in "$1/ada.csr" -signkey "$1/key.pem" -days -1 \
                    -out "$1/ada.pem" 2>/dev/null
                lanyard certificate import "$1/key.pem" "$1/ada.pem"
                """,
            mending: "lanyard certificate remove --key ada"),
        BrokenSetup(
            name: "a certificate expires soon", code: "certificate-expires",
            breaking: """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 20 \
                    -subj /CN=ada -keyout "$1/key.pem" -out "$1/ada.pem" 2>/dev/null
                lanyard certificate import "$1/key.pem" "$1/ada.pem"
                """,
            mending: """
                openssl req -x509 -key "$SCRATCH/key.pem" -days 400 -subj /CN=ada \
                    -out "$SCRATCH/renewed.pem" 2>/dev/null
                lanyard certificate import "$SCRATCH/renewed.pem"
                """),
        BrokenSetup(
            name: "a login was set by hand for no tool", code: "login-in-other-group",
            breaking: "printf pw | lanyard set https://github.com \"it's me\" --stdin"),
        BrokenSetup(
            name: "a group is misspelt", code: "login-in-other-group",
            breaking: "printf pw | lanyard set https://d.example/a/b ada --group gti --yes --stdin"),
        BrokenSetup(
            name: "a remote's login is in another group", code: "login-in-other-group",
            breaking: """
                git remote add upstream https://code.example/r.git
                printf pw | lanyard set https://code.example ada --stdin
                """),
        BrokenSetup(
            name: "a setup was killed", code: "trial-login-left",
            breaking: """
                item() {
                    printf '{"class":"internet-password","secret":"pw","attributes":{"accessGroup":"%s",' "$1"
                    printf '"account":"lanyard-test","server":"lanyard-test-0123456789abcdef.invalid",'
                    printf '"protocol":"htps","creationDate":%s}}' $(($(date +%s) - 7200))
                }
                printf '{"format":"lanyard-export","version":1,"items":[%s,%s]}' \
                    "$(item git)" "$(item docker)" >"$1/left"
                lanyard import lanyard "$1/left"
                """),
        BrokenSetup(
            name: "the program that asks is gone", code: "askpass-missing",
            variables: ["GIT_ASKPASS": "SCRATCH/gone"]),
        BrokenSetup(
            name: "a script answers with a password that it holds", code: "askpass-script",
            breaking: """
                printf '#!/bin/sh\\necho hunter2\\n' >"$1/answer"
                chmod 700 "$1/answer"
                git config --global core.askPass "$1/answer"
                """,
            mending: "git config --global --unset-all core.askPass"),
        BrokenSetup(
            name: "a remote's URL holds a password", code: "plain-text-url",
            breaking: "git remote add origin https://ada:hunter2@c.example/r.git"),
        BrokenSetup(
            name: "a remote's URL holds another password", code: "plain-text-url",
            breaking: "git remote add origin https://ada:hunter2@a.example/r.git",
            mending: "git remote set-url origin https://ada@a.example/r.git"),
        BrokenSetup(
            name: "git sends a header with a login", code: "plain-text-header",
            breaking:
                "git config http.https://a.example/.extraHeader 'Authorization: basic aHVudGVyMg=='",
            mending: "git config --unset-all http.https://a.example/.extraHeader"),
    ]

    static let ofContainers: [BrokenSetup] = [
        BrokenSetup(
            name: "docker knows no helper", code: "docker-not-set-up",
            breaking: "echo '{}' >\"$HOME/.docker/config.json\""),
        BrokenSetup(
            name: "docker stores its logins in plain text", code: "docker-not-set-up",
            breaking: """
                echo '{"auths":{"c.example":{"auth":"YWRhOmh1bnRlcjI="}}}' \
                    >"$HOME/.docker/config.json"
                """),
        BrokenSetup(
            name: "docker uses another helper", code: "docker-other-helper",
            breaking: """
                \(dockerHelper("desktop"))
                echo '{"credsStore":"desktop"}' >"$HOME/.docker/config.json"
                """,
            variables: ["PATH": "SCRATCH/first:PATH"]),
        BrokenSetup(
            name: "docker uses a helper that is not there", code: "docker-helper-missing",
            breaking: "echo '{\"credsStore\":\"nowhere\"}' >\"$HOME/.docker/config.json\""),
        BrokenSetup(
            name: "a registry's login is in another group", code: "login-in-other-group",
            breaking: """
                echo '{"credsStore":"lanyard","auths":{"images.example":{}}}' >"$HOME/.docker/config.json"
                printf pw | lanyard set https://images.example ada --stdin
                """),
        BrokenSetup(
            name: "docker can't read its configuration", code: "docker-configuration-unreadable",
            breaking: "echo '{' >\"$HOME/.docker/config.json\"",
            mending: "echo '{\"credsStore\":\"lanyard\"}' >\"$HOME/.docker/config.json\""),
        BrokenSetup(
            name: "the environment holds docker's logins", code: "docker-auth-variable",
            variables: ["DOCKER_AUTH_CONFIG": "{\"auths\":{}}"],
            mending: "unset DOCKER_AUTH_CONFIG"),
        BrokenSetup(
            name: "one registry's login is elsewhere", code: "docker-registry-helper",
            breaking: """
                \(dockerHelper("desktop"))
                echo '{"credsStore":"lanyard","credHelpers":{"c.example":"desktop"}}' \
                    >"$HOME/.docker/config.json"
                """,
            variables: ["PATH": "SCRATCH/first:PATH"],
            mending: "echo '{\"credsStore\":\"lanyard\"}' >\"$HOME/.docker/config.json\""),
        BrokenSetup(
            name: "one registry's login is where nothing can work", code: "docker-helper-missing",
            breaking: """
                mkdir "$1/first"
                printf '#!/nowhere/sh\\n' >"$1/first/docker-credential-broken"
                chmod 755 "$1/first/docker-credential-broken"
                echo '{"credsStore":"lanyard","credHelpers":{"a.example":"broken"}}' \
                    >"$HOME/.docker/config.json"
                """,
            variables: ["PATH": "SCRATCH/first:PATH"],
            mending: "echo '{\"credsStore\":\"lanyard\"}' >\"$HOME/.docker/config.json\""),
        BrokenSetup(
            name: "one registry's helper fails", code: "docker-helper-fails",
            breaking: """
                mkdir "$1/first"
                printf '#!/bin/sh\\necho no session bus\\nexit 1\\n' \
                    >"$1/first/docker-credential-broken"
                chmod 755 "$1/first/docker-credential-broken"
                echo '{"credsStore":"lanyard","credHelpers":{"c.example":"broken"}}' \
                    >"$HOME/.docker/config.json"
                """,
            variables: ["PATH": "SCRATCH/first:PATH"],
            mending: "echo '{\"credsStore\":\"lanyard\"}' >\"$HOME/.docker/config.json\""),
        BrokenSetup(
            name: "docker's helper fails", code: "docker-helper-fails",
            breaking: """
                mkdir "$1/first"
                printf '#!/bin/sh\\necho no session bus\\nexit 1\\n' \
                    >"$1/first/docker-credential-broken"
                chmod 755 "$1/first/docker-credential-broken"
                echo '{"credsStore":"broken"}' >"$HOME/.docker/config.json"
                """,
            variables: ["PATH": "SCRATCH/first:PATH"], mending: "lanyard setup docker"),
        BrokenSetup(
            name: "podman, skopeo and buildah know no helper", code: "containers-not-set-up",
            breaking: ": >\"$HOME/.config/containers/registries.conf\""),
        BrokenSetup(
            name: "podman, skopeo and buildah keep plain text", code: "containers-not-set-up",
            breaking: """
                : >"$HOME/.config/containers/registries.conf"
                echo '{"auths":{"c.example":{"auth":"YWRhOmh1bnRlcjI="}}}' \
                    >"$HOME/run/containers/auth.json"
                """),
        BrokenSetup(
            name: "podman, skopeo and buildah use another helper", code: "containers-other-helper",
            breaking: """
                \(dockerHelper("desktop"))
                echo 'credential-helpers = ["desktop"]' >"$HOME/.config/containers/registries.conf"
                """,
            variables: ["PATH": "SCRATCH/first:PATH"]),
        BrokenSetup(
            name: "a login is for a part of a registry", code: "containers-path-unused",
            breaking: """
                echo s1 | lanyard set --stdin --for docker quay.example ada
                echo s2 | lanyard set --stdin --for docker quay.example/org bob
                """,
            mending: "lanyard remove --yes --group docker quay.example/org"),
    ]

    /// Makes a helper of docker's that has one login.
    private static func dockerHelper(_ name: String) -> String {
        """
        mkdir "$1/first"
        cat >"$1/first/docker-credential-\(name)" <<'END'
        #!/bin/sh
        [ "$1" != list ] || echo '{"c.example":"ada"}'
        [ "$1" != get ] || [ "$(cat)" != c.example ] ||
            echo '{"ServerURL":"c.example","Username":"ada","Secret":"hunter2"}'
        END
        chmod 755 "$1/first/docker-credential-\(name)"
        """
    }

    static let ofPlainText: [BrokenSetup] = [
        BrokenSetup(
            name: "git has left plain text", code: "plain-text-git",
            breaking: """
                printf '# mine\nhttps://ada:hunter2@c.example\n' >"$HOME/.git-credentials"
                """),
        BrokenSetup(
            name: "git knows only plain text", code: "plain-text-git",
            breaking: """
                git config --global --replace-all credential.helper store
                echo https://ada:hunter2@c.example >"$HOME/.git-credentials"
                """),
        BrokenSetup(
            name: "docker knows only plain text", code: "plain-text-docker",
            breaking: """
                echo '{"auths":{"c.example":{"auth":"YWRhOmh1bnRlcjI="}}}' \
                    >"$HOME/.docker/config.json"
                """),
        BrokenSetup(
            name: "podman knows only plain text", code: "plain-text-docker",
            breaking: """
                : >"$HOME/.config/containers/registries.conf"
                echo '{"auths":{"c.example":{"auth":"YWRhOmh1bnRlcjI="}}}' \
                    >"$HOME/run/containers/auth.json"
                """),
        BrokenSetup(
            name: "git still uses plain text", code: "git-plain-text-helper",
            breaking: """
                git config --global credential.helper store
                echo https://ada:hunter2@c.example >"$HOME/.git-credentials"
                """),
        BrokenSetup(
            name: "docker has left plain text", code: "plain-text-docker",
            breaking: """
                echo '{"credsStore":"lanyard","auths":{"c.example":{"auth":"YTpi"}}}' \
                    >"$HOME/.docker/config.json"
                """),
        BrokenSetup(
            name: "curl has a login in plain text", code: "plain-text-netrc",
            breaking: "echo 'machine c.example login password password hunter2' >\"$HOME/.netrc\"",
            mending: "rm \"$HOME/.netrc\""),
        BrokenSetup(
            name: "vault has left plain text", code: "plain-text-tool",
            breaking: "echo hvs.token >\"$HOME/.vault-token\"",
            variables: ["VAULT_ADDR": "https://vault.example"]),
        BrokenSetup(
            name: "aws has left plain text", code: "plain-text-tool",
            breaking: """
                mkdir -p "$HOME/.aws"
                printf '[work]\naws_access_key_id = AKIA\naws_secret_access_key = hunter2\n' \
                    >"$HOME/.aws/credentials"
                """),
        BrokenSetup(
            name: "twine has left plain text", code: "plain-text-tool",
            breaking: "printf '[pypi]\npassword = pypi-hunter2\n' >\"$HOME/.pypirc\""),
        BrokenSetup(
            name: "uv has left plain text", code: "plain-text-tool",
            breaking: """
                folder="$HOME/.local/share/uv/credentials"
                mkdir -p "$folder"
                printf '[[credential]]\nservice = "https://a.example/"\n%s\n%s\n' \
                    'username = "ada"' 'password = "hunter2"' >"$folder/credentials.toml"
                """),
        BrokenSetup(
            name: "gh has left plain text", code: "plain-text-tool",
            breaking: """
                mkdir -p "$HOME/.config/gh" "$1/first"
                printf 'github.com:\n    oauth_token: gho_hunter2\n' \
                    >"$HOME/.config/gh/hosts.yml"
                printf '#!/bin/sh\n' >"$1/first/gh" && chmod 755 "$1/first/gh"
                """,
            variables: ["PATH": "SCRATCH/home/.local/bin:SCRATCH/first:PATH"]),
        BrokenSetup(
            name: "a removed program has left plain text", code: "plain-text-tool",
            breaking: """
                mkdir -p "$HOME/.config/hcloud"
                printf 'active_context = "a"\n[[contexts]]\nname = "a"\ntoken = "hunter2"\n' \
                    >"$HOME/.config/hcloud/cli.toml"
                """),
        BrokenSetup(
            name: "vault's setup was overwritten", code: "tool-setup-changed",
            breaking: "lanyard setup vault && : >\"$HOME/.vault\""),
    ]
}
