import FlowSpec
import Testing

@Suite struct ValueTextTests {
  @Test(arguments: [
    ("30s", 30.0), ("250ms", 0.25), ("5m", 300), ("1h", 3600), ("7d", 604_800), ("1h30m", 5400), ("1.5h", 5400),
    ("0s", 0), ("PT30S", 30), ("PT1H30M", 5400), ("P7D", 604_800), ("P2W", 1_209_600), ("P1DT12H", 129_600),
    ("PT0.5S", 0.5), ("PT05M", 300),
  ])
  func `durations are exact`(_ text: String, _ seconds: Double) throws {
    #expect(try DurationText.seconds(in: text) == seconds)
  }

  @Test(arguments: [
    "", "30", "s", "-1s", "1 h", "1h 30m", "30m1h", "1h1h", "1y", "P", "PT", "P1Y", "P1M", "PT1M1H", "1e3s", ".5s",
    "5.s",
    "30S ", "١s", "99999999999999d", "P1S", "PT1D",
  ])
  func `other durations are errors`(_ text: String) {
    #expect(throws: ValueError.self) { try DurationText.seconds(in: text) }
  }

  @Test(arguments: [("30", "30s"), ("30sec", "30s"), ("5min", "5m"), ("2H", "2h")])
  func `near durations are named`(_ text: String, _ meant: String) {
    #expect(#expect(throws: ValueError.self) { try DurationText.seconds(in: text) }?.suggestion == meant)
  }

  @Test(arguments: [
    ("1", 1), ("4096", 4096), ("1B", 1), ("500kB", 500_000), ("32MB", 32_000_000), ("32MiB", 33_554_432),
    ("2GiB", 2_147_483_648), ("1KiB", 1024),
  ])
  func `sizes are exact`(_ text: String, _ bytes: Int) throws {
    #expect(try SizeText.bytes(in: text) == bytes)
  }

  @Test(arguments: [
    "", "0", "-1", "032", "1.5MiB", "MiB", "1TB", "32 MiB", "99999999999999999999", "9999999GiB", "32mb",
  ])
  func `other sizes are errors`(_ text: String) {
    #expect(throws: ValueError.self) { try SizeText.bytes(in: text) }
  }

  @Test(arguments: ["0", "7", "-7", "9223372036854775807", "-9223372036854775808"])
  func `integers are decimal and of 64 bits`(_ text: String) throws {
    #expect(String(try IntegerText.value(of: text)) == text)
  }

  @Test(arguments: ["", "-", "+1", "-0", "007", "1.0", "1e3", "0x10", "9223372036854775808", "1_000", "١", " 1"])
  func `other integers are errors`(_ text: String) {
    #expect(throws: ValueError.self) { try IntegerText.value(of: text) }
  }

  @Test(arguments: ["0", "-0", "1.5", "1e3", "-1.25E-2", "0.10"])
  func `numbers follow JSON`(_ text: String) throws { try NumberText.check(text) }

  @Test(arguments: ["", "1.", ".5", "+1", "01", "1e", "NaN", "Infinity", "1e999", "0x1p3", "1_0"])
  func `other numbers are errors`(_ text: String) {
    #expect(throws: ValueError.self) { try NumberText.check(text) }
  }

