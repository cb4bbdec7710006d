internal import ReactorCore
internal import SourceDiagnostics
internal import Storage
internal import TimeSyntax
internal import YAMLSyntax

/// Reads a cassette; errors name the line that cannot be read.
struct CassetteReader {
  private let path: String
  private let file: SourceFile
  private let content: (String) throws(FixtureError) -> FixtureContent

  /// Reads the files of a cassette's folder.
  ///
  /// - Parameters:
  ///   - bytes: the content of `cassette.yaml`
  ///   - path: the path of `cassette.yaml`, for messages
  ///   - content: returns the content of another file in the folder
  static func read(
    _ bytes: [UInt8], path: String, content: @escaping (String) throws(FixtureError) -> FixtureContent
  ) throws(FixtureError) -> Cassette {
    let file = SourceFile(path: path, bytes: bytes)
    var limits = YAMLLimits()
    limits.bytes = 256 << 20
    limits.nodes = 20_000_000
    var diagnostics = DiagnosticBag()
    guard let root = YAMLDocument.parse(file, limits: limits, diagnostics: &diagnostics), !diagnostics.hasErrors else {
      let first = diagnostics.diagnostics.first
      let line = first?.range.map { $0.start.line } ?? 1
      throw FixtureError("\(path):\(line): \(first?.message ?? "the cassette cannot be read")", help: repair)
    }
    return try CassetteReader(path: path, file: file, content: content).cassette(root)
  }

  private static let repair = "record the flow again, or restore the file"

  private func error(_ message: String, _ node: YAMLNode) -> FixtureError {
    FixtureError("\(path):\(node.range.start.line): \(message)", help: Self.repair)
  }

  private func members(_ node: YAMLNode, _ known: Set<String>) throws(FixtureError) -> [String: YAMLNode] {
    guard case .mapping(let mapping) = node.content else { throw error("a mapping is expected here", node) }
    var members: [String: YAMLNode] = [:]
    for entry in mapping.entries {
      guard known.contains(entry.name) else { throw error("unknown key '\(entry.name)'", entry.key) }
      members[entry.name] = entry.value
    }
    return members
  }

  private func elements(_ node: YAMLNode) throws(FixtureError) -> [YAMLNode] {
    switch node.content {
    case .sequence(let nodes): return nodes
    case .scalar(let scalar) where scalar.isNull: return []
    default: throw error("a list is expected here", node)
    }
  }

  private func text(_ node: YAMLNode) throws(FixtureError) -> String {
    guard case .scalar(let scalar) = node.content else { throw error("a text is expected here", node) }
    return scalar.text
  }

  private func text(_ name: String, _ members: [String: YAMLNode], _ owner: YAMLNode) throws(FixtureError) -> String {
    guard let node = members[name] else { throw error("'\(name)' is missing", owner) }
    return try text(node)
  }

  private func number(_ node: YAMLNode, _ range: ClosedRange<Int>) throws(FixtureError) -> Int {
    guard let number = Int(try text(node)), range.contains(number) else {
      throw error("a number from \(range.lowerBound) to \(range.upperBound) is expected here", node)
    }
    return number
  }

  private func cassette(_ root: YAMLNode) throws(FixtureError) -> Cassette {
    // The keys of a later version may be any.
    if case .mapping(let mapping) = root.content,
      case .scalar(let scalar)? = mapping.entries.first(where: { $0.name == "cassette" })?.value.content,
      let number = Int64(scalar.text), StateVersion.recordings.isLater(number)
    {
      throw FixtureError(StateVersion.recordings.words(path), help: StateVersion.recordings.help)
    }
    let members = try members(root, ["cassette", "flow", "recorded_at", "tool", "entries"])
    guard let version = members["cassette"], try text(version) == String(Cassette.version) else {
      throw error("this is not a cassette of version \(Cassette.version)", root)
    }
    var entries: [Cassette.Entry] = []
    if let list = members["entries"] {
      for node in try elements(list) { entries.append(try entry(node)) }
    }
    let recordedAt = try text("recorded_at", members, root)
    guard InstantText.seconds(recordedAt) != nil else {
      throw error("'recorded_at' must be a time such as 2026-11-21T06:00:00Z", members["recorded_at"] ?? root)
    }
    return Cassette(
      flow: try text("flow", members, root), recordedAt: recordedAt,
      tool: try text("tool", members, root), entries: entries)
  }

  private static let keys: Set<String> = [
    "request", "request_headers", "request_body", "request_body_file", "occurrence", "failure", "message", "status",
    "url", "headers", "transport", "body", "body_file",
  ]

  private func entry(_ node: YAMLNode) throws(FixtureError) -> Cassette.Entry {
    let members = try members(node, Self.keys)
    let line = try text("request", members, node).split(separator: " ", maxSplits: 1)
    guard line.count == 2 else { throw error("a request must be a method and a URL", members["request"] ?? node) }
    var request = RecordedRequest(method: String(line[0]), url: RecordedRequest.canonical(String(line[1])))
    if let headers = members["request_headers"] { request.headers = try fields(headers) }
    if let body = try content("request_body", members) { request.body = RecordedRequest.canonical(try body.bytes) }
    let occurrence = try members["occurrence"].map { (node) throws(FixtureError) in try number(node, 1...1_000_000) }
    if let failure = members["failure"] {
      let kind = try text(failure)
      guard ReactorError.Kind(rawValue: kind) != nil else { throw error("unknown kind of failure '\(kind)'", failure) }
      return Cassette.Entry(
        request: request, occurrence: occurrence ?? 1,
        outcome: .failure(kind: kind, message: try text("message", members, node)))
    }
    guard let status = members["status"] else { throw error("'status' is missing", node) }
    var response = RecordedResponse(status: try number(status, 100...999))
    if let url = members["url"] { response.url = try text(url) }
    if let headers = members["headers"] { response.headers = try fields(headers) }
    if let transport = members["transport"] {
      let parts = try self.members(transport, ["encoding", "wire_length"])
      response.transport = RecordedResponse.Transport()
      if let encoding = parts["encoding"] { response.transport?.encoding = try text(encoding) }
      if let length = parts["wire_length"] { response.transport?.wireLength = try text(length) }
    }
    if let body = try content("body", members) { response.body = body }
    return Cassette.Entry(request: request, occurrence: occurrence ?? 1, outcome: .response(response))
  }

  private func fields(_ node: YAMLNode) throws(FixtureError) -> [RecordedRequest.Field] {
    var fields: [RecordedRequest.Field] = []
    for element in try elements(node) {
      let line = try text(element)
      guard let colon = line.firstIndex(of: ":") else { throw error("a header must be 'Name: value'", element) }
      let value = line[line.index(after: colon)...]
      fields.append(.init(String(line[..<colon]), String(value.hasPrefix(" ") ? value.dropFirst() : value)))
    }
    return fields
  }

  private func content(_ key: String, _ members: [String: YAMLNode]) throws(FixtureError) -> FixtureContent? {
    if let node = members[key] { return .held(Array(try text(node).utf8)) }
    guard let node = members["\(key)_file"] else { return nil }
    let name = try text(node)
    // A cassette may come from another source, so it must not read files outside its folder.
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw error("'\(name)' leads out of the cassette's folder", node)
    }
    return try content(name)
  }
}
