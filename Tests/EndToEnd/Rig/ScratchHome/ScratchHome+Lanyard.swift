import Foundation
import Testing

extension ScratchHome {
    /// Runs lanyard.
    func lanyard(
        _ arguments: String..., input: String = "", variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await command(
            "lanyard", arguments, input: Array(input.utf8), variables: variables
        ).run()
    }

    /// Stores a secret with `lanyard set --stdin`, which has to succeed in silence.
    func set(
        _ arguments: String..., secret: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await command(
            "lanyard", ["set", "--stdin"] + arguments, input: Array(secret.utf8)
        ).run()
        expectAnswer(outcome, "", sourceLocation: sourceLocation)
    }

    /// What a command prints with --json, which has to succeed in silence and be one line of JSON.
    func json(
        _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSONText {
        let outcome = try await command("lanyard", arguments).run()
        #expect(
            outcome.status == 0 && outcome.error.isEmpty, "\(outcome)",
            sourceLocation: sourceLocation)
        #expect(
            outcome.output.firstIndex(of: 10) == outcome.output.count - 1, "\(outcome)",
            sourceLocation: sourceLocation)
        return try JSONText(outcome.output)
    }
}

/// A JSON text, by Foundation's reader: not by ours.
enum JSONText: Hashable, Decodable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByNilLiteral
{
    case null
    case bool(Bool)
    case number(Int)
    case string(String)
    case array([JSONText])
    case object([String: JSONText])

    init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(JSONText.self, from: Data(bytes))
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSONText].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONText].self))
        }
    }

    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self = .number(value) }
    init(arrayLiteral elements: JSONText...) { self = .array(elements) }
    init(nilLiteral: ()) { self = .null }
    init(dictionaryLiteral elements: (String, JSONText)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }

    var elements: [JSONText] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var members: [String: JSONText] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// An object without the members whose values are the time of day.
    var withoutDates: JSONText {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutDates))
        case .object(let members):
            .object(members.filter { !["created", "changed"].contains($0.key) })
        default: self
        }
    }
}
