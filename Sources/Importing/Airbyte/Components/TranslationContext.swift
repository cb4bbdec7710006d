/// The data that all parts of a translation share: the log, the variables and the files with schemas.
final class TranslationContext: ImportLog {
  let variables = Variables()
  let schemaFile: (String) -> [UInt8]?
  /// The folder of the flow file below the output root; empty for the root itself.
  let folder: String
  /// The expressions for values of items in template streams, by the names of their placeholders.
  var placeholders: [String: FlowExpression] = [:]
  /// The texts of mappings with placeholders, and as the manifest contains them, for messages.
  var written: [(text: String, original: String)] = []
  /// The final names of the variables that items give, by their preliminary names.
  var itemNames: [String: String] = [:]
  /// Examples for the content of files that flows write during a run, by their paths beside the flow file; the check of
  /// the flow file reads them.
  var examples: [String: [UInt8]] = [:]

  init(folder: String, schemaFile: @escaping (String) -> [UInt8]?) {
    self.schemaFile = schemaFile
    self.folder = folder
    super.init(.stream)
  }

  /// The names that expressions in a component may use, before its stream is translated.
  func names(of component: Component) -> JinjaNames {
    var names = JinjaNames(variables, component)
    names.roots = placeholders
    return names
  }

  /// The path from the output root to a file beside the flow file, for the flow that writes the file.
  func path(_ file: String) -> String { folder.isEmpty ? file : "\(folder)/\(file)" }

  /// The text with `***` instead of each hidden value, and with the text of the manifest instead of each placeholder.
  override func masked(_ text: String) -> String {
    super.masked(written.reduce(text) { $0.replacing($1.text, with: $1.original) })
  }
}

/// Translates one stream into one flow. Extensions in separate files translate the kinds of components.
struct StreamTranslator {
  let context: TranslationContext
  let draft: FlowDraft
  var names: JinjaNames
  /// Whether the stream is used only for the first run of another stream. It then has no position of its own.
  var isFirstRun = false
  /// The field of the stream's cursor.
  var cursorField: String?
  /// The pages whose requests have the parameters for partitions and ranges.
  var sliceParameters = SliceParameters.ofAllPages

  /// Records a loss, with a comment after the keys that the flow has so far.
  func lose(_ kind: ImportReport.Kind, _ what: String, needs: String, at component: Component) {
    lose(kind, what, needs: needs, at: component.node)
  }

  /// Records a loss, with a comment after the keys that the flow has so far.
  func lose(_ kind: ImportReport.Kind, _ what: String, needs: String, at node: SourceNode) {
    draft.keys.note(
      context.lose(kind, what, needs: needs, at: OutputMapping.Origin(node), flow: draft.name))
  }

  /// Records a part that the flow does not need, with a comment after the keys that the flow has so far.
  func skip(_ what: String, reason: String, at node: SourceNode) {
    context.skip(what, reason: reason, at: OutputMapping.Origin(node))
    draft.keys.note(context.masked("\(what): \(reason)"))
  }

  /// Records the loss of a component that is written in code, or that is unknown.
  func loseUnknown(_ component: Component, as field: String) {
    if component.isCustom {
      lose(
        .customCode, "\(field): \(component.className ?? component.type)",
        needs: "its code, which is not in the manifest", at: component)
    } else {
      lose(
        .unknown, "\(field): \(component.type.isEmpty ? "a component without a type" : component.type)",
        needs: "a feature that the flow language does not have", at: component)
    }
  }

  /// Translates a text of a component; records a loss and returns nil when it cannot be translated.
  ///
  /// - Parameter isText: whether a value of any type is converted to text
  func template(
    _ node: SourceNode, of component: Component, as field: String, canBeLeftOut: Bool = false, isText: Bool = true,
    names: JinjaNames? = nil
  ) -> FlowTemplate? {
    guard let text = node.scalar else {
      if !node.isNull { lose(.unknown, "\(field): \(node.kindName)", needs: "a text", at: node) }
      return nil
    }
    do throws(JinjaError) {
      return try TemplateTranslator((names ?? self.names).of(component)).template(
        text, canBeLeftOut: canBeLeftOut, isText: isText)
    } catch {
      lose(.expression, "\(field): \(text)", needs: "a translatable text: \(error.message)", at: node)
      return nil
    }
  }

