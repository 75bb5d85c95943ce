internal import KeychainServices

/// The secrets for a program, and their forms, as the user wrote them.
struct SecretGrants {
    /// The form in which a program gets a secret.
    enum Form {
        /// As a variable's value.
        case variable
        /// As the content of a file.
        case file
        /// As a login in a file in netrc's format.
        case netrc
        /// As a PEM file with a certificate, its chain and its private key.
        case identity
        /// As a PEM file with a certificate and its chain.
        case certificate
        /// As a PEM file with the private key of a certificate.
        case privateKey

        /// The option that gives it.
        var option: String {
            switch self {
            case .variable: "--env"
            case .file: "--file"
            case .netrc: "--netrc"
            case .identity: "--identity"
            case .certificate: "--certificate"
            case .privateKey: "--private-key"
            }
        }

        /// Whether it takes a certificate, and no item with a password.
        var isOfCertificate: Bool {
            switch self {
            case .variable, .file, .netrc: false
            case .identity, .certificate, .privateKey: true
            }
        }
    }

    /// A variable and its purpose.
    struct Grant {
        let name: String
        let form: Form
        /// The items; only a netrc file may have several, and a certificate has none.
        fileprivate(set) var items: [(what: String, name: ItemName)] = []
        /// The name of the certificate, empty without one.
        fileprivate(set) var certificate = ""
    }

    private(set) var grants: [Grant] = []

    /// - Parameter values: The values of each option for a form, `NAME=…`.
    /// - Throws: ``Status/param`` for an invalid or repeated variable name, an account without an item, and
    ///   a missing item name.
    init(
        _ values: [(option: String, form: Form, texts: [String])], accounts: [String]
    ) throws(KeychainError) {
        var accountsByName: [String: String] = [:]
        for text in accounts {
            let (name, account) = try SecretGrants.parts(text, "--account")
            guard accountsByName.updateValue(account, forKey: name) == nil else {
                throw KeychainError(.param, "the account for '\(name)' is given twice")
            }
        }
        for (option, form, texts) in values {
            for text in texts {
                let (name, what) = try SecretGrants.parts(text, option)
                try add(name, form, what, account: accountsByName[name])
            }
        }
        for name in accountsByName.keys.sorted()
        where !grants.contains(where: { $0.name == name }) {
            throw KeychainError(
                .param, "--account names '\(name)', but no other option does")
        }
    }

    private mutating func add(
        _ name: String, _ form: Form, _ what: String, account: String?
    ) throws(KeychainError) {
        guard !form.isOfCertificate else {
            guard account == nil else {
                throw KeychainError(.param, "a certificate has no account")
            }
            guard !grants.contains(where: { $0.name == name }) else {
                throw KeychainError(.param, "the variable '\(name)' is given twice")
            }
            grants.append(Grant(name: name, form: form, certificate: what))
            return
        }
        let item = (what: what, name: try ItemName(what, account: account))
        if form == .netrc, item.name.itemClass != .internetPassword {
            throw KeychainError(
                .param, "--netrc needs the URL of a server, such as https://example.com")
        }
        guard let place = grants.firstIndex(where: { $0.name == name }) else {
            grants.append(Grant(name: name, form: form, items: [item]))
            return
        }
        guard form == .netrc, grants[place].form == .netrc else {
            throw KeychainError(.param, "the variable '\(name)' is given twice")
        }
        grants[place].items.append(item)
    }

    private static func parts(
        _ text: String, _ option: String
    ) throws(KeychainError) -> (name: String, value: String) {
        let bytes = Array(text.utf8)
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            throw KeychainError(
                .param, "\(option) needs a variable, an equals sign and an item",
                hint: "for example \(option) TOKEN=https://example.com")
        }
        let name = bytes[..<equals]
        let isName =
            !name.isEmpty && !name[0].isDigit
            && name.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
        guard isName else {
            throw KeychainError(
                .param, "\(option) needs the name of a variable first: letters, digits and '_'",
                hint: "for example \(option) TOKEN=https://example.com")
        }
        return (
            String(decoding: name, as: UTF8.self),
            String(decoding: bytes[(equals + 1)...], as: UTF8.self)
        )
    }
}
