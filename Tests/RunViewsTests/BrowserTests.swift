import BatchRunner
import Foundation
import ReactorCore
import RunViews
import Testing

/// The page of a run in a real browser, in both colour schemes.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BrowserTests {
  static let names = ["mixed", "hostile", "large", "empty"]

  static func report(_ name: String) -> RunReport {
    switch name {
    case "mixed": SampleRun.report()
    case "hostile": hostile
    case "large": SampleRun.large(1000)
    default: SampleRun.large(0)
    }
  }

  /// Names and words that would break a page, or stretch it.
  static var hostile: RunReport {
    let ids = [
      "<script>document.title='owned'</script>", "\"><img src=x onerror=alert(1)>", "a'b\"c&amp;<!--",
      "\u{202E}evil\u{2069}", String(repeating: "wide", count: 100), "漢字の流れ", "]]></style><style>*{display:none}",
      "x\u{0}\u{1B}[31m",
    ]
    let plan = RunPlan(
      ids.enumerated().map {
        SampleRun.flow($1, "flows/\(ids[($0 + 1) % ids.count]).yaml", 1, path: "out/\($1)", rejected: "out/\($1).bad")
      })
    var mutations: [RunMutation] = [.started(at: .zero)]
    for index in ids.indices {
      mutations.append(.flowStarted(index, at: .milliseconds(index * 40)))
      mutations.append(
        index % 3 == 0
          ? .flowFailed(index, .server(SampleRun.hostile + ids[index], status: 500), at: .milliseconds(index * 90 + 30))
          : .flowFinished(
            index,
            FetchSummary(
              source: .network, records: 10_000_000, rejected: 7, bytes: 9_999_999_999, save: .saved,
              timings: SampleRun.timings([.request: 30, .parse: 20])), at: .milliseconds(index * 90 + 80)))
    }
    return RunReport(
      SampleRun.state(plan, mutations + [.finished(at: .seconds(1))]), exit: 5, tool: "9.9.9")
  }

  @Test(arguments: names)
  func `the page loads without a complaint and shows a row for each flow that ran`(name: String) throws {
    guard let browser = try Browser(for: "the HTML report in Chromium") else { return }
    defer { browser.close() }
    let report = Self.report(name)
    let (document, complaints) = try browser.load(HTMLReport().text(report))
    #expect(complaints == [])
    let ran = report.flows.count { $0.started != nil && $0.duration != nil }
    #expect(document.components(separatedBy: "<div class=\"row ").count - 1 == (ran == 0 ? 0 : ran + 1))
    #expect(document.components(separatedBy: "<div class=\"bar\"").count - 1 == ran)
    #expect(document.components(separatedBy: "<th scope=\"row\">").count - 1 == report.flows.count)
    // What was text in the file is text in the document.
    #expect(!document.contains("<script") && !document.contains("<img") && !document.contains("owned'</"))
    #expect(document.components(separatedBy: "<style>").count == 2)
  }

  @Test func `a page that does what it should not is complained of`() throws {
    guard let browser = try Browser(for: "the HTML report in Chromium") else { return }
    defer { browser.close() }
    let page = HTMLReport().text(SampleRun.report())
      .replacing("</main>", with: "<img src=\"http://127.0.0.1:9/x.png\"><script>1</script></main>")
    #expect(try browser.load(page).complaints.count >= 2)
  }

  @Test(arguments: names, [400, 1200])
  func `nothing stands out of the page and every bar is on its track`(name: String, width: Int) throws {
    guard let browser = try Browser(for: "the HTML report in Chromium") else { return }
    defer { browser.close() }
    // Measured by a script, which the page itself has none of and allows none.
    let script = """
      <script>
      const found = [];
      const root = document.documentElement;
      if (root.scrollWidth > innerWidth) found.push(`page ${root.scrollWidth} of ${innerWidth}`);
      for (const bar of document.querySelectorAll('.bar')) {
        const own = bar.getBoundingClientRect(), track = bar.parentElement.getBoundingClientRect();
        if (own.left < track.left - 1 || own.right > track.right + 4) found.push(`bar ${own.left} ${own.right}`);
        if (own.width < 2 || own.height < 8) found.push(`bar of ${own.width} x ${own.height}`);
        for (const part of bar.children)
          if (getComputedStyle(part).backgroundColor === 'rgba(0, 0, 0, 0)') found.push(`no colour: ${part.className}`);
      }
      for (const text of document.querySelectorAll('h1, h2, dd, summary, td, th, li, .row:not(.axis) > span')) {
        const own = text.getBoundingClientRect();
        // On a narrow page each cell has its own label instead.
        const isLabelled = text.closest('thead') && innerWidth <= 860;
        if (own.height < 8 && !isLabelled) found.push(`hidden: ${text.textContent}`);
        const card = text.closest('section, header'), edge = card.getBoundingClientRect();
        if (!text.closest('.wide, .row') && own.right > edge.right + 1) found.push(`outside: ${text.textContent}`);
      }
      const marks = [...document.querySelectorAll('.axis em')].map(m => m.getBoundingClientRect()).filter(m => m.width);
      marks.forEach((m, i) => { if (i && m.left < marks[i - 1].right - 1) found.push(`mark ${i} over another`); });
      document.title = 'measured ' + found.length + ' ' + found.slice(0, 5).join('; ');
      </script></body>
      """
    var page = HTMLReport().text(Self.report(name)).replacing("</body>", with: script)
    let policy = try #require(page.range(of: "<meta http-equiv=\"Content-Security-Policy\""))
    let end = try #require(page[policy.lowerBound...].firstIndex(of: "\n"))
    page.removeSubrange(policy.lowerBound..<end)
    let (document, _) = try browser.load(page, width: width)
    let title = document.range(of: "<title>").map { document[$0.upperBound...].prefix { $0 != "<" } } ?? ""
    #expect(title.trimmingCharacters(in: .whitespaces) == "measured 0", "\(title)")
  }

  @Test(arguments: names)
  func `the dark page is darker than the light one`(name: String) throws {
    guard let browser = try Browser(for: "the HTML report in Chromium"),
      let python = ForeignTool.find("python3", for: "pictures of the HTML report")
    else { return }
    defer { browser.close() }
    let page = HTMLReport().text(Self.report(name))
    let light = try Self.brightness(browser.picture(page, name, .light), python)
    let dark = try Self.brightness(browser.picture(page, name, .dark), python)
    #expect(dark.mean < 80 && light.mean > 180, "\(dark) \(light)")
    // Something stands on it in both.
    #expect(dark.spread > 20 && light.spread > 20, "\(dark) \(light)")
    if ProcessInfo.processInfo.environment["REACTOR_PAGES"] != nil {
      _ = try browser.picture(page, name, width: 400, height: 1600, .dark)
      _ = try browser.picture(page, name, width: 1200, height: 3000, .light)
    }
  }

  /// Mean and spread of the brightness of a picture, 0 to 255, read with nothing but Python's own library.
  private static func brightness(_ picture: Data, _ python: String) throws -> (mean: Int, spread: Int) {
    let script = """
      import struct, sys, zlib
      data, place, parts = open(sys.argv[1], 'rb').read(), 8, b''
      while place < len(data):
          size, kind = struct.unpack('>I4s', data[place:place + 8])
          body = data[place + 8:place + 8 + size]
          if kind == b'IHDR': width, height, depth, color = struct.unpack('>IIBB', body[:10])
          if kind == b'IDAT': parts += body
          place += size + 12
      assert depth == 8 and color in (2, 6), (depth, color)
      step = 3 if color == 2 else 4
      raw, line, last, total, low, high = zlib.decompress(parts), width * step, bytearray(width * step), 0, 255, 0
      for row in range(height):
          start = row * (line + 1)
          method, now = raw[start], bytearray(raw[start + 1:start + 1 + line])
          for i in range(line):
              a, b = (now[i - step] if i >= step else 0), last[i]
              c = last[i - step] if i >= step else 0
              if method == 1: now[i] = (now[i] + a) & 255
              elif method == 2: now[i] = (now[i] + b) & 255
              elif method == 3: now[i] = (now[i] + (a + b) // 2) & 255
              elif method == 4:
                  p = a + b - c
                  d = sorted(((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c)))[0][2]
                  now[i] = (now[i] + d) & 255
          last = now
          greens = now[1::step]
          total += sum(greens)
          low, high = min(low, min(greens)), max(high, max(greens))
      print(total // (width * height), high - low)
      """
    let ended = try ForeignTool.withFile(Array(picture), "picture.png") {
      try ForeignTool.run(python, ["-c", script, $0])
    }
    let numbers = ended.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(ended.status == 0 && numbers.count == 2, "\(ended.output.suffix(500))")
    return (numbers[0], numbers[1])
  }
}
