import Fixtures
import JSONSyntax
import RunViews
import Testing

@testable import ReactorCLI

/// What `reactor init` asks, without a terminal.
@Suite struct InitQuestionTests {
  private func refusal(_ question: Question, _ line: String) -> String? {
    do throws(Question.ReplyError) {
      _ = try question.answer(line)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func `Enter takes the suggestion, and without one a reply is needed`() throws {
    #expect(try Question(text: "File", suggestion: "a.yaml", form: .flowFile).answer("  ") == "a.yaml")
    #expect(refusal(Question(text: "Source"), "") == "a reply is needed; Ctrl-C ends")
    #expect(refusal(Question(text: "Value", form: .secret), "") != nil)
    #expect(try Question(text: "Value", form: .secret).answer(" a b ") == " a b ")
  }

  @Test func `a choice is a number, a word or its beginning`() throws {
    let question = AuthKind.question(.bearer)
    #expect(question.prompt == "Authorization [bearer]: ")
    #expect(question.list.count == 5 && question.list[0] == "  1  bearer  a token (Authorization: Bearer)")
    for (line, word) in [("", "bearer"), ("2", "header"), ("QUERY", "query"), ("ba", "basic"), ("n", "none")] {
      #expect(try question.answer(line) == word)
    }
    for line in ["0", "6", "b", "x"] { #expect(refusal(question, line)?.hasPrefix("write one of: bearer, ") == true) }
    let agreed = Question.yesOrNo("Replace it?", false)
    #expect(agreed.prompt == "Replace it? [yes/NO]: ")
    #expect(try agreed.answer("y") == "yes" && agreed.answer("") == "no")
    #expect(refusal(agreed, "1") != nil)
  }

  @Test func `names and files are refused where a flow could not have them`() {
    for line in ["a b", "1A", "X-Key", "é"] { #expect(refusal(Question(text: "", form: .secretName), line) != nil) }
    for line in ["a b", "X-Key:", "é"] { #expect(refusal(Question(text: "", form: .parameter), line) != nil) }
    #expect(refusal(Question(text: "", form: .parameter), "filter[page]") == nil)
    for line in ["flows/a", "a.yaml.txt"] { #expect(refusal(Question(text: "", form: .flowFile), line) != nil) }
  }

  @Test func `the kind of authorization is the one that the server asks for`() {
    #expect(AuthKind(status: 401, challenge: nil) == .bearer)
    #expect(AuthKind(status: 403, challenge: "Bearer realm=\"x\"") == .bearer)
    #expect(AuthKind(status: 401, challenge: "Basic realm=\"x\"") == .basic)
    #expect(AuthKind(status: 404, challenge: nil) == .none)
    for kind in AuthKind.allCases {
      let names = kind.questions("SHOP").compactMap(\.suggestion)
      #expect(kind.auth(names)?.secrets ?? [] == names.filter { $0.hasPrefix("SHOP_") })
      #expect((kind.auth(names) == nil) == (kind == .none))
    }
  }

  @Test(arguments: [
    ("https://api.github.com", "github"), ("https://www.example.co.uk:8443", "example"), ("http://shop.test", "shop"),
    ("http://127.0.0.1:80", nil), ("http://localhost", nil), ("http://[::1]:80", nil),
  ])
  func `a server has a name`(origin: String, word: String?) { #expect(ServerName.word(of: origin) == word) }

  @Test(arguments: [
    (#"{"items":[{"id":1}],"next_cursor":"abc"}"#, "cursor"),
    (#"{"items":[{"id":1}],"nextPageToken":"abc"}"#, "pageToken"),
    (#"{"items":[{"id":1}],"next":"abc"}"#, "cursor"), (#"{"items":[{"id":1}],"page":1,"pages":3}"#, "page"),
    (#"{"items":[{"id":1}],"total":3}"#, "page"), (#"{"items":[{"id":1}]}"#, nil),
  ])
  func `the usual parameter for the next page is suggested`(body: String, parameter: String?) throws {
    var proposal = try FlowProposal(CurlCommand(url: "https://api.example.com/items"), name: nil)
    proposal.sample = InferredFlow(try .init(parsing: body))
    let question = PageQuestion(proposal)
    #expect(question?.question.suggestion == parameter)
    guard let question, let parameter else { return }
    proposal.parameter = question.parameter(parameter)
    #expect(proposal.hasPages && PageQuestion(proposal) == nil, "\(proposal.file().text)")
    // What the server ignored is not suggested again.
    proposal.ignore(parameter)
    #expect(!proposal.hasPages && PageQuestion(proposal)?.question.suggestion == "none")
    #expect(question.parameter("none") == nil)
  }

  @Test func `a full page of the size that was asked for may not be the last one`() throws {
    var proposal = try FlowProposal(CurlCommand(url: "https://api.example.com/items?limit=1"), name: nil)
    proposal.sample = InferredFlow(try .init(parsing: #"[{"id":1}]"#))
    let question = try #require(PageQuestion(proposal))
    #expect(question.reason == "There may be more records than these 1." && question.question.suggestion == "none")
    proposal.parameter = question.parameter("offset")
    #expect(proposal.file().text.contains(#"pages: { by: offset, query: "offset" }"#), "\(proposal.file().text)")
  }

  @Test func `a table has the columns for which there is room, and names the others`() {
    let records = [
      #"{"id":1,"name":"a name that is much longer than the widest cell","ok":true,"city":null}"#,
      #"{"id":22,"name":"日本","more":{"a":[1]}}"#,
    ]
    let wide = RecordTable(records: records, width: 80).lines(TextStyle())
    #expect(wide[0] == "id  name                      ok    city  more")
    #expect(wide[1] == "1   a name that is much lon~  true  null")
    #expect(wide[2] == #"22  日本                                  {"a":[1]}"#)
    for width in [40, 20, 10, 5] {
      let lines = RecordTable(records: records, width: width).lines(TextStyle())
      #expect(lines.allSatisfy { DisplayWidth.of($0) < max(width, 15) }, "\(width): \(lines)")
    }
    let narrow = RecordTable(records: records, width: 20).lines(TextStyle())
    #expect(narrow.suffix(2) == ["and name, ok, city,", "    more"])
  }

  @Test func `text is divided at spaces, and a longer word itself`() {
    #expect(TerminalLines.lines("one two three", width: 10, indent: 2) == ["one two", "  three"])
    #expect(
      TerminalLines.lines("  1  bearer  a token", width: 16, indent: 13) == ["  1  bearer  a", "        token"])
    #expect(TerminalLines.lines("https://example.com/a", width: 12, indent: 2) == ["https://exam", "  ple.com/a"])
    #expect(TerminalLines.lines("", width: 10) == [""])
  }

  @Test func `a curl command goes on after a backslash and inside of quotes`() {
    #expect(InitSource.isUnfinished("curl 'https://x.test' \\"))
    #expect(InitSource.isUnfinished("curl 'https://x.test"))
    #expect(!InitSource.isUnfinished("curl 'https://x.test'"))
    #expect(!InitSource.isUnfinished("https://x.test/\\"))
  }
}
