import ReactorCLI
import TestSupport
import Testing

@Suite struct FlowSelectionTests {
  static let flows = [
    FlowSelection.Candidate(id: "shop.customers", name: "customers", tags: ["shop", "daily"], path: "flows/shop.yaml"),
    FlowSelection.Candidate(id: "shop.orders", name: "orders", tags: ["shop"], path: "flows/shop.yaml"),
    FlowSelection.Candidate(id: "eu.orders", name: "orders", tags: ["daily"], path: "flows/regions/eu.yaml"),
    FlowSelection.Candidate(id: "us.orders", name: "orders", path: "./flows/regions/us.yaml"),
  ]

  @Test(
    arguments: [
      ([], [], [0, 1, 2, 3]), (["orders"], [], [1, 2, 3]), (["shop.orders"], [], [1]), (["shop.*"], [], [0, 1]),
      (["*"], ["shop.*"], [2, 3]), (["tag:daily"], [], [0, 2]), (["tag:d*"], [], [0, 2]),
      (["tag:daily,orders"], [], [2]), (["customers us.*"], [], [0, 3]), (["customers", "us.*"], [], [0, 3]),
      (["path:flows/shop.yaml"], [], [0, 1]), (["path:shop.yaml"], [], [0, 1]), (["path:flows/regions"], [], [2, 3]),
      (["path:flows/regions/"], [], [2, 3]), (["path:./flows"], [], [0, 1, 2, 3]), (["path:flows/*.yaml"], [], [0, 1]),
      (["path:flows/**.yaml"], [], [0, 1, 2, 3]), (["[eu]?.orders"], [], [2, 3]), (["[!e]*.orders"], [], [1, 3]),
      (["tag:daily"], ["tag:shop"], [2]), ([], ["tag:shop,tag:daily"], [1, 2, 3]), (["nothing"], [], []),
      (["Orders"], [], []), (["tag:shop path:regions"], ["us.orders"], [0, 1, 2]),
      (["tag:daily !tag:shop"], [], [2]), (["!tag:shop !us.*"], [], [2]), (["!*"], [], []),
      (["!result:passed"], [], [0, 1, 2, 3]),
    ] as [([String], [String], [Int])])
  func `a selection takes the right flows`(select: [String], exclude: [String], expected: [Int]) throws {
    let selection = try FlowSelection(select + exclude.map { "!" + $0 })
    #expect(Self.flows.indices.filter { selection.takes(Self.flows[$0]) } == expected)
  }

  @Test(
    arguments: [
      ("tga:daily", "--select 'tga:daily': flows cannot be selected by 'tga:'", "did you mean 'tag:'?"),
      (
        "state:new", "--select 'state:new': flows cannot be selected by 'state:'",
        "select by name, 'tag:', 'path:' or 'result:'"
      ),
      ("a,,b", "--select 'a,,b': a part of it is empty", "commas stand between two parts, without spaces"),
      ("a, b", "--select 'a, b': a part of it is empty", "commas stand between two parts, without spaces"),
      ("tag:", "--select 'tag:': a part of it is empty", "commas stand between two parts, without spaces"),
      (" ", "--select is empty", "name flows, 'tag:…', 'path:…' or 'result:…'"),
      ("result:faild", "--select 'result:faild': unknown status 'faild'", "did you mean 'result:failed'?"),
      ("result:zzz", "--select 'result:zzz': unknown status 'zzz'", "passed, failed, error, cancelled, new"),
      ("!", "--select '!': a part of it is empty", "commas stand between two parts, without spaces"),
      (
        "a,!b", "--select 'a,!b': '!' must be the first character of a term",
        "write 'a !b' for flows of a that are not of b"
      ), ("shop.[ab", "--select 'shop.[ab': a '[' is not closed", nil),
    ] as [(String, String, String?)])
  func `a wrong selection is refused with the remedy`(text: String, message: String, help: String?) {
    let error = #expect(throws: CommandError.self) { try FlowSelection([text]) }
    #expect(error == CommandError(message, help: help))
  }

  @Test func `a part that fits nothing is reported with a suggestion`() throws {
    let selection = try FlowSelection(["shop.order", "tag:dayly", "orders", "x*", "zzzzzz"])
    let unmatched = selection.unmatched(among: Self.flows)
    #expect(unmatched.map(\.text) == ["shop.order", "tag:dayly", "x*", "zzzzzz"])
    #expect(unmatched.map(\.suggestion) == ["shop.orders", "tag:daily", nil, nil])
  }

  @Test(
    arguments: [
      ("", "", true), ("*", "", true), ("?", "", false), ("a*b*c", "aXbYc", true), ("a*b*c", "acb", false),
      ("[a-c]x", "bx", true), ("[]a]", "]", true), ("[!a]", "a", false), ("a", "A", false), ("é?", "é🙂", true),
      ("[a-]", "-", true), ("*.*", "a.b/c", true),
    ])
  func `globs fit whole names`(pattern: String, name: String, fits: Bool) throws {
    #expect(try #require(Glob(pattern)).matches(name) == fits)
  }

  @Test func `globs of many stars stay bounded`() throws {
    let glob = try #require(Glob(String(repeating: "*a", count: 60) + "b"))
    let time = ProcessorTime.measure { #expect(!glob.matches(String(repeating: "a", count: 2000))) }
    #expect(time < ProcessorTime.bound)
  }
}
