import Testing

@testable import FlowSpec

@Suite struct KeyTableTests {
  /// The second and the third have the same hash: length, first and last byte.
  private let names = ["id", "path", "pith", "", "名"]

  @Test func `every key is at its place, and nothing else is anywhere`() {
    let table = KeyTable(names)
    #expect(names.map { table[$0] } == [0, 1, 2, 3, 4])
    for other in ["pxth", "di", "i", "paths", "名名"] { #expect(table[other] == nil) }
  }

  @Test func `among marked keys every marked one is found`() {
    let table = KeyTable(names)
    for marked in names.indices {
      var marks = KeyTable.Marks()
      #expect(names.allSatisfy { table[$0, among: marks] == nil })
      table.mark(marked, in: &marks)
      #expect(table[names[marked], among: marks] == marked)
      #expect(table["id", among: marks] == (marked == 0 ? 0 : nil))
    }
  }

  @Test(arguments: ConstructName.allCases)
  func `every construct's keys are found`(_ name: ConstructName) {
    let construct = name.construct
    #expect(construct.fields.map { construct.slots[$0.name] } == Array(construct.fields.indices))
  }
}
