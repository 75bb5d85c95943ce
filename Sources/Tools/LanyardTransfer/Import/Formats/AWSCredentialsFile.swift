package import KeychainServices
package import PlainTextFormats
package import ToolCatalog

/// The file ~/.aws/credentials: a section for each profile, with its keys. ~/.aws/config may have them, too; there the
/// name of a section is `profile NAME`.
///
/// A profile becomes an item of the group `aws`, as `aws-credential-lanyard` answers it. The range of an entry is its
/// section; if that has further settings, such as a region, the ranges are the lines of its keys. The corresponding
/// page of the AWS CLI's documentation is "Configuration and credential file settings".
package struct AWSCredentialsFile: PlainReader {
    package init() {}

    package func syntax(of text: Span<UInt8>) -> PlainTextFormat? { .ini }

    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        // As Python's configparser, with which aws reads it.
        let settings = SettingLines(text, signs: .firstSign)
        let linesOfSections = settings.linesOfSections
        var earlier = EarlierEntries()
        for (number, section) in settings.sections.enumerated() {
            let lines = linesOfSections[number] ?? []
            if var content = AWSCredentialsFile.content(
                AWSCredentialsFile.profile(of: section, text), lines, text, &earlier)
            {
                // A part of the value above it.
                if let other = settings.others(in: section).first {
                    content = .unreadable("its line \(other.number) is not a setting")
                } else if lines.contains(where: {
                    AWSCredentialsFile.keys.contains($0.key.lowercasedASCII) && $0.isContinued
                }) {
                    content = .unreadable(SkipReason.continued)
                } else if AWSCredentialsFile.hasTwo(lines, text) {
                    content = .unreadable("it has one of its keys twice, which aws refuses")
                }
                try body(
                    ImportRecord(
                        line: section.line,
                        ranges: content.isItem
                            ? AWSCredentialsFile.ranges(ofKeys: lines, in: section)
                            : [section.range],
                        content: content))
            }
        }
    }

    /// Older programs call the token of a session `aws_security_token`.
    private static let keys = Set<ByteString>(
        [
            "aws_access_key_id", "aws_secret_access_key", "aws_session_token", "aws_security_token",
        ] + expiries)

    /// When a session ends, as programs that write one there call it.
    private static let expiries: [ByteString] = [
        "x_security_token_expires", "aws_session_expiration", "aws_expiration", "expiration",
    ]

    /// Whether a section has a key twice, or two tokens.
    private static func hasTwo(_ lines: [SettingLine], _ text: Span<UInt8>) -> Bool {
        let names = lines.map(\.key.lowercasedASCII).filter { keys.contains($0) }
        let tokens = lines.filter {
            ["aws_session_token", "aws_security_token"].contains($0.key.lowercasedASCII)
        }
        let values = Set(tokens.map { Secret(copying: text.extracting($0.value)).digest })
        return Set(names).count < names.count || values.count > 1
    }

    /// Returns the profile's name in that of a section: `work` in `work`, `profile work` and `profile "work"`.
    private static func profile(
        of section: PlainTextSection, _ text: Span<UInt8>
    ) -> ByteString {
        let name = text.extracting(section.nameRange)
        guard name.starts(with: "profile"), name.count > 7, name[7].isBlank else {
            return section.name
        }
        return ByteString(copying: name.extracting(name.unquoted(7..<name.count)))
    }

    /// Returns what a profile becomes, nil without keys.
    private static func content(
        _ profile: ByteString, _ lines: [SettingLine], _ text: Span<UInt8>,
        _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content? {
        func value(_ key: ByteString) -> Range<Int>? {
            lines.last { $0.key.lowercasedASCII == key }?.value
        }
        guard let key = value("aws_secret_access_key"), let id = value("aws_access_key_id") else {
            return nil
        }
        var secret = SecretBuilder(capacity: key.count)
        secret.append(text.extracting(key))
        if let token = value("aws_session_token") ?? value("aws_security_token") {
            secret.append("\nsession_token=")
            secret.append(text.extracting(token))
            for key in expiries {
                if let range = value(key), let end = text.extracting(range).date {
                    secret.append("\nexpiration=")
                    secret.append(ByteString(end.text))
                    break
                }
            }
        }
        return ToolLogin(
            "aws", service: profile, account: ByteString(copying: text.extracting(id))
        ).content(secret.finish(), &earlier)
    }

    /// Returns all of a section, or the lines of its keys if it has further settings.
    private static func ranges(
        ofKeys lines: [SettingLine], in section: PlainTextSection
    ) -> [Range<Int>] {
        let ofKeys = lines.filter { keys.contains($0.key.lowercasedASCII) }
        return ofKeys.count == lines.count ? [section.range] : ofKeys.map(\.line.whole)
    }
}

extension AWSTool: ReadTool {
    package typealias Reader = AWSCredentialsFile
}
