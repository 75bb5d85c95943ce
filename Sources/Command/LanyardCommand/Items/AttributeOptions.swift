internal import ArgumentParser
internal import KeychainServices
internal import LanyardPrompting
internal import SealedStore

/// The options with an item's attributes.
struct AttributeOptions: ParsableArguments {
    @Option(help: "The name that other programs show.")
    var label: String?
    @Option(help: "A comment.")
    var comment: String?
    @Option(help: "The kind of item, in words.")
    var description: String?
    @Option(help: ArgumentHelp("The program that made it: four characters.", valueName: "code"))
    var creator: String?
    @Option(help: ArgumentHelp("The creator's own type: four characters.", valueName: "code"))
    var type: String?
    @Option(
        help: ArgumentHelp(
            "The protocol's code in place of the URL's scheme: four characters.",
            valueName: "code"))
    var `protocol`: String?
    @Option(
        name: .customLong("security-domain"),
        help: ArgumentHelp("The security domain, for example a realm.", valueName: "domain"))
    var securityDomain: String?
    @Option(
        name: .customLong("authentication-type"),
        help: ArgumentHelp("How the server checks the login: four characters.", valueName: "code"))
    var authenticationType: String?
    @Option(help: ArgumentHelp("When the secret can be read, for example ak.", valueName: "code"))
    var accessible: String?
    @Flag(help: "Ask for the keychain's passphrase at each use, even while it is unlocked.")
    var ask = false
    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "Ask before any other program reads the secret. You can repeat it.",
            valueName: "program"))
    var trusted: [String] = []
    @Flag(help: "Leave the item out of lists.")
    var invisible = false
    @Flag(help: "Mark it as having no password: tools neither ask for one nor get one.")
    var negative = false
    @Flag(help: "Let the item travel to your other machines.")
    var synchronizable = false

    /// Returns these attributes merged into those of a name.
    ///
    /// - Throws: ``Status/param`` for an invalid code, ``Status/noSuchAttribute`` for an attribute that the
    ///   class does not have.
    func merged(
        into name: ItemAttributes, of itemClass: ItemClass, group: ByteString
    ) throws(KeychainError) -> ItemAttributes {
        if itemClass == .genericPassword, let option = optionForURLs {
            throw KeychainError(
                .noSuchAttribute, "\(option) is only for items named by a URL")
        }
        var attributes = name
        attributes.accessGroup = group
        attributes.label = label.map { ByteString($0) } ?? attributes.label
        attributes.comment = comment.map { ByteString($0) }
        attributes.itemDescription = description.map { ByteString($0) }
        attributes.creator = try AttributeOptions.code(creator, "--creator")
        attributes.type = try AttributeOptions.code(type, "--type")
        if let code = try AttributeOptions.code(`protocol`, "--protocol") {
            attributes.protocol = ProtocolType(rawValue: code.text)
        }
        attributes.securityDomain = securityDomain.map { ByteString($0) }
        attributes.authenticationType = try AttributeOptions.code(
            authenticationType, "--authentication-type"
        ).map { AuthenticationType(rawValue: $0) }
        attributes.accessible = try AttributeOptions.accessibility(accessible)
        attributes.trustedApplications =
            trusted.isEmpty ? nil : try AttributeOptions.trustedApplications(trusted)
        attributes.isInvisible = invisible ? true : nil
        attributes.isNegative = negative ? true : nil
        attributes.synchronizable = synchronizable ? true : nil
        return attributes
    }

    /// Returns the value of `--accessible`, nil without it.
    ///
    /// - Throws: ``Status/param`` for an invalid code.
    static func accessibility(_ code: String?) throws(KeychainError) -> Accessibility? {
        guard let code else {
            return nil
        }
        guard let value = Accessibility(code: code) else {
            throw KeychainError(
                .param, "unknown accessibility '\(code)'",
                hint: "use one of \(Accessibility.allCases.map(\.code).joined(separator: ", "))")
        }
        return value
    }

    /// Returns the programs with these paths or names.
    ///
    /// - Throws: ``Status/param`` for one that is not found.
    static func trustedApplications(
        _ programs: [String]
    ) throws(KeychainError) -> [TrustedApplication] {
        var applications: [TrustedApplication] = []
        for program in programs {
            guard let path = try programPath(program) else {
                throw KeychainError(
                    .param, "there is no program '\(program)'",
                    hint: "use the path of a program, or the name of one on the PATH")
            }
            applications.append(try TrustedApplication(executable: path))
        }
        return applications
    }

    /// The first given option that makes the item differ from a tool helper's.
    var optionForOtherPrograms: String? {
        optionForURLs ?? (synchronizable ? "--synchronizable" : nil)
    }

    /// The first given option that only applies to a server's login.
    private var optionForURLs: String? {
        if `protocol` != nil { return "--protocol" }
        if securityDomain != nil { return "--security-domain" }
        if authenticationType != nil { return "--authentication-type" }
        return nil
    }

    /// Returns a four-character code; shorter texts are padded with spaces, as the codes themselves are.
    static func code(
        _ text: String?, _ option: String
    ) throws(KeychainError) -> FourCharacterCode? {
        guard let text else {
            return nil
        }
        let padded =
            text.utf8 + Array(repeating: UInt8(ascii: " "), count: max(0, 4 - text.utf8.count))
        guard !text.isEmpty, let code = FourCharacterCode(ByteString(Array(padded))) else {
            throw KeychainError(.param, "\(option) needs a code of up to four characters")
        }
        return code
    }
}
