import JSONSyntax
import ReactorCore
import TestSupport
import Testing

@Suite struct ParserTests {
  private let pruning = Parser.array(of: ModelMapping<Article>())
  private let strict = Parser.array(of: ModelMapping<Article>(), prune: false)

  private func error(_ parse: () throws -> some Any) -> ReactorError? {
    do {
      _ = try parse()
      return nil
    } catch {
      return error as? ReactorError
    }
  }

  @Test func `R-024 parsing, encoding and parsing again keeps three articles`() throws {
    let first = try pruning.parse(Array(Answer.threeArticles.utf8))
    let text = try pruning.encode(first.model)
    let again = try pruning.parse(text)
    #expect(first.model == Article.all)
    #expect(again.model == Article.all)
    #expect(again.report == PruneReport(kept: 3))
    #expect(text.count == Answer.threeArticles.utf8.count)
  }

  @Test func `R-025 a single author survives parsing, encoding and parsing again`() throws {
    let parser = Parser(ModelMapping<Author>())
    let author = try parser.parse(Array(Answer.author.utf8)).model
    #expect(author == Author(name: "Ada"))
    #expect(try parser.parse(parser.encode(author)).model == author)
    #expect(try parser.encode(author) == Array(#"{"name":"Ada"}"#.utf8))
  }

  @Test func `R-026 truncated JSON fails in a pruned array`() {
    #expect(error { try pruning.parse(Array(Answer.truncated.utf8)) }?.kind == .parser)
  }

  @Test func `R-027 strict parsing stops at the first bad object and names it`() {
    let error = error { try strict.parse(Array(Answer.thirdIncomplete.utf8)) }
    #expect(error == ReactorError(.parser, "missing", recordIndex: 2, pointer: "/body"))
    #expect(error?.description == "missing (record 2, /body)")
    #expect(self.error { try strict.parse(Array(Answer.allBad.utf8)) }?.recordIndex == 0)
  }

  @Test func `R-028 truncated JSON fails for a single model`() {
    let parser = Parser(ModelMapping<Author>())
    #expect(error { try parser.parse(Array(#"{"name": "A"#.utf8)) }?.kind == .parser)
  }

  @Test(arguments: ["", " \n", "<html>", "{", "[,]", "[] []", "nul", "\u{FEFF}", "[\"\\ud800\"]", "{\"a\":1,}"])
  func `what is not JSON fails in strict and in pruning`(_ text: String) {
    for parser in [pruning, strict] {
      let error = error { try parser.parse(Array(text.utf8)) }
      #expect(error?.kind == .parser)
      #expect(error?.recordIndex == nil)
    }
  }

