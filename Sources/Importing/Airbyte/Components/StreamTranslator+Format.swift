/// The format of a response, as `decode` writes it.
private struct ResponseDecoding {
  var format = "json"
  /// How the body is packed, such as `gzip` and `zip`; the outermost packing comes first.
  var packings: [String] = []
  var settings = OutputMapping()
  /// The names that lead to the list whose elements the decoder reads; nil if the decoder has no such path.
  var items: [String]?
  /// The texts that are replaced by null.
  var absent: [String] = []

  /// Whether each row or line is a record.
  var isRows: Bool { ["jsonl", "csv", "tsv", "lines"].contains(format) }
}

extension StreamTranslator {
  /// Translates the decoder of a retriever into `decode`.
  ///
  /// - Returns: whether the format has only texts as values, as CSV and XML have
  func decoder(_ retriever: Component) -> Bool {
    guard let component = retriever.child("decoder") else { return false }
    var decoding = ResponseDecoding()
    guard read(component, &decoding, depth: 0) else { return false }
    if decoding.isRows {
      rows(retriever)
    } else if decoding.format == "xml", var path = draft.keys["records"]?.scalar {
      if path.hasPrefix("\""), let steps = Self.steps(retriever), !steps.dropLast().contains("*"),
        !steps.contains(where: { $0.contains("{{") })
      {
        path = OutputText.value(OutputText.path(steps.filter { $0 != "*" }))
      } else if path.hasSuffix("[*]") {
        path = String(path.dropLast(3))
      }
      let isPlain = !path.contains("*") && !path.contains("..")
      if path == "$" {
        draft.keys["records"] = nil
      } else if isPlain {
        draft.keys["records"] = .scalar(path)
      } else {
        rows(retriever)
      }
    }
    if let items = decoding.items { elements(at: items, component, retriever) }
    if decoding.format == "lines" { reshape("{record: .line}", component) }
    if !decoding.absent.isEmpty {
      let test = decoding.absent.map { ". == \(Self.jq(text: $0))" }.joined(separator: " or ")
      reshape("map_values(if \(test) then null else . end)", component)
    }
    var result = OutputMapping([("format", .scalar(decoding.format))])
    if let packing = decoding.packings.first {
      result["unpack"] =
        decoding.packings.count == 1 ? .scalar(packing) : .list(decoding.packings.map { .scalar($0) })
    }
    for entry in decoding.settings.entries { result[entry.name] = entry.value }
    if result.items.count > 1 {
      draft.keys.set("decode", .mapping(result), from: OutputMapping.Origin(component))
    } else if decoding.format != "json" {
      draft.keys.set("decode", .scalar(decoding.format), from: OutputMapping.Origin(component))
    }
    return ["csv", "tsv", "xml"].contains(decoding.format)
  }

  private func read(_ component: Component, _ decoding: inout ResponseDecoding, depth: Int) -> Bool {
    switch component.type {
    case "JsonDecoder", "JsonParser": return true
    case "JsonlDecoder", "JsonLineParser": decoding.format = "jsonl"
    case "IterableDecoder": decoding.format = "lines"
    case "XmlDecoder":
      decoding.format = "xml"
      decoding.settings["prefixes"] = .scalar("true")
    case "CsvDecoder", "CsvParser": return table(component, &decoding)
    case "CompositeRawDecoder": return inner("parser", of: component, &decoding, depth)
    case "GzipDecoder", "GzipParser", "ZipfileDecoder":
      let packing = component.type == "ZipfileDecoder" ? "zip" : "gzip"
      guard !decoding.packings.contains(packing), packing == "gzip" || decoding.packings.isEmpty else {
        lose(
          .format, "decoder: \(component.type) in another one",
          needs: "an archive as the outermost packing, and each packing once",
          at: component)
        return false
      }
      decoding.packings.append(packing)
      let name = component["inner_parser"] != nil ? "inner_parser" : component["parser"] != nil ? "parser" : "decoder"
      guard inner(name, of: component, &decoding, depth) else { return false }
      // A compressed JSON response is decoded by the transport.
      if component.type == "GzipDecoder", decoding.format == "json", decoding.packings == ["gzip"] {
        decoding.packings = []
      }
    case "JsonItemsDecoder", "JsonItemsParser":
      guard let path = constant(component["items_path"], of: component), !path.isEmpty,
        ["utf-8", "utf8", "utf_8"].contains(component["encoding"]?.text?.lowercased() ?? "utf-8")
      else {
        lose(.format, "decoder: \(component.type)", needs: "an 'items_path', and UTF-8", at: component)
        return false
      }
      decoding.items = path.split(separator: ".").map(String.init)
    default:
      loseUnknown(component, as: "decoder")
      return false
    }
    return true
  }

  private func inner(
    _ name: String, of component: Component, _ decoding: inout ResponseDecoding, _ depth: Int
  ) -> Bool {
    // Without an inner decoder the content is JSON.
    guard let inner = component.child(name), depth < 8 else { return true }
    return read(inner, &decoding, depth: depth + 1)
  }

