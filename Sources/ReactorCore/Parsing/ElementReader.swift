package import JSONSyntax

/// Reads the elements that a scanner finds.
package protocol ElementReader: AnyObject {
  /// Begins a window of the text; the tokens before it are gone.
  ///
  /// - Parameter firstIndex: the index of its first element in the response
  func begin(_ tokens: JSONTokens, firstIndex: Int)

  /// Reads the element at a token and returns the token behind it. It counts once `judge` is called; an element that the
  /// window's end cuts is read again.
  func read(_ token: Int) throws(JSONError) -> Int

  /// Keeps the element that was read last, or returns why it does not fit.
  ///
  /// - Parameters:
  ///   - tokens: the element's
  ///   - index: its index in the response
  ///   - rejected: how many elements before it did not fit
  func judge(_ tokens: Range<Int>, index: Int, rejected: Int) -> MappedError?

  /// The error of a strict scan at its first element that does not fit.
  func failure(_ error: MappedError, at index: Int) -> ReactorError
}
