internal import LanyardSecrets

extension PrivatePlace {
    /// Removes a folder with everything in it, as far as possible. It has to be a private one of ours, where no
    /// other user can put a link in between.
    package static func removeFolder(_ path: String) {
        guard let folder = try? PinnedFolder(path), let names = try? folder.names() else {
            return
        }
        removeContents(of: path, names)
        try? SystemCalls.removeFolder(path)
    }

    private static func removeContents(of path: String, _ names: [String]) {
        for name in names {
            let path = "\(path)/\(name)"
            do throws(SystemCallError) {
                // No link is followed.
                try SystemCalls.unlink(path)
            } catch {
                if let names = try? PinnedFolder(path, .any).names() {
                    removeContents(of: path, names)
                }
                try? SystemCalls.removeFolder(path)
            }
        }
    }
}