  private func table(_ component: Component, _ decoding: inout ResponseDecoding) -> Bool {
    decoding.format = "csv"
    let encodings = [
      "utf-8": "", "utf8": "", "utf-8-sig": "", "utf_8": "", "ascii": "", "us-ascii": "", "latin1": "latin1",
      "latin-1": "latin1", "iso-8859-1": "latin1", "iso8859-1": "latin1", "cp1252": "windows-1252",
      "windows-1252": "windows-1252", "utf-16": "utf-16", "utf16": "utf-16", "utf-16le": "utf-16le",
      "utf-16-le": "utf-16le", "utf-16be": "utf-16be", "utf-16-be": "utf-16be",
    ]
    let written = component["encoding"].map { constant($0, of: component) ?? "" } ?? "utf-8"
    guard let encoding = encodings[written.lowercased()] else {
      lose(
        .format, "decoder: CsvDecoder with the encoding '\(written)'", needs: "UTF-8, UTF-16, Latin-1 or Windows-1252",
        at: component)
      return false
    }
    let delimiter = component["delimiter"].map { constant($0, of: component) ?? "" } ?? ","
    switch delimiter {
    case "\t", "\\t": decoding.format = "tsv"
    case ",": break
    default:
      guard delimiter.utf8.count == 1 else {
        lose(.format, "decoder: CsvDecoder with the delimiter '\(delimiter)'", needs: "one character", at: component)
        return false
      }
      decoding.settings["delimiter"] = .scalar(OutputText.quoted(delimiter))
    }
    if !encoding.isEmpty { decoding.settings["encoding"] = .scalar(encoding) }
    // An empty field is null anyway.
    decoding.absent = (component["set_values_to_none"]?.texts ?? []).filter { !$0.isEmpty }
    return true
  }

  private static func steps(_ retriever: Component) -> [String]? {
    retriever.child("record_selector")?.child("extractor")?["field_path"]?.texts
  }

  /// Applies the extractor's path to each row or line, because the response as a whole has no such path.
  private func rows(_ retriever: Component) {
    guard let extractor = retriever.child("record_selector")?.child("extractor"),
      let steps = extractor["field_path"]?.texts, !steps.isEmpty, draft.keys["records"] != nil
    else { return }
    draft.keys["records"] = nil
    guard !steps.contains(where: { $0 == "**" || $0.contains("{{") }) else {
      return lose(
        .records, "field_path '\(steps.joined(separator: "."))' in rows", needs: "only names and '*'", at: extractor)
    }
    let path = steps.reduce("") {
      $0 + ($1 == "*" ? ($0.isEmpty ? ".[]?" : "[]?") : ($0.isEmpty ? "." : "") + "[\(Self.jq(text: $1))]?")
    }
    reshape("\(path) | if type == \"array\" then .[] elif . == null then empty else . end", extractor, isFirst: true)
  }

  /// Reads each element of the decoder's list as a response of its own, as Airbyte does.
  private func elements(at names: [String], _ component: Component, _ retriever: Component) {
    rows(retriever)
    guard names.contains("item") else {
      draft.keys.set(
        "records", .scalar(OutputText.value(OutputText.path(names))), from: OutputMapping.Origin(component))
      return
    }
    // In the decoder, `item` is the name of a member and also means each element of a list.
    let path = names.map { name in
      let member = ".[\(Self.jq(text: name))]?"
      return name == "item" ? "(if type == \"array\" then .[] else \(member) end)" : member
    }
    reshapeWhole(path.joined(separator: " | ") + " | arrays | .[]", component)
  }

  /// Adds `coerce` to the fields whose values Airbyte converts to the type in the schema.
  func normalize(_ retriever: Component, areTexts: Bool) {
    let normalization = retriever.child("record_selector", default: "RecordSelector")?["schema_normalization"]
    if let node = normalization, node.members != nil, let selector = retriever.child("record_selector") {
      loseUnknown(selector.sibling(node, default: "CustomSchemaNormalization"), as: "schema_normalization")
    }
    // A key must have a value even if it is computed.
    for name in draft.schema?.key ?? [] { draft.schema?[name]?.isOptional = false }
    let isWhole = normalization?.scalar == "Default"
    guard isWhole || areTexts, let schema = draft.schema else { return }
    let types: Set<String> = isWhole ? ["string", "integer", "number", "boolean"] : ["integer", "number", "boolean"]
    for field in schema.fields where field.value == nil {
      var field = field
      field.type = Self.coerced(field.type, types)
      schema.add(field)
    }
  }

  private static func coerced(_ type: OutputMapping, _ types: Set<String>) -> OutputMapping {
    var type = type
    if let name = type["type"]?.scalar, types.contains(name) { type["coerce"] = .scalar("true") }
    guard type["type"]?.scalar == "object", let members = type["fields"]?.mapping else { return type }
    var fields = members
    for entry in members.entries {
      switch entry.value {
      case .scalar(let name) where types.contains(name):
        fields[entry.name] = .map([("type", .scalar(name)), ("coerce", .scalar("true"))])
      case .mapping(let inner): fields[entry.name] = .mapping(coerced(inner, types))
      default: break
      }
    }
    type["fields"] = .mapping(fields)
    return type
  }
}
