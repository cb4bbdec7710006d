import Foundation
import TestSupport
import Testing

/// The questions of `reactor init`, asked in a real terminal about a real server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InitDialogueTests {
  /// Seven customers: a plain list, pages by link and by number, a parameter that is ignored, and doors.
  private static func server() throws -> ScriptedServer {
    let port = Port()
    let server = try ScriptedServer { request in
      let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
      var query: [String: String] = [:]
      for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
        let sides = pair.split(separator: "=").map(String.init)
        if sides.count == 2 { query[sides[0]] = sides[1] }
      }
      let page = Int(query["page"] ?? "1") ?? 1
      switch parts[0] {
      case "/customers": return [.send(response("[\(customers(1...7))]"))]
      case "/link":
        let next = "Link: <http://127.0.0.1:\(port.number)/link?page=\(page + 1)>; rel=\"next\"\r\n"
        return [.send(response("[\(customers(of: page))]", head: page < 3 ? next : ""))]
      case "/pages": return [.send(response(#"{"data":[\#(customers(of: page))],"page":\#(page),"pages":3}"#))]
      case "/orders" where request["authorization"] == "Bearer s3cret-token-of-mine":
        let orders = customers(of: page).replacing("Customer", with: "Order")
        return [.send(response(#"{"orders":[\#(orders)],"page":\#(page),"pages":3}"#))]
      case "/stuck": return [.send(response(#"{"data":[\#(customers(of: 1))],"page":1,"pages":3}"#))]
      case "/bearer" where request["authorization"] == "Bearer s3cret-token-of-mine",
        "/key" where request["x-api-key"] == "s3cret-token-of-mine":
        return [.send(response("[\(customers(1...3))]"))]
      case "/bearer", "/key", "/orders":
        return [.send(response(#"{"error":"who are you?"}"#, status: "401 Unauthorized"))]
      case "/hostile":
        return [
          .send(
            response(#"[{"id":1,"na\u001b[31mme":"\u001b]0;pwned\u0007\u001b[2J","x":"\n\nFile [y.yaml]: \u202eabc"}]"#)
          )
        ]
      case "/since": return [.send(response(#"{"items":[\#(customers(1...3))]}"#))]
      case "/empty": return [.send(response("[]"))]
      case "/moved":
        return [.send(response("", status: "301 Moved Permanently", head: "Location: http://127.0.0.1:1/x\r\n"))]
      case "/text": return [.send(response("id,name\n1,Ada\n"))]
      default: return [.send(response("{}", status: "404 Not Found"))]
      }
    }
    port.number = server.port
    return server
  }

  /// The port of the server, which its own responses name.
  private final class Port: @unchecked Sendable {
    var number: UInt16 = 0
  }

  /// On the second page, a field that the first one always has is null, and one is missing.
  private static func customers(_ ids: ClosedRange<Int>) -> String {
    ids.map { id in
      let email = id > 3 ? "null" : "\"c\(id)@example.com\""
      let city = id > 3 ? "" : ",\"city\":\"Springfield\""
      return
        #"{"id":\#(id),"name":"Customer \#(id)","email":\#(email)\#(city),"updated_at":"2024-01-0\#(id)T10:00:00Z"}"#
    }.joined(separator: ",")
  }

  private static func customers(of page: Int) -> String { customers(page * 3 - 2...min(page * 3, 7)) }

  private static func response(_ body: String, status: String = "200 OK", head: String = "") -> [UInt8] {
    Array(
      "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\n\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        .utf8)
  }

  /// Checks and runs the written flow; returns the records.
  private func records(_ dialogue: DialogueTerminal, _ environment: String = "") async throws -> [String] {
    let checked = try await ProcessTests().shell("\(environment) \"$REACTOR\" check flows", in: dialogue.bench)
    #expect(checked.code == 0 && checked.err.isEmpty, "\(checked.err)\(dialogue.text("flows/customers.yaml"))")
    let run = try await ProcessTests().shell("\(environment) \"$REACTOR\" run flows", in: dialogue.bench)
    #expect(run.code == 0, "\(run.out)\(run.err)")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: dialogue.bench.path("out")).first { !$0.hasPrefix(".") })
    return dialogue.text("out/\(name)").split(separator: "\n").map(String.init)
  }

  @Test func `the guide shows what stands on the screen`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    // The address of a server has no name, and a guide shows one.
    let url = "http://api.shop.localhost:\(server.port)"
    guard let dialogue = try DialogueTerminal("\"$REACTOR\" init", environment: ["NO_COLOR": "1"]) else { return }
    try await dialogue.answer("Source", "\(url)/orders")
    try await dialogue.answer("Authorization")
    try await dialogue.answer("Name of the secret")
    try await dialogue.answer("Value of SHOP_TOKEN", "s3cret-token-of-mine")
    try await dialogue.answer("Page or offset")
    try await dialogue.answer("Name of the flow")
    try await dialogue.answer("File")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0, "\(screen)")
    let shown = screen.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.replacing(#/[ ]+$/#, with: "") }.joined(separator: "\n").replacing(#/\n+$/#, with: "\n")
    let text = (shown + "\n" + dialogue.text("flows/shop.yaml")).replacing(url, with: "https://api.shop.example")
    try Transcript.check("$ reactor init\n" + text, "init.txt")
    #expect(try await records(dialogue, "SHOP_TOKEN=s3cret-token-of-mine").count == 7)
  }

  @Test(arguments: [80, 40]) func `a URL gives a flow that runs, and its first records are shown`(width: Int)
    async throws
  {
    let server = try Self.server()
    defer { server.stop() }
    guard let dialogue = try DialogueTerminal("\"$REACTOR\" init", width: width) else { return }
    try await dialogue.answer("Source", "\(server.url)/customers")
    try await dialogue.answer("Go on without")
    try await dialogue.answer("Name of the flow")
    try await dialogue.answer("File")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0, "\(screen)")
    #expect(screen.contains("id  name        email"), "\(screen)")
    #expect(screen.contains("1   Customer 1  c1@example.com"), "\(screen)")
    #expect(screen.contains("reactor run flows/customers.yaml"), "\(screen)")
    #expect(server.requests.count == 1)
    #expect(dialogue.written == ["flows/customers.yaml"])
    let records = try await records(dialogue)
    #expect(
      records.count == 7 && records[0].hasPrefix(#"{"id":1,"name":"Customer 1","email":"c1@example.com""#), "\(records)"
    )
  }

  @Test func `the second page by a link is requested, and its records count for the fields`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    guard let dialogue = try DialogueTerminal("\"$REACTOR\" init \(server.url)/link") else { return }
    try await dialogue.answer("Go on without")
    try await dialogue.answer("Name of the flow", "customers")
    try await dialogue.answer("File", "flows/customers.yaml")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0 && screen.contains("the second page has 3 more records"), "\(screen)")
    #expect(server.requests.map(\.target) == ["/link", "/link?page=2"])
    let text = dialogue.text("flows/customers.yaml")
    #expect(text.contains("pages: link  # the second page was requested too"), "\(text)")
    #expect(text.contains("email: string?") && text.contains("city: string?"), "\(text)")
    #expect(text.contains("key: id  # guessed: it differs in all 6 records of the sample"), "\(text)")
    #expect(try await records(dialogue).count == 7)
  }

  @Test func `the parameter for the page is asked for, and one that the server ignores is not taken`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    guard let dialogue = try DialogueTerminal("\"$REACTOR\" init \(server.url)/pages") else { return }
    try await dialogue.answer("Go on without")
    try await dialogue.answer("Page or offset", "seite")
    try await dialogue.answer("Page or offset", "page")
    try await dialogue.answer("Name of the flow")
    try await dialogue.answer("File")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0 && screen.contains("page 2 has the same records as an earlier page"), "\(screen)")
    let text = dialogue.text("flows/pages.yaml")
    #expect(text.contains(#"pages: { by: page, query: "page", count: "$.pages" }"#), "\(text)")
    #expect(try await records(dialogue).count == 7)
  }

  @Test func `a flow of one page is written where no parameter leads to another one`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    guard let dialogue = try DialogueTerminal("\"$REACTOR\" init \(server.url)/stuck") else { return }
    try await dialogue.answer("Go on without")
    try await dialogue.answer("Page or offset parameter [page]")
    try await dialogue.answer("Page or offset parameter [none]")
    try await dialogue.answer("Name of the flow")
    try await dialogue.answer("File")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0 && screen.contains("the flow gets the records of one response only"), "\(screen)")
    #expect(screen.contains("1   Customer 1") && !screen.contains("would fail"), "\(screen)")
    #expect(dialogue.text("flows/stuck.yaml").contains("# PART ONLY"))
    #expect(try await records(dialogue).count == 3)
  }

  @Test(arguments: [80, 40])
  func `a secret is asked for until the server takes it, and is neither shown nor written`(width: Int) async throws {
    let server = try Self.server()
    defer { server.stop() }
    guard let dialogue = try DialogueTerminal("\"$REACTOR\" init \(server.url)/bearer", width: width) else { return }
    try await dialogue.answer("Authorization [bearer]")
    try await dialogue.answer("Name of the secret [API_TOKEN]", "not a name")
    try await dialogue.answer("Name of the secret [API_TOKEN]", "MY_TOKEN")
    try await dialogue.answer("Value of MY_TOKEN", "a-wrong-token")
    try await dialogue.answer("Authorization [bearer]")
    try await dialogue.answer("Name of the secret [MY_TOKEN]")
    try await dialogue.answer("Value of MY_TOKEN", "s3cret-token-of-mine")
    try await dialogue.answer("Name of the flow")
    try await dialogue.answer("File")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0 && screen.contains("export MY_TOKEN="), "\(screen)")
    #expect(!screen.contains("wrong-token") && !screen.contains("s3cret"), "\(screen)")
    let text = dialogue.text("flows/bearer.yaml")
    #expect(text.contains(#"auth: { bearer: "{{ secrets.MY_TOKEN }}" }"#), "\(text)")
    #expect(dialogue.written == ["flows/bearer.yaml"])
    #expect(!text.contains("s3cret"))
    #expect(try await records(dialogue, "MY_TOKEN=s3cret-token-of-mine").count == 3)
  }

  @Test func `an environment variable of the secret's name is used, and a key in a header can be chosen`() async throws
  {
    let server = try Self.server()
    defer { server.stop() }
    let environment = ["SHOP_KEY": "s3cret-token-of-mine"]
    guard let dialogue = try DialogueTerminal("\"$REACTOR\" init \(server.url)/key", environment: environment) else {
      return
    }
    try await dialogue.answer("Authorization", "2")
    try await dialogue.answer("Name of the header [X-API-Key]")
    try await dialogue.answer("Name of the secret", "SHOP_KEY")
    try await dialogue.answer("Name of the flow")
    try await dialogue.answer("File")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0 && screen.contains("SHOP_KEY: the value of the environment variable is used"), "\(screen)")
    #expect(!screen.contains("s3cret") && !screen.contains("export"), "\(screen)")
    #expect(try await records(dialogue, "SHOP_KEY=s3cret-token-of-mine").count == 3)
  }

  @Test func `a pasted curl command of several lines is one source, and its credentials become secrets`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    guard let dialogue = try DialogueTerminal("\"$REACTOR\" init") else { return }
    try await dialogue.paste(
      "Source",
      "curl '\(server.url)/bearer' \\\n  -H 'Accept: application/json' \\\n  -H 'Authorization: Bearer s3cret-token-of-mine'\n"
    )
    try await dialogue.answer("Name of the flow")
    try await dialogue.answer("File")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0 && screen.contains("export API_TOKEN="), "\(screen)")
    #expect(!dialogue.text("flows/bearer.yaml").contains("s3cret"))
    #expect(try await records(dialogue, "API_TOKEN=s3cret-token-of-mine").count == 3)
  }

  @Test func `a parameter for the time of change gives a cursor, when that is wanted`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let line = "\"$REACTOR\" init '\(server.url)/since?updated_since=2023-01-01'"
    guard let dialogue = try DialogueTerminal(line) else { return }
    try await dialogue.answer("Go on without")
    try await dialogue.answer("Only what is new?")
    try await dialogue.answer("Name of the flow")
    try await dialogue.answer("File")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0, "\(screen)")
    let text = dialogue.text("flows/since.yaml")
    #expect(text.contains("cursor: { field: \"updated_at\", query: \"updated_since\""), "\(text)")
    #expect(try await records(dialogue).count == 3)
    _ = try await records(dialogue)
    #expect(server.requests.last?.target == "/since?updated_since=2024-01-03", "\(server.requests.map(\.target))")
  }

  @Test(arguments: ["Source", "Authorization", "Name of the secret", "Value of API_TOKEN"], ["C-d", "C-c"])
  func `ending the questions leaves nothing behind, and a terminal that shows what is typed`(
    question: String, key: String
  ) async throws {
    let server = try Self.server()
    defer { server.stop() }
    guard let dialogue = try DialogueTerminal("\"$REACTOR\" init") else { return }
    let answers = [("Source", "\(server.url)/bearer"), ("Authorization", ""), ("Name of the secret", "")]
    for (earlier, text) in answers.prefix(while: { $0.0 != question }) { try await dialogue.answer(earlier, text) }
    try await dialogue.press(question, key)
    let (screen, code) = try await dialogue.end()
    #expect(code == 130, "\(screen)")
    #expect(dialogue.written == [], "\(screen)")
    #expect(dialogue.text("tty").contains(" echo "), "\(dialogue.text("tty"))")
    if key == "C-d" { #expect(screen.contains("nothing was written"), "\(screen)") }
  }

  @Test func `a file that exists stays, unless a person agrees to replace it`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let line = "\"$REACTOR\" init \(server.url)/customers && \"$REACTOR\" init \(server.url)/customers"
    let files = ["flows/customers.yaml": "mine\n", "flows/other.yaml": "mine\n"]
    guard let dialogue = try DialogueTerminal(line, files) else { return }
    try await dialogue.answer("Go on without")
    try await dialogue.answer("Name of the flow")
    try await dialogue.answer("File [flows/customers.yaml]")
    try await dialogue.answer("Replace it? [yes/NO]")
    try await dialogue.answer("File [flows/customers_2.yaml]", "flows/customers.txt")
    try await dialogue.answer("File [flows/customers_2.yaml]")
    try await dialogue.answer("Go on without")
    try await dialogue.answer("Name of the flow")
    try await dialogue.answer("File [flows/customers.yaml]", "flows/other.yaml")
    try await dialogue.answer("Replace it?", "y")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0, "\(screen)")
    #expect(dialogue.text("flows/customers.yaml") == "mine\n")
    #expect(dialogue.text("flows/customers_2.yaml").contains("/customers"))
    #expect(dialogue.text("flows/other.yaml").contains("/customers"))
  }

  @Test(arguments: [80, 40]) func `texts of a server cannot control the terminal or look like a question`(width: Int)
    async throws
  {
    let server = try Self.server()
    defer { server.stop() }
    guard let dialogue = try DialogueTerminal("\"$REACTOR\" init \(server.url)/hostile", width: width) else { return }
    try await dialogue.answer("Go on without")
    try await dialogue.answer("Name of the flow")
    try await dialogue.answer("File [flows/hostile.yaml]")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0 && screen.contains("<U+001B>]0;pwned"), "\(screen)")
    #expect(screen.contains("Go on without"), "\(screen)")
    #expect(screen.components(separatedBy: "\nFile [").count == 2, "\(screen)")
    #expect(try !dialogue.title.contains("pwned"))
    #expect(try await records(dialogue).count == 1)
  }

  @Test func `a list without records gives a flow that stores them as they come`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    guard let dialogue = try DialogueTerminal("\"$REACTOR\" init \(server.url)/empty") else { return }
    try await dialogue.answer("Go on without")
    try await dialogue.answer("Name of the flow")
    try await dialogue.answer("File [flows/empty.yaml]")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0 && screen.contains("the response has no records"), "\(screen)")
    let run = try await ProcessTests().shell("\"$REACTOR\" check && \"$REACTOR\" run", in: dialogue.bench)
    #expect(run.code == 0, "\(run.out)\(run.err)")
  }

  @Test func `an unknown source is asked for again, and an example is written`() async throws {
    guard let dialogue = try DialogueTerminal("\"$REACTOR\" init") else { return }
    try await dialogue.answer("Source", "api.example.com/customers")
    try await dialogue.answer("Source", "feed")
    let (screen, code) = try await dialogue.end()
    #expect(code == 0 && screen.contains("a URL begins with http://"), "\(screen)")
    #expect(dialogue.written.contains("flows/feed.yaml"))
  }

  @Test func `what no flow can be made of ends the dialogue with the reason`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let line = """
      "$REACTOR" init \(server.url)/nothing; echo "first $?"
      "$REACTOR" init \(server.url)/text; echo "second $?"
      "$REACTOR" init http://127.0.0.1:1/a; echo "third $?"
      "$REACTOR" init \(server.url)/moved; echo "fourth $?"
      """
    guard let dialogue = try DialogueTerminal(line) else { return }
    try await dialogue.answer("Authorization [none]")
    try await dialogue.answer("Go on without")
    let (screen, _) = try await dialogue.end()
    #expect(screen.contains("/nothing: the server answered 404") && screen.contains("first 5"), "\(screen)")
    #expect(screen.contains("the response is not JSON") && screen.contains("second 5"), "\(screen)")
    #expect(screen.contains("third 5") && screen.contains("fourth 5"), "\(screen)")
    #expect(screen.contains("redirect") && !screen.contains("the server answered 301"), "\(screen)")
    #expect(dialogue.written == [])
  }

  @Test func `nothing is asked without a person`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let url = "\(server.url)/customers"
    let line = """
      "$REACTOR" init < /dev/null; echo "a $?"
      CI=1 "$REACTOR" init; echo "b $?"
      "$REACTOR" init --no-input; echo "c $?"
      for option in --no-input --offline --quiet '--format json' '-o flows/o.yaml'; do
        "$REACTOR" init \(url) $option; echo "d $?"
      done
      "$REACTOR" init \(url) > printed; echo "e $?"
      """
    guard let dialogue = try DialogueTerminal(line) else { return }
    let (screen, _) = try await dialogue.end()
    #expect(screen.components(separatedBy: "give either a source, --curl or --from").count == 4, "\(screen)")
    for word in ["a", "b", "c"] { #expect(screen.contains("\n\(word) 2\n"), "\(screen)") }
    #expect(screen.components(separatedBy: "\nd 0\n").count == 6, "\(screen)")
    #expect(!screen.contains("Go on") && screen.contains("\ne 0"), "\(screen)")
    #expect(dialogue.written == ["flows/o.yaml", "printed"])
    #expect(dialogue.text("printed") == dialogue.text("flows/o.yaml"))
  }
}
