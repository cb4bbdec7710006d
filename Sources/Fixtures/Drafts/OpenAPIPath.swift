/// A path of an OpenAPI document, with the flow that requests it.
struct OpenAPIPath {
  /// The path template, such as `/pets/{petId}/visits`.
  let template: String
  /// The names of the path parameters, such as `petId`.
  let parameters: [String]
  private(set) var flow: DraftFlow
  /// The field of the parent's records that supplies a parameter, by the parameter's index.
  ///
  /// A parameter without such a field becomes a variable.
  private var sources: [Int: InferredField] = [:]
  /// The field of this flow's own records that contains a parameter's value, by the parameter's index.
  private var held: [Int: InferredField] = [:]

  init(_ template: String, _ flow: DraftFlow) {
    self.template = template
    self.flow = flow
    parameters = Self.pieces(template).compactMap(\.parameter)
  }

  /// Creates the flows of all paths.
  ///
  /// A path parameter becomes a field of the parent flow's records if possible, else a variable.
  ///
  /// - Returns: the flows in order, and the variables that they use
  static func flows(_ paths: [OpenAPIPath]) -> (flows: [DraftFlow], variables: [String]) {
    var flows: [DraftFlow] = []
    for path in paths { flows.append(named: path.flow) }
    var paths = zip(paths, flows).map { path, flow in
      var path = path
      path.flow = flow
      return path
    }
    // A parent's path has fewer parameters than its children's paths, so parents are linked first.
    let order = paths.indices.sorted { paths[$0].parameters.count < paths[$1].parameters.count }
    for index in order { link(index, &paths) }
    var variables: [String] = []
    for index in paths.indices {
      for name in paths[index].write() where !variables.contains(name) { variables.append(name) }
    }
    return (paths.map(\.flow), variables)
  }

  /// Finds the parent of a path: the nearest collection above it whose records contain the values of its parameters.
  private static func link(_ index: Int, _ paths: inout [OpenAPIPath]) {
    let child = paths[index]
    for position in child.parameters.indices.reversed() {
      let collection = plain(child.template, before: position)
      guard let parent = paths.firstIndex(where: { plain($0.template) == collection }), parent != index,
        paths[parent].flow.sample?.signs.isList == true,
        let sources = sources(child, position, of: paths[parent])
      else { continue }
      for field in sources.values { paths[parent].require(field.name) }
      paths[index].sources = sources
      paths[index].flow.parent = paths[parent].flow.name
      paths[index].carry()
      if paths[parent].flow.pages?.isPartial == true {
        paths[index].flow.notes.append("PART ONLY: its parent gets only a part of its records.")
      }
      return
    }
  }

  /// Returns the parent's fields for the parameters up to `last`; nil when one of them is missing.
  private static func sources(_ child: OpenAPIPath, _ last: Int, of parent: OpenAPIPath) -> [Int: InferredField]? {
    guard let field = parent.field(for: child.parameters[last]) else { return nil }
    var sources = [last: field]
    for position in 0..<last where parent.sources[position] != nil {
      guard let field = parent.held[position] else { return nil }
      sources[position] = field
    }
    return sources
  }

  /// Returns the field of the records that contains the values of a parameter: `petId`, `pet_id` or `id` for `{petId}`.
  private func field(for parameter: String) -> InferredField? {
    if let field = field(named: parameter) { return field }
    let plain = DraftText.plain(parameter)
    for end in Self.identifiers where plain.hasSuffix(end) {
      if let field = field(named: end) { return field }
    }
    // An example is `/pets/{pet}`: the parameter is the beginning of the collection's name.
    let collection = DraftText.plain(String(template.split(separator: "/").last ?? ""))
    guard collection.hasPrefix(plain), let key = flow.sample?.key else { return nil }
    return field(named: key)
  }

  /// Field names that identify any kind of record, the most likely first.
  private static let identifiers = ["uuid", "guid", "id", "key", "slug", "code", "name", "number", "sku", "no"]

