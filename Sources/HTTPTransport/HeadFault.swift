/// Why an answer's head is refused; the text completes "the answer …" and is free of what the server sent except numbers.
struct HeadFault: Error, Hashable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
