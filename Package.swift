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

// Where the C libraries are only there as shared ones: no Swift runtime needed, no RUNPATH.
let sharedC: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-no-toolchain-stdlib-rpath", "-Xlinker", "--gc-sections",
            "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
            "-Xclang-linker", "-static-libgcc",
            // -static-stdlib exports every symbol, for plugins that Swift programs could load.
            "-Xlinker", "--no-export-dynamic",
        ] + everyProgram,
        .when(configuration: .release))
]

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
        .executable(name: "git-credential-lanyard", targets: ["git-credential-lanyard"]),
        .executable(name: "docker-credential-lanyard", targets: ["docker-credential-lanyard"]),
        .executable(name: "lanyard-helper", targets: ["lanyard-helper"]),
        .executable(name: "lanyard-ssh-agent", targets: ["lanyard-ssh-agent"]),
        .executable(name: "lanyard-pam", targets: ["lanyard-pam"]),
        .executable(name: "lanyard-sync-git", targets: ["lanyard-sync-git"]),
        .executable(name: "lanyard-sync-postgresql", targets: ["lanyard-sync-postgresql"]),
        .executable(name: "lanyard-presence-fido2", targets: ["lanyard-presence-fido2"]),
        .executable(
            name: "lanyard-keychain-secret-service", targets: ["lanyard-keychain-secret-service"]),
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
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(
            name: "CKeyutils", pkgConfig: "libkeyutils", providers: [.apt(["libkeyutils-dev"])]),
        // Of GLib's flags alone: SwiftPM warns of others that libsecret-1 has.
        .systemLibrary(
            name: "CLibsecret", pkgConfig: "gobject-2.0", providers: [.apt(["libsecret-1-dev"])]),
        .systemLibrary(
            name: "CGLib", pkgConfig: "gobject-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(
            name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLinux"),
        .target(name: "COutOfMemory"),

        .target(name: "Secrets", swiftSettings: strict),
        .target(
            name: "LinuxSystem", dependencies: ["Secrets", "CLinux", "COutOfMemory"],
            swiftSettings: strict),
        .target(
            name: "Cryptography",
            dependencies: ["Secrets", "LinuxSystem", "CSodium"],
            swiftSettings: strict),
        .target(
            name: "SQLiteFile", dependencies: ["Secrets", "LinuxSystem", "CSQLite"],
            swiftSettings: strict),
        .target(
            name: "SyncEngine",
            dependencies: ["Secrets", "LinuxSystem", "Cryptography", "SQLiteFile"],
            swiftSettings: strict),
        .target(name: "StrictJSON", dependencies: ["Secrets"], swiftSettings: strict),
        .target(name: "KeychainServices", dependencies: ["Secrets"], swiftSettings: strict),
        // Of its own: the helpers of git and docker have no use for libcrypto.
        .target(
            name: "Certificates",
            dependencies: [
                "Secrets", "LinuxSystem", "KeychainServices", "CLibcrypto",
            ],
            swiftSettings: strict),
        // For programs that use Foundation; ours don't.
        .target(
            name: "KeychainServicesFoundation", dependencies: ["KeychainServices"],
            swiftSettings: strict),
        .target(
            name: "SystemdCredentials", dependencies: ["Secrets", "LinuxSystem", "StrictJSON"],
            swiftSettings: strict),
        .target(
            name: "SealedStore",
            dependencies: [
                "KeychainServices", "LinuxSystem", "Cryptography", "SystemdCredentials",
                "SQLiteFile", "CSQLite", "CKeyutils",
            ],
            swiftSettings: strict),
        .target(
            name: "KeychainSync",
            dependencies: [
                "Secrets", "LinuxSystem", "Cryptography", "SQLiteFile", "KeychainServices",
                "SyncEngine",
            ],
            swiftSettings: strict),
        .target(
            name: "SecretServiceItems", dependencies: ["KeychainServices"], swiftSettings: strict),
        // Without the trait there is nothing in it.
        .target(
            name: "SecretServiceStore",
            dependencies: [
                "KeychainServices", "LinuxSystem", "SecretServiceItems",
                .target(name: "CLibsecret", condition: .when(traits: ["SecretService"])),
            ],
            swiftSettings: strict),
        // Without the trait it only runs the command.
        .target(
            name: "LogindSignals",
            dependencies: [
                "KeychainServices", "LinuxSystem",
                .target(name: "CLibsecret", condition: .when(traits: ["SecretService"])),
            ],
            swiftSettings: strict),
        .target(
            name: "PluginProcesses", dependencies: ["Secrets", "LinuxSystem", "StrictJSON"],
            swiftSettings: strict),
        .target(
            name: "SyncPlugin",
            dependencies: [
                "Secrets", "LinuxSystem", "SyncEngine", "StrictJSON", "PluginProcesses",
            ],
            swiftSettings: strict),
        .target(
            name: "GitSync",
            dependencies: [
                "Secrets", "LinuxSystem", "SyncEngine", "PluginProcesses", "SyncPlugin",
            ],
            swiftSettings: strict),
        .target(
            name: "PostgreSQLSync",
            dependencies: [
                "Secrets", "LinuxSystem", "SyncEngine", "PluginProcesses", "SyncPlugin",
            ],
            swiftSettings: strict),
        .target(
            name: "PresencePlugin",
            dependencies: ["Secrets", "LinuxSystem", "StrictJSON", "PluginProcesses"],
            swiftSettings: strict),
        .target(
            name: "FIDO2Presence",
            dependencies: [
                "Secrets", "LinuxSystem", "PluginProcesses", "PresencePlugin",
            ],
            swiftSettings: strict),
        .target(
            name: "KeychainPlugin",
            dependencies: ["KeychainServices", "LinuxSystem", "PluginProcesses", "StrictJSON"],
            swiftSettings: strict),
        .target(name: "GitCredential", dependencies: ["KeychainServices"], swiftSettings: strict),
        .target(
            name: "DockerCredential", dependencies: ["KeychainServices", "StrictJSON"],
            swiftSettings: strict),
        .target(
            name: "AskpassCredential", dependencies: ["KeychainServices", "GitCredential"],
            swiftSettings: strict),
        .target(
            name: "Configuration",
            dependencies: ["KeychainServices", "LinuxSystem", "SealedStore", "KeychainPlugin"],
            swiftSettings: strict),
        .target(
            name: "Prompting",
            dependencies: ["KeychainServices", "LinuxSystem", "Configuration", "CLinux"],
            swiftSettings: strict),
        .target(
            name: "Keychains",
            dependencies: [
                "KeychainServices", "LinuxSystem", "SealedStore", "PluginProcesses",
                "PresencePlugin", "KeychainPlugin", "Configuration", "Prompting",
            ],
            swiftSettings: strict),
        // Of its own: the helpers manage no keychains, and would be larger.
        .target(
            name: "KeychainManagement",
            dependencies: [
                "KeychainServices", "LinuxSystem", "SealedStore", "KeychainPlugin",
                "Configuration", "Keychains",
            ],
            swiftSettings: strict),
        // Of its own: the helpers don't watch, and asynchronous sequences would make them larger.
        .target(
            name: "KeychainWatching",
            dependencies: [
                "KeychainServices", "LinuxSystem", "SealedStore", "Configuration", "Keychains",
            ],
            swiftSettings: strict),
        .target(
            name: "LoginUnlocking",
            dependencies: [
                "KeychainServices", "LinuxSystem", "SealedStore", "Configuration", "Prompting",
                "Keychains",
            ],
            swiftSettings: strict),
        .target(
            name: "SecurityFunctions",
            dependencies: [
                "KeychainServices", "LinuxSystem", "SealedStore", "Configuration", "Keychains",
                "KeychainManagement",
            ],
            swiftSettings: strict),
        // Nothing here depends on it: a program does, under another module name.
        .target(
            name: "Security",
            dependencies: [
                "KeychainServices", "KeychainServicesFoundation", "Certificates",
                "SecurityFunctions",
            ],
            swiftSettings: strict),
        .target(
            name: "SecurityLibrary", dependencies: ["KeychainServices", "SecurityFunctions"],
            exclude: ["include"], swiftSettings: strict),
        .target(
            name: "KubectlCredential",
            dependencies: ["KeychainServices", "StrictJSON"], swiftSettings: strict),
        .target(
            name: "CargoCredential", dependencies: ["KeychainServices", "StrictJSON"],
            swiftSettings: strict),
        .target(
            name: "KeyringCredential", dependencies: ["KeychainServices", "StrictJSON"],
            swiftSettings: strict),
        .target(
            name: "TerraformCredential", dependencies: ["KeychainServices", "StrictJSON"],
            swiftSettings: strict),
        .target(
            name: "AWSCredential", dependencies: ["KeychainServices", "StrictJSON"],
            swiftSettings: strict),
        .target(
            name: "GoAuthCredential",
            dependencies: ["KeychainServices", "GitCredential"],
            swiftSettings: strict),
        .target(
            name: "BazelCredential", dependencies: ["KeychainServices", "StrictJSON"],
            swiftSettings: strict),
        .target(name: "VaultCredential", dependencies: ["KeychainServices"], swiftSettings: strict),
        .target(name: "PnpmCredential", dependencies: ["KeychainServices"], swiftSettings: strict),
        .target(
            name: "AnsibleCredential", dependencies: ["KeychainServices"],
            swiftSettings: strict),
        .target(name: "PodmanSecret", dependencies: ["KeychainServices"], swiftSettings: strict),
        .target(
            name: "PinentryCredential", dependencies: ["KeychainServices"],
            swiftSettings: strict),
        .target(
            name: "NuGetCredential", dependencies: ["KeychainServices", "StrictJSON"],
            swiftSettings: strict),
        .target(
            name: "GcloudCredential", dependencies: ["KeychainServices", "StrictJSON"],
            swiftSettings: strict),
        .target(
            name: "SSHAgent",
            dependencies: [
                "KeychainServices", "Certificates", "LinuxSystem", "Cryptography", "Configuration",
                "Prompting", "Keychains",
            ],
            swiftSettings: strict),
        // Without the trait it only says so.
        .target(
            name: "SecretServiceProvider",
            dependencies: [
                "KeychainServices", "LinuxSystem", "StrictJSON", "Certificates",
                "SealedStore", "SecretServiceItems", "Configuration", "Prompting", "Keychains",
                "KeychainManagement", "CLibcrypto",
                .target(name: "CGLib", condition: .when(traits: ["SecretService"])),
            ],
            swiftSettings: strict),
        // The list of all tools.
        .target(
            name: "Tools",
            dependencies: [
                "KeychainServices", "GitCredential", "DockerCredential", "AskpassCredential",
                "KubectlCredential", "CargoCredential", "KeyringCredential", "TerraformCredential",
                "AWSCredential", "GoAuthCredential",
                "BazelCredential", "VaultCredential", "PnpmCredential", "AnsibleCredential",
                "PodmanSecret", "PinentryCredential", "NuGetCredential", "GcloudCredential",
            ],
            swiftSettings: strict),
        // Reads the files of other programs.
        .target(name: "PlainTextFormats", dependencies: ["Secrets"], swiftSettings: strict),
        // How programs without a protocol take their secrets.
        .target(
            name: "ToolProfiles", dependencies: ["KeychainServices", "PlainTextFormats"],
            swiftSettings: strict),
        // Looks for secrets in files; opens no keychain.
        .target(
            name: "PlainTextScan",
            dependencies: [
                "Secrets", "LinuxSystem", "PlainTextFormats", "ToolProfiles",
                "CLinux",
            ],
            swiftSettings: strict),
        .target(
            name: "OneTimeCodes", dependencies: ["Secrets", "Certificates", "CLibcrypto"],
            swiftSettings: strict),
        .target(
            name: "ItemImport",
            dependencies: [
                "KeychainServices", "StrictJSON", "GitCredential", "DockerCredential", "Tools",
                "OneTimeCodes", "PlainTextFormats", "ToolProfiles",
            ],
            swiftSettings: strict),
        .target(
            name: "ItemExport",
            dependencies: [
                "KeychainServices", "LinuxSystem", "Cryptography", "StrictJSON", "KeychainPlugin",
                "ItemImport",
            ],
            swiftSettings: strict),
        .target(
            name: "ImportEngine",
            dependencies: [
                "KeychainServices", "LinuxSystem", "StrictJSON", "GitCredential",
                "DockerCredential",
                "Tools", "Prompting", "OneTimeCodes", "ItemImport",
            ],
            swiftSettings: strict),
        .target(
            name: "ToolSetup",
            dependencies: [
                "KeychainServices", "Certificates", "LinuxSystem", "Cryptography", "StrictJSON",
                "GitCredential", "DockerCredential", "Tools", "PlainTextFormats",
                "PluginProcesses", "Configuration",
            ],
            swiftSettings: strict),
        .target(
            name: "Diagnosis",
            dependencies: [
                "KeychainServices", "LinuxSystem", "SealedStore", "KeychainPlugin", "GitCredential",
                "Tools", "Configuration", "Keychains", "OneTimeCodes", "ToolProfiles", "ItemImport",
                "ImportEngine", "ToolSetup", "SyncEngine", "KeychainSync", "CLinux",
            ],
            swiftSettings: strict),
        .target(
            name: "LanyardCommand",
            dependencies: [
                "KeychainServices", "Certificates", "LinuxSystem", "SealedStore", "KeychainPlugin",
                "Tools", "KubectlCredential", "PlainTextFormats", "ToolProfiles", "PlainTextScan",
                "OneTimeCodes", "Configuration", "Prompting", "Keychains", "KeychainManagement",
                "SyncEngine", "KeychainSync", "SyncPlugin", "KeychainWatching", "StrictJSON",
                "ItemImport", "ItemExport",
                "ImportEngine",
                "ToolSetup", "Diagnosis",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        .executableTarget(
            name: "lanyard", dependencies: ["LanyardCommand"],
            path: "helpers/lanyard", swiftSettings: strict, linkerSettings: staticPIE),
        .executableTarget(
            name: "git-credential-lanyard",
            dependencies: ["GitCredential", "Prompting", "Keychains"],
            path: "helpers/git-credential-lanyard", swiftSettings: strict,
            linkerSettings: staticPIE),
        .executableTarget(
            name: "docker-credential-lanyard",
            dependencies: ["DockerCredential", "Prompting", "Keychains", "LinuxSystem"],
            path: "helpers/docker-credential-lanyard", swiftSettings: strict,
            linkerSettings: staticPIE),
        // Of every other tool, under several names.
        .executableTarget(
            name: "lanyard-helper", dependencies: ["Tools", "Keychains"],
            path: "helpers/lanyard-helper", swiftSettings: strict, linkerSettings: staticPIE),
        .executableTarget(
            name: "lanyard-ssh-agent", dependencies: ["SSHAgent"],
            path: "helpers/lanyard-ssh-agent", swiftSettings: strict, linkerSettings: staticPIE),
        .executableTarget(
            name: "lanyard-pam", dependencies: ["LoginUnlocking"],
            path: "helpers/lanyard-pam", swiftSettings: strict, linkerSettings: staticPIE),
        .executableTarget(
            name: "lanyard-sync-git", dependencies: ["SyncPlugin", "GitSync"],
            path: "helpers/lanyard-sync-git", swiftSettings: strict, linkerSettings: staticPIE),
        .executableTarget(
            name: "lanyard-sync-postgresql", dependencies: ["SyncPlugin", "PostgreSQLSync"],
            path: "helpers/lanyard-sync-postgresql", swiftSettings: strict,
            linkerSettings: staticPIE),
        .executableTarget(
            name: "lanyard-presence-fido2", dependencies: ["PresencePlugin", "FIDO2Presence"],
            path: "helpers/lanyard-presence-fido2", swiftSettings: strict,
            linkerSettings: staticPIE),
        .executableTarget(
            name: "lanyard-keychain-secret-service",
            dependencies: [
                "KeychainServices", "LinuxSystem", "KeychainPlugin", "SecretServiceStore",
                "LogindSignals",
            ],
            path: "helpers/lanyard-keychain-secret-service", swiftSettings: strict,
            linkerSettings: sharedC),
        .executableTarget(
            name: "lanyard-secret-service", dependencies: ["SecretServiceProvider"],
            path: "helpers/lanyard-secret-service", swiftSettings: strict,
            linkerSettings: sharedC),

        // Test targets never depend on an executable: the static flags would reach the test bundle.
        .target(
            name: "OwnMemory", path: "Tests/OwnMemory", swiftSettings: strict),
        .target(
            name: "RandomNumbers", path: "Tests/RandomNumbers", swiftSettings: strict),
        .target(
            name: "ScratchFolders", dependencies: ["LinuxSystem"], path: "Tests/ScratchFolders",
            swiftSettings: strict),
        .target(
            name: "ScratchPostgreSQL", path: "Tests/ScratchPostgreSQL", swiftSettings: strict),
        .target(
            name: "ScriptedSession", dependencies: ["KeychainServices"],
            path: "Tests/ScriptedSession", swiftSettings: strict),
        .target(
            name: "StoreConformance", dependencies: ["RandomNumbers", "KeychainServices"],
            path: "Tests/StoreConformance", swiftSettings: strict),
        .target(
            name: "SyncConformance", dependencies: ["Secrets", "SyncEngine"],
            path: "Tests/SyncConformance", swiftSettings: strict),
        .target(
            name: "SecretServiceRig", path: "Tests/SecretServiceRig", swiftSettings: strict),
        .testTarget(
            name: "SecretsTests", dependencies: ["RandomNumbers", "Secrets"], path: "Tests/Secrets",
            swiftSettings: strict),
        .target(
            name: "SyncServer", dependencies: ["Secrets", "SyncEngine"], path: "Tests/SyncServer",
            swiftSettings: strict),
        .testTarget(
            name: "SyncEngineTests",
            dependencies: [
                "RandomNumbers", "ScratchFolders", "Secrets", "LinuxSystem", "Cryptography",
                "SQLiteFile", "SyncEngine", "SyncConformance", "SyncServer",
            ],
            path: "Tests/SyncEngine", swiftSettings: strict),
        .testTarget(
            name: "KeychainSyncTests",
            dependencies: [
                "RandomNumbers", "ScratchFolders", "KeychainServices", "SQLiteFile", "SealedStore",
                "SyncEngine", "KeychainSync", "SyncServer", "LinuxSystem",
            ],
            path: "Tests/KeychainSync", swiftSettings: strict),
        .testTarget(
            name: "SyncTransportsTests",
            dependencies: [
                "RandomNumbers", "ScratchFolders", "ScratchPostgreSQL", "Secrets", "LinuxSystem",
                "Cryptography", "SyncEngine", "SyncPlugin", "GitSync", "PostgreSQLSync",
                "SyncConformance",
            ],
            path: "Tests/SyncTransports", swiftSettings: strict),
        .testTarget(
            name: "KeychainServicesTests",
            dependencies: ["OwnMemory", "RandomNumbers", "KeychainServices", "StoreConformance"],
            path: "Tests/KeychainServices", swiftSettings: strict),
        .testTarget(
            name: "KeychainServicesFoundationTests",
            dependencies: ["KeychainServices", "KeychainServicesFoundation"],
            path: "Tests/KeychainServicesFoundation", swiftSettings: strict),
        .testTarget(
            name: "CertificatesTests",
            dependencies: [
                "OwnMemory", "RandomNumbers", "Secrets", "KeychainServices", "Certificates",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            path: "Tests/Certificates", swiftSettings: strict),
        .target(
            name: "ScriptedCredentials", dependencies: ["Secrets", "LinuxSystem"],
            path: "Tests/ScriptedCredentials", swiftSettings: strict),
        .testTarget(
            name: "SystemdCredentialsTests",
            dependencies: ["Secrets", "LinuxSystem", "SystemdCredentials", "ScriptedCredentials"],
            path: "Tests/SystemdCredentials", swiftSettings: strict),
        .testTarget(
            name: "SealedStoreTests",
            dependencies: [
                "RandomNumbers", "ScratchFolders", "KeychainServices", "LinuxSystem",
                "Cryptography", "SQLiteFile", "SealedStore", "StoreConformance", "CKeyutils",
                "CSQLite",
            ],
            path: "Tests/SealedStore", exclude: ["Formats"], swiftSettings: strict),
        .testTarget(
            name: "PresencePluginTests",
            dependencies: ["ScratchFolders", "Secrets", "PresencePlugin"],
            path: "Tests/PresencePlugin", swiftSettings: strict),
        .testTarget(
            name: "KeychainPluginTests",
            dependencies: [
                "RandomNumbers", "ScratchFolders", "KeychainServices", "LinuxSystem",
                "PluginProcesses", "KeychainPlugin", "StrictJSON", "StoreConformance",
            ],
            path: "Tests/KeychainPlugin", exclude: ["Plugins"], swiftSettings: strict),
        .testTarget(
            name: "SecretServiceStoreTests",
            dependencies: [
                "KeychainServices", "SecretServiceStore", "SecretServiceRig", "StoreConformance",
            ],
            path: "Tests/SecretServiceStore", swiftSettings: strict),
        .testTarget(
            name: "GitCredentialTests",
            dependencies: [
                "RandomNumbers", "KeychainServices", "GitCredential", "StoreConformance",
            ],
            path: "Tests/GitCredential", swiftSettings: strict),
        .testTarget(
            name: "StrictJSONTests", dependencies: ["RandomNumbers", "Secrets", "StrictJSON"],
            path: "Tests/StrictJSON", swiftSettings: strict),
        .testTarget(
            name: "DockerCredentialTests",
            dependencies: [
                "RandomNumbers", "KeychainServices", "DockerCredential", "StoreConformance",
            ],
            path: "Tests/DockerCredential", swiftSettings: strict),
        .testTarget(
            name: "AskpassCredentialTests",
            dependencies: [
                "OwnMemory", "RandomNumbers", "KeychainServices", "GitCredential",
                "AskpassCredential",
                "ScriptedSession",
            ],
            path: "Tests/AskpassCredential", swiftSettings: strict),
        .testTarget(
            name: "KubectlCredentialTests",
            dependencies: ["KeychainServices", "KubectlCredential"],
            path: "Tests/KubectlCredential", swiftSettings: strict),
        .testTarget(
            name: "CargoCredentialTests",
            dependencies: ["KeychainServices", "CargoCredential", "ScriptedSession"],
            path: "Tests/CargoCredential", swiftSettings: strict),
        .testTarget(
            name: "KeyringCredentialTests",
            dependencies: ["KeychainServices", "KeyringCredential", "ScriptedSession"],
            path: "Tests/KeyringCredential", swiftSettings: strict),
        .testTarget(
            name: "TerraformCredentialTests",
            dependencies: ["KeychainServices", "TerraformCredential", "ScriptedSession"],
            path: "Tests/TerraformCredential", swiftSettings: strict),
        .testTarget(
            name: "AWSCredentialTests",
            dependencies: ["KeychainServices", "AWSCredential", "ScriptedSession"],
            path: "Tests/AWSCredential", swiftSettings: strict),
        .testTarget(
            name: "GoAuthCredentialTests",
            dependencies: ["KeychainServices", "GoAuthCredential", "ScriptedSession"],
            path: "Tests/GoAuthCredential", swiftSettings: strict),
        .testTarget(
            name: "BazelCredentialTests",
            dependencies: ["KeychainServices", "BazelCredential", "ScriptedSession"],
            path: "Tests/BazelCredential", swiftSettings: strict),
        .testTarget(
            name: "VaultCredentialTests",
            dependencies: ["KeychainServices", "VaultCredential", "ScriptedSession"],
            path: "Tests/VaultCredential", swiftSettings: strict),
        .testTarget(
            name: "PnpmCredentialTests",
            dependencies: ["KeychainServices", "PnpmCredential", "ScriptedSession"],
            path: "Tests/PnpmCredential", swiftSettings: strict),
        .testTarget(
            name: "AnsibleCredentialTests",
            dependencies: ["KeychainServices", "AnsibleCredential", "ScriptedSession"],
            path: "Tests/AnsibleCredential", swiftSettings: strict),
        .testTarget(
            name: "PodmanSecretTests",
            dependencies: ["KeychainServices", "PodmanSecret", "ScriptedSession"],
            path: "Tests/PodmanSecret", swiftSettings: strict),
        .testTarget(
            name: "PinentryCredentialTests",
            dependencies: [
                "OwnMemory", "KeychainServices", "PinentryCredential", "ScriptedSession",
            ],
            path: "Tests/PinentryCredential", swiftSettings: strict),
        .testTarget(
            name: "NuGetCredentialTests",
            dependencies: ["KeychainServices", "NuGetCredential", "ScriptedSession"],
            path: "Tests/NuGetCredential", swiftSettings: strict),
        .testTarget(
            name: "GcloudCredentialTests",
            dependencies: ["KeychainServices", "GcloudCredential", "ScriptedSession"],
            path: "Tests/GcloudCredential", swiftSettings: strict),
        .testTarget(
            name: "SSHAgentTests",
            dependencies: ["OwnMemory", "KeychainServices", "Certificates", "SSHAgent"],
            path: "Tests/SSHAgent", swiftSettings: strict),
        .testTarget(
            name: "SecretServiceProviderTests",
            dependencies: [
                "OwnMemory", "RandomNumbers", "KeychainServices", "SecretServiceItems",
                "SecretServiceProvider",
            ],
            path: "Tests/SecretServiceProvider", swiftSettings: strict),
        .testTarget(
            name: "ToolsTests", dependencies: ["KeychainServices", "Tools"], path: "Tests/Tools",
            swiftSettings: strict),
        .testTarget(
            name: "PlainTextFormatsTests",
            dependencies: ["RandomNumbers", "Secrets", "PlainTextFormats"],
            path: "Tests/PlainTextFormats", swiftSettings: strict),
        .testTarget(
            name: "ToolProfilesTests",
            dependencies: [
                "RandomNumbers", "KeychainServices", "PlainTextFormats", "ToolProfiles",
            ],
            path: "Tests/ToolProfiles", swiftSettings: strict),
        .testTarget(
            name: "PlainTextScanTests",
            dependencies: [
                "RandomNumbers", "ScratchFolders", "Secrets", "PlainTextFormats", "ToolProfiles",
                "PlainTextScan",
            ],
            path: "Tests/PlainTextScan", swiftSettings: strict),
        .testTarget(
            name: "OneTimeCodesTests",
            dependencies: ["OwnMemory", "RandomNumbers", "Secrets", "OneTimeCodes"],
            path: "Tests/OneTimeCodes", swiftSettings: strict),
        .testTarget(
            name: "ItemImportTests",
            dependencies: [
                "OwnMemory", "RandomNumbers", "ScratchFolders", "KeychainServices", "ToolProfiles",
                "ItemImport",
            ],
            path: "Tests/ItemImport", swiftSettings: strict),
        .testTarget(
            name: "ItemExportTests",
            dependencies: [
                "OwnMemory", "RandomNumbers", "KeychainServices", "Cryptography", "SealedStore",
                "ItemImport",
                "ItemExport",
            ],
            path: "Tests/ItemExport", swiftSettings: strict),
        .testTarget(
            name: "ImportEngineTests",
            dependencies: ["ScratchFolders", "KeychainServices", "ItemImport", "ImportEngine"],
            path: "Tests/ImportEngine", swiftSettings: strict),
        .testTarget(
            name: "ConfigurationTests",
            dependencies: [
                "RandomNumbers", "ScratchFolders", "KeychainServices", "LinuxSystem", "SealedStore",
                "Configuration",
            ],
            path: "Tests/Configuration", swiftSettings: strict),
        .testTarget(
            name: "PromptingTests",
            dependencies: [
                "OwnMemory", "ScratchFolders", "KeychainServices", "Prompting",
            ],
            path: "Tests/Prompting", swiftSettings: strict),
        .testTarget(
            name: "KeychainsTests",
            dependencies: [
                "ScratchFolders", "KeychainServices", "LinuxSystem", "SealedStore", "Configuration",
                "Keychains",
            ],
            path: "Tests/Keychains", swiftSettings: strict),
        .testTarget(
            name: "KeychainManagementTests",
            dependencies: [
                "ScratchFolders", "KeychainServices", "LinuxSystem", "SealedStore", "Configuration",
                "KeychainManagement",
            ],
            path: "Tests/KeychainManagement", swiftSettings: strict),
        .testTarget(
            name: "KeychainWatchingTests",
            dependencies: [
                "ScratchFolders", "KeychainServices", "SealedStore", "Configuration",
                "KeychainWatching",
            ],
            path: "Tests/KeychainWatching", swiftSettings: strict),
        .testTarget(
            name: "LoginUnlockingTests",
            dependencies: ["LinuxSystem", "LoginUnlocking"],
            path: "Tests/LoginUnlocking", swiftSettings: strict),
        .testTarget(
            name: "LanyardCommandTests",
            dependencies: [
                "OwnMemory", "RandomNumbers", "ScratchFolders", "KeychainServices", "GitCredential",
                "DockerCredential",
                "LinuxSystem", "SealedStore", "Configuration", "KeychainManagement", "Tools",
                "PlainTextFormats", "ToolProfiles", "PlainTextScan", "ItemImport", "Prompting",
                "ImportEngine", "ToolSetup", "LanyardCommand",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/LanyardCommand", swiftSettings: strict),
        .testTarget(
            name: "ToolSetupTests",
            dependencies: [
                "OwnMemory", "ScratchFolders", "KeychainServices", "LinuxSystem", "ToolSetup",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            path: "Tests/ToolSetup", swiftSettings: strict),
        .testTarget(
            name: "DiagnosisTests",
            dependencies: [
                "OwnMemory", "ScratchFolders", "SyncServer", "SQLiteFile", "SyncEngine",
                "KeychainServices", "SealedStore", "KeychainSync", "ToolSetup", "Diagnosis",
            ],
            path: "Tests/Diagnosis", swiftSettings: strict),
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                "RandomNumbers", "ScratchFolders", "KeychainServices", "Certificates",
                "SealedStore", "SecretServiceRig", "ScratchPostgreSQL", "ScriptedCredentials",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            path: "Tests/EndToEnd",
            exclude: [
                "BusClients", "HostileRequests", "Presence/Authenticator", "Screens",
            ],
            swiftSettings: strict),
    ]
)

// What the programs are made of marks each use of unsafe memory; the tests speak to C as they like.
for target in package.targets
where target.type != .system && target.path?.hasPrefix("Tests/") != true {
    target.swiftSettings?.append(.strictMemorySafety())
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
