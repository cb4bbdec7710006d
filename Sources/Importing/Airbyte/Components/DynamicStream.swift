/// A template for many streams: one for each item of a list from a server or from the configuration.
struct DynamicStream {
  /// Where the items are.
  enum Source {
    /// The records of a stream; an additional flow pulls them into a file.
    case records(Component)
    /// Objects of the configuration, at these paths. With several lists, each combination is an item.
    case objects([[String]])
    /// Texts of the configuration, at this path.
    case texts([String])
  }

  /// A value that a mapping puts into the template.
  struct Value {
    /// What computes the value: a whole text of the mapping, or one expression in it.
    enum Content {
      case text(String)
      case part(JinjaPart)
    }

    /// The name that stands for the value in the template's expressions until the value is translated.
    let placeholder: String
    let content: Content
    let mapping: Component
    /// The path of the field that the mapping sets in the template.
    let path: [String]
    /// Whether the value is the name of the stream.
    var isName: Bool { path.last == "name" && path.count == 1 }
  }

  let source: Source
  /// The name of the one flow in the file from which the flows of all items are generated.
  let name: String
  let resolver: Component
  var values: [Value] = []
}

extension ManifestTranslator {
  /// The names by which expressions of mappings refer to the values of an item.
  private static let roots = ["components_values", "stream_slice", "stream_partition"]

  /// The template with placeholders instead of the values of items.
  mutating func generated(
    _ template: SourceNode, _ source: DynamicStream.Source, _ dynamic: Component, _ resolver: Component
  ) -> [(stream: Component, generator: DynamicStream?)] {
    let written = dynamic["name"]?.scalar ?? template["name"]?.scalar ?? ""
    let base = written.contains("{") || !FlowName.isPossible(written) ? "streams" : FlowName.word(written)
    var stream = DynamicStream(source: source, name: base, resolver: resolver)
    var result = template.replacing(["name"], with: template.with(base))
    for mapping in resolver.children("components_mapping", default: "ComponentMappingDefinition") {
      guard let (path, text) = place(of: mapping), let node = mapping["value"] else { return [] }
      guard Self.roots.contains(where: { text.contains($0) }) else {
        if path != ["name"] { result = result.replacing(path[...], with: node) }
        continue
      }
      let number = context.written.count
      func value(_ content: DynamicStream.Value.Content) -> String {
        let placeholder = "components_mapping_\(number)_\(stream.values.count)_"
        stream.values.append(
          DynamicStream.Value(placeholder: placeholder, content: content, mapping: mapping, path: path))
        return "{{ \(placeholder) }}"
      }
      guard path != ["name"] else {
        _ = value(.text(text))
        continue
      }
      do throws(JinjaError) {
        let filled = try JinjaTemplate(text).parts.map { part in
          if case .text(let text) = part { text } else { value(.part(part)) }
        }.joined()
        context.written.append((filled, text))
        result = result.replacing(path[...], with: node.with(filled))
      } catch {
        note(.expression, "components_mapping: \(text)", "a translatable text: \(error.message)", mapping)
        return []
      }
    }
    guard !stream.values.isEmpty else {
      note(.retriever, resolver.type, "a mapping that uses 'components_values'", resolver)
      return []
    }
    return [(dynamic.sibling(result, default: "DeclarativeStream"), stream)]
  }

  /// The field that a mapping sets, and the text of its value; nil after a loss was recorded.
  private mutating func place(of mapping: Component) -> (path: [String], text: String)? {
    let steps = mapping["field_path"]?.list ?? []
    let names = JinjaNames(context.variables, mapping)
    let path = steps.compactMap { step in
      step.scalar.flatMap { try? TemplateTranslator(names).template($0) }.flatMap { $0.isConstant ? $0.text : nil }
    }
    let shown = steps.compactMap(\.scalar).joined(separator: ".")
    guard !path.isEmpty, path.count == steps.count, !path.contains(where: { $0.contains("*") }) else {
      note(
        .retriever, "components_mapping of '\(shown)'", "a 'field_path' that has only names, without '*' or templates",
        mapping)
      return nil
    }
    guard let text = mapping["value"]?.scalar else {
      note(.retriever, "components_mapping of '\(shown)'", "a text as the value", mapping)
      return nil
    }
    if let condition = mapping["condition"]?.filled {
      note(
        .retriever, "components_mapping of '\(shown)' on a condition: \(condition)",
        "a setting that only the flows of some items have; here every flow has it", mapping)
    }
    return (path, text)
  }
}
