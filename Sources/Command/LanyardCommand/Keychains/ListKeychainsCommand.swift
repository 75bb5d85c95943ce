internal import Keychains
internal import ArgumentParser
internal import LanyardPrompting
internal import KeychainServices
internal import StrictJSON

/// `lanyard keychain list`.
struct ListKeychainsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keychains."
    ).examples(
        "lanyard keychain list")

    @OptionGroup var json: JSONFlag

    func run() throws {
        let keychains = try UserKeychains().all()
        guard json.isOn else {
            var table = Table(["", "NAME", "KIND", "FILE"])
            for keychain in keychains {
                table.append([
                    keychain.isDefault ? "*" : " ", keychain.name, keychain.kind,
                    keychain.file ?? "",
                ])
            }
            if !table.isEmpty {
                try writeAnswer(Secret(table.text(for: .current)))
            }
            return
        }
        try writeAnswer(
            JSONWriter.write { writer throws(KeychainError) in
                try writer.writeObjects(of: keychains) { writer, keychain throws(KeychainError) in
                    try writer.member("name", ByteString(keychain.name))
                    try writer.member("kind", ByteString(keychain.kind))
                    try writer.member("path", keychain.file)
                    try writer.member("default", keychain.isDefault)
                }
            })
    }
}
