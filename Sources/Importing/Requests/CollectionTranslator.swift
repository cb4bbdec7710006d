/// Translates the requests of a collection into flows.
struct CollectionTranslator {
  private static let maximumFlows = 5_000

  private let collection: RequestCollection
  private let log: ImportLog
  private let table: VariableTable
  private let writes: RequestCollection.Writes
  private let outline: ResponseOutline.Reader
  private var flows: [FlowDraft] = []
  private var notes: [String] = []
  private var names = UniqueNames()

  init(
    _ collection: RequestCollection, log: ImportLog, table: VariableTable, writes: RequestCollection.Writes,
    outline: @escaping ResponseOutline.Reader
  ) {
    self.collection = collection
    self.log = log
    self.table = table
    self.writes = writes
    self.outline = outline
  }

  /// Translates all requests, and returns the flow file.
  mutating func file() -> FlowFileDraft {
    log.report.found = collection.requests.count
    // A credential of one request becomes a secret in all requests, and is hidden in every message.
    let requests = collection.requests.map(\.withoutCredentialsInURL)
    for request in requests {
      for credential in request.credentials { table.expect(credential, in: request.scope) }
    }
    for loss in collection.losses { note(loss, flow: nil) }
    for request in requests { translate(request) }
    var file = FlowFileDraft(flows)
    file.description = collection.description.map { log.masked($0) }
    file.notes = notes
    file.variables = table.mapping
    file.secrets = table.secretNames
    log.report.secrets = table.secretNames
    return file
  }

  private mutating func note(_ loss: RequestCollection.Loss, flow: String?) {
    notes.append(log.lose(loss.kind, loss.what, needs: loss.needs, at: loss.origin, flow: flow))
  }

  private mutating func translate(_ request: CollectedRequest) {
    if let loss = refusal(of: request) { return note(loss, flow: nil) }
    let draft = FlowDraft(name(request), at: request.origin)
    var translator = RequestTranslator(request, log: log, table: table, draft: draft)
    if let loss = translator.address() {
      names.release(draft.name)
      return note(loss, flow: nil)
    }
    draft.tags = tags(request)
    translator.rest(outline)
    flows.append(draft)
    if request.isAffected { log.report.affected.insert(draft.name) }
  }

  /// The reason why a request cannot become a flow; nil if it can.
  private func refusal(of request: CollectedRequest) -> RequestCollection.Loss? {
    func loss(_ kind: ImportReport.Kind, _ what: String, _ needs: String) -> RequestCollection.Loss {
      RequestCollection.Loss(
        kind: kind, what: "request '\(request.name)'\(what)", needs: needs, origin: request.bodyOrigin ?? request.origin
      )
    }
    guard flows.count < Self.maximumFlows else {
      return loss(.configuration, "", "a file of its own: one file contains at most \(Self.maximumFlows) flows")
    }
    guard ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"].contains(request.method) else {
      return loss(
        .request, " with \(request.method)", "one of the methods GET, POST, PUT, PATCH, DELETE, OPTIONS")
    }
    if case .unknown(let body, let needs) = request.body { return loss(.request, " with \(body)", needs) }
    if request.method == "HEAD" {
      return loss(.request, " with HEAD", "another method: a response to HEAD has no body and therefore no records")
    }
    guard writes == .leftOut, Self.changesServer(request) else { return nil }
    return loss(
      .request, " with \(request.method)", "the option --writes: a run sends this request, which may change the server")
  }

  private static func changesServer(_ request: CollectedRequest) -> Bool {
    if case .graphql(let query, _, _) = request.body { return isMutation(query) }
    return !["GET", "HEAD", "OPTIONS"].contains(request.method)
  }

  /// Whether a GraphQL document has an operation that changes something.
  private static func isMutation(_ document: String) -> Bool {
    document.split(whereSeparator: \.isNewline).contains { line in
      let line = line.drop { $0.isWhitespace }
      return line.hasPrefix("mutation") && !(line.dropFirst(8).first.map { $0.isLetter || $0.isNumber } ?? false)
    }
  }

  // MARK: - Names

  /// A name that no other flow has: that of the request, with the name of its folder if another flow has it.
  private mutating func name(_ request: CollectedRequest) -> String {
    var words = [request.name]
    if !FlowName.isPossible(request.name) {
      words = [request.method.lowercased(), URLText.origin(of: URLText.split(request.url, at: "?").0).1]
    }
    let short = FlowName.snake(words.joined(separator: "_"))
    if names.isFree(short) { return names.next(short) }
    let folder = request.folders.last { FlowName.isPossible($0) }
    let long = FlowName.snake(((folder.map { [$0] } ?? []) + words).joined(separator: "_"))
    return names.next(long)
  }

  /// The folders, by which a run can select flows.
  private func tags(_ request: CollectedRequest) -> [String] {
    var tags: [String] = []
    for folder in request.folders where FlowName.isPossible(folder) {
      let tag = FlowName.snake(folder)
      if !tags.contains(tag) { tags.append(tag) }
    }
    if Self.changesServer(request), !tags.contains("writes") { tags.append("writes") }
    return tags
  }
}
