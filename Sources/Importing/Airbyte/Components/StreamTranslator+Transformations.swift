extension StreamTranslator {
  /// Translates the transformations of a stream, after its schema.
  func transformations(_ stream: Component) {
    for transformation in stream.children("transformations") {
      switch transformation.type {
      case "AddFields": add(transformation)
      case "RemoveFields": remove(transformation)
      case "KeysToLower": reshape("with_entries(.key |= ascii_downcase)", transformation)
      case "KeysToSnakeCase":
        reshape(
          #"walk(if type == "object" then with_entries(.key |= (\#(Self.snakeCase))) else . end)"#, transformation)
      case "KeysReplace": replaceKeys(transformation)
      case "FlattenFields": flatten(transformation)
      case "DpathFlattenFields": flattenPath(transformation)
      default: loseUnknown(transformation, as: "transformation")
      }
    }
  }

  /// A program that writes a name in lower case, with underscores between its words.
  static let snakeCase =
    #"gsub("(?<a>[a-z0-9])(?<b>[A-Z])"; "\(.a)_\(.b)") | gsub("(?<a>[A-Z])(?<b>[A-Z][a-z])"; "\(.a)_\(.b)")"#
    + #" | gsub("[^A-Za-z0-9]+"; "_") | ascii_downcase"#

  // MARK: - Programs

  /// Adds a jq program that is run on each record.
  ///
  /// - Parameter isFirst: whether it runs before the other programs instead of after them
  func reshape(_ program: String, _ component: Component, isFirst: Bool = false) {
    var whole = program
    if let known = draft.keys["reshape"]?.mapping?["each"]?.scalar, let text = Self.unquoted(known) {
      whole = isFirst ? "\(program) | \(text)" : "\(text) | \(program)"
    } else if let known = draft.keys["reshape"]?.scalar, let text = Self.unquoted(known) {
      // A program for the whole response passes its records to the next program.
      return reshapeWhole("\(text) | \(program)", component)
    }
    draft.keys.set(
      "reshape", .map([("each", .scalar(OutputText.quoted(whole)))]), from: OutputMapping.Origin(component))
  }

  /// Sets the jq program that is run on the whole response, before the programs for each record.
  func reshapeWhole(_ program: String, _ component: Component) {
    let each = draft.keys["reshape"]?.mapping?["each"]?.scalar.flatMap(Self.unquoted)
    draft.keys.set(
      "reshape", .scalar(OutputText.quoted(program + (each.map { " | \($0)" } ?? ""))),
      from: OutputMapping.Origin(component))
  }

  static func unquoted(_ text: String) -> String? {
    guard text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast()).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
  }

  private func replaceKeys(_ transformation: Component) {
    guard let old = constant(transformation["old"], of: transformation),
      let new = constant(transformation["new"], of: transformation),
      !old.isEmpty
    else {
      lose(.transformation, "KeysReplace", needs: "texts that are known before the run", at: transformation)
      return
    }
    func text(_ value: String) -> String { "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" }
    reshape(
      "walk(if type == \"object\" then with_entries(.key |= (split(\(text(old))) | join(\(text(new))))) else . end)",
      transformation)
  }

  private func flatten(_ transformation: Component) {
    let test =
      transformation["flatten_lists"]?.bool == false ? "type == \"object\"" : "type == \"object\" or type == \"array\""
    // A member of an inner object keeps its name, or gets the whole path as its name if that name is taken.
    let inner = "(if type == \"array\" then to_entries | map({key: (.key | tostring), value}) else to_entries end)[]"
    let program =
      "def inner($path): \(inner) | .key as $key | .value as $value"
      + " | if ($value | \(test)) and ($value | length) > 0 then ($value | inner($path + [$key])) else {path: ($path + [$key]), $value} end;"
      + " reduce inner([]) as $leaf ({}; ($leaf.path | last) as $name"
      + " | .[if has($name) then $leaf.path | join(\".\") else $name end] = $leaf.value)"
    reshape(program, transformation)
  }

  private func flattenPath(_ transformation: Component) {
    let path = transformation["field_path"]?.texts ?? []
    guard !path.isEmpty, !path.contains(where: { $0 == "*" || $0.contains("{{") }) else {
      lose(
        .transformation, "DpathFlattenFields '\(path.joined(separator: "."))'", needs: "a path with only names",
        at: transformation)
      return
    }
    let field = Self.jq(path)
    var inner = field
    if let keys = transformation.child("key_transformation") {
      func text(_ name: String) -> String {
        let value = keys[name]?.scalar ?? ""
        return "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
      }
      inner = "(\(field) | with_entries(.key |= \(text("prefix")) + . + \(text("suffix"))))"
    }
    var program = ""
    if transformation["replace_record"]?.bool == true {
      program = inner
    } else if transformation["delete_origin_value"]?.bool == true {
      program = "\(inner) as $inner | del(\(field)) + $inner"
    } else {
      program = ". + \(inner)"
    }
    reshape("if (\(field) | type) == \"object\" then \(program) else . end", transformation)
  }
}
