/// The pairs of an open mapping, found by name.
struct PairList {
  private(set) var entries: [YAMLMapping.Entry] = []
  /// The places of names in `entries`, once there are too many to look through.
  private var places: [String: Int] = [:]

  /// Names up to which a look through all is faster than a table.
  private static let fewEntries = 12

  /// The place of a name, if it is there.
  func place(of name: String) -> Int? {
    if places.isEmpty { return entries.firstIndex { $0.name == name } }
    return places[name]
  }

  /// Adds an entry; the name is new unless repeated keys are allowed.
  mutating func append(_ entry: consuming YAMLMapping.Entry) {
    if entries.isEmpty { entries.reserveCapacity(4) }
    entries.append(entry)
    guard entries.count > Self.fewEntries else { return }
    // The table is begun with all entries so far, and goes on with each new one.
    for place in (places.isEmpty ? 0 : entries.count - 1)..<entries.count { places[entries[place].name] = place }
  }
}
