internal import KeychainServices

/// The access groups of this process: those that the program sets, or else those of its environment.
struct ProgramAccessGroups {
    private var chosen: AccessGroups?
    private var isInUse = false

    /// Sets the groups.
    ///
    /// - Throws: ``Status/param`` if they are in use.
    mutating func set(_ groups: AccessGroups) throws(KeychainError) {
        guard !isInUse, chosen == nil else {
            throw KeychainError(
                .param, "the program's access groups are in use and can't be set anymore")
        }
        chosen = groups
    }

    /// Returns the groups, which can't be set from then on.
    ///
    /// - Parameters:
    ///   - variable: The value of `LANYARD_ACCESS_GROUP`, nil if it is not set.
    ///   - name: Returns the name of the executable's file, nil if it is unknown.
    /// - Throws: ``Status/missingEntitlement`` if the name is needed and unknown; ``Status/param`` for an
    ///   empty name in the variable.
    mutating func use(
        variable: () throws(KeychainError) -> String?, name: () -> String?
    ) throws(KeychainError) -> AccessGroups {
        let groups: AccessGroups
        if let chosen {
            groups = chosen
        } else if let list = try variable() {
            groups = try AccessGroups(list: list)
        } else if let name = name() {
            groups = AccessGroups(ByteString(name))
        } else {
            throw KeychainError(
                .missingEntitlement, "the program's name is unknown, so it has no access group",
                hint: "set LANYARD_ACCESS_GROUP")
        }
        isInUse = true
        return groups
    }
}

extension AccessGroups {
    /// Creates the groups of a list with colons between the names, the first of which is the default.
    ///
    /// - Throws: ``Status/param`` for an empty name.
    init(list: String) throws(KeychainError) {
        let names = list.split(separator: ":", omittingEmptySubsequences: false)
        guard let first = names.first, !names.contains("") else {
            throw KeychainError(
                .param, "an access group in LANYARD_ACCESS_GROUP has no name",
                hint: "use the form LANYARD_ACCESS_GROUP=my-program:company")
        }
        self.init(
            ByteString(String(first)), others: names.dropFirst().map { ByteString(String($0)) })
    }
}
