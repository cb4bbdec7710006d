internal import BatchRunner
internal import Fixtures
internal import JSONSyntax
internal import ReactorCore
internal import RunViews

extension InitDialogue {
  /// Asks how the next page is requested, where that is not known, and requests it.
  ///
  /// With its records, the fields and the key are inferred anew.
  func confirmPages(_ proposal: inout FlowProposal) async throws(CommandError) {
    while true {
      if let question = PageQuestion(proposal) {
        person.say(question.reason)
        proposal.parameter = question.parameter(try person.ask(question.question))
      }
      guard proposal.hasPages else {
        if proposal.flow.pages?.isPartial ?? false { person.complain("the flow gets the records of one response only") }
        return
      }
      person.say("asking for the second page (\(strategy(proposal)))", indent: 2)
      let outcome = try await rehearsal.run(proposal.file(), .new, secrets: secrets)
      guard outcome.state.pages < DraftRehearsal.pages else { return take(outcome, &proposal) }
      guard let error = outcome.state.shortfall ?? outcome.state.error else {
        person.say("there is no second page", indent: 2)
        return
      }
      person.complain(invocation.out.masked(error.message))
      guard let name = proposal.pageParameter else {
        person.complain("the flow keeps 'pages' as a guess")
        return
      }
      proposal.ignore(name)
    }
  }

  private func strategy(_ proposal: FlowProposal) -> String {
    let text = proposal.flow.pages?.text ?? "none"
    return text == "link"
      ? "the Link header" : proposal.pageParameter.map { "parameter '\($0)'" } ?? "the URL in the response"
  }

  /// Infers the flow from both pages.
  private func take(_ outcome: DraftRehearsal.Outcome, _ proposal: inout FlowProposal) {
    let pages = outcome.responses.filter { (200..<300).contains($0.status) }
    let bodies = pages.compactMap { try? JSONValue(parsing: $0.body) }
    guard let first = bodies.first, let headers = pages.first?.headers else { return }
    let earlier = proposal.sample
    let alone = InferredFlow(first, headers: headers)
    var both = InferredFlow(first, headers: headers, further: Array(bodies.dropFirst()))
    // Another page may be the first of the recording, and the signs of the last page are none.
    if let earlier { both.signs = earlier.signs }
    let more = both.count - alone.count
    proposal.confirmation = "the second page was requested too"
    proposal.sample = both
    person.say("  the second page has \(Quantity.count(more, "more record", plural: "more records"))", indent: 4)
    guard both.key != earlier?.key else { return }
    let was = earlier?.key.map { "'\($0)' is not unique on both pages" } ?? "no field was unique before"
    person.say("  \(was); key: \(both.key ?? "none")", indent: 4)
  }
}
