// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as coverage is counted in every module of it: the project's modules, compiled
// here with the fuzzer's instrumentation, and one executable with all targets.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    .define("SecretService"),
    // The targets reach what is internal; assertions hold although it is optimised.
    .unsafeFlags(["-enable-testing", "-assert-config", "Debug"]),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Modules/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "lanyard-fuzzing",
    targets: [
        .systemLibrary(name: "CSQLite", path: "Modules/CSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CLibcrypto", path: "Modules/CLibcrypto", pkgConfig: "libcrypto"),
        .systemLibrary(name: "CNettle", path: "Modules/CNettle", pkgConfig: "nettle"),
        .systemLibrary(name: "CSodium", path: "Modules/CSodium", pkgConfig: "libsodium"),
        .systemLibrary(name: "CKeyutils", path: "Modules/CKeyutils", pkgConfig: "libkeyutils"),
        .systemLibrary(name: "CGIO", path: "Modules/CGIO", pkgConfig: "gobject-2.0"),
        .systemLibrary(name: "CLinux", path: "Modules/CLinux"),
        .target(name: "COutOfMemory", path: "Modules/COutOfMemory"),
        .systemLibrary(name: "CLibFuzzer", path: "CLibFuzzer"),

        module("Keychain"),
        module("StrictJSON", ["Keychain"]),
        module("LinuxSystem", ["Keychain", "CLinux", "COutOfMemory"]),
        module("Cryptography", ["Keychain", "LinuxSystem", "CNettle", "CSodium"]),
        module(
            "SealedStore",
            ["Keychain", "LinuxSystem", "Cryptography", "CSQLite", "CKeyutils"]),
        module(
            "SecretServiceStore", ["Keychain", "LinuxSystem", "Cryptography", "CLibcrypto", "CGIO"]),
        module("KeychainPlugin", ["Keychain", "LinuxSystem", "StrictJSON", "CLinux"]),
        module("GitCredential", ["Keychain"]),
        module("DockerCredential", ["Keychain", "StrictJSON"]),
        module("ItemImport", ["Keychain", "StrictJSON", "GitCredential", "DockerCredential"]),
        module(
            "HelperKit",
            ["Keychain", "LinuxSystem", "SealedStore", "KeychainPlugin", "CLinux"]),
        module(
            "ItemExport",
            [
                "Keychain", "LinuxSystem", "Cryptography", "StrictJSON", "KeychainPlugin",
                "ItemImport",
            ]),
        // What of these two reads foreign bytes, without the packages that the rest of them needs.
        .target(
            name: "LanyardCommand", dependencies: ["Keychain"], path: "Parts/LanyardCommand",
            swiftSettings: settings),
        .target(
            name: "ToolSetup", dependencies: ["Keychain"], path: "Parts/ToolSetup",
            swiftSettings: settings),

        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CLibFuzzer", "Keychain", "StrictJSON", "LinuxSystem", "SealedStore",
                "SecretServiceStore", "KeychainPlugin", "GitCredential", "DockerCredential",
                "HelperKit", "ItemImport", "ItemExport", "LanyardCommand", "ToolSetup",
            ],
            path: "Targets", swiftSettings: settings),
    ]
)
