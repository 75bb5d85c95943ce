import Foundation
import LanyardSecrets

/// A response file of NIST's Cryptographic Algorithm Validation Program, in the folder `cryptography_vectors`
/// that LANYARD_TEST_NIST_VECTORS names: the PyPI package of this name has copies.
struct ResponseFile {
    static let folder: String? = {
        let folder = ProcessInfo.processInfo.environment["LANYARD_TEST_NIST_VECTORS"]
        if folder == nil {
            print("skipped: LANYARD_TEST_NIST_VECTORS names no folder of NIST's vectors")
        }
        return folder
    }()

    /// One test: the lines between two empty ones.
    struct Vector: CustomStringConvertible {
        /// The lines in brackets before it, the outermost first.
        var headings: [String] = []
        var fields: [String: String] = [:]
        var description: String

        /// Whether the file says that it is valid.
        var isValid: Bool { (fields["Result"] ?? "P").hasPrefix("P") && fields["FAIL"] == nil }

        /// The bytes of a field.
        func bytes(_ name: String) throws -> [UInt8] {
            guard let digits = fields[name],
                let bytes = Hexadecimal.decode(
                    ((digits.count.isMultiple(of: 2) ? "" : "0") + digits).utf8)
            else {
                throw FormatError(description: "\(description): there are no digits of \(name)")
            }
            return bytes
        }

        /// The number of a field, with as many bytes or, if it is greater, with more.
        func number(_ name: String, byteCount: Int = 0) throws -> [UInt8] {
            let bytes = Array(try bytes(name).drop { $0 == 0 })
            return [UInt8](repeating: 0, count: max(0, byteCount - bytes.count)) + bytes
        }
    }

    struct FormatError: Error, CustomStringConvertible {
        let description: String
    }

    let vectors: [Vector]

    /// Reads a file strictly: a line that is none of its forms is an error.
    ///
    /// - Parameter shared: The fields of keys and the like, which apply to all further vectors below the
    ///   same heading.
    init(_ path: String, shared names: Set<String> = []) throws {
        let url = URL(filePath: "\(Self.folder ?? "")/\(path)")
        let text = try String(contentsOf: url, encoding: .utf8)
        var parser = Parser(path: path, sharedNames: names)
        for (index, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        )
        .enumerated() {
            try parser.read(line, number: index + 1)
        }
        parser.endVector()
        vectors = parser.vectors
    }

    private struct Parser {
        let path: String
        let sharedNames: Set<String>
        var vectors: [Vector] = []
        private var headings: [String] = []
        private var hasVectors = false
        private var shared: [String: String] = [:]
        private var current: Vector?

        init(path: String, sharedNames: Set<String>) {
            self.path = path
            self.sharedNames = sharedNames
        }

        mutating func read(_ line: Substring, number: Int) throws {
            let isEmpty = line.allSatisfy { $0 == " " } || line == "!!"
            // Intermediate values are indented.
            guard let first = line.first, !isEmpty, first != "#", first != "\t" else {
                return isEmpty ? endVector() : ()
            }
            if first == "[" {
                return addHeading(line)
            }
            // Some have no space before the sign.
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            var vector = current ?? Vector(description: "\(path), line \(number)")
            guard parts.count == 2 || parts == ["FAIL"],
                vector.fields.updateValue(parts.count == 2 ? parts[1] : "", forKey: parts[0]) == nil
            else {
                throw FormatError(description: "\(path), line \(number): unknown form")
            }
            current = vector
            // Some vectors follow with no empty line between.
            if parts[0] == "Result" {
                endVector()
            }
        }

        private mutating func addHeading(_ line: Substring) {
            endVector()
            if hasVectors {
                (headings, shared, hasVectors) = ([], [:], false)
            }
            // One of NIST's headings lacks its end.
            headings.append(
                line.dropFirst().trimmingCharacters(in: CharacterSet(charactersIn: "] ")))
        }

        mutating func endVector() {
            guard var vector = current else {
                return
            }
            current = nil
            hasVectors = true
            let isShared = vector.fields.keys.allSatisfy(sharedNames.contains)
            shared.merge(vector.fields.filter { sharedNames.contains($0.key) }) { $1 }
            guard !isShared else {
                return
            }
            vector.fields.merge(shared) { own, _ in own }
            vector.headings = headings
            vectors.append(vector)
        }
    }
}
