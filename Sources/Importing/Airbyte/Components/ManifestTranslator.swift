/// Translates the streams of a manifest.
struct ManifestTranslator {
  /// The keys at the top of a manifest that the translation uses, or that only describe the file; other keys are
  /// reported.
  private static let known: Set<String> = [
    "version", "type", "definitions", "streams", "dynamic_streams", "spec", "check", "schemas", "api_budget",
    "concurrency_level",
    "description",
  ]
  private static let maximumFlows = 2_000

  let context: TranslationContext
  var flows: [FlowDraft] = []
  private var description: String?
  /// Comments on losses that concern the whole file.
  private var notes: [String] = []
  let reader: ManifestReader
  private var tops: [String: Component] = [:]
  private var checked: Set<String> = []
  var flowNames = UniqueNames()
  private var drafts: [String: FlowDraft] = [:]
  private var open: Set<String> = []
  /// The conditions on streams, by the digest of the stream.
  private var conditions: [Int: Component] = [:]
  /// The streams that only first runs use, by the digest of the stream that all other runs use.
  private var firstStreams: [Int: FirstStream] = [:]

  /// The flows that list the fields of other flows, by the names of those other flows.
  var describers: [String: FlowDraft] = [:]
  /// The templates of generated streams, by the digest of the stream.
  private var generators: [Int: DynamicStream] = [:]

  init(_ reader: ManifestReader, _ context: TranslationContext) {
    self.reader = reader
    self.context = context
  }

  /// Translates the whole manifest.
  mutating func translate() {
    specification()
    checkedStreams()
    description = reader.top("description")?.text
    var streams: [Component] = []
    for node in reader.top("streams")?.list ?? [] { collect(Component(node, default: "DeclarativeStream"), &streams) }
    for node in reader.top("dynamic_streams")?.list ?? [] {
      collect(Component(node, default: "DynamicDeclarativeStream"), &streams)
    }
    context.report.found = streams.count
    for stream in streams {
      if let name = self.name(of: stream), tops[name] == nil { tops[name] = stream }
    }
    for stream in streams {
      let draft: FlowDraft?
      if let generator = generators[stream.node.digest] {
        draft = generate(stream, by: generator)
      } else {
        draft = flow(stream)
      }
      if let draft, let condition = conditions[stream.node.digest] { restrict(draft, to: condition) }
    }
    budget()
    conditionsOfValues()
    for name in reader.names where !Self.known.contains(name) {
      context.skip(
        name, reason: "it describes the connector, not its requests", at: OutputMapping.Origin(path: name, line: 1))
    }
    for problem in reader.problems {
      notes.append(
        context.lose(
          .reference, problem.message, needs: "a reference that can be followed",
          at: OutputMapping.Origin(path: problem.path, line: problem.line)))
    }
  }

  // MARK: - Configuration

  private mutating func specification() {
    guard let spec = reader.top("spec") else { return }
    if let schema = spec["connection_specification"] { context.variables.declare(schema) }
    if let node = spec["advanced_auth"] {
      context.skip(
        "advanced_auth", reason: "a person's consent is given outside of flows: give the refresh token as a secret",
        at: OutputMapping.Origin(node))
    }
    if let rules = spec["config_normalization_rules"] { normalize(rules) }
  }

  private mutating func checkedStreams() {
    guard let check = reader.top("check") else { return }
    checked = Set(check["stream_names"]?.texts ?? [])
    if check["type"]?.text == "CheckDynamicStream" {
      context.skip("check: CheckDynamicStream", reason: "any flow can be run to check", at: OutputMapping.Origin(check))
    }
  }

  /// The flow file with all flows that were translated.
  var file: FlowFileDraft {
    var file = FlowFileDraft(flows)
    file.description = description
    file.notes = notes
    file.variables = context.variables.mapping
    file.secrets = context.variables.secretNames
    file.renames = context.itemNames
    return file
  }

  mutating func addNote(_ note: String) { notes.append(note) }

