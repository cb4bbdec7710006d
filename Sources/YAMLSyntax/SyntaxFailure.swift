/// Where and why libyaml stopped, in its words.
struct SyntaxFailure: Error {
  let problem: String
  /// Byte offset in the file.
  let offset: Int
  /// What it was doing, with the place where that began; the same place as `offset` where it does not say.
  let context: String
  let contextOffset: Int
}
