import Importing
import Testing

/// Streams whose records have files.
@Suite(.timeLimit(.minutes(1))) struct FileImportTests {
  private static func manifest(
    requester: String = "url_base: \"{{download_target}}\", http_method: GET", target: String = "[content_url]",
    more: String = "filename_extractor: \"{{ record.id }}/{{ record['name'] }}/\"", stream: String = ""
  ) -> String {
    Manifest.with(
      Manifest.stream(
        stream: """
          file_uploader:
                type: FileUploader
                requester: { type: HttpRequester, \(requester) }
                download_target_extractor: { type: DpathExtractor, field_path: \(target) }
                \(more)
          """ + stream))
  }

  @Test func `a file uploader becomes a flow of its own`() throws {
    let imported = try Imported(Self.manifest())
    #expect(imported.report.losses.map(\.what) == [], "\(imported.text)")
    for line in [
      "items_files:", "each: { flow: items, as: items }",
      "resource: { url: \"{{ coalesce(items.content_url, '') }}\" }",
      "download: \"items_files/{{ items.id }}/{{ coalesce(items.name, '') }}\"", "id: { value: \"{{ items.id }}\" }",
      "content_url: json?", "media_type: string?",
      "redirects: any", "persistence: out/items_files.jsonl",
    ] { #expect(imported.text.contains(line), "'\(line)' is missing in\n\(imported.text)") }
  }

  @Test func `a target can be a part of the path, and a file without a name has a digest`() throws {
    let imported = try Imported(
      Self.manifest(
        requester:
          "url_base: https://api.example.com, path: \"/files/{{ download_target }}/content\", authenticator: { type: BearerAuthenticator, api_token: \"{{ config['api_key'] }}\" }",
        target: "[id]", more: ""))
    #expect(imported.report.losses.map(\.what) == [], "\(imported.text)")
    for line in [
      "resource: \"/files/{{ items.id }}/content\"", "download: \"items_files/{{ sha256(string(items.id)) }}\"",
    ] { #expect(imported.text.contains(line), "'\(line)' is missing in\n\(imported.text)") }
  }

  @Test func `files of new records are requested alone`() throws {
    let imported = try Imported(
      Self.manifest(
        stream:
          "\nincremental_sync: { type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: \"%Y-%m-%dT%H:%M:%SZ\", "
          + "start_datetime: \"2024-01-01T00:00:00Z\", start_time_option: { type: RequestOption, inject_into: request_parameter, field_name: since } }"
      ))
    #expect(imported.report.losses.map(\.what) == [], "\(imported.text)")
    for line in [
      "each: { flow: items, as: items, only: changed }", "persistence: { path: out/items_files.jsonl, mode: merge }",
    ] { #expect(imported.text.contains(line), "'\(line)' is missing in\n\(imported.text)") }
  }

  @Test(arguments: [
    ("target: [\"*\", url]", "file_uploader"), ("custom", "file_uploader"), ("file_extractor", "file_extractor"),
  ])
  func `what cannot be translated is named`(_ what: String, _ loss: String) throws {
    let text =
      switch what {
      case "custom": Self.manifest(requester: "class_name: a.b.C")
      case "file_extractor": Self.manifest(more: "file_extractor: { type: DpathExtractor, field_path: [data] }")
      default: Self.manifest(target: "[\"*\", url]")
      }
    let imported = try Imported(text)
    #expect(imported.report.losses.map(\.what) == [loss], "\(imported.text)")
    #expect(imported.text.contains(loss))
  }
}
