internal import SourceDiagnostics

extension DiagnosticCatalogue {
  /// What is found in the bytes of a file.
  static let yamlByteEntries: [Entry] = [
    Entry(
      .yamlTooLarge, "the file is too large",
      "Configuration is read whole into memory; a file is at most 2 MiB, so that a wrong path (a dump, a "
        + "log) is noticed at once. Split large configurations into several files.",
      wrong: nil, right: nil),
    Entry(
      .yamlWrongEncoding, "the file is not written in UTF-8",
      "The file is UTF-16 or UTF-32, as some editors on Windows save it. Save it as UTF-8; with or without "
        + "a byte order mark does not matter.",
      wrong: nil, right: nil),
    Entry(
      .yamlInvalidUTF8, "bytes that are not UTF-8",
      "Some bytes belong to no character; usually a part of the file was written in Latin-1 or another old "
        + "encoding, or the file is not a text. Save it as UTF-8.",
      wrong: nil, right: nil),
    Entry(
      .yamlNullByte, "a NUL byte",
      "NUL ends texts in many programs, so that what stands behind it could be overlooked. It may not stand"
        + " in a file; in double quotes, \\0 stands for it.",
      wrong: nil, right: nil),
    Entry(
      .yamlControlCharacter, "a control character",
      "Control characters other than tab and line ends cannot be seen and may drive a terminal. YAML does "
        + "not allow them in a file; in double quotes they can be written as \\u001B.",
      wrong: "title: red\u{1B}[31m",
      right: "title: \"red\\u001B[31m\""),
    Entry(
      .yamlByteOrderMark, "a byte order mark inside the file",
      "U+FEFF may stand at the very start of a file only. Elsewhere it is left over from joining files, and"
        + " it would be an invisible part of a key or a value.",
      wrong: "a: 1\n\u{FEFF}b: 2",
      right: "a: 1\nb: 2"),
    Entry(
      .yamlHiddenLineBreak, "a line break that editors do not show",
      "U+0085, U+2028 and U+2029 end a line for YAML readers while most editors show one line. What looks "
        + "like one value would be two lines, perhaps with a second key. Replace it by a real line break, or "
        + "write it as an escape in double quotes.",
      wrong: "note: one\u{2028}admin: true",
      right: "note: \"one\\u2028admin: true\""),
    Entry(
      .yamlHiddenDirection, "a character that changes the order of the text shown",
      "Characters that switch the direction of writing make the text look different from what is read "
        + "(CVE-2021-42574). Remove them, or write them as escapes in double quotes.",
      wrong: "path: out/\u{202E}lmth.json",
      right: "path: \"out/\\u202Elmth.json\""),
    Entry(
      .yamlForeignSpace, "a space that is none",
      "No-break spaces and other special spaces, often copied from web pages, look like a space but are "
        + "part of the text: a key or value that starts or ends with one is not what it seems. Use the plain "
        + "space; in quotes, special spaces are allowed.",
      wrong: "flows:\n  \u{A0}users: 1",
      right: "flows:\n  users: 1"),
  ]
}
