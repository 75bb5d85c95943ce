internal import Glibc
internal import LinuxSystem

/// Lists a folder of the user's or the system's, whoever may write to it.
package enum FolderListing {
    /// Returns the names, none if the folder is unreadable.
    package static func names(_ folder: String) -> [String] {
        let names = try? SystemCalls.names(
            inFolder: SystemCalls.open(folder, O_RDONLY | O_DIRECTORY))
        return names ?? []
    }
}
