import Storage
import Records
import StreamCompression
import Testing

@Suite struct OutputPathTests {
  @Test(arguments: [
    ("a.json", "a.json"), ("./a.json", "a.json"), ("out//a.jsonl", "out/a.jsonl"), ("./out/./b//c.csv", "out/b/c.csv"),
    ("A.NDJSON", "A.NDJSON"), ("...json", "...json"), ("ü/日本.csv", "ü/日本.csv"), ("a b/c d.json", "a b/c d.json"),
    ("-rf.json", "-rf.json"), ("$HOME/~.json", "$HOME/~.json"),
  ])
  func `a path has one spelling`(_ written: String, _ expected: String) throws {
    let path = try OutputPath(parsing: written)
    #expect(path.text == expected)
    #expect(path == (try OutputPath(parsing: expected)))
    #expect(path.folders + [path.name] == path.components[...])
  }

  @Test(arguments: [
    ("x.json", RecordFormat.json), ("x.jsonl", .jsonLines), ("x.ndjson", .jsonLines), ("x.csv", .csv),
    ("x.y.CSV", .csv),
  ])
  func `the extension names the format`(_ text: String, _ format: RecordFormat) throws {
    #expect(try OutputPath(parsing: text).format == format)
  }

  @Test(arguments: [
    ("x.json.gz", RecordFormat.json, CompressionFormat.gzip), ("x.y.ndjson.GZ", .jsonLines, .gzip),
    ("gz/x.csv.zst", .csv, .zstd),
  ])
  func `a second extension names the compression`(
    _ text: String, _ format: RecordFormat, _ compression: CompressionFormat
  ) throws {
    #expect(try OutputPath(parsing: text).format == format)
    #expect(try OutputPath(parsing: text).compression == compression)
    #expect(try OutputPath(parsing: "gz.json").compression == nil)
  }

  @Test func `a file of any kind does not go among what people write`() throws {
    for folder in ["flows", "schemas", "fixtures"] {
      #expect(throws: OutputPath.ParsingError.project(folder)) { try OutputPath(ofAnyFile: "./\(folder)//a/x.json") }
      // Described schemas are results, and are reviewed.
      #expect(throws: Never.self) { try OutputPath(parsing: "\(folder)/x.jsonl") }
    }
    #expect(throws: Never.self) { try OutputPath(ofAnyFile: "out/flows/x") }
  }

  @Test func `a file of any kind needs no extension, and nothing else is different`() throws {
    for (written, expected) in [("x", "x"), ("a//b c.pdf", "a/b c.pdf"), ("x.json.gz", "x.json.gz"), ("a/.b", "a/.b")] {
      let path = try OutputPath(ofAnyFile: written)
      #expect(path.text == expected)
      #expect(path.compression == nil)
    }
    for (text, mistake) in Self.hostile {
      switch mistake {
      case .noExtension, .unknownExtension: #expect(throws: Never.self) { try OutputPath(ofAnyFile: text) }
      default: #expect(throws: mistake) { try OutputPath(ofAnyFile: text) }
      }
    }
  }

  static let hostile: [(String, OutputPath.ParsingError)] = [
    ("", .empty), ("/etc/passwd.json", .absolute), ("//x.json", .absolute), ("/", .absolute),
    ("../x.json", .leadsUpwards), ("a/../x.json", .leadsUpwards), ("a/../../x.json", .leadsUpwards),
    ("..", .leadsUpwards), ("a/..", .leadsUpwards), ("./../x.json", .leadsUpwards),
    (".", .noFile), ("./", .noFile), ("out/", .noFile), ("out/x.json/", .noFile), ("out/x.json/.", .noFile),
    ("a\0.json", .hiddenCharacter("\0")), ("a\n.json", .hiddenCharacter("\n")), ("a\r/x.json", .hiddenCharacter("\r")),
    ("\u{1B}[2J.json", .hiddenCharacter("\u{1B}")), ("a\u{7F}.json", .hiddenCharacter("\u{7F}")),
    ("a\u{85}.json", .hiddenCharacter("\u{85}")), ("a\u{2028}.json", .hiddenCharacter("\u{2028}")),
    ("a\u{202E}nosj.json", .hiddenCharacter("\u{202E}")), ("\u{FEFF}a.json", .hiddenCharacter("\u{FEFF}")),
    ("..\\x.json", .backslash), ("C:\\x.json", .backslash), (" a.json", .spaceAtEdge(" a.json")),
    ("a /x.json", .spaceAtEdge("a ")), (".reactor.stamps", .hidden(".reactor.stamps")),
    (".reactor-tmp.1.json", .hidden(".reactor-tmp.1.json")), (".reactor/x.json", .hidden(".reactor")),
    (".hidden/x.json", .hidden(".hidden")), ("out/.git/hooks/x.json", .hidden(".git")),
    ("x", .noExtension("x")), (".json", .noExtension(".json")), ("out/.csv", .noExtension(".csv")),
    ("x.txt", .unknownExtension("txt")), ("x.json.xz", .unknownExtension("xz")), ("x.gz", .unknownExtension("gz")),
    (".json.gz", .unknownExtension("gz")),
    ("x.txt.gz", .unknownExtension("txt")), ("x.json.gz.gz", .unknownExtension("gz")), ("x.", .unknownExtension("")),
    ("/\u{301}x.json", .absolute), ("..\u{301}/../x.json", .leadsUpwards),
  ]

  @Test(arguments: hostile)
  func `a hostile name is refused with its reason and a remedy`(_ text: String, _ mistake: OutputPath.ParsingError) {
    #expect(throws: mistake) { try OutputPath(parsing: text) }
    #expect(!mistake.description.isEmpty)
    #expect(!mistake.remedy.isEmpty)
  }

  @Test func `names and paths end where file systems end`() throws {
    let longest = String(repeating: "é", count: 125) + ".json"  // 255 bytes
    #expect(try OutputPath(parsing: longest).name == longest)
    let longer = "x" + longest
    #expect(throws: OutputPath.ParsingError.tooLong(longer)) { try OutputPath(parsing: longer) }
    let deep = String(repeating: "ab/", count: 400) + "x.json"
    #expect(throws: OutputPath.ParsingError.tooLong(deep)) { try OutputPath(parsing: deep) }
  }

  @Test func `two compositions of one name count as one path`() throws {
    #expect(try OutputPath(parsing: "e\u{301}.json") == (try OutputPath(parsing: "\u{E9}.json")))
  }
}
