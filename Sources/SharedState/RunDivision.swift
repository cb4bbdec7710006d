/// The flows of a run, divided into units.
package struct RunDivision: Sendable, Hashable {
  /// The units by their numbers.
  let units: [RunUnit]
  /// The number of each flow's unit.
  package let unitOf: [String: Int]
  /// The ids of each flow's parents.
  let parents: [String: [String]]

  /// Divides flows into units.
  ///
  /// - Parameter flows: the ids of the flows with the ids of their parents, each after its parents
  package init(_ flows: [(id: String, parents: [String])]) {
    units = RunUnit.units(of: flows)
    unitOf = Dictionary(
      units.flatMap { unit in unit.flows.map { ($0, unit.number) } }, uniquingKeysWith: { first, _ in first })
    parents = Dictionary(flows.map { ($0.id, $0.parents) }, uniquingKeysWith: { first, _ in first })
  }
}
