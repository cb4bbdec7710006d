import FlowSpec
import Foundation
import TestSupport

/// The sections of a page of `docs` by their anchors.
struct GuideSections: Sendable {
  struct Section: Sendable {
    var title: String
    var level: Int
    var anchor: String
    /// The section with all that is below it.
    var text: String
  }

  var sections: [Section] = []

  /// Nil if the page does not exist.
  init?(page: String) {
    let file = Repository.root.appendingPathComponent("docs/\(page).md")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    var seen: [String: Int] = [:]
    var open: [Int] = []
    var isCode = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isCode.toggle() }
      let level = isCode ? 0 : line.prefix { $0 == "#" }.count
      if level > 0, line.dropFirst(level).first == " " {
        let title = String(line.dropFirst(level + 1))
        let slug = Self.slug(title)
        let count = seen[slug, default: 0]
        seen[slug] = count + 1
        open.removeAll { sections[$0].level >= level }
        open.append(sections.count)
        sections.append(Section(title: title, level: level, anchor: count == 0 ? slug : "\(slug)-\(count)", text: ""))
      }
      for index in open { sections[index].text += line + "\n" }
    }
  }

  subscript(anchor: String) -> Section? { sections.first { $0.anchor == anchor } }

  /// The anchor that a heading gets: lower case, hyphens for spaces, no other punctuation.
  static func slug(_ title: String) -> String {
    String(
      title.lowercased().compactMap { character in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || character == "-" || character == "_" ? character : nil
      })
  }

  /// The names of all guides.
  static var guideNames: [String] {
    let folder = Repository.root.appendingPathComponent("docs/guides")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
  }

  /// The anchors of keys in the reference of the flow format, by `construct.key`.
  static let referenceAnchors: [String: String] = {
    guard let page = GuideSections(page: "reference/flow-format") else { return [:] }
    // The constructs have sections in their order, behind those about values and templates.
    let starts = page.sections.indices.filter { page.sections[$0].level == 2 }.dropFirst(2)
    var anchors: [String: String] = [:]
    for (start, name) in zip(starts, ConstructName.allCases) {
      for section in page.sections[(start + 1)...].prefix(while: { $0.level == 3 }) {
        anchors["\(name.rawValue).\(section.title.filter { $0 != "`" })"] = section.anchor
      }
    }
    return anchors
  }()
}
