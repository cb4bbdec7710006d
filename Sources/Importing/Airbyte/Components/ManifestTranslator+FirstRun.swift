/// The stream that a delegating stream uses while it has no state.
struct FirstStream {
  let stream: Component
  /// The age from which a state is ignored; nil if it is never ignored.
  let retention: SourceNode?
}

extension ManifestTranslator {
  /// The stream that a delegating stream uses while it has no state; nil if it sends the same requests as `stream`.
  static func firstStream(of component: Component, beside stream: Component) -> FirstStream? {
    guard let full = component.child("full_refresh_stream", default: "DeclarativeStream"),
      full.node["retriever"]?.digest != stream.node["retriever"]?.digest
    else { return nil }
    return FirstStream(stream: full, retention: component["api_retention_period"])
  }

  /// Adds `first_run` to a flow: the requests that a delegating stream sends while it has no state.
  mutating func addFirstRun(of first: FirstStream, to draft: FlowDraft) {
    let full = first.stream
    func lose(_ needs: String) {
      draft.keys.note(
        context.lose(
          .retriever, "full_refresh_stream of '\(draft.name)'", needs: needs, at: OutputMapping.Origin(full),
          flow: draft.name))
    }
    if let problem = Self.problem(of: full, draft.name) { return lose(problem.needs) }
    guard draft.keys["cursor"] != nil else { return lose("a flow with a 'cursor'") }
    let retention = first.retention
    let first = FlowDraft(draft.name, at: OutputMapping.Origin(full))
    var translator = StreamTranslator(context: context, draft: first, names: context.names(of: full))
    translator.isFirstRun = true
    translator.translate(full) { flow($0, isParent: true) }
    if let difference = Self.difference(first, draft) { return lose(difference) }
    var keys = OutputMapping()
    keys.set("resource", first.resource, from: first.origin)
    for item in first.keys.items {
      switch item {
      case .comment: keys.items.append(item)
      case .entry(let name, _, _) where Self.firstRunKeys.contains(name): keys.items.append(item)
      case .entry: break
      }
    }
    if let retention {
      if let duration = JinjaNames(context.variables, full).constant(retention).flatMap({ ISODuration($0) }) {
        keys.set("max_age", .scalar(duration.text), from: OutputMapping.Origin(retention))
      } else {
        keys.note(
          context.lose(
            .retriever, "api_retention_period: \(retention.scalar ?? "")",
            needs: "a duration that is known before the run",
            at: OutputMapping.Origin(retention), flow: draft.name))
      }
    }
    draft.keys.set("first_run", .mapping(keys), from: OutputMapping.Origin(full))
  }

  private static let firstRunKeys: Set<String> = [
    "field_groups", "decode", "records", "reshape", "change", "where", "job", "pages",
  ]

  /// The feature that the first run would need, because it has a setting that `first_run` cannot change; nil for none.
  private static func difference(_ first: FlowDraft, _ flow: FlowDraft) -> String? {
    if first.base != flow.base { return "a first run at another server" }
    if first.auth != flow.auth { return "a first run with other credentials" }
    if first.keys["each"] != flow.keys["each"] { return "a first run with other parents" }
    if first.keys["errors"] != flow.keys["errors"] { return "a first run with other rules for errors" }
    if let schema = first.schema, schema.node != flow.schema?.node { return "a first run with other fields" }
    return nil
  }
}
