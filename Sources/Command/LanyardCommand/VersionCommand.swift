internal import ArgumentParser
internal import LanyardCertificates
internal import LanyardPrompting
internal import KeychainServices
internal import LinuxSystem
internal import SealedStore
internal import StrictJSON

/// `lanyard version`: prints the version of Lanyard and of all libraries in this program.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Show the versions of Lanyard and its libraries.",
        discussion: "lanyard --version prints only the first line."
    ).examples(
        "lanyard version",
        "lanyard version --json")

    /// The Swift packages of this program with the versions in Package.swift: they don't report their own.
    static let packages = [
        LinkedLibrary(name: "swift-argument-parser", version: "1.8.2")
    ]

    @OptionGroup var json: JSONFlag

    func run() throws {
        let libraries =
            SealedStore.linkedLibraries + CertificatesLibraries.all + VersionCommand.packages
        guard json.isOn else {
            var lines = ["lanyard \(lanyardVersion)"]
            lines += libraries.map { "  \($0.name) \($0.version)" }
            return try show(lines)
        }
        try writeAnswer(
            JSONWriter.writeObject { writer throws(KeychainError) in
                try writer.member("version", ByteString(lanyardVersion))
                try writer.member(objects: "libraries", of: libraries) {
                    writer, library throws(KeychainError) in
                    try writer.member("name", ByteString(library.name))
                    try writer.member("version", ByteString(library.version))
                }
            })
    }
}
