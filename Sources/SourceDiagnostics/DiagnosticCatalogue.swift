/// What each diagnostic code means, for `reactor explain CODE` and the reference page.
///
/// Every area keeps one table of entries beside the code that reports them; the command line joins them:
///
/// ```swift
/// let catalogue = DiagnosticCatalogue(DiagnosticCatalogue.yamlEntries + DiagnosticCatalogue.flowEntries)
/// print(catalogue["yaml.duplicate-key"]?.page ?? "")
/// ```
public struct DiagnosticCatalogue: Sendable {
  /// All entries, by code.
  public let entries: [Entry]
  private let places: [String: Int]

  /// Joins tables; where two entries have one code, the first is kept.
  public init(_ entries: [Entry]) {
    var places: [String: Int] = [:]
    let unique = entries.sorted { $0.code.rawValue < $1.code.rawValue }.filter { entry in
      guard places[entry.code.rawValue] == nil else { return false }
      places[entry.code.rawValue] = places.count
      return true
    }
    self.entries = unique
    self.places = places
  }

  /// The entry of a code, if there is one.
  public subscript(_ code: String) -> Entry? { places[code].map { entries[$0] } }

  /// The code that was probably meant by one that does not exist; the area may be left out (`duplicate-key`).
  public func suggestion(for code: String) -> String? {
    if let entry = entries.first(where: { $0.code.rawValue.hasSuffix("." + code) }) { return entry.code.rawValue }
    return NearMiss.suggestion(for: code, in: entries.map(\.code.rawValue))
  }
}
