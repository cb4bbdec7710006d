// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody else's build knows libFuzzer; scripts/fuzz builds and runs it.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  // The entry is libFuzzer's.
  .unsafeFlags(["-parse-as-library"]),
]

func fuzzer(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: ["FuzzSupport", .product(name: "ReactorFlows", package: "reactor")],
    swiftSettings: settings)
}

let package = Package(
  name: "fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "reactor", path: "../..")],
  targets: [
    .target(name: "FuzzSupport", swiftSettings: [.swiftLanguageMode(.v6)]),
    fuzzer("FuzzFlowFile"), fuzzer("FuzzTemplate"), fuzzer("FuzzRecords"), fuzzer("FuzzJSONPath"), fuzzer("FuzzStamp"),
    fuzzer("FuzzExpression"), fuzzer("FuzzFlowSet"),
  ],
  cxxLanguageStandard: .cxx17
)
