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
        .systemLibrary(name: "CSodium", path: "Modules/CSodium", pkgConfig: "libsodium"),
        .systemLibrary(name: "CKeyutils", path: "Modules/CKeyutils", pkgConfig: "libkeyutils"),
        .systemLibrary(name: "CLibsecret", path: "Modules/CLibsecret", pkgConfig: "gobject-2.0"),
        .systemLibrary(name: "CGLib", path: "Modules/CGLib", pkgConfig: "gobject-2.0"),
        .systemLibrary(
            name: "CLibcrypto", path: "Modules/CLibcrypto", pkgConfig: "libcrypto"),
        .systemLibrary(name: "CLinux", path: "Modules/CLinux"),
        .target(name: "CFaults", path: "Modules/CFaults"),
        .systemLibrary(name: "CLibFuzzer", path: "CLibFuzzer"),

        module("Secrets"),
        module("StrictJSON", ["Secrets"]),
        module("LinuxSystem", ["Secrets", "CLinux", "CFaults"]),
        module("Cryptography", ["Secrets", "LinuxSystem", "CSodium"]),
        module("SQLiteFile", ["Secrets", "LinuxSystem", "CSQLite"]),
        module("SyncEngine", ["Secrets", "LinuxSystem", "Cryptography", "SQLiteFile"]),
        module("KeychainServices", ["Secrets"]),
        module(
            "Certificates",
            ["Secrets", "LinuxSystem", "KeychainServices", "CLibcrypto"]),
        module("SystemdCredentials", ["Secrets", "LinuxSystem", "StrictJSON"]),
        module(
            "SealedStore",
            [
                "KeychainServices", "LinuxSystem", "Cryptography", "SystemdCredentials",
                "SQLiteFile",
                "CSQLite", "CKeyutils",
            ]),
        module("SecretServiceItems", ["KeychainServices"]),
        module(
            "SecretServiceStore",
            ["KeychainServices", "LinuxSystem", "SecretServiceItems", "CLibsecret"]),
        module("PluginProcesses", ["Secrets", "LinuxSystem", "StrictJSON"]),
        module(
            "KeychainPlugin",
            ["KeychainServices", "LinuxSystem", "PluginProcesses", "StrictJSON"]),
        module("GitCredential", ["KeychainServices"]),
        module("DockerCredential", ["KeychainServices", "StrictJSON"]),
        module("AskpassCredential", ["KeychainServices", "GitCredential"]),
        module("KubectlCredential", ["KeychainServices", "StrictJSON"]),
        module("CargoCredential", ["KeychainServices", "StrictJSON"]),
        module("KeyringCredential", ["KeychainServices", "StrictJSON"]),
        module("TerraformCredential", ["KeychainServices", "StrictJSON"]),
        module("AWSCredential", ["KeychainServices", "StrictJSON"]),
        module("GoAuthCredential", ["KeychainServices", "GitCredential"]),
        module("BazelCredential", ["KeychainServices", "StrictJSON"]),
        module("VaultCredential", ["KeychainServices"]),
        module("PnpmCredential", ["KeychainServices"]),
        module("AnsibleCredential", ["KeychainServices"]),
        module("PodmanSecret", ["KeychainServices"]),
        module("PinentryCredential", ["KeychainServices"]),
        module("NuGetCredential", ["KeychainServices", "StrictJSON"]),
        module("GcloudCredential", ["KeychainServices", "StrictJSON"]),
        module(
            "Tools",
            [
                "KeychainServices", "GitCredential", "DockerCredential", "AskpassCredential",
                "KubectlCredential", "CargoCredential", "KeyringCredential",
                "TerraformCredential", "AWSCredential", "GoAuthCredential", "BazelCredential",
                "VaultCredential", "PnpmCredential", "AnsibleCredential", "PodmanSecret",
                "PinentryCredential", "NuGetCredential", "GcloudCredential",
            ]),
        .target(
            name: "ScriptedSession", dependencies: ["KeychainServices"],
            path: "Parts/ScriptedSession", swiftSettings: settings),
        module("OneTimeCodes", ["Secrets", "Certificates", "CLibcrypto"]),
        module("PlainTextFormats", ["Secrets"]),
        module("ToolProfiles", ["KeychainServices", "PlainTextFormats"]),
        module(
            "PlainTextScan",
            [
                "Secrets", "LinuxSystem", "PlainTextFormats", "ToolProfiles",
                "CLinux",
            ]),
        module(
            "ItemImport",
            [
                "KeychainServices", "StrictJSON", "GitCredential", "DockerCredential", "Tools",
                "OneTimeCodes", "PlainTextFormats", "ToolProfiles",
            ]),
        module(
            "Configuration", ["KeychainServices", "LinuxSystem", "SealedStore", "KeychainPlugin"]),
        module("Prompting", ["KeychainServices", "LinuxSystem", "Configuration", "CLinux"]),
        module(
            "PresencePlugin", ["Secrets", "LinuxSystem", "StrictJSON", "PluginProcesses"]),
        module(
            "Keychains",
            [
                "KeychainServices", "LinuxSystem", "SealedStore", "PluginProcesses",
                "PresencePlugin", "KeychainPlugin", "Configuration", "Prompting",
            ]),
        module(
            "KeychainManagement",
            [
                "KeychainServices", "LinuxSystem", "SealedStore", "KeychainPlugin",
                "Configuration", "Keychains",
            ]),
        module(
            "SecretServiceProvider",
            [
                "KeychainServices", "LinuxSystem", "StrictJSON", "Certificates", "SealedStore",
                "SecretServiceItems", "Configuration", "Prompting", "Keychains",
                "KeychainManagement", "CLibcrypto", "CGLib",
            ]),
        module(
            "ItemExport",
            [
                "KeychainServices", "LinuxSystem", "Cryptography", "StrictJSON", "KeychainPlugin",
                "ItemImport",
            ]),
        module(
            "SSHAgent",
            [
                "KeychainServices", "Certificates", "LinuxSystem", "Cryptography", "Configuration",
                "Prompting", "Keychains",
            ]),
        // What of these two reads foreign bytes, without the packages that the rest of them needs.
        .target(
            name: "LanyardCommand", dependencies: ["KeychainServices"],
            path: "Parts/LanyardCommand",
            swiftSettings: settings),
        .target(
            name: "ToolSetup", dependencies: ["KeychainServices", "StrictJSON", "GitCredential"],
            path: "Parts/ToolSetup",
            swiftSettings: settings),

        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CLibFuzzer", "CLibcrypto", "KeychainServices", "StrictJSON", "LinuxSystem",
                "Cryptography",
                "Certificates", "SealedStore",
                "CGLib", "SecretServiceItems", "SecretServiceStore", "SecretServiceProvider",
                "PluginProcesses", "KeychainPlugin", "GitCredential",
                "DockerCredential",
                "AskpassCredential", "Configuration", "Prompting", "Keychains", "ItemImport",
                "ItemExport", "Tools", "ScriptedSession", "OneTimeCodes",
                "ToolProfiles", "PlainTextScan",
                "SSHAgent", "LanyardCommand", "ToolSetup", "SyncEngine",
            ],
            path: "Targets", swiftSettings: settings),
    ]
)
