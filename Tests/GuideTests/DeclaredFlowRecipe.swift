// What docs/guides/library.md shows of declared flows; the tests compare and run it.

import FlowCompiler
import FlowRuntime
import FlowSpec
import JSONSyntax
import ReactorCore
import Records
import SourceDiagnostics

/// The flow with an id (`file.flow`); nil when no file declares it, or when the declaration has an error.
func flow(_ id: String, in files: [SourceFile], _ environment: FlowEnvironment) -> DeclaredFlow? {
  let loaded = FlowLoader(reader: .nothing).load(files)
  let plans = FlowCompiler().compile(loaded.flows).plans
  return environment.flows(for: plans).first { $0.id == id }
}

/// A product of the shop as a compiled type.
struct Product: Mappable, Equatable {
  let sku: String

  static func mapToModel(_ json: JSONValue) throws(MappedError) -> Product {
    Product(sku: try json.stringField("sku"))
  }

  func mapToJSON() -> JSONValue? { .object(["sku": .string(sku)]) }
}

/// Runs a declared flow and reads its records.
func products(of flow: DeclaredFlow) async throws -> [Product] {
  let fetched = try await flow.reactor().fetch(flow.resource)
  var products: [Product] = []
  for try await record in fetched.model.records {
    // A field by its name, then the whole record as a compiled type.
    if try record.string("sku").isEmpty { continue }
    products.append(try record.model())
  }
  return products
}

/// A declared flow that reports each step and persists in memory, whatever its file declares.
func observed(_ flow: DeclaredFlow, log: @escaping @Sendable (String) -> Void) -> ReactorFlow<RecordSet> {
  flow.reactorFlow(persistingIn: InMemoryPersistence<RecordSet>())
    .onLoadMiss { miss, _ in log("no persisted result: \(miss)") }
    .onLoadHit { records, _ in log("\(records.count) persisted records") }
    .onNetwork { parsed, _ in log("\(parsed.report.kept) of \(parsed.report.total) records fit") }
}
