// swift-tools-version: 6.2
import PackageDescription

/// What the Makefile sets, or a person.
func variable(_ name: String) -> String? {
    Context.environment["LANYARD_\(name)"]
}

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // A packager's compiler may know other warnings than ours.
    .treatAllWarnings(
        as: variable("WARNINGS") == "errors" ? .error : .warning, .when(configuration: .debug)),
]

// What is the same for every program. -z now: without it part of the GOT stays writable. The script: without
// it all constants would be writable.
let everyProgram = [
    "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "-s", "-Xlinker", "--icf=all",
    "-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/helpers/read-only-constants.ld",
    "-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/helpers/discarded.ld",
    "-Xlinker", "--no-eh-frame-hdr",
]

let staticPIE = [
    "-static-executable", "-Xclang-linker", "-static-pie", "-Xlinker", "--pack-dyn-relocs=relr",
    "-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/helpers/no-backtrace.ld",
]

// Without RUNPATH. -static-stdlib exports every symbol, for plugins that Swift programs could load.
let sharedLibraries = [
    "-static-stdlib", "-no-toolchain-stdlib-rpath", "-Xlinker", "--gc-sections", "-Xlinker", "-z",
    "-Xlinker", "pack-relative-relocs", "-Xclang-linker", "-static-libgcc",
    "-Xlinker", "--no-export-dynamic",
]

// GLib and libsecret are only there as shared ones; the other C libraries are linked as above.
let sharedGLib = [
    "-Xclang-linker", "--config=\(Context.packageDirectory)/helpers/static-libraries/clang.cfg",
]

/// Another package: exactly what was tested, or a folder of that name where a build has no network. Only tests use
/// swift-subprocess; `lanyard version` names the others.
func dependency(
    _ name: String, of owner: String, _ version: Version,
    traits: Set<Package.Dependency.Trait> = [.defaults]
) -> Package.Dependency {
    if let folder = variable("DEPENDENCIES") {
        return .package(path: "\(folder)/\(name)", traits: traits)
    }
    return .package(url: "https://github.com/\(owner)/\(name)", exact: version, traits: traits)
}

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

/// What is only needed for the Secret Service.
func withTrait(_ name: String) -> Target.Dependency {
    .byName(name: name, condition: .when(traits: ["SecretService"]))
}

/// A program: its folder is in helpers.
func program(
    _ name: String, _ dependencies: [Target.Dependency], usesGLib: Bool = false
) -> Target {
    // Distributions without static C libraries set STATIC.
    var flags =
        switch (variable("STATIC") != "no", usesGLib) {
        case (true, false): staticPIE
        case (true, true): sharedLibraries + sharedGLib
        case (false, _): sharedLibraries
        }
    flags += everyProgram
    // The linker writes there what it read.
    if let folder = variable("LINKED") {
        flags += ["-Xlinker", "--dependency-file=\(folder)/\(name)"]
    }
    return .executableTarget(
        name: name, dependencies: dependencies, path: "helpers/\(name)",
        linkerSettings: [.unsafeFlags(flags, .when(configuration: .release))])
}

/// The unit tests of a floor: their folder in Tests has its name.
func tests(
    _ floor: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(floor)Tests", dependencies: ["TestSupport"] + dependencies, path: "Tests/\(floor)",
        exclude: exclude)
}

/// What several tests use: its folder is in Tests, too.
func forTests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(name)")
}

/// Tests of the programs, and of what speaks to other programs.
func endToEnd(_ subject: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: "EndToEnd\(subject)",
        dependencies: rig + ["EndToEndRig"] + dependencies, path: "Tests/EndToEnd/\(subject)")
}

// What several targets depend on.
let arguments = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let base: [Target.Dependency] = [
    "LanyardSecrets", "LinuxSystem", "LanyardCryptography", "SQLiteFile", "StrictJSON",
    "PlainTextFormats",
]
let keychain: [Target.Dependency] = [
    "KeychainServices", "SealedStore", "KeychainPlugin", "LanyardConfiguration", "LanyardPrompting",
    "Keychains", "KeychainWatching",
]
let tools: [Target.Dependency] = [
    "GitCredential", "DockerCredential", "ToolHelpers", "ToolCatalog", "PlainTextScan",
    "LanyardTransfer",
]
let rig: [Target.Dependency] = [
    "TestSupport", "LinuxSystem", "KeychainServices", "Keychains", "LanyardCertificates",
    "SealedStore", "KeychainSync", "SyncEngine", subprocess,
]

