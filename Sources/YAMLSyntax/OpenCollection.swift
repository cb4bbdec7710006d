/// A collection whose end has not come yet; a reference, because the builder changes it in place for every child.
final class OpenCollection {
  let isMapping: Bool
  /// Whether it is written in brackets; a single pair in a bracketed list is too, without brackets of its own.
  let isFlow: Bool
  /// Where it starts, behind its anchor and tag.
  let start: Int
  let anchor: String?
  /// The end of what has been read of it.
  var end: Int
  /// Nodes gathered so far, itself included.
  var size = 1
  /// Levels of nodes below it.
  var height = 0
  /// Whether a part of it is missing because it was mistaken.
  var isWhole = true

  /// The items of a list.
  var items: [YAMLNode] = []
  /// The pairs of a mapping.
  var entries: [YAMLMapping.Entry] = []
  /// The key that waits for its value.
  var key: PendingKey?
  /// The merge key, once seen, and what it merges.
  var merge: (key: YAMLNode, value: YAMLNode)?
  /// The places of names in `entries`, once there are too many to look through.
  private var places: [String: Int] = [:]

  /// A key without its value.
  enum PendingKey {
    case ordinary(YAMLNode, name: String)
    case merge(YAMLNode)
    /// A key that was refused: its value is read and dropped.
    case refused
  }

  /// Names up to which a look through all is faster than a table.
  private static let fewEntries = 12

  init(isMapping: Bool, isFlow: Bool, start: Int, anchor: String?) {
    self.isMapping = isMapping
    self.isFlow = isFlow
    self.start = start
    self.anchor = anchor
    self.end = start
  }

  /// The entry of a name, if there is one.
  func entry(named name: String) -> YAMLMapping.Entry? {
    if entries.count <= Self.fewEntries { return entries.first { $0.name == name } }
    return places[name].map { entries[$0] }
  }

  /// Adds an entry whose name is new.
  func append(_ entry: consuming YAMLMapping.Entry) {
    entries.append(entry)
    guard entries.count > Self.fewEntries else { return }
    // The table is begun with all entries so far, and goes on with each new one.
    for place in (places.isEmpty ? 0 : entries.count - 1)..<entries.count { places[entries[place].name] = place }
  }
}
