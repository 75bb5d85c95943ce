// swift-tools-version: 6.2
import PackageDescription

// The module's own name would tell every package of a build that it is on Apple's system. SwiftPM knows a package
// in a folder by the folder's name: only in one called lanyard does it take the other name, else it warns.
let security = Target.Dependency.product(
    name: "Security", package: "lanyard", moduleAliases: ["Security": "LanyardSecurity"])

// A package of its own: the examples see what another package sees, the products, and of them what is public.
let package = Package(
    name: "lanyard-examples",
    dependencies: [
        .package(name: "lanyard", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "SecureStoreExample",
            dependencies: [
                .product(name: "Keychains", package: "lanyard"),
                .product(name: "KeychainServices", package: "lanyard"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // The code of the articles in Sources/*/*/Documentation.docc.
        .executableTarget(
            name: "Articles",
            dependencies: [
                .product(name: "Keychains", package: "lanyard"),
                .product(name: "KeychainServices", package: "lanyard"),
                .product(name: "SealedStore", package: "lanyard"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "lanyard-keychain-memory",
            dependencies: [
                .product(name: "KeychainPlugin", package: "lanyard"),
                .product(name: "KeychainServices", package: "lanyard"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "TokenStore", dependencies: [security],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "SecurityExample",
            dependencies: [
                "TokenStore", security,
                .product(name: "Keychains", package: "lanyard"),
                .product(name: "KeychainServices", package: "lanyard"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // One of several processes that use a keychain at once.
        .executableTarget(
            name: "SecurityWorker", dependencies: [security],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "SecurityTests",
            dependencies: [
                "TokenStore", security, .product(name: "KeychainServices", package: "lanyard"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
