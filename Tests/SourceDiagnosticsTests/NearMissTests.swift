import SourceDiagnostics
import Testing

@Suite struct NearMissTests {
  @Test(arguments: [
    ("persistance", "persistence"), ("presistence", "persistence"), ("tmeout", "timeout"), ("baseUrl", "base_url"),
    ("base-url", "base_url"), ("METHOD", "method"), ("header", "headers"), ("desc", "description"),
    ("tga", "tag"), ("expires_aftr", "expires_after"),
  ])
  func `a misspelt word finds its suggestion`(word: String, meant: String) {
    let known = [
      "description", "persistence", "timeout", "base_url", "method", "headers", "tag", "expires_after", "id",
    ]
    #expect(NearMiss.suggestion(for: word, in: known) == meant)
  }

  @Test(arguments: ["xyz", "ip", "", "persist_my_things", "d", String(repeating: "a", count: 100_000)])
  func `a word without a near candidate finds nothing`(word: String) {
    #expect(NearMiss.suggestion(for: word, in: ["description", "persistence", "id", "tag"]) == nil)
  }

  @Test func `the nearest wins, then the first`() {
    #expect(NearMiss.suggestion(for: "paths", in: ["patch", "path"]) == "path")
    #expect(NearMiss.suggestion(for: "bat", in: ["cat", "hat"]) == "cat")
  }

  @Test func `the beginning of two words finds neither`() {
    #expect(NearMiss.suggestion(for: "fail", in: ["fail_on_save_error", "fail_on_load_error"]) == nil)
  }

  @Test(arguments: [
    ("addrss", "address"), ("adress", "address"), ("createdAt", "created_at"), ("ZIP", "zip"), ("naem", "name"),
    ("names", "name"), ("nme", "name"),
  ])
  func `a slip of the pen finds its suggestion`(word: String, meant: String) {
    #expect(
      NearMiss.slip(for: word, in: ["id", "zip", "name", "line1", "created_at", "max_price", "address"]) == meant)
  }

  @Test(arguments: ["line2", "line", "updated_at", "min_price", "ip", "nam es x", "", "desc", "zap", "name"])
  func `names that may occur together are not slips`(word: String) {
    #expect(
      NearMiss.slip(
        for: word, in: ["id", "zip", "name", "line1", "created_at", "max_price", "description"].filter { $0 != word })
        == nil)
  }

  @Test func `a word is never its own suggestion`() {
    #expect(NearMiss.suggestion(for: "path", in: ["path"]) == nil)
  }
}
