import LanyardTransfer
import KeychainServices
import Testing
import ToolCatalog

/// Whether what no rule of a format reads may be a secret.
@Suite struct SuspectedSecretsTests {
    /// What programs write next to their secrets is none.
    @Test(arguments: [
        (
            "civo",
            #"{"apikeys": {"me": "ssass"}, "meta": {"current_apikey": "me1234567890", "url": "https://x"}}"#
        ),
        (
            "civo",
            #"{"apikeys": {"me": "ssass"}, "meta": {"latest_release_check": "2026-01-02T03:04:05.678+01:00"}}"#
        ),
        (
            "glab",
            "hosts:\n    a.example:\n        token: ssass\n"
                + "last_update_check_timestamp: 2026-01-02T03:04:05Z\n"
        ),
        (
            "glab",
            "hosts:\n    a.example:\n        token: ssass\n"
                + "telemetry:\n    uniqueid: 5f7b1c1a-1b2c-4d3e-8f90-0242ac120002\n"
                + "last_check:\n    etag: '\"5f7b1c1a1b2c4d3e8f900242ac120002\"'\n"
        ),
        (
            "docker",
            """
            {"auths": {"quay.io/org": {"auth": "YTpwdw=="}, "ghcr.io": {}},
             "HttpHeaders": {"User-Agent": "Docker-Client/19.03.12 (linux)"}, "credsStore": "desktop",
             "credHelpers": {"gcr.io": "gcloud"}, "detachKeys": "ctrl-e,e", "currentContext": "default",
             "psFormat": "table {{.ID}}\\t{{.Names}}", "proxies": {"default": {"httpProxy": "http://p.example:3128"}}}
            """
        ),
        (
            "nordpass",
            "name,url,username,password,note,folder,custom_fields\n"
                + "a,https://a.example,ada,ssass,,,[]\n"
        ),
        (
            "npm",
            "registry=https://registry.npmjs.org/\n//a.example/:_authToken=ssass\nemail=ada@example.com\n"
                + "//a.example/:username=ada\n//a.example/:always-auth=true\nalways-auth=true\n"
                + "init-author-name=Ada Lovelace\ncafile=/etc/ca.pem\nprefix=~/.npm2global\n"
                + "node-options=--max-old-space-size=4096\nsave-exact=true\nengine-strict=true\n"
                + "proxy=http://proxy.example:3128\nhttps-proxy=http://${USER}:${PW}@proxy.example\n"
        ),
        (
            "gradle",
            "! repoToken=a1b2c3d4\nrepoPassword=ssass\norg.gradle.jvmargs=-Xmx2g -XX:MaxMetaspaceSize=512m\n"
                + "android.useAndroidX=true\nkotlin.code.style=official\nVERSION_NAME=1.0.0-SNAPSHOT\n"
                + "GROUP=com.example\nlive_mode_pub_key=pk_1a2b3c4d\nsigning.keyId=24875D73\n"
                + "signing.secretKeyRingFile=/home/ada/.gnupg/secring.gpg\n"
                + "systemProp.http.proxyHost=proxy1.example.com\nsystemProp.http.proxyPort=3128\n"
        ),
        (
            "cargo",
            "[registry]\ntoken = \"ssass\"\n[registries.b]\nindex = \"sparse+https://b.example/1a2b3c/\"\n"
                + "credential-provider = \"cargo:token\"\n"
        ),
        (
            "gh",
            "github.com:\n    git_protocol: https\n    users:\n        ada1234567:\n"
                + "            oauth_token: ssass\n    user: ada1234567\n"
        ),
        (
            "aws",
            "[a]\naws_access_key_id = AKIA1234567890\naws_secret_access_key = ssass\nregion = us-east-1\n"
                + "output = json\nimage = linode/debian12\nrole_arn = arn:aws:iam::123456789012:role/x1y2z3\ns3 =\n"
                + "  max_concurrent_requests = 20\ncli_timestamp_format = iso8601\n"
        ),
        (
            "nuget",
            """
            <configuration><packageSources><add key="a" value="https://a.example/v3/index.json"
            protocolVersion="3"/></packageSources><packageSourceCredentials><a>
            <add key="Username" value="ada"/><add key="ClearTextPassword" value="ssass"/>
            </a></packageSourceCredentials><config><add key="globalPackagesFolder" value="~/packages1"/>
            </config></configuration>
            """
        ),
    ])
    func whatIsNoSecretIsNotNamed(name: String, text: String) throws {
        let entries = try read(try toolFormat(name), text)
        #expect(entries.map(\.place) == entries.filter { $0.login != nil }.map(\.place))
        #expect(!entries.isEmpty)
    }

