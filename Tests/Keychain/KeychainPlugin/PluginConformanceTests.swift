import Foundation
import KeychainServices
import TestSupport
import StoreConformance
import Testing

@testable import KeychainPlugin

@Suite("a keychain behind the protocol passes the conformance suite")
struct PluginConformanceTests {
    private static let executableCases: [ConformanceCase] = {
        guard ProcessInfo.processInfo.environment["LANYARD_PLUGIN"] == nil else {
            return StoreConformance.cases
        }
        return stride(from: 0, to: StoreConformance.cases.count, by: 10).map {
            StoreConformance.cases[$0]
        }
    }()

    @Test("served by the Swift side", arguments: StoreConformance.cases)
    func swift(_ rule: ConformanceCase) throws {
        try rule.run { Keychain(store(try serve()), accessGroups: .all()) }
    }

    /// With LANYARD_PLUGIN=PATH an executable of one's own is tested in the example's place. Its
    /// settings are the words NAME=VALUE in LANYARD_PLUGIN_SETTINGS; in a value, FOLDER is a folder
    /// that is new for each case. One that does not say that it keeps dates is not asked to.
    /// The rules are the Swift side's, which all cases try: of the example a tenth shows that it keeps them.
    @Test("served by a plugin in another language", arguments: executableCases)
    func executable(_ rule: ConformanceCase) throws {
        let environment = ProcessInfo.processInfo.environment
        let scratch = try ScratchFolder()
        let executable =
            try environment["LANYARD_PLUGIN"] ?? ExamplePlugin(in: scratch).executable
        let settings = (environment["LANYARD_PLUGIN_SETTINGS"] ?? "").split(separator: " ")
            .map { word in
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                return (
                    name: parts[0],
                    value: (parts.dropFirst().first ?? "")
                        .replacingOccurrences(of: "FOLDER", with: scratch.path)
                )
            }
        let store = PluginStore(
            executable: executable, keychain: "conformance", settings: settings,
            timeLimit: 60_000, isPromptAllowed: false)
        if StoreConformance.keptDateCases.contains(where: { $0.name == rule.name }) {
            try store.open()
            if !store.keepsDates, environment["LANYARD_PLUGIN"] != nil {
                try Test.cancel("the plugin does not say that it keeps dates")
            }
        }
        try rule.run { Keychain(store, accessGroups: .all()) }
    }
}
