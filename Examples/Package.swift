// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]

/// Programs that use reactor as any other package does. `scripts/examples` builds and runs them.
let package = Package(
  name: "examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "reactor", path: "..")],
  targets: [
    .target(name: "Terminal", swiftSettings: settings),
    .executableTarget(
      name: "counter",
      dependencies: ["Terminal", .product(name: "ReactorState", package: "reactor")],
      swiftSettings: settings),
    .executableTarget(
      name: "repository-search",
      dependencies: [
        "Terminal", .product(name: "ReactorState", package: "reactor"),
        .product(name: "ReactorCore", package: "reactor"),
        .product(name: "HTTPTransport", package: "reactor"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "articles",
      dependencies: [
        "Terminal", .product(name: "ReactorCore", package: "reactor"),
        .product(name: "HTTPTransport", package: "reactor"),
        .product(name: "Storage", package: "reactor"),
      ],
      swiftSettings: settings),
  ]
)