  // MARK: - Streams

  private mutating func lose(_ kind: ImportReport.Kind, _ what: String, needs: String, at component: Component) {
    notes.append(context.lose(kind, what, needs: needs, at: OutputMapping.Origin(component)))
  }

  /// Adds the streams that a component describes to `streams`.
  private mutating func collect(_ component: Component, _ streams: inout [Component], depth: Int = 0) {
    guard depth < 4 else { return }
    switch component.type {
    case "DeclarativeStream": streams.append(component)
    case "StateDelegatingStream":
      guard let stream = component.child("incremental_stream", default: "DeclarativeStream") else { return }
      firstStreams[stream.node.digest] = Self.firstStream(of: component, beside: stream)
      streams.append(stream)
    case "ConditionalStreams":
      let first = streams.count
      for stream in component.children("streams", default: "DeclarativeStream") {
        collect(stream, &streams, depth: depth + 1)
      }
      for stream in streams[first...] { conditions[stream.node.digest] = component }
    case "DynamicDeclarativeStream":
      for (stream, generator) in expand(component) {
        let first = streams.count
        collect(stream, &streams, depth: depth + 1)
        guard let generator else { continue }
        for stream in streams[first...] { generators[stream.node.digest] = generator }
      }
    default:
      if component.isCustom {
        lose(
          .customCode, "stream: \(component.className ?? component.type)",
          needs: "its code, which is not in the manifest", at: component)
      } else {
        lose(
          .unknown, "stream: \(component.type)", needs: "a feature that the flow language does not have",
          at: component)
      }
    }
  }

  /// Adds the condition of a stream to its flow as `when`.
  private mutating func restrict(_ draft: FlowDraft, to component: Component) {
    let text = component["condition"]?.scalar ?? ""
    do throws(JinjaError) {
      let condition = try TemplateTranslator(JinjaNames(context.variables, component)).condition(text)
      guard condition.text != "true" else { return }
      draft.keys.set("when", .scalar(OutputText.quoted(condition.text)), from: OutputMapping.Origin(component))
    } catch {
      lose(.retriever, "a condition on streams: \(text)", needs: "a translatable text: \(error.message)", at: component)
    }
  }

  private func name(of stream: Component) -> String? {
    guard let text = stream["name"]?.scalar, !text.isEmpty else { return nil }
    guard text.contains("{{") else { return text }
    let template = try? TemplateTranslator(JinjaNames(context.variables, stream)).template(text)
    return template.flatMap { $0.isConstant ? $0.text : nil }
  }

  /// The flow of a stream; nil when the stream cannot be translated. A parent with the name and the request of a stream
  /// of the manifest has the flow of that stream.
  mutating func flow(_ stream: Component, isParent: Bool = false) -> FlowDraft? {
    var stream = stream
    if stream.type == "StateDelegatingStream",
      let inner = stream.child("incremental_stream", default: "DeclarativeStream")
    {
      firstStreams[inner.node.digest] = Self.firstStream(of: stream, beside: inner)
      stream = inner
    }
    let written = name(of: stream)
    if isParent, let written, let top = tops[written], top.node["retriever"]?.digest == stream.node["retriever"]?.digest
    {
      stream = top
    }
    let identity = "\(written ?? "")\u{0}\(stream.node.digest)\u{0}\(isParent && written == nil)"
    if let known = drafts[identity] { return known }
    guard open.insert(identity).inserted else { return nil }
    defer { open.remove(identity) }
    guard flows.count < Self.maximumFlows else { return nil }
    let origin = OutputMapping.Origin(stream)
    let isTop = written.flatMap { tops[$0]?.node.digest == stream.node.digest } ?? !isParent
    let wish = written ?? "stream_\(flows.count + 1)"
    if let problem = Self.problem(of: stream, wish) {
      notes.append(context.lose(problem.kind, problem.what, needs: problem.needs, at: origin))
      return nil
    }
    let own = isTop ? wish : written.map { tops[$0] == nil ? $0 : "\($0)_parent" } ?? "parent"
    let draft = FlowDraft(flowNames.next(FlowName.word(own)), at: origin)
    drafts[identity] = draft
    if let written, isTop, checked.contains(written) { draft.tags = ["check"] }
    var translator = StreamTranslator(context: context, draft: draft, names: context.names(of: stream))
    translator.translate(stream) { parent in
      let draft = flow(parent, isParent: true)
      if let draft, let condition = conditions[parent.node.digest],
        conditions[stream.node.digest]?.node.digest != condition.node.digest
      {
        notes.append(
          context.lose(
            .partitions, "'\(wish)' without the condition of its parent '\(draft.name)'",
            needs: "a parent that runs for its child flows although its condition is false", at: origin))
      }
      return draft
    }
    if let first = firstStreams[stream.node.digest] { addFirstRun(of: first, to: draft) }
    if let description = draft.description { describers[draft.name] = describe(description, for: draft) }
    flows.append(draft)
    if let uploader = stream.child("file_uploader", default: "FileUploader") { files(uploader, of: draft, stream) }
    return draft
  }

