package import KeychainServices

/// The text of docker's config.json. Only the value of `credsStore` changes.
package struct DockerConfigText {
    private let bytes: FileBytes
    private let members: [JSONMember]

    /// Parses a text, which is one JSON object or blank.
    ///
    /// - Throws: ``Status/decode`` with the number of the invalid line, never its content.
    package init(_ bytes: FileBytes, path: String) throws(KeychainError) {
        self.bytes = bytes
        guard !bytes.allSatisfy(\.isWhitespace) else {
            // docker treats it as an empty object.
            members = []
            return
        }
        do throws(JSONMember.Problem) {
            members = try JSONMember.all(in: bytes)
        } catch {
            throw KeychainError(
                .decode, "'\(path)' is not a JSON object: line \(error.line) is invalid",
                hint: "fix the file, or move it away")
        }
        let stores = credsStores
        guard stores.count <= 1 else {
            throw KeychainError(.decode, "'\(path)' has more than one credsStore")
        }
        if let store = stores.first {
            let first = bytes[store.valueRange.lowerBound]
            guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "n") else {
                throw KeychainError(.decode, "the credsStore in '\(path)' is not a string")
            }
        }
    }

    /// Whether the object is empty.
    var isEmpty: Bool { members.isEmpty }

    /// The value of `credsStore` in its original form, nil without one.
    package var credsStore: [UInt8]? { credsStores.first.map { Array(bytes[$0.valueRange]) } }

    /// The helper that `credsStore` names, nil without one.
    package var store: String? {
        guard let value = credsStore, value.count > 2, value.first == UInt8(ascii: "\"") else {
            return nil
        }
        return String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
    }

    /// Whether docker stores its logins in lanyard.
    package var isSetUp: Bool { credsStore?.elementsEqual(DockerConfigText.lanyard) == true }

    /// The registries whose logins another helper stores, with its name.
    package var registryHelpers: [(registry: String, helper: String)] {
        objectMembers("credHelpers").compactMap { member in
            let value = bytes[member.valueRange]
            guard value.first == UInt8(ascii: "\""), value != DockerConfigText.lanyard
            else {
                return nil
            }
            return (
                member.name.description,
                String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
            )
        }
    }

    /// The registries with a docker login.
    package var registries: [String] {
        objectMembers("auths").map(\.name.description)
    }

    /// The registries with a plain-text login here.
    var registriesWithLogin: [String] { logins.map(\.name.description) }

    private var logins: [JSONMember] {
        objectMembers("auths").filter { registry in
            let login = (try? JSONMember.all(in: bytes[registry.valueRange])) ?? []
            return login.contains { member in
                ["auth", "password", "identitytoken", "registrytoken"].contains {
                    member.isNamed($0)
                } && member.valueRange.count > 2
            }
        }
    }

    /// The text with lanyard as `credsStore`, in the existing style.
    var settingUp: FileBytes {
        if let store = credsStores.first {
            return replacing(store.valueRange, with: DockerConfigText.lanyard)
        }
        let name: FileBytes = "\"credsStore\""
        guard let last = members.last else {
            let lineEnd = FileBytes(GitConfigBlock.lineEnd(of: bytes))
            return FileBytes(joining: [
                "{", lineEnd, "\t", name, ": ", DockerConfigText.lanyard, lineEnd, "}", lineEnd,
            ])
        }
        let end = last.valueRange.upperBound
        return FileBytes(joining: [
            bytes[..<end], ",", space(before: last.start), name, ":",
            space(before: last.valueRange.lowerBound), DockerConfigText.lanyard, bytes[end...],
        ])
    }

    /// Returns the text with the previous value of `credsStore`, if it still is lanyard.
    ///
    /// - Parameter replaced: The value before, nil for none.
    func takingBack(_ replaced: [UInt8]?) -> FileBytes {
        guard isSetUp, let index = members.firstIndex(where: { $0.isNamed("credsStore") }) else {
            return bytes
        }
        if let replaced {
            return replacing(members[index].valueRange, with: FileBytes(replaced))
        }
        let range =
            switch (index, members.count) {
            case (_, 1):
                members[0].start..<members[0].valueRange.upperBound
            case (members.count - 1, _):
                members[index - 1].valueRange.upperBound..<members[index].valueRange.upperBound
            default:
                members[index].start..<members[index + 1].start
            }
        return replacing(range, with: "")
    }

    /// Returns the text with the plain-text logins of another one for the registries that have none here.
    ///
    /// - Returns: The text, and the registries that have another login here, which stays.
    /// - Throws: As ``init(_:path:)``.
    func merging(
        _ other: DockerConfigText, path: String
    ) throws(KeychainError) -> (bytes: FileBytes, others: [String]) {
        var text = self
        var others: [String] = []
        for login in other.logins {
            let value = other.bytes[login.valueRange]
            let auths = text.members.last { $0.isNamed("auths") }
            let present = text.objectMembers("auths").last { $0.name == login.name }
            let new: FileBytes
            if let present {
                let members = try? JSONMember.all(in: text.bytes[present.valueRange])
                guard members?.isEmpty == true else {
                    if text.bytes[present.valueRange] != value {
                        others.append(login.name.description)
                    }
                    continue
                }
                new = text.replacing(present.valueRange, with: value)
            } else {
                let member = other.bytes[login.start..<login.valueRange.upperBound]
                new =
                    auths.map { text.adding(member, to: $0.valueRange) }
                    ?? text.adding(
                        FileBytes(joining: ["\"auths\": {", member, "}"]),
                        to: text.bytes.startIndex..<text.bytes.endIndex)
            }
            text = try DockerConfigText(new, path: path)
        }
        return (text.bytes, others)
    }

    /// Returns the text with another member at the end of an object, in the style of the last one.
    private func adding(_ member: FileBytes, to object: Range<Int>) -> FileBytes {
        guard let last = (try? JSONMember.all(in: bytes[object]))?.last else {
            return replacing(object, with: FileBytes(joining: ["{", member, "}"]))
        }
        let end = last.valueRange.upperBound
        return replacing(
            end..<end, with: FileBytes(joining: [",", space(before: last.start), member]))
    }

    private static let lanyard: FileBytes = "\"lanyard\""

    private var credsStores: [JSONMember] { members.filter { $0.isNamed("credsStore") } }

    private func objectMembers(_ name: String) -> [JSONMember] {
        members.last { $0.isNamed(name) }
            .flatMap { try? JSONMember.all(in: bytes[$0.valueRange]) } ?? []
    }

    private func replacing(_ range: Range<Int>, with new: FileBytes) -> FileBytes {
        FileBytes(joining: [bytes[..<range.lowerBound], new, bytes[range.upperBound...]])
    }

    /// Returns the white space before a place.
    private func space(before end: Int) -> FileBytes {
        let start = bytes[..<end].lastIndex { !$0.isWhitespace }.map { $0 + 1 } ?? 0
        return bytes[start..<end]
    }
}
