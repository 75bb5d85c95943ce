internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting
internal import SealedStore

/// `lanyard backup`: copies a sealed keychain while it is in use.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy a keychain to a file, safely while it is in use.",
        discussion:
            "The copy is locked like the keychain. It does not contain the machine key: elsewhere only a "
            + "recovery key or a portable passphrase opens it."
    ).examples(
        "lanyard backup /mnt/backup/login.keychain",
        "lanyard backup --keychain work work.keychain --replace")

    @Argument(help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
    var file: String
    @Flag(help: "Replace an earlier copy of the same keychain.")
    var replace = false
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        let configuration = try Configuration()
        let name = try configuration.sealedKeychain(flag: keychain.name)
        guard file != "-" else {
            // The copy is checked, and replaces another one in one step.
            throw KeychainError(
                .param, "a copy needs a file: it can't go to standard output",
                hint: "lanyard backup FILE makes one to send; ./- is a file named '-'")
        }
        let path = try absolutePath(toWrite: file)
        let store = try configuration.openExistingSealedKeychain(name)
        for other in try configuration.keychains() where other != name {
            guard let location = try? configuration.location(ofKeychain: other),
                PrivatePlace.areSame(location.file, path)
            else {
                continue
            }
            throw KeychainError(.param, "'\(path)' is the keychain '\(other)'")
        }
        let found = try store.backUp(to: path, replacing: replace)
        guard found?.isSound ?? true else {
            throw KeychainError(
                .decode, "the copy was made, but the keychain is damaged", hint: "lanyard verify")
        }
        // The copy has what its way in is, too: a recovery key that is made later opens only later copies.
        if try !store.opensWithoutMachineKey() {
            let option = configuration.option(forKeychain: name)
            printWarning("the copy opens on this machine alone, with its machine key")
            printHint("lanyard recovery-key create\(option), and then make the copy again")
        }
    }
}
