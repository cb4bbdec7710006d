extension ReactorError {
  /// The error of a request for which the flow has not enough time left to wait.
  ///
  /// - Parameter wait: the wait and its reason, as the subject of the sentence
  static func pastDeadline(_ wait: String, status: Int? = nil) -> ReactorError {
    var error = ReactorError(.timeout, "\(wait) would exceed the flow's deadline", status: status)
    error.help = "run again later, or give the flow more time with 'deadline'"
    return error
  }
}
