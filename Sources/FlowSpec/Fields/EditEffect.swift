/// What an edit of a key means for the result that a flow has persisted.
public enum EditEffect: Sendable, Hashable {
  /// The result belongs to the flow before the edit: the next run asks for everything anew.
  case asksAnew
  /// The same for a flow without `cursor`. One with a cursor asks in each run: it is judged by the new value from then on,
  /// and keeps what it has.
  case asksAnewWithoutCursor
  /// The result stays in use.
  case keepsResult
  /// The flow looks for its result elsewhere.
  case movesResult
  /// The keys of the mapping decide.
  case byItsKeys
  /// The keys that use the name decide.
  case whereUsed

  /// In words, for `reactor explain`.
  var words: String {
    switch self {
    case .asksAnew: "the next run does not use the persisted result and asks for everything anew"
    case .asksAnewWithoutCursor: "the next run does not use the persisted result; with a cursor, it goes on from it"
    case .keepsResult: "the persisted result stays in use"
    case .movesResult: "the flow looks for its result at the new path"
    case .byItsKeys: "see its keys"
    case .whereUsed: "as an edit of the keys that use it"
    }
  }
}
