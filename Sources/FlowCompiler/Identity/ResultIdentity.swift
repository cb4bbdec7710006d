internal import Boxes
internal import Expressions
internal import FlowRuntime
internal import FlowSpec
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore

/// The identity of a flow's persisted result.
///
/// It includes every part of the declaration that changes the requests or the persisted records. `EditEffect` lists for
/// each key of the language whether the key is included.
///
/// An undeclared key adds nothing. So a new key of the language does not invalidate the results of existing flows.
struct ResultIdentity {
  @Boxed private(set) var declaration: FlowDeclaration
  let plan: FlowPlan
  let scope: ResolutionScope

  /// A hash of the identity.
  ///
  /// - Parameter isJudged: whether the conditions that the result as a whole must meet are included
  func key(isJudged: Bool) -> UInt64 {
    var text = IdentityText("", in: scope)
    addRequest(to: &text)
    addColumns(to: &text)
    addSources(to: &text)
    if let format = declaration.pull.decode, !format.isPlainJSON { text.add("decode \(format.words)") }
    if let mapping = declaration.mappingIdentity(scope) { text.add(mapping) }
    if let pages = plan.pages {
      text.add(pages)
    } else if declaration.pull.isOnePageMeant {
      text.add("pages none")
    }
    for rule in declaration.transfer.errors { text.add("errors \(rule.action.rawValue)", rule.when.value) }
    for range in declaration.expect.status { text.add("status \(range.lowerBound) \(range.upperBound)") }
    if declaration.transfer.redirects != .sameOrigin {
      text.add("redirects \(declaration.transfer.redirects.rawValue)")
    }
    if let auth = declaration.auth { text.add(auth.value) }
    if let certificate = declaration.transfer.clientCertificate {
      text.add("client certificate \(certificate.certificate)")
    }
    if isJudged { addJudgement(to: &text) }
    var resource = plan.request.resource
    // The idempotency key identifies a request but does not change the requested records.
    if let idempotency = declaration.pull.request.idempotency { resource.headers[idempotency.header.value] = nil }
    return FlowPlan.hash(of: resource.fingerprint(scope: text.text))
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
    guard declaration.pull.request.isDynamic else { return }
    // A template that is filled in while the flow runs is included as it is written in the flow file.
    let declared = declaration.pull.request
    text.add(declared.templateText)
    for segment in (declared.url ?? declared.path).value.segments where segment.isLate { text.addValues(in: segment) }
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
      // The placeholder body of the request already contains the description of the records.
      if let envelope = records.envelope { text.addValues(in: envelope.value) { _ in true } }
    }
  }

  /// Adds the option that makes columns of the fields of objects.
  private func addColumns(to text: inout IdentityText) {
    if let separator = declaration.result.target?.table?.separator { text.add("flatten \(separator)") }
  }

  /// Adds the cursor and the parents.
  private func addSources(to text: inout IdentityText) {
    if let cursor = declaration.pull.cursor { text.add(cursor.identity) }
    if let job = declaration.pull.job { text.add(job) }
    if let first = plan.firstRun { text.add("first run \(first.key)") }
    if let groups = declaration.pull.fieldGroups { text.add(groups) }
    if let download = declaration.download { text.add("download", download.value) }
    guard let each = declaration.each else { return }
    text.add(each.identity(isIncremental: plan.isIncremental))
    for member in each.add { text.addValues(in: member.value.value) { _ in true } }
    let sources = zip(
      each.parents.flatMap(\.source.parts), plan.each?.parents.flatMap(\.source.parts) ?? []
    ).enumerated()
    for case (let location, (.expression, .values(let list))) in sources {
      text.add("\(location) " + String(decoding: JSONWriter.bytes(.array(list)), as: UTF8.self))
    }
    for case (let location, (.file(let path, let declared), .file(let file, let schema))) in sources {
      if path.value.constantText == nil { text.add("file \(location) \(file.text)") }
      if declared != nil { text.add("file schema \(location) \(schema.fingerprint)") }
    }
    for case (let location, (.rows(let declared), .rows(let rows))) in sources
    where declared.text.value.constantText == nil {
      text.add("rows \(location) \(rows.text)")
    }
    if let failed = each.batch?.results?.failed { text.add("batch failed", failed.value) }
  }

  /// Adds the conditions by which a whole result is checked, and how its parts are joined.
  ///
  /// An incremental flow sends requests in each run and is checked then. So its identity does not include these
  /// conditions.
  private func addJudgement(to text: inout IdentityText) {
    let expect = declaration.expect
    if let minimum = expect.min { text.add("min \(minimum.value)") }
    if let maximum = expect.max { text.add("max \(maximum.value)") }
    if let total = expect.total { text.add("total \(total.value.text)") }
    if let rejected = expect.maxRejected { text.add("max_rejected \(rejected.text)") }
    if declaration.result.mode != .replace { text.add("mode \(declaration.result.mode.rawValue)") }
    if declaration.result.keepsLastOnly != nil { text.add("duplicates last") }
    if let each = declaration.each, !each.skipsFailed { text.add("on_error fail") }
  }
}

extension EachSource {
  /// The sources that are read one after the other.
  var parts: [EachSource] { if case .union(let parts) = self { parts } else { [self] } }
}

extension ParentSource {
  /// The sources that are read one after the other.
  fileprivate var parts: [ParentSource] { if case .union(let parts) = self { parts } else { [self] } }
}

extension Template.Segment {
  /// Whether the value is known only while the flow runs. The other values are already in the request.
  fileprivate var isLate: Bool {
    guard case .expression(let expression) = self else { return false }
    return expression.references.contains { !Template.Segment.fixedRoots.contains($0.root) }
  }
}
