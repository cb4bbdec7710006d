import Foundation

/// Pages read in Chromium over its debugging protocol: what the console says, what axe finds, what stands out.
enum PageReading {
  /// What was found on one page in one width and scheme.
  struct Finding: Decodable {
    let url: String
    let width: Int
    let scheme: String
    let title: String
    /// Lines of the console.
    let console: [String]
    /// Rules of axe that the page breaks; nil without axe.
    let axe: [String]?
    /// The pixels by which the page is wider than the window.
    let overflow: Int
    /// The value of the script.
    let result: Int?
  }

  /// Reads pages in three widths and two schemes; nil, after a line that says so, where there is no browser.
  ///
  /// Pictures are kept where `REACTOR_PAGES` names a folder, for people to look at.
  ///
  /// - Parameters:
  ///   - pages: the pages by their names, which may link to each other
  ///   - script: an expression that the debugger evaluates on each page; the pages themselves have no scripts
  static func read(_ pages: [String: [UInt8]], script: String? = nil, for purpose: String) throws -> [Finding]? {
    guard let browser = try Browser(for: purpose) else { return nil }
    browser.close()
    guard let chromium = ForeignTool.find("chromium", "google-chrome", for: purpose),
      let python = ForeignTool.find("python3", for: purpose)
    else { return nil }
    let scripts = ForeignTool.repository.appendingPathComponent("scripts")
    let axe = try ForeignTool.run("/bin/bash", [scripts.appendingPathComponent("report-readers").path, "axe"])
    if axe.status != 0 { print("skipped: \(purpose), judged by axe: it is not there; scripts/report-readers install") }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reactor-pages-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var arguments = [scripts.appendingPathComponent("report-readers.d/browser.py").path, chromium]
    for (name, page) in pages {
      let file = folder.appendingPathComponent(name)
      try Data(page).write(to: file)
      arguments.append("file://\(file.path)")
    }
    if let script {
      let file = folder.appendingPathComponent("script.js")
      try Data(script.utf8).write(to: file)
      arguments += ["--script", file.path]
    }
    if axe.status == 0 { arguments += ["--axe", axe.output.trimmingCharacters(in: .whitespacesAndNewlines)] }
    if let pictures = ProcessInfo.processInfo.environment["REACTOR_PAGES"] { arguments += ["--pictures", pictures] }
    let ended = try ForeignTool.run(python, arguments)
    guard ended.status == 0 else { throw Browser.Failure(output: ended.output) }
    return try ended.output.split(separator: "\n").map { try JSONDecoder().decode(Finding.self, from: Data($0.utf8)) }
  }
}
