/// Why a text is not an I-Regexp, or one too large to be matched.
package struct IRegexpError: Error, Sendable, Hashable {
  /// What is wrong, lower case, no full stop.
  package var message: String
  /// Whether the pattern is well-formed but beyond a limit of ours.
  package var isLimit = false

  init(_ message: String, isLimit: Bool = false) {
    self.message = message
    self.isLimit = isLimit
  }
}
