import Foundation
import LanyardTransfer
import KeychainServices
import TestSupport
import Testing
import ToolCatalog
import ToolSetup

@testable import LanyardCommand

/// A home folder with a keychain, for one profile.
struct ProfileHome {
    let folder: ScratchFolder
    let keychain = Keychain(
        InMemoryStore { Timestamp(secondsSinceEpoch: 0) }, accessGroups: .all(addingTo: "login")
    )
    let profile: ToolProfile

    init(_ name: String) throws {
        folder = try ScratchFolder()
        profile = try #require(ToolProfile.all.first { $0.name == name })
    }

    /// Imports a file, and leaves it where the program has it.
    func add(_ text: String, number: Int = 0) throws {
        let file = profile.plainText[number]
        try write(text, to: file.path)
        try ProfileFile(profile, file).read(Array(text.utf8).span) {
            record throws(KeychainError) in
            if case .item(let item) = record.content {
                try keychain.add(item.itemClass, item.attributes, secret: item.secret.copy())
            }
        }
    }

    func write(_ text: String, to path: String) throws {
        let place = URL(filePath: "\(folder.path)/\(path)")
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place)
    }

    /// Adds an item as a user does.
    func set(_ service: ByteString, _ account: ByteString? = nil, secret: String) throws {
        var attributes = ItemAttributes()
        attributes.service = service
        attributes.account = account
        try keychain.add(.genericPassword, attributes, secret: Secret(secret))
    }

    /// Returns everything that a program gets, nil if it gets nothing.
    func given(
        _ command: [String], _ variables: [String: String] = [:], account: String? = nil,
        user: String = "carl"
    ) throws -> String? {
        let environment = SetupEnvironment(
            variables: ["HOME": folder.path].merging(variables) { $1 },
            stateFolder: folder.path)
        let values = try ProfileGrant(profile, account: account).values(
            SecretLookup(in: keychain, group: nil),
            ProgramRequest(command, profile, environment, user: user) { _ in nil })
        guard let values else {
            return nil
        }
        var all = ""
        for variable in profile.variables {
            if let value = try values.value(variable) {
                all +=
                    "\(variable.name)="
                    + value.withBytes { ByteString(copying: $0).description } + "\n"
            }
        }
        for file in profile.files {
            all += try values.content(file).withBytes { ByteString(copying: $0).description }
        }
        return all
    }

    func secret(
        _ command: [String], _ variables: [String: String] = [:], account: String? = nil
    ) throws -> String? {
        let all = try given(command, variables, account: account)
        let found = ["s-first", "s-second", "s-bob"].filter { all?.contains($0) == true }
        #expect(found.count < 2)
        return found.first
    }
}
