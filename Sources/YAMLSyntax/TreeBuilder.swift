internal import SourceDiagnostics

/// Builds documents from libyaml's events, within limits, and reports everything that is not allowed.
///
/// The builder uses its own stack instead of recursion. So the nesting of a file is limited by `limits.depth`, not by
/// the size of the thread's stack.
struct TreeBuilder {
  let file: SourceFile
  let limits: YAMLLimits
  /// Whether only the YAML subset of flow files is allowed; otherwise everything that libyaml reads.
  let isStrict: Bool
  /// Whether the key `<<` merges the mapping after it.
  let resolvesMerges: Bool
  let view: TextView
  var problems: ProblemList

  /// The roots of the finished documents.
  private(set) var documents: [YAMLNode] = []
  /// Whether the builder needs more events: false after the end of the stream and after an error that stops it.
  var isReading = true
  /// Whether every document was read completely.
  var isWhole = true
  /// The open collections, the innermost last.
  var stack: [OpenCollection] = []
  /// The items or pairs of the open collections, at the same indices as `stack`. For each collection, one of the two
  /// lists stays empty.
  var items: [[YAMLNode]] = []
  var pairs: [PairList] = []
  /// The keys that have no value yet, the innermost last.
  var keys: [YAMLNode] = []
  /// The merge key (`<<`) and its value for each open mapping that has one, by the mapping's index in `stack`.
  var merges: [Int: (key: YAMLNode, value: YAMLNode)] = [:]
  /// The names of the anchors of open collections, by the collection's index in `stack`.
  private var openNames: [Int: String] = [:]
  /// The anchors of the current document.
  var anchors: [String: Anchor] = [:]
  /// The last scalar that was read; used to translate syntax errors.
  var lastScalar: (offsets: Range<Int>, style: YAMLScalar.Style)?
  /// The offsets of the unquoted templates that were reported.
  var templates: [Int] = []
  /// Counters for the limits: nodes with expanded aliases, uses of aliases, and nodes added by aliases.
  var nodes = 0
  var aliases = 0
  var aliasedNodes = 0
  private var firstDocument: Range<Int>?

  init(file: SourceFile, limits: YAMLLimits, isStrict: Bool, resolvesMerges: Bool, problems: ProblemList) {
    self.file = file
    self.limits = limits
    self.isStrict = isStrict
    self.resolvesMerges = resolvesMerges
    self.problems = problems
    self.view = TextView(bytes: file.bytes)
  }

  /// Processes the next event.
  mutating func take(_ event: consuming YAMLEvent) {
    switch event.kind {
    case .streamStart, .documentEnd: break
    case .streamEnd: endStream()
    case .documentStart(let hasTagDirectives): startDocument(event.offsets, hasTagDirectives)
    case .alias(let name): addAlias(name, event.offsets)
    case .scalar(let properties, let text, let style): addScalar(properties, text, style, event.offsets)
    case .sequenceStart(let properties, let isFlow): open(isMapping: false, isFlow, properties, event.offsets)
    case .mappingStart(let properties, let isFlow): open(isMapping: true, isFlow, properties, event.offsets)
    case .collectionEnd: close(event.offsets)
    }
    if problems.isFull { stop() }
  }

  /// Stops the builder before the end of the file; `isWhole` becomes false.
  mutating func stop() {
    isReading = false
    isWhole = false
  }

  func range(_ offsets: Range<Int>) -> SourceRange { SourceRange(file: file, offsets: offsets) }

  // MARK: - Stream

  private mutating func endStream() {
    isReading = false
    guard firstDocument == nil, isStrict else { return }
    reportEmptyDocument(at: 0..<0)
  }

  private mutating func reportEmptyDocument(at offsets: Range<Int>) {
    problems.report(
      .yamlEmptyDocument, "the file has no document", at: offsets,
      help: "write its content, or delete the file")
    isWhole = false
  }

  private mutating func startDocument(_ offsets: Range<Int>, _ hasTagDirectives: Bool) {
    anchors = [:]
    if let firstDocument, isStrict {
      problems.report(
        .yamlMultipleDocuments, "a second document starts here; a file can contain only one",
        at: view.word(offsets.lowerBound), notes: [problems.note("the first document", at: firstDocument)],
        help: "remove the '---', or move what follows into a file of its own")
      stop()
      return
    }
    if firstDocument == nil { firstDocument = offsets }
    if hasTagDirectives, isStrict {
      let start = view.find("%TAG", from: offsets.lowerBound) ?? offsets.lowerBound
      problems.report(
        .yamlTagDirective, "'%TAG' has no use here", at: start..<max(start, view.lineEnd(start)),
        help: "remove the line; only the core tags (!!str, !!int, ...) are known")
    }
  }

  // MARK: - Nodes

