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
