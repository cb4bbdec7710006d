internal import Expressions
internal import FlowRuntime
internal import FlowSpec
internal import FlowTerms
internal import JSONSyntax
internal import ReactorCore

/// What the persisted result of a flow belongs to: everything of the declaration that changes what is asked for or what is
/// persisted. `EditEffect` says for each key of the language whether it counts.
///
/// What a flow does not declare adds nothing, so that a new key of the language leaves the results of other flows in use.
struct ResultIdentity {
  let declaration: FlowDeclaration
  let plan: FlowPlan
  let scope: ResolutionScope

  /// A hash.
  ///
  /// - Parameter isJudged: whether that counts by which a whole result is judged
  func key(isJudged: Bool) -> UInt64 {
    var text = IdentityText("", in: scope)
    addRequest(to: &text)
    addSources(to: &text)
    if let mapping = declaration.mappingIdentity(scope) { text.add(mapping) }
    if let pages = declaration.pages { text.add(pages) } else if declaration.isOnePageMeant { text.add("pages none") }
    for rule in declaration.errors { text.add("errors \(rule.action.rawValue)", rule.when.value) }
    for range in declaration.expect.status { text.add("status \(range.lowerBound) \(range.upperBound)") }
    if declaration.redirects != .sameOrigin { text.add("redirects \(declaration.redirects.rawValue)") }
    if let auth = declaration.auth { text.add(auth.value) }
    if isJudged { addJudgement(to: &text) }
    var resource = plan.request.resource
    // It names the request to the server, and is no part of what is asked for.
    if let idempotency = declaration.request.idempotency { resource.headers[idempotency.header.value] = nil }
    return ResultPlan.key(of: resource.fingerprint(scope: text.text))
  }

  private func addRequest(to text: inout IdentityText) {
    var start = ""
    start.reserveCapacity(128)
    start += declaration.id
    start += "\n"
    start += plan.request.baseText
    start += "\n"
    start += plan.records.path?.text ?? ""
    start += declaration.prune ? "\ntrue" : "\nfalse"
    text = IdentityText(start, in: scope)
    guard declaration.request.isDynamic else { return }
    // Templates that are filled in while the flow runs count as they are written.
    let declared = declaration.request
    text.add(declared.templateText)
    for segment in declared.path.value.segments where segment.isLate { text.addValues(in: segment) }
    for named in declared.params + declared.query + declared.headers {
      for segment in named.value.value.segments where segment.isLate { text.addValues(in: segment) }
    }
    guard let body = declared.body, body.isDynamic else { return }
    switch body {
    case .json(let document), .graphql(let document):
      text.add("body \(MappingText.of(document.value))")
      text.addValues(in: document.value) { $0.isLate }
    case .form(let pairs):
      for pair in pairs {
        text.add("body \(pair.name.value) \(pair.value.value.sourceText)")
        for segment in pair.value.value.segments where segment.isLate { text.addValues(in: segment) }
      }
    case .text(let template):
      text.add("body \(template.value.sourceText)")
      for segment in template.value.segments where segment.isLate { text.addValues(in: segment) }
    case .records(let records):
      // Its words are the request's body until the records are known.
      if let envelope = records.envelope { text.addValues(in: envelope.value) { _ in true } }
    }
  }

  /// From where on, and for each of what.
  private func addSources(to text: inout IdentityText) {
    if let cursor = declaration.cursor { text.add(cursor.identity) }
    guard let each = declaration.each else { return }
    text.add(each.identity)
    for member in each.add { text.addValues(in: member.value.value) { _ in true } }
    let sources = zip(each.parents.map(\.source), plan.each?.parents.map(\.source) ?? []).enumerated()
    for case (let location, (.expression, .values(let list))) in sources {
      text.add("\(location) " + String(decoding: JSONWriter.bytes(.array(list)), as: UTF8.self))
    }
    for case (let location, (.file(let path, let declared), .file(let file, let schema))) in sources {
      if path.value.constantText == nil { text.add("file \(location) \(file.text)") }
      if declared != nil { text.add("file schema \(location) \(schema.fingerprint)") }
    }
    if let failed = each.batch?.results?.failed { text.add("batch failed", failed.value) }
  }

  /// By what a whole result is judged and joined. A flow that asks only for what is new or changed asks in each run, and is
  /// judged then.
  private func addJudgement(to text: inout IdentityText) {
    let expect = declaration.expect
    if let minimum = expect.min { text.add("min \(minimum.value)") }
    if let maximum = expect.max { text.add("max \(maximum.value)") }
    if let total = expect.total { text.add("total \(total.value.text)") }
    if let rejected = expect.maxRejected { text.add("max_rejected \(rejected.value)") }
    if let mode = declaration.persistence?.mode, mode != .replace { text.add("mode \(mode.rawValue)") }
    if let each = declaration.each, each.onError != .skip { text.add("on_error \(each.onError.rawValue)") }
  }
}

extension Template.Segment {
  /// Whether its value is known only while the flow runs; the values of the others are in the request already.
  fileprivate var isLate: Bool {
    guard case .expression(let expression) = self else { return false }
    return expression.references.contains { !["vars", "secrets", "env"].contains($0.root) }
  }
}
