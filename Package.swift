// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

// What is the same for every program. -z now: without it part of the GOT stays writable. The script: without
// it all constants would be writable.
let everyProgram = [
    "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "-s", "-Xlinker", "--icf=all",
    "-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/helpers/read-only-constants.ld",
    "-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/helpers/no-unwinding.ld",
    "-Xlinker", "--no-eh-frame-hdr",
]

let staticPIE: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-executable", "-Xclang-linker", "-static-pie",
            "-Xlinker", "--pack-dyn-relocs=relr",
            "-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/helpers/no-backtrace.ld",
        ] + everyProgram,
        .when(configuration: .release))
]

// GLib and libsecret are only there as shared ones; the other C libraries are linked as above. No Swift runtime is
// needed, and there is no RUNPATH.
let sharedGLib: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-no-toolchain-stdlib-rpath", "-Xlinker", "--gc-sections",
            "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
            "-Xclang-linker",
            "--config=\(Context.packageDirectory)/helpers/static-libraries/clang.cfg",
            "-Xclang-linker", "-static-libgcc",
            // -static-stdlib exports every symbol, for plugins that Swift programs could load.
            "-Xlinker", "--no-export-dynamic",
        ] + everyProgram,
        .when(configuration: .release))
]

/// A C library of the system: its folder in Sources/C has its name.
func library(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([package])])
}

/// A module: its folder in Sources, on its floor, has its name.
func module(
    _ folder: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    let name = folder.drop { $0 != "/" }.dropFirst()
    return .target(
        name: String(name), dependencies: dependencies, path: "Sources/\(folder)",
        exclude: exclude)
}

/// A program: its folder is in helpers.
func program(
    _ name: String, _ dependencies: [Target.Dependency], linked: [LinkerSetting]
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "helpers/\(name)", linkerSettings: linked)
}

/// The tests of a module: their folder in Tests has its name.
func tests(
    _ module: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(module)Tests", dependencies: dependencies, path: "Tests/\(module)",
        exclude: exclude)
}

/// What several tests use: its folder is in Tests, too.
func forTests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(name)")
}

