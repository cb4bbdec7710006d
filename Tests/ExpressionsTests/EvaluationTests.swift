import JSONSyntax
import Testing

@testable import Expressions

@Suite struct EvaluationTests {
  static func scope() throws -> [String: ExpressionValue] {
    try Trial.scope([
      "record": #"{"id":9007199254740993,"price":1.10,"big":1e400,"n":null,"list":[1,2.50,"a"],"o":{"z":1,"a":2}}"#,
      "text": #""abc""#,
    ])
  }

  @Test(arguments: [
    ("record", #"{"id":9007199254740993,"price":1.10,"big":1e400,"n":null,"list":[1,2.50,"a"],"o":{"z":1,"a":2}}"#),
    ("record.id", "9007199254740993"), ("record.price", "1.10"), ("record.big", "1e400"), ("record['price']", "1.10"),
    ("record.list[1]", "2.50"), ("record.o", #"{"z":1,"a":2}"#), ("true ? record.price : 0", "1.10"),
    ("[record.price, record.big]", "[1.10,1e400]"), ("coalesce(record.n, record.price)", "1.10"),
    ("record.list.filter(x, x != 1)", #"[2.50,"a"]"#), ("max([record.price, 1])", "1.10"), ("first(record.list)", "1"),
    ("values(record.o)", "[1,2]"), ("to_json(record.price)", #""1.10""#), ("string(record.price)", #""1.10""#),
  ]) func `what passes through is given out as it came`(text: String, json: String) throws {
    #expect(try Trial.outcome(text, in: Self.scope()) == json)
  }

  @Test(arguments: [
    ("record.id + 1", "9007199254740994"), ("record.price + 1", "2.1"), ("record.id == 9007199254740993", "true"),
    ("record.id == 9007199254740992", "false"), ("record.big > 1", "true"), ("record.big + 1", "error: overflow"),
    ("record.id + 0.5", "error: conversion"), ("record.n == null", "true"), ("record.nope == null", "true"),
    ("record.nope != null", "false"),
    ("record.nope == 'a'", "error: missing"), ("record.nope == record.n", "error: missing"),
    ("record.n == 'a'", "false"), ("record.n.x == null", "true"), ("record.nope", "error: missing"),
    ("record.n.x", "error: missing"), ("record.id.x", "error: missing"), ("record[0]", "error: wrong-type"),
    ("text[0]", "error: wrong-type"), ("nope", "error: missing"), ("coalesce(nope, 1)", "1"), ("has(nope.a)", "false"),
    ("has(record.n)", "false"), ("has(record.list[5])", "false"), ("has(record.list[0])", "true"),
    ("has(record.id.x)", "false"), ("coalesce(1 / 0, 2)", "error: division-by-zero"),
    ("coalesce(int(text), 2)", "error: conversion"), ("coalesce(record.a, record.b, record.id)", "9007199254740993"),
    ("coalesce(true ? record.nope : 1, 5)", "5"), ("coalesce(record.nope ? 1 : 2, 5)", "error: missing"),
    ("text == 1", "false"), ("text < 1", "error: wrong-type"), ("'1' == 1", "false"), ("1 == true", "false"),
    ("record.list == [1.0, 2.5, 'a']", "true"), ("record.o == {'a': 2, 'z': 1}", "true"),
    ("record.o == {'a': 2}", "false"),
    ("'z' in record.o", "true"), ("2.5 in record.list", "true"), ("null in record.list", "false"),
    ("record.list + [null]", #"[1,2.50,"a",null]"#), ("record.list.map(x, string(x)).join('-')", #""1-2.50-a""#),
    ("record.list.map(x, record.list.map(y, [x, y].length())).map(l, sum(l))", "[6,6,6]"),
    ("'e\u{301}' == '\u{e9}'", "false"), ("length('e\u{301}')", "2"), ("-record.price", "-1.1"),
    ("record.id / 2", "error: conversion"), ("int(record.price)", "error: conversion"),
    ("int('+1')", "error: conversion"),
    ("int(' 1')", "error: conversion"), ("float('0x10')", "error: conversion"), ("float('nan')", "error: conversion"),
    ("float(' 1')", "error: conversion"), ("float('1e999')", "error: conversion"), ("int(1e18)", "1000000000000000000"),
    ("1 - -9223372036854775807", "error: overflow"), ("-9223372036854775808 / -1", "error: overflow"),
    ("-9223372036854775808 % -1", "0"), ("timestamp('9999-12-31') + duration('2d')", "error: overflow"),
    ("duration('3000000d') * 9223372036854775807", "error: overflow"), ("duration('4000000d')", "error: conversion"),
    ("add(now(), 9223372036854775807, 'year')", "error: overflow"),
    ("add(now(), 9223372036854775807, 'week')", "error: overflow"), ("slice('abc', -9223372036854775808)", #""abc""#),
    ("slice('abc', 2, 1)", #""""#), ("slice([1], 5)", "[]"), ("[1][9223372036854775807]", "error: missing"),
    ("format(now() + duration('1ms'), 'epoch_s')", "error: conversion"), ("format(now(), '%Y')", #""2026""#),
    ("timestamp(1.5, 'epoch_s')", #""1970-01-01T00:00:01.5Z""#),
    ("timestamp(-1, 'epoch_s')", #""1969-12-31T23:59:59Z""#),
    ("truncate(timestamp('1969-12-31T23:59:59Z'), 'week')", #""1969-12-29T00:00:00Z""#),
    ("truncate(timestamp('1969-12-31T23:59:59.5Z'), 'day')", #""1969-12-31T00:00:00Z""#),
    ("timestamp('2024-02-29').add(1, 'year')", #""2025-02-28T00:00:00Z""#),
    ("timestamp('2024-03-31').add(-1, 'months')", #""2024-02-29T00:00:00Z""#),
    ("duration('0.1s')", #""PT0.1S""#), ("duration('0s')", #""PT0S""#), ("duration('-1h30m')", #""-PT1H30M""#),
    ("duration('P1Y')", "error: conversion"), ("duration('1h1h')", "error: conversion"),
    ("duration('0.0000000001s')", "error: conversion"), ("duration('')", "error: conversion"),
    ("extract('aXbXc', 'X(.)X|b')", #""b""#), ("extract('xaab', 'a*b|a')", #""aab""#),
    ("extract('ab', '(a|ab)(c|bcd)?')", #""a""#),
    ("extract('abcd', 'b(x)?c')", #""bc""#), ("extract('éàü', 'à')", #""à""#),
    ("extract('<a><b>', '<([^>]*)>')", #""a""#),
    ("extract('abab', '(a|b)*$')", #""b""#), ("extract('', '')", #""""#), ("extract('ab', '^b')", "error: missing"),
    ("replace('aaaa', 'aa', 'a')", #""aa""#), ("replace('abc', '', 'x')", #""abc""#),
    ("split('aXXbX', 'X')", #"["a","","b",""]"#),
    ("contains('aab', 'ab')", "true"), ("contains('ab', 'abc')", "false"), ("trim('\u{a0}a\u{2003}')", #""a""#),
    ("base64_decode('YQ')", #""a""#), ("base64_decode('YQ=')", "error: conversion"),
    ("base64_decode('YR==')", "error: conversion"),
    ("base64_decode('Y')", "error: conversion"), ("base64_decode('Pz8_')", #""???""#),
    ("url_decode('%c3')", "error: conversion"),
    ("url_decode('%')", "error: conversion"), ("sum([1, 'a'])", "error: wrong-type"),
    ("sum(['a'])", "error: wrong-type"),
    ("min([true])", "error: wrong-type"), ("min([null])", "error: wrong-type"),
    ("join(['a', ['b']])", "error: no-text"),
    ("trim('  ', '')", #""  ""#), ("trim_start('\u{e9}\u{e9}a', '\u{e9}')", #""a""#), ("trim_end('aXa', 'Xa')", #""""#),
    ("round(2.675, 2)", "2.67"), ("round(2.5, 0)", "3.0"), ("round(2.5, 0, 'even')", "2.0"),
    ("round(-0.125, 2, 'even')", "-0.12"), ("round(-0.375, 2, 'even')", "-0.38"), ("round(0.005, 2)", "0.01"),
    ("round(1e300, 2)", "1e+300"), ("round(5e-324, 15)", "0.0"), ("round(0.1 + 0.2, 15)", "0.3"),
    ("round(4503599627370495.5, 1)", "4503599627370495.5"), ("round(record.id, 2)", "9007199254740993"),
    ("round(record.price, 1)", "1.1"), ("round(1.5, -1)", "error: bad-argument"),
    ("round(1.5, 1, 'up')", "error: bad-argument"), ("round('a', 1)", "error: wrong-type"),
    ("float(timestamp('2026-01-02') - timestamp('2026-01-01'))", "86400.0"), ("float(duration('-1h1ms'))", "-3600.001"),
    ("float(duration('1d') - duration('0.000000001s'))", "86399.999999999"),
    ("merge({'a': 1}, {'a': 2}).a", "2"), ("length(merge(record.o, {'a': 3, 'b': 4}))", "3"),
    ("merge(record.o, [1])", "error: wrong-type"),
    ("type(record.n)", #""null""#), ("type(record.nope.x)", #""null""#), ("type(record.price)", #""double""#),
    ("type(record.id)", #""int""#), ("type(record.o)", #""map""#), ("type(nope)", #""null""#),
    ("type(record.id.x)", #""null""#), ("type(1 / 0)", "error: division-by-zero"),
    ("record.list.map(x, type(x))", #"["int","double","string"]"#), ("type(duration('1s'))", #""duration""#),
    ("truncate(record.price)", "1"), ("truncate(1e300)", "error: overflow"), ("truncate('1')", "error: wrong-type"),
    ("to_json(now())", #""\"2026-01-15T10:30:00Z\"""#), ("{'a': now() - now()}", #"{"a":"PT0S"}"#), ("float(3)", "3.0"),
  ]) func `values, and errors in position of wrong ones`(text: String, outcome: String) throws {
    #expect(try Trial.outcome(text, in: Self.scope()) == outcome)
  }

  @Test(arguments: [
    ("1 + record.nope.x", 4..<15), ("'é' + int(text)", 7..<16), ("record.list[7]", 0..<14), ("1 / 0 + 2", 0..<5),
    ("text ? 1 : 2", 0..<4), ("!1", 0..<2),
  ]) func `an error names its position`(text: String, range: Range<Int>) throws {
    let scope = try Self.scope()
    let expression = try Expression(parsing: text)
    let error = #expect(throws: EvaluationError.self) { try expression.evaluate(in: scope, now: Trial.now) }
    let found = try #require(error).range
    #expect(range.contains(found.lowerBound) && found.upperBound <= range.upperBound && !found.isEmpty, "\(found)")
  }

  @Test func `an error never has a value in its message`() throws {
    let scope: [String: ExpressionValue] = ["secret": .string("hunter2-hunter2")]
    for text in [
      "int(secret)", "float(secret)", "timestamp(secret)", "duration(secret)", "bool(secret)", "json(secret)",
      "base64_decode(secret)", "matches('a', secret + '(')", "add(now(), 1, secret)", "format(now(), secret)",
      "{secret: 1, 'x': 2}[secret + 'x']", "[][secret]", "secret.x", "-secret", "secret && true", "1 + secret",
    ] {
      let expression = try Expression(parsing: text)
      let error = #expect(throws: EvaluationError.self) { try expression.evaluate(in: scope, now: Trial.now) }
      let message = try #require(error).message
      #expect(!message.contains("hunter2"), "\(text): \(message)")
    }
  }

  @Test func `a value has a text, or an error that says what to do`() throws {
    let scope = try Self.scope()
    for (text, expected) in [
      ("record.id", "9007199254740993"), ("record.price", "1.10"), ("text", "abc"), ("true", "true"),
      ("now()", "2026-01-15T10:30:00Z"),
      ("1.50 * 2", "3.0"), ("duration('90s')", "PT1M30S"), ("-5", "-5"),
    ] {
      #expect(try Expression(parsing: text).evaluate(in: scope, now: Trial.now).text() == expected)
    }
    for (text, word) in [
      ("record.n", "coalesce"), ("record.list", "join"), ("record.o", "to_json"), ("[1]", "join"), ("{}", "to_json"),
    ] {
      let value = try Expression(parsing: text).evaluate(in: scope, now: Trial.now)
      let error = #expect(throws: EvaluationError.self) { try value.text() }
      #expect(try #require(error).message.contains(word))
    }
  }

  @Test func `references are the names taken from the scope, without those of macros`() throws {
    let expression = try Expression(
      parsing: "vars.since + parent['id'].x + [1].map(v, v + vars.n).join('') + now().format(f) + r[k].z")
    #expect(
      expression.references.map { [$0.root] + $0.members } == [
        ["vars", "since"], ["parent", "id", "x"], ["vars", "n"], ["f"], ["r"], ["k"],
      ])
    let bytes = Array(expression.text.utf8)
    #expect(
      expression.references[1].ranges.map { String(decoding: bytes[$0], as: UTF8.self) } == ["parent", "'id'", "x"])
    #expect(expression.references[0].firstMember == "since")
  }

  @Test func `a JSON value becomes what its type says, and else stays as it came`() throws {
    let type = ExpressionType.object([
      "id": .int, "at": .optional(.timestamp), "wait": .duration, "ids": .list(.int), "by": .map(.int),
      "price": .double,
      "o": .object(["n": .int]),
    ])
    func value(_ text: String) throws -> ExpressionValue { ExpressionValue(try JSONValue(parsing: text), as: type) }
    let record = try value(
      #"{"id":7,"at":"2026-01-01","wait":"90s","ids":[1,2.5],"by":{"a":3},"price":1.10,"o":{"n":5,"x":6},"more":8}"#)
    let scope = ["record": record]
    for (text, json) in [
      ("record.id / 2", "3"), ("record.at + record.wait", #""2026-01-01T00:01:30Z""#), ("record.ids[0] / 2", "0"),
      ("record.ids[1]", "2.5"), ("record.by.a / 2", "1"), ("record.price", "1.10"), ("record.o.n / 2", "2"),
      ("record.o.x / 4", "1.5"), ("record.more / 16", "0.5"),
    ] { #expect(try Trial.outcome(text, in: scope) == json, "\(text)") }
    #expect(try value(#"{"id":"7","at":null}"#).json == JSONValue(parsing: #"{"id":"7","at":null}"#))
    // Nothing to do, nothing taken apart.
    let plain = try JSONValue(parsing: #"{"a":[1]}"#)
    #expect(ExpressionValue(plain, as: .object(["a": .list(.double)])) == .json(plain))
  }

  @Test func `a JSON value comes back the same`() throws {
    for text in ["null", "true", "1.0", "-0", "1E+2", #""é""#, "[]", "{}", #"[1,{"b":[null],"a":0.10}]"#] {
      let json = try JSONValue(parsing: text)
      #expect(String(decoding: JSONWriter.bytes(ExpressionValue(json).json), as: UTF8.self) == text)
    }
  }
}
