internal import Foundation

/// The files of this project.
package enum Repository {
    /// The folder with Package.swift, without a slash at its end.
    package static let path = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../..").standardizedFileURL.path

    /// Returns the text of a file, by its path from there.
    package static func text(_ file: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
    }
}
