import Testing

@testable import Expressions

/// What is found before anything is evaluated: each mistake with its bytes, and what to write instead.
@Suite struct FaultTests {
  struct Mistake: Sendable {
    var text: String
    var kind: ExpressionError.Kind
    /// The bytes that the fault is about.
    var position: String
    var suggestion: String?

    init(_ text: String, _ kind: ExpressionError.Kind, _ position: String, suggest suggestion: String? = nil) {
      self.text = text
      self.kind = kind
      self.position = position
      self.suggestion = suggestion
    }
  }

  static let scope = ExpressionScopeType([
    "vars": .object(["since": .string, "limit": .int, "flags": .list(.string)]),
    "record": .object([
      "id": .int, "name": .string, "email": .optional(.string), "price": .double, "joined": .timestamp,
      "address": .optional(.object(["zip": .optional(.string), "city": .string])), "tags": .list(.string),
    ]),
    "headers": .map(.string),
    "response": .dynamic,
  ])

  static let syntax = [
    Mistake("", .empty, ""), Mistake("   ", .empty, "   "),
    Mistake("a = b", .unexpectedCharacter, "=", suggest: "=="),
    Mistake("a & b", .unexpectedCharacter, "&", suggest: "&&"), Mistake("a | upper", .unexpectedCharacter, "|"),
    Mistake("a ~ b", .unexpectedCharacter, "~", suggest: "+"), Mistake("$.a", .unexpectedCharacter, "$"),
    Mistake("é + 1", .unexpectedCharacter, "é"), Mistake("a # b", .unexpectedCharacter, "#"),
    Mistake("'abc", .unclosedText, "'abc"), Mistake("x + \"a'", .unclosedText, "\"a'"),
    Mistake("r'a", .unclosedText, "r'a"), Mistake("'a\\", .unclosedText, "'a\\"),
    Mistake(#"'\d'"#, .badEscape, #"\d"#), Mistake(#"'\u12'"#, .badEscape, #"\u12'"#),
    Mistake(#"'a\ud800'"#, .badEscape, #"\ud800"#), Mistake(#"'\é'"#, .badEscape, #"\é"#),
    Mistake("012", .badNumber, "012", suggest: "12"), Mistake("00", .badNumber, "00", suggest: "0"),
    Mistake("30s", .badNumber, "30s", suggest: "duration('30s')"), Mistake("1u", .badNumber, "1u"),
    Mistake("0x", .badNumber, "0x"),
    Mistake("0xfg", .badNumber, "0xfg"), Mistake("1e999", .badNumber, "1e999"), Mistake("1.5.", .unexpectedToken, ""),
    Mistake("9223372036854775808", .badNumber, "9223372036854775808"),
    Mistake("99999999999999999999", .badNumber, "99999999999999999999"),
    Mistake("-9223372036854775809", .badNumber, "9223372036854775809"),
    Mistake("a and b", .unexpectedToken, "and", suggest: "&&"),
    Mistake("a or b", .unexpectedToken, "or", suggest: "||"),
    Mistake("a is null", .unexpectedToken, "is", suggest: "=="), Mistake("a if b", .unexpectedToken, "if"),
    Mistake("1 +", .unexpectedToken, ""), Mistake("(1", .unexpectedToken, ""), Mistake("[1, ", .unexpectedToken, ""),
    Mistake("1 2", .unexpectedToken, "2"), Mistake("a.'b'", .unexpectedToken, "'b'"),
    Mistake("a[1", .unexpectedToken, ""),
    Mistake("f(1,)", .unexpectedToken, ")"), Mistake("a ? b", .unexpectedToken, ""),
    Mistake("{'a' 1}", .unexpectedToken, "1"),
    Mistake("{,}", .unexpectedToken, ","), Mistake("in", .unexpectedToken, "in"), Mistake("a)", .unexpectedToken, ")"),
    Mistake("a }", .unexpectedToken, "}"), Mistake(".5", .unexpectedToken, "."),
  ]

  /// What other languages write.
  static let foreign = [
    Mistake("True", .unknownName, "True", suggest: "true"), Mistake("None == 1", .unknownName, "None", suggest: "null"),
    Mistake("a == nil", .unknownName, "nil", suggest: "null"),
    Mistake("FALSE", .unknownName, "FALSE", suggest: "false"),
    Mistake("a === b", .unexpectedCharacter, "===", suggest: "=="),
    Mistake("a !== b", .unexpectedCharacter, "!==", suggest: "!="),
    Mistake("a <> b", .unexpectedCharacter, "<>", suggest: "!="), Mistake("a ?? b", .unexpectedCharacter, "??"),
    Mistake("a ?: b", .unexpectedCharacter, "?:"), Mistake("a?.b", .unexpectedCharacter, "?.", suggest: "."),
    Mistake("a->b", .unexpectedCharacter, "->", suggest: "."), Mistake("a ** 2", .unexpectedCharacter, "**"),
    Mistake("a // 2", .unexpectedCharacter, "//", suggest: "/"), Mistake("a++", .unexpectedCharacter, "++"),
    Mistake("a =~ 'x'", .unexpectedCharacter, "=~"), Mistake("a.map(x => x)", .unexpectedCharacter, "=>"),
    Mistake("a := 1", .unexpectedCharacter, ":="), Mistake("a;", .unexpectedCharacter, ";"),
    Mistake("`a`", .unexpectedCharacter, "`"), Mistake("“a”", .unexpectedCharacter, "“"),
    Mistake("not a", .unexpectedToken, "not", suggest: "!"), Mistake("a not in b", .unexpectedToken, "not"),
    Mistake("a is not null", .unexpectedToken, "is not", suggest: "!="),
    Mistake("a like 'x%'", .unexpectedToken, "like"), Mistake("a between 1 and 2", .unexpectedToken, "between"),
    Mistake("if a then b else c", .unexpectedToken, "if"), Mistake("case when a then b end", .unexpectedToken, "case"),
    Mistake("new Date()", .unexpectedToken, "new"), Mistake("f'{a}'", .unexpectedToken, "f"),
    Mistake("a gte b", .unexpectedToken, "gte", suggest: ">="), Mistake("a[0:3]", .unexpectedToken, ":"),
  ]

  static let meaning = [
    Mistake("vras.since", .unknownName, "vras", suggest: "vars"),
    Mistake("config.since", .unknownName, "config", suggest: "vars"),
    Mistake("vars.sicne", .unknownMember, "sicne", suggest: "since"),
    Mistake("vars['sicne']", .unknownMember, "'sicne'", suggest: "since"),
    Mistake("coalesce(record.address.zpi, '')", .unknownMember, "zpi", suggest: "zip"),
    Mistake("record.address.city", .mayBeMissing, "record.address"),
    Mistake("max(true, false)", .wrongType, "true"), Mistake("min(1, null)", .wrongType, "null"),
    Mistake("record.name.lenght", .wrongType, "lenght"), Mistake("vars.limit.x", .wrongType, "x"),
    Mistake("strptime(record.name)", .unknownFunction, "strptime", suggest: "timestamp"),
    Mistake("record.name.uper()", .unknownFunction, "uper", suggest: "upper"),
    Mistake("startsWith('a', 'b')", .unknownFunction, "startsWith", suggest: "starts_with"),
    Mistake("split('a')", .argumentCount, "split('a')"), Mistake("now(1)", .argumentCount, "now(1)"),
    Mistake("coalesce()", .argumentCount, "coalesce()"), Mistake("[1].map(x)", .argumentCount, "[1].map(x)"),
    Mistake("[1].map('x', 1)", .argumentCount, "[1].map('x', 1)"),
    Mistake("upper(vars.limit)", .wrongType, "vars.limit"), Mistake("upper(null)", .wrongType, "null"),
    Mistake("split('a', 1)", .wrongType, "1"), Mistake("length(1)", .wrongType, "1"),
    Mistake("max(1, 'a')", .wrongType, "'a'"), Mistake("sum(['a'])", .wrongType, "['a']"),
    Mistake("add(now(), '1', 'day')", .wrongType, "'1'"), Mistake("timestamp(1)", .wrongType, "1"),
    Mistake("record.id + 'a'", .wrongType, "+"), Mistake("'a' - 'b'", .wrongType, "-"),
    Mistake("1.5 % 2", .wrongType, "%"), Mistake("now() + now()", .wrongType, "+"),
    Mistake("now() - 30", .wrongType, "-"),
    Mistake("null + 1", .wrongType, "+"), Mistake("record.id == '1'", .wrongType, "=="),
    Mistake("record.joined > vars.since", .wrongType, ">"), Mistake("true < false", .wrongType, "<"),
    Mistake("1 in ['a']", .wrongType, "in"), Mistake("'a' in 'abc'", .wrongType, "'abc'"),
    Mistake("1 in headers", .wrongType, "1"), Mistake("!record.id", .wrongType, "!record.id"),
    Mistake("-record.name", .wrongType, "-record.name"), Mistake("record.id && true", .wrongType, "record.id"),
    Mistake("record.name ? 1 : 2", .wrongType, "record.name"), Mistake("true ? 1 : 'a'", .wrongType, "1 : 'a'"),
    Mistake("vars.flags['a']", .wrongType, "'a'"), Mistake("headers[1]", .wrongType, "1"),
    Mistake("record.id[0]", .wrongType, "record.id"), Mistake("{1: 2}", .wrongType, "1"),
    Mistake("vars.flags.filter(x, x)", .wrongType, "x"), Mistake("record.id.map(x, x)", .wrongType, "record.id"),
    Mistake("record.email.upper()", .mayBeMissing, "record.email"),
    Mistake("'<' + record.email", .mayBeMissing, "record.email"),
    Mistake("[record.email]", .mayBeMissing, "record.email"),
    Mistake("has(record.email) ? 'a' : upper(record.email)", .mayBeMissing, "record.email"),
    Mistake("record.email == 'a'", .mayBeMissing, "record.email"),
    Mistake("has(record.email) || upper(record.email) == 'B'", .mayBeMissing, "record.email"),
    Mistake("{'a': record.email}", .mayBeMissing, "record.email"),
    Mistake("type(record.nme)", .unknownMember, "nme", suggest: "name"), Mistake("type()", .argumentCount, "type()"),
    Mistake("round(record.name, 2)", .wrongType, "record.name"),
    Mistake("record.email > 'a'", .mayBeMissing, "record.email"), Mistake("has(1 + 2)", .wrongType, "1 + 2"),
    Mistake("coalesce(record.email, 1)", .wrongType, "1"), Mistake("matches('a', '[')", .badArgument, "'['"),
    Mistake("matches('a', 'a*?')", .badArgument, "'a*?'"), Mistake("format(now(), 'YYYY')", .badArgument, "'YYYY'"),
    Mistake("timestamp('a', '%Y')", .badArgument, "'%Y'"),
    Mistake("add(now(), 1, 'moth')", .badArgument, "'moth'", suggest: "'month'"),
    Mistake("sha512('a', 'bas64')", .badArgument, "'bas64'", suggest: "'base64'"),
    Mistake("hmac_md5('a', 'b', 'text')", .badArgument, "'text'"),
    Mistake("hmac_sha1('a', 'b', 'hex', 'utf8')", .badArgument, "'utf8'"),
    Mistake("truncate(now(), 'q')", .badArgument, "'q'"), Mistake("duration('1 day')", .badArgument, "'1 day'"),
    Mistake("{'a': 1, 'a': 2}", .repeatedKey, "'a'"), Mistake("vars.flags.map(vars, 1)", .hiddenName, "vars"),
    Mistake("[1].map(x, [2].map(x, x))", .hiddenName, "x"),
  ]

  @Test(arguments: syntax + foreign) func `a text that is no expression is refused at its position`(mistake: Mistake)
    throws
  {
    let fault = #expect(throws: ExpressionError.self) { _ = try Expression(parsing: mistake.text) }
    try check(fault, mistake)
  }

  @Test(arguments: meaning) func `a mistake is found without a value, at its position`(mistake: Mistake) throws {
    let (_, faults) = try Expression(parsing: mistake.text).check(Self.scope)
    try check(faults.first, mistake)
    #expect(faults.count == 1, "\(faults)")
  }

  private func check(_ fault: ExpressionError?, _ mistake: Mistake) throws {
    let fault = try #require(fault)
    #expect(fault.kind == mistake.kind, "\(fault)")
    let bytes = Array(mistake.text.utf8)
    #expect(fault.range.upperBound <= bytes.count)
    #expect(String(decoding: bytes[fault.range], as: UTF8.self) == mistake.position, "\(fault)")
    #expect(fault.suggestion == mistake.suggestion, "\(fault)")
    #expect(!fault.message.hasSuffix("."))
  }

  @Test(arguments: syntax + foreign + meaning) func `what is suggested fixes it`(mistake: Mistake) throws {
    guard let suggestion = mistake.suggestion else { return }
    let fault: ExpressionError
    do {
      fault = try #require(try Expression(parsing: mistake.text).check(Self.scope).errors.first)
    } catch let error as ExpressionError {
      fault = error
    }
    var bytes = Array(mistake.text.utf8)
    // A member in brackets keeps its quotes.
    let isQuoted = bytes[fault.range].first == UInt8(ascii: "'") && !suggestion.hasPrefix("'")
    bytes.replaceSubrange(fault.range, with: (isQuoted ? "'\(suggestion)'" : suggestion).utf8)
    let fixed = String(decoding: bytes, as: UTF8.self)
    let faults = (try? Expression(parsing: fixed).check(Self.scope).errors) ?? [fault]
    #expect(!faults.contains { $0.kind == fault.kind && $0.range.lowerBound == fault.range.lowerBound }, "\(fixed)")
  }

  @Test func `all kinds of fault are shown`() {
    let shown = Set((Self.syntax + Self.meaning).map(\.kind))
    // The bounds have tests of their own.
    #expect(Set(ExpressionError.Kind.allCases).subtracting(shown) == [.tooLong, .tooDeep])
  }

  @Test func `all faults are found at once and in order`() throws {
    let (_, faults) = try Expression(parsing: "vras.x + upper(vars.limit) + vars.nope").check(Self.scope)
    #expect(faults.map(\.kind) == [.unknownName, .wrongType, .unknownMember])
    #expect(faults.map(\.range.lowerBound) == [0, 15, 34])
  }

  @Test(arguments: [
    ("coalesce(record.email, 'x')", "string"), ("has(record.email) ? record.email : ''", "string"),
    ("has(record.email) && record.email.upper() == 'A'", "bool"),
    ("!has(record.email) || record.email.upper() == 'A'", "bool"),
    ("record.email != null ? record.email.upper() : ''", "string"),
    ("record.email == null ? '' : record.email", "string"),
    ("record.email == null || record.email.length() > 3", "bool"),
    ("record.email != null && record.email == 'a'", "bool"), ("null == record.address", "bool"),
    ("{'a': coalesce(record.email, null)}.a == null", "bool"),
    ("[coalesce(record.email, null), 'x']", "list"),
    ("type(record.address.zip)", "string"), ("round(record.id, 2)", "int"), ("round(record.price, 2)", "double"),
    ("round(response.a, 2)", "anything"), ("trim(record.name, '/')", "string"), ("truncate(record.price)", "int"),
    ("float(record.joined - record.joined)", "double"), ("merge({'a': 1}, {'b': 'x'})", "map"),
    ("contains(headers, 'a')", "bool"),
    ("coalesce(record.address.zip, '')", "string"), ("has(record.address.zip) ? record.address.zip : ''", "string"),
    ("coalesce(record.address['zip'], record.name)", "string"), ("coalesce(null, 1)", "int"),
    ("record.email", "string?"), ("coalesce(record.email, null)", "string?"), ("true ? 1 : null", "int?"),
    ("true ? record.email : 'a'", "string?"), ("record.price * 2", "double"), ("record.id / 2", "int"),
    ("record.id * 1.5", "double"), ("now() - record.joined", "duration"),
    ("record.joined + duration('1d')", "timestamp"),
    ("record.tags.map(t, t.length())", "list(int)"), ("record.tags.filter(t, t != '')", "list(string)"),
    ("first(record.tags)", "string"), ("max(1, 2.5)", "double"), ("values(headers)", "list(string)"),
    ("headers['x']", "string"), ("response.a.b[0]", "anything"), ("response.a + 1", "anything"),
    ("response.a + 'x'", "string"), ("response.total > 100", "bool"), ("[1, 'a']", "list"), ("{'a': 1}.a", "int"),
    ("headers.exists(h, h == 'x')", "bool"), ("int(response.total) + 1", "int"), ("json('1')", "anything"),
    ("sum([1, 2])", "int"), ("slice(record.tags, 1)", "list(string)"), ("to_json(record.email)", "string"),
    ("'a' in response.list", "bool"), ("{headers['k']: 1}", "map(int)"),
  ]) func `the type is known before the value`(text: String, type: String) throws {
    let checked = try Expression(parsing: text).check(Self.scope)
    #expect(checked.errors.isEmpty, "\(checked.errors)")
    #expect("\(checked.type)" == type)
  }

  @Test(arguments: [
    ("vars.since | upper", "a filter is written as a function call: upper(vars.since); 'or' is written '||'"),
    (
      "vars.since | default('x')",
      "a filter is written as a function call: coalesce(vars.since, 'x'); 'or' is written '||'"
    ),
    ("vars.a + 'b' | frobnicate", "a function is called as frobnicate(…); 'or' is written '||'"),
    ("vars.since || 'x'", "a default is written coalesce(vars.since, default); texts are joined with '+'"),
    ("record.joined - '7d'", "a length of time is written duration('7d')"),
    ("'a' . record.name", "texts are joined with '+'"), ("since", "did you mean 'vars.since'?"),
    ("if(true, 1, 2)", "write: condition ? value : other"), ("max(1, 2", "close the bracket with ')'"),
    ("max(1, 2))", "remove it: no bracket is open here"), ("max(1 2)", "separate the entries with ','"),
    ("headers['a'] 'b'", "an operator is missing; texts are joined with '+'"),
  ]) func `the help is what to write`(text: String, help: String) throws {
    var found: ExpressionError?
    do {
      found = try Expression(parsing: text).check(Self.scope).errors.first
    } catch {
      found = error
    }
    #expect(found?.help == help, "\(String(describing: found))")
  }

  @Test(arguments: [
    ("response.has-more == false", "response.has-more", "write a name with '-' in brackets: response['has-more']"),
    (
      "vars.limit + record.order-status-text", "record.order-status-text",
      "write a name with '-' in brackets: record['order-status-text']"
    ),
  ]) func `a name with hyphens is one mistake`(text: String, name: String, help: String) throws {
    let errors = try Expression(parsing: text).check(Self.scope).errors
    #expect(errors.count == 1, "\(errors)")
    let error = try #require(errors.first)
    #expect(String(decoding: Array(text.utf8)[error.range], as: UTF8.self) == name)
    #expect(error.help == help)
  }

  @Test(arguments: ["vars.limit-record.id", "vars.limit - record.id", "10-vars.limit", "response.page-1"])
  func `a subtraction without spaces is no name`(text: String) throws {
    #expect(try Expression(parsing: text).check(Self.scope).errors.isEmpty)
  }

  @Test(arguments: [
    ("response.a - 'x'", "'-' takes numbers, timestamps and durations, not a string"),
    ("'x' * response.a", "'*' takes numbers, or a duration and an int, not a string"),
    ("record.id + 'a'", "'+' cannot be applied to an int and a string"),
    ("record.email > vars.flags", "a string cannot be compared with a list"),
    ("upper([response.a])", "upper takes string here, not a list"),
  ]) func `types are named in words`(text: String, message: String) throws {
    let errors = try Expression(parsing: text).check(Self.scope).errors
    #expect(errors.contains { $0.message == message }, "\(errors)")
  }

  @Test func `what is not known is listed, or told by the scope`() throws {
    let name = try Expression(parsing: "q").check(Self.scope).errors[0]
    #expect(name.help == "write a text in quotes: 'q'; known here are vars, record, headers, response")
    let told = try Expression(parsing: "q").check(ExpressionScopeType(["vars": .dynamic], help: "declare it")).errors[0]
    #expect(told.help == "write a text in quotes: 'q'; declare it")
    let member = try Expression(parsing: "vars.q").check(Self.scope).errors[0]
    #expect(member.help == "it has since, limit, flags")
  }
}
