extension ReactorError {
  /// Wraps any error: those of this library as they are, a cancellation as `.cancelled`, others with the given kind.
  public init(_ error: any Error, as kind: Kind) {
    switch error {
    case let error as ReactorError: self = error
    case let error as MappedError: self = ReactorError(mapping: error)
    case is CancellationError: self = .cancelled
    default: self = ReactorError(kind, "\(error)")
    }
  }

  /// Wraps the error of a mapping as `.parser`.
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

  /// The error itself; `.cancelled` when the current task is cancelled, since then it is the likely cause.
  var unlessCancelled: ReactorError { Task.isCancelled ? .cancelled : self }
}

extension ReactorError {
  /// The error of a child flow whose parent flow has failed.
  ///
  /// A parent that was cancelled cancels its children; one whose response does not fit leaves them without a response.
  public static func parentFailed(_ id: String, _ error: ReactorError) -> ReactorError {
    switch error.kind {
    case .cancelled: ReactorError(.cancelled, "its parent '\(id)' was cancelled")
    case .parser: ReactorError(.server, "its parent '\(id)' failed: \(error.message)")
    default: ReactorError(error.kind, "its parent '\(id)' failed: \(error.message)")
    }
  }
}
