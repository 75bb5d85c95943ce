import Foundation
import Testing

/// Identities where they are used: curl, git and kubectl before a server that wants to know its clients.
@Suite(.needs(.openssl, .python), .timeLimit(.minutes(10)))
struct ClientCertificateTests {
    let home: ScratchHome
    let certificates: ClientCertificates

    init() async throws {
        home = try ScratchHome()
        certificates = try await ClientCertificates(in: home)
        try await home.shell(
            "lanyard certificate import --passphrase-file \"$1/password\" \"$1/ada.p12\" >/dev/null",
            certificates.folder)
    }

    @Test(.needs(.curl)) func curl() async throws {
        try await MutualTLSServer.serve(home, certificates) { [home, certificates] server in
            try await home.shell(
                """
                [ "$(curl -s -o /dev/null -w '%{http_code}' --cacert "$1/ca.pem" "$2/")" = 401 ]
                lanyard exec --identity ID=ada -- \\
                    curl -fsS --cacert "$1/ca.pem" --cert '{ID}' "$2/" >/dev/null
                lanyard exec --certificate C=ada --private-key K=ada -- \\
                    curl -fsS --cacert "$1/ca.pem" --cert '{C}' --key '{K}' "$2/" >/dev/null
                """, certificates.folder, server.address)
            #expect(try server.log().matches(of: #/\n/ ada None/#).count == 2)
        }
    }

    @Test(.needs(.git)) func git() async throws {
        try await home.shell(
            """
            mkdir "$1/files"
            git init -q "$1/work"
            cd "$1/work"
            git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first
            git clone -q --bare . "$1/files/r.git"
            git -C "$1/files/r.git" update-server-info
            """, certificates.folder)
        _ = try await MutualTLSServer.serve(home, certificates) { [home, certificates] server in
            try await home.shell(
                """
                export GIT_SSL_CAINFO="$1/ca.pem"
                ! git clone -q "$2/files/r.git" "$1/refused" 2>/dev/null
                lanyard exec --certificate C=ada --private-key K=ada -- sh -c \\
                    'git -c http.sslCert="$C" -c http.sslKey="$K" clone -q "$1" "$2"' sh \\
                    "$2/files/r.git" "$1/cloned"
                [ "$(git -C "$1/cloned" log -1 --format=%s)" = first ]
                """, certificates.folder, server.address)
        }
    }

    /// What the page of `lanyard exec` says of these clients. docker's engine reads certificates as root, in /etc.
    @Test(.needs(.skopeo, .registry), arguments: ["skopeo", "podman", "buildah"])
    func registry(client: String) async throws {
        guard try await Need.succeeds(client, "--version") else {
            return print("skipped: there is no \(client)")
        }
        let asking =
            client == "skopeo"
            ? #"skopeo list-tags --cert-dir "$DIR" docker://localhost:$PORT/none 2>&1 | grep 404"#
            : #"echo pw | \#(client) login --cert-dir "$DIR" -u a --password-stdin localhost:$PORT"#
        let outcome = try await home.command(
            "bash",
            [
                "-euc",
                """
                cd "$1"
                export PORT=$((20000 + RANDOM % 20000)) DIR="$XDG_RUNTIME_DIR/certificates"
                cat >registry.yml <<END
                version: 0.1
                storage: {filesystem: {rootdirectory: $1/store}}
                http:
                  addr: 127.0.0.1:$PORT
                  tls: {certificate: $1/server.pem, key: $1/server.key, clientcas: [$1/ca.pem]}
                END
                docker-registry serve registry.yml >registry.log 2>&1 &
                trap 'kill $!' EXIT
                for _ in $(seq 100); do
                    curl -s -o /dev/null --cert ada.pem --key ada.key --cacert ca.pem \
                        "https://localhost:$PORT/v2/" && break
                    sleep 0.1
                done
                mkdir -m 700 "$DIR"
                cp ca.pem "$DIR/ca.crt"
                ! sh -c "$2" >/dev/null 2>&1
                lanyard exec --certificate C=ada --private-key K=ada -- sh -c \
                    'ln -s "$C" "$DIR/client.cert"; ln -s "$K" "$DIR/client.key"; eval "$1"' sh "$2"
                """, "bash", certificates.folder, asking,
            ]
        ).run()
        #expect(outcome.status == 0, "\(outcome)")
    }

    /// Debian 12 has no kubectl with this version of the protocol: without one, a client in Python plays its part.
    @Test func kubectl() async throws {
        let hasKubectl = try await Need.succeeds(
            "sh", "-c", "kubectl version --client 2>/dev/null | grep -qE 'v1\\.(2[2-9]|[3-9][0-9])'"
        )
        if !hasKubectl {
            print("there is no kubectl from 1.22 on: a client in Python plays its part")
        }
        let client = hasKubectl ? Self.realClient : Self.playedClient
        try await MutualTLSServer.serve(home, certificates) { [home, certificates] server in
            try await home.set("--for", "kubectl", server.address, secret: "tok123")
            for what in ["ada", server.address, "cluster"] {
                try await home.shell(client, certificates.folder, server.address, what)
            }
            let refused = try await home.command(
                "sh", ["-euc", client, "sh", certificates.folder, server.address, "nobody"]
            ).run()
            #expect(refused.status != 0, "\(refused)")
            let log = try server.log()
            #expect(log.matches(of: #/ ada None/#).count >= 1, "\(log)")
            #expect(log.matches(of: #/ None Bearer tok123/#).count >= 2, "\(log)")
        }
    }

    private static let realClient = """
        export KUBECONFIG="$1/kubeconfig"
        rm -f "$KUBECONFIG"
        kubectl config set-cluster c --server="$2" --certificate-authority="$1/ca.pem" >/dev/null
        kubectl config set-credentials u --exec-command=kubectl-credential-lanyard \\
            --exec-arg="$3" --exec-api-version=client.authentication.k8s.io/v1 \\
            --exec-interactive-mode=Never --exec-provide-cluster-info=true >/dev/null
        kubectl config set-context x --cluster=c --user=u >/dev/null
        kubectl --context=x --request-timeout=20s version | grep -q 'Server Version: v1.32.0'
        """

    private static let playedClient = """
        python3 - "$1" "$2" "$3" <<'END'
        import json, os, ssl, subprocess, sys, tempfile, urllib.request
        folder, server, what = sys.argv[1:]
        request = {"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
                   "spec": {"cluster": {"server": server}, "interactive": False}}
        answer = subprocess.run(["kubectl-credential-lanyard", what], check=True, text=True,
                                capture_output=True, stdin=subprocess.DEVNULL,
                                env=os.environ | {"KUBERNETES_EXEC_INFO": json.dumps(request)})
        credential = json.loads(answer.stdout)
        assert credential["apiVersion"] == request["apiVersion"], answer.stdout
        status = credential["status"]
        context = ssl.create_default_context(cafile=f"{folder}/ca.pem")
        headers = {}
        if "token" in status:
            headers["Authorization"] = "Bearer " + status["token"]
        else:
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(status["clientCertificateData"] + status["clientKeyData"])
                file.flush()
                context.load_cert_chain(file.name)
        page = urllib.request.Request(f"{server}/version", headers=headers)
        with urllib.request.urlopen(page, context=context, timeout=20) as found:
            assert json.load(found)["gitVersion"] == "v1.32.0"
        END
        """
}
