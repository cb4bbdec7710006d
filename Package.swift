// swift-tools-version: 6.2
import PackageDescription

/// In CI a warning fails the build. Elsewhere it does not, so that a newer compiler still builds this package.
let warnings: [SwiftSetting] = Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
  warnings + [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

/// A nonisolated async function goes on where its caller is, instead of changing the executor with each call and back.
let sourceSettings = settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// A library target; imports only go downward, and the build refuses an undeclared one
/// (`--explicit-target-dependency-import-check error`).
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: sourceSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude, swiftSettings: settings)
}

let package = Package(
  name: "reactor",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "reactor", targets: ["reactor"]),
    .executable(name: "reactor-import", targets: ["reactor-import"]),
    .library(name: "ReactorCore", targets: ["ReactorCore", "JSONSyntax"]),
    .library(name: "ReactorState", targets: ["ReactorState"]),
    .library(name: "HTTPTransport", targets: ["HTTPTransport"]),
    .library(name: "Storage", targets: ["Storage"]),
    .library(name: "Databases", targets: ["Databases", "Records", "FieldTypes", "JSONSyntax"]),
    .library(
      name: "ReactorFlows",
      targets: [
        "SourceDiagnostics", "FlowModel", "FlowSpec", "FlowFolders", "FlowCompiler", "FlowRuntime", "BatchRunner",
        "ReactorState", "Records", "FieldTypes", "Storage", "HTTPTransport",
      ]),
    // For Benchmarks/cluster-simulation.
    .library(name: "SharedState", targets: ["SharedState", "BatchRunner", "Databases", "JSONSyntax", "ReactorCore"]),
    .library(name: "ReactorTesting", targets: ["ReactorTesting"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
    // Only a command: `swift package generate-documentation --target ReactorCore`.
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    // C
    .systemLibrary(
      name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    // Headers only: the library is loaded with the first request.
    .systemLibrary(name: "CCurlSystem", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    // zlib beside libcurl: the transport decodes responses itself, because libcurl takes a truncated gzip body as whole.
    .target(name: "CCurl", dependencies: ["CCurlSystem"], linkerSettings: [.linkedLibrary("z")]),
    .target(
      // The header's layout must match the packaged library, which is built with threads. (Its pkg-config file says so
      // with a flag that SwiftPM refuses, hence no system library target.)
      name: "CSimdJSON", cxxSettings: [.define("SIMDJSON_THREADS_ENABLED", to: "1")],
      linkerSettings: [.linkedLibrary("simdjson")]),

    .target(name: "CFileCalls"),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    // Libraries without header and link: each is loaded with its first use.
    .target(name: "CDynamicLibrary"),
    // libpq, with the first connection
    .target(name: "CPostgreSQL", dependencies: ["CDynamicLibrary"]),
    // libcrypto, with the first private key or sealed document
    .target(name: "CSigning", dependencies: ["CDynamicLibrary"]),
    // libexpat, with the first response in XML
    .target(name: "CExpat", dependencies: ["CDynamicLibrary"]),
    // libzstd, with the first file that needs it; zlib is linked already
    .target(name: "CCompression", dependencies: ["CDynamicLibrary"], linkerSettings: [.linkedLibrary("z")]),

    // text
    library("Boxes"),
    library("SourceDiagnostics", ["JSONSyntax"]),
    library("RegularExpressions"),
    library("JSONSyntax", ["RegularExpressions", "ByteCodings", "CSimdJSON"]),
    library("TimeSyntax", ["JSONSyntax"]),
    library("ByteCodings"),
    library("StreamCompression", ["CCompression"]),
    library("WebSyntax", ["TimeSyntax", "ByteCodings"]),
    library("Expressions", ["JSONSyntax", "TimeSyntax", "ByteCodings", "SourceDiagnostics"]),
    library("FieldTypes", ["TimeSyntax", "Expressions"]),
    library("Reshape", ["JSONSyntax", "TimeSyntax", "ByteCodings", "RegularExpressions", "SourceDiagnostics"]),

    // core
    library("DetachedThread"),
    library("ProgramCalls", ["DetachedThread", "CFileCalls"]),
    library("YAMLSyntax", ["CLibYAML", "SourceDiagnostics"]),
    library("ReactorCore", ["Boxes", "SourceDiagnostics", "DetachedThread", "ByteCodings", "JSONSyntax", "WebSyntax"]),
    // Without the feature: a `View` on the main actor would be taken off it, as the conformance takes over a declared
    // isolation.
    .target(name: "ReactorState", swiftSettings: settings),

    // meaning
    library("FlowModel", ["Boxes", "SourceDiagnostics", "JSONSyntax", "TimeSyntax", "Expressions", "WebSyntax"]),
    library(
      "FlowSpec",
      [
        "Boxes", "DetachedThread", "FlowModel", "YAMLSyntax", "SourceDiagnostics", "JSONSyntax", "Expressions",
        "Reshape", "WebSyntax", "FieldTypes", "TimeSyntax", "ByteCodings",
      ]),
    library(
      "Importing",
      ["FlowSpec", "Expressions", "YAMLSyntax", "JSONSyntax", "SourceDiagnostics", "ByteCodings", "WebSyntax"]),
    library(
      "Records",
      [
        "ReactorCore", "JSONSyntax", "TimeSyntax", "ByteCodings", "FieldTypes", "Expressions", "Reshape",
        "SourceDiagnostics",
      ]),
    library(
      "ResponseFormats", ["FlowModel", "ReactorCore", "Records", "JSONSyntax", "StreamCompression", "CExpat"]),
    library("HTTPTransport", ["ReactorCore", "CCurl", "WebSyntax"]),
    library("Storage", ["ReactorCore", "Records", "JSONSyntax", "ByteCodings", "StreamCompression", "CFileCalls"]),
    library(
      "Databases",
      [
        "Boxes", "ReactorCore", "Records", "Storage", "FieldTypes", "JSONSyntax", "ByteCodings", "TimeSyntax",
        "CSQLite",
        "CPostgreSQL",
      ]),
    library("Authorization", ["ReactorCore", "Storage", "JSONSyntax", "TimeSyntax", "ByteCodings", "CSigning"]),
    library(
      "Fixtures",
      [
        "ReactorCore", "Storage", "Records", "JSONSyntax", "TimeSyntax", "WebSyntax", "YAMLSyntax",
        "SourceDiagnostics", "DetachedThread", "ByteCodings", "StreamCompression",
        "Expressions",
      ]),

    // assembly, run, entry
    library(
      "FlowRuntime",
      [
        "Boxes", "FlowModel", "ReactorCore", "Records", "ResponseFormats", "HTTPTransport", "Storage", "Databases",
        "JSONSyntax",
        "Expressions",
        "Reshape", "TimeSyntax", "ByteCodings", "WebSyntax", "Authorization", "FieldTypes",
      ]),
    library(
      "FlowCompiler",
      [
        "Boxes", "DetachedThread", "FlowSpec", "FlowModel", "FlowRuntime", "Databases", "SourceDiagnostics",
        "ReactorCore", "Records", "JSONSyntax", "Expressions", "Reshape", "WebSyntax", "Authorization", "FieldTypes",
        "ByteCodings", "TimeSyntax", "Storage",
      ]),
    library("FlowFolders", ["FlowSpec", "SourceDiagnostics", "Storage", "YAMLSyntax"]),
    library(
      "SharedState",
      [
        "BatchRunner", "Databases", "FlowRuntime", "Storage", "JSONSyntax", "ReactorCore", "ByteCodings", "CSigning",
      ]),
    library("BatchRunner", ["Boxes", "FlowRuntime", "ReactorCore", "ReactorState", "Records"]),
    library(
      "RunViews",
      [
        "BatchRunner", "ReactorCore", "ReactorState", "SourceDiagnostics", "JSONSyntax", "ByteCodings", "TimeSyntax",
        "FlowModel",
      ]),
    library("MailTransport", ["CCurl", "ByteCodings", "DetachedThread", "TimeSyntax"]),
    library("Monitoring", ["RunViews", "BatchRunner", "ReactorCore", "JSONSyntax", "TimeSyntax", "WebSyntax"]),
    library(
      "ReactorCLI",
      [
        "BatchRunner", "SharedState", "RunViews", "Monitoring", "FlowCompiler", "FlowRuntime", "FlowModel", "FlowSpec",
        "FlowFolders",
        "SourceDiagnostics", "YAMLSyntax", "ReactorCore", "ReactorState", "Records", "Storage", "HTTPTransport",
        "JSONSyntax", "TimeSyntax", "WebSyntax", "Fixtures", "Authorization", "Expressions", "DetachedThread",
        "ByteCodings", "FieldTypes", "Databases", "CFileCalls", "ProgramCalls",
        "MailTransport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(name: "reactor", dependencies: ["ReactorCLI"], swiftSettings: sourceSettings),
    library(
      "ImportCLI",
      [
        "ReactorCLI", "Importing", "FlowCompiler", "Fixtures", "RunViews", "ReactorCore", "JSONSyntax",
        "SourceDiagnostics", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(name: "reactor-import", dependencies: ["ImportCLI"], swiftSettings: sourceSettings),
    .executableTarget(
      name: "demo-api",
      dependencies: [
        "JSONSyntax", .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      swiftSettings: settings),

    // tests
    .target(
      name: "ReactorTesting", dependencies: ["ReactorCore"], path: "Tests/ReactorTesting", swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: ["SourceDiagnostics", "JSONSyntax", "ReactorCore"],
      path: "Tests/TestSupport", swiftSettings: settings),
    tests("SourceDiagnosticsTests", ["SourceDiagnostics"]),
    tests("YAMLSyntaxTests", ["YAMLSyntax", "SourceDiagnostics"], exclude: ["Goldens"]),
    tests("JSONSyntaxTests", ["JSONSyntax"]),
    tests("WebSyntaxTests", ["WebSyntax", "ByteCodings", "TimeSyntax", "JSONSyntax"]),
    tests("ExpressionsTests", ["Expressions", "JSONSyntax"]),
    tests("ReshapeTests", ["Reshape", "JSONSyntax"]),
    tests("AuthorizationTests", ["Authorization", "ReactorCore", "Storage", "JSONSyntax", "ByteCodings"]),
    tests(
      "FixturesTests",
      ["Fixtures", "ReactorCore", "Storage", "Records", "JSONSyntax", "TimeSyntax", "StreamCompression"]),
    tests(
      "ReactorCoreTests", ["ReactorCore", "ReactorTesting", "Storage", "DetachedThread", "JSONSyntax", "ByteCodings"]),
    tests("ReactorStateTests", ["ReactorState"]),
    tests("ProgramCallsTests", ["ProgramCalls"]),
    tests(
      "FlowSpecTests", ["FlowSpec", "FlowModel", "FieldTypes", "YAMLSyntax", "SourceDiagnostics", "JSONSyntax"],
      exclude: ["Goldens"]
    ),
    tests(
      "ImportingTests",
      [
        "Importing", "FlowSpec", "FlowModel", "FlowCompiler", "FlowRuntime", "SourceDiagnostics", "JSONSyntax",
        "ImportCLI",
        "Reshape",
      ]),
    tests("RecordsTests", ["Records", "FieldTypes", "ReactorCore", "JSONSyntax", "Expressions", "Reshape"]),
    tests(
      "ResponseFormatsTests",
      ["ResponseFormats", "FlowModel", "ReactorCore", "Records", "JSONSyntax", "StreamCompression"]),
    tests("HTTPTransportTests", ["HTTPTransport", "ReactorCore", "JSONSyntax"]),
    tests("StorageTests", ["Storage", "Records", "ReactorCore", "StreamCompression"]),
    // What tests of flows that are written as YAML share.
    .target(
      name: "FlowTesting",
      dependencies: [
        "FlowCompiler", "FlowRuntime", "FlowSpec", "SourceDiagnostics", "ReactorCore", "Storage", "StreamCompression",
        "TestSupport",
      ],
      path: "Tests/FlowTesting", swiftSettings: settings),
    tests(
      "FlowCompilerTests",
      [
        "FlowTesting", "FlowCompiler", "FlowRuntime", "FlowSpec", "FlowModel", "SourceDiagnostics", "ReactorCore",
        "Storage", "Databases", "Authorization",
      ], exclude: ["Goldens"]),
    tests(
      "FlowRuntimeTests",
      [
        "FlowTesting", "BatchRunner", "FlowCompiler", "FlowRuntime", "FlowSpec", "FlowModel", "SourceDiagnostics",
        "ReactorCore", "ReactorState", "ReactorTesting", "Records", "Storage", "Databases", "HTTPTransport",
        "Expressions", "JSONSyntax", "WebSyntax", "FieldTypes", "StreamCompression", "ByteCodings", "TimeSyntax",
      ]),
    tests("BatchRunnerTests", ["BatchRunner", "ReactorCore", "ReactorState"]),
    tests(
      "RunViewsTests", ["RunViews", "FlowModel", "BatchRunner", "ReactorCore", "JSONSyntax", "SourceDiagnostics"],
      exclude: ["Goldens"]),
    tests("MailTransportTests", ["MailTransport"]),
    tests("MonitoringTests", ["Monitoring", "RunViews", "BatchRunner", "ReactorCore", "JSONSyntax", "WebSyntax"]),
    tests(
      "ReactorCLITests",
      [
        "ReactorCLI", "reactor", "Fixtures", "ByteCodings", "RunViews", "BatchRunner", "FlowRuntime", "FlowSpec",
        "FlowModel", "SourceDiagnostics",
        "ReactorCore", "Storage", "JSONSyntax", "YAMLSyntax",
      ], exclude: ["Goldens"]),
    tests(
      "SharedStateTests",
      [
        "SharedState", "BatchRunner", "Databases", "FlowRuntime", "FlowTesting", "Storage", "ReactorCore",
        "ByteCodings",
        "CSigning",
      ]),
    tests("EndToEndTests", ["Monitoring", "JSONSyntax", "reactor-import"]),
    tests(
      "GuideTests",
      [
        "BatchRunner", "FlowCompiler", "FlowRuntime", "FlowSpec", "FlowModel", "SourceDiagnostics", "ReactorCore",
        "ReactorTesting", "ReactorState",
        "Records", "Storage", "Databases", "FieldTypes", "JSONSyntax", "YAMLSyntax", "CSQLite", "reactor-import",
      ]),
    tests("CoverageTests", ["FieldTypes", "FlowSpec"], exclude: ["Systems"]),
    tests("TortureTests", ["CSQLite"], exclude: ["Shims"]),
  ],
  cxxLanguageStandard: .cxx17
)
