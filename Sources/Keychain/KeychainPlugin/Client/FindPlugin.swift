internal import LinuxSystem

/// Returns the path of the plugin for a kind of keychain. It is in `../libexec/lanyard` relative to
/// the running program, with links resolved, or next to the program; nil if it is in neither.
///
/// - Parameter program: The running program's path; nil asks the system.
public func findPlugin(kind: String, besideProgram program: String? = nil) -> String? {
    kind.isEmpty
        ? nil
        : PluginProgram.find(
            PluginExecutable.name(kind: kind),
            in: program.map { Installation(ofProgram: $0) } ?? Installation())
}
