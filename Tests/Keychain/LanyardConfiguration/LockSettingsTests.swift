import KeychainServices
import TestSupport
import Testing

@testable import LanyardConfiguration

/// When keychains lock, by the configuration.
@Suite struct LockSettingsTests {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func file() throws -> String {
        let bytes = try ConfigurationFile.read(Configuration.file(folder.places))
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    @Test func aKeychainHasATimeOfItsOwn() throws {
        let configuration = try folder.configuration(
            """
            [lanyard]
            autolock = 1h
            [keychain "work"]
            AutoLock = 5m
            [keychain "home"]
            autolock = never
            """)
        #expect(try configuration.autolock() == .seconds(3600))
        #expect(try configuration.autolock(ofKeychain: "login") == .seconds(3600))
        #expect(try configuration.autolock(ofKeychain: "work") == .seconds(300))
        #expect(try configuration.autolock(ofKeychain: "home") == .never)
        #expect(configuration.unknownSettings.isEmpty)
        #expect(try folder.configuration("").autolock(ofKeychain: "login") == .seconds(28800))
    }

    @Test func keychainsLockOnEventsOnlyIfToldSo() throws {
        let configuration = try folder.configuration(
            """
            [keychain "work"]
            lockOnSleep = yes
            LOCKONSCREENLOCK = 1
            [keychain "home"]
            lockonsleep = off
            """)
        #expect(try configuration.locksOnSleep(keychain: "work"))
        #expect(try configuration.locksOnScreenLock(keychain: "work"))
        #expect(try !configuration.locksOnSleep(keychain: "home"))
        #expect(try !configuration.locksOnScreenLock(keychain: "home"))
        #expect(try !configuration.locksOnSleep(keychain: "login"))
        #expect(configuration.unknownSettings.isEmpty)
    }

    @Test func invalidValuesAreMistakes() throws {
        let configuration = try folder.configuration(
            """
            [keychain "work"]
            autolock = soon
            lockOnSleep = perhaps
            lockOnScreenLock =
            """)
        #expect(
            configuration.mistakes.map(\.reason) == [
                "keychain.work.autolock is not a duration "
                    + "(\(Configuration.file(configuration.places)):2)",
                "keychain.work.lockOnSleep must be true or false "
                    + "(\(Configuration.file(configuration.places)):3)",
                "keychain.work.lockOnScreenLock must be true or false "
                    + "(\(Configuration.file(configuration.places)):4)",
            ])
    }

    @Test func namesKeepTheirSpelling() throws {
        var configuration = try folder.configuration("[keychain \"work\"]\n\tkind = sealed\n")
        try configuration.set(SettingName("keychain.work.LOCKONSLEEP"), to: "true")
        try configuration.set(SettingName("keychain.work.autolock"), to: "30m")
        #expect(
            try file()
                == "[keychain \"work\"]\n\tkind = sealed\n\tlockOnSleep = true\n\tautolock = 30m\n")
        #expect(
            configuration.value(of: try SettingName("keychain.work.lockonsleep")) == "true")
        #expect(
            configuration.settings.map(\.name).suffix(3) == [
                "keychain.work.kind", "keychain.work.autolock", "keychain.work.lockOnSleep",
            ])
    }

    @Test(arguments: [
        ("autolock", "0"), ("autolock", "soon"), ("lockOnSleep", "sometimes"),
        ("lockOnScreenLock", "2"), ("log", "perhaps"),
    ])
    func invalidValuesAreNotWritten(_ key: String, _ value: String) throws {
        var configuration = try folder.configuration("[keychain \"work\"]\n\tkind = sealed\n")
        let before = try file()
        #expect(throws: KeychainError.self) {
            try configuration.set(SettingName("keychain.work.\(key)"), to: value)
        }
        #expect(try file() == before)
    }

    /// They are the plugin's own there.
    @Test func aPluginMayHaveSuchKeys() throws {
        let configuration = try folder.configuration(
            "[keychain \"vault\"]\nkind = secret-service\nlockOnSleep = perhaps\n")
        #expect(configuration.mistakes.isEmpty)
        #expect(configuration.unknownSettings.isEmpty)
        let settings = configuration.pluginSettings(ofKeychain: "vault")
        #expect(settings.map(\.name) == ["lockonsleep"])
    }
}
