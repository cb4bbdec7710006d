import JSONSyntax
import ReactorCore
import Records
import Testing

@Suite struct RecordDecodingTests {
  private struct Article: Decodable, Equatable {
    struct Author: Decodable, Equatable {
      var name: String
      var age: UInt8?
    }
    enum Kind: String, Decodable { case news, blog }

    var id: Int
    var price: Double
    var isFree: Bool
    var kind: Kind
    var tags: [String]
    var authors: [Author]
    var votes: [String: Int]
    var note: String?
    var score: Float?

    enum CodingKeys: String, CodingKey {
      case id, price, kind, tags, authors, votes, note, score
      case isFree = "is_free"
    }
  }

  private func record(_ changed: [String: String] = [:]) throws -> Record {
    var fields = [
      "id": "7", "price": "1.50", "is_free": "true", "kind": #""blog""#, "tags": #"["a","b"]"#,
      "authors": #"[{"name":"Ada","age":36},{"name":"Bo","age":null}]"#, "votes": #"{"up":3}"#, "note": "null",
      "score": "0.5",
    ]
    fields.merge(changed) { $1 }
    let text = fields.filter { $0.value != "" }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    return Record(try JSONValue(parsing: "{\(text)}"))
  }

  @Test func `a record becomes a decodable type`() throws {
    let article: Article = try record().decode()
    #expect(
      article
        == Article(
          id: 7, price: 1.5, isFree: true, kind: .blog, tags: ["a", "b"],
          authors: [.init(name: "Ada", age: 36), .init(name: "Bo", age: nil)], votes: ["up": 3], note: nil, score: 0.5)
    )
    #expect(try record(["note": "", "score": ""]).decode(Article.self).note == nil)
  }

  @Test(arguments: [
    ("id", #""7""#, "/id", "expected an integer in the range of Int, found string"),
    ("id", "7.5", "/id", "expected an integer in the range of Int, found number"),
    ("price", "true", "/price", "expected a number, found boolean"),
    ("is_free", "1", "/is_free", "expected a boolean, found number"),
    ("tags", "{}", "/tags", "expected a list, found object"),
    ("tags", #"["a",1]"#, "/tags/1", "expected a string, found number"),
    (
      "authors", #"[{"name":"Ada","age":256}]"#, "/authors/0/age",
      "expected an integer in the range of UInt8, found number"
    ),
    ("authors", "[{}]", "/authors/0/name", "the record has no field 'name'"),
    ("votes", "[]", "/votes", "expected an object, found array"),
    ("id", "", "/id", "the record has no field 'id'"),
  ])
  func `a field that does not fit is named`(
    _ field: String, _ json: String, _ pointer: String, _ message: String
  ) throws {
    let record = try record([field: json])
    let error = #expect(throws: MappedError.self) { try record.decode(Article.self) }
    #expect(error?.pointer == pointer)
    #expect(error?.message == message)
  }

  @Test func `integers decode exactly up to the bounds of their type`() throws {
    struct Bounds: Decodable, Equatable {
      var low: Int64
      var high: UInt64
      var whole: Int
    }
    let text = #"{"low":-9223372036854775808,"high":18446744073709551615,"whole":42.0}"#
    #expect(try Record(JSONValue(parsing: text)).decode() == Bounds(low: .min, high: .max, whole: 42))
  }
}
