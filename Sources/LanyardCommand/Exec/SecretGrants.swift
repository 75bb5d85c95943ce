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
    }

    /// A variable and its purpose.
    struct Grant {
        let name: String
        let form: Form
        /// The items; only a netrc file may have several.
        fileprivate(set) var items: [(what: String, name: ItemName)]
    }

    private(set) var grants: [Grant] = []

    /// - Parameters: The values of each option, `NAME=…`.
    /// - Throws: ``Status/param`` for an invalid or repeated variable name, an account without an item, and
    ///   a missing item name.
    init(
        variables: [String], files: [String], netrcs: [String], accounts: [String]
    ) throws(KeychainError) {
        var accountsByName: [String: String] = [:]
        for text in accounts {
            let (name, account) = try SecretGrants.parts(text, "--account")
            guard accountsByName.updateValue(account, forKey: name) == nil else {
                throw KeychainError(.param, "the account for '\(name)' is given twice")
            }
        }
        let options: [(String, Form, [String])] = [
            ("--env", .variable, variables), ("--file", .file, files), ("--netrc", .netrc, netrcs),
        ]
        for (option, form, texts) in options {
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
            !name.isEmpty && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(name[0])
            && name.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
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
