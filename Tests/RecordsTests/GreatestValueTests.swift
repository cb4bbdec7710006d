import FieldTypes
import JSONSyntax
import ReactorCore
import Records
import Testing
import TestSupport

/// The greatest value of a field among the records that fit.
@Suite struct GreatestValueTests {
  private func greatest(_ type: FieldType, _ answers: [String]) async throws -> String? {
    let schema = try schema([("t", type), ("n?", .integer)])
    var whole = try #require(GreatestValue("t", of: schema))
    for answer in answers {
      var part = try #require(GreatestValue("t", of: schema))
      let reader = RecordReader(plan: MappingPlan(schema), selection: RecordSelection(nil), isStrict: false)
      _ = try await reader.read(ResponseBody(bytes: Array(answer.utf8))) { (batch) throws(ReactorError) in
        part.take(batch)
      }
      whole.take(part)
    }
    return whole.text
  }

  private static let cases: [(FieldType, [String], String?)] = [
    (
      FieldType.timestamp(.iso8601), [#"[{"t":"2024-01-01T00:00:01Z"},{"t":"2024-01-01T00:00:01.5Z"}]"#],
      "2024-01-01T00:00:01.5Z"
    ),
    (
      .timestamp(.iso8601), [#"[{"t":"2024-01-01T00:00:01.55Z"}]"#, #"[{"t":"2024-01-01T00:00:01.5Z"}]"#],
      "2024-01-01T00:00:01.55Z"
    ),
    (
      .timestamp(.iso8601), [#"[{"t":"2024-01-01T00:00:00+02:00"},{"t":"2023-12-31T23:00:00Z"}]"#],
      "2023-12-31T23:00:00Z"
    ),
    (.timestamp(.epochSeconds), [#"[{"t":1700000000},{"t":"1700000000.25"},{"t":9}]"#], "2023-11-14T22:13:20.25Z"),
    (.integer, [#"[{"t":-5},{"t":"-3"}]"#, #"[{"t":-4}]"#], "-3"),
    (.integer, [#"[{"t":9},{"t":10},{"t":9223372036854775807}]"#], "9223372036854775807"),
    (.date, [#"[{"t":"2023-12-31"},{"t":"2024-01-01"}]"#], "2024-01-01"),
    (.string, [#"[{"t":"b"},{"t":"a\u0062c"},{"t":"ab"}]"#], "b"),
    (.string, [#"[{"t":"a"},{"t":"\u00e9"}]"#], "é"),
    // Records that are left out do not count.
    (.integer, [#"[{"t":1},{"t":7,"n":"x"},{"t":"x"}]"#], "1"),
    (.integer, ["[]"], nil),
  ]

  @Test(arguments: cases)
  func `it is found by the order of the type`(_ type: FieldType, _ answers: [String], _ text: String?) async throws {
    #expect(try await greatest(type, answers) == text)
  }

  @Test func `a field that is not there or has no order has none`() throws {
    let schema = try schema([("t", .boolean), ("n", .number)])
    for name in ["t", "n", "x"] { #expect(GreatestValue(name, of: schema) == nil) }
  }
}
