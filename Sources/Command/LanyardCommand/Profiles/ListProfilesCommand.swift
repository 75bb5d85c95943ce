internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import LanyardPrompting
internal import StrictJSON
internal import ToolCatalog

/// `lanyard profile list`.
struct ListProfilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the profiles."
    ).examples(
        "lanyard profile list",
        "lanyard profile list --json")

    @OptionGroup var json: JSONFlag

    func run() throws {
        let catalog = try ProfileCatalog(Configuration())
        guard json.isOn else {
            var table = Table(["NAME", "PROGRAMS", "VARIABLES AND FILES"])
            for profile in catalog.all {
                table.append([
                    profile.name, profile.programs.joined(separator: " "),
                    profile.placeNames.joined(separator: " "),
                ])
            }
            return try writeAnswer(Secret(table.text(for: .current)))
        }
        try writeAnswer(
            JSONWriter.write { writer throws(KeychainError) in
                try writer.writeArray(of: catalog.all) { writer, profile throws(KeychainError) in
                    try writer.write(profile, isOwn: catalog.isOwn(profile))
                }
            })
    }
}

extension ToolProfile {
    /// The names of its variables, and the arguments of its files.
    var placeNames: [String] {
        variables.map(\.name)
            + files.map { file in
                switch file.place {
                case .variable(let name): name
                case .argument(let argument): argument
                }
            }
    }
}
