internal import Fixtures
internal import FlowSpec
internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// What waits of one flow.
  private struct Waiting {
    var flow: FlowDeclaration
    var folder: FixtureFolder
    var reviews: [GoldenReview]
  }

  /// `reactor review`
  func review(_ command: ReviewCommand) throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let (waiting, exit) = try waiting(command.selection, command.folder.fixtures, console)
    guard let waiting, exit == .passed else { return exit }
    let isMute = try settings.isOn(command.noInput, "no-input")
    var isOver = isMute || isInCI
    var open = 0
    for flow in waiting {
      for review in flow.reviews {
        var answers: [GoldenReview.Answer] = []
        var all: GoldenReview.Answer?
        for step in review.steps {
          out.write(text(step, review, flow, console))
          if let all {
            answers.append(all)
            continue
          }
          guard !isOver else {
            answers.append(.skip)
            continue
          }
          out.write("  accept (a), reject (r), skip (s), all of it (A, R), quit (q)? ")
          out.flush()
          switch readLine() {
          case "a": answers.append(.accept)
          case "r": answers.append(.reject)
          case "A":
            all = .accept
            answers.append(.accept)
          case "R":
            all = .reject
            answers.append(.reject)
          case nil, "q":
            isOver = true
            answers.append(.skip)
          default: answers.append(.skip)
          }
          out.write("\n")
        }
        open += answers.count { $0 == .skip }
        guard answers.contains(where: { $0 != .skip }) else { continue }
        do throws(FixtureError) {
          try review.settle(answers, in: flow.folder)
        } catch {
          console.fail(error.message, help: error.help)
          return .notWritten
        }
      }
    }
    if !console.isQuiet {
      out.write(open == 0 ? "nothing waits for a decision\n" : "\(Quantity.count(open, "decision")) open\n")
    }
    return open == 0 ? .passed : .failed
  }

  /// `reactor accept` and `reactor reject`
  func decide(_ options: DecisionOptions, _ answer: GoldenReview.Answer) throws(UsageError) -> ExitCode {
    let console = try console(options.output)
    let (waiting, exit) = try waiting(options.selection, options.folder.fixtures, console)
    guard let waiting, exit == .passed else { return exit }
    var unknown = Set(options.keys)
    var count = 0
    for flow in waiting {
      for review in flow.reviews {
        let answers: [GoldenReview.Answer] = review.steps.map { step in
          guard options.keys.isEmpty || options.keys.contains(step.name) else { return .skip }
          unknown.remove(step.name)
          return answer
        }
        let decided = answers.count { $0 != .skip }
        guard decided > 0 || review.steps.isEmpty else { continue }
        count += decided
        do throws(FixtureError) {
          try review.settle(answers, in: flow.folder)
        } catch {
          console.fail(error.message, help: error.help)
          return .notWritten
        }
        if !console.isQuiet {
          let word = answer == .accept ? "accepted" : "rejected"
          out.write("\(flow.flow.id): \(Quantity.count(decided, "decision")) of \(review.file) \(word)\n")
        }
      }
    }
    guard unknown.isEmpty else {
      console.fail(
        "nothing of the name '\(unknown.sorted().joined(separator: "', '"))' waits for a decision",
        help: "'reactor review --no-input' shows what does")
      return .nothingSelected
    }
    if count == 0, !console.isQuiet { out.write("nothing waits for a decision\n") }
    return .passed
  }

  private func waiting(
    _ selection: SelectionOptions, _ fixtures: String?, _ console: Console
  ) throws(UsageError) -> ([Waiting]?, ExitCode) {
    let loaded = FlowFiles(selection.paths).load()
    let selected = try select(selection, from: loaded, root: Self.testMemory, console)
    console.show(loaded.diagnostics)
    if loaded.diagnostics.hasErrors { return (nil, .configuration) }
    if selected.flows.isEmpty { return (nil, nothingSelected(selected, of: loaded.flows, console)) }
    let root = settings.value(fixtures, "fixtures")?.text ?? "fixtures"
    var waiting: [Waiting] = []
    for flow in selected.flows {
      let folder = FixtureFolder(root: root, flow: flow.id)
      var reviews: [GoldenReview] = []
      do throws(FixtureError) {
        for name in folder.waiting {
          if let review = try GoldenReview(of: name, in: folder, key: flow.schema?.key.map(\.value) ?? []) {
            reviews.append(review)
          }
        }
      } catch {
        console.fail(error.message, help: error.help)
        return (nil, .notJudged)
      }
      if !reviews.isEmpty { waiting.append(Waiting(flow: flow, folder: folder, reviews: reviews)) }
    }
    return (waiting, .passed)
  }

  private func text(_ step: GoldenReview.Step, _ review: GoldenReview, _ waiting: Waiting, _ console: Console) -> String
  {
    let places = MappingLocations(waiting.flow)
    var text =
      console.outStyle.paint("\(waiting.flow.id)  \(review.file)  \(PrintableText.of(step.name))", .bold) + "\n"
    for difference in step.differences.prefix(20) {
      let place =
        switch difference.kind {
        case .changed: places.field(difference.steps)
        case .added, .removed: places.records
        case .decision: places.decision(difference.steps, expected: difference.expected, actual: difference.actual)
        }
      let old = difference.expected.map(JSONDifference.shown) ?? "(absent)"
      let new = difference.actual.map(JSONDifference.shown) ?? "(absent)"
      text += "    \(PrintableText.of(difference.path))  at \(PrintableText.of(place.file)):\(place.line)\n"
      text += console.outStyle.paint("      - \(PrintableText.of(old))", .bad) + "\n"
      text += console.outStyle.paint("      + \(PrintableText.of(new))", .good) + "\n"
    }
    if step.differences.count > 20 { text += "    and \(step.differences.count - 20) more\n" }
    return text
  }
}
