internal import ArgumentParser
internal import Fixtures
internal import FlowModel
internal import FlowSpec
internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor review`.
struct ReviewCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "review", abstract: "Step through what differs from the goldens, and decide.",
    discussion: """
      Examples:
        reactor review
        reactor review -s billing.payments

      For each record and each decision of the flow: a accepts, r rejects, s leaves it
      waiting; A and R decide on the rest of the flow too; q ends. Choices are
      read from standard input, one per line. Where nothing can be read, the command
      only shows what waits and ends with 1.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @Flag(name: .customLong("no-input"), help: "Show what waits; ask nothing.")
  var noInput = false
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode { try invocation.review(self) }
}

/// The command `reactor accept`.
struct AcceptCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Accept the differences: they become the new goldens.",
    discussion: """
      Examples:
        reactor accept
        reactor accept -s billing.payments --key id=pay_18
      """)

  @OptionGroup(title: "Decision") var decision: DecisionOptions

  var output: OutputOptions { decision.output }

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode { try invocation.decide(decision, .accept) }
}

/// The command `reactor reject`.
struct RejectCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "reject", abstract: "Keep the goldens and discard the differences.",
    discussion: """
      Examples:
        reactor reject
        reactor reject -s billing.payments --key waits_ms
      """)

  @OptionGroup(title: "Decision") var decision: DecisionOptions

  var output: OutputOptions { decision.output }

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode { try invocation.decide(decision, .reject) }
}

/// The options of `reactor accept` and `reactor reject`.
struct DecisionOptions: ParsableArguments {
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "Only the record of this key (id=7), or the decision of this name (requests). Repeatable.", valueName: "key"))
  var keys: [String] = []
  @OptionGroup var folder: FixtureFolderOption
  @OptionGroup(title: "Output") var output: OutputOptions
}

extension Invocation {
  /// The undecided differences of one flow.
  private struct Waiting {
    var flow: FlowDeclaration
    var folder: FixtureFolder
    var reviews: [GoldenReview]
  }

  /// Runs `reactor review`.
  func review(_ command: ReviewCommand) throws(CommandError) -> ExitCode {
    var isOver = try settings.isOn(command.noInput, "no-input") || isInCI
    var open = 0
    for waiting in try waiting(command.selection, command.folder) {
      for review in waiting.reviews {
        var decisions: [GoldenReview.Decision] = []
        var all: GoldenReview.Decision?
        for step in review.steps {
          out.write(text(step, review, waiting))
          if let all {
            decisions.append(all)
            continue
          }
          guard !isOver else {
            decisions.append(.skip)
            continue
          }
          out.write("  accept (a), reject (r), skip (s), all of it (A, R), quit (q)? ")
          out.flush()
          let key = readLine()
          switch key {
          case "a", "A": decisions.append(.accept)
          case "r", "R": decisions.append(.reject)
          default: decisions.append(.skip)
          }
          if key == "A" || key == "R" { all = decisions.last }
          if key == nil || key == "q" { isOver = true }
          out.write("\n")
        }
        open += decisions.count { $0 == .skip }
        if decisions.contains(where: { $0 != .skip }) { try settle(review, decisions, in: waiting.folder) }
      }
    }
    if !console.isQuiet {
      out.write(open == 0 ? "nothing waits for a decision\n" : "\(Quantity.count(open, "decision")) open\n")
    }
    return open == 0 ? .passed : .failed
  }

  /// Runs `reactor accept` and `reactor reject`.
  func decide(_ options: DecisionOptions, _ decision: GoldenReview.Decision) throws(CommandError) -> ExitCode {
    var unknown = Set(options.keys)
    var count = 0
    for waiting in try waiting(options.selection, options.folder) {
      for review in waiting.reviews {
        let decisions: [GoldenReview.Decision] = review.steps.map { step in
          guard options.keys.isEmpty || options.keys.contains(step.name) else { return .skip }
          unknown.remove(step.name)
          return decision
        }
        let decided = decisions.count { $0 != .skip }
        guard decided > 0 || review.steps.isEmpty else { continue }
        count += decided
        try settle(review, decisions, in: waiting.folder)
        if !console.isQuiet {
          let word = decision == .accept ? "accepted" : "rejected"
          out.write("\(waiting.flow.id): \(Quantity.count(decided, "decision")) of \(review.file) \(word)\n")
        }
      }
    }
    guard unknown.isEmpty else {
      throw CommandError(
        "no record or decision named '\(unknown.sorted().joined(separator: "', '"))' waits for a decision",
        help: "'reactor review --no-input' shows what waits", .nothingSelected)
    }
    if count == 0, !console.isQuiet { out.write("nothing waits for a decision\n") }
    return .passed
  }

  private func settle(
    _ review: GoldenReview, _ decisions: [GoldenReview.Decision], in folder: FixtureFolder
  ) throws(CommandError) {
    do throws(FixtureError) {
      try review.settle(decisions, in: folder)
    } catch {
      throw CommandError(error, .notWritten)
    }
  }

  private func waiting(
    _ selection: SelectionOptions, _ fixtures: FixtureFolderOption
  ) throws(CommandError) -> [Waiting] {
    let (selected, root) = (try selectWhole(selection), folder(fixtures))
    var waiting: [Waiting] = []
    do throws(FixtureError) {
      for flow in selected.flows {
        let folder = FixtureFolder(root: root, flow: flow.id)
        var reviews: [GoldenReview] = []
        for name in folder.waiting {
          if let review = try GoldenReview(of: name, in: folder, key: flow.schema?.key.map(\.value) ?? []) {
            reviews.append(review)
          }
        }
        if !reviews.isEmpty { waiting.append(Waiting(flow: flow, folder: folder, reviews: reviews)) }
      }
    } catch {
      throw CommandError(error, .notJudged)
    }
    return waiting
  }

  private func text(_ step: GoldenReview.Step, _ review: GoldenReview, _ waiting: Waiting) -> String {
    let locations = MappingLocations(waiting.flow)
    var text =
      console.outStyle.paint("\(waiting.flow.id)  \(review.file)  \(PrintableText.of(step.name))", .bold) + "\n"
    for difference in step.differences.prefix(20) {
      let location =
        switch difference.kind {
        case .changed: locations.field(difference.steps)
        case .added, .removed: locations.records
        case .decision: locations.decision(difference.steps, expected: difference.expected, actual: difference.actual)
        }
      let old = difference.expected.map(JSONDifference.shown) ?? "(absent)"
      let new = difference.actual.map(JSONDifference.shown) ?? "(absent)"
      text += "    \(PrintableText.of(difference.path))  at \(PrintableText.of(location.file)):\(location.line)\n"
      text += console.outStyle.paint("      - \(PrintableText.of(old))", .bad) + "\n"
      text += console.outStyle.paint("      + \(PrintableText.of(new))", .good) + "\n"
    }
    if step.differences.count > 20 { text += "    and \(step.differences.count - 20) more\n" }
    return text
  }
}