  /// The reason why a stream cannot become a flow; nil if it can.
  static func problem(
    of stream: Component, _ name: String
  ) -> (kind: ImportReport.Kind, what: String, needs: String)? {
    if stream.isCustom {
      return (
        .customCode, "stream '\(name)': \(stream.className ?? stream.type)", "its code, which is not in the manifest"
      )
    }
    guard let written = stream.child("retriever", default: "SimpleRetriever") else {
      return (.retriever, "stream '\(name)'", "a retriever")
    }
    if written.isCustom {
      return (
        .customCode, "stream '\(name)' with \(written.className ?? written.type)",
        "its code, which is not in the manifest"
      )
    }
    let retriever = StreamTranslator.download(of: written) ?? written
    guard retriever.type == "SimpleRetriever" else {
      return (.unknown, "stream '\(name)' with \(retriever.type)", "a known retriever")
    }
    guard let requester = retriever.child("requester", default: "HttpRequester") else {
      return (.request, "stream '\(name)'", "a requester")
    }
    if requester.isCustom {
      return (
        .customCode, "stream '\(name)' with \(requester.className ?? requester.type)",
        "its code, which is not in the manifest"
      )
    }
    if let selector = retriever.child("record_selector"), let extractor = selector.child("extractor"),
      extractor.isCustom
    {
      return (
        .customCode, "stream '\(name)' with \(extractor.className ?? extractor.type)",
        "its code, which is not in the manifest"
      )
    }
    return nil
  }

  // MARK: - Limits

  private mutating func budget() {
    if let level = reader.top("concurrency_level"), let count = level["default_concurrency"]?.integer, count > 0 {
      for flow in flows { flow.rate = .map([("concurrency", .integer(min(count, 100)))]) }
    } else if let level = reader.top("concurrency_level") {
      context.skip(
        "concurrency_level", reason: "'http.rate.concurrency' and 'run --jobs' limit requests",
        at: OutputMapping.Origin(level))
    }
    guard let node = reader.top("api_budget"), node.members != nil else { return }
    let budget = Component(node, default: "HTTPAPIBudget")
    guard budget.type == "HTTPAPIBudget" else {
      return lose(.rate, "api_budget: \(budget.type)", needs: "a rate of requests", at: budget)
    }
    for policy in budget.children("policies") {
      RatePolicy(policy, names: JinjaNames(context.variables, policy)).apply(to: flows) { kind, what, needs in
        notes.append(context.lose(kind, what, needs: needs, at: OutputMapping.Origin(policy)))
      }
    }
    let (remaining, reset) = (budget["ratelimit_remaining_header"]?.text, budget["ratelimit_reset_header"]?.text)
    if remaining != nil || reset != nil {
      RatePolicy.follow(
        remaining: remaining ?? "ratelimit-remaining", reset: reset ?? "ratelimit-reset", for: flows)
    }
  }
}
