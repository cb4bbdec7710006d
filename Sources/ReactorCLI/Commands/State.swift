internal import ArgumentParser
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor state`.
struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Show or change the positions of flows with a cursor, and which parents are known.",
    discussion: """
      Examples:
        reactor state show
        reactor state show -s 'shop.*' --format json
        reactor state set 2024-06-01 -s shop.orders
        reactor state reset -s shop.orders --parent 7

      No request is sent.
      """,
    subcommands: [StateShowCommand.self, StateSetCommand.self, StateResetCommand.self])
}

/// The options of all commands of `reactor state`.
struct StateOptions: ParsableArguments {
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @Option(help: ArgumentHelp("The folder of the results. (default: .)", valueName: "folder"))
  var root: String?
  @OptionGroup(title: "Output") var output: OutputOptions
}

/// The command `reactor state show`.
struct StateShowCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the position of each flow, or of each of its parents, and the parents that are known.")

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup var options: StateOptions

  var output: OutputOptions { options.output }

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    try await invocation.state(.show, selection, options)
  }
}

/// The command `reactor state set`.
struct StateSetCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Make the next runs of flows continue from a value.",
    discussion: "The flows must have a result already; without one, use 'reactor run --since VALUE'.")

  @Argument(
    help: ArgumentHelp("A timestamp, a date, an integer or a text, according to the field's type.", valueName: "value"))
  var value: String
  @Option(help: ArgumentHelp("The parent of the value, as 'reactor state show' names it.", valueName: "key"))
  var parent: String?
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup var options: StateOptions

  var output: OutputOptions { options.output }

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    try await invocation.state(.set(value, parent: parent), selection, options)
  }
}

/// The command `reactor state reset`.
struct StateResetCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Make the next runs of flows begin where the first run began.",
    discussion: "The results stay, and records that arrive again are merged with them.")

  @Option(
    help: ArgumentHelp(
      "Reset only the value of this parent; name the parent as 'reactor state show' does.", valueName: "key"))
  var parent: String?
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup var options: StateOptions

  var output: OutputOptions { options.output }

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    try await invocation.state(.reset(parent: parent), selection, options)
  }
}

extension Invocation {
  /// The action of a `reactor state` command.
  enum StateChange {
    case show
    case set(String, parent: String?)
    case reset(parent: String?)
  }

  /// Runs `reactor state show`, `set` and `reset`.
  func state(
    _ change: StateChange, _ selection: SelectionOptions, _ options: StateOptions
  ) async throws(CommandError) -> ExitCode {
    var inputs = try inputs(options.inputs)
    inputs.readsSources = true
    var order = order(inputs, root: root(options.root))
    let selected = try select(selection, root: order.root, overrides: inputs.overrides)
    try refuseUnknown(inputs.overrides, selected.loaded)
    let flows = selected.flows.filter { $0.pull.cursor != nil || $0.each?.asksOnlyChanged ?? false }
    order.secrets = try secrets(of: selected.loaded.files, inputs, for: flows)
    let assembled = assembly.assemble(flows, order)
    var diagnostics = selected.loaded.diagnostics
    diagnostics.merge(assembled.diagnostics)
    console.show(diagnostics)
    var codes = Set([obstacle(selected, diagnostics)].compactMap { $0 })
    if assembled.cursors.isEmpty, codes.isEmpty {
      console.fail(
        "no selected flow has state: none declares 'cursor' or 'only: changed'",
        help: "'reactor explain flow.cursor' explains what a cursor is")
      codes.insert(.nothingSelected)
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

  /// One line for each parent of which the cursor store has an entry, with its position when there is one.
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
