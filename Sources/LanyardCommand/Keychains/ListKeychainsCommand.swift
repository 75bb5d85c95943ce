internal import Keychains
internal import ArgumentParser
internal import Configuration
internal import Prompting
internal import KeychainServices
internal import SealedStore
internal import StrictJSON

/// `lanyard keychain list`.
struct ListKeychainsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keychains."
    ).examples(
        "lanyard keychain list")

    @OptionGroup var json: JSONFlag

    func run() throws {
        let configuration = try Configuration()
        let inUse = try configuration.defaultKeychain()
        var keychains: [(name: String, kind: KeychainKind, path: String?)] = []
        let known = try configuration.keychains()
        // The Secret Service needs neither a section nor a file.
        let isUnknown = inUse != Configuration.login && !known.contains(inUse)
        for name in (isUnknown ? [inUse] : []) + known {
            let kind = try configuration.kind(ofKeychain: name)
            let path =
                kind == .sealed ? try configuration.location(ofKeychain: name).file : nil
            keychains.append((name, kind, path))
        }
        guard json.isOn else {
            var table = Table(["", "NAME", "KIND", "FILE"])
            for keychain in keychains {
                table.append([
                    keychain.name == inUse ? "*" : " ", keychain.name, keychain.kind.name,
                    keychain.path ?? "",
                ])
            }
            if !table.isEmpty {
                try writeAnswer(Secret(table.text(for: .current)))
            }
            return
        }
        try writeAnswer(
            JSONWriter.write { writer throws(KeychainError) in
                try writer.writeArray { writer throws(KeychainError) in
                    for keychain in keychains {
                        try writer.writeObject { writer throws(KeychainError) in
                            try writer.member("name", ByteString(keychain.name))
                            try writer.member("kind", ByteString(keychain.kind.name))
                            try writer.member("path") { writer throws(KeychainError) in
                                if let path = keychain.path {
                                    try writer.write(ByteString(path))
                                } else {
                                    try writer.writeNull()
                                }
                            }
                            try writer.member("default") { writer throws(KeychainError) in
                                try writer.write(keychain.name == inUse)
                            }
                        }
                    }
                }
            })
    }
}
