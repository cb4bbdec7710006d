import Testing
import WebSyntax

@Suite struct LinkHeaderTests {
  /// The fields of a response, and where `next` leads from `https://api.example.com/v1/items?page=1`.
  struct Case: CustomTestStringConvertible {
    let fields: [String]
    let next: String?
    var testDescription: String { fields.joined(separator: " + ") }

    init(_ fields: String..., next: String?) {
      self.fields = fields
      self.next = next
    }
  }

  @Test(arguments: [
    Case("<https://api.example.com/v1/items?page=2>; rel=\"next\"", next: "https://api.example.com/v1/items?page=2"),
    Case("<?page=2>; rel=next", next: "https://api.example.com/v1/items?page=2"),
    Case("</v1/items?page=9>; rel=last, </v1/items?page=2>; rel=next", next: "https://api.example.com/v1/items?page=2"),
    Case("<?page=9>; rel=last", "<?page=2>; rel=next", next: "https://api.example.com/v1/items?page=2"),
    Case("<?a=1,2;3>; rel=\"next\"", next: "https://api.example.com/v1/items?a=1,2;3"),
    Case(
      "<?page=9>; title=\"a, <b>; rel=next\"; rel=last, <?page=2>;REL=\"Prev NEXT\"",
      next: "https://api.example.com/v1/items?page=2"),
    Case("<?page=2>; title=\"quote \\\" and , \"; rel=next", next: "https://api.example.com/v1/items?page=2"),
    Case("<?page=2> ; rel = \"next\" ; x", next: "https://api.example.com/v1/items?page=2"),
    Case("<?page=2>; rel=prev; rel=next", next: nil),
    Case("<?page=2>; rel=nextish", next: nil),
    Case("<?page=2>; rel=next; anchor=\"#part\"", next: nil),
    Case("<?page=2>; rel=next; anchor=\"/other\"", next: nil),
    Case("<?page=2>; rel=next; anchor=\"/v1/items?page=1\"", next: "https://api.example.com/v1/items?page=2"),
    Case(", ,<?page=2>;rel=next,", next: "https://api.example.com/v1/items?page=2"),
    Case("<>; rel=next", next: "https://api.example.com/v1/items?page=1"),
    Case("?page=2; rel=next", next: nil),
    Case("<?page=2; rel=next", next: nil),
    Case("<?page=3>; rel=\"last, <?page=2>; rel=next", next: nil),
    Case("", next: nil),
    Case(next: nil),
  ]) func `next is found`(links: Case) throws {
    let page = try WebURL("https://api.example.com/v1/items?page=1")
    let target = LinkHeader(links.fields).target(of: "next", from: page)
    #expect(try target.map { try WebURL($0, relativeTo: page).serialized } == links.next)
  }

  @Test(arguments: [
    ("<a>; rel=prev", nil), ("<a>; rel=prev, ", nil), ("", nil), ("/b; rel=next", "/b; rel=next"),
    ("<a>; rel=prev, /b; rel=next", "/b; rel=next"), ("<a>; rel=prev x", nil), ("<a> b; rel=next", "b; rel=next"),
  ])
  func `what is malformed is handed over`(_ field: String, _ malformed: String?) {
    #expect(LinkHeader([field]).malformed == malformed)
  }

  @Test func `parameters keep their order and values`() {
    let link = LinkHeader(["<a>; Title*=UTF-8''x; b; c=\"\"; rel=\"up  next\""]).links.first
    #expect(link?.parameters.map(\.name) == ["title*", "b", "c", "rel"])
    #expect(link?.parameters.map(\.value) == ["UTF-8''x", "", "", "up  next"])
    #expect(link?.relations == ["up", "next"])
  }
}