    /// The files of all profiles, each with a secret in every place that the profile names, and invented ones next to
    /// them and at the top.
    @Test(arguments: ToolProfile.all.filter { !$0.plainText.isEmpty })
    func filesOfProfiles(_ profile: ToolProfile) throws {
        for file in profile.plainText where !file.isWhole {
            guard let text = ProfileFileText(file)?.text else {
                continue
            }
            let entries = try read(ProfileFile(profile, file), text)
            var imported = ""
            for login in entries.compactMap(\.login) {
                imported += "\(login.text) \(login.attributes.account, default: "") "
                imported += "\(login.attributes.service, default: "") "
            }
            #expect(unreported(in: text, entries, imported) == [], "\(file.path)")
            let reasons = "\(entries.map(\.reason))"
            #expect(!reasons.contains(/ss[a-z]+ss/))
        }
    }

    /// Tools' files with a setting NAME that no rule knows, as each format writes it.
    @Test(arguments: [
        ("npm", "//a.example/:_authToken=ssoness\nNAME=ssass\n"),
        ("pypirc", "[pypi]\nusername = a\npassword = ssoness\nNAME = ssass\n[x]\nNAME: ssbss\n"),
        ("aws", "[a]\naws_access_key_id = a\naws_secret_access_key = ssoness\nNAME = ssass\n"),
        ("gradle", "repoPassword=ssoness\nNAME=ssass\nNAME ssbss\n"),
        ("cargo", "[registry]\ntoken = \"ssoness\"\nNAME = \"ssass\"\n[x]\nNAME = \"ssbss\"\n"),
        (
            "uv",
            "[[credential]]\nservice = \"https://a.example\"\nusername = \"a\"\npassword = \"ssoness\"\n"
                + "NAME = \"ssass\"\n[x]\nNAME = \"ssbss\"\n"
        ),
        (
            "terraform",
            "credentials \"a.example\" {\n  token = \"ssoness\"\n  NAME = \"ssass\"\n}\nNAME = \"ssbss\"\n"
        ),
        (
            "terraform",
            #"{"credentials":{"a.example":{"token":"ssoness","NAME":"ssass"}},"NAME":"ssbss"}"#
        ),
        ("docker", #"{"auths":{"a.example":{"auth":"YTpvbmU=","NAME":"ssass"}},"NAME":"ssbss"}"#),
        (
            "nuget",
            "<configuration><packageSources><add key='a' value='https://a.example/'/></packageSources>\n"
                + "<packageSourceCredentials><a><add key='Username' value='x'/>"
                + "<add key='ClearTextPassword' value='ssoness'/><add key='NAME' value='ssass'/></a>\n"
                + "</packageSourceCredentials><config><add key='NAME' value='ssbss'/></config></configuration>\n"
        ),
        ("netrc", "machine a.example login a password ssoness NAME ssass\n"),
    ])
    func unknownNames(tool: String, text: String) throws {
        for name in ["myToken", "my_secret", "password2", "apiKey", "credential", "db-credentials"]
        {
            let text = text.replacing("NAME", with: name)
            do {
                let entries = try read(try toolFormat(tool), text)
                let imported = entries.compactMap(\.login?.text).joined(separator: " ")
                // Of JSON it is the member that is named.
                let isNamed = entries.contains { $0.loss != nil } && text.hasPrefix("{")
                #expect(isNamed || unreported(in: text, entries, imported) == [], "\(text)")
            } catch {
                // A file of another form is refused.
                #expect(tool == "netrc")
            }
        }
    }
}
