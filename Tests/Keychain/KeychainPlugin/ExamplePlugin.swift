import KeychainPlugin
import TestSupport

/// The example in Python, where no other user can write to it.
struct ExamplePlugin {
    let folder: ScratchFolder
    let executable: String

    init(in folder: ScratchFolder) throws {
        self.folder = folder
        executable = try folder.script(
            "lanyard-keychain-example", sourceOfPlugin("lanyard-keychain-example"))
    }

    /// A store that keeps its items in a file of the folder.
    func store(isPromptAllowed: Bool = false) -> PluginStore {
        PluginStore(
            executable: executable, keychain: "work",
            settings: [("file", "ignored"), ("file", folder.path + "/items")],
            timeLimit: 60_000, isPromptAllowed: isPromptAllowed)
    }
}
