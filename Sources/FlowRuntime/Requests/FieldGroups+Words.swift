internal import FlowModel
internal import ReactorCore

extension FieldGroups {
  /// A description of the groups, for `reactor explain`.
  var words: String {
    var limits: [String] = []
    if let maxNames { limits.append("\(maxNames) \(maxNames == 1 ? "name" : "names")") }
    if let maxBytes { limits.append("\(maxBytes) bytes") }
    var text = "one request for each group of at most \(limits.joined(separator: " and "))"
    if let fixed = fixedNames, let groups = try? groups(of: fixed.names, always: fixed.always) {
      text += ", \(groups.count) now"
      if !fixed.always.isEmpty { text += ", each with \(fixed.always.joined(separator: ", "))" }
    }
    text += "; the records are joined by \(keyText)"
    return text + (keepsMissing ? "; a record that is missing in a response is kept" : "")
  }
}
