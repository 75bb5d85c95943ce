import Foundation
import Testing

/// A program that answers instead of a user, and notes how it was called.
struct AskpassProgram {
    let path: String
    private let folder: String

    /// - Parameters:
    ///   - answers: One for each call, the last for all after it; nil for a failure.
    ///   - before: A script that runs before the answer is given; `$folder` is its own.
    init(_ home: ScratchHome, answers: [String?], before: String = ":") throws {
        let name = "askpass-\(UUID().uuidString)"
        folder = "\(home.path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        for (number, answer) in answers.enumerated() {
            if let answer {
                _ = try home.write("\(answer)\n", to: "\(name)/answer-\(number)")
            }
        }
        // The answers stand in files: this program's own arguments and environment hold none.
        path = try home.write(
            """
            #!/bin/sh
            folder='\(folder)'
            number=0
            until mkdir "$folder/call-$number" 2>/dev/null; do number=$((number + 1)); done
            printf '%s' "$1" >"$folder/call-$number/question"
            cat /proc/self/environ >"$folder/call-$number/environ"
            ulimit -c >"$folder/call-$number/core"
            \(before)
            [ "$number" -lt \(answers.count) ] || number=\(answers.count - 1)
            [ -e "$folder/answer-$number" ] || exit 1
            cat "$folder/answer-$number"

            """, to: "\(name)/askpass", mode: 0o700)
    }

    /// What it was asked, call by call.
    func questions() throws -> [String] { try calls("question") }

    /// Its environments, call by call.
    func environments() throws -> [String] { try calls("environ") }

    /// What it wrote into a file of its own.
    func noted(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }

    /// The folder of a call, counted from 0. Its file `core` is written last.
    func call(_ number: Int) -> String { "\(folder)/call-\(number)" }

    private func calls(_ name: String) throws -> [String] {
        var found: [String] = []
        while FileManager.default.fileExists(atPath: "\(folder)/call-\(found.count)") {
            found.append(try noted("call-\(found.count)/\(name)"))
        }
        return found
    }
}