let package = Package(
    name: "lanyard",
    products: [
        "KeychainServices", "KeychainServicesFoundation", "Keychains", "LanyardCertificates",
        "KeychainWatching", "SealedStore", "SecretServiceStore", "KeychainPlugin", "Security",
    ].map { .library(name: $0, targets: [$0]) }
        + [.library(name: "LanyardSecurity", type: .dynamic, targets: ["SecurityLibrary"])]
        + ["lanyard", "lanyard-helper", "lanyard-secret-service"].map {
            .executable(name: $0, targets: [$0])
        },
    traits: [
        .default(enabledTraits: ["SecretService"]),
        .trait(name: "SecretService", description: "Keychains in the desktop's Secret Service."),
    ],
    dependencies: [
        dependency("swift-subprocess", of: "swiftlang", "1.0.2", traits: []),
        dependency("swift-argument-parser", of: "apple", "1.8.2"),
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

        module("Base/LanyardSecrets"),
        module("Base/LinuxSystem", ["LanyardSecrets", "CLinux", "CFaults"]),
        module("Base/LanyardCryptography", ["LanyardSecrets", "LinuxSystem", "CSodium"]),
        module("Base/SQLiteFile", ["LanyardSecrets", "LinuxSystem", "CSQLite"]),
        module("Base/StrictJSON", ["LanyardSecrets"]),
        module("Base/PlainTextFormats", ["LanyardSecrets", "StrictJSON"]),

        module("Keychain/KeychainServices", ["LanyardSecrets", "StrictJSON"]),
        module(
            "Keychain/SealedStore",
            [
                "LanyardSecrets", "KeychainServices", "LinuxSystem", "LanyardCryptography",
                "SQLiteFile", "StrictJSON", "CSQLite", "CKeyutils",
            ]),
        // Without the trait it only has the form of the items.
        module(
            "Keychain/SecretServiceStore",
            ["KeychainServices", "LinuxSystem", withTrait("CLibsecret")]),
        module(
            "Keychain/KeychainPlugin",
            ["LanyardSecrets", "KeychainServices", "LinuxSystem", "StrictJSON"]),
        module(
            "Keychain/LanyardConfiguration", ["KeychainServices", "LinuxSystem", "KeychainPlugin"]),
        module(
            "Keychain/LanyardPrompting",
            ["KeychainServices", "LinuxSystem", "LanyardConfiguration", "CLinux"]),
        module(
            "Keychain/Keychains",
            [
                "KeychainServices", "LinuxSystem", "SealedStore", "KeychainPlugin",
                "LanyardConfiguration", "LanyardPrompting",
            ]),
        // Of its own: programs that don't watch have no use for asynchronous sequences.
        module(
            "Keychain/KeychainWatching",
            ["KeychainServices", "LinuxSystem", "SealedStore", "LanyardConfiguration", "Keychains"]),

        // Of its own: the helpers of git and docker have no use for libcrypto.
        module(
            "Keys/LanyardCertificates",
            ["LanyardSecrets", "LinuxSystem", "KeychainServices", "CLibcrypto"]),
        module("Keys/OneTimeCodes", ["LanyardSecrets", "LanyardCertificates", "CLibcrypto"]),
        module(
            "Keys/SSHAgent",
            [
                "KeychainServices", "LanyardCertificates", "LinuxSystem", "LanyardCryptography",
                "LanyardConfiguration", "LanyardPrompting", "Keychains",
            ]),

        module("Tools/GitCredential", ["KeychainServices"]),
        module("Tools/DockerCredential", ["KeychainServices", "StrictJSON"]),
        module(
            "Tools/ToolHelpers",
            ["KeychainServices", "StrictJSON", "GitCredential", "DockerCredential"]),
        module("Tools/ToolCatalog", ["KeychainServices", "PlainTextFormats", "ToolHelpers"]),
        // Looks for secrets in files; opens no keychain.
        module(
            "Tools/PlainTextScan",
            ["LanyardSecrets", "LinuxSystem", "PlainTextFormats", "ToolCatalog", "CLinux"]),
        module(
            "Tools/LanyardTransfer",
            [
                "KeychainServices", "LinuxSystem", "LanyardCryptography", "StrictJSON",
                "PlainTextFormats", "LanyardPrompting", "OneTimeCodes", "GitCredential",
                "DockerCredential", "ToolHelpers", "ToolCatalog",
            ]),
        module(
            "Tools/ToolSetup",
            [
                "KeychainServices", "LanyardCertificates", "LinuxSystem", "LanyardCryptography",
                "StrictJSON", "PlainTextFormats", "KeychainPlugin", "LanyardConfiguration",
                "GitCredential", "DockerCredential", "ToolHelpers", "ToolCatalog",
            ]),

        module(
            "Teams/SyncEngine",
            ["LanyardSecrets", "LinuxSystem", "LanyardCryptography", "SQLiteFile"]),
        module(
            "Teams/KeychainSync",
            [
                "LanyardSecrets", "LinuxSystem", "LanyardCryptography", "SQLiteFile",
                "KeychainServices", "SyncEngine",
            ]),
        module(
            "Teams/SyncPlugins",
            ["LanyardSecrets", "LinuxSystem", "StrictJSON", "KeychainPlugin", "SyncEngine"]),

        // Without the trait it only says so.
        module(
            "Service/SecretServiceProvider",
            [
                "KeychainServices", "LinuxSystem", "StrictJSON", "LanyardCertificates",
                "SealedStore", "SecretServiceStore", "LanyardConfiguration", "LanyardPrompting",
                "Keychains", "CLibcrypto", withTrait("CGLib"),
            ]),

        module(
            "Command/LanyardDiagnosis",
            [
                "KeychainServices", "LinuxSystem", "SealedStore", "KeychainPlugin", "GitCredential",
                "ToolHelpers", "LanyardConfiguration", "Keychains", "OneTimeCodes", "ToolCatalog",
                "LanyardTransfer", "ToolSetup", "SyncEngine", "KeychainSync", "CLinux",
            ]),
        module(
            "Command/LanyardCommand",
            keychain + tools + [
                "LinuxSystem", "StrictJSON", "PlainTextFormats", "LanyardCertificates",
                "OneTimeCodes", "SyncEngine", "KeychainSync", "SyncPlugins", "ToolSetup",
                "LanyardDiagnosis", arguments,
            ]),

        // For programs that use Foundation; ours don't.
        module("Apple/KeychainServicesFoundation", ["KeychainServices"]),
        module(
            "Apple/SecurityFunctions",
            ["KeychainServices", "LinuxSystem", "SealedStore", "LanyardConfiguration", "Keychains"]),
        // A program depends on it under another module name.
        module(
            "Apple/Security",
            [
                "KeychainServices", "KeychainServicesFoundation", "LanyardCertificates",
                "SecurityFunctions",
            ]),
        module(
            "Apple/SecurityLibrary", ["KeychainServices", "SecurityFunctions"], exclude: ["include"]
        ),

        // The commands and the SSH agent, under two names.
        program("lanyard", ["LinuxSystem", "LanyardCommand", "SSHAgent"]),
        // The helpers of all tools and what Lanyard starts, under several names.
        program(
            "lanyard-helper",
            [
                "KeychainServices", "LinuxSystem", "GitCredential", "DockerCredential",
                "ToolHelpers", "LanyardPrompting", "Keychains", "SyncPlugins", "KeychainPlugin",
            ]),
        // The Secret Service's plugin and the service, under two names.
        program(
            "lanyard-secret-service",
            [
                "KeychainServices", "LinuxSystem", "KeychainPlugin", "SecretServiceStore",
                "SecretServiceProvider", withTrait("CLibsecret"),
            ],
            usesGLib: true),

        // Test targets never depend on an executable: the static flags would reach the test bundle.
        forTests("TestSupport", ["LanyardSecrets", "LinuxSystem"]),
        forTests("StoreConformance", ["TestSupport", "KeychainServices"]),
        forTests("SyncConformance", ["LanyardSecrets", "SyncEngine"]),
        tests("Base", base),
        tests(
            "Keychain", base + keychain + ["StoreConformance", "CKeyutils", "CSQLite"],
            exclude: ["KeychainPlugin/Plugins", "SealedStore/Formats"]),
        tests(
            "Keys",
            base + keychain + ["LanyardCertificates", "OneTimeCodes", "SSHAgent", subprocess]),
        tests("Tools", base + keychain + tools + ["StoreConformance"]),
        tests(
            "Teams",
            base + [
                "KeychainServices", "SealedStore", "KeychainPlugin", "SyncEngine", "KeychainSync",
                "SyncPlugins", "SyncConformance",
            ]),
        tests("Service", ["KeychainServices", "SecretServiceStore", "SecretServiceProvider"]),
        tests(
            "Command",
            base + keychain + tools + [
                "ToolSetup", "SyncEngine", "KeychainSync", "SyncConformance", "LanyardDiagnosis",
                "LanyardCommand", arguments,
            ]),
        tests("Apple", ["KeychainServices", "KeychainServicesFoundation", "SecurityFunctions"]),
        .target(name: "EndToEndRig", dependencies: rig, path: "Tests/EndToEnd/Rig"),
        endToEnd(
            "Tools",
            ["ToolCatalog", "ToolSetup", "PlainTextFormats", "LanyardTransfer", "LanyardSecrets"]),
        endToEnd("Keychains", []),
        endToEnd("Desktop", ["StoreConformance", "SecretServiceStore"]),
    ]
)

// What the programs are made of marks each use of unsafe memory; the tests speak to C as they like.
for target in package.targets where target.type != .system {
    let isForTests = target.path?.hasPrefix("Tests/") == true
    target.swiftSettings = isForTests ? strict : strict + [.strictMemorySafety()]
}

// For the programs alone.
if variable("TESTS") == "no" {
    package.targets.removeAll { $0.path?.hasPrefix("Tests/") == true }
}

// Under a sanitizer everything is built once more: tests that are not to be run there are left out.
if let names = variable("TEST_TARGETS")?.split(separator: " "), !names.isEmpty {
    for name in names where !package.targets.contains(where: { $0.name == name }) {
        fatalError("LANYARD_TEST_TARGETS: there is no target '\(name)'")
    }
    package.targets.removeAll { $0.type == .test && !names.contains(Substring($0.name)) }
}

// Where programs are there already, only the tests are built, and what they depend on.
if variable("PROGRAMS") == "no" {
    var needed = Set(package.targets.filter { $0.type == .test }.map(\.name))
    // A target depends only on targets before it.
    for target in package.targets.reversed() where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies {
            needed.insert(name)
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
