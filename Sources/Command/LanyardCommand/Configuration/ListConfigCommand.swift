internal import ArgumentParser
internal import LanyardConfiguration
internal import LanyardPrompting
internal import KeychainServices
internal import StrictJSON

/// `lanyard config list`, which is `lanyard config`: prints the settings and the source of each value.
struct ListConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show all settings and where each value comes from."
    ).examples(
        "lanyard config list",
        "lanyard config list --json")

    @OptionGroup var json: JSONFlag

    func run() throws {
        let configuration = try Configuration()
        for unknown in configuration.unknownSettings {
            printWarning("unknown setting '\(unknown.name)' (\(unknown.origin))")
        }
        for error in configuration.mistakes {
            printWarning(error.reason)
        }
        guard json.isOn else {
            var table = Table(["NAME", "VALUE", "FROM"])
            for setting in configuration.settings {
                table.append([setting.name, setting.value ?? "", setting.origin])
            }
            try writeAnswer(Secret(table.text(for: .current)))
            return
        }
        try writeAnswer(
            JSONWriter.write { writer throws(KeychainError) in
                try writer.writeObjects(of: configuration.settings) {
                    writer, setting throws(KeychainError) in
                    try writer.member("name", ByteString(setting.name))
                    try writer.member("value", ByteString(setting.value ?? ""))
                    try writer.member("from", ByteString(setting.origin))
                }
            })
    }
}
