internal import LanyardCertificates
internal import LanyardTransfer
internal import KeychainServices
internal import LanyardPrompting

/// The certificates and keys of files, as entries to import.
struct CertificateFiles: ImportSource {
    private let records: [ImportRecord]

    /// How many keys and certificates they have; nil without any.
    let contents: String?
    /// The first file with a private key that is not encrypted, nil without one.
    let plainTextFile: String?

    var count: Int { records.count }

    /// Reads the files, all of them before anything is written.
    ///
    /// - Parameters:
    ///   - paths: Their paths, `-` for standard input.
    ///   - options: How to store private keys, and the name for what has none.
    ///   - passphraseFile: The file with their passphrase, nil to ask the user.
    /// - Throws: ``Status/itemNotFound`` without a file; for a file that can't be read, its path and the reason.
    init(
        _ paths: [String], _ options: CertificateStoringOptions, passphraseFile: String?
    ) throws(KeychainError) {
        var records: [ImportRecord] = []
        var keys = 0
        var certificates = 0
        var plainTextFile: String?
        for path in paths {
            let file =
                path == ImportedFiles.standardInput
                ? try PlainTextFile(standardInput: ())
                : try PlainTextFile(try absolutePath(path), isForChange: false)
            let contents: CertificatesAndKeys
            var isEncrypted = false
            do throws(KeychainError) {
                contents = try ExportPassphrase.opening(
                    file: passphraseFile, of: "'\(file.path)'"
                ) { passphrase throws(KeychainError) in
                    try CertificatesAndKeys(file.bytes) { () throws(KeychainError) in
                        isEncrypted = true
                        return try passphrase()
                    }
                }
            } catch {
                throw KeychainError(
                    error.status, "'\(file.path)' can't be imported: \(error.reason)",
                    hint: error.hint)
            }
            if contents.weaknesses.contains(.noMAC) {
                printWarning("'\(file.path)' has no MAC: Lanyard can't tell whether it was changed")
            }
            if contents.weaknesses.contains(.rc2) {
                printWarning(
                    "'\(file.path)' is encrypted with RC2, which is easy to break: delete the file")
            }
            if !isEncrypted, !contents.privateKeys.isEmpty, path != ImportedFiles.standardInput {
                plainTextFile = plainTextFile ?? file.path
            }
            keys += contents.privateKeys.count + contents.publicKeys.count
            certificates += contents.certificates.count
            let baseName = file.path.split(separator: "/").last.map { String($0) }
            try CertificateFiles.append(contents, named: baseName ?? "", options, to: &records)
        }
        self.records = records
        self.plainTextFile = plainTextFile
        let parts = [(keys, "key"), (certificates, "certificate")].filter { $0.0 > 0 }
        contents = parts.isEmpty ? nil : parts.map { counted($0.0, $0.1) }.joined(separator: ", ")
    }

    func forEach(_ body: ImportRecord.Body) throws(KeychainError) {
        for record in records {
            try body(record)
        }
    }

    private static func append(
        _ contents: CertificatesAndKeys, named fileName: String,
        _ options: CertificateStoringOptions, to records: inout [ImportRecord]
    ) throws(KeychainError) {
        func append(_ kind: String, _ item: NewItem) {
            let place = "'\(fileName)', \(kind) \(records.count + 1)"
            records.append(ImportRecord(place: place, range: nil, content: .item(item)))
        }
        // The last one is listed first, and files begin with the certificate that matters.
        for named in contents.certificates.reversed() {
            let certificate = named.certificate
            var attributes = certificate.attributes
            // A name for all would be the issuers', too.
            let isNamed = !certificate.isAuthority || contents.certificates.count == 1
            attributes.label = ByteString(
                (isNamed ? options.name : nil) ?? named.name ?? certificate.subjectSummary)
            attributes.accessGroup = options.storing.accessGroup
            attributes.accessible = .always
            let der = certificate.der
            append(
                "certificate", NewItem(.certificate, attributes, secret: Secret(copying: der.span)))
        }
        for named in contents.privateKeys {
            let certificate = contents.certificates.first {
                $0.certificate.publicKeyHash == named.key.publicKey.hash
            }
            let name =
                options.name ?? named.name ?? certificate?.name
                ?? certificate?.certificate.subjectSummary ?? fileName
            let given = try options.storing.attributes(label: name)
            append(
                "private key",
                NewItem(
                    .key, named.key.attributes.merging(given),
                    secret: named.key.externalRepresentation()))
            append("public key", publicKey(named.key.publicKey, given))
        }
        for key in contents.publicKeys {
            let given = try options.storing.attributes(label: options.name ?? fileName)
            append("public key", publicKey(key, given))
        }
        for label in contents.otherBlocks {
            records.append(
                ImportRecord(
                    place: "'\(fileName)', a block", range: nil,
                    content: .skipped(reason: "it is neither a certificate nor a key: \(label)")))
        }
    }

    private static func publicKey(_ key: PublicKey, _ given: ItemAttributes) -> NewItem {
        let data = key.externalRepresentation
        return NewItem(.key, key.publicAttributes(given), secret: Secret(copying: data.span))
    }
}
