internal import HelperKit
internal import Keychain
internal import ToolSetup

extension SetupAllCommand {
    /// Offers to move logins in plain text into the keychain, and does it; where nobody is to be asked or
    /// the answer is no, says how to do it later.
    ///
    /// - Parameter isAgreed: Whether nobody is to be asked.
    /// - Returns: What first kept an entry or a file from being imported, after all of them were tried.
    /// - Throws: What keeps it from asking.
    func offerImport(
        _ files: [PlainTextLeftover], isAgreed: Bool
    ) throws(KeychainError) -> KeychainError? {
        guard !files.isEmpty else {
            return nil
        }
        let isWanted = isAgreed ? false : try isImportWanted()
        guard isWanted else {
            try show(files.map { "    \($0.importCommand)" })
            return nil
        }
        var failure: KeychainError?
        for file in files {
            do throws(KeychainError) {
                try show(["\(file.path):"])
                var settings = ImportSettings()
                settings.removesPlainText = true
                try importItems(from: file.importedFiles(), settings).show(asJSON: false)
            } catch {
                failure =
                    failure
                    ?? KeychainError(
                        error.status, "'\(file.path)': \(error.reason)", hint: error.hint)
            }
        }
        return failure
    }

    private func isImportWanted() throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            return try askYesOrNo(
                "move them into the keychain, and remove the plain text? [Y/n] ",
                hint: "the commands do it later")
        } catch {
            // What was set up stays so: there is nothing to cancel but this.
            guard [.userCanceled, .interactionNotAllowed].contains(error.status) else {
                throw error
            }
            return false
        }
    }
}

extension PlainTextLeftover {
    /// What an import takes its logins for.
    fileprivate func importedFiles() throws(KeychainError) -> ImportedFiles {
        switch kind {
        case .gitCredentials: try .gitCredentials(path)
        case .dockerConfig: try .dockerConfig(path)
        case .netrc: try .netrc(path)
        }
    }
}
