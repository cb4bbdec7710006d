package import FlowModel
package import JSONSyntax
internal import Storage

/// The source of a parent's records in a run.
package enum ParentSource: Sendable {
  /// The records of another flow of the same run, by its id.
  case flow(String)
  /// Values that the flow file declares.
  case values([JSONValue])
  /// A persisted file, with the schema of its records.
  case file(RecordPath, CompiledSchema)
  /// Rows of a database.
  case rows(StoredRows<Store<String>, String>)
  /// The records of several sources, one source after the other. With a key, the first of several records with equal
  /// keys is used.
  indirect case union([ParentSource])
  /// Records from a list in `only`. They are used instead of the records of the declared source.
  case replacement([JSONValue])

  /// The ids of the flows whose records are used.
  fileprivate var flows: [String] {
    switch self {
    case .flow(let id): [id]
    case .union(let parts): parts.flatMap(\.flows)
    case .values, .file, .rows, .replacement: []
    }
  }
}

extension ParentSource {
  /// The files whose records are used.
  fileprivate var files: [OutputPath] {
    switch self {
    case .file(let path, _): [path.output]
    case .union(let parts): parts.flatMap(\.files)
    case .flow, .values, .rows, .replacement: []
    }
  }
}

extension ParentSource {
  /// Whether rows of a database are used.
  fileprivate var readsRows: Bool {
    switch self {
    case .rows: true
    case .union(let parts): parts.contains(where: \.readsRows)
    case .flow, .values, .file, .replacement: false
    }
  }
}

extension Each<ParentSource> {
  /// A description of the first parent whose records are rows of a database; nil without such a parent.
  var rows: String? { parents.first { $0.source.readsRows }?.words }

  /// The files from which parents are read.
  var files: [OutputPath] { parents.flatMap(\.source.files) }

  /// The ids of the flows whose records are parents, in the order of the parents.
  var flows: [String] { parents.flatMap(\.source.flows) }

  /// Identifies the parents by their keys.
  var identity: ParentIdentity { ParentIdentity(parents) }

  /// Whether some records of the parents are not requested in this run.
  var isLimited: Bool {
    parents.contains { parent in
      if case .replacement = parent.source { true } else { parent.limit != nil }
    }
  }
}
