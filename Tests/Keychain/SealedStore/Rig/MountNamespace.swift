import Foundation
import Testing

/// Mounts that only this process sees. For child processes: what they mount ends with them.
enum MountNamespace {
    /// Whether this process may mount; some containers forbid it even to root.
    static let isPermitted: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "unshare -m sh -c 'mount -t tmpfs none /mnt' 2>/dev/null",
        ]
        try? process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// The reason that a test gives for being skipped.
    static let reason: Comment = "mounting is not permitted here"

    /// Gives this thread mounts of its own. The corresponding C function is `unshare`.
    static func enter() {
        typealias Unshare = @convention(c) (Int32) -> Int32
        // Swift's Glibc does not have it.
        let unshare = unsafeBitCast(dlsym(nil, "unshare"), to: Unshare.self)
        precondition(unshare(0x20000) == 0, "no mount namespace of our own")
        precondition(mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0)
    }

    /// Puts an empty file system of a few bytes at a folder.
    static func mountSmall(_ folder: String, _ options: String) {
        mkdir(folder, 0o700)
        precondition(mount("tmpfs", folder, "tmpfs", 0, "mode=700,\(options)") == 0)
    }

    /// Makes a folder read-only, for everybody in this namespace.
    static func makeReadOnly(_ folder: String) {
        precondition(mount(folder, folder, nil, UInt(MS_BIND), nil) == 0)
        precondition(
            mount("none", folder, nil, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0)
    }

    /// Makes one file appear in place of another.
    static func bind(_ file: String, to place: String) {
        precondition(mount(file, place, nil, UInt(MS_BIND), nil) == 0)
    }
}
