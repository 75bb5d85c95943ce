import Foundation
import KeychainServices
import Testing

@testable import SealedStore
import TestSupport

/// A keychain that a released version made opens for ever. The folder Formats has two for each
/// version of the format, as they came from the program that first had it: `open` without a
/// passphrase, `locked` with one and with a recovery key. They are never made again.
@Suite("Kept formats") struct KeptFormatTests {
    private static let folder =
        "\(Repository.path)/Tests/Keychain/SealedStore/Formats"
    private static let passphrase = "correct horse battery staple"

    static let versions: [String] =
        (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []

    /// A copy, since git keeps no modes and opening may write.
    private func copy(_ version: String, _ name: String) throws -> ScratchKeychain {
        let scratch = try ScratchKeychain(make: false)
        for part in ["data", "state"] {
            let to = "\(scratch.folder)/\(part)"
            try FileManager.default.copyItem(
                atPath: "\(Self.folder)/\(version)/\(name)/\(part)", toPath: to)
            chmod(to, 0o700)
            for file in try FileManager.default.contentsOfDirectory(atPath: to) {
                chmod("\(to)/\(file)", 0o600)
            }
        }
        return scratch
    }

    /// Expects the sample items and nothing else.
    private func expectSamples(_ store: SealedStore, hasPassphrase: Bool) throws {
        let samples = SampleItem.all(hasPassphrase: hasPassphrase)
        #expect(try store.count() == samples.count)
        for sample in samples {
            var found = 0
            var query = Query(sample.itemClass, sample.attributes, returns: [.attributes, .data])
            query.synchronizable = .any
            try store.forEachMatch(query) { item throws(KeychainError) in
                found += 1
                var attributes = item.attributes
                #expect(attributes?.creationDate != nil && attributes?.modificationDate != nil)
                attributes?.creationDate = nil
                attributes?.modificationDate = nil
                attributes?.accessGroup = sample.attributes.accessGroup
                attributes?.synchronizable = sample.attributes.synchronizable
                #expect(attributes == sample.attributes)
                if case .some(let secret) = item.secret {
                    #expect(bytes(secret) == sample.secret)
                } else {
                    Issue.record("no secret")
                }
                return .next
            }
            #expect(found == 1, "\(sample.attributes)")
        }
        #expect(try store.verify() == samples.count)
    }

    @Test func thereIsOneOfEachVersion() {
        #expect(Self.versions == FormatVersion.all.map { "\($0.number)" })
    }

    @Test(arguments: versions)
    func withoutAPassphrase(_ version: String) throws {
        let scratch = try copy(version, "open")
        try expectSamples(try scratch.openStore(), hasPassphrase: false)
        #expect(scratch.adding() == nil)
        #expect(scratch.verified() == SampleItem.all(hasPassphrase: false).count + 1)
    }

    @Test(arguments: versions)
    func withAPassphrase(_ version: String) throws {
        let scratch = try copy(version, "locked")
        #expect(scratch.adding()?.status == .interactionNotAllowed)
        let provider = ScriptedProvider(given: Self.passphrase)
        try expectSamples(try scratch.openStore(provider: provider), hasPassphrase: true)
    }

    @Test(arguments: versions)
    func withTheRecoveryKeyAlone(_ version: String) throws {
        let scratch = try copy(version, "locked")
        // As on another machine.
        try FileManager.default.removeItem(atPath: scratch.stateFolder)
        let key = try String(
            contentsOfFile: "\(Self.folder)/\(version)/locked/recovery-key", encoding: .utf8)
        let store = try scratch.openStore(
            provider: ScriptedProvider(given: String(key.prefix { $0 != "\n" })))
        var found: [String] = []
        try store.forEachMatch(
            Query(.internetPassword, ItemAttributes(), returns: [.attributes])
        ) { item throws(KeychainError) in
            found.append(item.attributes?.server?.description ?? "")
            return .next
        }
        #expect(found.contains("ak.example"))
        #expect(
            try secret(
                Keychain(store, accessGroups: .all(addingTo: "test")),
                internetPassword("ak.example"))
                == "secret of ak")
    }

    /// Makes the keychains of the newest version; the folder must not be there.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["LANYARD_KEEP_FORMAT"] != nil))
    func make() throws {
        let version = "\(Self.folder)/\(FormatVersion.all.last?.number ?? 0)"
        for (name, hasPassphrase) in [("open", false), ("locked", true)] {
            let scratch = try ScratchKeychain()
            var recoveryKey = ""
            if hasPassphrase {
                try scratch.setPassphrase(Self.passphrase)
                let store = try scratch.openStore(
                    provider: ScriptedProvider(given: Self.passphrase))
                recoveryKey = text(try store.makeRecoveryKey())
            }
            let store = try scratch.openStore(
                provider: hasPassphrase ? ScriptedProvider(given: Self.passphrase) : nil)
            for sample in SampleItem.all(hasPassphrase: hasPassphrase) {
                try Keychain(store, accessGroups: .all(addingTo: "test")).add(
                    sample.itemClass, sample.attributes, secret: secretOf(sample.secret))
            }
            try FileManager.default.createDirectory(
                atPath: version, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: scratch.folder, toPath: "\(version)/\(name)")
            if hasPassphrase {
                try "\(recoveryKey)\n".write(
                    toFile: "\(version)/\(name)/recovery-key", atomically: true, encoding: .utf8)
            }
        }
    }
}
