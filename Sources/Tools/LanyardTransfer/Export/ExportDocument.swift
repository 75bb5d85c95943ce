package import KeychainServices
internal import StrictJSON

/// The JSON document that ``ItemExport`` writes: lanyard-export(5).
///
/// An item beyond a keychain's limits is skipped. Any other deviation from the page makes the whole
/// document invalid, before its first item is read.
package struct ExportDocument: ImportFormat {
    /// The value of the member `format`.
    static let format: ByteString = "lanyard-export"
    /// The value of the member `version`.
    static let version: Int64 = 1

    package init() {}

    /// Whether a file starts like a document of ``ItemExport``.
    package static func isDocument(_ file: borrowing Secret) -> Bool {
        file.withBytes { $0.starts(with: "{\"format\":\"lanyard-export\"") }
    }

    /// Reads a whole document. The dates of an item are among its attributes.
    ///
    /// - Parameters:
    ///   - file: The bytes of the document.
    ///   - body: Gets each item in the document's order. Its errors end the reading.
    /// - Throws: ``Status/decode`` for an invalid document, ``Status/wrongVersion`` for one of a newer
    ///   version.
    package func read(_ bytes: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        try checkVersion(bytes)
        try readItems(bytes) { _ throws(KeychainError) in }
        try readItems(bytes, body)
    }

    /// Checks the version first, because the rest of a newer document may have another format.
    private func checkVersion(_ bytes: Span<UInt8>) throws(KeychainError) {
        var format: ByteString?
        var version: Int64?
        try JSONReader.readObject(bytes) { name, reader throws(KeychainError) in
            switch name {
            case "format": format = try reader.readText()
            case "version": version = try reader.readInteger()
            default: break
            }
        }
        guard format == ExportDocument.format, let version, version > 0 else {
            throw KeychainError(.decode, "this is not a lanyard export")
        }
        guard version <= ExportDocument.version else {
            throw KeychainError(.wrongVersion, "the export's format is newer than this program")
        }
    }

    private func readItems(_ bytes: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        var number = 0
        var hasItems = false
        try JSONReader.readObject(bytes) { name, reader throws(KeychainError) in
            guard name == "items" else {
                return
            }
            hasItems = true
            try reader.readArray { reader throws(KeychainError) in
                number += 1
                try body(
                    ImportRecord(
                        place: "item \(number)", range: nil, content: try reader.readItem()))
            }
        }
        guard hasItems else {
            throw KeychainError(.decode, "the member 'items' is missing")
        }
    }

    private static let classes: [(itemClass: ItemClass, name: ByteString)] = [
        (.internetPassword, "internet-password"), (.genericPassword, "generic-password"),
        (.certificate, "certificate"), (.key, "key"),
    ]

    /// Returns the name of a class in a document.
    static func name(of itemClass: ItemClass) -> ByteString {
        classes.first { $0.itemClass == itemClass }!.name
    }

    /// Finds the class with a name.
    fileprivate static func itemClass(_ name: ByteString) -> ItemClass? {
        classes.first { $0.name == name }?.itemClass
    }

    /// Whether bytes are written as a JSON text: UTF-8 without a NUL.
    static func isText(_ bytes: Span<UInt8>) -> Bool {
        !bytes.contains(0) && bytes.isUTF8
    }
}

extension JSONReader {
    fileprivate mutating func readItem() throws(KeychainError) -> ImportRecord.Content {
        var className: ByteString?
        var attributes: ItemAttributes?
        var found: Secret?
        try readObject { name, reader throws(KeychainError) in
            switch name {
            case "class": className = try reader.readText()
            case "attributes": attributes = try reader.readAttributes()
            case "secret": found = try reader.readTextOrBase64()
            default: break
            }
        }
        guard let className, let attributes, let secret = found.take() else {
            throw KeychainError(.decode, "an item lacks its class, its attributes or its secret")
        }
        guard let itemClass = ExportDocument.itemClass(className) else {
            return .skipped(reason: "items of its class can't be stored")
        }
        guard secret.count <= Keychain.secretLimit else {
            return .skipped(reason: "the secret is longer than 2 MiB")
        }
        do throws(KeychainError) {
            try attributes.check(for: itemClass)
            try attributes.checkStorable()
        } catch {
            return .skipped(reason: error.reason)
        }
        return .item(NewItem(itemClass, attributes, secret: secret))
    }

    /// Reads a secret: a text, or an object with its bytes.
    private mutating func readTextOrBase64() throws(KeychainError) -> Secret {
        guard try kind == .object else {
            return try readSecret()
        }
        var found: Secret?
        try readObject { name, reader throws(KeychainError) in
            if name == "base64" {
                let text = try reader.readSecret()
                found = text.withBytes { Base64.decode($0) }
            }
        }
        guard let secret = found.take() else {
            throw KeychainError(.decode, "a secret is neither text nor Base64")
        }
        return secret
    }
}