let package = Package(
    name: "lanyard",
    products: [
        .library(name: "KeychainServices", targets: ["KeychainServices"]),
        .library(name: "KeychainServicesFoundation", targets: ["KeychainServicesFoundation"]),
        .library(name: "Keychains", targets: ["Keychains", "KeychainManagement"]),
        .library(name: "Certificates", targets: ["Certificates"]),
        .library(name: "KeychainWatching", targets: ["KeychainWatching"]),
        .library(name: "SealedStore", targets: ["SealedStore"]),
        .library(name: "SecretServiceStore", targets: ["SecretServiceStore"]),
        .library(name: "KeychainPlugin", targets: ["KeychainPlugin"]),
        .library(name: "Security", targets: ["Security"]),
        .library(name: "LanyardSecurity", type: .dynamic, targets: ["SecurityLibrary"]),
        .executable(name: "lanyard", targets: ["lanyard"]),
        .executable(name: "lanyard-helper", targets: ["lanyard-helper"]),
        .executable(name: "lanyard-secret-service", targets: ["lanyard-secret-service"]),
    ],
    traits: [
        .default(enabledTraits: ["SecretService"]),
        .trait(name: "SecretService", description: "Keychains in the desktop's Secret Service."),
    ],
    // Exactly these, so that a build is of what was tested. Only tests use swift-subprocess; `lanyard version` names
    // the others.
    dependencies: [
        .package(
            url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    ],
    targets: [
        library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        library("CSodium", pkgConfig: "libsodium", package: "libsodium-dev"),
        library("CKeyutils", pkgConfig: "libkeyutils", package: "libkeyutils-dev"),
        // Of GLib's flags alone: SwiftPM warns of others that libsecret-1 has.
        library("CLibsecret", pkgConfig: "gobject-2.0", package: "libsecret-1-dev"),
        library("CGLib", pkgConfig: "gobject-2.0", package: "libglib2.0-dev"),
        library("CLibcrypto", pkgConfig: "libcrypto", package: "libssl-dev"),
        .systemLibrary(name: "CLinux", path: "Sources/C/CLinux"),
        module("C/CFaults"),

        module("Base/Secrets"),
        module("Base/LinuxSystem", ["Secrets", "CLinux", "CFaults"]),
        module("Base/Cryptography", ["Secrets", "LinuxSystem", "CSodium"]),
        module("Base/SQLiteFile", ["Secrets", "LinuxSystem", "CSQLite"]),
        module("Base/StrictJSON", ["Secrets"]),
        // Reads the files of other programs.
        module("Base/PlainTextFormats", ["Secrets"]),

        module("Keychain/KeychainServices", ["Secrets"]),
        module("Keychain/SystemdCredentials", ["Secrets", "LinuxSystem", "StrictJSON"]),
        module(
            "Keychain/SealedStore",
            [
                "KeychainServices", "LinuxSystem", "Cryptography", "SystemdCredentials",
                "SQLiteFile", "CSQLite", "CKeyutils",
            ]),
        module("Keychain/SecretServiceItems", ["KeychainServices"]),
        // Without the trait there is nothing in it.
        module(
            "Keychain/SecretServiceStore",
            [
                "KeychainServices", "LinuxSystem", "SecretServiceItems",
                .target(name: "CLibsecret", condition: .when(traits: ["SecretService"])),
            ]),
        module("Keychain/PluginProcesses", ["Secrets", "LinuxSystem", "StrictJSON"]),
        module(
            "Keychain/PresencePlugin", ["Secrets", "LinuxSystem", "StrictJSON", "PluginProcesses"]),
        module(
            "Keychain/FIDO2Presence",
            ["Secrets", "LinuxSystem", "PluginProcesses", "PresencePlugin"]),
        module(
            "Keychain/KeychainPlugin",
            ["KeychainServices", "LinuxSystem", "PluginProcesses", "StrictJSON"]),
        module(
            "Keychain/Configuration",
            ["KeychainServices", "LinuxSystem", "SealedStore", "KeychainPlugin"]),
        module(
            "Keychain/Prompting", ["KeychainServices", "LinuxSystem", "Configuration", "CLinux"]),
        module(
            "Keychain/Keychains",
            [
                "KeychainServices", "LinuxSystem", "SealedStore", "PluginProcesses",
                "PresencePlugin", "KeychainPlugin", "Configuration", "Prompting",
            ]),
        // Of its own: the helpers manage no keychains, and would be larger.
        module(
            "Keychain/KeychainManagement",
            [
                "KeychainServices", "LinuxSystem", "SealedStore", "KeychainPlugin", "Configuration",
                "Keychains",
            ]),
        // Of its own: the helpers don't watch, and asynchronous sequences would make them larger.
        module(
            "Keychain/KeychainWatching",
            [
                "KeychainServices", "LinuxSystem", "SealedStore", "Configuration", "Keychains",
            ]),

        // Of its own: the helpers of git and docker have no use for libcrypto.
        module("Keys/Certificates", ["Secrets", "LinuxSystem", "KeychainServices", "CLibcrypto"]),
        module(
            "Keys/SSHAgent",
            [
                "KeychainServices", "Certificates", "LinuxSystem", "Cryptography", "Configuration",
                "Prompting", "Keychains",
            ]),
        module("Keys/OneTimeCodes", ["Secrets", "Certificates", "CLibcrypto"]),

        module("Tools/GitCredential", ["KeychainServices"]),
        module("Tools/DockerCredential", ["KeychainServices", "StrictJSON"]),
        module("Tools/AskpassCredential", ["KeychainServices", "GitCredential"]),
        module("Tools/KubectlCredential", ["KeychainServices", "StrictJSON"]),
        module("Tools/CargoCredential", ["KeychainServices", "StrictJSON"]),
        module("Tools/KeyringCredential", ["KeychainServices", "StrictJSON"]),
        module("Tools/TerraformCredential", ["KeychainServices", "StrictJSON"]),
        module("Tools/AWSCredential", ["KeychainServices", "StrictJSON"]),
        module("Tools/GoAuthCredential", ["KeychainServices", "GitCredential"]),
        module("Tools/BazelCredential", ["KeychainServices", "StrictJSON"]),
        module("Tools/VaultCredential", ["KeychainServices"]),
        module("Tools/PnpmCredential", ["KeychainServices"]),
        module("Tools/AnsibleCredential", ["KeychainServices"]),
        module("Tools/PodmanSecret", ["KeychainServices"]),
        module("Tools/PinentryCredential", ["KeychainServices"]),
        module("Tools/NuGetCredential", ["KeychainServices", "StrictJSON"]),
        module("Tools/GcloudCredential", ["KeychainServices", "StrictJSON"]),
        // The list of all tools.
        module(
            "Tools/Tools",
            [
                "KeychainServices", "GitCredential", "DockerCredential", "AskpassCredential",
                "KubectlCredential", "CargoCredential", "KeyringCredential", "TerraformCredential",
                "AWSCredential", "GoAuthCredential", "BazelCredential", "VaultCredential",
                "PnpmCredential", "AnsibleCredential", "PodmanSecret", "PinentryCredential",
                "NuGetCredential", "GcloudCredential",
            ]),
        // How programs without a protocol take their secrets.
        module("Tools/ToolProfiles", ["KeychainServices", "PlainTextFormats"]),
        // Looks for secrets in files; opens no keychain.
        module(
            "Tools/PlainTextScan",
            ["Secrets", "LinuxSystem", "PlainTextFormats", "ToolProfiles", "CLinux"]),
        module(
            "Tools/ItemImport",
            [
                "KeychainServices", "StrictJSON", "GitCredential", "DockerCredential", "Tools",
                "OneTimeCodes", "PlainTextFormats", "ToolProfiles",
            ]),
        module(
            "Tools/ItemExport",
            [
                "KeychainServices", "LinuxSystem", "Cryptography", "StrictJSON", "KeychainPlugin",
                "ItemImport",
            ]),
        module(
            "Tools/ImportEngine",
            [
                "KeychainServices", "LinuxSystem", "StrictJSON", "GitCredential",
                "DockerCredential", "Tools", "Prompting", "OneTimeCodes", "ItemImport",
            ]),
        module(
            "Tools/ToolSetup",
            [
                "KeychainServices", "Certificates", "LinuxSystem", "Cryptography", "StrictJSON",
                "GitCredential", "DockerCredential", "Tools", "PlainTextFormats", "PluginProcesses",
                "Configuration",
            ]),

        module("Teams/SyncEngine", ["Secrets", "LinuxSystem", "Cryptography", "SQLiteFile"]),
        module(
            "Teams/KeychainSync",
            [
                "Secrets", "LinuxSystem", "Cryptography", "SQLiteFile", "KeychainServices",
                "SyncEngine",
            ]),
        module(
            "Teams/SyncPlugin",
            ["Secrets", "LinuxSystem", "SyncEngine", "StrictJSON", "PluginProcesses"]),
        module(
            "Teams/GitSync",
            ["Secrets", "LinuxSystem", "SyncEngine", "PluginProcesses", "SyncPlugin"]),
        module(
            "Teams/PostgreSQLSync",
            ["Secrets", "LinuxSystem", "SyncEngine", "PluginProcesses", "SyncPlugin"]),

        // Without the trait it only runs the command.
        module(
            "Service/LogindSignals",
            [
                "KeychainServices", "LinuxSystem",
                .target(name: "CLibsecret", condition: .when(traits: ["SecretService"])),
            ]),
        // Without the trait it only says so.
        module(
            "Service/SecretServiceProvider",
            [
                "KeychainServices", "LinuxSystem", "StrictJSON", "Certificates", "SealedStore",
                "SecretServiceItems", "Configuration", "Prompting", "Keychains",
                "KeychainManagement", "CLibcrypto",
                .target(name: "CGLib", condition: .when(traits: ["SecretService"])),
            ]),

        module(
            "Command/LoginUnlocking",
            [
                "KeychainServices", "LinuxSystem", "SealedStore", "Configuration", "Prompting",
                "Keychains",
            ]),
        module(
            "Command/Diagnosis",
            [
                "KeychainServices", "LinuxSystem", "SealedStore", "KeychainPlugin", "GitCredential",
                "Tools", "Configuration", "Keychains", "OneTimeCodes", "ToolProfiles", "ItemImport",
                "ImportEngine", "ToolSetup", "SyncEngine", "KeychainSync", "CLinux",
            ]),
        module(
            "Command/LanyardCommand",
            [
                "KeychainServices", "Certificates", "LinuxSystem", "SealedStore", "KeychainPlugin",
                "Tools", "KubectlCredential", "PlainTextFormats", "ToolProfiles", "PlainTextScan",
                "OneTimeCodes", "Configuration", "Prompting", "Keychains", "KeychainManagement",
                "SyncEngine", "KeychainSync", "SyncPlugin", "KeychainWatching", "StrictJSON",
                "ItemImport", "ItemExport", "ImportEngine", "ToolSetup", "Diagnosis",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // For programs that use Foundation; ours don't.
        module("Apple/KeychainServicesFoundation", ["KeychainServices"]),
        module(
            "Apple/SecurityFunctions",
            [
                "KeychainServices", "LinuxSystem", "SealedStore", "Configuration", "Keychains",
                "KeychainManagement",
            ]),
        // Nothing here depends on it: a program does, under another module name.
        module(
            "Apple/Security",
            [
                "KeychainServices", "KeychainServicesFoundation", "Certificates",
                "SecurityFunctions",
            ]),
        module(
            "Apple/SecurityLibrary", ["KeychainServices", "SecurityFunctions"],
            exclude: ["include"]),

        // The commands and the SSH agent, under two names.
        program("lanyard", ["LinuxSystem", "LanyardCommand", "SSHAgent"], linked: staticPIE),
        // The helpers of all tools and what Lanyard starts, under several names.
        program(
            "lanyard-helper",
            [
                "KeychainServices", "LinuxSystem", "GitCredential", "DockerCredential", "Tools",
                "Prompting", "Keychains", "LoginUnlocking", "SyncPlugin", "GitSync",
                "PostgreSQLSync", "FIDO2Presence",
            ],
            linked: staticPIE),
        // The Secret Service's plugin and the service, under two names.
        program(
            "lanyard-secret-service",
            [
                "KeychainServices", "LinuxSystem", "KeychainPlugin", "SecretServiceStore",
                "LogindSignals", "SecretServiceProvider",
            ],
            linked: sharedGLib),

        // Test targets never depend on an executable: the static flags would reach the test bundle.
        forTests("OwnMemory"),
        forTests("RandomNumbers"),
        forTests("ScratchFolders", ["LinuxSystem"]),
        forTests("ScratchPostgreSQL"),
        forTests("ScriptedSession", ["KeychainServices"]),
        forTests("StoreConformance", ["RandomNumbers", "KeychainServices"]),
        forTests("SyncConformance", ["Secrets", "SyncEngine"]),
        forTests("SecretServiceRig"),
        tests("Secrets", ["RandomNumbers", "Secrets"]),
        forTests("SyncServer", ["Secrets", "SyncEngine"]),
        tests(
            "SyncEngine",
            [
                "RandomNumbers", "ScratchFolders", "Secrets", "LinuxSystem", "Cryptography",
                "SQLiteFile", "SyncEngine", "SyncConformance", "SyncServer",
            ]),
        tests(
            "KeychainSync",
            [
                "RandomNumbers", "ScratchFolders", "KeychainServices", "SQLiteFile", "SealedStore",
                "SyncEngine", "KeychainSync", "SyncServer", "LinuxSystem",
            ]),
        tests(
            "SyncTransports",
            [
                "RandomNumbers", "ScratchFolders", "ScratchPostgreSQL", "Secrets", "LinuxSystem",
                "Cryptography", "SyncEngine", "SyncPlugin", "GitSync", "PostgreSQLSync",
                "SyncConformance",
            ]),
        tests(
            "KeychainServices",
            ["OwnMemory", "RandomNumbers", "KeychainServices", "StoreConformance"]),
        tests(
            "KeychainServicesFoundation",
            ["KeychainServices", "KeychainServicesFoundation"]),
        tests(
            "Certificates",
            [
                "OwnMemory", "RandomNumbers", "Secrets", "KeychainServices", "Certificates",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]),
        forTests("ScriptedCredentials", ["Secrets", "LinuxSystem"]),
        tests(
            "SystemdCredentials",
            ["Secrets", "LinuxSystem", "SystemdCredentials", "ScriptedCredentials"]),
        tests(
            "SealedStore",
            [
                "RandomNumbers", "ScratchFolders", "KeychainServices", "LinuxSystem",
                "Cryptography", "SQLiteFile", "SealedStore", "StoreConformance", "CKeyutils",
                "CSQLite",
            ],
            exclude: ["Formats"]),
        tests("PresencePlugin", ["ScratchFolders", "Secrets", "PresencePlugin"]),
        tests(
            "FIDO2Presence",
            ["ScratchFolders", "Secrets", "LinuxSystem", "PresencePlugin", "FIDO2Presence"]),
        tests(
            "KeychainPlugin",
            [
                "RandomNumbers", "ScratchFolders", "KeychainServices", "LinuxSystem",
                "PluginProcesses", "KeychainPlugin", "StrictJSON", "StoreConformance",
            ],
            exclude: ["Plugins"]),
        tests(
            "SecretServiceStore",
            ["KeychainServices", "SecretServiceStore", "SecretServiceRig", "StoreConformance"]),
        tests(
            "GitCredential",
            ["RandomNumbers", "KeychainServices", "GitCredential", "StoreConformance"]),
        tests("StrictJSON", ["RandomNumbers", "Secrets", "StrictJSON"]),
        tests(
            "DockerCredential",
            ["RandomNumbers", "KeychainServices", "DockerCredential", "StoreConformance"]),
        tests(
            "AskpassCredential",
            [
                "OwnMemory", "RandomNumbers", "KeychainServices", "GitCredential",
                "AskpassCredential", "ScriptedSession",
            ]),
        tests("KubectlCredential", ["KeychainServices", "KubectlCredential"]),
        tests("CargoCredential", ["KeychainServices", "CargoCredential", "ScriptedSession"]),
        tests(
            "KeyringCredential",
            ["KeychainServices", "KeyringCredential", "ScriptedSession"]),
        tests(
            "TerraformCredential",
            ["KeychainServices", "TerraformCredential", "ScriptedSession"]),
        tests("AWSCredential", ["KeychainServices", "AWSCredential", "ScriptedSession"]),
        tests("GoAuthCredential", ["KeychainServices", "GoAuthCredential", "ScriptedSession"]),
        tests("BazelCredential", ["KeychainServices", "BazelCredential", "ScriptedSession"]),
        tests("VaultCredential", ["KeychainServices", "VaultCredential", "ScriptedSession"]),
        tests("PnpmCredential", ["KeychainServices", "PnpmCredential", "ScriptedSession"]),
        tests(
            "AnsibleCredential",
            ["KeychainServices", "AnsibleCredential", "ScriptedSession"]),
        tests("PodmanSecret", ["KeychainServices", "PodmanSecret", "ScriptedSession"]),
        tests(
            "PinentryCredential",
            ["OwnMemory", "KeychainServices", "PinentryCredential", "ScriptedSession"]),
        tests("NuGetCredential", ["KeychainServices", "NuGetCredential", "ScriptedSession"]),
        tests("GcloudCredential", ["KeychainServices", "GcloudCredential", "ScriptedSession"]),
        tests("SSHAgent", ["OwnMemory", "KeychainServices", "Certificates", "SSHAgent"]),
        tests(
            "SecretServiceProvider",
            [
                "OwnMemory", "RandomNumbers", "KeychainServices", "SecretServiceItems",
                "SecretServiceProvider",
            ]),
        tests("Tools", ["KeychainServices", "Tools"]),
        tests("PlainTextFormats", ["RandomNumbers", "Secrets", "PlainTextFormats"]),
        tests(
            "ToolProfiles",
            ["RandomNumbers", "KeychainServices", "PlainTextFormats", "ToolProfiles"]),
        tests(
            "PlainTextScan",
            [
                "RandomNumbers", "ScratchFolders", "Secrets", "PlainTextFormats", "ToolProfiles",
                "PlainTextScan",
            ]),
        tests("OneTimeCodes", ["OwnMemory", "RandomNumbers", "Secrets", "OneTimeCodes"]),
        tests(
            "ItemImport",
            [
                "OwnMemory", "RandomNumbers", "ScratchFolders", "KeychainServices", "ToolProfiles",
                "ItemImport",
            ]),
        tests(
            "ItemExport",
            [
                "OwnMemory", "RandomNumbers", "KeychainServices", "Cryptography", "SealedStore",
                "ItemImport", "ItemExport",
            ]),
        tests(
            "ImportEngine",
            ["ScratchFolders", "KeychainServices", "ItemImport", "ImportEngine"]),
        tests(
            "Configuration",
            [
                "RandomNumbers", "ScratchFolders", "KeychainServices", "LinuxSystem", "SealedStore",
                "Configuration",
            ]),
        tests("Prompting", ["OwnMemory", "ScratchFolders", "KeychainServices", "Prompting"]),
        tests(
            "Keychains",
            [
                "ScratchFolders", "KeychainServices", "LinuxSystem", "SealedStore", "Configuration",
                "Keychains",
            ]),
        tests(
            "KeychainManagement",
            [
                "ScratchFolders", "KeychainServices", "LinuxSystem", "SealedStore", "Configuration",
                "KeychainManagement",
            ]),
        tests(
            "KeychainWatching",
            [
                "ScratchFolders", "KeychainServices", "SealedStore", "Configuration",
                "KeychainWatching",
            ]),
        tests("LoginUnlocking", ["LinuxSystem", "LoginUnlocking"]),
        tests(
            "LanyardCommand",
            [
                "OwnMemory", "RandomNumbers", "ScratchFolders", "KeychainServices", "GitCredential",
                "DockerCredential", "LinuxSystem", "SealedStore", "Configuration",
                "KeychainManagement", "Tools", "PlainTextFormats", "ToolProfiles", "PlainTextScan",
                "ItemImport", "Prompting", "ImportEngine", "ToolSetup", "LanyardCommand",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        tests(
            "ToolSetup",
            [
                "OwnMemory", "ScratchFolders", "KeychainServices", "LinuxSystem", "ToolSetup",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]),
        tests(
            "Diagnosis",
            [
                "OwnMemory", "ScratchFolders", "SyncServer", "SQLiteFile", "SyncEngine",
                "KeychainServices", "SealedStore", "KeychainSync", "Configuration", "ToolSetup",
                "Diagnosis",
            ]),
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                "RandomNumbers", "ScratchFolders", "KeychainServices", "Keychains", "Certificates",
                "SealedStore", "KeychainSync", "SyncEngine", "SecretServiceRig",
                "ScratchPostgreSQL", "ScriptedCredentials",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            path: "Tests/EndToEnd",
            exclude: ["BusClients", "HostileRequests", "Presence/Authenticator", "Screens"]),
    ]
)

// What the programs are made of marks each use of unsafe memory; the tests speak to C as they like.
for target in package.targets where target.type != .system {
    let isForTests = target.path?.hasPrefix("Tests/") == true
    target.swiftSettings = isForTests ? strict : strict + [.strictMemorySafety()]
}

// Under a sanitizer everything is built once more: tests that are not to be run there are left out.
if let names = Context.environment["LANYARD_TEST_TARGETS"]?.split(separator: " "), !names.isEmpty {
    for name in names where !package.targets.contains(where: { $0.name == name }) {
        fatalError("LANYARD_TEST_TARGETS: there is no target '\(name)'")
    }
    package.targets.removeAll { $0.type == .test && !names.contains(Substring($0.name)) }
}

// Where programs are there already, only the tests are built, and what they stand on.
if Context.environment["LANYARD_PROGRAMS"] == "no" {
    var needed = Set(package.targets.filter { $0.type == .test }.map(\.name))
    // A target stands only on targets before it.
    for target in package.targets.reversed() where needed.contains(target.name) {
        for dependency in target.dependencies {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): needed.insert(name)
            default: break
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
