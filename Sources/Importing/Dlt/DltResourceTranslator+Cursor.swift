extension DltResourceTranslator {
  /// How the incremental loading of a resource is carried over.
  struct CursorPlan {
    let node: SourceNode
    let field: String
    let start: String
    let end: String?
    let query: String?
    let endQuery: String?
  }

  /// The types of columns, by dlt's names for types.
  private static let types = [
    "text": "string", "bigint": "integer", "double": "number", "bool": "boolean", "timestamp": "timestamp",
    "date": "date", "decimal": "decimal", "json": "json", "complex": "json",
  ]

  private var disposition: String? {
    resource["write_disposition"]?.text ?? resource["write_disposition"]?["disposition"]?.text
  }

  /// Translates `write_disposition`, which determines what happens to the records of earlier runs, and the primary key.
  func schema() {
    let keys = resource.names("primary_key")
    switch disposition {
    case "merge":
      if let strategy = resource["write_disposition"]?["strategy"]?.text, strategy == "scd2" {
        lose(
          .incremental, "write_disposition: scd2", "'persistence.history' of a table",
          resource["write_disposition"] ?? resource.node)
      }
      if keys.isEmpty {
        lose(
          .incremental, "write_disposition: merge", "a primary key; without one, each run replaces the result",
          resource["write_disposition"] ?? resource.node)
      } else {
        draft.outputMode = "merge"
      }
    case "append" where incremental == nil: draft.outputMode = "append"
    case nil where incremental == nil:
      skip(
        "write_disposition of '\(resource.label)'",
        "it is missing, and dlt would append all records in each run; the flow replaces its result", resource.node)
    default: break
    }
    // Without a reason for a schema, records are stored as received.
    if draft.outputMode == "merge" { makeSchema(keys) }
  }

  /// A schema with the fields that are known, and the whole record as one more field.
  private func makeSchema(_ keys: [String]) {
    guard draft.schema == nil else { return }
    let schema = SchemaDraft()
    for key in keys {
      let steps = DltPath(key).names
      var field = SchemaDraft.Field(
        name: steps.joined(separator: "_"), type: type(of: key), isOptional: false, origin: draft.origin)
      if steps.count > 1 { field.from = OutputText.path(steps) }
      schema.add(field)
      schema.key.append(field.name)
    }
    schema.addWholeRecord(from: draft.origin)
    draft.schema = schema
  }

  private func type(of column: String) -> OutputMapping {
    let hint = (resource["columns"]?[column]?["data_type"])?.text
    return OutputMapping([("type", .scalar(hint.flatMap { Self.types[$0] } ?? "json"))])
  }

  // MARK: - Cursor

  /// The settings of incremental loading, and the parameter that they belong to.
  private var incremental: (node: SourceNode, parameter: String?)? {
    for member in resource.endpoint("params")?.members ?? [] where member.value["type"]?.text == "incremental" {
      return (member.value, member.name)
    }
    return resource.endpoint("incremental").flatMap { $0.members == nil ? nil : ($0, nil) }
  }

  /// Decides how incremental loading is carried over, and gives the expressions for its bounds in the request.
  mutating func plan() -> CursorPlan? {
    if let node = resource.endpoint("incremental"), node.members == nil, !node.isNull {
      lose(.customCode, "incremental", "its settings instead of a Python object", node)
    }
    guard let (node, parameter) = incremental else { return nil }
    let rest = "all records are requested each time"
    guard let path = node["cursor_path"]?.filled else {
      lose(.incremental, "incremental", "'cursor_path'; \(rest)", node)
      return nil
    }
    for name in ["convert", "transform"] where node[name]?.isNull == false {
      lose(.customCode, "incremental.\(name)", "'cursor.format' instead of its code, which is not run; \(rest)", node)
      return nil
    }
    if let function = node["last_value_func"], !function.isNull, function.text != "max",
      !(function.text?.contains("function max") ?? false)
    {
      lose(
        .incremental, "incremental.last_value_func", "'max', because the position is the greatest value; \(rest)", node)
      return nil
    }
    guard let value = node["initial_value"], let start = value.filled, !DltTranslator.isObject(value) else {
      lose(.incremental, "incremental of '\(path)'", "'initial_value', which shows the field's type; \(rest)", node)
      return nil
    }
    guard DltPath(path).look(in: FlowExpression("source", .any)) != nil, !DltPath(path).names.isEmpty else {
      lose(.incremental, "incremental of '\(path)'", "'cursor_path' with the path of one value; \(rest)", node)
      return nil
    }
    guard disposition != "replace" else {
      lose(.incremental, "incremental with write_disposition 'replace'", "'merge' or 'append'; \(rest)", node)
      return nil
    }
    let names = DltPath(path).names
    let field = names.joined(separator: "_")
    let keys = resource.names("primary_key")
    if keys.isEmpty {
      draft.schema = nil
      makeSchema([])
      draft.schema?.addDigest(from: OutputMapping.Origin(node))
      draft.keys.note("no primary key: a record that comes again unchanged is merged, a changed one is a new record")
    } else {
      makeSchema(keys)
      if disposition != "merge" {
        lose(
          .incremental, "write_disposition: append with a cursor",
          "records that the server never returns twice; here they are merged by their key", node)
      }
    }
    draft.outputMode = "merge"
    declare(field, names, value, node)
    let end = node["end_value"]?.filled
    bounds = [
      "start_value": FlowExpression("cursor.start", .any), "initial_value": .literal(start),
      "last_value": FlowExpression("cursor.start", .any),
    ]
    if end != nil { bounds["end_value"] = FlowExpression("cursor.end", .any) }
    return CursorPlan(
      node: node, field: field, start: start, end: end, query: parameter ?? node["start_param"]?.filled,
      endQuery: node["end_param"]?.filled)
  }

  /// Declares the field of the cursor with the type of its first value.
  private func declare(_ name: String, _ path: [String], _ value: SourceNode, _ node: SourceNode) {
    let isLax = node["on_cursor_value_missing"]?.text == "include" && !(draft.schema?.key.contains(name) ?? false)
    var field = SchemaDraft.Field(
      name: name, type: OutputMapping([("type", .scalar(Self.type(of: value)))]), isOptional: isLax,
      origin: OutputMapping.Origin(node))
    if path.count > 1 { field.from = OutputText.path(path) }
    draft.schema?.add(field)
  }

  private static func type(of value: SourceNode) -> String {
    if case .number(let text) = value.content { return Int(text) == nil ? "string" : "integer" }
    let text = Array((value.scalar ?? "").utf8)
    func isDigits(_ range: Range<Int>) -> Bool { text[range].allSatisfy { $0 &- 0x30 < 10 } }
    guard text.count >= 10, isDigits(0..<4), text[4] == 0x2D, isDigits(5..<7), text[7] == 0x2D, isDigits(8..<10) else {
      return "string"
    }
    if text.count == 10 { return "date" }
    let zone = text.dropFirst(19)
    let hasZone = text.last == UInt8(ascii: "Z") || zone.contains(UInt8(ascii: "+")) || zone.contains(UInt8(ascii: "-"))
    return text[10] == UInt8(ascii: "T") && hasZone ? "timestamp" : "string"
  }

  /// Writes the cursor, and puts its bounds into the request.
  func finish(_ plan: CursorPlan) {
    let node = plan.node
    var result = OutputMapping([("field", .text(plan.field)), ("start", .text(plan.start))])
    if let end = plan.end { result["end"] = .text(end) }
    if let query = plan.query {
      result["query"] = .text(query)
      draft.query[query] = nil
    }
    if let query = plan.endQuery, let start = plan.query, plan.end != nil {
      result["query"] = .mapping(OutputMapping([("start", .text(start)), ("end", .text(query))]))
      draft.query[query] = nil
    }
    let kind = draft.schema?[plan.field]?.type["type"]?.scalar ?? ""
    if plan.query != nil || draft.uses("cursor.") {
      if kind == "date" { result["format"] = .scalar("date") }
      if kind == "timestamp", let format = Self.format(of: plan.start) { result["format"] = .text(format) }
    }
    let isStartOpen = node["range_start"]?.text == "open"
    let isEndClosed = node["range_end"]?.text == "closed"
    if isStartOpen || isEndClosed { result["bounds"] = .text("\(isStartOpen ? "(" : "[")\(isEndClosed ? "]" : ")")") }
    lag(node, kind, &result)
    let isDescending =
      node["row_order"]?.text == "desc" && draft.keys["pages"] != nil
      && draft.keys["pages"]?.scalar != "none"
    if isDescending { result["order"] = .scalar("descending") }
    // dlt also leaves out records outside of the range.
    if !isDescending { result["filter"] = .scalar("true") }
    switch node["on_cursor_value_missing"]?.text {
    case "include": result["optional"] = .scalar("true")
    case "exclude":
      draft.keys["where"] = .scalar(OutputText.expression("has(\(Self.look(node["cursor_path"]?.scalar ?? "")))"))
    default: break
    }
    result.order([
      "field", "start", "end", "query", "format", "lookback", "bounds", "filter", "order", "optional",
    ])
    draft.keys.set("cursor", .mapping(result), from: OutputMapping.Origin(node))
    let known: Set<String> = [
      "type", "cursor_path", "initial_value", "end_value", "start_param", "end_param", "last_value_func", "primary_key",
      "row_order", "range_start", "range_end", "lag", "on_cursor_value_missing", "convert", "transform",
    ]
    for member in node.members ?? [] where !known.contains(member.name) && !member.value.isFalsy {
      lose(.incremental, "incremental.\(member.name)", "a setting of 'cursor' with this effect", member.value)
    }
  }

  /// The time pattern for times that look like the start value; nil for the default format, and for a zone other than
  /// UTC.
  private static func format(of start: String) -> String? {
    let rest = start.dropFirst("2026-01-02T00:00:00".count)
    let digits = rest.dropFirst().prefix { $0.isNumber }
    let isFraction = rest.first == "." && !digits.isEmpty
    let zone = isFraction ? rest.dropFirst(digits.count + 1) : rest
    guard ["Z", "+00:00", "+0000"].contains(zone), zone != "Z" || isFraction else { return nil }
    // With another number of digits, zeros are written, so the range begins a little earlier; `filter` leaves out
    // earlier records.
    let fraction = digits.count == 6 ? ".%f" : "." + String(repeating: "0", count: digits.count)
    return "%Y-%m-%dT%H:%M:%S\(isFraction ? fraction : "")\(zone)"
  }

  /// The expression for the value at a path in the record as received.
  private static func look(_ path: String) -> String {
    DltPath(path).look(in: FlowExpression("source", .any))?.text ?? "source"
  }

  private func lag(_ node: SourceNode, _ kind: String, _ result: inout OutputMapping) {
    guard let lag = node["lag"], !lag.isFalsy else { return }
    guard let count = lag.integer ?? lag.scalar.flatMap({ Double($0) }).map({ Int($0.rounded(.up)) }), count > 0,
      count < 1 << 31, kind != "string"
    else {
      return lose(
        .incremental, "incremental.lag: \(lag.scalar ?? "")", "a number, and a field of times or integers", lag)
    }
    result["lookback"] = .scalar(kind == "timestamp" ? "\(count)s" : kind == "date" ? "\(count)d" : "\(count)")
  }
}
