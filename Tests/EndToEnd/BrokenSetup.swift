import Testing

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
                "printf '[credential]\\nhelper = cache\\nhelper = lanyard\\n' >\"$1/gitconfig\""),
        BrokenSetup(
            name: "git writes plain text too", code: "git-plain-text-helper",
            breaking: "git config --global --add credential.helper store"),
        BrokenSetup(
            name: "the repository has git write plain text too", code: "git-plain-text-helper",
            breaking: "git config credential.helper 'store --file=\"'\"$1\"'/logins\"'"),
        BrokenSetup(
            name: "each repository needs a login of its own", code: "git-use-http-path",
            breaking: "git config --global credential.useHttpPath true"),
        BrokenSetup(
            name: "git does not read its user's file", code: "git-global-hidden",
            variables: ["GIT_CONFIG_GLOBAL": "/dev/null"]),
        BrokenSetup(
            name: "git can't read its configuration", code: "git-configuration-unreadable",
            breaking: "echo '[broken' >>\"$1/gitconfig\"",
            mending: "printf '[credential]\\nhelper = lanyard\\n' >\"$SCRATCH/gitconfig\""),
        BrokenSetup(
            name: "a helper answers for every host", code: "git-helper-answers-anything",
            breaking:
                "git config credential.helper '!f() { echo username=x; echo password=y; }; f'",
            mending: "git config --unset-all credential.helper"),
        BrokenSetup(
            name: "lanyard's helper fails", code: "git-helper-fails",
            breaking: """
                mkdir "$1/first"
                printf '#!/bin/sh\\necho "lanyard: error: out of order" >&2\\nexit 1\\n' \
                    >"$1/first/git-credential-lanyard"
                chmod 755 "$1/first/git-credential-lanyard"
                """,
            variables: ["PATH": "SCRATCH/first:PATH"], mending: "rm -r \"$SCRATCH/first\""),
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
                """),
        BrokenSetup(
            name: "a remote's URL holds a password", code: "plain-text-url",
            breaking: "git remote add origin https://ada:hunter2@a.example/r.git"),
        BrokenSetup(
            name: "git sends a header with a login", code: "plain-text-header",
            breaking:
                "git config http.https://a.example/.extraHeader 'Authorization: basic aHVudGVyMg=='"
        ),
    ]

    static let ofContainers: [BrokenSetup] = [
        BrokenSetup(
            name: "docker knows no helper", code: "docker-not-set-up",
            breaking: "echo '{}' >\"$HOME/.docker/config.json\""),
        BrokenSetup(
            name: "docker uses another helper", code: "docker-other-helper",
            breaking: "echo '{\"credsStore\":\"desktop\"}' >\"$HOME/.docker/config.json\""),
        BrokenSetup(
            name: "docker can't read its configuration", code: "docker-configuration-unreadable",
            breaking: "echo '{' >\"$HOME/.docker/config.json\"",
            mending: "echo '{\"credsStore\":\"lanyard\"}' >\"$HOME/.docker/config.json\""),
        BrokenSetup(
            name: "the environment holds docker's logins", code: "docker-auth-variable",
            variables: ["DOCKER_AUTH_CONFIG": "{\"auths\":{}}"]),
        BrokenSetup(
            name: "one registry's login is elsewhere", code: "docker-registry-helper",
            breaking: """
                echo '{"credsStore":"lanyard","credHelpers":{"a.example":"gcloud"}}' \
                    >"$HOME/.docker/config.json"
                """,
            mending: "echo '{\"credsStore\":\"lanyard\"}' >\"$HOME/.docker/config.json\""),
        BrokenSetup(
            name: "podman, skopeo and buildah know no helper", code: "containers-not-set-up",
            breaking: ": >\"$HOME/.config/containers/registries.conf\""),
        BrokenSetup(
            name: "podman, skopeo and buildah use another helper", code: "containers-other-helper",
            breaking: """
                echo 'credential-helpers = ["pass"]' >"$HOME/.config/containers/registries.conf"
                """),
    ]

    static let ofPlainText: [BrokenSetup] = [
        BrokenSetup(
            name: "git has left plain text", code: "plain-text-git",
            breaking: "echo https://ada:hunter2@c.example >\"$HOME/.git-credentials\"",
            mending: "rm \"$HOME/.git-credentials\""),
        BrokenSetup(
            name: "docker has left plain text", code: "plain-text-docker",
            breaking: """
                echo '{"credsStore":"lanyard","auths":{"c.example":{"auth":"YTpi"}}}' \
                    >"$HOME/.docker/config.json"
                """,
            mending: "echo '{\"credsStore\":\"lanyard\"}' >\"$HOME/.docker/config.json\""),
        BrokenSetup(
            name: "curl has a login in plain text", code: "plain-text-netrc",
            breaking: "echo 'machine c.example login password password hunter2' >\"$HOME/.netrc\"",
            mending: "rm \"$HOME/.netrc\""),
    ]
}
