internal import KeychainServices
internal import ToolCatalog

extension SettingsSetup {
    /// Returns the configuration of the credential for the audience that is the first name; the second one is its path.
    ///
    /// - Throws: ``Status/param``.
    func gcloudFile(_ helper: String) throws(KeychainError) -> SettingsFile {
        let audience = try checkedNames()[0]
        guard audience.hasPrefix("//iam.googleapis.com/") else {
            throw KeychainError(
                .param, "an audience of gcloud starts with //iam.googleapis.com/")
        }
        return SettingsFile(
            try gcloudPath(), "Google's clients get the token from lanyard",
            lines: [
                "{", "  \"type\": \"external_account\",", "  \"audience\": \"\(audience)\",",
                "  \"subject_token_type\": \"urn:ietf:params:oauth:token-type:jwt\",",
                "  \"token_url\": \"https://sts.googleapis.com/v1/token\",",
                "  \"credential_source\": {", "    \"executable\": {",
                "      \"command\": \"\(helper) \(audience)\",",
                "      \"timeout_millis\": 30000", "    }", "  }", "}",
            ], .whole)
    }

    private func gcloudPath() throws(KeychainError) -> String {
        guard names.count < 3 else {
            throw KeychainError(
                .param, "more than one audience and one file", hint: "lanyard setup gcloud --help")
        }
        if names.count == 2 {
            guard names[1].hasPrefix("/") else {
                throw KeychainError(.param, "'\(names[1])' is not an absolute path")
            }
            return names[1]
        }
        return try environment.place(of: ".config/gcloud/lanyard.json", GcloudTool.moves)
    }
}
