/// Why a response's head is refused; the text completes "the response …" and is free of what the server sent except
/// numbers.
struct ResponseHeadError: Error, Hashable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
