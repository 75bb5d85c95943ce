import TestSupport
import KeychainServices
import LinuxSystem
import SealedStore
import Testing

@testable import LanyardConfiguration

/// Which keychains are looked in, by the configuration.
@Suite struct SearchListTests {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private struct Case: CustomTestStringConvertible {
        let text: String
        let names: [String]
        var defaultName: String?
        var isChosen = true
        var testDescription: String { text.isEmpty ? "nothing" : text }
    }

    private static let cases = [
        Case(text: "", names: ["secret-service", "login"], isChosen: false),
        Case(text: "[lanyard]\ndefault = login", names: ["login"], defaultName: "login"),
        Case(text: "[lanyard]\ndefault = work", names: ["work", "login"], defaultName: "work"),
        Case(text: "[lanyard]\nsearchList = a b", names: ["a", "b"]),
        Case(text: "[lanyard]\nsearchlist = \"a,\tb  a\"", names: ["a", "b"]),
        Case(
            text: "[lanyard]\nsearchList = a b\ndefault = b", names: ["a", "b"], defaultName: "b"),
        Case(
            text: "[lanyard]\nsearchList = a b\ndefault = c", names: ["c", "a", "b"],
            defaultName: "c"),
        Case(
            text: "[lanyard]\ndefault = a\nfallback = b", names: ["a", "login", "b"],
            defaultName: "a"),
        Case(
            text: "[lanyard]\ndefault = a\nfallback = login", names: ["a", "login"],
            defaultName: "a"),
        Case(
            text: "[lanyard]\nautolock = 1h", names: ["secret-service", "login"], isChosen: false),
    ]

    @Test(arguments: cases)
    private func list(_ expected: Case) throws {
        let list = try folder.configuration(expected.text).searchList()
        #expect(list.names == expected.names)
        #expect(list.defaultName == expected.defaultName)
        #expect(list.isChosen == expected.isChosen)
    }

    /// Not even a folder is made.
    @Test func aChangeOfNothingLeavesNothing() throws {
        var configuration = try Configuration(places: folder.places)
        try configuration.setSearchList([])
        try configuration.forget(keychain: "work")
        #expect(throws: KeychainError(.param)) {
            try configuration.set(SettingName("lanyard.autolock"), to: "nonsense")
        }
        #expect(try !PrivatePlace.exists(folder.places.configuration))
        try configuration.setSearchList(["login"])
        #expect(try configuration.searchList().isChosen)
    }

    @Test func aFlagNamesTheOneKeychain() throws {
        let configuration = try folder.configuration("[lanyard]\nsearchList = a b\ndefault = b")
        let list = try configuration.searchList(flag: "c")
        #expect(list.names == ["c"])
        #expect(list.defaultName == "c")
    }

    /// A command without the option acts on the first sealed one.
    @Test(
        "the option in a hint",
        arguments: [
            ("", ["login": "", "work": " --keychain work"]),
            ("searchList = work login", ["login": " --keychain login", "work": ""]),
            ("searchList = secret-service work", ["login": " --keychain login", "work": ""]),
        ])
    func option(line: String, options: [String: String]) throws {
        let configuration = try folder.configuration("[lanyard]\n\(line)\n")
        for (name, option) in options {
            #expect(configuration.option(forKeychain: name) == option)
        }
    }

    @Test(
        arguments: [
            "searchList = ../x", "searchList =", "searchList = \" \"", "default = ../x",
            "fallback = ../x", "searchList =\nfallback = x",
        ])
    func whatCanBeNoListIsRefused(_ line: String) throws {
        let configuration = try folder.configuration("[lanyard]\n\(line)\n")
        #expect(throws: KeychainError(.param)) { try configuration.searchList() }
    }

    @Test func kinds() throws {
        let configuration = try folder.configuration(
            """
            [keychain "a"]
            kind = secret-service
            [keychain "b"]
            kind = sealed
            [keychain "c"]
            kind = team-server
            plugin = /opt/x
            collection = C
            collection = D
            [keychain "d"]
            kind = ../x
            """)
        #expect(try configuration.kind(ofKeychain: "a") == .secretService)
        #expect(try configuration.kind(ofKeychain: "b") == .sealed)
        #expect(try configuration.kind(ofKeychain: "c") == .plugin("team-server"))
        #expect(try configuration.kind(ofKeychain: "login") == .sealed)
        #expect(try configuration.kind(ofKeychain: "secret-service") == .secretService)
        #expect(throws: KeychainError.self) { try configuration.kind(ofKeychain: "d") }
        let settings = configuration.pluginSettings(ofKeychain: "c")
        #expect(settings.map(\.name) == ["collection"])
        #expect(settings.map(\.value) == ["D"])
    }

    /// An older keychain of that name must not be hidden.
    @Test func aSealedFileMayBeNamedSecretService() throws {
        let configuration = try folder.configuration("")
        try PrivatePlace.makeFolder(configuration.places.data)
        let nothing: [UInt8] = []
        let file = try configuration.places.keychain("secret-service").file
        try PrivatePlace.replaceFile(file, nothing.span)
        #expect(try configuration.kind(ofKeychain: "secret-service") == .sealed)
    }

    @Test func theSealedKeychainOfACommandIsTheFirstOne() throws {
        let configuration = try folder.configuration(
            "[lanyard]\nsearchList = a b c\n[keychain \"a\"]\nkind = secret-service\n")
        #expect(try configuration.sealedKeychain(flag: nil) == "b")
        #expect(try configuration.sealedKeychain(flag: "c") == "c")
    }

    @Test(arguments: ["", "0s", "never", "11m", "x"])
    func timeLimitsOfPluginsAreBounded(_ text: String) throws {
        let configuration = try folder.configuration("[lanyard]\ntimeout = \(text)\n")
        #expect(throws: KeychainError.self) { try configuration.timeout() }
    }

    @Test func timeLimitOfPlugins() throws {
        #expect(try folder.configuration("").timeout() == 5000)
        #expect(try folder.configuration("[lanyard]\ntimeout = 2m\n").timeout() == 120_000)
    }

    @Test func whatIsForgottenIsInNoList() throws {
        var configuration = try folder.configuration(
            """
            [lanyard]
            default = a
            fallback = a
            searchList = a b
            [keychain "a"]
            kind = secret-service
            """)
        try configuration.forget(keychain: "a")
        let list = try configuration.searchList()
        #expect(list.names == ["b"])
        #expect(list.defaultName == nil)
        #expect(list.fallback == nil)
        try configuration.forget(keychain: "b")
        #expect(try configuration.searchList().names == ["secret-service", "login"])
    }

    @Test func forgettingLeavesWhatAnotherProgramChanged() throws {
        var first = try folder.configuration("[lanyard]\nsearchList = login a b\n")
        var second = first
        try first.forget(keychain: "a")
        try second.forget(keychain: "b")
        #expect(try second.searchList().names == ["login"])
        try first.setSearchList(["login", "c", "d"])
        try second.forget(keychain: "d")
        #expect(try second.searchList().names == ["login", "c"])
    }

    @Test func aKindWithoutItsPluginIsNotSet() throws {
        var configuration = try folder.configuration("")
        let name = try SettingName("keychain.login.kind")
        let error = #expect(throws: KeychainError(.notAvailable)) {
            try configuration.set(name, to: "foo")
        }
        #expect(error?.hint == "install lanyard-keychain-foo beside lanyard")
        #expect(configuration.value(of: name) != "foo")
        #expect(try configuration.kind(ofKeychain: "login") == .sealed)
    }
}
