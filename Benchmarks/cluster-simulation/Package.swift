// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody else's build has it; Benchmarks/cluster builds it with `-enable-testing`.
let package = Package(
  name: "cluster-simulation",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "reactor", path: "../..")],
  targets: [
    .executableTarget(
      name: "ClusterSimulation", dependencies: [.product(name: "SharedState", package: "reactor")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ],
  cxxLanguageStandard: .cxx17
)
