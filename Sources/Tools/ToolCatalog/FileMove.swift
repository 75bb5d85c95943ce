/// What makes a program read one of its files, or a folder of them, in another place.
package struct FileMove: Hashable, Sendable {
    /// The paths below the home folder that it replaces.
    package let paths: [String]
    /// The options that name the place.
    package let options: [String]
    /// The variables that name it, in their order.
    package let variables: [String]
    /// Whether the variables of the XDG specification move the paths, too.
    package let obeysFolders: Bool

    /// Creates a move.
    package init(
        _ paths: String..., options: [String] = [], variables: [String] = [],
        obeysFolders: Bool = true
    ) {
        self.paths = paths
        self.options = options
        self.variables = variables
        self.obeysFolders = obeysFolders
    }

    /// The folders of the XDG specification, which nearly all programs obey.
    private static let folders = [
        FileMove(".config", variables: ["XDG_CONFIG_HOME"]),
        FileMove(".local/share", variables: ["XDG_DATA_HOME"]),
        FileMove(".cache", variables: ["XDG_CACHE_HOME"]),
    ]

    fileprivate static func folderPlace(
        of path: String, _ moves: [FileMove], _ variable: (String) -> String?
    ) -> String? {
        guard !moves.contains(where: { !$0.obeysFolders && $0.start(of: path) != nil }) else {
            return nil
        }
        // The specification ignores relative paths.
        return folders.compactMap { $0.place(of: path, [], variable) }.first { $0.hasPrefix("/") }
    }

    /// Returns the moved path that another one is, or is below; nil without one.
    package func start(of path: String) -> String? {
        paths.first { path == $0 || path.hasPrefix("\($0)/") }
    }

    /// Returns the place of a path, nil if it is not moved.
    fileprivate func place(
        of path: String, _ words: [String], _ variable: (String) -> String?
    ) -> String? {
        guard let start = start(of: path),
            let place = ToolScope.value(of: options, in: words)
                ?? variables.compactMap(variable).first(where: { !$0.isEmpty })
        else {
            return nil
        }
        let isRelative = !place.hasPrefix("/") && !place.hasPrefix("~/") && !place.hasPrefix("./")
        return (isRelative ? "./" : "") + place + path.dropFirst(start.count)
    }
}

extension ToolProfile {
    /// Returns the place of one of its programs' files if an option or a variable of theirs names another than the usual
    /// one; nil without one, and for a file with the secrets of several scopes.
    ///
    /// - Parameters:
    ///   - words: The program's arguments, without its name.
    ///   - variable: Returns the value of a variable, nil for one that is not set.
    package func otherPlace(
        of file: SecretFile, _ words: [String], _ variable: (String) -> String?
    ) -> String? {
        let hasSeveral = file.keys.contains { $0.holds == .scope || $0.path.contains(.any) }
        guard scope == nil || !hasSeveral else {
            return nil
        }
        let known = moves.contains { $0.start(of: file.path) != nil && !$0.options.isEmpty }
        let others = known ? [] : [FileMove(file.path, options: ToolProfile.fileOptions)]
        return (moves + others).compactMap { $0.place(of: file.path, words, variable) }.first
    }

    /// Returns the place of one of its programs' files if that is not the given path below the home folder, or `./NAME`:
    /// absolute, or with `~/` or `./` at the start for the home or the working folder.
    ///
    /// - Parameters:
    ///   - words: The program's arguments, without its name.
    ///   - variable: Returns the value of a variable, nil for one that is not set.
    package func place(
        of path: String, _ words: [String] = [], _ variable: (String) -> String?
    ) -> String? {
        if let place = moves.compactMap({ $0.place(of: path, words, variable) }).first {
            return place
        }
        return FileMove.folderPlace(of: path, moves, variable)
    }

    /// Returns where its programs may have one of their files, in the same forms: a folder of the XDG specification comes
    /// before the usual one, which some programs use nevertheless.
    package func places(of path: String, _ variable: (String) -> String?) -> [String] {
        if let place = moves.compactMap({ $0.place(of: path, [], variable) }).first {
            return [place]
        }
        return [FileMove.folderPlace(of: path, moves, variable), path].compactMap(\.self)
    }
}
