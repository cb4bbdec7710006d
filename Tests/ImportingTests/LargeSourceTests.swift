import FlowSpec
import Importing
import JSONSyntax
import TestSupport
import Testing

/// Sources with thousands of parts: each part is looked at a few times, and not once for each other part.
///
/// The work is measured in what it uses of the processors, which a machine under load does not change; the time limit is
/// only for a test that hangs.
@Suite(.timeLimit(.minutes(3))) struct LargeSourceTests {
  /// Imports a collection, and expects that the work does not grow with the square of its parts.
  private func imported(_ collection: JSONValue) throws -> Imported {
    let text = collection.text
    let before = ProcessorTime.used
    let imported = try Imported(postman: text)
    let time = ProcessorTime.used - before
    #expect(time < ProcessorTime.bound, "\(time)")
    return imported
  }

  /// Collections of other programs are large because nothing in them is shared. Tokens begin alike, as those of one
  /// server do, and they occur in other texts.
  @Test func `sixteen thousand credentials that begin alike are replaced`() throws {
    func token(_ request: Int, _ number: Int) -> String { "shop-token-\(request)-\(number)-\(request)" }
    let items = (0..<4_000).map { index -> JSONValue in
      let known = max(index - 1, 0)
      let headers = (1...3).map { number -> JSONValue in
        .object(["key": .string("X-Secret-\(number)"), "value": .string(token(index, number))])
      }
      return .object([
        "name": .string("Item \(token(index, 0))"),
        "request": .object([
          "url": .string("https://a.example.com/items/\(token(known, 1))/\(token(known, 2))"),
          "header": .array(headers),
          "auth": .object([
            "type": "bearer", "bearer": .array([.object(["key": "token", "value": .string(token(index, 0))])]),
          ]),
          "description": .string("before \(token(known, 3)) after"),
        ]),
      ])
    }
    let imported = try imported(.object(["item": .array(items)]))
    #expect(imported.flows.count == 4_000 && imported.report.secrets.count == 16_000)
    for text in ["/shop-token-17-", "before shop-token-17-"] { #expect(!imported.text.contains(text)) }
    #expect(imported.text.contains("{{ secrets.X_SECRET_1_18 }}/{{ secrets.X_SECRET_2_18 }}"))
    #expect(imported.text.contains("before *** after"))
  }

  @Test func `thousands of variables are read, each with those before it`() throws {
    let items = (0..<5_000).map { index -> JSONValue in
      .object([
        "name": .string("r\(index)"), "request": .object(["url": .string("https://a.example.com/{{path\(index)}}")]),
      ])
    }
    let variables = (0..<5_000).map { index -> JSONValue in
      .object(["key": .string("path\(index)"), "value": .string(index == 0 ? "x" : "items-\(index)")])
    }
    let imported = try imported(.object(["variable": .array(variables), "item": .array(items)]))
    #expect(imported.report.complete.count == 5_000)
  }
}
