extension ReactorError {
  /// Wraps any error.
  ///
  /// Errors of this library keep their meaning, a cancellation becomes `.cancelled`, and other errors get the given
  /// kind.
  public init(_ error: any Error, as kind: Kind) {
    switch error {
    case let error as ReactorError: self = error
    case let error as MappedError: self = ReactorError(mapping: error)
    case is CancellationError: self = .cancelled
    default: self = ReactorError(kind, "\(error)")
    }
  }

  /// Wraps a mapping error as `.parser`.
  ///
  /// - Parameter recordIndex: the index of the record that did not map; nil when the response is one model.
  public init(mapping error: MappedError, recordIndex: Int? = nil) {
    self = ReactorError(
      .parser, error.message, recordIndex: recordIndex, pointer: error.pointer.isEmpty ? nil : error.pointer)
    help = error.help
  }

  /// Throws `.cancelled` when the current task is cancelled.
  public static func checkCancellation() throws(ReactorError) {
    if Task.isCancelled { throw .cancelled }
  }

  /// The error itself, or `.cancelled` when the current task is cancelled, because that is the likely cause.
  var unlessCancelled: ReactorError { Task.isCancelled ? .cancelled : self }
}

extension ReactorError {
  /// Returns the error of a child flow whose parent flow has failed.
  ///
  /// When the parent was cancelled, its children are cancelled too. When the parent's response does not match the
  /// schema, its children have no response and fail with `.server`.
  public static func parentFailed(_ id: String, _ error: ReactorError) -> ReactorError {
    switch error.kind {
    case .cancelled: ReactorError(.cancelled, "its parent '\(id)' was cancelled")
    case .parser: ReactorError(.server, "its parent '\(id)' failed: \(error.message)")
    default: ReactorError(error.kind, "its parent '\(id)' failed: \(error.message)")
    }
  }
}
