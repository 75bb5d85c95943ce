internal import KeychainServices
internal import LinuxSystem
internal import ToolCatalog

extension SettingsSetup {
    /// Returns the configuration that names the backend for Python's library keyring, if that is installed.
    func pythonBackend(_ helper: String) throws(KeychainError) -> [SettingsFile] {
        guard let folder = pythonFolder(helper) else {
            return []
        }
        return [
            SettingsFile(
                try environment.place(of: ".config/python_keyring/keyringrc.cfg", []),
                "twine, poetry and hatch store their passwords in lanyard",
                [
                    SettingsSection(
                        header: "[backend]",
                        lines: [
                            "default-keyring = lanyard_keyring.Keyring", "keyring-path = \(folder)",
                        ])
                ])
        ]
    }

    /// The backend is in the folder of the same installation.
    private func pythonFolder(_ helper: String) -> String? {
        let prefix = PrivatePlace.parent(of: helper).flatMap(PrivatePlace.parent) ?? "/"
        let folder = "\(prefix == "/" ? "" : prefix)/lib/lanyard/python"
        let isThere = try? PrivatePlace.exists("\(folder)/lanyard_keyring.py")
        return isThere == true ? folder : nil
    }
}
