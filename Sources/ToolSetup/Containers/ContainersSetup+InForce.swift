package import KeychainServices
internal import LinuxSystem

extension ContainersSetup {
    /// The file whose setting of helpers podman, skopeo and buildah follow.
    package struct Setting: Sendable {
        /// The file's path.
        package let path: String
        /// Whether it names lanyard and nothing else.
        package let isLanyard: Bool
        /// The helpers that it names; `containers-auth.json` is no program, but the file.
        package let helpers: [String]
    }

    /// The setting that is in force, nil if there is none: that of the last drop-in that has one, else
    /// of the main file, which in the home folder replaces the system's (containers-registries.conf(5)
    /// and containers-registries.conf.d(5)). Where versions look in different folders of the user's,
    /// that of one which does not name lanyard.
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
