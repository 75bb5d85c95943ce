import Foundation
import Testing
import TestSupport

/// A request that means harm, or only looks like it, with the answer that it has to get: one case of
/// the files in `HostileRequests`.
///
/// A case is a heading `== what it is about` and lines `word: value`. Blank lines and lines that begin
/// with `#` mean nothing. A value goes from the blank behind the colon to the end of the line; `\n`,
/// `\r`, `\t`, `\s` (a blank), `\\`, `\xHH` and `\u{H…}` in it stand for bytes.
///
///     rule:     the CVE or the rule that it comes from
///     config:   a line of the configuration file
///     run:      git, docker or lanyard, and the arguments, between blanks; begins a step
///     in:       a part of standard input, nothing being added to it
///     in*N:     the same, N times
///     answer:   a part of standard output, nothing being added to it; without it there is none
///     refused:  what the line of the refusal says (docker's: begins with); there is no answer then
///     says:     what stderr says beside an answer; without it it is silent
///     exit:     the status, if it is not 0, or 1 of a refusal
///     changes:  how many items there are more after all steps (+1, -2), or `a secret`
struct HostileRequest: Sendable, CustomTestStringConvertible {
    /// One call of a program.
    struct Step: Sendable {
        let program: String
        let arguments: [String]
        var input: [UInt8] = []
        var answer: [UInt8] = []
        var refusal: String?
        var words: String?
        var status: Int32?

        /// The status to expect.
        var expectedStatus: Int32 { status ?? (refusal == nil ? 0 : 1) }
    }

    /// What has to be different after the last step.
    enum Change: Equatable, Sendable {
        case nothing
        /// So many items more.
        case items(Int)
        case secret
    }

    let group: String
    let name: String
    var rule = ""
    var configuration = ""
    var steps: [Step] = []
    var change = Change.nothing

    var testDescription: String { "\(group): \(name)" }

    /// All cases of all files.
    static func all() throws -> [HostileRequest] {
        let folder = URL(filePath: "\(Repository.path)/Tests/EndToEnd/HostileRequests")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        return try files.sorted { $0.path < $1.path }.flatMap { file in
            let group = file.deletingPathExtension().lastPathComponent
            return try read(String(contentsOf: file, encoding: .utf8), group: group)
        }
    }

    private static func read(_ text: String, group: String) throws -> [HostileRequest] {
        var requests: [HostileRequest] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line.hasPrefix("== ") {
                requests.append(HostileRequest(group: group, name: String(line.dropFirst(3))))
            } else if !line.isEmpty, !line.hasPrefix("#") {
                let last = requests.indices.last
                guard let last, let colon = line.firstIndex(of: ":"),
                    try requests[last].set(
                        line[..<colon], line[line.index(after: colon)...].dropFirst())
                else {
                    throw Misspelt(place: "\(group).txt, line \(index + 1)")
                }
            }
        }
        return requests
    }

    /// - Returns: Whether there is such a word.
    private mutating func set(_ word: Substring, _ value: Substring) throws -> Bool {
        switch word {
        case "rule": rule = String(value)
        case "config": configuration += value + "\n"
        case "run":
            let words = value.split(separator: " ").map { bytes($0) }
            let texts = words.map { String(decoding: $0, as: UTF8.self) }
            steps.append(Step(program: try program(texts[0]), arguments: Array(texts.dropFirst())))
        case "changes":
            change = value == "a secret" ? .secret : .items(Int(value) ?? 0)
        default:
            guard let step = steps.indices.last else {
                return false
            }
            return set(word, value, in: &steps[step])
        }
        return true
    }

    private func set(_ word: Substring, _ value: Substring, in step: inout Step) -> Bool {
        switch word {
        case "in": step.input += bytes(value)
        case _ where word.hasPrefix("in*"):
            guard let count = Int(word.dropFirst(3)) else {
                return false
            }
            step.input += Array(repeatElement(bytes(value), count: count).joined())
        case "answer": step.answer += bytes(value)
        case "refused": step.refusal = String(value)
        case "says": step.words = String(value)
        case "exit": step.status = Int32(value)
        default: return false
        }
        return true
    }

    private func program(_ name: String) throws -> String {
        switch name {
        case "git": "git-credential-lanyard"
        case "docker": "docker-credential-lanyard"
        case "lanyard": "lanyard"
        default: throw Misspelt(place: "\(group).txt, '\(self.name)'")
        }
    }

    struct Misspelt: Error, CustomStringConvertible {
        let place: String

        var description: String { "\(place) can't be understood" }
    }
}

/// The bytes of a value, its escapes taken for what they stand for.
private func bytes(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.unicodeScalars
    while let scalar = rest.popFirst() {
        guard scalar == "\\" else {
            bytes += Array(String(scalar).utf8)
            continue
        }
        switch rest.popFirst() {
        case "n": bytes.append(0x0A)
        case "r": bytes.append(0x0D)
        case "t": bytes.append(0x09)
        case "s": bytes.append(0x20)
        case "x":
            bytes.append(UInt8(String(rest.prefix(2)), radix: 16) ?? 0)
            rest.removeFirst(2)
        case "u":
            let digits = rest.dropFirst().prefix { $0 != "}" }
            let value = UInt32(String(digits), radix: 16).flatMap { Unicode.Scalar($0) }
            bytes += Array(String(value ?? "?").utf8)
            rest.removeFirst(digits.count + 2)
        case let other: bytes += other.map { Array(String($0).utf8) } ?? []
        }
    }
    return bytes
}
