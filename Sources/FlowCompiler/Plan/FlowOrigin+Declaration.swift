internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import ReactorCore
internal import SourceDiagnostics

extension FlowOrigin {
  /// Creates the origin of a declared flow.
  ///
  /// - Parameter fields: the source locations of the schema's fields
  init(_ declaration: FlowDeclaration, fields: [PlanLocations.Field]) {
    let range = declaration.range
    self.init(id: declaration.id, name: declaration.name, file: range.file.path, line: range.start.line)
    description = declaration.description
    tags = declaration.tags
    item = declaration.file.item
    locations = PlanLocations(declaration)
    if declaration.schema?.range.file.path == file { locations.fields = fields }
  }
}

extension PlanLocations {
  /// Creates the source locations of the keys that the flow file contains.
  fileprivate init(_ declaration: FlowDeclaration) {
    self.init()
    func add(_ key: String, _ range: SourceRange?) {
      if let range { keys[key] = ReactorError.Location(range) }
    }
    add("records", declaration.pull.records?.range ?? declaration.pull.mapping.records?.range)
    add("errors", declaration.transfer.errors.first?.when.range)
    add("expect.total", declaration.expect.total?.range)
    if case .fields(let fields) = declaration.transfer.rate.follow { add("http.rate.follow", fields.range) }
    if let job = declaration.pull.job?.terms {
      for key in ["job.deadline", "job.values"] { add(key, job.range) }
      add("job.id", job.id.range)
      add("job.url", job.statusURL?.range)
      add("job.failed", job.failed?.range)
      add("job.empty", job.empty?.range)
      add("job.done", job.done.range)
      add("job.running", job.running?.range)
      add("job.urls", job.urls?.range)
    }
    add("resource.url", declaration.pull.request.url?.range)
    add("download.path", declaration.download?.range)
    guard let pages = declaration.pull.pages else { return }
    add("pages.more", pages.more?.range)
    add("pages.count", pages.count?.range)
    let range: SourceRange? =
      switch pages.strategy {
      case .cursor(let source), .nextURL(let source): source.range
      case .link(let relation): relation.range
      case .number, .offset: nil
      }
    for key in ["pages", "pages.by", "pages.from", "pages.next"] { add(key, range) }
  }

  /// The source locations of a schema's fields.
  ///
  /// The location is that of the field's path, or of its name when the name is also the path.
  static func fields(of schema: SchemaDeclaration) -> [Field] {
    schema.fields.map { Field(name: $0.name, from: $0.from.value, location: ReactorError.Location($0.from.range)) }
  }
}

extension ReactorError.Location {
  fileprivate init(_ range: SourceRange) {
    let start = range.start
    self.init(line: start.line, column: start.column)
  }
}
