internal import ArgumentParser
internal import Certificates
internal import KeychainServices

/// `lanyard key remove`.
struct RemoveKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a key: the private one and the public one.",
        aliases: ["rm"]
    ).examples(
        "lanyard key remove deploy")

    @OptionGroup var named: NamedKey

    func run() throws {
        let opened = try named.keychain.open()
        let key = try named.find(in: opened)
        try opened.keychain.transaction { () throws(KeychainError) in
            try opened.keychain.delete(Query(key.reference))
            guard key.attributes.keyClass == .private else {
                return
            }
            var query = Query(.key)
            query.attributes.keyClass = .public
            query.attributes.applicationLabel = key.attributes.applicationLabel ?? ""
            query.attributes.accessGroup = key.attributes.accessGroup
            query.synchronizable = .any
            do throws(KeychainError) {
                try opened.keychain.delete(query)
            } catch {
                guard error.status == .itemNotFound else {
                    throw error
                }
            }
        }
    }
}
