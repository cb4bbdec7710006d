import FieldTypes
import JSONSyntax
import ReactorCore
import Records
import Testing

/// What each type takes, what it makes of it, and what it refuses: conversions are lossless or an error.
@Suite struct ConversionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var type: FieldType
    var input: String
    /// The JSON that is kept; nil when the value is refused.
    var output: String?

    init(_ type: FieldType, _ input: String, _ output: String?) {
      self.type = type
      self.input = input
      self.output = output
    }

    var testDescription: String { "\(type.name): \(input) → \(output ?? "refused")" }
  }

  @Test(arguments: [
    Case(.string, #""plain""#, #""plain""#),
    Case(.string, #""caf\u00e9 \ud83d\ude80""#, #""café 🚀""#),
    Case(.string, #""tab\t \"q\" \\ \/""#, #""tab\t \"q\" \\ /""#),
    Case(.string, #""\u0000\u001f""#, #""\u0000\u001f""#),
    Case(.string, #""\ud800""#, nil),
    Case(.string, #""\udc00\ud800""#, nil),
    Case(.string, "42", nil),
    Case(.string, "true", nil),
    Case(.integer, "42", "42"),
    Case(.integer, "-0", "0"),
    Case(.integer, "42.0", "42"),
    Case(.integer, "4.2e1", "42"),
    Case(.integer, "1e3", "1000"),
    Case(.integer, "42.5", nil),
    Case(.integer, "9223372036854775807", "9223372036854775807"),
    Case(.integer, "-9223372036854775808", "-9223372036854775808"),
    Case(.integer, "9223372036854775808", nil),
    Case(.integer, "9007199254740993", "9007199254740993"),
    Case(.integer, "1e400", nil),
    Case(.integer, #""42""#, "42"),
    Case(.integer, #""-7""#, "-7"),
    Case(.integer, #""42.5""#, nil),
    Case(.integer, #""42.0""#, nil),
    Case(.integer, #""007""#, nil),
    Case(.integer, #""+7""#, nil),
    Case(.integer, #"" 7""#, nil),
    Case(.integer, #""""#, nil),
    Case(.integer, "true", nil),
    Case(.integer, "[1]", nil),
    Case(.number, "1.50", "1.50"),
    Case(.number, "-1e-7", "-1e-7"),
    Case(.number, "1e400", nil),
    Case(.number, #""1.50""#, "1.50"),
    Case(.number, #""+Inf""#, nil),
    Case(.number, #""NaN""#, nil),
    Case(.number, #""1.""#, nil),
    Case(.number, #"".5""#, nil),
    Case(.number, "false", nil),
    Case(.decimal, "1.10", #""1.10""#),
    Case(.decimal, "1e400", #""1e400""#),
    Case(.decimal, #""123456789012345678901234567890.10""#, #""123456789012345678901234567890.10""#),
    Case(.decimal, #""12,5""#, nil),
    Case(.boolean, "true", "true"),
    Case(.boolean, "false", "false"),
    Case(.boolean, #""true""#, "true"),
    Case(.boolean, #""True""#, nil),
    Case(.boolean, "1", nil),
    Case(.boolean, #""yes""#, nil),
    Case(.timestamp(.iso8601), #""2024-05-01T12:00:00Z""#, #""2024-05-01T12:00:00Z""#),
    Case(.timestamp(.iso8601), #""2024-05-01T12:00:00+02:00""#, #""2024-05-01T10:00:00Z""#),
    Case(.timestamp(.iso8601), #""2024-05-01t12:00:00.250z""#, #""2024-05-01T12:00:00.25Z""#),
    Case(.timestamp(.iso8601), #""2024-05-01 12:00:00 -0130""#, #""2024-05-01T13:30:00Z""#),
    Case(.timestamp(.iso8601), #""20240501T120000Z""#, #""2024-05-01T12:00:00Z""#),
    Case(.timestamp(.iso8601), #""2016-12-31T23:59:60Z""#, #""2017-01-01T00:00:00Z""#),
    Case(.timestamp(.iso8601), #""2024-02-29T00:00:00Z""#, #""2024-02-29T00:00:00Z""#),
    Case(.timestamp(.iso8601), #""2023-02-29T00:00:00Z""#, nil),
    Case(.timestamp(.iso8601), #""2024-05-01T24:00:00Z""#, nil),
    Case(.timestamp(.iso8601), #""2024-05-01T12:00:00""#, nil),
    Case(.timestamp(.iso8601InUTC), #""2024-05-01T12:00:00""#, #""2024-05-01T12:00:00Z""#),
    Case(.timestamp(.iso8601InUTC), #""2024-05-01 12:00:00.5""#, #""2024-05-01T12:00:00.5Z""#),
    Case(.timestamp(.iso8601InUTC), #""2024-05-01T12:00:00+02:00""#, #""2024-05-01T10:00:00Z""#),
    Case(.timestamp(.iso8601InUTC), #""2024-05-01T12:00:00Z""#, #""2024-05-01T12:00:00Z""#),
    Case(.timestamp(.iso8601InUTC), #""2023-02-29T00:00:00""#, nil),
    Case(.timestamp(.iso8601InUTC), "1714564800", nil),
    Case(.timestamp(.iso8601), #""2024-05-01""#, nil),
    Case(.timestamp(.iso8601), "1714564800", nil),
    Case(.timestamp(.epochMicroseconds), "1714564800000001", #""2024-05-01T12:00:00.000001Z""#),
    Case(.timestamp(.epochMicroseconds), "1714564800000000.5", #""2024-05-01T12:00:00.0000005Z""#),
    Case(
      .timestamp(.anyOf([.iso8601, .epochMilliseconds, .pattern("%d/%m/%Y")])), "1714564800000",
      #""2024-05-01T12:00:00Z""#),
    Case(
      .timestamp(.anyOf([.iso8601, .epochMilliseconds, .pattern("%d/%m/%Y")])), #""1714564800000""#,
      #""2024-05-01T12:00:00Z""#),
    Case(
      .timestamp(.anyOf([.iso8601, .epochMilliseconds, .pattern("%d/%m/%Y")])), #""01/05/2024""#,
      #""2024-05-01T00:00:00Z""#),
    Case(
      .timestamp(.anyOf([.iso8601, .epochMilliseconds, .pattern("%d/%m/%Y")])), #""2024-05-01T14:00:00+02:00""#,
      #""2024-05-01T12:00:00Z""#),
    Case(.timestamp(.anyOf([.iso8601, .epochMilliseconds, .pattern("%d/%m/%Y")])), #""2024-05-01""#, nil),
    Case(.timestamp(.anyOf([.iso8601, .pattern("%Y-%m-%d")])), "1714564800000", nil),
    Case(.timestamp(.anyOf([.pattern("%Y%m%d"), .epochSeconds])), #""20240501""#, #""2024-05-01T00:00:00Z""#),
    Case(.timestamp(.anyOf([.pattern("%Y%m%d"), .epochSeconds])), "20240501", #""1970-08-23T06:21:41Z""#),
    Case(.timestamp(.epochSeconds), "1714564800", #""2024-05-01T12:00:00Z""#),
    Case(.timestamp(.epochSeconds), "1714564800.5", #""2024-05-01T12:00:00.5Z""#),
    Case(.timestamp(.epochSeconds), #""1714564800""#, #""2024-05-01T12:00:00Z""#),
    Case(.timestamp(.epochSeconds), "-1", #""1969-12-31T23:59:59Z""#),
    Case(.timestamp(.epochSeconds), "-0.5", #""1969-12-31T23:59:59.5Z""#),
    Case(.timestamp(.epochSeconds), "99999999999999999", nil),
    Case(.timestamp(.epochMilliseconds), "1714564800123", #""2024-05-01T12:00:00.123Z""#),
    Case(.timestamp(.pattern("%d/%b/%Y %H:%M")), #""01/May/2024 12:30""#, #""2024-05-01T12:30:00Z""#),
    Case(.timestamp(.pattern("%Y-%m-%d %I:%M %p")), #""2024-05-01 12:05 AM""#, #""2024-05-01T00:05:00Z""#),
    Case(.timestamp(.pattern("%Y-%m-%d %H:%M:%S %z")), #""2024-05-01 12:00:00 +0200""#, #""2024-05-01T10:00:00Z""#),
    Case(.timestamp(.pattern("%Y-%m-%d")), #""2024-13-01""#, nil),
    Case(.date, #""2024-05-01""#, #""2024-05-01""#),
    Case(.date, #""2024-5-1""#, nil),
    Case(.date, #""2024-04-31""#, nil),
    Case(.duration, #""P1DT2H""#, #""P1DT2H""#),
    Case(.duration, #""PT0.5S""#, #""PT0.5S""#),
    Case(.duration, #""90s""#, #""90s""#),
    Case(.duration, #""P""#, nil),
    Case(.duration, #""PT""#, nil),
    Case(.duration, #""1 hour""#, nil),
    Case(
      .uuid, #""F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6""#, #""f81d4fae-7dec-11d0-a765-00a0c91e6bf6""#),
    Case(.uuid, #""f81d4fae7dec11d0a76500a0c91e6bf6""#, nil),
    Case(.url, #""https://example.com/a?b=c#d""#, #""https://example.com/a?b=c#d""#),
    Case(.url, #""https:\/\/example.com\/""#, #""https://example.com/""#),
    Case(.url, #""/relative""#, nil),
    Case(.url, #""https://exa mple.com""#, nil),
    Case(.bytes, #""aGVsbG8=""#, #""aGVsbG8=""#),
    Case(.bytes, #""aGVsbG8""#, nil),
    Case(.bytes, #""aGVsbG9=""#, nil),
    Case(.enumeration(["free", "pro"]), #""pro""#, #""pro""#),
    Case(.enumeration(["free", "pro"]), #""p\u0072o""#, #""pro""#),
    Case(.enumeration(["free", "pro"]), #""Pro""#, nil),
    Case(.list(.integer), #"[1, "2", 3.0]"#, "[1,2,3]"),
    Case(.list(.integer), "[]", "[]"),
    Case(.list(.integer), "[1, null]", nil),
    Case(.list(.integer), #"[1, "x"]"#, nil),
    Case(.list(.integer), "{}", nil),
    Case(.list(.list(.boolean)), "[[true], []]", "[[true],[]]"),
    Case(.json, #"{ "a" : [ 1.0 , null , "\u0041" ] }"#, #"{"a":[1.0,null,"A"]}"#),
    Case(.json, "null", "null"),
    Case(.json, #"["\ud800"]"#, nil),
  ])
  func `a value becomes what its type keeps, or is refused`(_ example: Case) async throws {
    let reading = try await Reading("[{\"v\": \(example.input)}]", schema([("v", example.type)]))
    if let output = example.output {
      #expect(reading.lines == ["{\"v\":\(output)}"])
      #expect(reading.report.rejected == 0)
    } else {
      #expect(reading.lines.isEmpty)
      #expect(reading.report.rejections.map(\.pointer).allSatisfy { $0.hasPrefix("/v") })
      #expect(reading.report.rejected == 1)
    }
  }

  @Test(arguments: [
    Case(.string, "42", #""42""#), Case(.string, "-1.50e3", #""-1.50e3""#), Case(.string, "true", #""true""#),
    Case(.string, "false", #""false""#), Case(.string, #""""#, #""""#), Case(.string, "[]", nil),
    Case(.string, "{}", nil), Case(.integer, #""42.0""#, "42"), Case(.integer, #""4.2e1""#, "42"),
    Case(.integer, #""42.5""#, nil), Case(.integer, #""1,000""#, nil), Case(.integer, "42.5", nil),
    Case(.integer, #""""#, "null"), Case(.integer, "true", nil), Case(.boolean, "1", "true"),
    Case(.boolean, "0", "false"), Case(.boolean, "1.0", "true"), Case(.boolean, "2", nil),
    Case(.boolean, #""YES""#, "true"), Case(.boolean, #""Off""#, "false"), Case(.boolean, #""maybe""#, nil),
    Case(.boolean, #""""#, "null"), Case(.timestamp(.iso8601), #""""#, "null"), Case(.date, #""""#, "null"),
    Case(.date, #""0""#, nil), Case(.number, #""""#, "null"), Case(.enumeration(["a"]), #""""#, "null"),
    Case(.uuid, "1", nil),
  ])
  func `a field with coerce takes other types if nothing is lost`(_ example: Case) async throws {
    var field = FieldMapping("v", example.type, missing: .optional)
    field.coerces = true
    let reading = try await Reading("[{\"v\": \(example.input)}]", RecordSchema(name: "t", fields: [field]))
    #expect(reading.lines == (example.output.map { ["{\"v\":\($0)}"] } ?? []))
    #expect(reading.report.rejected == (example.output == nil ? 1 : 0))
    // Without it, only the same type is taken.
    field.coerces = false
    let strict = try await Reading("[{\"v\": \(example.input)}]", RecordSchema(name: "t", fields: [field]))
    #expect(strict.lines == (example.type == .string && example.input == #""""# ? reading.lines : []))
  }

  @Test func `an empty text in a required field with coerce rejects the record`() async throws {
    var (field, other) = (FieldMapping("v", .integer), FieldMapping("w", .integer, missing: .default(.integer(7))))
    field.coerces = true
    other.coerces = true
    let reading = try await Reading(
      #"[{"v": "", "w": 1}, {"v": 1, "w": ""}]"#, RecordSchema(name: "t", fields: [field, other]))
    #expect(reading.lines == [#"{"v":1,"w":7}"#])
    #expect(reading.report.rejections.map(\.reason) == ["'v' is required, but null"])
  }

  @Test func `a nested object is mapped by its own fields`() async throws {
    let point = FieldType.object([
      FieldMapping(name: "x", from: try .init(parsing: "$.lon"), type: .number),
      FieldMapping(name: "y", from: try .init(parsing: "$.pos[1]"), type: .integer, missing: .default(.integer(0))),
    ])
    let reading = try await Reading(
      #"[{"p": {"lon": 1.5, "pos": [1, 2], "more": {}}}, {"p": {"lon": 2}}, {"p": {"lon": "east"}}]"#,
      schema([("p", point)]))
    #expect(reading.lines == [#"{"p":{"x":1.5,"y":2}}"#, #"{"p":{"x":2,"y":0}}"#])
    #expect(reading.report.rejections.map(\.pointer) == ["/p/lon"])
  }

  @Test func `an error deep in a list is pointed at`() async throws {
    let line = FieldType.list(.object([FieldMapping(name: "n", from: try .init(parsing: "$.n"), type: .integer)]))
    let reading = try await Reading(#"[{"l": [{"n": 1}, {"n": "no"}]}]"#, schema([("l", line)]))
    let rejection = try #require(reading.report.rejections.first)
    #expect(rejection.pointer == "/l/1/n")
    #expect(rejection.reason == #"expected an integer, found the string "no""#)
  }

  @Test func `the position of a mismatch is that of its own record`() async throws {
    let fields = try schema([("l?", .list(.integer)), ("n", .integer)])
    let reading = try await Reading(#"[{"l":[1,"no"],"n":1},{"n":"no"},{"l":[1,"no"],"n":"no"}]"#, fields)
    #expect(reading.report.rejections.map(\.pointer) == ["/l/1", "/n", "/l/1"])
  }

  @Test func `missing and null follow the policy`() async throws {
    var fields = try schema([("a", .string), ("b?", .string)])
    fields.fields.append(
      FieldMapping(name: "c", from: try .init(parsing: "$.c"), type: .string, missing: .default(.string("x\"y"))))
    let reading = try await Reading(
      #"[{"a":"1","b":null,"c":null},{"a":"2"},{"a":null},{"b":"3"}]"#, fields)
    #expect(reading.lines == [#"{"a":"1","b":null,"c":"x\"y"}"#, #"{"a":"2","b":null,"c":"x\"y"}"#])
    #expect(reading.report.rejections.map(\.reason) == ["'a' is required, but null", "'a' is required, but absent"])
  }

  @Test func `of a repeated name the last value counts`() async throws {
    let fields = try schema([("a", .integer), ("b?", .integer)], from: ["b": "$.o.b"])
    let reading = try await Reading(#"[{"a":"bad","o":{"b":1},"a":2,"o":{}}]"#, fields)
    #expect(reading.lines == [#"{"a":2,"b":null}"#])
  }

  @Test func `a path that is not a plain walk is asked on the whole record`() async throws {
    let fields = try schema(
      [("last", .string), ("all", .list(.integer)), ("first?", .integer)],
      from: ["last": "$.tags[-1]", "all": "$.items[?@.ok].n", "first": "$.items[?@.n > 90].n"])
    let reading = try await Reading(
      #"[{"tags":["a","z"],"items":[{"ok":1,"n":1},{"n":2},{"ok":0,"n":3}]}]"#, fields)
    #expect(reading.lines == [#"{"last":"z","all":[1,3],"first":null}"#])
  }

  @Test func `names with escapes and names that begin alike are told apart`() async throws {
    let fields = try schema(
      [("one", .integer), ("two", .integer)], from: ["one": "$.long_name_1", "two": "$.long_name_2"])
    let reading = try await Reading(
      #"[{"long_name_3":9,"long_name_1":1,"long_name_2":2},{"long_name_2":4,"l\u006fng_name_1":3,"x":0}]"#, fields)
    #expect(reading.lines == [#"{"one":1,"two":2}"#, #"{"one":3,"two":4}"#])
  }
}
