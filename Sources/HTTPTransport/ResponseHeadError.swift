/// The reason why a response's head is refused.
///
/// The text completes "the response …". It contains nothing that the server sent except numbers.
struct ResponseHeadError: Error, Hashable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