  @Test(arguments: ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])
  func `dates exist`(_ text: String) throws { try CalendarText.checkDate(text) }

  @Test(arguments: [
    "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-1-1", "24-01-01", "2024-01-01T00:00:00Z", "",
  ])
  func `other dates are errors`(_ text: String) {
    #expect(throws: ValueError.self) { try CalendarText.checkDate(text) }
  }

  @Test(arguments: [
    "2024-01-31T12:00:00Z", "2024-01-31T12:00Z", "2024-01-31t12:00:00.123456+02:00", "2024-12-31T23:59:60Z",
  ])
  func `timestamps have an offset`(_ text: String) throws { try CalendarText.checkTimestamp(text) }

  @Test(arguments: [
    "2024-01-31", "2024-01-31T12:00:00", "2024-01-31 12:00:00Z", "2024-01-31T24:00:00Z", "2024-01-31T12:00:00+2",
  ])
  func `other timestamps are errors`(_ text: String) {
    #expect(throws: ValueError.self) { try CalendarText.checkTimestamp(text) }
  }

  @Test(arguments: [
    ("yes", "true"), ("on", "true"), ("True", "true"), ("no", "false"), ("off", "false"), ("0", "false"),
  ])
  func `only true and false are booleans`(_ text: String, _ meant: String) {
    #expect(#expect(throws: ValueError.self) { try BooleanText.value(of: text) }?.suggestion == meant)
  }

  @Test(arguments: [
    "http://localhost", "https://api.example.com/v2?tenant=1", "http://127.0.0.1:8080/", "http://[::1]:80",
    "HTTPS://EXAMPLE.com",
  ])
  func `base URLs are http or https with a host`(_ text: String) throws { try BaseURLText.check(text) }

  @Test(arguments: [
    "", "example.com", "ftp://example.com", "http://", "http:///v2", "http://:80", "http://a:99999", "http://a:x",
    "http://me@a", "http://me:pw@a/v2", "http://a/#x", "http://a b", "http://a\\b", "http://[::1", "http://a\n",
  ])
  func `other base URLs are errors`(_ text: String) {
    #expect(throws: URLSyntaxError.self) { try BaseURLText.check(text) }
  }

  @Test(arguments: [
    "out/a.json", "a.jsonl", "./x/../a.csv", "a b/ü.json", "a-b_2/c.d.json", "out//a.csv", "a./b.json",
    "a.jsonl.gz", "out/a.b.csv.gz", "a b/ü.json.zst", "gz/a.gz.jsonl.zst",
  ])
  func `output paths lie below the root`(_ text: String) throws { try OutputPathText.check(text) }

  @Test(arguments: [
    "", "/a.json", "../a.json", "x/../../a.json", "a", "a.JSON", "a.txt", ".json", "a.json/", "a\n.json", "out/.json",
    "out//../../a.json", "a.jsonlines", "ajson", "a.json.", "a.gz", ".jsonl.gz", "a.gz.jsonl.gz.gz", "a.jsonl.bz2",
    "a.jsonl.GZ", "a.txt.gz",
    "a.jsonlgz", "gz",
  ])
  func `other output paths are errors`(_ text: String) {
    #expect(throws: URLSyntaxError.self) { try OutputPathText.check(text) }
  }

  @Test(arguments: [
    (
      "a.txt",
      "formats are '.json', '.jsonl' and '.csv'; '.gz' or '.zst' after it compresses the file, as in '.jsonl.gz'"
    ),
    (
      "a.gz",
      "formats are '.json', '.jsonl' and '.csv'; '.gz' or '.zst' after it compresses the file, as in '.jsonl.gz'"
    ),
    ("a.jsonl.gzip", "did you mean '.jsonl.gz'?"), ("a.csv.zstd", "did you mean '.csv.zst'?"),
    ("a.jsnl", "did you mean '.jsonl'?"), ("a.ndjson", "did you mean '.jsonl'?"),
    ("a", "end it with '.json', '.jsonl' or '.csv'; to persist nothing, write 'disabled'"),
  ])
  func `the error of an output path names the endings that exist`(_ text: String, _ help: String) throws {
    let error = try #require(throws: URLSyntaxError.self) { try OutputPathText.check(text) }
    #expect(error.help == help)
  }

  @Test(arguments: ["/", "/a/b-c_2.json", "a", "/a//b", "/a/~x:y@z", "/%41", "/ü", "/{{ vars.a }}//b"])
  func `paths of requests stay below the base URL`(_ text: String) {
    #expect(Project.asking(for: text).codes == [])
  }

  @Test(arguments: [
    "//b.example/x", "http://b.example", "HTTPS://b.example/x", "/a?b=1", "/a#b", "/a\\b", "/{{ vars.a }}?b",
  ])
  func `other paths of requests are errors`(_ text: String) {
    #expect(Project.asking(for: text).codes == ["flow.invalid-request-path"])
  }
}

extension Project {
  /// One flow that asks for a path.
  fileprivate static func asking(for path: String) -> LoadedFlows {
    Project(
      """
      reactor: 1
      vars: { a: { type: string, default: x } }
      http: { base_url: https://a.example }
      flows: { f: { resource: '\(path)' } }
      """
    ).load()
  }
}
