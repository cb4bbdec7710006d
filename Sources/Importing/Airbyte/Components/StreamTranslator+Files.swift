/// Streams whose records have files.
extension StreamTranslator {
  /// Translates a `file_uploader` into a flow that stores the file of each record of another flow.
  mutating func files(_ uploader: Component, of records: FlowDraft) {
    guard let written = uploader.child("requester", default: "HttpRequester"), !written.isCustom,
      let extractor = uploader.child("download_target_extractor", default: "DpathExtractor"), !extractor.isCustom,
      let steps = extractor["field_path"]?.texts, !steps.isEmpty,
      !steps.contains(where: { $0.contains("*") || $0.contains("{{") })
    else {
      return lose(
        .records, "file_uploader", needs: "a requester, and a 'field_path' without '*' or templates", at: uploader)
    }
    let name = FlowName.word(records.name)
    var each = OutputMapping([("flow", .text(records.name)), ("as", .text(name))])
    let target = field(steps, of: records, name, uploader)
    names.roots["download_target"] = target
    names.roots["stream_name"] = .literal(records.name)
    request(written, to: target, as: records)
    authorization(written)
    errors(written)
    // The flow follows redirects to file stores; credentials are sent only to the server itself.
    draft.redirects = .scalar("any")
    if let path = path(uploader, target: target, of: records, name) {
      draft.keys.set("download", path.node, from: OutputMapping.Origin(uploader))
    }
    if uploader["file_extractor"] != nil {
      lose(
        .records, "file_extractor", needs: "files inside of a JSON response",
        at: uploader["file_extractor"] ?? uploader.node)
    }
    facts(of: records, name, uploader, &each)
    draft.keys.set("each", .mapping(each), from: OutputMapping.Origin(uploader))
  }

  /// Translates the request for a file. Its URL is often the whole `download_target` of the record.
  private mutating func request(_ written: Component, to target: FlowExpression, as records: FlowDraft) {
    let url = [written["url"] ?? written["url_base"], written["path"]].map { ($0?.scalar ?? "") }
      .joined().filter { !$0.isWhitespace && $0 != "/" }
    guard url == "{{download_target}}" else { return request(written) }
    var members = (written.node.members ?? []).filter { !["url", "url_base", "path"].contains($0.name) }
    for (name, text) in [("url_base", "https://example.invalid"), ("path", "/")] {
      members.append(SourceNode.Member(name: name, value: written.node.with(text)))
    }
    request(
      written.sibling(
        SourceNode(.mapping(members), line: written.node.line, path: written.node.path), default: written.type))
    draft.base = records.base
    draft.url = FlowTemplate(expression: target, canBeLeftOut: false)
  }

  /// The path under which a file is stored: below a folder with the name of the flow.
  private mutating func path(
    _ uploader: Component, target: FlowExpression, of records: FlowDraft, _ name: String
  ) -> FlowTemplate? {
    guard let node = uploader["filename_extractor"], let text = node.scalar, !text.isEmpty else {
      // A name that is different for each file, and the same in each run.
      return template(node: uploader.node, "\(draft.name)/{{ download_target | hash('sha256') }}", of: uploader)
    }
    // Members of the record become fields of the flow's records.
    for match in text.matches(of: #/record(?:\.([A-Za-z_]\w*)|\[\s*['"]([^'"]+)['"]\s*\])/#) {
      guard let member = (match.output.1 ?? match.output.2).map(String.init) else { continue }
      names.partitions[member] = field([member], of: records, name, uploader)
    }
    var path = text.replacing("record.", with: "stream_partition.").replacing("record[", with: "stream_partition[")
    while path.hasPrefix("/") { path.removeFirst() }
    while path.hasSuffix("/") { path.removeLast() }
    while path.contains("//") { path = path.replacing("//", with: "/") }
    return template(node: node, "\(draft.name)/\(path)", of: uploader)
  }

  private func template(node: SourceNode, _ text: String, of uploader: Component) -> FlowTemplate? {
    template(node.with(text), of: uploader, as: "filename_extractor")
  }

  /// Adds a schema with facts about each file and the key of the record that the file belongs to. If that flow pulls
  /// only new records, only their files are requested.
  private func facts(of records: FlowDraft, _ name: String, _ uploader: Component, _ each: inout OutputMapping) {
    guard let key = records.schema?.key, !key.isEmpty else { return }
    let schema = SchemaDraft()
    let facts = [("path", "string"), ("bytes", "integer"), ("media_type", "string"), ("sha256", "string")]
    for part in key {
      let word = facts.contains { $0.0 == part } ? "record_\(part)" : part
      let value = field([part], of: records, name, uploader, isKey: true)
      var field = SchemaDraft.Field(name: word, type: OutputMapping(), origin: OutputMapping.Origin(uploader))
      field.value = OutputText.quoted("{{ \(value.text) }}")
      field.isOptional = false
      if value.kind == .any { field.type["type"] = .scalar("json") }
      schema.add(field)
      schema.key.append(word)
    }
    for (name, type) in facts {
      var field = SchemaDraft.Field(
        name: name, type: OutputMapping([("type", .scalar(type))]), origin: OutputMapping.Origin(uploader))
      field.isOptional = name == "media_type"
      schema.add(field)
    }
    draft.schema = schema
    guard records.outputMode == "merge" else { return }
    each["only"] = .scalar("changed")
    draft.outputMode = "merge"
  }
}
