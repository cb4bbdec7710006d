internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// What `reactor state` does.
  enum StateChange {
    case show
    case set(String, parent: String?)
    case reset(parent: String?)
  }

  /// `reactor state show`, `set` and `reset`
  func state(
    _ change: StateChange, _ selection: SelectionOptions, _ options: StateOptions
  ) async throws(UsageError) -> ExitCode {
    let console = try console(options.output)
    let inputs = try inputs(options.inputs, console)
    var order = AssemblyOrder()
    order.root = settings.value(options.root, "root")?.text ?? "."
    let loaded = FlowFiles(selection.paths).load()
    var diagnostics = loaded.diagnostics
    guard areKnown(inputs.overrides, loaded, console) else { return .usage }
    let selected = try select(selection, from: loaded, root: order.root, console)
    order.overrides = inputs.overrides
    order.secrets = secrets(of: loaded.files, inputs, console)
    order.environment = settings.environment
    order.learn = { console.learn($0) }
    let assembled = assembly.assemble(
      selected.flows.filter { $0.cursor != nil || $0.each?.asksOnlyChanged ?? false }, order)
    diagnostics.merge(assembled.diagnostics)
    console.show(diagnostics)
    var codes: Set<ExitCode> = diagnostics.hasErrors ? [.configuration] : []
    if assembled.cursors.isEmpty, codes.isEmpty {
      if selected.flows.isEmpty {
        codes.insert(nothingSelected(selected, of: loaded.flows, console))
      } else {
        console.fail(
          "none of the selected flows has a cursor, or asks only for changed parents",
          help: "'reactor explain flow.cursor' tells what one is")
        codes.insert(.nothingSelected)
      }
    }
    var shown: [JSONValue] = []
    for (id, cursor) in assembled.cursors {
      do throws(ReactorError) {
        switch change {
        case .show: break
        case .set(let value, let parent): try await cursor.remember(value, parent: parent)
        case .reset(let parent): try await cursor.remember(nil, parent: parent)
        }
      } catch {
        console.fail("\(id): \(error.message)")
        codes.insert(error.path == nil ? .usage : .notWritten)
        continue
      }
      let memory = await cursor.memory()
      if console.isJSON {
        shown.append(Self.json(id, cursor, memory))
      } else if !console.isQuiet {
        out.write(PrintableText.of(out.masked(Self.line(id, cursor, memory)), limit: 2000) + "\n")
        for line in Self.parentLines(memory) {
          out.write(PrintableText.of(out.masked("  " + line), limit: 2000) + "\n")
        }
      }
    }
    await assembled.close()
    let exit = ExitCode.worst(of: codes)
    if console.isJSON { writeJSON(exit, diagnostics, [("flows", .array(shown))]) }
    return exit
  }

  private static func line(_ id: String, _ cursor: CursorAccess, _ memory: CursorAccess.Memory?) -> String {
    guard cursor.hasCursor else {
      let count = memory?.asked.count ?? 0
      return "\(id)  only changed  \(count == 0 ? "nothing remembered" : Quantity.count(count, "parent"))"
    }
    let text: String
    if let value = memory?.value {
      text = value
    } else if let parents = memory?.parents, !parents.isEmpty {
      text = parents.count == 1 ? "1 parent" : "\(parents.count) parents"
    } else {
      text = "nothing remembered"
    }
    return "\(id)  \(cursor.field)  \(text)"
  }

  /// A line for each parent that something is remembered of.
  private static func parentLines(_ memory: CursorAccess.Memory?) -> [String] {
    guard let memory else { return [] }
    let values = Dictionary(memory.parents.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    return Set(memory.parents.map(\.key) + memory.asked).sorted().map { key in
      values[key].map { "\(key)  \($0)" } ?? key
    }
  }

  private static func json(_ id: String, _ cursor: CursorAccess, _ memory: CursorAccess.Memory?) -> JSONValue {
    .object([
      "id": .string(id), "field": cursor.hasCursor ? .string(cursor.field) : .null,
      "type": cursor.hasCursor ? .string(cursor.type) : .null,
      "value": memory?.value.map { .string($0) } ?? .null,
      "parents": cursor.hasParents
        ? .object(
          JSONObject((memory?.parents ?? []).map { JSONObject.Member(name: $0.key, value: .string($0.value)) }))
        : .null,
      "asked": .array((memory?.asked ?? []).map { .string($0) }),
    ])
  }
}
