package import JSONSyntax

/// Reads the elements that an `ElementScanner` finds: a mapping that works on tokens.
package protocol ElementReader<Element>: AnyObject {
  associatedtype Element: Sendable

  /// Begins a window of the text; the tokens of the previous window are invalid.
  ///
  /// - Parameter firstIndex: the index in the response of the first element of the window
  func begin(_ tokens: JSONTokens, firstIndex: Int)

  /// Reads the element at a token and returns the token after it.
  ///
  /// The element counts only after `judge` is called. An element that is cut off by the end of the window is read
  /// again.
  func read(_ token: Int) throws(JSONError) -> Int

  /// Keeps the element that was read last, or returns why it does not match.
  ///
  /// - Parameters:
  ///   - tokens: the tokens of the element
  ///   - index: the index of the element in the response
  ///   - rejected: the number of earlier elements that were rejected
  func judge(_ tokens: Range<Int>, index: Int, rejected: Int) -> MappedError?

  /// Returns the elements of the window that were kept, for a caller that needs them separately.
  ///
  /// It is called at most once for each window, at its end.
  func kept() -> [Element]

  /// Returns the error of a strict scan for its first element that does not match.
  func failure(_ error: MappedError, at index: Int) -> ReactorError
}
