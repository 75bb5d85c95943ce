internal import KeychainServices
internal import LanyardPrompting
internal import ToolCatalog

/// What `--dry-run` prints: the names of what would be set, and where that comes from. Nothing is looked up.
struct GrantListing {
    private var table = Table(["VARIABLE", "SECRET", "FROM", "NOTE"])

    /// Adds the variables of `.env` files.
    mutating func add(_ files: EnvironmentFiles, allowing allowed: [String]) {
        for entry in files.entries {
            let references = entry.variable.value.references.map(\.reference.text)
            let note: String
            switch entry.effect {
            case _ where allowed.contains(entry.name), .none: note = ""
            case .otherCode: note = "can make the program run other code"
            case .loaderOrLanyard: note = "refused without --allow-env \(entry.name)"
            }
            table.append(
                [entry.name, references.joined(separator: ", "), entry.origin, note])
        }
    }

    /// Adds the variables and files of a profile.
    mutating func add(_ grant: ProfileGrant) {
        let profile = grant.profile
        let account = grant.account.map { "/\($0)" } ?? ""
        let services = profile.variables.map { profile.service(of: $0.value) ?? "" }
        for (number, name) in profile.placeNames.enumerated() {
            // Files have the profile's own secret.
            let service = number < services.count ? services[number] : profile.name
            let what = service == profile.name ? service + account : service
            table.append([name, what, "--profile \(profile.name)", ""])
        }
    }

    /// Adds what options set.
    mutating func add(_ grants: SecretGrants) {
        for grant in grants.grants {
            let items = grant.items.map { item in
                let account = item.name.attributes.account.map { " of '\($0)'" } ?? ""
                return "'\(item.what)'\(account)"
            }
            table.append(
                [
                    grant.name,
                    items.isEmpty ? "'\(grant.certificate)'" : items.joined(separator: ", "),
                    grant.form.option, "",
                ])
        }
    }

    /// Adds a variable without a secret.
    mutating func add(_ name: String, from option: String) {
        table.append([name, "", option, ""])
    }

    /// Prints all of it.
    func write() throws(KeychainError) {
        try writeAnswer(Secret(table.text(for: .current)))
    }

    /// Prints the references of a template.
    ///
    /// - Parameter path: The template's name.
    static func write(_ template: SecretTemplate, from path: String) throws(KeychainError) {
        var table = Table(["SECRET", "FROM"])
        for (reference, line) in template.references {
            table.append([reference.text, "\(path):\(line)"])
        }
        try writeAnswer(Secret(table.text(for: .current)))
    }
}
