internal import Configuration
public import KeychainServices
internal import LinuxSystem

extension AccessGroups {
    /// Returns the one access group of this program: the value of `LANYARD_ACCESS_GROUP`, or without it the
    /// program's name.
    ///
    /// The name is that of the executable's file, with symbolic links followed: the last component of
    /// `/proc/self/exe`. The name in the arguments does not count, because the caller chooses it. A renamed
    /// program therefore has another group, and so has a script, whose executable is its interpreter.
    ///
    /// - Throws: ``Status/missingEntitlement`` if the name is unknown, as without `/proc`;
    ///   ``Status/param`` if the variable is not UTF-8.
    public static func ofThisProgram() throws(KeychainError) -> AccessGroups {
        if let group = try Environment.value("LANYARD_ACCESS_GROUP") {
            return AccessGroups(ByteString(group))
        }
        let path = try? SystemCalls.readLink("/proc/self/exe")
        guard let name = path.flatMap(programName(of:)) else {
            throw KeychainError(
                .missingEntitlement, "the program's name is unknown, so it has no access group",
                hint: "set LANYARD_ACCESS_GROUP")
        }
        return AccessGroups(ByteString(name))
    }

    /// Returns the name of the executable that the kernel's link refers to, nil if it is empty.
    ///
    /// - Parameter path: The link's target; the kernel marks a file that was replaced by an update.
    static func programName(of path: String) -> String? {
        let mark = " (deleted)"
        let path = path.hasSuffix(mark) ? String(path.dropLast(mark.count)) : path
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return name.isEmpty ? nil : String(name)
    }
}
