package import KeychainServices
internal import LinuxSystem

extension ContainersSetup {
    /// The file whose helper setting podman, skopeo and buildah follow.
    package struct Setting: Sendable {
        /// The file's path.
        package let path: String
        /// Whether it names only lanyard.
        package let isLanyard: Bool
        /// The helpers that it names; `containers-auth.json` means the file, not a program.
        package let helpers: [String]
    }

    /// Returns the setting in force, nil without one: that of the last drop-in with one, else of the main
    /// file. The main file in the home folder replaces the system's (containers-registries.conf(5) and
    /// containers-registries.conf.d(5)). If versions use different user folders, a setting without lanyard
    /// wins.
    ///
    /// - Throws: ``Status/param`` if HOME is not set.
    package func settingInForce() throws(KeychainError) -> Setting? {
        var setting: Setting?
        for folder in try folders() {
            setting = self.setting(in: folder)
            guard let setting, setting.isLanyard else {
                break
            }
        }
        return setting
    }

    private func setting(in user: String) -> Setting? {
        let system = "/etc/containers"
        let mains = ["\(user)/registries.conf", "\(system)/registries.conf"]
        var files = [mains.first { (try? PrivatePlace.exists($0)) == true }].compactMap(\.self)
        for folder in [system, user] {
            files += dropIns("\(folder)/registries.conf.d")
        }
        for path in files.reversed() {
            if let bytes = (try? TargetFile(path))?.bytes, RegistriesDropIn.isSet(bytes) {
                return Setting(
                    path: path, isLanyard: RegistriesDropIn.isSetUp(bytes),
                    helpers: RegistriesDropIn.helpers(bytes))
            }
        }
        return nil
    }

    private func dropIns(_ folder: String) -> [String] {
        FolderListing.names(folder).filter { $0.hasSuffix(".conf") }.sorted()
            .map { "\(folder)/\($0)" }
    }
}
