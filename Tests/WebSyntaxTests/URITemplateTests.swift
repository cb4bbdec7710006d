import Testing
import WebSyntax

@Suite struct URITemplateTests {
  private func expanded(_ text: String) throws -> String {
    try URITemplate(text).expand { name in
      switch name {
      case "id": .text("a/b c")
      case "empty": .text("")
      case "tags": .list(["red", "blue"])
      case "none": .list([])
      case "keys": .map([.init("k", "1,2"), .init("l", "")])
      case "word": .text("drücken")
      case "escaped": .text("a%20b%zz")
      default: nil
      }
    }
  }

  @Test(arguments: [
    ("/items/{id}", "/items/a%2Fb%20c"), ("/items/{+id}", "/items/a/b%20c"), ("{#id}", "#a/b%20c"),
    ("x{?page,tags,none}", "x?tags=red,blue"), ("x{?tags*}{&empty}", "x?tags=red&tags=blue&empty="),
    ("x{;empty,tags*}", "x;empty;tags=red;tags=blue"), ("x{?keys*}", "x?k=1%2C2&l="), ("x{;keys*}", "x;k=1%2C2;l"),
    ("{keys}", "k,1%2C2,l,"), ("{keys*}", "k=1%2C2,l="), ("{/tags*}", "/red/blue"), ("{.tags}", ".red,blue"),
    ("{word:3}", "dr%C3%BC"), ("{+escaped}", "a%20b%25zz"), ("{+escaped:2}", "a%20"), ("{escaped:2}", "a%25"),
    ("/ü/{absent}", "/%C3%BC/"), ("", ""), ("{none}{absent}", ""),
  ]) func `a template expands`(text: String, result: String) throws {
    #expect(try expanded(text) == result)
  }

  @Test(arguments: [
    ("/a/{id", URITemplateError.Reason.unclosedBrace, 3), ("/a}", .strayBrace, 2), ("ü}", .strayBrace, 2),
    ("{}", .missingName, 1), ("{a,}", .missingName, 3), ("{?}", .missingName, 2), ("{a..b}", .nameCharacter, 3),
    ("{a b}", .nameCharacter, 2), ("{a*b}", .nameCharacter, 3), ("{=a}", .reservedOperator, 1), ("{a:0}", .prefix, 3),
    ("{a:10000}", .prefix, 3), ("{a:x}", .prefix, 3), ("/a b", .literalCharacter, 2), ("/a%2", .literalCharacter, 2),
    ("{{a}}", .nameCharacter, 1),
  ]) func `a mistake has its location`(text: String, reason: URITemplateError.Reason, offset: Int) {
    let error = #expect(throws: URITemplateError.self) { try URITemplate(text) }
    #expect(error?.reason == reason)
    #expect(error?.offset == offset)
  }

  @Test func `a prefix of a list is refused where the variable stands`() throws {
    let error = #expect(throws: URITemplateError.self) { try expanded("x{?id,tags:3}") }
    #expect(error?.reason == .prefixOfComposite)
    #expect(error?.offset == 6)
  }

  @Test func `variables are listed once, in order`() throws {
    #expect(try URITemplate("{b}/{a*}{?b:3,c.d}").variables == ["b", "a", "c.d"])
  }
}
