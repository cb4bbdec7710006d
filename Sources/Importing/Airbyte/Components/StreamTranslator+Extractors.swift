/// Extractors that need a program, because no single path finds their records.
extension StreamTranslator {
  /// Translates an extractor that combines other extractors; the result is a program for the whole response.
  func combine(_ extractor: Component, paginator: Component?) {
    guard let program = program(of: extractor, depth: 0) else {
      let paths = extractor.children("extractors").map { ($0["field_path"]?.texts ?? []).joined(separator: ".") }
      return lose(
        .records, "extractor: CombinedExtractor of \(paths.map { "'\($0)'" }.joined(separator: ", "))",
        needs: "paths that are known before a run", at: extractor)
    }
    let strategy = paginator?.child("pagination_strategy")?.type
    if skipsEmpty(extractor), strategy == "OffsetIncrement" || strategy == "PageIncrement" {
      lose(
        .records, "skip_empty_records", needs: "paging that counts the records that are left out", at: extractor)
    }
    reshapeWhole(program, extractor)
  }

  /// Expands records in a program for the whole response, if paging depends on the number of expanded records.
  ///
  /// - Returns: false if paging does not depend on this number, so that each record may be expanded by itself
  func expandCounted(_ extractor: Component, of retriever: Component) -> Bool {
    guard let strategy = retriever.child("paginator")?.child("pagination_strategy") else { return false }
    let isCounted =
      switch strategy.type {
      case "PageIncrement", "OffsetIncrement": true
      default:
        ["cursor_value", "stop_condition"].contains { strategy[$0]?.scalar?.contains("last_page_size") ?? false }
      }
    guard isCounted else { return false }
    let decoder = retriever.child("decoder")?.type ?? "JsonDecoder"
    guard decoder == "JsonDecoder", let program = program(of: extractor, depth: 0) else {
      lose(
        .pages, "pages that count the records of a record_expander",
        needs: "a response in JSON, and paths that are known before a run", at: extractor)
      return false
    }
    reshapeWhole(program, extractor)
    return true
  }

  private func skipsEmpty(_ extractor: Component) -> Bool {
    extractor["skip_empty_records"]?.bool == true || extractor.children("extractors").contains { skipsEmpty($0) }
  }

  /// The program whose results are the records of one extractor; nil for an extractor that cannot be translated.
  private func program(of extractor: Component, depth: Int) -> String? {
    guard extractor.type == "CombinedExtractor" else {
      return extractor.type == "DpathExtractor" ? found(by: extractor) : nil
    }
    let inner = extractor.children("extractors", default: "DpathExtractor")
    var programs = inner.compactMap { program(of: $0, depth: depth + 1) }
    guard depth < 8, !inner.isEmpty, programs.count == inner.count else { return nil }
    if extractor["skip_empty_records"]?.bool == true {
      programs = programs.map { "(\($0)) | select(\(Self.isFilled))" }
    }
    guard extractor["mode"]?.scalar == "first_match" else {
      return programs.map { "(\($0))" }.joined(separator: ", ")
    }
    return programs.dropLast().reversed().reduce("[\(programs[programs.count - 1])]") { rest, program in
      "[\(program)] | if . == [] then $response | \(rest) else . end"
    }.wrapped(depth)
  }

  /// The jq test for values that count as true in Python.
  private static let isFilled = "IN(null, false, 0, \"\", [], {}) | not"

  /// A program that returns the elements of the list at a path; if another value is there, that value unless it is
  /// empty.
  private func found(by extractor: Component) -> String? {
    let steps = (extractor["field_path"].map { $0.list ?? [$0] } ?? []).map { constant($0, of: extractor) }
    let path = steps.compactMap { $0 }
    // A number could be an index of a list, and a pattern could match several names.
    let isPlain = path.allSatisfy { step in
      step == "*" || !step.contains { "*?[".contains($0) } && !step.allSatisfy(\.isNumber)
    }
    guard path.count == steps.count, isPlain else { return nil }
    // The path begins at the elements of a list, not at the list.
    let value = path.isEmpty ? "." : "((arrays | .[]), objects) | \(Self.jq(optional: path))"
    let records =
      path.contains("*")
      ? value : "\(value) | if type == \"array\" then .[] elif \(Self.isFilled) then . else empty end"
    guard let expander = extractor.child("record_expander", default: "RecordExpander") else { return records }
    return expansion(expander).map { "(\(records)) | \($0)" }
  }

  /// The path in the notation of jq; it finds nothing, instead of failing, in values that have no members or elements.
  private static func jq(optional path: [String]) -> String {
    guard !path.isEmpty else { return "." }
    return path.enumerated().map { index, step in
      step == "*" ? (index == 0 ? ".[]?" : "[]?") : (index == 0 ? "." : "") + "[\(jq(text: step))]?"
    }.joined()
  }

  // MARK: - Expanders

  /// A program that replaces each record by the elements of a list in it; nil, after a loss was recorded, if it cannot
  /// be translated.
  func expansion(_ expander: Component) -> String? {
    let steps = expander["expand_records_from_field"].map { $0.list ?? [$0] } ?? []
    let path = steps.compactMap { constant($0, of: expander) }
    func lose(_ needs: String) {
      self.lose(.records, "record_expander of '\(path.joined(separator: "."))'", needs: needs, at: expander)
    }
    guard expander["truncated_list_retriever"] == nil else {
      lose("another request for the rest of a truncated list")
      return nil
    }
    let isPlain = path.allSatisfy { step in
      step == "*" || !step.contains { "*?[".contains($0) } && !step.allSatisfy(\.isNumber)
    }
    guard !path.isEmpty, path.count == steps.count, isPlain else {
      lose("a path that has only names or '*', without templates")
      return nil
    }
    let list = "\(Self.jq(optional: path)) | arrays"
    var context: [String] = []
    if expander["merge_parent"]?.bool == true { context.append("($record | delpaths([path(\(list))])) + .") }
    for field in expander.children("parent_fields", default: "ParentFieldPath") {
      guard let from = names(field, "parent_path"), let to = names(field, "record_path") else {
        lose("paths in 'parent_fields' that have only names")
        return nil
      }
      context.append("setpath(\(Self.list(to)); $record | (\(Self.jq(optional: from))) // null)")
    }
    if expander["remain_original_record"]?.bool == true { context.append(".original_record = $record") }
    var each = "(\(list) | .[])"
    if !context.isEmpty {
      each += " | if type == \"object\" then . else {value: .} end | " + context.joined(separator: " | ")
    }
    let isParent = expander["on_no_records"]?.text == "emit_parent"
    let empty = isParent ? " and ([\(list) | .[]] | length > 0)" : ""
    let records = context.isEmpty ? each : "(. as $record | \(each))"
    return "if type == \"object\"\(empty) then \(records) else . end"
  }

  /// The names of a path without patterns; nil for another path.
  private func names(_ component: Component, _ key: String) -> [String]? {
    let steps = component[key]?.list ?? []
    let path = steps.compactMap { constant($0, of: component) }
    let isPlain = path.allSatisfy { step in !step.contains { "*?[".contains($0) } && !step.allSatisfy(\.isNumber) }
    return !path.isEmpty && path.count == steps.count && isPlain ? path : nil
  }

  private static func list(_ path: [String]) -> String { "[\(path.map { jq(text: $0) }.joined(separator: ", "))]" }
}

extension String {
  /// A program that returns the elements of the list that this program creates. This program can use the response as
  /// `$response`.
  fileprivate func wrapped(_ depth: Int) -> String { ". as $response | (\(self)) | .[]" }
}
