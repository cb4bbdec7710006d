import Expressions
import JSONSyntax
import ReactorCore
import Records
import Testing
import WebSyntax

@testable import FlowRuntime

@Suite struct RequestProgramTests {
  private static func template(_ text: String) throws -> ExpressionTemplate {
    ExpressionTemplate([.expression(try Expression(parsing: text))])
  }

  /// A request for a parent's record, whose `id` is the value.
  private func resource(
    id: ExpressionValue, _ change: (inout RequestProgram) throws -> Void
  ) throws -> Resource {
    var program = RequestProgram(flow: "shop.orders")
    program.path = [.text("/orders")]
    try change(&program)
    let plan = RequestPlan(
      baseURL: try BaseURL(parsing: "https://api.example.com"), baseText: "https://api.example.com",
      resource: Resource(path: "/orders", method: .GET), shownURL: "https://api.example.com/orders")
    let scope = EvaluationScope(
      ["vars": .map([]), "secrets": .map([ExpressionMember("KEY", .string("s3cr3t"))])], now: .epoch)
    return try program.resource(
      of: plan, in: scope.with(["parent": .map([ExpressionMember("id", id)])]), for: nil)
  }

  private func message(_ body: () throws -> Resource) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? ReactorError)?.message
    }
  }

  @Test func `a value in the path stays within one segment`() throws {
    let resource = try resource(id: .string("a/../b?c")) { program in
      program.path.append(.text("/"))
      program.path.append(.value(try Self.template("parent.id")))
    }
    #expect(resource.path == "/orders/a%2F..%2Fb%3Fc")
  }

  @Test func `an empty value in the path is refused`() throws {
    let found = message {
      try resource(id: .string("")) { $0.path.append(.value(try Self.template("parent.id"))) }
    }
    #expect(found == "'parent.id' is empty, so the URL would have a different path")
  }

  @Test func `braces of the path take values and give a query`() throws {
    let resource = try resource(id: .string("a b")) { program in
      program.path = [.braces(try URITemplate("/orders/{id}{?page}"))]
      program.params = [
        RequestProgram.Parameter("id", .template(try Self.template("parent.id"))),
        RequestProgram.Parameter("page", .texts(["1"])),
      ]
    }
    #expect(resource.path == "/orders/a%20b")
    #expect(resource.query == [Resource.QueryItem("page", "1")])
  }

  @Test func `a parameter that is a list is repeated`() throws {
    let resource = try resource(id: .list([.int(1), .int(2)])) { program in
      program.query = [RequestProgram.Parameter("id", .template(try Self.template("parent.id")))]
    }
    #expect(resource.query == [Resource.QueryItem("id", "1"), Resource.QueryItem("id", "2")])
  }

  @Test func `a header takes no line break from a value`() throws {
    let found = message {
      try resource(id: .string("a\r\nX: b")) { $0.headers = [("X-Id", try Self.template("parent.id"))] }
    }
    #expect(found == "the value of 'parent.id' contains a line break or NUL, which is not allowed here")
  }

  @Test func `a JSON body keeps the type of a value`() throws {
    let resource = try resource(id: .int(7)) { program in
      program.body = .json(.object([ExpressionDocument.Member("id", .template(try Self.template("parent.id")))]))
    }
    #expect(resource.body.map { String(decoding: $0, as: UTF8.self) } == #"{"id":7}"#)
    #expect(resource.headers["Content-Type"] == "application/json")
  }

  @Test(arguments: [
    ("vars.region + parent.id", "variable 'region' has no value"),
    ("secrets.OTHER + parent.id", "secret 'OTHER' has no value"),
    ("secrets.KEY + parent.none", "'secrets.KEY + parent.none' cannot be computed from the values of its secrets"),
  ])
  func `an expression without a value says which name lacks one, and no secret`(
    _ expression: String, _ expected: String
  ) throws {
    let found = message {
      try resource(id: .string("7")) {
        $0.query = [RequestProgram.Parameter("q", .template(try Self.template(expression)))]
      }
    }
    #expect(found == expected)
  }
}
