/// A row of the shared state. A column that is null, that does not exist or that has another type is nil.
package struct StateRow: Sendable, Hashable {
  private let columns: [String?]

  init(_ columns: [String?]) { self.columns = columns }

  func text(_ column: Int) -> String? { columns.indices.contains(column) ? columns[column] : nil }
  func integer(_ column: Int) -> Int64? { text(column).flatMap { Int64($0) } }
  func index(_ column: Int) -> Int? { text(column).flatMap { Int($0) } }
  func number(_ column: Int) -> Double? { text(column).flatMap { Double($0) } }
  /// Whether the column is 1; conditions are selected as numbers.
  func isTrue(_ column: Int) -> Bool { text(column) == "1" }
}
