internal import LinuxSystem

/// Returns the path of the plugin for a kind of keychain. It is in `../libexec/lanyard` relative to
/// the running program, with links resolved, or next to the program; nil if it is in neither.
///
/// - Parameter program: The running program's path; nil asks the system.
public func findPlugin(kind: String, besideProgram program: String? = nil) -> String? {
    // A kind comes from a configuration, and is never a path.
    guard !kind.isEmpty, !kind.utf8.contains(UInt8(ascii: "/")),
        let program = SystemCalls.realPath(program ?? "/proc/self/exe"),
        let folder = PrivatePlace.parent(of: program)
    else {
        return nil
    }
    let installed = PrivatePlace.parent(of: folder) ?? ""
    return ["\(installed)/libexec/lanyard", folder]
        .map { "\($0)/\(PluginExecutable.name(kind: kind))" }
        .first { SystemCalls.realPath($0) != nil }
}
