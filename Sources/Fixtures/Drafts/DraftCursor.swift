internal import JSONSyntax
internal import TimeSyntax
internal import YAMLSyntax

/// How a drafted flow asks only for new records: the time field of the records, and the parameter that takes a time.
///
/// It is guessed only where the request has such a parameter, because nothing in a response says that a server takes one.
package struct DraftCursor: Sendable, Hashable {
  /// The time field of the records.
  package let field: String
  /// The query parameter for the start of the range.
  package let query: String
  /// The form in which the parameter takes times; nil for ISO 8601.
  private var format: String?
  /// The time that the request begins with; nil where its value is no time.
  private var start: String?

  /// Finds a cursor in a request and the outline of its records; nil when one of the two has none.
  ///
  /// Records need a key, by which a changed record replaces its earlier version.
  package init?(_ parameters: [RecordedRequest.Field], _ sample: InferredFlow) {
    guard sample.key != nil, sample.signs.isList else { return nil }
    let times = sample.fields.filter { !$0.isOptional && $0.isTime }
    for parameter in parameters {
      let name = DraftText.plain(parameter.name)
      guard let fields = Self.fields(for: name), !times.isEmpty else { continue }
      let found = fields.lazy.compactMap { field in times.first { DraftText.plain($0.name) == field } }.first
      guard let found else { continue }
      (field, query) = (found.name, parameter.name)
      take(parameter.value, isDate: found.type == "date")
      return
    }
    return nil
  }

  /// Sets the start and the format by the value in the request.
  private mutating func take(_ value: String, isDate: Bool) {
    if let number = Int64(value), value.utf8.count == 10 || value.utf8.count == 13 {
      format = value.utf8.count == 10 ? "epoch_s" : "epoch_ms"
      start = InstantText.text(value.utf8.count == 10 ? number : number / 1000)
      if isDate { start = start.map { String($0.prefix(10)) } }
    } else if ValueMask.Kind.date.admits(.string(value)) {
      if !isDate { format = "date" }
      start = value
    } else if !isDate, value.hasSuffix("Z"), InstantText.instant(value) != nil {
      start = value
    }
  }

  /// The YAML text after `cursor:`.
  var text: String {
    var parts = ["field: \(YAMLText.quoted(field))", "query: \(YAMLText.quoted(query))"]
    if let format { parts.append("format: \(format)") }
    if let start { parts.append("start: \(YAMLText.quoted(start))") }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  /// The usual names of time fields, without punctuation, that belong to a parameter; nil when it takes no time.
  private static func fields(for parameter: String) -> [String]? {
    if creations.contains(parameter) { return ["createdat", "created", "createdon", "createdtime", "creationdate"] }
    guard updates.contains(parameter) else { return nil }
    return [
      "updatedat", "updated", "modifiedat", "modified", "lastmodified", "lastmodifiedat", "lastupdated",
      "lastupdatedat", "changedat", "changed", "updatedon", "modifiedon", "updatetime", "modifiedtime", "dateupdated",
      "datemodified",
    ]
  }

  private static let updates: Set<String> = [
    "since", "updatedsince", "updatedafter", "updatedfrom", "updatedatmin", "updatedatgte", "updatedgte",
    "updatedatgt", "updatedgt", "modifiedsince", "modifiedafter", "modifiedfrom", "modifiedatmin", "modifiedgte",
    "changedsince", "changedafter", "lastmodifiedafter", "lastmodifiedsince", "lastupdatedafter", "updatedmin",
  ]
  private static let creations: Set<String> = [
    "createdsince", "createdafter", "createdfrom", "createdatmin", "createdatgte", "createdgte", "createdgt",
    "createdatgt", "createdmin",
  ]
}

extension InferredField {
  /// Whether the field is a date or a time.
  fileprivate var isTime: Bool { type == "date" || type == "timestamp" || type.hasPrefix("{ type: timestamp") }
}
