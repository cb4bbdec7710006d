import JSONSyntax
import TestSupport
import Testing

@Suite struct JSONPathNodeTests {
  @Test func `nodes have their locations`() throws {
    let document = try json(#"{"a b":[{"c/d":1},{"~":2}],"'\n\u0001":[3]}"#)
    let nodes = try JSONPath(parsing: "$..[?@ > 0]").nodes(in: document)
    #expect(
      nodes.map(\.location.normalizedPath) == ["$['a b'][0]['c/d']", "$['a b'][1]['~']", "$['\\'\\n\\u0001'][0]"])
    #expect(nodes.map(\.location.pointer.description) == ["/a b/0/c~1d", "/a b/1/~0", "/'\n\u{1}/0"])
    #expect(nodes.map(\.value) == [.integer(1), .integer(2), .integer(3)])
    #expect(nodes[0].location.steps == [.name("a b"), .index(0), .name("c/d")])
  }

  @Test func `negative indices and slices give indices from the start`() throws {
    let document = try json("[0,1,2]")
    #expect(try JSONPath(parsing: "$[-1]").nodes(in: document).map(\.location.normalizedPath) == ["$[2]"])
    #expect(try JSONPath(parsing: "$[::-2]").nodes(in: document).map(\.location.normalizedPath) == ["$[2]", "$[0]"])
    #expect(try JSONPath(parsing: "$").nodes(in: document).map(\.location.normalizedPath) == ["$"])
  }

  @Test(arguments: 0..<40)
  func `the location of each node selects exactly that node again`(_ seed: Int) throws {
    var generator = SeededGenerator(UInt64(seed))
    let document = JSONValue.random(depth: 5, using: &generator)
    for query in ["$..*", "$", "$[*][*]", "$..[-1,0]", "$..[?@]", "$..[1::-1]", "$..['a','~1']"] {
      let path = try JSONPath(parsing: query)
      let nodes = try path.nodes(in: document)
      #expect(try path.values(in: document) == nodes.map(\.value))
      for node in nodes {
        let again = try JSONPath(parsing: node.location.normalizedPath).nodes(in: document)
        #expect(again.map(\.location.normalizedPath) == [node.location.normalizedPath])
        #expect(again.allSatisfy { $0.value.isEquivalent(to: node.value) } && again.count == 1)
        #expect(try node.location.path.values(in: document).count == 1)
        #expect(document.value(at: node.location.steps)?.isEquivalent(to: node.value) == true)
        let pointer = try JSONPointer(parsing: node.location.pointer.description)
        #expect(pointer.value(in: document)?.isEquivalent(to: node.value) == true)
      }
    }
  }

  @Test(arguments: 0..<20)
  func `the descendants are every value below the root, once`(_ seed: Int) throws {
    var generator = SeededGenerator(UInt64(seed) &* 77)
    let document = JSONValue.random(depth: 6, using: &generator)
    let nodes = try JSONPath(parsing: "$..*").nodes(in: document)
    #expect(nodes.count == descendants(of: document))
    #expect(Set(nodes.map { Array($0.location.normalizedPath.utf8) }).count == nodes.count)
  }

  private func descendants(of value: JSONValue) -> Int {
    switch value {
    case .array(let elements): elements.reduce(elements.count) { $0 + descendants(of: $1) }
    case .object(let object): object.members.reduce(object.members.count) { $0 + descendants(of: $1.value) }
    default: 0
    }
  }
}
