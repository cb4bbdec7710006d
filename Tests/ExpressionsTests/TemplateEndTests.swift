import Testing

@testable import Expressions

@Suite struct TemplateEndTests {
  @Test(arguments: [
    ("{{ a }} b }}", " a "), ("{{a}}", "a"), ("{{ '}}' }}", " '}}' "), (#"{{ "}}'" }}"#, #" "}}'" "#),
    ("{{ {'a': {'b': 1}} }}x", " {'a': {'b': 1}} "), ("{{ {'a': {'b': 1}}}}", " {'a': {'b': 1}}"), ("{{{}}}", "{}"),
    (#"{{ 'it\'s }}' }}"#, #" 'it\'s }}' "#), (#"{{ r'\' }} x"#, #" r'\' "#), (#"{{ var'\' }}' }}"#, #" var'\' }}' "#),
    ("{{ '{{' }}", " '{{' "), ("{{ é }}", " é "), ("{{}}", ""),
  ]) func `the end is the first braces outside of texts and maps`(text: String, inner: String) throws {
    let bytes = Array(text.utf8)
    let end = try #require(Expression.end(of: bytes, from: 2))
    #expect(String(decoding: bytes[2..<end], as: UTF8.self) == inner)
  }

  @Test(arguments: [
    "{{ a", "{{ a }", "{{ 'a }}", "{{ a {{ b }}", #"{{ 'a\"#, "{{ {'a': 1 }}", "{{", "{{ {{'a': 1}: 2} }}",
  ])
  func `without an end there is none`(text: String) {
    #expect(Expression.end(of: Array(text.utf8), from: 2) == nil)
  }

  @Test func `a slice is searched in its own positions`() {
    let bytes = Array("xx{{ a }}".utf8)[2...]
    #expect(Expression.end(of: bytes, from: 4) == 7)
  }
}
