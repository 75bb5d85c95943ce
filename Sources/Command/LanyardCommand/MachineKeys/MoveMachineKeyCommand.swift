internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting
internal import SealedStore

/// `lanyard machine-key move`.
struct MoveMachineKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move the machine key to a folder that backups leave out.",
        discussion:
            "The state folder remembers where it is. Needs a recovery key for each keychain: without the "
            + "folder only that opens them."
    ).examples(
        "lanyard machine-key move /var/lib/lanyard/ada",
        "lanyard machine-key move --undo")

    @Argument(
        help: ArgumentHelp("The folder, for you alone; made if missing.", valueName: "folder"),
        completion: .directory)
    var folder: String?
    @Flag(name: .customLong("undo"), help: "Move it back to the state folder.")
    var isUndo = false

    func validate() throws {
        if isUndo == (folder != nil) {
            throw ValidationError("name either a folder or --undo")
        }
    }

    func run() throws {
        let keychains = try MachineKeychains()
        if let folder {
            let path = try absolutePath(folder)
            try keychains.check(folder: path)
            try keychains.checkNoneIsMissing(before: "is moved")
            try keychains.checkRecoveryKeys()
            try keychains.makeRecoveryKeys(before: "is moved")
            try keychains.place.move(to: path)
            try keychains.updateTag()
            try keychains.report()
            try warnIfBackedUp(keychains)
        } else {
            try keychains.place.move(to: keychains.configuration.places.state)
            try keychains.updateTag()
            try keychains.report()
        }
    }

    /// Warns of a plain key in the home folder, which backups take as a whole. The folder may still be the
    /// right one, as for backups that leave out ~/.cache.
    private func warnIfBackedUp(_ keychains: MachineKeychains) throws(KeychainError) {
        guard let storage = try keychains.place.storage(), storage.sealedTo == nil,
            let home = try Environment.value("HOME").flatMap(SystemCalls.realPath), home != "/",
            SystemCalls.realPath(storage.folder)?.hasPrefix("\(home)/") == true
        else {
            return
        }
        printWarning(
            "'\(storage.folder)' is in your home folder: exclude it from your backups, or they open everything"
        )
        let isTagged = try PrivatePlace.exists("\(storage.folder)/CACHEDIR.TAG")
        printHint(
            (isTagged ? "it has a CACHEDIR.TAG; or " : "")
                + "move the key again, to a folder elsewhere")
    }
}