  private mutating func addScalar(
    _ properties: YAMLEvent.Properties, _ text: consuming String, _ style: YAMLScalar.Style, _ offsets: Range<Int>
  ) {
    guard count(1, at: offsets) else { return }
    var content = offsets
    var tag: String?
    var anchor: Range<Int>?
    if !properties.isEmpty {
      let found = NodeProperties(in: file.bytes, offsets: offsets, count: properties.count)
      content = found.contentStart..<max(found.contentStart, offsets.upperBound)
      if content.isEmpty, let last = found.last { content = last.upperBound..<last.upperBound }
      anchor = found.anchor
      if let resolved = properties.tag {
        tag = checkedTag(resolved, of: .scalar(text), at: found.tag ?? content)
      }
    }
    if style == .literal || style == .folded { content = withoutBlankEnd(content) }
    lastScalar = (content, style)
    if style == .plain {
      checkSpaces(text, content)
      checkQuote(text, content)
      checkLines(of: content)
    }
    let node = YAMLNode(.scalar(YAMLScalar(text, style: style, tag: tag)), at: range(content))
    if let name = properties.anchor {
      define(name, at: anchor ?? content, as: BuiltNode(node: node, measure: NodeMeasure()))
    }
    add(node, NodeMeasure())
  }

  private mutating func open(
    isMapping: Bool, _ isFlow: Bool, _ properties: YAMLEvent.Properties, _ offsets: Range<Int>
  ) {
    var start = offsets.lowerBound
    guard count(1, at: start..<start) else { return }
    guard stack.count < limits.depth else { return reportDepth(at: start..<start) }
    if !properties.isEmpty {
      let found = NodeProperties(in: file.bytes, offsets: offsets, count: properties.count)
      start = found.contentStart
      if let tag = properties.tag {
        _ = checkedTag(tag, of: isMapping ? .mapping : .sequence, at: found.tag ?? start..<start)
      }
      if let name = properties.anchor {
        define(name, at: found.anchor ?? start..<start, as: nil)
        openNames[stack.count] = name
      }
    }
    if isMapping, isFlow { checkTemplate(start) }
    stack.append(
      OpenCollection(isMapping: isMapping, isFlow: isFlow, start: start, hasAnchor: properties.anchor != nil))
    items.append([])
    pairs.append(PairList())
  }

  private mutating func close(_ offsets: Range<Int>) {
    guard var collection = stack.popLast(), let list = items.popLast(), var mapping = pairs.popLast() else { return }
    let opener: UInt8 = collection.isMapping ? 0x7B : 0x5B
    let isBracketed = collection.isFlow && file.bytes[collection.start] == opener
    let end = isBracketed ? offsets.upperBound : collection.end
    if collection.hasMerge, let merge = merges.removeValue(forKey: stack.count),
      !resolve(merge.value, in: &mapping)
    {
      collection.measure.isWhole = false
    }
    collection.measure.height += 1
    let content: YAMLNode.Content =
      collection.isMapping ? .mapping(YAMLMapping(mapping.entries)) : .sequence(list)
    let node = YAMLNode(content, at: range(collection.start..<max(collection.start, end)))
    if collection.hasAnchor, let name = openNames.removeValue(forKey: stack.count) {
      anchors[name]?.close(with: BuiltNode(node: node, measure: collection.measure), startingAt: collection.start)
    }
    add(node, collection.measure)
  }

  /// Adds a finished node to the innermost open collection, or to `documents` if none is open.
  mutating func add(_ node: consuming YAMLNode, _ measure: NodeMeasure) {
    let top = stack.count - 1
    guard top >= 0 else { return addRoot(node, measure) }
    stack[top].measure.add(measure)
    stack[top].end = max(stack[top].end, node.range.offsets.upperBound)
    if stack[top].isMapping { addToMapping(node, measure) } else { items[top].append(node) }
  }

  private mutating func addRoot(_ node: YAMLNode, _ measure: NodeMeasure) {
    documents.append(node)
    guard measure.isWhole else { return isWhole = false }
    if isStrict, case .scalar(let scalar) = node.content,
      scalar.style == .plain, scalar.text.isEmpty, scalar.tag == nil
    {
      reportEmptyDocument(at: node.range.offsets)
    }
  }

  // MARK: - Limits

  /// Counts nodes; returns false after it reported that the file has too many.
  mutating func count(_ number: Int, at offsets: Range<Int>) -> Bool {
    nodes += number
    guard nodes > limits.nodes else { return true }
    problems.report(
      .yamlTooManyNodes, "the file has more than \(limits.nodes) values", at: offsets,
      help: "split it into several files")
    stop()
    return false
  }

  mutating func reportDepth(at offsets: Range<Int>) {
    problems.report(
      .yamlTooDeep, "lists and mappings are nested more than \(limits.depth) levels deep", at: offsets,
      help: "check for brackets or indentation that were repeated by mistake")
    stop()
  }

  /// The range of a block scalar, without the line ends after its last line.
  private func withoutBlankEnd(_ offsets: Range<Int>) -> Range<Int> {
    var end = offsets.upperBound
    while end > offsets.lowerBound, let byte = view.byte(end - 1), byte <= UInt8(ascii: " ") { end -= 1 }
    return offsets.lowerBound..<end
  }
}
