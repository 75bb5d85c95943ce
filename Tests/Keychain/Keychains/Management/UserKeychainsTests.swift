import Foundation
import KeychainServices
import LinuxSystem
import TestSupport
import SealedStore
import Testing

@testable import LanyardConfiguration
@testable import Keychains

/// Managing keychains from a program.
@Suite struct UserKeychainsTests {
    let folder: ScratchFolder
    let places: Places

    init() throws {
        folder = try ScratchFolder()
        places = Places(home: "\(folder.path)/home")
    }

    private func keychains() throws -> UserKeychains {
        UserKeychains(try Configuration(places: places))
    }

    /// The kernel's keys outlive the test.
    private func forgetKeys() {
        try? SealedStore.lockAll(stateFolder: places.state)
    }

    private func status(_ body: () throws(KeychainError) -> Void) -> Status? {
        do throws(KeychainError) {
            try body()
            return nil
        } catch {
            return error.status
        }
    }

    @Test func creatingListingAndDeleting() throws {
        var keychains = try keychains()
        let elsewhere = "\(folder.path)/elsewhere/private.keychain"
        try keychains.create("work")
        try keychains.create("private", file: elsewhere)
        try keychains.setDefault("work")
        let entries = try self.keychains().all()
        #expect(entries.map(\.name) == ["private", "work"])
        #expect(entries.map(\.file) == [elsewhere, "\(places.data)/work.keychain"])
        #expect(entries.map(\.kind) == ["sealed", "sealed"])
        #expect(entries.map(\.isDefault) == [false, true])
        #expect(try self.keychains().defaultName() == "work")

        #expect(try keychains.delete("private") == .deleted)
        #expect(!FileManager.default.fileExists(atPath: elsewhere))
        #expect(try keychains.delete("work") == .deleted)
        #expect(try self.keychains().configuration.namedKeychains == [])
        #expect(try self.keychains().configuration.chosenDefault == nil)
        #expect(
            status { () throws(KeychainError) in try keychains.delete("work") } == .noSuchKeychain)
    }

    /// A new keychain of the name, which is shared too, waits for the end of an exchange that still runs.
    @Test(arguments: [false, true])
    func deletingRemovesWhatIsStoredOfATeam(isExchanging: Bool) throws {
        var keychains = try keychains()
        try keychains.create("work")
        let files = ["work.team", "work.team.mark", "work.team.lock"]
        for file in files {
            try Data().write(to: URL(filePath: "\(places.state)/\(file)"))
        }
        let exchange = Descriptor(
            owning: try SystemCalls.openForChange("\(places.state)/work.team.lock"))
        if isExchanging {
            #expect(try SystemCalls.lock(exchange.number))
        }
        #expect(try keychains.delete("work") == .deleted)
        let left = files.filter {
            FileManager.default.fileExists(atPath: "\(places.state)/\($0)")
        }
        #expect(left == (isExchanging ? ["work.team.lock"] : []))
        extendLifetime(exchange)
    }

    @Test func aNameIsTakenOnce() throws {
        var keychains = try keychains()
        try keychains.create("work")
        for file in [nil, "\(folder.path)/work.keychain"] {
            #expect(
                status { () throws(KeychainError) in try keychains.create("work", file: file) }
                    == .duplicateKeychain)
        }
        #expect(
            status { () throws(KeychainError) in try keychains.add("work", kind: "example") }
                == .duplicateKeychain)
        #expect(
            status { () throws(KeychainError) in
                try keychains.create("login", file: "\(folder.path)/other.keychain")
            } == .duplicateKeychain)
        for name in ["", "../x", "-x", "a b"] {
            #expect(
                status { () throws(KeychainError) in try keychains.create(name) } == .param)
        }
        #expect(
            status { () throws(KeychainError) in try keychains.create("x", file: "x") } == .param)
        #expect(try keychains.all().map(\.name) == ["work"])
    }

    /// Deleting one of them must not delete what the other one has.
    @Test func twoNamesOfOneFile() throws {
        var keychains = try keychains()
        try keychains.create("work")
        try keychains.open("work", accessGroups: AccessGroups("test"))
            .setPassword("a password", service: "x", account: "ada")
        let file = "\(places.data)/work.keychain"
        do {
            try keychains.create("other", file: "\(places.data)//work.keychain")
            Issue.record("the file is taken")
        } catch {
            #expect(error.status == .duplicateKeychain)
            #expect(
                error.reason == "'\(places.data)//work.keychain' is the file of the keychain 'work'"
            )
            #expect(error.hint == nil)
        }
        // As in a file that was written with an editor.
        try keychains.configuration.set(
            "\(places.data)//work.keychain", for: "file", ofKeychain: "other")
        #expect(
            keychains.configuration.mistakes.map(\.reason) == [
                "the keychains 'other' and 'work' have the same file"
            ])
        try keychains.configuration.set("4h", for: "autolock", ofKeychain: "work")
        #expect(
            status { () throws(KeychainError) in
                try keychains.configuration.set(
                    SettingName("keychain.third.file"), to: file)
            } == .param)
        // Only the section gives the other one its file.
        do {
            try keychains.delete("work")
            Issue.record("the file belongs to two keychains")
        } catch {
            #expect(error.status == .param)
            #expect(error.reason == "the keychain 'other' has the same file '\(file)'")
            #expect(error.hint == "lanyard keychain delete other removes that name alone")
        }
        #expect(try keychains.delete("other") == .fileStays(other: "work"))
        #expect(try self.keychains().all().map(\.name) == ["work"])
        let password = try self.keychains().open("work", accessGroups: AccessGroups("test"))
            .password(service: "x", account: "ada")
        #expect(password == "a password")
        #expect(try keychains.delete("work") == .deleted)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    /// Programs that read the configuration before either made one.
    @Test(arguments: [true, false]) func aNameIsTakenOnceAtOnce(hasFile: Bool) throws {
        var first = try keychains()
        var second = first
        try first.create("work", file: "\(folder.path)/a/work.keychain")
        let file = hasFile ? "\(folder.path)/b/work.keychain" : nil
        let error = status { () throws(KeychainError) in try second.create("work", file: file) }
        #expect(error == .duplicateKeychain)
        let keychain = try self.keychains().open("work", accessGroups: AccessGroups("test"))
        try keychain.setPassword("a password", service: "x", account: "ada")
    }

    /// As after a process that ended before it gave its file a name.
    @Test func aFileWithoutANameIsHintedAt() throws {
        var keychains = try keychains()
        let file = "\(folder.path)/else/a b.keychain"
        try keychains.create("work", file: file)
        try FileManager.default.removeItem(atPath: Configuration.file(places))
        keychains = try self.keychains()
        do {
            try keychains.create("work", file: file)
            Issue.record("the file is taken")
        } catch {
            #expect(
                error.hint
                    == "if it is a keychain: lanyard config set keychain.work.file '\(file)'")
        }
    }

    @Test func aNameForAPluginGoesIfItFails() throws {
        var keychains = try keychains()
        let error = status { () throws(KeychainError) in
            try keychains.add("vault", kind: "example", settings: ["collection": "V"]) {
                configuration throws(KeychainError) in
                #expect(configuration.pluginSettings(ofKeychain: "vault").map(\.value) == ["V"])
                throw KeychainError(.notAvailable)
            }
        }
        #expect(error == .notAvailable)
        #expect(try self.keychains().all().isEmpty)
        try keychains.add("vault", kind: "example")
        #expect(try keychains.all().map(\.kind) == ["example"])
        #expect(try keychains.delete("vault") == .itemsStay(kind: "example"))
    }

    @Test func theSearchListHasEachNameOnce() throws {
        var keychains = try keychains()
        try keychains.create("work")
        try keychains.setSearchList(["work", "login", "work"])
        #expect(try self.keychains().searchList() == ["work", "login"])
        #expect(
            status { () throws(KeychainError) in try keychains.setSearchList(["none"]) }
                == .noSuchKeychain)
        #expect(
            status { () throws(KeychainError) in try keychains.setDefault("none") }
                == .noSuchKeychain)
        try keychains.setSearchList([])
        #expect(try self.keychains().searchList() == ["secret-service", "login"])
    }

    @Test func aPassphraseUnlocksAndLocks() throws {
        var keychains = try keychains()
        try keychains.create("work", passphrase: Secret("a passphrase"))
        defer { forgetKeys() }
        try keychains.lock("work")
        #expect(try keychains.isLocked("work"))
        #expect(
            status { () throws(KeychainError) in
                try keychains.unlock("work", passphrase: Secret("another one"))
            } == .authFailed)
        guard SealedStore.keyringRefusal() == nil else {
            return
        }
        try keychains.unlock("work", passphrase: Secret("a passphrase"))
        #expect(try !keychains.isLocked("work"))
        try keychains.lock("work")
        #expect(try keychains.isLocked("work"))
        #expect(
            status { () throws(KeychainError) in
                try keychains.create("empty", passphrase: Secret(""))
            } != nil)
        #expect(try keychains.all().map(\.name) == ["work"])
    }

    @Test func settingsAreWrittenWhereTheyDiffer() throws {
        var keychains = try keychains()
        try keychains.create("work")
        var settings = try keychains.settings(of: "work")
        #expect(settings == KeychainSettings())
        try keychains.setSettings(settings, of: "work")
        #expect(try self.keychains().configuration.namedKeychains == [])

        settings.lockAfter = 5400
        settings.locksOnSleep = true
        try keychains.setSettings(settings, of: "work")
        #expect(try self.keychains().settings(of: "work") == settings)
        #expect(
            try self.keychains().configuration.value(of: SettingName("keychain.work.autolock"))
                == "90m")
        settings = KeychainSettings(lockAfter: nil, locksOnScreenLock: true)
        try keychains.setSettings(settings, of: "work")
        #expect(try self.keychains().settings(of: "work") == settings)
        #expect(try keychains.settings(of: "login") == KeychainSettings())

        settings.lockAfter = 0
        #expect(
            status { () throws(KeychainError) in try keychains.setSettings(settings, of: "work") }
                == .param)
        for name in ["none", "secret-service"] {
            #expect(
                status { () throws(KeychainError) in _ = try keychains.settings(of: name) } != nil)
        }
    }

    @Test func anEventLocksTheKeychainsThatWantIt() throws {
        guard SealedStore.keyringRefusal() == nil else {
            return
        }
        var keychains = try keychains()
        for name in ["a", "b", "c"] {
            try keychains.create(name, passphrase: Secret("a passphrase"))
        }
        defer { forgetKeys() }
        try keychains.setSettings(KeychainSettings(locksOnSleep: true), of: "b")
        try keychains.setSettings(KeychainSettings(locksOnScreenLock: true), of: "c")
        func locked() throws -> [String] {
            try ["a", "b", "c"].filter { try keychains.isLocked($0) }
        }
        #expect(try locked() == [])
        try keychains.lock(on: .sleep)
        #expect(try locked() == ["b"])
        try keychains.lock(on: .screenLock)
        #expect(try locked() == ["b", "c"])
    }

    /// The others lock.
    @Test func anInvalidSettingKeepsNoOtherUnlocked() throws {
        guard SealedStore.keyringRefusal() == nil else {
            return
        }
        var keychains = try keychains()
        for name in ["a", "b"] {
            try keychains.create(name, passphrase: Secret("a passphrase"))
        }
        defer { forgetKeys() }
        try keychains.configuration.set("perhaps", for: "lockOnSleep", ofKeychain: "a")
        try keychains.configuration.set("true", for: "lockOnSleep", ofKeychain: "b")
        #expect(status { () throws(KeychainError) in try keychains.lock(on: .sleep) } == .param)
        #expect(try keychains.isLocked("b"))
    }

    @Test func openingKnowsTheKeychain() throws {
        var keychains = try keychains()
        #expect(
            status { () throws(KeychainError) in _ = try keychains.open("work") }
                == .noSuchKeychain)
        try keychains.create("work")
        let keychain = try keychains.open("work", accessGroups: AccessGroups("test"))
        try keychain.setPassword("a password", service: "x", account: "ada")
        #expect(try keychain.password(service: "x", account: "ada") == "a password")
    }
}
