package import KeychainServices
package import PlainTextFormats
package import ToolCatalog

/// The passwords and tokens in gradle.properties.
///
/// A property `NAME` becomes a generic password with the service `gradle/NAME`; gradle also takes it from the variable
/// `ORG_GRADLE_PROJECT_NAME`. The names are those that a scan looks for. The corresponding page of Gradle's
/// documentation is "Configuring the Build Environment".
package struct GradlePropertiesFile: PlainReader {
    package init() {}

    package func syntax(of text: Span<UInt8>) -> PlainTextFormat? { .properties }

    private static let endings: [PlainTextKey.Step] = ["*assword", "*Token", "*token", "*Secret"]

    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        var earlier = EarlierEntries()
        var records: [ImportRecord] = []
        // Of two with one name, the last one counts.
        for line in SettingLines(text, signs: .ofProperties).lines.reversed() {
            let name = text.extracting(line.keyRange).name
            guard GradlePropertiesFile.endings.contains(where: { $0.matches(name) }),
                text.extracting(line.value).isSecret
            else {
                continue
            }
            records.append(
                ImportRecord(
                    line: line.line.number, range: line.line.whole,
                    content: GradlePropertiesFile.content(name, line, text, &earlier)))
        }
        for record in records.reversed() {
            try body(record)
        }
    }

    private static func content(
        _ name: String, _ line: SettingLine, _ text: Span<UInt8>,
        _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        guard !name.hasPrefix("systemProp."), name.utf8.allSatisfy(\.isOfVariable) else {
            return .unreadable("no variable can set it")
        }
        // A blank at the end belongs to the value.
        let rest = text.extracting(line.value.upperBound..<line.line.range.upperBound)
        let bytes = text.extracting(line.value)
        guard !bytes.contains(.backslash), !rest.contains(.space) else {
            return .unreadable("its value has escapes, several lines or a blank at its end")
        }
        var attributes = ItemAttributes()
        attributes.accessGroup = "login"
        attributes.service = ByteString("gradle/\(name)")
        let item = NewItem(.genericPassword, attributes, secret: Secret(copying: bytes))
        return earlier.item(item)
    }
}

extension UInt8 {
    /// Whether it can be in a variable's name.
    fileprivate var isOfVariable: Bool { isLetterOrDigit || self == UInt8(ascii: "_") }
}

extension GradleTool: ReadTool {
    package typealias Reader = GradlePropertiesFile
}