  /// Translates a condition; records a loss and returns nil when it cannot be translated.
  func condition(
    _ node: SourceNode, of component: Component, as field: String, names: JinjaNames
  ) -> FlowExpression? {
    do throws(JinjaError) {
      return try TemplateTranslator(names.of(component)).condition(node.scalar ?? "")
    } catch {
      lose(.expression, "\(field): \(node.scalar ?? "")", needs: "a translatable text: \(error.message)", at: node)
      return nil
    }
  }

  /// The value of a text that is known without a response; nil for others.
  func constant(_ node: SourceNode?, of component: Component) -> String? { names.of(component).constant(node) }

  /// The number in a setting, which may be computed from variables; nil for other values.
  func number(_ node: SourceNode?, of component: Component) -> FlowExpression? { names.of(component).number(node) }

  /// A scalar of a request: a number or boolean as it is, a text as a template.
  func value(_ node: SourceNode, of component: Component, as field: String, isJSON: Bool = false) -> OutputNode? {
    switch node.content {
    case .null: return isJSON ? .scalar("null") : nil
    case .bool(let value): return isJSON ? .scalar("\(value)") : .text(value ? "true" : "false")
    case .number(let text): return .scalar(text)
    // In Airbyte, an empty text counts as a missing value.
    case .text(""): return nil
    case .text:
      guard
        let template = template(node, of: component, as: field, canBeLeftOut: true, isText: !isJSON)
      else { return nil }
      if isJSON, let number = template.only?.numberOfDigits {
        return FlowTemplate(expression: number, canBeLeftOut: true).node
      }
      if template.text == "{{ optional(null) }}", !isJSON { return nil }
      // Airbyte reads such a text as a number.
      if isJSON, template.isConstant, Int64(template.text).map({ String($0) == template.text }) ?? false {
        return .scalar(template.text)
      }
      return template.node
    case .list(let elements):
      return .list(elements.compactMap { value($0, of: component, as: field, isJSON: isJSON) })
    case .mapping(let members):
      guard isJSON else {
        lose(.request, "\(field): an object", needs: "a text", at: node)
        return nil
      }
      var result = OutputMapping()
      for member in members {
        // Airbyte leaves out null members, but not null elements.
        guard let name = name(of: member, in: field, of: component),
          let value = value(member.value, of: component, as: "\(field).\(member.name)", isJSON: true),
          value != .scalar("null")
        else { continue }
        result.set(name, value, from: OutputMapping.Origin(member.value))
      }
      return .mapping(result)
    }
  }
}

extension JinjaNames {
  /// The value of a text that is known without a response; nil for others.
  func constant(_ node: SourceNode?) -> String? {
    guard let text = node?.scalar, let template = try? TemplateTranslator(self).template(text), template.isConstant
    else {
      return nil
    }
    return template.text
  }

  /// The number in a setting, as a literal or as an expression with variables; nil for other values and for those with
  /// a secret.
  func number(_ node: SourceNode?) -> FlowExpression? {
    guard let node, let text = node.scalar else { return nil }
    if let number = Double(text) ?? constant(node).flatMap({ Double($0) }), number.isFinite {
      return Int(exactly: number).map { FlowExpression("\($0)", .integer) } ?? FlowExpression("\(number)", .number)
    }
    guard let value = try? TemplateTranslator(self).expression(of: text), !value.mayBeMissing,
      [.integer, .number].contains(value.kind), !value.text.contains("secrets.")
    else { return nil }
    return value
  }
}