  private func field(named name: String) -> InferredField? {
    flow.sample?.fields.first {
      DraftText.plain($0.name) == DraftText.plain(name) && DraftText.isWord($0.name) && !$0.isNullable
        && ["integer", "string", "uuid"].contains($0.type)
    }
  }

  /// Makes a field required: child flows use it in their requests, so a record without it cannot be used.
  private mutating func require(_ name: String) {
    guard let index = flow.sample?.fields.firstIndex(where: { $0.name == name && $0.isOptional }) else { return }
    flow.sample?.fields[index].isOptional = false
    flow.sample?.fields[index].guess = "never absent, because a child flow uses it in its requests"
  }

  /// Adds the parent's identifying fields to the records of a list, so that each record refers to its parent.
  private mutating func carry() {
    guard let sample = flow.sample, sample.signs.isList, !sample.fields.isEmpty else { return }
    for (position, source) in sources.sorted(by: { $0.key < $1.key }) {
      let name = heldName(position)
      if let field = field(named: name) {
        held[position] = field
        continue
      }
      let names = sample.fields.map(\.name) + flow.carried.map(\.name)
      guard !name.isEmpty, !names.contains(where: { DraftText.plain($0) == DraftText.plain(name) }) else { continue }
      flow.carried.append(.init(name: name, source: source.name, type: source.type))
      held[position] = InferredField(name: name, type: source.type, isOptional: false, guess: nil)
    }
  }

  /// Returns the usual field name for a parameter: `pet_id` for `{petId}`, and for `{id}` after `/pets`.
  private func heldName(_ position: Int) -> String {
    let word = DraftText.word(parameters[position])
    guard Self.identifiers.contains(word) else { return word }
    let before = Self.plain(template, before: position).split(separator: "/").last.map(String.init) ?? ""
    return DraftText.singular(DraftText.word(before)) + "_" + word
  }

  // MARK: - Text

  /// Sets the path of the flow: each parameter becomes a field of the parent or a variable.
  ///
  /// - Returns: the variables in the path
  private mutating func write() -> [String] {
    var variables: [String] = []
    var path = DraftText("")
    var position = 0
    for piece in Self.pieces(template) {
      guard let parameter = piece.parameter else {
        path = path + DraftText(piece.text)
        continue
      }
      defer { position += 1 }
      if let field = sources[position] {
        path = path + .expression("parent.\(field.name)")
        continue
      }
      let word = DraftText.word(parameter)
      let name = word.isEmpty ? "value" : word
      variables.append(name)
      path = path + .expression("vars.\(name)")
      flow.notes.append("No flow of this draft gives '{\(parameter)}' of its path: it is the variable '\(name)'.")
    }
    flow.path = path
    return variables
  }

  /// Splits a template into its literal texts and its parameters, in order.
  private static func pieces(_ template: String) -> [(text: String, parameter: String?)] {
    var pieces: [(text: String, parameter: String?)] = []
    var rest = template[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      pieces.append((String(rest[..<open]), nil))
      let name = String(rest[rest.index(after: open)..<close])
      pieces.append((name, name))
      rest = rest[rest.index(after: close)...]
    }
    return pieces + [(String(rest), nil)]
  }

  /// Returns a template without a final slash, without `.json`, and without the names of its parameters.
  ///
  /// This makes different notations of one path equal.
  ///
  /// - Parameter position: the index of the parameter before which the template is cut
  private static func plain(_ template: String, before position: Int = .max) -> String {
    var result = ""
    var index = 0
    for piece in pieces(template) {
      guard piece.parameter != nil else {
        result += piece.text
        continue
      }
      guard index < position else { break }
      result += "{}"
      index += 1
    }
    if result.hasSuffix("/") { result.removeLast() }
    if result.hasSuffix(".json") { result.removeLast(5) }
    return result
  }
}
