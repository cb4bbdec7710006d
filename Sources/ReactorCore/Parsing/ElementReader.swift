package import JSONSyntax

/// Reads the elements of a scanner's text: what becomes of an element is the reader's.
package protocol ElementReader: AnyObject {
  /// Begins a window of the text; the tokens before it are gone.
  ///
  /// - Parameter firstIndex: the index of its first element in the response
  func begin(_ tokens: JSONTokens, firstIndex: Int)

  /// Reads the element at a token and returns the token behind it. It counts once `judge` is called; an element that the
  /// window's end cuts is read again.
  func read(_ token: Int) throws(JSONError) -> Int

  /// Keeps the element that was read last, or says why it does not fit.
  ///
  /// - Parameters:
  ///   - tokens: the element's
  ///   - index: its index in the response
  ///   - rejected: how many elements before it did not fit
  func judge(_ tokens: Range<Int>, index: Int, rejected: Int) -> MappedError?

  /// What is thrown where one element that does not fit is enough.
  func failure(_ error: MappedError, at index: Int) -> ReactorError
}
