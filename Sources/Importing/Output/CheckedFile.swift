internal import FlowSpec
internal import SourceDiagnostics

/// A flow file that is loaded and checked before it is returned. Parts with errors are removed and recorded as losses.
struct CheckedFile {
  private static let rounds = 60
  private static let path = "import.yaml"

  private var mapping: OutputMapping
  private let log: ImportLog
  private let check: ([FlowDeclaration]) -> DiagnosticBag
  private let reader: SourceReader

  /// Creates a file.
  ///
  /// - Parameter examples: example contents of files that flows of the file write during a run, by their paths beside
  ///   the file
  init(
    _ mapping: OutputMapping, log: ImportLog, examples: [String: [UInt8]] = [:],
    check: @escaping ([FlowDeclaration]) -> DiagnosticBag
  ) {
    self.mapping = mapping
    reader = .files(examples)
    self.log = log
    self.check = check
  }

  /// Returns the text of the file after everything with an error has been removed.
  func result() throws(ImportError) -> ImportResult {
    var copy = self
    return try copy.checked()
  }

  private mutating func checked() throws(ImportError) -> ImportResult {
    for round in 0..<Self.rounds {
      guard mapping["flows"] != nil else { break }
      let writer = OutputWriter.write(mapping)
      let errors = errors(in: writer.text)
      if errors.isEmpty { return finished(writer.text) }
      var paths: Set<[OutputWriter.Step]> = []
      for error in errors {
        guard let offset = error.range?.offsets.lowerBound,
          var path = Self.path(at: offset, in: writer.spans)
        else { continue }
        // If an error remains, the whole flow that contains it is removed.
        if round > Self.rounds / 2 { path = Array(path.prefix(2)) }
        path = Self.removable(path, mapping)
        // Parts of a part that is removed are removed with it.
        guard !paths.contains(where: { path.starts(with: $0) }) else { continue }
        paths = paths.filter { !$0.starts(with: path) }
        paths.insert(path)
        lose(path, error)
      }
      guard !paths.isEmpty else { break }
      // From the last index to the first, so that indexes stay valid.
      for path in paths.sorted(by: { Self.follows($0, $1) }) { remove(path) }
    }
    mapping["flows"] = nil
    return finished(OutputWriter.write(mapping).text)
  }

  private func finished(_ text: String) -> ImportResult {
    var report = log.report
    report.flows = mapping["flows"]?.mapping?.entries.map(\.name) ?? []
    return ImportResult(text: text, report: report)
  }

  private func errors(in text: String) -> [Diagnostic] {
    let loaded = FlowLoader(reader: reader).load([SourceFile(path: Self.path, bytes: Array(text.utf8))])
    var diagnostics = loaded.diagnostics
    if !diagnostics.hasErrors { diagnostics.merge(check(loaded.flows)) }
    return diagnostics.diagnostics.filter { $0.severity == .error }
  }

  /// The path of the innermost entry that contains the byte at an offset; nil if none does.
  private static func path(at offset: Int, in spans: [OutputWriter.Span]) -> [OutputWriter.Step]? {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    // Spans are nested and in order, so the innermost is the last one that begins before the offset and ends after it.
    var index = low - 1
    while index >= 0 {
      if spans[index].end > offset { return spans[index].path }
      index -= 1
    }
    return nil
  }

  /// The path of the smallest part around a path that can be removed so that the rest stays valid: often a whole
  /// construct instead of one of its keys.
  private static func removable(_ path: [OutputWriter.Step], _ mapping: OutputMapping) -> [OutputWriter.Step] {
    guard path.count > 2, path[0] == .key("flows") else {
      if path.first == .key("schemas") { return Array(path.prefix(path.count > 3 ? 4 : 2)) }
      // If the condition of a variable rejects its default, the default stays and the condition is removed.
      if path.count > 2, path[0] == .key("vars"), case .key(let name) = path[1],
        mapping["vars"]?.mapping?[name]?.mapping?["where"] != nil
      {
        return [path[0], path[1], .key("where")]
      }
      return Array(path.prefix(2))
    }
    guard case .key(let name) = path[2] else { return path }
    switch name {
    case "resource":
      // A parameter or a header is a part of its own; a path is not.
      if path.count > 4, case .key(let part) = path[3], ["query", "headers"].contains(part) {
        return Array(path.prefix(5))
      }
      if path.count > 3, path[3] == .key("body") { return Array(path.prefix(4)) }
      return Array(path.prefix(2))
    case "schema":
      if path.count > 4, path[3] == .key("fields") { return Array(path.prefix(5)) }
      return Array(path.prefix(3))
    case "errors": return Array(path.prefix(4))
    case "change":
      return Array(path.prefix(path.count > 4 ? 5 : 4))
    case "cursor":
      if path.count > 3, case .key(let key) = path[3], ["lookback", "slice", "bounds", "end"].contains(key) {
        return Array(path.prefix(4))
      }
      return Array(path.prefix(3))
    case "each", "persistence": return Array(path.prefix(2))
    // Without its own server or authorization, a flow would use those of the file.
    case "http" where path.count < 4 || path[3] == .key("base_url"): return Array(path.prefix(2))
    case "auth" where mapping["http"]?.mapping?["auth"] != nil: return Array(path.prefix(2))
    default: return Array(path.prefix(3))
    }
  }

