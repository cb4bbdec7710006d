import Importing
import Testing

/// Streams whose server creates the records in a job.
@Suite(.timeLimit(.minutes(1))) struct JobImportTests {
  private static func stream(_ more: String, poll: String = "path: \"/exports/{{ creation_response['id'] }}\"")
    -> String
  {
    Manifest.with(
      """
        - type: DeclarativeStream
          name: items
          schema_loader: { type: InlineSchemaLoader, schema: { properties: { id: { type: integer } } } }
          retriever:
            type: AsyncRetriever
            record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
            status_extractor: { type: DpathExtractor, field_path: [data, state] }
            status_mapping: { running: [queued, running], completed: [done], failed: [failed], timeout: [late], skipped: [nothing] }
            creation_requester: { type: HttpRequester, url_base: https://api.example.com, path: /exports, http_method: POST, request_body_json: { of: rows } }
            polling_requester: { type: HttpRequester, url_base: https://api.example.com, \(poll) }
            \(more)
      """)
  }

  @Test func `a job becomes a job`() throws {
    let imported = try Imported(
      Self.stream(
        """
        polling_job_timeout: 30
              failed_retry_wait_time_in_seconds: 120
              download_target_extractor: { type: DpathExtractor, field_path: [data, urls, "*"] }
              download_requester: { type: HttpRequester, url: "{{ download_target }}" }
              download_decoder: { type: GzipDecoder, decoder: { type: CsvDecoder } }
              delete_requester: { type: HttpRequester, url_base: https://api.example.com, path: "/exports/{{ creation_response['id'] }}", http_method: DELETE }
        """))
    #expect(imported.report.losses.map(\.what) == [], "\(imported.text)")
    for line in [
      "resource: { method: POST, path: /exports, body: { json: { of: rows } } }", "id: response.id",
      "poll: \"/exports/{{ job.id }}\"", "deadline: 30m", "failed: string(response.data.state) in ['failed', 'late']",
      "retry: { max: 2, wait: 120s }", "empty: string(response.data.state) == 'nothing'",
      "done: string(response.data.state) == 'done'",
      "running: string(response.data.state) in ['queued', 'running']", "urls: response.data.urls",
      "remove: { method: DELETE, path: \"/exports/{{ job.id }}\" }", "unpack: gzip",
    ] { #expect(imported.text.contains(line), "'\(line)' is missing in\n\(imported.text)") }
  }

  @Test func `values of the first response are declared, and a download has its own path`() throws {
    let imported = try Imported(
      Self.stream(
        "download_requester: { type: HttpRequester, url_base: https://api.example.com, path: \"/files/{{ polling_response['file']['id'] }}\" }",
        poll: "path: \"/{{ creation_response['region'] }}/exports/{{ creation_response['data']['id'] }}\""))
    #expect(imported.report.losses.map(\.what) == [], "\(imported.text)")
    for line in [
      "id: response.data.id", "retry: 2", "values: { data: response.data, region: response.region }",
      "poll: \"/{{ job.region }}/exports/{{ job.data.id }}\"", "download: \"/files/{{ response.file.id }}\"",
    ] { #expect(imported.text.contains(line), "'\(line)' is missing in\n\(imported.text)") }
  }

  @Test func `names of earlier versions of the components are known`() throws {
    let imported = try Imported(
      Self.stream(
        """
        urls_extractor: { type: DpathExtractor, field_path: [urls] }
              download_requester: { type: HttpRequester, url_base: "", path: "{{stream_slice['url']}}" }
        """, poll: "path: \"/exports/{{ stream_slice['create_job_response'].json()['id'] }}\""))
    #expect(imported.report.losses.map(\.what) == [], "\(imported.text)")
    for line in ["id: response.id", "poll: \"/exports/{{ job.id }}\"", "urls: response.urls"] {
      #expect(imported.text.contains(line), "'\(line)' is missing in\n\(imported.text)")
    }
  }

  @Test func `a request gives the URLs of the result, and another one stops a job that is late`() throws {
    let imported = try Imported(
      Self.stream(
        """
        download_requester: { type: HttpRequester, url: "{{ download_target }}" }
              download_target_extractor: { type: DpathExtractor, field_path: [files, "*", href] }
              download_target_requester: { type: HttpRequester, url_base: https://api.example.com, path: "/exports/{{ polling_response['file']['key'] }}/urls" }
              abort_requester: { type: HttpRequester, url_base: https://api.example.com, path: "/exports/{{ creation_response['id'] }}/cancel", http_method: POST }
        """
      ).replacing("timeout: [late], ", with: ""))
    #expect(imported.report.losses.map(\.what) == [], "\(imported.text)")
    for line in [
      "locate: \"/exports/{{ response.file.key }}/urls\"",
      "urls: response.files.filter(x, has(x.href)).map(x, x.href)",
      "stop: { method: POST, path: \"/exports/{{ job.id }}/cancel\" }",
    ] { #expect(imported.text.contains(line), "'\(line)' is missing in\n\(imported.text)") }
  }

  @Test func `what cannot be translated is named`() throws {
    let imported = try Imported(
      Self.stream(
        """
        download_requester: { type: HttpRequester, url_base: https://api.example.com, path: /file }
              download_target_requester: { type: HttpRequester, url_base: https://api.example.com, path: /urls }
              abort_requester: { type: HttpRequester, url_base: https://api.example.com, path: /abort }
        """))
    #expect(imported.report.losses.map(\.what).contains("download_target_requester"))
    #expect(imported.report.losses.map(\.what).contains("abort_requester for the states of 'timeout'"))
  }
}
