import Foundation
import KeychainServices
import Testing

@testable import SealedStore

/// A folder as /run/user/UID is, removed at the end.
struct ScratchLogin {
    private let scratch: ScratchKeychain

    init() throws {
        scratch = try ScratchKeychain(make: false)
        chmod(folder, 0o700)
    }

    var folder: String { scratch.folder }
    var file: String { LoginToken.path(in: folder) }

    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    func reading() throws -> [UInt8]? {
        try ScratchLogin.reading(folder)
    }

    func making() throws -> [UInt8]? {
        try ScratchLogin.making(folder)
    }

    static func reading(_ folder: String) throws -> [UInt8]? {
        switch try LoginToken.read(folder: folder) {
        case .some(let token): bytes(token)
        case .none: nil
        }
    }

    static func making(_ folder: String) throws -> [UInt8]? {
        switch try LoginToken.readOrMake(folder: folder) {
        case .some(let token): bytes(token)
        case .none: nil
        }
    }
}
