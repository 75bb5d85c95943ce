// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "lanyard-benchmarks",
    dependencies: [.package(name: "lanyard", path: "../..")],
    targets: [
        .executableTarget(
            name: "bench",
            dependencies: [
                .product(name: "KeychainServices", package: "lanyard"),
                .product(name: "SealedStore", package: "lanyard"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ])
    ]
)
