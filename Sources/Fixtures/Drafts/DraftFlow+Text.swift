internal import JSONSyntax
internal import YAMLSyntax

extension DraftFlow {
  /// Returns the flow's YAML lines, without the settings that all flows of the file share.
  ///
  /// - Parameters:
  ///   - shared: the headers that the file declares for all flows
  ///   - common: the `auth` of the file
  func text(besides shared: [DraftParameter], _ common: DraftAuth?) -> String {
    var text = "  \(name):\n"
    for note in notes { text += "    # \(DraftText.flat(note))\n" }
    if let parent { text += "    each: { flow: \(parent) }\n" }
    text += resource(headers.filter { !shared.contains($0) })
    if auth != common { text += "    auth: \(auth?.text ?? "none")\n" }
    if let sample {
      text += "    records: \(DraftText.value(sample.records))  # guessed: \(DraftText.flat(sample.recordsGuess))\n"
    }
    if let strategy = pages?.text {
      text += "    pages: \(strategy)\(pages?.comment.map { "  # \(DraftText.flat($0))" } ?? "")\n"
    }
    if let total = pages?.total {
      text += "    expect: { total: \(YAMLText.quoted(total)) }  # the number of records that the response names\n"
    }
    if let cursor { text += "    cursor: \(cursor.text)  # later runs ask only for what is new\n" }
    if let sample, !sample.fields.isEmpty { text += schema(sample) }
    let path = "out/\(name).jsonl"
    return text + "    persistence: \(cursor == nil ? path : "{ path: \(path), mode: merge }")\n"
  }

  private func resource(_ headers: [DraftParameter]) -> String {
    guard method != "GET" || !query.isEmpty || !headers.isEmpty || body != nil else {
      return "    resource: \(path.yaml)\n"
    }
    var text = "    resource:\n"
    if method != "GET" { text += "      method: \(method)\n" }
    text += "      path: \(path.yaml)\n"
    if !query.isEmpty { text += "      query:\n" }
    var names: Set<String> = []
    for parameter in query where names.insert(parameter.name).inserted {
      let values = query.filter { $0.name == parameter.name }.map(\.value.yaml)
      let value = values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]"
      text += "        \(DraftText.key(parameter.name)): \(value)\n"
    }
    if !headers.isEmpty { text += "      headers:\n" + headers.map { "        \($0.line)\n" }.joined() }
    if let body {
      if let json = try? JSONValue(parsing: body) {
        let value = String(decoding: JSONWriter.bytes(json), as: UTF8.self).replacing("{{", with: "{ {")
        text += "      body: { json: \(DraftText.fillingSecrets(in: value)) }\n"
      } else {
        let value = YAMLText.quoted(DraftText.fillingSecrets(in: DraftText(body).template))
        text += "      body: { text: \(value) }\n"
      }
    }
    return text
  }

  private func schema(_ sample: InferredFlow) -> String {
    var text = "    schema:\n"
    if let key = sample.key {
      let reason = sample.count > 0 ? "it differs in all \(sample.count) records of the sample" : "by its name"
      let names = (carried.map(\.name) + [key]).map { DraftText.key($0) }
      text += "      key: \(names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]")  # guessed: \(reason)\n"
    }
    text += "      fields:\n"
    for field in sample.fields { text += "        \(field.line)\n" }
    for field in carried {
      let value = YAMLText.quoted(DraftText.expression("parent.\(field.source)").template)
      text +=
        "        \(DraftText.key(field.name)): { value: \(value), type: \(field.type) }  # of the parent's record\n"
    }
    return text
  }
}

extension DraftParameter {
  /// The parameter as `name: value`.
  var line: String { "\(DraftText.key(name)): \(value.yaml)" }
}
