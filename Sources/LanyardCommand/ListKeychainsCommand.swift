internal import ArgumentParser
internal import HelperKit
internal import Keychain
internal import SealedStore
internal import StrictJSON

/// `lanyard keychain list`.
struct ListKeychainsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keychains.")

    @OptionGroup var json: JSONFlag

    func run() throws {
        let configuration = try Configuration()
        let inUse = configuration.defaultKeychain.value
        var keychains: [(name: String, path: String)] = []
        for name in try configuration.keychains() {
            keychains.append((name, try configuration.location(ofKeychain: name).file))
        }
        guard json.isOn else {
            var table = Table(["", "NAME", "FILE"])
            for keychain in keychains {
                table.append([keychain.name == inUse ? "*" : " ", keychain.name, keychain.path])
            }
            if !table.isEmpty {
                try writeAnswer(Secret(table.text))
            }
            return
        }
        try writeAnswer(
            JSONWriter.write { writer throws(KeychainError) in
                try writer.writeArray { writer throws(KeychainError) in
                    for keychain in keychains {
                        try writer.writeObject { writer throws(KeychainError) in
                            try writer.member("name", ByteString(keychain.name))
                            try writer.member("kind", "sealed")
                            try writer.member("path", ByteString(keychain.path))
                            try writer.member("default") { writer throws(KeychainError) in
                                try writer.write(keychain.name == inUse)
                            }
                        }
                    }
                }
            })
    }
}
