extension ManifestTranslator {
  private static let maximumCopies = 500

  /// The streams of a template: those that are known before the run, and one generic stream for all others.
  mutating func expand(_ dynamic: Component) -> [(stream: Component, generator: DynamicStream?)] {
    guard let template = dynamic["stream_template"], template.members != nil,
      let resolver = dynamic.child("components_resolver")
    else {
      note(.retriever, "DynamicDeclarativeStream", "'stream_template' and 'components_resolver'", dynamic)
      return []
    }
    switch resolver.type {
    case "ParametrizedComponentsResolver":
      let values = resolver["stream_parameters"]?["list_of_parameters_for_stream"]?.list ?? []
      return copies(of: template, values, dynamic, resolver).map { ($0, nil) }
    case "ConfigComponentsResolver":
      let known = copies(of: template, Self.defaults(of: resolver), dynamic, resolver)
      return known.map { ($0, nil) } + configured(template, dynamic, resolver)
    case "HttpComponentsResolver":
      guard let retriever = resolver["retriever"], retriever.members != nil else {
        note(.retriever, "HttpComponentsResolver", "a retriever", resolver)
        return []
      }
      let (line, path) = (retriever.line, retriever.path)
      let listing = resolver.sibling(
        SourceNode(
          .mapping([SourceNode.Member(name: "retriever", value: retriever)]), line: line, path: path),
        default: "DeclarativeStream")
      return generated(template, .records(listing), dynamic, resolver)
    default:
      note(
        resolver.isCustom ? .customCode : .unknown, "components_resolver: \(resolver.className ?? resolver.type)",
        "its code, which is not in the manifest", resolver)
      return []
    }
  }

  /// The items that `default_values` give; with several lists, each combination of their elements is an item.
  private static func defaults(of resolver: Component) -> [SourceNode] {
    let lists = resolver.children("stream_config").map { $0["default_values"]?.list ?? [] }
    guard let first = lists.first else { return [] }
    return lists.dropFirst().reduce(first) { known, list in
      known.prefix(maximumCopies).flatMap { left in
        list.prefix(maximumCopies).map { right in
          guard let members = left.members, let more = right.members else { return left }
          return SourceNode(.mapping(members.filter { right[$0.name] == nil } + more), line: left.line, path: left.path)
        }
      }
    }
  }

  /// The generic stream for the elements of one or several lists of the configuration.
  private mutating func configured(
    _ template: SourceNode, _ dynamic: Component, _ resolver: Component
  ) -> [(stream: Component, generator: DynamicStream?)] {
    let names = JinjaNames(context.variables, resolver)
    let pointers = resolver.children("stream_config").map { config in
      (config["configs_pointer"]?.list ?? []).compactMap { step in
        step.scalar.flatMap { try? TemplateTranslator(names.of(config)).template($0) }.flatMap {
          $0.isConstant ? $0.text : nil
        }
      }
    }
    guard !pointers.isEmpty, !pointers.contains([]) else {
      note(.configuration, "ConfigComponentsResolver", "'stream_config' with 'configs_pointer'", resolver)
      return []
    }
    let areTexts = pointers.count == 1 && context.variables.isList(pointers[0])
    return generated(template, areTexts ? .texts(pointers[0]) : .objects(pointers), dynamic, resolver)
  }

  /// One copy of the template for each item that is known before the run.
  private mutating func copies(
    of template: SourceNode, _ values: [SourceNode], _ dynamic: Component, _ resolver: Component
  ) -> [Component] {
    if values.count > Self.maximumCopies {
      note(
        .retriever, "\(values.count - Self.maximumCopies) streams of a template",
        "at most \(Self.maximumCopies) streams", resolver)
    }
    return values.prefix(Self.maximumCopies).compactMap { value in
      var result = template
      for mapping in resolver.children("components_mapping", default: "ComponentMappingDefinition") {
        guard let path = mapping["field_path"]?.list, let text = mapping["value"]?.scalar else { continue }
        guard let replacement = filled(text, value, mapping) else { return nil }
        let steps = path.compactMap { $0.scalar.flatMap { self.filled($0, value, mapping)?.scalar } }
        guard steps.count == path.count else { return nil }
        result = result.replacing(steps[...], with: replacement)
      }
      return dynamic.sibling(result, default: "DeclarativeStream")
    }
  }

  mutating func note(_ kind: ImportReport.Kind, _ what: String, _ needs: String, _ component: Component) {
    addNote(context.lose(kind, what, needs: needs, at: OutputMapping.Origin(component)))
  }

  /// The text of a mapping with the values of one item filled in; nil when it cannot be translated.
  private mutating func filled(_ text: String, _ value: SourceNode, _ mapping: Component) -> SourceNode? {
    guard text.contains("{{"), text.contains("components_values") || text.contains("stream_parameters") else {
      return mapping.node.with(text)
    }
    guard let template = try? JinjaTemplate(text) else { return nil }
    var result = ""
    for part in template.parts {
      switch part {
      case .text(let text): result += text
      case .expression(let expression):
        guard let path = JinjaTranslator(JinjaNames(context.variables)).chain(expression),
          ["components_values", "stream_parameters"].contains(path.root)
        else {
          note(.expression, text, "only values of the stream's own parameters", mapping)
          return nil
        }
        var node: SourceNode? = value
        for key in path.keys { node = node?[key] }
        guard let node else { return nil }
        if template.only != nil { return node }
        result += node.scalar ?? ""
      case .choice, .loop:
        note(.expression, text, "a text without blocks such as '{% if %}'", mapping)
        return nil
      }
    }
    return mapping.node.with(result)
  }
}

extension SourceNode {
  /// The value with a replacement at a path; a member that does not exist is added.
  func replacing(_ path: ArraySlice<String>, with replacement: SourceNode) -> SourceNode {
    guard let first = path.first else { return replacement }
    switch content {
    case .mapping(let members):
      var members = members
      let inner = self[first] ?? SourceNode(.mapping([]), line: line, path: self.path)
      let value = inner.replacing(path.dropFirst(), with: replacement)
      if let index = members.firstIndex(where: { $0.name == first }) {
        members[index] = Member(name: first, value: value)
      } else {
        members.append(Member(name: first, value: value))
      }
      return SourceNode(.mapping(members), line: line, path: self.path)
    case .list(let elements):
      guard let index = Int(first), elements.indices.contains(index) else { return self }
      var elements = elements
      elements[index] = elements[index].replacing(path.dropFirst(), with: replacement)
      return SourceNode(.list(elements), line: line, path: self.path)
    default:
      return path.count == 1
        ? SourceNode(.mapping([Member(name: first, value: replacement)]), line: line, path: self.path) : self
    }
  }
}
