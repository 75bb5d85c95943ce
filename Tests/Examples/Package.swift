// swift-tools-version: 6.2
import PackageDescription

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
        // The code of the articles in Sources/*/Documentation.docc.
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
    ]
)
