import SharedState
import Testing

struct RunUnitTests {
  @Test func `flows that hand on records to each other are one unit`() {
    let units = RunUnit.units(of: [
      ("a", []), ("b", []), ("child of b", ["b"]), ("c", []), ("of a and c", ["a", "c"]), ("of child", ["child of b"]),
      ("alone", ["not selected"]),
    ])
    #expect(units.map(\.flows) == [["a", "c", "of a and c"], ["b", "child of b", "of child"], ["alone"]])
    #expect(units.map(\.number) == [0, 1, 2])
  }
}
