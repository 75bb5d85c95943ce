public import KeychainServices
internal import PlainTextFormats

/// The file ~/.aws/credentials: a section for each profile, with its keys.
///
/// A profile becomes an item of the group `aws`, as `aws-credential-lanyard` answers it. The range of an entry is its
/// section. The corresponding page of the AWS CLI's documentation is "Configuration and credential file settings".
public struct AWSCredentialsFile: ImportFormat {
    /// Creates the format, which has no settings.
    public init() {}

    /// Reads a whole file.
    ///
    /// - Throws: What the closure throws.
    public func read(
        _ text: Span<UInt8>,
        _ body: (ImportRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let settings = SettingLines(text)
        var earlier = EarlierEntries()
        for section in settings.sections {
            guard let key = settings.line(section.name, "aws_secret_access_key"),
                let id = settings.line(section.name, "aws_access_key_id")
            else {
                continue
            }
            var secret = SecretBuilder(capacity: key.value.count)
            secret.append(text.extracting(key.value))
            if let token = settings.line(section.name, "aws_session_token") {
                secret.append("\nsession_token=")
                secret.append(text.extracting(token.value))
            }
            let login = ToolLogin(
                "aws", service: section.name,
                account: ByteString(copying: text.extracting(id.value)))
            try body(
                ImportRecord(
                    line: section.number, range: section.range,
                    content: login.content(secret.finish(), &earlier)))
        }
    }
}
