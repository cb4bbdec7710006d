import BatchRunner
import FlowRuntime
import FlowSpec
import Foundation
import ReactorCLI
import ReactorCore
import SourceDiagnostics

/// A temporary folder with flow files in it, and the program on fake connections.
final class Workbench {
  struct Outcome {
    let code: Int32
    let out: String
    let err: String
  }

  let folder: URL

  init(_ files: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("reactor-cli-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A file with flows of these names.
  static func flows(_ names: String..., more: String = "") -> String {
    "reactor: 1\n\(more)http: { base_url: \"http://127.0.0.1:1\" }\nflows:\n"
      + names.map { "  \($0): { resource: /\($0), tags: [t-\($0)], persistence: out/\($0).json }\n" }.joined()
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func write(_ text: String, to name: String, mode: Int = 0o600) throws {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
  }

  /// Runs the program in this process on fake flows.
  func run(
    _ arguments: [String], environment: [String: String] = [:], _ assembly: any FlowAssembly = FakeAssembly()
  ) async throws -> Outcome {
    let (out, err) = (path("stdout-\(UUID().uuidString)"), path("stderr-\(UUID().uuidString)"))
    try Data().write(to: URL(fileURLWithPath: out))
    try Data().write(to: URL(fileURLWithPath: err))
    let outFile = try FileHandle(forWritingTo: URL(fileURLWithPath: out))
    let errFile = try FileHandle(forWritingTo: URL(fileURLWithPath: err))
    let program = Program(
      arguments: arguments, environment: environment, out: OutputSink(descriptor: outFile.fileDescriptor),
      err: OutputSink(descriptor: errFile.fileDescriptor), assembly: assembly)
    let code = await program.run()
    try outFile.close()
    try errFile.close()
    return Outcome(
      code: code, out: try String(contentsOfFile: out, encoding: .utf8),
      err: try String(contentsOfFile: err, encoding: .utf8))
  }
}

/// Flows whose results are given by name; every other flow gives one record.
struct FakeAssembly: FlowAssembly {
  var results: [String: Result<FetchSummary, ReactorError>] = [:]
  /// Looks at what the program orders.
  var inspect: @Sendable (AssemblyOrder) -> Void = { _ in }
  /// A result made with the order at hand.
  var answer: (@Sendable (String, AssemblyOrder) -> Result<FetchSummary, ReactorError>?)?
  var tolerates = false

  func assemble(_ flows: [FlowDeclaration], _ order: AssemblyOrder) -> AssembledFlows {
    inspect(order)
    return AssembledFlows(
      flows: flows.map { flow in
        let standard = FetchSummary(source: .network, miss: .absent, records: 1, bytes: 10, save: .saved)
        let result = answer?(flow.name, order) ?? results[flow.name] ?? .success(standard)
        var runnable = RunnableFlow(
          id: flow.id, file: flow.range.file.path, line: flow.range.start.line, after: flow.parents,
          host: "http://127.0.0.1:1",
          path: "out/\(flow.name).json", timeout: .seconds(30)
        ) { _, _ throws(ReactorError) in try result.get() }
        runnable.toleratesSaveFailure = tolerates
        runnable.isAdded = order.added.contains(flow.id)
        return runnable
      },
      explanations: {
        flows.map { flow in
          .init(
            id: flow.id,
            items: [("request", "GET /\(flow.name)"), ("secrets", "\(order.secrets.mapValues { $0.reveal() })")])
        }
      })
  }
}
