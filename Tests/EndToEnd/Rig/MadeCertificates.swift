import Testing

/// Certificates and keys in every form, as openssl(1) and ssh-keygen(1) make them: of a root, an issuer that it
/// signed, a user of the issuer's, and a server of the root's.
struct MadeCertificates: Sendable {
    /// Holds all files.
    let folder: String

    /// The user's name in the certificate.
    static let user = "ada@example.com"

    init(_ home: ScratchHome) async throws {
        folder = "\(home.path)/certificates"
        try await home.shell(Self.script, folder)
    }

    /// The path of a file.
    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// The passwords of the files are files, too: `p12.password`, `key.password`, `ssh.password`.
    private static let script = """
        umask 077
        mkdir "$1" && cd "$1"
        exec 2>log
        ec='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
        openssl req -x509 $ec -keyout root.key -out root.pem -days 3650 -subj '/O=Example/CN=Example Root'
        # certificate NAME SUBJECT ISSUER EXTENSIONS
        certificate() {
            openssl req -new $ec -keyout "$1.key" -out "$1.csr" -subj "$2"
            printf '%b' "$4" >"$1.extensions"
            openssl x509 -req -in "$1.csr" -CA "$3.pem" -CAkey "$3.key" -CAcreateserial -days 3650 \\
                -extfile "$1.extensions" -out "$1.pem"
        }
        certificate issuer '/O=Example/CN=Example Issuer' root \\
            'basicConstraints=critical,CA:TRUE\\nkeyUsage=keyCertSign\\n'
        certificate ada '/O=Example/CN=ada@example.com' issuer \\
            'subjectAltName=email:ada@example.com\\nextendedKeyUsage=clientAuth\\n'
        certificate server '/CN=127.0.0.1' root 'subjectAltName=IP:127.0.0.1\\n'
        cat server.pem server.key >server-with-key.pem
        cat ada.pem issuer.pem root.pem ada.key >bundle.pem
        openssl x509 -in ada.pem -outform DER -out ada.der
        echo p12-password >p12.password
        echo key-password >key.password
        echo ssh-password >ssh.password
        echo not-the-password >wrong.password
        openssl pkcs12 -export -in ada.pem -inkey ada.key -certfile issuer.pem -name "Ada's" \\
            -passout file:p12.password -out ada.p12
        openssl pkcs12 -export -in ada.pem -inkey ada.key -certfile issuer.pem -name "Ada's" \\
            -passout pass: -out without-password.p12
        openssl pkcs8 -topk8 -v2 aes-256-cbc -in ada.key -passout file:key.password -out encrypted.pem
        openssl pkcs8 -topk8 -v2 aes-256-cbc -in ada.key -passout file:key.password -outform DER \\
            -out encrypted.der
        ssh-keygen -q -t ed25519 -N '' -C 'ada@laptop' -f id_plain
        ssh-keygen -q -t ed25519 -N ssh-password -C 'ada@server' -f id_encrypted
        # What can't be imported.
        : >empty
        echo 'nothing to see' >text
        head -c 300 bundle.pem >cut.pem
        head -c 700 ada.p12 >cut.p12
        head -c 300 ada.der >cut.der
        { cat ada.pem; printf -- '-----BEGIN CERTIFICATE-----\\nMIIBAAAA\\n-----END CERTIFICATE-----\\n'; } \\
            >half.pem
        """
}

extension ScratchHome {
    /// Runs lanyard where there is no terminal.
    func lanyardAlone(
        _ arguments: [String], variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await command(
            "setsid", ["--wait", "lanyard"] + arguments, variables: variables
        ).run()
    }

    /// Imports a file, which has to succeed in silence.
    func importCertificates(
        _ arguments: String..., expecting report: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await lanyardAlone(["certificate", "import"] + arguments)
        #expect(
            outcome.status == 0 && outcome.outputText == "import    \(report)\n", "\(outcome)",
            sourceLocation: sourceLocation)
    }

    /// The names that a list has, sorted.
    func listedNames(_ what: String) async throws -> [String] {
        try await json(what, "list", "--json").elements.compactMap {
            if case .string(let name)? = $0.members["name"] { name } else { nil }
        }.sorted()
    }
}