  @Test func `a response that is markup or empty is called so`() {
    #expect(
      error { try strict.parse(Array("\n<!DOCTYPE html>".utf8)) }?.message
        == "the response is an HTML page, not JSON")
    #expect(
      error { try strict.parse(Array("<HTML>\n<title>Sign in</title>".utf8)) }?.message
        == "the response is an HTML page: 'Sign in', not JSON")
    #expect(
      error { try strict.parse(Array("<?xml version='1.0'?><a/>".utf8)) }?.message == "the response is XML, not JSON")
    #expect(error { try strict.parse([]) }?.message == "the response is empty where JSON should be")
  }

  @Test(arguments: [("{}", "object"), ("null", "null"), ("3", "number"), ("\"x\"", "string"), ("true", "boolean")])
  func `a top level that is no array is a parser error`(_ text: String, _ kind: String) {
    for parser in [pruning, strict] {
      #expect(
        error { try parser.parse(Array(text.utf8)) } == .parser("the response is not an array but \(kind)"))
    }
  }

  @Test func `a single model is never pruned`() {
    let error = error { try Parser(ModelMapping<Article>()).parse(Array(#"{"title": true}"#.utf8)) }
    #expect(error == ReactorError(.parser, "expected a string, found boolean", pointer: "/title"))
  }

  @Test func `pruning reports the index and the reason of every rejection`() throws {
    let text = """
      [{"title": "a", "body": "b", "authors": [{"name": "x"}, {"name": 1}], "numberOfLikes": 1}, null,
       {"title": "a", "body": "b", "authors": [], "numberOfLikes": 1.5},
       {"title": "a", "body": "b", "authors": [], "numberOfLikes": 1.0}]
      """
    let parsed = try pruning.parse(Array(text.utf8))
    #expect(parsed.model.map(\.numberOfLikes) == [1])
    #expect(
      parsed.report.rejections == [
        .init(index: 0, pointer: "/authors/1/name", reason: "expected a string, found number"),
        .init(index: 1, pointer: "", reason: "expected an object, found null"),
        .init(index: 2, pointer: "/numberOfLikes", reason: "expected a 64-bit integer, found the number 1.5"),
      ])
    #expect(parsed.report.rejected == 3)
    #expect(parsed.report.rejections.map(\.description).last?.hasPrefix("record 2 at /numberOfLikes: ") == true)
  }

  @Test func `the list of rejections is bounded, the counts are not`() throws {
    let text = "[" + Array(repeating: "0", count: 1000).joined(separator: ",") + "]"
    let report = try pruning.parse(Array(text.utf8)).report
    #expect(report.rejected == 1000)
    #expect(report.rejections.map(\.index) == Array(0..<100))
    #expect(report.isWhollyRejected)
    var merged = PruneReport(kept: 2)
    merged.merge(report)
    merged.merge(report)
    #expect(merged.total == 2002)
    #expect(merged.rejections.count == PruneReport.listLimit)
    #expect(!merged.isWhollyRejected)
    #expect(!PruneReport().isWhollyRejected)
    merged = PruneReport()
    merged.reject(at: 0, because: MappedError(String(repeating: "x", count: 5000)))
    #expect(merged.rejections[0].reason.count == PruneReport.Rejection.reasonLimit + 1)
  }

  @Test func `an array under a key is found, written back, and missed with an error`() throws {
    let parser = Parser.array(of: ModelMapping<Author>(), under: "a/b")
    let parsed = try parser.parse(Array(#"{"n": 1, "a/b": [{"name": "Ada"}, {}]}"#.utf8))
    #expect(parsed.model == [Author(name: "Ada")])
    #expect(parsed.report.rejected == 1)
    #expect(try parser.encode(parsed.model) == Array(#"{"a/b":[{"name":"Ada"}]}"#.utf8))
    #expect(
      error { try parser.parse(Array("{}".utf8)) }?.message
        == "no records: the response contains nothing at $['a/b']; $ has no members")
    #expect(error { try parser.parse(Array("[]".utf8)) }?.kind == .parser)
    let wrong = error { try parser.parse(Array(#"{"a/b": {}}"#.utf8)) }
    #expect(wrong?.pointer == "/a~1b")
    #expect(wrong?.message == "not an array but object")
  }

  @Test func `a model without a JSON form is an error, not the end of the process`() {
    let mapping = ModelMapping<Int>(
      decode: { (_) throws(MappedError) -> Int in 0 }, encode: { $0 == 2 ? nil : .integer(1) })
    #expect(error { try Parser(mapping).encode(2) }?.kind == .persistence)
    #expect(error { try Parser.array(of: mapping).encode([1, 1, 2]) }?.recordIndex == 2)
  }

  @Test func `a response over the limit is refused while it is read`() async {
    var parser = pruning
    parser.limit = 10
    let response = Response(status: 200, body: ResponseBody(bytes: Array("[1, 2, 3, 4]".utf8)))
    let error = await #expect(throws: ReactorError.self) { try await parser.parse(response) }
    #expect(error == .server("the response is larger than 10 bytes"))
  }

  @Test func `a body cut at any byte fails, and in chunks of any size it parses alike`() async throws {
    let bytes = Array(Answer.threeArticles.utf8)
    for length in 0..<bytes.count {
      #expect(error { try pruning.parse(Array(bytes[..<length])) }?.kind == .parser)
    }
    for size in [1, 2, 3, 7, 64] {
      let chunks = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
      let response = try await StubConnection(chunks: chunks).response(for: .articles)
      #expect(try await pruning.parse(response).model == Article.all)
    }
  }

  @Test func `optional fields may be absent or null, and wrong kinds name their pointer`() throws {
    let json = try JSONValue(parsing: #"{"a": null, "b": 2.5, "c": true, "d": {"name": 1}, "e": 3}"#)
    #expect(try json.optionalField("a") { (json) throws(MappedError) in try json.stringField("a") } == nil)
    #expect(try json.optionalField("z") { (json) throws(MappedError) in try json.stringField("z") } == nil)
    #expect(try json.optionalField("b") { (json) throws(MappedError) in try json.numberField("b") } == 2.5)
    #expect(try json.booleanField("c"))
    #expect(throws: MappedError("expected a string, found number", pointer: "/d/name")) {
      _ = try json.modelField("d", as: Author.self)
    }
    #expect(throws: MappedError("expected an array, found number", pointer: "/e")) {
      _ = try json.modelsField("e", of: Author.self)
    }
    #expect(throws: MappedError("expected a boolean, found number", pointer: "/e")) { _ = try json.booleanField("e") }
    #expect(throws: MappedError("expected a number, found boolean", pointer: "/c")) { _ = try json.numberField("c") }
    #expect(throws: MappedError("expected an object, found array")) { _ = try JSONValue.array([]).field("x") }
  }
}