  private static func follows(_ left: [OutputWriter.Step], _ right: [OutputWriter.Step]) -> Bool {
    for (a, b) in zip(left, right) where a != b {
      if case .index(let a) = a, case .index(let b) = b { return a > b }
      return "\(a)" < "\(b)"
    }
    return left.count > right.count
  }

  private mutating func lose(_ path: [OutputWriter.Step], _ error: Diagnostic) {
    var (origin, node): (OutputMapping.Origin?, OutputNode) = (nil, .mapping(mapping))
    for step in path {
      switch (step, node) {
      case (.key(let name), .mapping(let mapping)):
        for case .entry(name, let value, let own) in mapping.items {
          origin = own ?? origin
          node = value
        }
      case (.index(let index), .list(let elements)) where elements.indices.contains(index): node = elements[index]
      default: break
      }
    }
    let what = path.map { step in
      switch step {
      case .key(let name): name
      case .index(let index): "\(index)"
      }
    }.joined(separator: ".")
    var flow: String?
    if path.count > 2, path[0] == .key("flows"), case .key(let name) = path[1] { flow = name }
    log.lose(
      .check, what, needs: "\(error.message)\(error.help.map { ": \($0)" } ?? "")",
      at: origin ?? OutputMapping.Origin(path: "", line: 0), flow: flow)
  }

  private mutating func remove(_ path: [OutputWriter.Step]) {
    let comment = log.report.losses.last { $0.kind == .check && Self.isAt($0, path) }?.comment
    mapping = Self.removing(path[...], from: mapping, comment)
  }

  private static func isAt(_ entry: ImportReport.Entry, _ path: [OutputWriter.Step]) -> Bool {
    entry.what
      == OutputText.flat(
        path.map { step in
          switch step {
          case .key(let name): name
          case .index(let index): "\(index)"
          }
        }.joined(separator: "."))
  }

  private static func removing(
    _ path: ArraySlice<OutputWriter.Step>, from mapping: OutputMapping, _ comment: String?
  ) -> OutputMapping {
    var mapping = mapping
    guard case .key(let name)? = path.first,
      let index = mapping.items.firstIndex(where: { if case .entry(name, _, _) = $0 { true } else { false } }),
      case .entry(_, let value, let origin) = mapping.items[index]
    else { return mapping }
    let rest = path.dropFirst()
    var (replacement, outer): (OutputNode?, String?) = (nil, comment)
    if !rest.isEmpty {
      switch value {
      case .mapping(let inner):
        let result = removing(rest, from: inner, comment)
        if !result.entries.isEmpty { (replacement, outer) = (.mapping(result), nil) }
      case .list(let elements):
        guard case .index(let number)? = rest.first, elements.indices.contains(number) else { break }
        var elements = elements
        elements.remove(at: number)
        if !elements.isEmpty { replacement = .list(elements) }
      case .scalar: break
      }
    }
    if let replacement {
      mapping.items[index] = .entry(name: name, value: replacement, origin: origin)
    } else {
      mapping.items.remove(at: index)
    }
    // The comment stands where the part was, or before what contained it.
    if let outer { mapping.items.insert(.comment(outer), at: index) }
    return mapping
  }
}

extension SourceReader {
  /// A reader of files in memory, by their paths.
  fileprivate static func files(_ files: [String: [UInt8]]) -> SourceReader {
    SourceReader(
      names: { (folder) throws(SourceReadError) in
        let names = files.keys.compactMap { path -> String? in
          let parts = path.split(separator: "/").map(String.init)
          return parts.dropLast().joined(separator: "/") == folder ? parts.last : nil
        }
        return names.isEmpty ? nil : names
      },
      bytes: { (path) throws(SourceReadError) in
        guard let bytes = files[path] else { throw SourceReadError("there is no file '\(path)'") }
        return bytes
      })
  }
}
