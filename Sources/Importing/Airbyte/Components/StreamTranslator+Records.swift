extension StreamTranslator {
  /// Translates a record selector: the path of the records in the response.
  ///
  /// - Returns: the path of the records as an expression on the response; nil for other paths, and if a program finds
  ///   the records
  func selector(_ retriever: Component) -> String? {
    guard let selector = retriever.child("record_selector", default: "RecordSelector") else { return nil }
    guard !selector.isCustom else {
      loseUnknown(selector, as: "record_selector")
      return nil
    }
    return extractor(selector, of: retriever)
  }

  private func extractor(_ selector: Component, of retriever: Component) -> String? {
    guard var extractor = selector.child("extractor", default: "DpathExtractor") else { return nil }
    let inner = extractor.children("extractors", default: "DpathExtractor")
    if extractor.type == "CombinedExtractor", inner.count == 1, extractor["skip_empty_records"]?.bool != true {
      extractor = inner[0]
    }
    if extractor.type == "CombinedExtractor" {
      combine(extractor, paginator: retriever.child("paginator"))
      return nil
    }
    guard extractor.type == "DpathExtractor" else {
      loseUnknown(extractor, as: "extractor")
      return nil
    }
    if let expander = extractor.child("record_expander", default: "RecordExpander") {
      if expandCounted(extractor, of: retriever) { return nil }
      expansion(expander).map { reshape($0, expander) }
    }
    let steps = extractor["field_path"].map { $0.list ?? [$0] } ?? []
    guard !steps.isEmpty else { return nil }
    var path = "$"
    var expression: String? = "response"
    var isPlain = true
    for (index, step) in steps.enumerated() {
      guard let text = step.scalar else { continue }
      guard let template = template(step, of: extractor, as: "field_path") else { return nil }
      if template.isConstant {
        // An array gives its elements anyway.
        if text == "*", index == steps.count - 1, isPlain, steps.count > 1 || steps.count == 1 {
          path += "[*]"
          expression = nil
          continue
        }
        if text == "**" {
          path += ".."
          isPlain = false
          continue
        }
        let part = OutputText.path([template.text])
        path +=
          path.hasSuffix("..")
          ? (text == "*" ? "*" : String(part.dropFirst(part.hasPrefix("$.") ? 2 : 1))) : String(part.dropFirst())
        if text == "*" { (expression, isPlain) = (nil, false) }
        expression = expression.map { FlowExpression($0, .any).member(template.text).text }
      } else {
        path += "['\(template.text)']"
        expression = nil
      }
    }
    guard path != "$[*]" || steps.count > 0 else { return nil }
    draft.keys.set(
      "records", .scalar(path.contains("{{") ? OutputText.quoted(path) : OutputText.value(path)),
      from: OutputMapping.Origin(extractor))
    return expression
  }

  /// A path in the notation of jq.
  static func jq(_ path: [String]) -> String {
    path.reduce("") { result, step in result + (result.isEmpty ? "." : "") + "[\(jq(text: step))]" }
  }

  /// A text in the notation of jq.
  static func jq(text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      // A parenthesis could begin an interpolation.
      case "(": result += "\\u0028"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Translates the filter of records.
  func filter(_ retriever: Component, of stream: Component) {
    guard let selector = retriever.child("record_selector", default: "RecordSelector"),
      let filter = selector.child("record_filter", default: "RecordFilter")
    else { return }
    guard filter.type == "RecordFilter" else { return loseUnknown(filter, as: "record_filter") }
    guard let node = filter["condition"], node.scalar?.isEmpty == false,
      var condition = condition(node, of: filter, as: "record_filter", names: recordNames)
    else { return }
    if condition.text == "true" { return }
    // A value that transformations have changed is read from the changed record.
    if selector["transform_before_filtering"]?.bool ?? false {
      let changed = condition.members(of: "source").filter { !isReceived($0, in: stream) }
      condition.text = condition.text.replacing(#/source\.([A-Za-z0-9_]+)/#) { match in
        (changed.contains(String(match.output.1)) ? "record." : "source.") + match.output.1
      }
    }
    guard !condition.text.contains("secrets.") else {
      return lose(.expression, "record_filter: \(node.scalar ?? "")", needs: "a condition without secrets", at: node)
    }
    draft.keys.set("where", .scalar(OutputText.expression(condition.text)), from: OutputMapping.Origin(filter))
  }

  /// The names that may be used in expressions on a record before its transformations.
  var recordNames: JinjaNames {
    var names = names.with("record", FlowExpression("source", .any, isLookUp: true))
    for (name, bound) in names.intervals where bound.text.hasPrefix("cursor.") {
      names.intervals[name] = FlowExpression(
        bound.text, draft.cursorKind, mayBeMissing: bound.mayBeMissing, isLookUp: bound.isLookUp)
    }
    for (name, bound) in names.states {
      names.states[name] = FlowExpression(
        bound.text, draft.cursorKind, mayBeMissing: bound.mayBeMissing, isLookUp: bound.isLookUp)
    }
    return names
  }
}
