import Foundation
import Testing

/// Certificates that openssl makes: an authority's, a server's for `localhost`, and a client's named `ada`.
struct ClientCertificates: Sendable {
    /// The folder with `ca.pem`, `server.pem` (with its key), `ada.pem`, `ada.key`, and `ada.p12`, whose password
    /// is in the file `password`.
    let folder: String

    static let script = """
        cd "$1"
        printf 'p12 password' >password
        new() {
            openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "$2" \\
                -keyout "$1.key" -out "$1.csr" 2>/dev/null
        }
        sign() {
            printf '%s\\n' "$2" >extensions
            openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 90 \\
                -extfile extensions -out "$1.pem" 2>/dev/null
        }
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 \\
            -subj '/O=Example/CN=Authority' -keyout ca.key -out ca.pem 2>/dev/null
        new server /CN=localhost
        sign server subjectAltName=DNS:localhost,IP:127.0.0.1
        cat server.key >>server.pem
        new ada /O=Example/CN=ada
        sign ada extendedKeyUsage=clientAuth
        openssl pkcs12 -export -inkey ada.key -in ada.pem -certfile ca.pem -name ada \\
            -passout file:password -out ada.p12
        """

    init(in home: ScratchHome) async throws {
        folder = "\(home.path)/certificates"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        try await home.shell(Self.script, folder)
    }

    /// The parts of a private key's file that appear nowhere else: lines of its Base64, and the same as bytes.
    func marks(of file: String) throws -> [Data] {
        let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-") }
        let bytes = try #require(Data(base64Encoded: lines.joined()))
        // A PKCS #8 key of P-256 has the private number in these 32 bytes.
        return [Data(lines[0].dropFirst(48).utf8), Data(bytes[36..<68])]
    }
}
