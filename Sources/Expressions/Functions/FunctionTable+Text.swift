internal import JSONSyntax

extension FunctionTable {
  static let text: [Function] = [
    Function(
      name: "length",
      signatures: [
        Signature([.init("text", .string)], .int), Signature([.init("list", .list(.anything))], .int),
        Signature([.init("map", .map(.anything))], .int),
      ],
      summary: "The number of Unicode scalars, elements or members.",
      examples: [.init("length('héllo')", "5"), .init("[1, 2].length()", "2"), .init("length({'a': 1})", "1")],
      otherNames: ["size", "len", "count"]
    ) { arguments, evaluation throws(EvaluationError) in
      if case .string(let text) = arguments[0] {
        try evaluation.spend(reading: text)
        return .int(Int64(text.unicodeScalars.count))
      }
      guard arguments[0].isList || arguments[0].isMap else { throw arguments.wrongType(0, "a string, list or map") }
      return .int(Int64(arguments[0].count))
    },
    Function(
      name: "split",
      signatures: [Signature([.init("text", .string), .init("separator", .string)], .list(.string))],
      summary: "The parts of a text between separators; an empty separator splits the text into Unicode scalars.",
      examples: [
        .init("'a,b,'.split(',')", #"["a","b",""]"#), .init("split('', ',')", #"[""]"#),
        .init("split('né', '')", #"["n","é"]"#),
      ]
    ) { arguments, evaluation throws(EvaluationError) in try TextWork.split(arguments, &evaluation) },
    Function(
      name: "join",
      signatures: [Signature([.init("list", .list(.anything)), .init("separator", .string, .optional)], .string)],
      summary: "The texts of a list's elements, with the separator between them.",
      examples: [
        .init("['a', 'b'].join(', ')", #""a, b""#), .init("join([1, true, 2.50])", #""1true2.50""#),
        .init("join([], ',')", #""""#), .init("join([null], ',')", "error: no-text"),
      ]
    ) { arguments, evaluation throws(EvaluationError) in try TextWork.join(arguments, &evaluation) },
    Function(
      name: "replace",
      signatures: [Signature([.init("text", .string), .init("old", .string), .init("new", .string)], .string)],
      summary: "The text with every occurrence of `old` replaced, from left to right; an empty `old` replaces nothing.",
      examples: [.init("'a-b-c'.replace('-', '+')", #""a+b+c""#), .init("replace('aaa', 'aa', 'b')", #""ba""#)],
      otherNames: ["gsub", "sub"]
    ) { arguments, evaluation throws(EvaluationError) in try TextWork.replace(arguments, &evaluation) },
    Function(
      name: "replace_matches",
      signatures: [Signature([.init("text", .string), .init("pattern", .string), .init("new", .string)], .string)],
      summary: """
        The text with every match of the pattern (I-Regexp) replaced, from left to right. The new text is inserted \
        unchanged: it has no references to groups.
        """,
      examples: [
        .init("'Big Blue!'.lower().replace_matches('[^a-z0-9]+', '-')", #""big-blue-""#),
        .init("replace_matches('a1b22', '[0-9]', '#')", #""a#b##""#),
        .init("replace_matches('ab', 'x*', '-')", #""-a-b-""#),
        .init("replace_matches('aab', '^a', '')", #""ab""#),
      ],
      otherNames: ["regex_replace", "re_sub", "replaceAll", "regexReplace"],
      literal: .init(argument: 1, kind: .expression)
    ) { arguments, evaluation throws(EvaluationError) in try TextWork.replaceMatches(arguments, &evaluation) },
    trimming(
      "trim", .around, "around it", ["strip"],
      [
        .init(#"trim(' a b\n')"#, #""a b""#), .init("'/a/b/'.trim('/')", #""a/b""#),
        .init("trim('xyz', 'zyx')", #""""#),
      ]),
    trimming(
      "trim_start", .before, "at its beginning", ["lstrip", "ltrim", "trimStart", "trimLeft"],
      [.init("'/a/'.trim_start('/')", #""a/""#), .init("trim_start(' a ')", #""a ""#)]),
    trimming(
      "trim_end", .behind, "at its end", ["rstrip", "rtrim", "trimEnd", "trimRight"],
      [.init("'https://a//'.trim_end('/')", #""https://a""#), .init("trim_end(' a ')", #"" a""#)]),
    Function(
      name: "lower",
      signatures: [Signature([.init("text", .string)], .string)],
      summary: "The text in lower case (Unicode, no locale).",
      examples: [.init("lower('ÄB')", #""äb""#)],
      otherNames: ["lowerAscii", "downcase", "lowercase", "toLowerCase"]
    ) { arguments, evaluation throws(EvaluationError) in
      try TextWork.changed(try arguments.string(0), &evaluation) { $0.lowercased() }
    },
    Function(
      name: "upper",
      signatures: [Signature([.init("text", .string)], .string)],
      summary: "The text in upper case (Unicode, no locale).",
      examples: [.init("'äb'.upper()", #""ÄB""#)],
      otherNames: ["upperAscii", "upcase", "uppercase", "toUpperCase"]
    ) { arguments, evaluation throws(EvaluationError) in
      try TextWork.changed(try arguments.string(0), &evaluation) { $0.uppercased() }
    },
    padding(
      "pad_start", "before", ("pad_start(string(7), 3, '0')", #""007""#), ["zfill", "rjust", "padStart", "lpad"]),
    padding("pad_end", "after", ("pad_end('ab', 4, '.')", #""ab..""#), ["ljust", "padEnd", "rpad"]),
    Function(
      name: "title",
      signatures: [Signature([.init("text", .string)], .string)],
      summary: """
        The text with each word's first letter in upper case and the others in lower case (Unicode, no locale). White \
        space, `-` and the opening brackets `(`, `[`, `{` and `<` are before a word.
        """,
      examples: [.init("'mary-ann (née LEE)'.title()", #""Mary-Ann (Née Lee)""#)],
      otherNames: ["titlecase", "initcap"]
    ) { arguments, evaluation throws(EvaluationError) in
      try TextWork.changed(try arguments.string(0), &evaluation, TextWork.title)
    },
    Function(
      name: "matches",
      signatures: [Signature([.init("text", .string), .init("pattern", .string)], .bool)],
      summary: """
        Whether the pattern, an I-Regexp (RFC 9485), matches a part of the text; `^` and `$` match only at the \
        beginning and at the end. Time is linear in the text.
        """,
      examples: [
        .init("'v1.2'.matches('[0-9]+')", "true"), .init("matches('v1', '^[0-9]+$')", "false"),
        .init("matches('a', '(')", "error: bad-argument"),
      ],
      otherNames: ["test", "regex_match", "match"], literal: .init(argument: 1, kind: .expression)
    ) { arguments, evaluation throws(EvaluationError) in
      .bool(try TextWork.search(arguments, &evaluation) != nil)
    },
    Function(
      name: "extract",
      signatures: [Signature([.init("text", .string), .init("pattern", .string)], .string)],
      summary: """
        The text that the first group of the pattern (I-Regexp) matches in its leftmost match, or the whole match if \
        it has no group. No match is a missing value: give a default with `coalesce`.
        """,
      examples: [
        .init("'page=12&x'.extract('page=([0-9]+)')", #""12""#), .init("extract('a1', '[0-9]')", #""1""#),
        .init("coalesce(extract('a', '[0-9]'), 'none')", #""none""#), .init("extract('a', '[0-9]')", "error: missing"),
      ],
      otherNames: ["regex_search", "search", "capture", "find"], isLookUp: true,
      literal: .init(argument: 1, kind: .expression)
    ) { arguments, evaluation throws(EvaluationError) in try TextWork.extract(arguments, &evaluation) },
    Function(
      name: "starts_with",
      signatures: [Signature([.init("text", .string), .init("prefix", .string)], .bool)],
      summary: "Whether the text begins with another text.",
      examples: [.init("'https://a'.starts_with('https:')", "true"), .init("starts_with('a', 'ab')", "false")],
      otherNames: ["startsWith", "startswith", "hasPrefix"]
    ) { arguments, evaluation throws(EvaluationError) in
      let (text, part) = (try arguments.string(0), try arguments.string(1))
      try evaluation.spend(reading: part)
      return .bool(text.utf8.starts(with: part.utf8))
    },
    Function(
      name: "ends_with",
      signatures: [Signature([.init("text", .string), .init("suffix", .string)], .bool)],
      summary: "Whether the text ends with another text.",
      examples: [.init("'a.json'.ends_with('.json')", "true"), .init("ends_with('a', 'ba')", "false")],
      otherNames: ["endsWith", "endswith", "hasSuffix"]
    ) { arguments, evaluation throws(EvaluationError) in
      let (text, part) = (try arguments.string(0), try arguments.string(1))
      try evaluation.spend(reading: part)
      return .bool(text.utf8.reversed().starts(with: part.utf8.reversed()))
    },
    Function(
      name: "contains",
      signatures: [
        Signature([.init("text", .string), .init("part", .string)], .bool),
        Signature([.init("list", .list(.anything)), .init("element", .anything)], .bool),
        Signature([.init("map", .map(.anything)), .init("key", .string)], .bool),
      ],
      summary: "Whether a text contains another text, a list an element, or a map a key (like `in`).",
      examples: [
        .init("'rate limit'.contains('limit')", "true"), .init("contains([1, 2], 2.0)", "true"),
        .init("contains('a', '')", "true"), .init("contains({'a': 1}, 'a')", "true"),
      ],
      otherNames: ["includes"]
    ) { arguments, evaluation throws(EvaluationError) in
      if case .string(let text) = arguments[0] {
        return .bool(
          try TextWork.firstPlace(of: Array(try arguments.string(1).utf8), in: Array(text.utf8), &evaluation) != nil)
      }
      if arguments[0].isMap { return .bool(arguments[0].member(try arguments.string(1)) != nil) }
      guard arguments[0].isList else { throw arguments.wrongType(0, "a string, a list or a map") }
      return .bool(try evaluation.contains(arguments[0], arguments[1]))
    },
    Function(
      name: "slice",
      signatures: [
        Signature([.init("text", .string), .init("start", .int), .init("end", .int, .optional)], .string),
        Signature(
          [.init("list", .list(.element)), .init("start", .int), .init("end", .int, .optional)], .list(.element)),
      ],
      summary: """
        The scalars of a text or elements of a list from `start` up to, but not including, `end`. Indices count from \
        0, negative ones from the end; a part beyond the ends is left out.
        """,
      examples: [
        .init("'abcdef'.slice(1, 3)", #""bc""#), .init("slice('abc', -2)", #""bc""#),
        .init("[1, 2, 3].slice(0, -1)", "[1,2]"),
        .init("slice('abc', 2, 99)", #""c""#),
      ],
      otherNames: ["substring", "substr", "sub_list"]
    ) { arguments, evaluation throws(EvaluationError) in try TextWork.slice(arguments, &evaluation) },
  ]
  private static func trimming(
    _ name: String, _ side: TextWork.Side, _ end: String, _ otherNames: [String], _ examples: [Function.Example]
  ) -> Function {
    Function(
      name: name,
      signatures: [Signature([.init("text", .string), .init("characters", .string, .optional)], .string)],
      summary: "The text without white space \(end), or without any of the characters.", examples: examples,
      otherNames: otherNames
    ) { arguments, evaluation throws(EvaluationError) in try TextWork.trim(arguments, side, &evaluation) }
  }

  /// Creates a function that fills a text up to a length.
  private static func padding(
    _ name: String, _ side: String, _ example: (String, String), _ otherNames: [String]
  ) -> Function {
    Function(
      name: name,
      signatures: [
        Signature([.init("text", .string), .init("length", .int), .init("fill", .string, .optional)], .string)
      ],
      summary: """
        The text with the fill (by default a space) repeated \(side) it, up to a length in Unicode scalars; a longer \
        text stays as it is. The fill is one Unicode scalar.
        """,
      examples: [
        .init(example.0, example.1), .init("\(name)('abc', 2)", #""abc""#),
        .init("\(name)('a', 3, 'xy')", "error: bad-argument"),
      ],
      otherNames: otherNames
    ) { arguments, evaluation throws(EvaluationError) in
      let text = try arguments.string(0)
      let fill = arguments.count > 2 ? try arguments.string(2) : " "
      guard fill.unicodeScalars.count == 1 else {
        throw EvaluationError(.badArgument, "the fill must be one character, not '\(fill)'")
      }
      let count = Int64(text.unicodeScalars.count)
      let length = try arguments.int(1)
      guard length > count else { return arguments[0] }
      let missing = length - count
      let bytes = missing.multipliedReportingOverflow(by: Int64(fill.utf8.count))
      let all = bytes.partialValue.addingReportingOverflow(Int64(text.utf8.count))
      guard !bytes.overflow, !all.overflow else {
        throw EvaluationError(.tooMuchMemory, "the length is too large")
      }
      try evaluation.spend(bytes: Int(all.partialValue))
      let padding = String(repeating: fill, count: Int(missing))
      return .string(name == "pad_start" ? padding + text : text + padding)
    }
  }
}
