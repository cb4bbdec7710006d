internal import Records
internal import Storage

/// How a pull writes its records.
enum ResultForm: Sendable {
  /// As text in a file's format. With a key, each record has a fingerprint of it, for a merge.
  case file(RecordFormat, mergeKey: [String]? = nil)
  /// As text in a format, each record with the path of its file.
  case split(RecordFormat, SplitTemplate)
  /// As rows of a table.
  case rows(TableLayout)

  /// The format in which the result is read back.
  var format: RecordFormat {
    switch self {
    case .file(let format, _), .split(let format, _): format
    case .rows: .jsonLines
    }
  }

  /// Whether the written bytes are JSON Lines.
  var isLines: Bool { if case .file(.jsonLines, _) = self { true } else { false } }

  /// The fields by which the records of a file are merged; nil otherwise.
  var mergeKey: [String]? {
    get { if case .file(_, let key) = self { key } else { nil } }
    set { if case .file(let format, _) = self { self = .file(format, mergeKey: newValue) } }
  }

  /// Creates an encoder for some of the records.
  func encoder(of plan: MappingPlan) -> any RecordEncoder {
    switch self {
    case .file(let format, let key): RecordOutput(partOf: plan, format: format, key: key)
    case .split(let format, let template): SplitOutput(plan, format: format, paths: template)
    case .rows(let layout): TableOutput(layout)
    }
  }
}

/// Where a run stages its result.
enum ResultSpool: Sendable {
  case file(RecordSpool)
  case table(TableSpool)

  /// The staged file; nil for a table.
  var file: RecordSpool? { if case .file(let spool) = self { spool } else { nil } }

  /// How the records are written.
  var form: ResultForm {
    switch self {
    case .file(let spool): spool.form
    case .table(let spool): .rows(spool.layout)
    }
  }

  /// Discards what was staged.
  func discard() async { await file?.discard() }
}
