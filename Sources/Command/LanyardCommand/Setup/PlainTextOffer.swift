internal import LanyardPrompting
internal import KeychainServices
internal import ToolSetup

/// The offer of a setup to move plain-text logins to the keychain.
struct PlainTextOffer {
    let files: [PlainTextLeftover]
    /// Whether to ask nothing: the files then stay.
    let isAgreed: Bool

    /// Asks, and moves the logins. If it must not ask or the answer is no, it says how to do it later. A file that other
    /// programs read gets its own question, with no as the default.
    ///
    /// - Returns: The first error of an entry or a file, after trying all of them.
    /// - Throws: Errors of asking.
    func make() throws(KeychainError) -> KeychainError? {
        let own = files.filter { !$0.isReadByOthers }
        var failure: KeychainError?
        var hasRemoved = false
        // Once, after the last file.
        defer {
            if hasRemoved {
                printHint(ImportResult.adviceAfterRemoval)
            }
        }
        if !own.isEmpty {
            let isWanted =
                isAgreed ? false : try isYes(PlainTextOffer.question, byDefault: true)
            failure = try moveOrName(own, isWanted, &hasRemoved)
        }
        for file in files {
            guard let readers = file.otherReaders else {
                continue
            }
            let question =
                "\(readers) read '\(file.path)', and don't look in the keychain;"
                + " move its logins anyway?"
            let isWanted = isAgreed ? false : try isYes(question, byDefault: false)
            failure = try moveOrName([file], isWanted, &hasRemoved) ?? failure
        }
        return failure
    }

    private static let question = "move them into the keychain, and remove the plain text?"

    private func isYes(_ question: String, byDefault: Bool) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            return try askYesOrNo(
                question, hint: "the commands do it later", isYesByDefault: byDefault)
        } catch  where [.userCanceled, .interactionNotAllowed].contains(error.status) {
            // The setup remains: only this offer is cancelled.
            return false
        }
    }

    /// - Returns: The first error of an entry or a file.
    private func moveOrName(
        _ files: [PlainTextLeftover], _ isWanted: Bool, _ hasRemoved: inout Bool
    ) throws(KeychainError) -> KeychainError? {
        guard isWanted else {
            var screen = Screen()
            for file in files {
                screen.add("later", file.importCommand)
            }
            try screen.show()
            return nil
        }
        var failure: KeychainError?
        for file in files {
            do throws(KeychainError) {
                var screen = Screen()
                screen.add("file", file.path)
                try screen.show()
                var settings = ImportSettings()
                settings.removesPlainText = true
                settings.movedKind = file.kind
                let result = try importItems(from: file.importedFiles(), settings)
                hasRemoved = hasRemoved || result.hasRemoved
                try result.show(asJSON: false, advises: false)
            } catch {
                failure =
                    failure
                    ?? KeychainError(
                        error.status, "'\(file.path)': \(error.reason)", hint: error.hint)
            }
        }
        return failure
    }
}

extension PlainTextLeftover {
    /// Returns the file in the form that an import takes.
    func importedFiles() throws(KeychainError) -> ImportedFiles {
        switch kind {
        case .gitCredentials: try .gitCredentials(path)
        case .dockerConfig: try .dockerConfig(path)
        case .netrc: try .netrc(path)
        case .tool(let name): try ImportedTool.files(of: name, path)
        }
    }
}
