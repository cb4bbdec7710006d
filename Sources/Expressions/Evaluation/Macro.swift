/// An operation on each element of a list.
enum Macro: String, Sendable, CaseIterable {
  case map, filter, all, exists, sort, unique
}
